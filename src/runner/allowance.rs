//! What the limits of a load still allow: claims that all workers make on the same numbers, so
//! that exactly as much is issued as was asked for.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use crate::plan::{Stop, TimeSpan, WorkerGroup};

/// Limits other than a time.
#[derive(Debug)]
pub(super) struct Allowance {
    /// Operations that may still be issued.
    operations: Option<AtomicU64>,
    /// Bytes that may still be.
    bytes: Option<AtomicU64>,
    /// How often streams go over their ranges.
    passes: Option<u64>,
    /// Streams that still do.
    walking: AtomicU64,
    /// A limit is reached.
    over: AtomicBool,
}

impl Allowance {
    /// The allowance of each worker of the span; none without limits. All workers share one; on
    /// simulated devices, whose clocks are not in step, each has a part of its own.
    pub(super) fn of(span: &TimeSpan, simulated: bool) -> Vec<Option<Arc<Self>>> {
        let Stop {
            bytes,
            operations,
            passes,
            ..
        } = span.stop;
        let workers = span.worker_count() as usize;
        if bytes.is_none() && operations.is_none() && passes.is_none() {
            return vec![None; workers];
        }
        let new = |operations: Option<u64>, bytes: Option<u64>, walking: u64| {
            Some(Arc::new(Self {
                operations: operations.map(AtomicU64::new),
                bytes: bytes.map(AtomicU64::new),
                passes,
                walking: AtomicU64::new(walking),
                over: AtomicBool::new(operations == Some(0) || bytes == Some(0)),
            }))
        };
        let walking =
            |group: &WorkerGroup| group.streams.iter().filter(|s| s.makes_passes()).count();
        if !simulated {
            let walking = span.workers().map(|(group, _)| walking(group) as u64);
            return vec![new(operations, bytes, walking.sum()); workers];
        }
        let (together, block) = largest_claim(span);
        let own = |(number, (group, _)): (usize, (&WorkerGroup, u32))| {
            let part = |all, piece| part(all, piece, workers as u64, number as u64);
            new(
                operations.map(|all| part(all, together)),
                bytes.map(|all| part(all, block)),
                walking(group) as u64,
            )
        };
        span.workers().enumerate().map(own).collect()
    }

    /// True once a limit is reached: nothing more is issued.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// How often a stream may go over its range.
    pub(super) fn passes(&self) -> Option<u64> {
        self.passes
    }

    /// A stream went over its range as often as it may; the last one to do so ends the load.
    pub(super) fn walked(&self) {
        if self.walking.fetch_sub(1, Relaxed) <= 1 {
            self.end();
        }
    }

    /// Asks for so many operations of `bytes` together: one, or a read with the writes that copy
    /// it. False if it would be more than is allowed, which ends the load: an I/O that does not fit
    /// into the bytes left is not made smaller.
    pub(super) fn claim(&self, operations: u64, bytes: u64) -> bool {
        let granted = self.take(self.operations.as_ref(), operations)
            && self.take(self.bytes.as_ref(), bytes);
        if !granted {
            self.end();
        }
        granted
    }

    /// Takes `count` of what is left, if there are as many.
    fn take(&self, left: Option<&AtomicU64>, count: u64) -> bool {
        let Some(left) = left else {
            return true;
        };
        let taken = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(count));
        if taken == Ok(count) {
            self.end();
        }
        taken.is_ok()
    }

    fn end(&self) {
        self.over.store(true, Relaxed);
    }
}

/// Operations and bytes of the largest claim: a read is claimed together with the writes that copy
/// it.
fn largest_claim(span: &TimeSpan) -> (u64, u64) {
    let mut largest = (1, 1);
    for group in &span.groups {
        for (index, stream) in group.streams.iter().enumerate() {
            let copiers = group.streams.iter().filter(|s| s.copies == Some(index));
            let together = copiers.chain([stream]);
            let claim = together.fold((0, 0), |(count, bytes), stream| {
                (count + 1, bytes + u64::from(stream.sizes.largest()))
            });
            largest = (claim.0.max(largest.0), claim.1.max(largest.1));
        }
    }
    largest
}

