//! The options of `sweep` that `run` does not have, as values.

use super::{
    super::{
        commands::{run::RunArgs, sweep::SweepArgs},
        line::{Typed, apart},
    },
    axis::{Axis, Varied},
};
use crate::{
    personality::settings,
    plan::{
        Condition, FlushPolicy, TimeSpan,
        condition::{Figure, Side, Whom},
    },
};

/// Measurements of an answer besides the first, at most.
const REPEAT_MAX: u32 = 100;
/// So many where a limit is to be kept.
const REPEAT_LIMIT: u32 = 3;
/// So many where none is.
const REPEAT_KNEE: u32 = 1;
/// Columns of a grid: more are no table.
const COLUMNS_MAX: usize = 9;
/// Points of a grid.
const POINTS_MAX: usize = 256;

/// What a line of `sweep` asks for besides its load.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// One axis, or the columns and then the rows of a grid.
    pub(super) axes: Vec<Axis>,
    /// Limits that are all to be kept.
    pub(super) limits: Vec<Condition>,
    /// How often the answer is measured again.
    pub(super) repeat: u32,
}

impl Asked {
    /// Reads them; `max` says how much can be used of the target.
    ///
    /// # Errors
    /// A sentence with the option as typed, its value and what would be right.
    pub(super) fn read(
        args: &SweepArgs,
        max: &dyn Fn() -> Result<u64, String>,
    ) -> Result<Self, String> {
        let default = ["qd=1..64".to_owned()];
        let typed = if args.vary.is_empty() {
            &default[..]
        } else {
            &args.vary
        };
        if typed.len() > 2 {
            return Err(format!(
                "--vary is given {} times: what depends on more than two things is in no table; \
                 leave all but two out",
                typed.len()
            ));
        }
        let axes = typed.iter().map(|value| {
            let name = "--vary";
            Axis::read(Typed { name, value }, max)
        });
        let axes = axes.collect::<Result<Vec<Axis>, String>>()?;
        check(&axes, args)?;
        let limits = args.slo.iter().map(|value| limit(value));
        let limits = limits.collect::<Result<Vec<Condition>, String>>()?;
        let repeat = Typed::new("--repeat", args.load.repeat.as_ref());
        Ok(Self {
            repeat: match repeat {
                Some(typed) => typed.small(1, REPEAT_MAX)?,
                None if limits.is_empty() => REPEAT_KNEE,
                None => REPEAT_LIMIT,
            },
            axes,
            limits,
        })
    }

    /// The axis of the load: the only one, or that of the columns.
    pub(super) fn main(&self) -> Option<&Axis> {
        self.axes.first()
    }

