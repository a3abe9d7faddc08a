//! `--ops` and `--bytes`: a profile's load ends after so much, instead of after its time.

use std::time::Duration;

use super::{super::asked, Settled};
use crate::{
    plan::{Counting, Stop, TimeSpan},
    profiles::Profile,
};

/// The same limits for each time span.
pub(super) fn limited(mut spans: Vec<TimeSpan>, settled: &Settled) -> Vec<TimeSpan> {
    let limits = settled.asked.limits;
    for span in &mut spans {
        watched(span, settled);
    }
    if limits.operations.is_none() && limits.bytes.is_none() {
        return spans;
    }
    for span in &mut spans {
        span.warmup = limits.warmup.unwrap_or(Duration::ZERO);
        span.stop = Stop {
            after: limits.duration,
            bytes: limits.bytes,
            operations: limits.operations,
            passes: None,
            ..std::mem::take(&mut span.stop)
        };
        span.counting = Counting::DrainAndCount;
    }
    spans
}

/// What looks at figures while the load goes on.
fn watched(span: &mut TimeSpan, settled: &Settled) {
    let limits = settled.asked.limits;
    span.stop.fuse.clone_from(&settled.asked.fuse);
    if let Some(steady) = limits.steady {
        span.stop.steady = Some(steady);
        span.interval = asked::interval(&settled.asked);
        let longest = asked::longest(limits.steady);
        span.stop.after = Some(limits.duration.unwrap_or(longest));
    }
}

/// Profiles that end by themselves, or whose end is what is searched, have no other end.
pub(super) fn check(profile: &Profile, settled: &Settled) -> Result<(), String> {
    let name = &profile.name;
    let limits = settled.asked.limits;
    let by_itself = profile.ends_by_itself();
    let searched = profile.needs_rate() && settled.asked.pace.is_none();
    for (option, given) in [
        ("--duration", limits.duration.is_some() && by_itself),
        ("--until-steady", limits.steady.is_some() && by_itself),
        ("--ops", limits.operations.is_some() && by_itself),
        ("--bytes", limits.bytes.is_some() && by_itself),
    ] {
        if given {
            return Err(format!(
                "{option} changes nothing of {name}: it ends after its own number of bytes"
            ));
        }
    }
    for (option, given) in [
        ("--repeat", settled.asked.repeat.is_some()),
        ("--until-steady", limits.steady.is_some()),
        ("--stop-if", !settled.asked.fuse.is_empty()),
        ("--ops", limits.operations.is_some()),
        ("--bytes", limits.bytes.is_some()),
    ] {
        if given && searched {
            return Err(format!(
                "{option} of {name} needs a rate, as in --rate 1000: without one the highest rate \
                 is searched"
            ));
        }
    }
    Ok(())
}
