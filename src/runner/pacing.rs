//! When the next I/O of a stream may start. Pure arithmetic: the time comes in as an argument.

use ioengine::Nanos;

use super::schedule::{Origin, Schedule};
use crate::plan::{Pacing, PauseFrom};

/// After a stall a limited stream catches up, but never more than this.
const CATCH_UP_NS: u64 = 1_000_000_000;

/// One stream's meter.
#[derive(Debug, Clone)]
pub(super) enum Pacer {
    /// Always free.
    Unlimited,
    /// A limit on bytes or operations; an I/O is due when the time that all units up to and
    /// including it take has passed.
    Cap {
        /// Units a second, of all streams that share it.
        per_second: u64,
        /// How many these are.
        shared_by: u32,
        /// A unit is a byte, else an I/O.
        bytes: bool,
        /// Where the meter started.
        start: Nanos,
        /// Units issued since then.
        issued: u64,
    },
    /// Bursts with pauses.
    Burst {
        /// I/Os of a burst.
        operations: u64,
        /// The pause.
        pause_ns: u64,
        /// Where it begins.
        from: PauseFrom,
        /// I/Os since the last pause.
        issued: u64,
        /// Of these, those that have not completed.
        in_flight: u64,
        /// When the next burst may start; never, while the pause has not begun.
        free_at: Nanos,
    },
    /// I/Os are due at times of their own.
    Scheduled(Schedule),
}

impl Pacer {
    /// The meter of one stream; it starts at 0.
    pub(super) fn new(pacing: &Pacing, origin: &Origin) -> Self {
        if let Some(schedule) = Schedule::of(pacing, origin) {
            return Self::Scheduled(schedule);
        }
        let start = Nanos(0);
        let cap = |per_second: u64, shared_by: u32, bytes| Self::Cap {
            per_second: per_second.max(1),
            shared_by: shared_by.max(1),
            bytes,
            start,
            issued: 0,
        };
        match *pacing {
            Pacing::CapBytes {
                per_second,
                shared_by,
            } => cap(per_second, shared_by, true),
            Pacing::CapOperations {
                per_second,
                shared_by,
            } => cap(per_second, shared_by, false),
            Pacing::Burst {
                operations,
                pause,
                from,
            } => Self::Burst {
                operations: operations.max(1),
                pause_ns: start.after(pause).0,
                from,
                issued: 0,
                in_flight: 0,
                free_at: start,
            },
            Pacing::Unlimited
            | Pacing::Arrivals { .. }
            | Pacing::Waves { .. }
            | Pacing::Gathered { .. } => Self::Unlimited,
        }
    }

    /// The load begins at `at`: so does the meter.
    pub(super) fn begin(&mut self, at: Nanos) {
        match self {
            Self::Unlimited => {}
            Self::Cap { start, .. } => *start = at,
            Self::Burst { free_at, .. } => *free_at = at,
            Self::Scheduled(schedule) => schedule.begin(at),
        }
    }

    /// True if an I/O is never held back.
    pub(super) fn is_unlimited(&self) -> bool {
        matches!(self, Self::Unlimited)
    }

    /// When an I/O of `bytes` may start; a time in the past means now.
    pub(super) fn due(&self, bytes: u32) -> Nanos {
        match *self {
            Self::Unlimited => Nanos(0),
            Self::Cap {
                per_second,
                shared_by,
                bytes: in_bytes,
                start,
                issued,
            } => {
                let units = issued + if in_bytes { u64::from(bytes) } else { 1 };
                let ns = nanoseconds(units, shared_by, per_second);
                Nanos(
                    start
                        .0
                        .saturating_add(u64::try_from(ns).unwrap_or(u64::MAX)),
                )
            }
            Self::Burst { free_at, .. } => free_at,
            Self::Scheduled(ref schedule) => schedule.due(),
        }
    }

    /// An I/O of `bytes` starts at `now`.
    pub(super) fn issue(&mut self, bytes: u32, now: Nanos) {
        let due = self.due(bytes);
        match self {
            Self::Unlimited => {}
            Self::Cap {
                per_second,
                shared_by,
                bytes: in_bytes,
                start,
                issued,
            } => {
                let units = if *in_bytes { u64::from(bytes) } else { 1 };
                if now.since(due) > CATCH_UP_NS {
                    // Too far behind: the meter starts again, with the bound as its arrears.
                    let period = nanoseconds(units, *shared_by, *per_second);
                    let back = CATCH_UP_NS.saturating_add(period as u64);
                    *start = Nanos(now.0.saturating_sub(back));
                    *issued = 0;
                }
                *issued += units;
            }
            Self::Burst {
                operations,
                pause_ns,
                from,
                issued,
                in_flight,
                free_at,
            } => {
                *issued += 1;
                *in_flight += 1;
                if *issued >= *operations {
                    *issued = 0;
                    *free_at = match from {
                        PauseFrom::Issue => Nanos(now.0.saturating_add(*pause_ns)),
                        PauseFrom::Completion => Nanos::NEVER,
                    };
                }
            }
            Self::Scheduled(schedule) => schedule.take(),
        }
    }

