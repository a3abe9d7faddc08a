//! When the I/Os of an open loop are due: times counted from the start of the load, so that no
//! delay of ours or of the device moves a later one. Pure arithmetic.

use ioengine::Nanos;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::plan::{Generator, Pacing};

/// Due times that are counted one by one at the end of a load; beyond them the rate says how many.
const COUNTED_MOST: u64 = 5_000_000;

/// Which stream of which worker a schedule is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// Where the plan's chance comes from.
    pub(super) generator: Generator,
    /// Number of the worker in the time span.
    pub(super) worker: u32,
    /// Number of the worker in its group.
    pub(super) relative: u32,
    /// Workers of the group.
    pub(super) workers: u32,
    /// Number of the stream in its group.
    pub(super) stream: u32,
}

/// One stream's due times, as nanoseconds after the start of the load.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    start: Nanos,
    /// I/Os taken so far.
    taken: u64,
    times: Times,
}

#[derive(Debug, Clone)]
enum Times {
    /// At equal distances, the first one after a part of it.
    Even { period_ns: f64, phase: f64 },
    /// At exponential distances.
    Poisson {
        mean_ns: f64,
        /// When the next is due.
        next_ns: f64,
        chance: Xoshiro256PlusPlus,
    },
    /// Many at once, again and again.
    Waves {
        first_ns: u64,
        every_ns: u64,
        operations: u64,
    },
}

impl Schedule {
    /// The due times of an open loop; `None` where slots that come free decide.
    pub(super) fn of(pacing: &Pacing, origin: &Origin) -> Option<Self> {
        let times = match *pacing {
            Pacing::Arrivals {
                per_second,
                poisson,
            }
            | Pacing::Gathered {
                per_second,
                poisson,
                ..
            } => Times::arrivals(per_second, poisson, origin),
            Pacing::Waves {
                first,
                every,
                operations,
                ..
            } => Times::Waves {
                first_ns: Nanos(0).after(first).0,
                every_ns: Nanos(0).after(every).0.max(1),
                operations: operations.max(1),
            },
            Pacing::Unlimited
            | Pacing::CapBytes { .. }
            | Pacing::CapOperations { .. }
            | Pacing::Burst { .. } => return None,
        };
        Some(Self {
            start: Nanos(0),
            taken: 0,
            times,
        })
    }

    /// The load begins at `at`.
    pub(super) fn begin(&mut self, at: Nanos) {
        self.start = at;
    }

    /// When the next I/O is due.
    #[inline]
    pub(super) fn due(&self) -> Nanos {
        let after = match &self.times {
            Times::Even { period_ns, phase } => ((self.taken as f64 + phase) * period_ns) as u64,
            Times::Poisson { next_ns, .. } => *next_ns as u64,
            Times::Waves {
                first_ns,
                every_ns,
                operations,
            } => first_ns.saturating_add((self.taken / operations).saturating_mul(*every_ns)),
        };
        Nanos(self.start.0.saturating_add(after))
    }

    /// Takes the next I/O.
    #[inline]
    pub(super) fn take(&mut self) {
        self.taken += 1;
        if let Times::Poisson {
            mean_ns,
            next_ns,
            chance,
        } = &mut self.times
        {
            *next_ns += exponential(chance, *mean_ns);
        }
    }

    /// How many of those not taken yet are due from `from` to before `to`.
    pub(super) fn left(mut self, from: Nanos, to: Nanos) -> u64 {
        if let Times::Poisson { .. } = self.times {
            return self.left_one_by_one(from, to);
        }
        let first = self.due_before(from).max(self.taken);
        self.due_before(to).saturating_sub(first)
    }

    fn left_one_by_one(&mut self, from: Nanos, to: Nanos) -> u64 {
        let (mut seen, mut left) = (0, 0);
        while self.due() < to && seen < COUNTED_MOST {
            left += u64::from(self.due() >= from);
            seen += 1;
            self.take();
        }
        if let Times::Poisson { mean_ns, .. } = self.times {
            let rest = to.since(self.due().max(from)) as f64;
            left += (rest / mean_ns) as u64;
        }
        left
    }

