//! The load of a profile: its files find their places, options and the configuration change what
//! they may. One that has a meaning at a rate only is searched where no rate was given.

mod homes;
mod limits;
mod places;
mod search;
mod wishes;

use super::{Planned, asked::Settled, assemble, repetitions::repeated, words::Named};
use crate::{
    personality::{
        Environment,
        native::{commands::run::RunArgs, line::Pace},
    },
    plan::TimeSpan,
    profiles::{Profile, Question, Rate},
};
use homes::Homes;
use places::Places;
pub use search::Searching;
use wishes::Wishes;

/// Options of a load that a profile leaves open; it says all others itself.
const OPEN: &[&str] = &[
    "--size",
    "--duration",
    "--ops",
    "--bytes",
    "--warmup",
    "--until-steady",
    "--stop-if",
    "--interval",
    "--rate",
    "--qd",
    "--threads",
    "--cpus",
    "--repeat",
    "--pause",
    "--filename",
    "--directory",
    "--iodepth",
    "--numjobs",
    "--runtime",
    "--ramp_time",
    "--ioengine",
    "--randseed",
    "--continue_on_error",
    "--name",
    "--group_reporting",
    "--time_based",
];

/// The plan.
pub(super) fn plan(
    profile: &Profile,
    args: &RunArgs,
    settled: &Settled,
    targets: &[Named],
    around: &Environment,
    command_line: &str,
) -> Result<Planned, String> {
    check(profile, args, settled)?;
    let homes = Homes::of(profile, targets, around)?;
    let wishes = Wishes::new(settled, &homes, around)?;
    let rate = rate(profile, settled)?;
    let searched = rate.is_none() && profile.needs_rate();
    let wanted = if searched {
        search::first(&wishes)
    } else {
        wishes.wanted(rate)
    };
    let mut resolved = profile.resolve(&wanted)?;
    settled.config.judge(&mut resolved.marks);
    let places = Places::find(&resolved, &homes, settled, around)?;
    let mut notes = settled.notes(&places.made);
    notes.splice(0..0, resolved.notes.iter().cloned());
    let files = places.files.clone();
    let made = places.made.clone();
    let spans = limits::limited(repetitions(&places.put(&resolved), settled)?, settled);
    let search = searched.then(|| {
        let marks = resolved.marks.clone();
        Box::new(Searching::new(profile.clone(), wishes, places, marks))
    });
    Ok(Planned {
        plan: assemble(files, made, spans, settled, around, command_line)?,
        warnings: settled.until_steady(),
        notes,
        resolved: Some(Box::new(resolved)),
        db_size: settled.asked.workload.db_size,
        search,
    })
}

/// Options that this profile does not act on.
fn check(profile: &Profile, args: &RunArgs, settled: &Settled) -> Result<(), String> {
    let name = &profile.name;
    let typed = args.load.typed();
    if typed.contains(&"--verify") {
        return Err(format!(
            "--verify is for loads made of options, not for profiles such as {name}"
        ));
    }
    if let Some(option) = typed.iter().find(|option| !OPEN.contains(option)) {
        return Err(format!(
            "{option} changes nothing of {name}: the profile says that itself (iogauge profiles \
             {name} shows it)"
        ));
    }
    let sized = settled.asked.workload.db_size.is_some();
    if sized && profile.question != Question::Throughput {
        return Err(format!(
            "--db-size changes nothing of {name}: it is for workloads that go through a database \
             once, as sqlserver/backup and sqlserver/checkdb do"
        ));
    }
    limits::check(profile, settled)
}

/// `--rate`, which is a number of what the profile counts.
fn rate(profile: &Profile, settled: &Settled) -> Result<Option<Rate>, String> {
    match settled.asked.pace {
        None => Ok(None),
        Some(Pace::Arrivals {
            per_second,
            poisson,
        }) => Ok(Some(Rate {
            per_second: per_second as f64,
            poisson,
        })),
        Some(_) => Err(format!(
            "--rate of {} is a number of {} a second, without a unit",
            profile.name, profile.rate_unit
        )),
    }
}

fn repetitions(spans: &[TimeSpan], settled: &Settled) -> Result<Vec<TimeSpan>, String> {
    let mut all = Vec::new();
    for span in spans {
        all.extend(repeated(span, settled)?);
    }
    Ok(all)
}