    /// An I/O has completed, or failed, at `at`.
    pub(super) fn complete(&mut self, at: Nanos) {
        if let Self::Burst {
            pause_ns,
            in_flight,
            free_at,
            ..
        } = self
        {
            *in_flight = in_flight.saturating_sub(1);
            if *in_flight == 0 && *free_at == Nanos::NEVER {
                *free_at = Nanos(at.0.saturating_add(*pause_ns));
            }
        }
    }
}

/// The time that so many units of one of the streams take.
fn nanoseconds(units: u64, shared_by: u32, per_second: u64) -> u128 {
    u128::from(units) * u128::from(shared_by) * 1_000_000_000 / u128::from(per_second)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ioengine::Nanos;

    use super::{Origin, Pacer};
    use crate::plan::{Generator, Pacing, PauseFrom};

    const MS: u64 = 1_000_000;

    fn pacer(pacing: &Pacing, start: Nanos) -> Pacer {
        let origin = Origin {
            generator: Generator::DiskSpd { seed: 0 },
            worker: 0,
            relative: 0,
            workers: 1,
            stream: 0,
        };
        let mut pacer = Pacer::new(pacing, &origin);
        pacer.begin(start);
        pacer
    }

    #[test]
    fn a_limit_in_operations_spaces_them_evenly() {
        let mut pacer = self::pacer(
            &Pacing::CapOperations {
                per_second: 1000,
                shared_by: 1,
            },
            Nanos(5 * MS),
        );
        for k in 1..=5 {
            assert_eq!(pacer.due(8192), Nanos((5 + k) * MS));
            pacer.issue(8192, pacer.due(8192));
        }
    }

    #[test]
    fn a_limit_in_bytes_counts_what_each_io_carries() {
        // 8192 bytes/ms: 8 KiB a millisecond.
        let mut pacer = self::pacer(
            &Pacing::CapBytes {
                per_second: 8_192_000,
                shared_by: 1,
            },
            Nanos(0),
        );
        assert_eq!(pacer.due(8192), Nanos(MS));
        pacer.issue(8192, Nanos(MS));
        assert_eq!(pacer.due(16384), Nanos(3 * MS));
    }

    #[test]
    fn a_shared_limit_loses_nothing_to_rounding() {
        // 10 a second over three: one each 300 ms, so that 10 of each pass in three seconds.
        let limit = Pacing::CapOperations {
            per_second: 10,
            shared_by: 3,
        };
        let mut pacer = self::pacer(&limit, Nanos(0));
        for k in 1..=10 {
            assert_eq!(pacer.due(1), Nanos(300 * k * MS));
            pacer.issue(1, pacer.due(1));
        }
    }

    #[test]
    fn a_limit_never_rounds_to_none() {
        let pacer = self::pacer(
            &Pacing::CapOperations {
                per_second: 1,
                shared_by: 1,
            },
            Nanos(0),
        );
        assert_eq!(pacer.due(u32::MAX), Nanos(1000 * MS));
    }

    #[test]
    fn catching_up_after_a_stall_is_bounded_to_a_second() {
        let mut pacer = self::pacer(
            &Pacing::CapOperations {
                per_second: 100,
                shared_by: 1,
            },
            Nanos(0),
        );
        let now = Nanos(60_000 * MS);
        let mut at_once = 0;
        while pacer.due(1) <= now {
            pacer.issue(1, now);
            at_once += 1;
        }
        // A second's worth and the one that was due.
        assert_eq!(at_once, 101);
    }

    #[test]
    fn bursts_pause_after_their_last_io() {
        let pause = Duration::from_millis(100);
        let mut pacer = self::pacer(
            &Pacing::Burst {
                operations: 3,
                pause,
                from: PauseFrom::Issue,
            },
            Nanos(0),
        );
        for _ in 0..3 {
            assert!(pacer.due(1) <= Nanos(7 * MS));
            pacer.issue(1, Nanos(7 * MS));
        }
        assert_eq!(pacer.due(1), Nanos(107 * MS));
    }

    #[test]
    fn a_pause_from_completion_waits_for_all_ios_of_the_burst() {
        let mut pacer = self::pacer(
            &Pacing::Burst {
                operations: 2,
                pause: Duration::from_millis(100),
                from: PauseFrom::Completion,
            },
            Nanos(0),
        );
        pacer.issue(1, Nanos(MS));
        // The first is done before the second is issued: the burst is not over.
        pacer.complete(Nanos(2 * MS));
        assert!(pacer.due(1) <= Nanos(2 * MS));
        pacer.issue(1, Nanos(2 * MS));
        assert_eq!(pacer.due(1), Nanos::NEVER);
        pacer.complete(Nanos(9 * MS));
        assert_eq!(pacer.due(1), Nanos(109 * MS));
    }
}