    /// How many of all are due before `time`, where that is arithmetic.
    fn due_before(&self, time: Nanos) -> u64 {
        let after = time.since(self.start);
        match &self.times {
            Times::Even { period_ns, phase } => {
                let number = (after as f64 / period_ns - phase).ceil().max(0.0) as u64;
                // A rounding error may put it beside the border.
                let due = |number: u64| ((number as f64 + phase) * period_ns) as u64;
                let from = number.saturating_sub(1);
                (from..from.saturating_add(3))
                    .find(|number| due(*number) >= after)
                    .unwrap_or(number)
            }
            Times::Waves {
                first_ns,
                every_ns,
                operations,
            } => match after.checked_sub(*first_ns) {
                Some(behind) => behind.div_ceil(*every_ns).saturating_mul(*operations),
                None => 0,
            },
            Times::Poisson { .. } => 0,
        }
    }
}

impl Times {
    fn arrivals(per_second: f64, poisson: bool, origin: &Origin) -> Self {
        let period_ns = 1e9 / per_second;
        if poisson {
            let mut chance = origin.chance();
            return Self::Poisson {
                mean_ns: period_ns,
                next_ns: exponential(&mut chance, period_ns),
                chance,
            };
        }
        // The workers of a group take turns; else all would ask at once.
        Self::Even {
            period_ns,
            phase: f64::from(origin.relative) / f64::from(origin.workers.max(1)),
        }
    }
}

impl Origin {
    /// A generator of its own for each stream of each worker: the draws of offsets stay what they
    /// are without it.
    fn chance(&self) -> Xoshiro256PlusPlus {
        let seed = match self.generator {
            Generator::Xoshiro { seed } => seed,
            Generator::DiskSpd { seed } => u64::from(seed),
        };
        // Odd factors keep worker and stream apart; the seeding mixes all bits.
        let place = u64::from(self.worker) << 32 | u64::from(self.stream);
        let own = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Xoshiro256PlusPlus::seed_from_u64(seed ^ own)
    }
}

