//! `precondition`: a target is filled with random data, by bytes, over all of it.

use std::time::Duration;

use super::{Planned, usage_error};
use crate::{
    host::PathKind,
    personality::{
        Environment, UsageError,
        native::{
            commands::{
                load::{CommonArgs, LoadArgs},
                precondition::PreconditionArgs,
                run::RunArgs,
            },
            line::{Typed, apart},
        },
    },
    plan::{Step, TimeSpan, validate},
    profiles,
    units::{ByteSize, words::plural},
};

/// How often the target is filled where nobody says otherwise: as the SNIA's Performance Test
/// Specification has it.
const PASSES: u32 = 2;
/// More wear than anybody wants.
const PASSES_MAX: u32 = 100;
/// A fill of more than that takes hours: it is told in longer intervals.
const LONG: u64 = 1 << 40;
const LONG_INTERVAL: Duration = Duration::from_secs(10);
/// Tenths of a drive write a day that drives for much reading are often rated for.
const RATING_TENTHS: u64 = 3;

/// The plan.
///
/// # Errors
/// What is wrong with the line, with the option or word as typed.
pub fn precondition(
    args: &PreconditionArgs,
    around: &Environment,
    command_line: &str,
) -> Result<Planned, UsageError> {
    let run = as_run(args, around).map_err(|sentence| usage_error(&sentence))?;
    let planned = super::plan(&run, around, command_line)?;
    filled(planned, args, around).map_err(|sentence| usage_error(&sentence))
}

/// The same load as a line of `run`, which ends after one write.
fn as_run(args: &PreconditionArgs, around: &Environment) -> Result<RunArgs, String> {
    let target = args.target.as_ref().ok_or(
        "what is to be filled? Name a file, a folder or a block device, as in: iogauge \
         precondition ./test.dat",
    )?;
    let text = target.to_string_lossy();
    let named = profiles::names().any(|name| name == text) && !around.files.exists(target);
    if named || target.extension().is_some_and(|end| end == "toml") {
        return Err(format!(
            "precondition fills a file or a device, and '{}' says what a load is: that is for run",
            text.escape_debug()
        ));
    }
    let rw = match args.rw.as_deref() {
        None => "write",
        Some(rw @ ("write" | "randwrite")) => rw,
        Some(other) => {
            let name = "--rw";
            return Err(Typed { name, value: other }.wrong("write or randwrite"));
        }
    };
    let or = |typed: &Option<String>, usual: &str| {
        let typed = typed.clone();
        Some(typed.unwrap_or_else(|| usual.to_owned()))
    };
    Ok(RunArgs {
        words: vec![target.clone()],
        load: LoadArgs {
            rw: Some(rw.to_owned()),
            bs: or(&args.bs, "1M"),
            qd: or(&args.qd, "8"),
            size: args.size.clone(),
            // How many there are to be is known once the target is.
            ops: Some("1".to_owned()),
            common: CommonArgs {
                // What is filled and then removed was filled for nothing.
                keep: Some("yes".to_owned()),
                ..args.common.clone()
            },
            ..LoadArgs::default()
        },
    })
}

/// The bytes that are to be written, and what they mean.
fn filled(
    mut planned: Planned,
    args: &PreconditionArgs,
    around: &Environment,
) -> Result<Planned, String> {
    if args
        .common
        .keep
        .as_deref()
        .is_some_and(|keep| keep != "yes")
    {
        return Err("--keep no: a file that is filled stays, for the run that follows".to_owned());
    }
    let span = planned.plan.steps.iter_mut().find_map(|step| match step {
        Step::Run(span) => Some(span),
        Step::Prepare(_) | Step::Cleanup(_) => None,
    });
    let span = span.ok_or("there is nothing to fill")?;
    let used = used(span);
    let block = block(span);
    let (bytes, passes) = amount(args, used, block, &mut planned.notes)?;
    span.name = String::new();
    span.stop.operations = None;
    span.stop.bytes = Some(bytes);
    if bytes > LONG {
        span.interval = LONG_INTERVAL;
    }
    let target = span.targets.first().map(|target| target.path.clone());
    let device = target.is_some_and(|path| around.files.kind(&path) == Some(PathKind::BlockDevice));
    planned.warnings.push(estimate(bytes, used, passes, device));
    let rest = used % block;
    if rest > 0 && passes.is_some() {
        planned.notes.push(format!(
            "The last {} are less than one write and stay as they were",
            plural(rest, "byte")
        ));
    }
    validate::validate(&planned.plan).map_err(|problem| problem.to_string())?;
    Ok(planned)
}

/// Bytes of the part of the target that is filled.
fn used(span: &TimeSpan) -> u64 {
    let target = span.targets.first();
    let end = target.and_then(|target| Some(target.end?.saturating_sub(target.base)));
    end.unwrap_or(0)
}

