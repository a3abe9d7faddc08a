//! The options of a load as typed become values: each is read by the grammar of its name, ours or
//! fio's. What is not said stays open; defaults are the planning's.

mod access;
mod asked;
mod durable;
mod engine;
mod pace;
mod places;
mod sizes;
#[cfg(test)]
mod tests;
mod typed;
mod verify;
mod workload;

pub(super) use asked::{Asked, Data, Durable, Limits, Operations, Order, Pace, Per};
pub(super) use durable::named as data_named;
pub(super) use engine::common;
pub(super) use pace::RATE_MAX;
pub(super) use places::Places;
pub(super) use sizes::block;
pub(super) use typed::{Typed, apart};
pub(super) use workload::{Workload, read as workload};

use std::time::Duration;

use super::commands::load::{CommonArgs, LoadArgs};
use crate::plan::Condition;
use typed::Whose;

/// Threads of a target at most; the plan's own limit.
pub(super) const THREADS_MAX: u32 = 1 << 16;
/// I/Os in flight of a thread at most: what a ring of io_uring holds.
pub(super) const DEPTH_MAX: u32 = 1 << 15;
/// Repetitions at most.
const REPEAT_MAX: u32 = 1000;
/// Fewer intervals a second than that would take more memory than figures are worth.
const INTERVAL_MIN: Duration = Duration::from_millis(10);
/// A measured time at least.
pub(super) const DURATION_MIN: Duration = Duration::from_millis(1);

/// Reads all options of a load.
///
/// # Errors
/// A sentence with the option as typed, its value and what would be right.
pub(super) fn read(args: &LoadArgs) -> Result<Asked, String> {
    let mut notes = Vec::new();
    let fio = &args.fio;
    let size = |name, value, least, notes: &mut Vec<String>| {
        Typed::new(name, value)
            .map(|typed| typed.size(least, notes))
            .transpose()
    };
    let verify = verify::read(args, &mut notes)?;
    let mut asked = Asked {
        size: size("--size", args.size.as_ref(), 1, &mut notes)?,
        offset: size("--offset", args.offset.as_ref(), 0, &mut notes)?,
        region: size("--region", args.region.as_ref(), 1, &mut notes)?,
        align: size("--align", args.align.as_ref(), 1, &mut notes)?,
        depth: count(
            "--qd",
            args.qd.as_ref(),
            "--iodepth",
            fio.iodepth.as_ref(),
            DEPTH_MAX,
        )?,
        threads: count(
            "--threads",
            args.threads.as_ref(),
            "--numjobs",
            fio.numjobs.as_ref(),
            THREADS_MAX,
        )?,
        limits: limits(args, &mut notes)?,
        fuse: fuse(&args.stop_if)?,
        sizes: sizes::read(args)?,
        pace: pace::read(args, &mut notes)?,
        caching: access::caching(args)?,
        durable: durable::read(args)?,
        data: durable::data(args)?,
        places: places::read(args, &mut notes)?,
        verify,
        cpus: access::cpus(args)?,
        interval: Typed::new("--interval", args.interval.as_ref())
            .map(|typed| typed.time(INTERVAL_MIN))
            .transpose()?,
        repeat: Typed::new("--repeat", args.repeat.as_ref())
            .map(|typed| typed.small(1, REPEAT_MAX))
            .transpose()?,
        pause: Typed::new("--pause", args.pause.as_ref())
            .map(|typed| typed.time(Duration::ZERO))
            .transpose()?,
        seed: seed(&args.common, fio.randseed.as_ref())?,
        keep: keep(&args.common)?,
        workload: workload::read(&args.workload, &mut notes)?,
        ..Asked::default()
    };
    access::operations(args, &mut asked, &mut notes)?;
    notes.extend(without_effect(args)?);
    asked.notes = notes;
    Ok(asked)
}

/// A number of threads or of I/Os in flight, by either name.
fn count(
    ours: &str,
    own: Option<&String>,
    theirs: &str,
    fio: Option<&String>,
    most: u32,
) -> Result<Option<u32>, String> {
    let typed = Typed::either((ours, own), (theirs, fio))?;
    typed.map(|(typed, _)| typed.small(1, most)).transpose()
}

fn limits(args: &LoadArgs, notes: &mut Vec<String>) -> Result<Limits, String> {
    let time = |ours, own, theirs, fio, least| {
        let typed = Typed::either((ours, own), (theirs, fio))?;
        typed
            .map(|(typed, whose): (Typed<'_>, Whose)| typed.time_of(whose, least))
            .transpose()
    };
    let number = |name, value| {
        let typed = Typed::new(name, value);
        typed.map(|typed| typed.number(1, u64::MAX / 2)).transpose()
    };
    let fio = &args.fio;
    let (runtime, ramp) = (fio.runtime.as_ref(), fio.ramp_time.as_ref());
    Ok(Limits {
        duration: time(
            "--duration",
            args.duration.as_ref(),
            "--runtime",
            runtime,
            DURATION_MIN,
        )?,
        warmup: time(
            "--warmup",
            args.warmup.as_ref(),
            "--ramp_time",
            ramp,
            Duration::ZERO,
        )?,
        cooldown: Typed::new("--cooldown", args.cooldown.as_ref())
            .map(|typed| typed.time(Duration::ZERO))
            .transpose()?,
        bytes: Typed::new("--bytes", args.bytes.as_ref())
            .map(|typed| typed.size(1, notes))
            .transpose()?,
        operations: number("--ops", args.ops.as_ref())?,
        passes: number("--passes", args.passes.as_ref())?,
        steady: Typed::new("--until-steady", args.until_steady.as_ref())
            .map(Typed::parsed)
            .transpose()?,
    })
}

/// `--stop-if`, each time that it was given.
fn fuse(conditions: &[String]) -> Result<Vec<Condition>, String> {
    let typed = conditions.iter().map(|value| Typed {
        name: "--stop-if",
        value,
    });
    typed.map(Typed::parsed).collect()
}

/// `--seed`, and fio's name for it.
pub(super) fn seed(args: &CommonArgs, fio: Option<&String>) -> Result<Option<u64>, String> {
    let typed = Typed::either(("--seed", args.seed.as_ref()), ("--randseed", fio))?;
    typed
        .map(|(typed, _)| typed.number(0, u64::MAX))
        .transpose()
}

/// `--keep`.
pub(super) fn keep(args: &CommonArgs) -> Result<Option<bool>, String> {
    Typed::new("--keep", args.keep.as_ref())
        .map(|typed| typed.one_of(&[("yes", true), ("no", false)]))
        .transpose()
}

/// One line for what fio's lines have and ours need not.
fn without_effect(args: &LoadArgs) -> Result<Option<String>, String> {
    let fio = &args.fio;
    for (name, value) in [
        ("--group_reporting", &fio.group_reporting),
        ("--time_based", &fio.time_based),
    ] {
        if let Some(typed) = Typed::new(name, value.as_ref()) {
            typed.one_of(&[("0", ()), ("1", ())])?;
        }
    }
    let names = [
        ("--name", fio.name.is_some()),
        ("--group_reporting", fio.group_reporting.is_some()),
        ("--time_based", fio.time_based.is_some()),
    ];
    let given: Vec<&str> = names
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect();
    let told = || format!("without effect here: {}", given.join(", "));
    Ok((!given.is_empty()).then(told))
}