/// An exponential distance of this mean.
fn exponential(chance: &mut Xoshiro256PlusPlus, mean: f64) -> f64 {
    // 53 bits from (0, 1]: the logarithm of 0 is none.
    let uniform = ((chance.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    -uniform.ln() * mean
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn origin(relative: u32, workers: u32) -> Origin {
        Origin {
            generator: Generator::Xoshiro { seed: 7 },
            worker: relative,
            relative,
            workers,
            stream: 0,
        }
    }

    fn arrivals(per_second: f64, poisson: bool, origin: &Origin) -> Schedule {
        let pacing = Pacing::Arrivals {
            per_second,
            poisson,
        };
        Schedule::of(&pacing, origin).expect("a schedule")
    }

    /// The next `count` due times.
    fn take(schedule: &mut Schedule, count: usize) -> Vec<u64> {
        let one = |_| {
            let due = schedule.due().0;
            schedule.take();
            due
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn equal_distances_never_drift() {
        // 3 a second: the three millionth is due after a million seconds, to the nanosecond.
        let mut schedule = arrivals(3.0, false, &origin(0, 1));
        assert_eq!(take(&mut schedule, 3), [0, 333_333_333, 666_666_666]);
        schedule.taken = 3_000_000;
        assert_eq!(schedule.due().0, 1_000_000 * SECOND);
        schedule.begin(Nanos(5));
        assert_eq!(schedule.due().0, 1_000_000 * SECOND + 5);
    }

    #[test]
    fn workers_take_turns() {
        // 100 a second each: 10 ms apart, four workers 2.5 ms after each other.
        let first = |worker| take(&mut arrivals(100.0, false, &origin(worker, 4)), 2);
        assert_eq!(first(0), [0, 10_000_000]);
        assert_eq!(first(1), [2_500_000, 12_500_000]);
        assert_eq!(first(3), [7_500_000, 17_500_000]);
    }

    #[test]
    fn exponential_distances_have_the_mean_and_the_spread_of_their_rate() {
        // 100,000 distances of 1 ms: the mean is known to 0.3 %, the deviation is the mean.
        let mut schedule = arrivals(1000.0, true, &origin(0, 1));
        let times = take(&mut schedule, 100_001);
        let distances: Vec<f64> = times.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
        let count = distances.len() as f64;
        let mean = distances.iter().sum::<f64>() / count;
        let variance = distances.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / count;
        assert!((mean / 1e6 - 1.0).abs() < 0.015, "{mean}");
        assert!((variance.sqrt() / 1e6 - 1.0).abs() < 0.03, "{variance}");
        // One in e of them is longer than the mean.
        let longer = distances.iter().filter(|d| **d > 1e6).count() as f64 / count;
        assert!((longer - (-1.0_f64).exp()).abs() < 0.01, "{longer}");
    }

    #[test]
    fn a_seed_repeats_its_times_and_workers_have_their_own() {
        let of = |worker, stream| {
            let place = Origin {
                stream,
                ..origin(worker, 2)
            };
            take(&mut arrivals(1000.0, true, &place), 10)
        };
        assert_eq!(of(0, 0), of(0, 0));
        assert_ne!(of(0, 0), of(1, 0));
        assert_ne!(of(0, 0), of(0, 1));
    }

    #[test]
    fn waves_bring_their_ios_at_once() {
        let pacing = Pacing::Waves {
            first: Duration::from_millis(5),
            every: Duration::from_millis(20),
            operations: 3,
            backs_off_above: None,
        };
        let mut schedule = Schedule::of(&pacing, &origin(0, 1)).expect("a schedule");
        let ms: Vec<u64> = take(&mut schedule, 7)
            .iter()
            .map(|t| t / 1_000_000)
            .collect();
        assert_eq!(ms, [5, 5, 5, 25, 25, 25, 45]);
        // Due at 5, 25, 45 and 65 ms: of 12 before 66 ms seven are taken.
        let ms = |ms: u64| Nanos(ms * 1_000_000);
        assert_eq!(schedule.clone().left(ms(0), ms(66)), 5);
        assert_eq!(schedule.clone().left(ms(0), ms(65)), 2);
        assert_eq!(schedule.clone().left(ms(46), ms(66)), 3);
        assert_eq!(schedule.left(ms(0), ms(4)), 0);
    }

    #[test]
    fn what_was_not_taken_in_time_is_counted() {
        for phase in 0..3 {
            let mut schedule = arrivals(1000.0, false, &origin(phase, 3));
            schedule.begin(Nanos(SECOND));
            take(&mut schedule, 100);
            let at = |ms: u64| Nanos(SECOND + ms * 1_000_000);
            assert_eq!(schedule.clone().left(at(0), at(1000)), 900);
            assert_eq!(schedule.clone().left(at(500), at(1000)), 500);
            assert_eq!(schedule.clone().left(at(0), at(50)), 0);
            assert_eq!(schedule.left(at(0), at(100)), 0);
        }
        let mut schedule = arrivals(1000.0, true, &origin(0, 1));
        let mut all = schedule.clone();
        take(&mut schedule, 10);
        let times = take(&mut all, 2000);
        let due = |range: std::ops::Range<u64>| {
            let due = times.iter().skip(10).filter(|time| range.contains(time));
            due.count() as u64
        };
        assert_eq!(
            schedule.clone().left(Nanos(0), Nanos(SECOND)),
            due(0..SECOND)
        );
        assert_eq!(
            schedule.left(Nanos(SECOND / 2), Nanos(SECOND)),
            due(SECOND / 2..SECOND)
        );
    }

    #[test]
    fn an_absurd_rate_is_counted_in_a_moment() {
        // A billion a second for an hour.
        let schedule = arrivals(1e9, true, &origin(0, 1));
        let left = schedule.left(Nanos(0), Nanos(3600 * SECOND)) as f64;
        assert!((left / 3.6e12 - 1.0).abs() < 0.001, "{left}");
    }
}