/// Bytes of a write.
fn block(span: &TimeSpan) -> u64 {
    let streams = span.groups.iter().flat_map(|group| &group.streams);
    let largest = streams.map(|stream| stream.sizes.largest()).max();
    u64::from(largest.unwrap_or(1)).max(1)
}

/// How many bytes are written, and how often the target where that was said.
fn amount(
    args: &PreconditionArgs,
    used: u64,
    block: u64,
    notes: &mut Vec<String>,
) -> Result<(u64, Option<u32>), String> {
    let passes = Typed::new("--passes", args.passes.as_ref());
    if let Some(bytes) = Typed::new("--bytes", args.bytes.as_ref()) {
        if let Some(passes) = passes {
            return Err(apart(bytes.name, passes.name));
        }
        let size = bytes.size(1, notes)?;
        if size < block {
            return Err(bytes.wrong(&format!(
                "at least one write of {}",
                ByteSize(block).words()
            )));
        }
        return Ok((size / block * block, None));
    }
    let passes = match passes {
        None => PASSES,
        Some(passes) => passes.small(1, PASSES_MAX)?,
    };
    let once = used / block * block;
    Ok((once.saturating_mul(passes.into()), Some(passes)))
}

/// What is going to be written, before it is.
fn estimate(bytes: u64, used: u64, passes: Option<u32>, device: bool) -> String {
    let whole = match passes {
        Some(1) => "the target once".to_owned(),
        Some(passes) => format!("the target {passes} times"),
        None => format!("{:.1} times the target", bytes as f64 / used.max(1) as f64),
    };
    let wear = if device {
        // Of a drive of this size: bytes / used whole drives, at 0.3 of one a day.
        let days = bytes as f64 / used.max(1) as f64 * 10.0 / RATING_TENTHS as f64;
        format!(
            "as much as a drive of this size may take in {days:.1} days if it is rated for \
             0.{RATING_TENTHS} drive writes a day (assumed; its data sheet says)"
        )
    } else {
        "wear counts against the size of the drive that the file is on".to_owned()
    };
    format!("writes {}, {whole}: {wear}", ByteSize(bytes).words())
}

#[cfg(test)]
mod tests {
    use super::{PreconditionArgs, amount, estimate};
    use crate::units::number::STRANGE;

    fn args(bytes: Option<&str>, passes: Option<&str>) -> PreconditionArgs {
        PreconditionArgs {
            bytes: bytes.map(str::to_owned),
            passes: passes.map(str::to_owned),
            ..PreconditionArgs::default()
        }
    }

    fn of(bytes: Option<&str>, passes: Option<&str>) -> Result<(u64, Option<u32>), String> {
        // A target of ten and a half writes of 1 MiB.
        amount(&args(bytes, passes), 21 << 19, 1 << 20, &mut Vec::new())
    }

    #[test]
    fn whole_writes_over_and_over() {
        assert_eq!(of(None, None), Ok((20 << 20, Some(2))));
        assert_eq!(of(None, Some("3")), Ok((30 << 20, Some(3))));
        assert_eq!(of(Some("5M"), None), Ok((5 << 20, None)));
        assert_eq!(of(Some("5M1"), None).ok(), None);
        assert_eq!(of(Some("1048577"), None), Ok((1 << 20, None)));
    }

    #[test]
    fn strange_amounts_are_named() {
        for strange in STRANGE.iter().chain(&["0"]) {
            let error = of(Some(strange), None).unwrap_err();
            assert!(error.contains(&format!("--bytes='{strange}'")), "{error}");
            let error = of(None, Some(strange)).unwrap_err();
            assert!(error.contains(&format!("--passes='{strange}'")), "{error}");
        }
        assert!(of(None, Some("101")).unwrap_err().contains("from 1 to 100"));
        assert!(
            of(Some("4k"), None)
                .unwrap_err()
                .contains("one write of 1 MiB")
        );
        assert!(
            of(Some("5M"), Some("1"))
                .unwrap_err()
                .contains("cannot both")
        );
    }

    #[test]
    fn wear_is_told_of_devices_with_its_assumption() {
        // Twice a drive, at 0.3 of one a day: 2 / 0.3 = 6.67 days.
        let told = estimate(2 << 40, 1 << 40, Some(2), true);
        assert!(
            told.starts_with("writes 2 TiB, the target 2 times: "),
            "{told}"
        );
        assert!(told.contains("6.7 days"), "{told}");
        assert!(told.contains("assumed"), "{told}");
        let told = estimate(3 << 30, 2 << 30, None, false);
        assert!(
            told.starts_with("writes 3 GiB, 1.5 times the target: wear"),
            "{told}"
        );
    }
}