    /// The values of all points in the order in which they are measured, one for each axis.
    pub(super) fn points(&self) -> Vec<Vec<u64>> {
        match self.axes.as_slice() {
            [axis] => axis.values.iter().map(|value| vec![*value]).collect(),
            [columns, rows] => rows
                .values
                .iter()
                .flat_map(|row| columns.values.iter().map(|column| vec![*column, *row]))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// What a point is called.
    pub(super) fn name(&self, values: &[u64]) -> String {
        let parts = self.axes.iter().zip(values);
        let parts: Vec<String> = parts
            .map(|(axis, value)| format!("{}={}", axis.what.name(), axis.what.typed(*value)))
            .collect();
        parts.join(" ")
    }

    /// What a limit is of must be in the load.
    ///
    /// # Errors
    /// It is of operations that the load does not do.
    pub(super) fn fits(&self, span: &TimeSpan) -> Result<(), String> {
        let streams = || span.groups.iter().flat_map(|group| &group.streams);
        let reads = streams().any(|stream| stream.mix.write_percent < 100);
        let writes = streams().any(|stream| stream.mix.write_percent > 0);
        let flushes = streams().any(|stream| stream.mix.flush != FlushPolicy::Never);
        for limit in &self.limits {
            let missing = match limit.of {
                Whom::Any => continue,
                Whom::Reads if reads => continue,
                Whom::Writes if writes => continue,
                Whom::Flushes if flushes => continue,
                Whom::Reads => "reads",
                Whom::Writes => "writes",
                Whom::Flushes => "flushes",
            };
            return Err(format!(
                "--slo {limit} is of {missing}, and this load has none"
            ));
        }
        Ok(())
    }
}

/// What is varied is said once, and not to be fixed as well.
fn check(axes: &[Axis], args: &SweepArgs) -> Result<(), String> {
    if let [one, other] = axes {
        if one.what.name() == other.what.name() {
            return Err(format!(
                "--vary {} is given twice: put all values into one of them",
                one.what.name()
            ));
        }
        if one.values.len() > COLUMNS_MAX {
            return Err(format!(
                "--vary {}: {} values do not fit side by side, {COLUMNS_MAX} do: the other --vary \
                 may be the long one, if it comes second",
                one.what.name(),
                one.values.len()
            ));
        }
        if one.values.len() * other.values.len() > POINTS_MAX {
            return Err(format!(
                "--vary: {} x {} points are more than {POINTS_MAX}: leave some values out",
                one.values.len(),
                other.values.len()
            ));
        }
    }
    if args.load.pause.is_some() {
        return Err("--pause is for the repetitions of run: sweep goes on at once".to_owned());
    }
    let typed = args.load.typed();
    for axis in axes {
        let options = axis.what.options();
        if let Some(option) = typed.iter().find(|option| options.contains(option)) {
            return Err(apart(&format!("--vary {}", axis.what.name()), option));
        }
    }
    Ok(())
}

/// `p99<2ms`: only the most that a latency may be is a limit that more load breaks.
fn limit(value: &str) -> Result<Condition, String> {
    let condition: Condition = value
        .parse()
        .map_err(|right: String| settings::wrong("--slo", value, &right))?;
    let figure = condition.figure;
    if !figure.is_latency() {
        return Err(format!(
            "--slo='{value}': a limit is of a latency (mean, max, p1 to p99.999), not of {figure}: \
             write p99<2ms, and the highest {figure} within it is the answer"
        ));
    }
    if condition.side == Side::Above {
        let below = Condition {
            side: Side::Below,
            ..condition
        };
        return Err(format!(
            "--slo='{value}': a limit is the most that a latency may be: write {below}"
        ));
    }
    Ok(condition)
}

/// The name of the figure alone: `p99`, `read.mean`.
pub(super) fn figure_name(condition: &Condition) -> String {
    let whole = condition.to_string();
    whole
        .split_once(['<', '>'])
        .map_or(whole.clone(), |(name, _)| name.to_owned())
}

/// True for figures that each table has anyway.
pub(super) fn is_shown_anyway(condition: &Condition) -> bool {
    condition.of == Whom::Any
        && matches!(
            condition.figure,
            Figure::Mean | Figure::Percentile { parts: 99_000 }
        )
}

/// A line of `run` in which an axis has a value.
pub(super) fn set(args: &mut RunArgs, what: Varied, value: u64) {
    let text = Some(what.typed(value));
    let load = &mut args.load;
    match what {
        Varied::Depth => load.qd = text,
        Varied::Threads => load.threads = text,
        Varied::Block => load.bs = text,
        Varied::Region => load.region = text,
        Varied::Rate { .. } => load.rate = text,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::commands::load::LoadArgs, Asked, SweepArgs, limit};

    fn asked(vary: &[&str], slo: &[&str], load: LoadArgs) -> Result<Asked, String> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let args = SweepArgs {
            vary: owned(vary),
            slo: owned(slo),
            load,
            ..SweepArgs::default()
        };
        Asked::read(&args, &|| Ok(1 << 30))
    }

    #[test]
    fn points_go_row_by_row() {
        let one = asked(&[], &[], LoadArgs::default()).unwrap();
        assert_eq!(one.points().len(), 7);
        assert_eq!(one.name(&[16]), "qd=16");
        assert_eq!(one.repeat, 1);
        let grid = asked(&["qd=1,8", "bs=4k,8k"], &["p99<2ms"], LoadArgs::default()).unwrap();
        let names: Vec<String> = grid.points().iter().map(|p| grid.name(p)).collect();
        assert_eq!(
            names,
            [
                "qd=1 bs=4KiB",
                "qd=8 bs=4KiB",
                "qd=1 bs=8KiB",
                "qd=8 bs=8KiB"
            ]
        );
        assert_eq!(grid.repeat, 3);
    }

    #[test]
    fn what_cannot_be_a_sweep_is_told() {
        let none = LoadArgs::default;
        let some = |option: &str| {
            let value = Some("4".to_owned());
            match option {
                "--qd" => LoadArgs {
                    qd: value,
                    ..none()
                },
                "--cap" => LoadArgs {
                    cap: value,
                    ..none()
                },
                "--repeat 0" => LoadArgs {
                    repeat: Some("0".to_owned()),
                    ..none()
                },
                "--repeat" => LoadArgs {
                    repeat: Some("101".to_owned()),
                    ..none()
                },
                _ => LoadArgs {
                    bs: value,
                    ..none()
                },
            }
        };
        for (vary, load, said) in [
            (&["qd=1,2", "bs=4k,8k", "rate=1,2"][..], none(), "3 times"),
            (&["qd=1,2", "qd=4,8"], none(), "twice"),
            (&["qd=1..512", "bs=4k,8k"], none(), "10 values"),
            (&["qd=1,2"], some("--qd"), "--vary qd and --qd"),
            (&[], some("--qd"), "--vary qd and --qd"),
            (&["bs=4k,8k"], some("--bs"), "--vary bs and --bs"),
            (&["rate=1,2"], some("--cap"), "--vary rate and --cap"),
            (&[], some("--repeat 0"), "from 1 to 100"),
            (&[], some("--repeat"), "from 1 to 100"),
        ] {
            let problem = asked(vary, &[], load).expect_err(said);
            assert!(problem.contains(said), "{problem}");
        }
        let rows: Vec<String> = (1..=64).map(|value| value.to_string()).collect();
        let rows = format!("threads={}", rows.join(","));
        let problem = asked(&["qd=1..16", &rows], &[], none()).expect_err("320 points");
        assert!(problem.contains("5 x 64"), "{problem}");
    }

    #[test]
    fn limits_are_the_most_that_a_latency_may_be() {
        assert!(limit("p99<2ms").is_ok());
        assert!(limit("write.mean<500us").is_ok());
        for (value, said) in [
            ("p99>2ms", "write p99<2ms"),
            ("iops<1000", "not of iops"),
            ("iops>1000", "not of iops"),
            ("read.throughput<1MiB/s", "not of throughput"),
            ("p99", "a figure and its bound"),
            ("", "a figure and its bound"),
        ] {
            let problem = limit(value).expect_err(value);
            assert!(problem.contains(said), "{problem}");
            assert!(problem.contains(&format!("'{value}'")), "{problem}");
        }
    }
}