/// Part `number` of `all`, divided as equally as whole pieces allow; what is less than a piece goes
/// to the first.
fn part(all: u64, piece: u64, parts: u64, number: u64) -> u64 {
    let pieces = all / piece;
    let own = pieces / parts + u64::from(number < pieces % parts);
    own * piece + if number == 0 { all % piece } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{AccessPattern, Affinity, BlockSizes, Dispatch, Distribution, fixtures};

    /// A span of two workers, each with a stream that walks and one that is drawn.
    fn span(stop: Stop) -> TimeSpan {
        let random = AccessPattern::Random {
            alignment: 4096,
            distribution: Distribution::Uniform,
        };
        let streams = [AccessPattern::Append, random]
            .map(|pattern| fixtures::stream(0, pattern, BlockSizes::One(4096)));
        let group = WorkerGroup {
            name: String::new(),
            workers: 2,
            affinity: Affinity::None,
            streams: streams.into(),
            dispatch: Dispatch::PerStream,
        };
        TimeSpan {
            stop,
            ..fixtures::span(vec![fixtures::target("d", "d")], vec![group])
        }
    }

    fn allowances(stop: &Stop, simulated: bool) -> Vec<Arc<Allowance>> {
        let all = Allowance::of(&span(stop.clone()), simulated);
        assert_eq!(all.len(), 2);
        all.into_iter().flatten().collect()
    }

    fn claims(allowance: &Allowance, length: u64) -> u64 {
        let claims = (0..1000).take_while(|_| allowance.claim(1, length));
        claims.count() as u64
    }

    #[test]
    fn without_limits_there_is_nothing_to_ask() {
        assert!(allowances(&Stop::default(), false).is_empty());
    }

    #[test]
    fn all_workers_together_get_what_was_asked_for() {
        let stop = Stop {
            operations: Some(7),
            ..Stop::default()
        };
        let shared = allowances(&stop, false);
        assert!(shared[0].claim(1, 1) && shared[1].claim(1, 1) && !shared[0].is_over());
        assert_eq!(claims(&shared[1], 1), 5);
        assert!(shared[0].is_over() && !shared[0].claim(1, 1));
        let own = allowances(&stop, true);
        assert_eq!([claims(&own[0], 1), claims(&own[1], 1)], [4, 3]);
    }

    #[test]
    fn bytes_are_never_more_and_the_last_io_may_be_refused() {
        let stop = Stop {
            bytes: Some(10_000),
            ..Stop::default()
        };
        let shared = allowances(&stop, false);
        assert_eq!(claims(&shared[0], 4096), 2);
        assert!(shared[1].is_over());
        // Two blocks and 1,808 bytes: a block each, and the rest to the first.
        let own = allowances(&stop, true);
        assert_eq!([claims(&own[0], 1808), claims(&own[1], 4096)], [3, 1]);
    }

    #[test]
    fn the_last_claim_ends_the_load_at_once() {
        let stop = Stop {
            bytes: Some(8192),
            ..Stop::default()
        };
        let shared = allowances(&stop, false);
        assert!(shared[0].claim(1, 4096) && !shared[0].is_over());
        assert!(shared[0].claim(1, 4096) && shared[0].is_over());
    }

    #[test]
    fn passes_end_with_the_last_stream_that_walks() {
        let stop = Stop {
            passes: Some(3),
            ..Stop::default()
        };
        let shared = allowances(&stop, false);
        assert_eq!(shared[0].passes(), Some(3));
        shared[0].walked();
        assert!(shared[0].claim(1, 4096) && !shared[0].is_over());
        shared[1].walked();
        assert!(shared[0].is_over());
        // On clocks of their own each worker ends with its own stream.
        let own = allowances(&stop, true);
        own[0].walked();
        assert!(own[0].is_over() && !own[1].is_over());
    }

    #[test]
    fn a_worker_without_a_part_is_over_from_the_start() {
        let stop = Stop {
            operations: Some(1),
            ..Stop::default()
        };
        let own = allowances(&stop, true);
        assert!(!own[0].is_over() && own[1].is_over());
    }
}
