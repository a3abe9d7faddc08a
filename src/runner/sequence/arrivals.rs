//! When events become due, where they come at a rate of their own: exponential distances, one
//! schedule for all workers, in the order of time.

use ioengine::Nanos;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Events that may wait for a worker; more mean that the rate cannot be kept.
pub(super) const WAITING_MAX: u64 = 131_072;

/// The schedule.
#[derive(Debug)]
pub(super) struct Arrivals {
    per_second: f64,
    random: Xoshiro256PlusPlus,
    /// When the next event is due, in nanoseconds since the start, with its fraction.
    next_ns: f64,
    start: Nanos,
}

/// More events wait than may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMany;

impl Arrivals {
    /// A schedule of `per_second` events a second in the mean.
    pub(super) fn new(per_second: u64, seed: u64) -> Self {
        let mut arrivals = Self {
            per_second: per_second as f64,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            next_ns: 0.0,
            start: Nanos(0),
        };
        arrivals.next_ns = arrivals.distance_ns();
        arrivals
    }

    /// The schedule begins now.
    pub(super) fn begin(&mut self, start: Nanos) {
        self.start = start;
    }

    /// When the next event is due; the caller carries it out.
    ///
    /// # Errors
    /// At `now` more events than may wait are due and were taken by nobody.
    pub(super) fn take(&mut self, now: Nanos) -> Result<Nanos, TooMany> {
        let due = Nanos(self.start.0.saturating_add(self.next_ns as u64));
        let late_seconds = now.since(due) as f64 / 1e9;
        if late_seconds * self.per_second > WAITING_MAX as f64 {
            return Err(TooMany);
        }
        self.next_ns += self.distance_ns();
        Ok(due)
    }

    fn distance_ns(&mut self) -> f64 {
        // From 0, excluded, to 1: 53 bits.
        let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        -uniform.ln() / self.per_second * 1e9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_rate_is_the_one_asked_for_and_distances_are_exponential() {
        let mut arrivals = Arrivals::new(1000, 7);
        arrivals.begin(Nanos(5));
        let count = 100_000;
        let dues: Vec<u64> = (0..count)
            .map(|_| arrivals.take(Nanos(0)).unwrap().0)
            .collect();
        let seconds = (dues[count - 1] - 5) as f64 / 1e9;
        // 100,000 distances of 1 ms: the sum's deviation is 0.316 s; four of them are 1.3 s.
        assert!((seconds - 100.0).abs() < 1.3, "{seconds}");
        // Of an exponential distribution 1/e are longer than the mean.
        let longer = dues
            .windows(2)
            .filter(|pair| pair[1] - pair[0] > 1_000_000)
            .count();
        let share = longer as f64 / count as f64;
        assert!((share - 1.0 / std::f64::consts::E).abs() < 0.01, "{share}");
    }

    #[test]
    fn a_queue_that_grows_without_end_is_told() {
        let mut arrivals = Arrivals::new(1_000_000, 7);
        arrivals.begin(Nanos(0));
        assert!(arrivals.take(Nanos(100_000_000)).is_ok());
        // At a million a second 131,072 events are due after 0.131 s.
        assert_eq!(arrivals.take(Nanos(140_000_000)), Err(TooMany));
    }
}
