//! What a rate comes to for the workers of a group.

use std::time::Duration;

use super::sizes;
use crate::{
    plan::{BlockSizes, Pacing, WeightedSize},
    profiles::{
        Rate, Wanted,
        format::{Checkpoints, GroupSpec, RateSpec, Span},
    },
    units::words,
};

/// Bytes of a page.
const PAGE: f64 = 8192.0;
/// Arrivals of this time have a slot each: an I/O of an open loop waits for a slot only where
/// latency is beyond all marks already.
const SLOTS_FOR: Duration = Duration::from_millis(50);
/// Slots of an open loop at least.
const SLOTS_MIN: u32 = 32;
/// Slots of an open loop at most.
const SLOTS_MAX: u32 = 1024;

/// How fast the streams of a group are, and what that needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paced {
    /// Of each stream.
    pub(super) pacing: Pacing,
    /// I/Os in flight of each stream, where that is not the profile's.
    pub(super) queue_depth: Option<u32>,
    /// Sizes, where they are not the profile's.
    pub(super) sizes: Option<BlockSizes>,
    /// The rate of the group, in words.
    pub(super) words: Option<String>,
}

impl Paced {
    /// As fast as I/Os complete.
    const CLOSED: Self = Self {
        pacing: Pacing::Unlimited,
        queue_depth: None,
        sizes: None,
        words: None,
    };
}

/// The pace of one stream of a group, which has `part` (at most 1) of the group's rate.
pub(super) fn pace(
    group: &GroupSpec,
    wanted: &Wanted<'_>,
    writes: &[WeightedSize],
    part: f64,
) -> Paced {
    let (Some(rate), Some(spec)) = (wanted.rate, &group.rate) else {
        return Paced::CLOSED;
    };
    match spec {
        RateSpec::Arrivals { each } => arrivals(rate, rate.per_second * each, part),
        RateSpec::GroupCommit { record, largest } => Paced {
            pacing: Pacing::Gathered {
                per_second: rate.per_second * part,
                poisson: rate.poisson,
                record: record.0 as u32,
                unit: wanted.log_sector,
            },
            queue_depth: Some(1),
            sizes: Some(BlockSizes::One(largest.0 as u32)),
            words: Some(format!(
                "{} records of {} bytes a second, gathered while a write is under way",
                figure(rate.per_second),
                record.0
            )),
        },
        RateSpec::Checkpoint {
            pages,
            every,
            backs_off_above,
        } => {
            let total = rate.per_second * pages * PAGE / sizes::mean(writes).max(1.0);
            match sizes::variant(group, wanted.generation).map(|variant| variant.checkpoints) {
                Some(Checkpoints::Continuous) => arrivals(rate, total, part),
                _ => waves(wanted, total, part, every.0, *backs_off_above),
            }
        }
    }
}

fn arrivals(rate: Rate, total: f64, part: f64) -> Paced {
    let per_second = total * part;
    let slots = (per_second * SLOTS_FOR.as_secs_f64()).ceil() as u32;
    Paced {
        pacing: Pacing::Arrivals {
            per_second,
            poisson: rate.poisson,
        },
        queue_depth: Some(slots.clamp(SLOTS_MIN, SLOTS_MAX)),
        sizes: None,
        words: Some(format!("{} I/Os a second", figure(total))),
    }
}

/// Bursts from a third of the run on. Each writes what became dirty since the one before; the only
/// one of a short run what became dirty since the beginning.
fn waves(wanted: &Wanted<'_>, total: f64, part: f64, every: Duration, backs_off: Span) -> Paced {
    let first = wanted.warmup.saturating_add(wanted.duration / 3);
    let several = wanted.duration.saturating_sub(wanted.duration / 3) > every;
    let since = if several { every } else { first };
    let operations = (total * part * since.as_secs_f64()).round().max(1.0);
    Paced {
        pacing: Pacing::Waves {
            first,
            every,
            operations: operations as u64,
            backs_off_above: Some(backs_off.0),
        },
        queue_depth: None,
        sizes: None,
        words: Some(format!(
            "{} writes at once {} after the start of the load{}, half as many in flight while one \
             takes over {} ms",
            figure((total * since.as_secs_f64()).round()),
            seconds(first),
            if several {
                format!(" and every {} after", seconds(every))
            } else {
                String::new()
            },
            backs_off.0.as_millis()
        )),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", figure(time.as_secs_f64()))
}

/// Whole where it is large, else three digits.
pub(super) fn figure(number: f64) -> String {
    if number >= 100.0 || number.fract() == 0.0 {
        return words::grouped(number.round() as u64);
    }
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
