//! How long a preparation is going to take, told once when it is long.

use std::{fmt, time::Duration};

use crate::results::steady_clock;

/// A preparation of less is not worth a line.
const LONG: Duration = Duration::from_secs(5);
/// The first part must have taken so long, for its speed to say anything.
const PART: Duration = Duration::from_millis(500);

/// Measures the first part of the file under way.
pub(super) struct Estimate {
    now: fn() -> Duration,
    /// When it began; `None` once it has been told of.
    began: Option<Duration>,
}

impl fmt::Debug for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Estimate({:?})", self.began)
    }
}

impl Default for Estimate {
    fn default() -> Self {
        Self::by(steady_clock)
    }
}

impl Estimate {
    /// By this clock.
    pub(super) fn by(now: fn() -> Duration) -> Self {
        Self { now, began: None }
    }

    /// A file begins.
    pub(super) fn begin(&mut self) {
        self.began = Some((self.now)());
    }

    /// What the whole will take, once, when that is known and long.
    pub(super) fn whole(&mut self, done: u64, size: u64) -> Option<Duration> {
        let passed = (self.now)().saturating_sub(self.began?);
        if done == 0 || passed < PART {
            return None;
        }
        self.began = None;
        let ns = passed.as_nanos().saturating_mul(size.into()) / u128::from(done);
        let whole = Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX));
        (whole > LONG).then_some(whole)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Milliseconds of this test's clock.
        static NOW: Cell<u64> = const { Cell::new(0) };
    }

    fn now() -> Duration {
        Duration::from_millis(NOW.get())
    }

    /// What is told at these moments (milliseconds after the beginning) of so many bytes of 1,000.
    fn told(moments: &[(u64, u64)]) -> Vec<Option<Duration>> {
        let mut estimate = Estimate::by(now);
        NOW.set(7_000);
        estimate.begin();
        let tell = |(ms, done): &(u64, u64)| {
            NOW.set(7_000 + ms);
            estimate.whole(*done, 1_000)
        };
        moments.iter().map(tell).collect()
    }

    #[test]
    fn the_speed_of_the_first_part_holds_for_all() {
        let seconds = Duration::from_secs;
        // A tenth took a second: ten in all. It is said once.
        let ten = told(&[(400, 50), (1000, 100), (2000, 101)]);
        assert_eq!(ten, [None, Some(seconds(10)), None]);
        // A fifth in a second are five, which is not over five.
        assert_eq!(told(&[(1000, 200), (2000, 201)]), [None, None]);
        assert_eq!(
            told(&[(1000, 199)]),
            [Some(Duration::from_nanos(5_025_125_628))]
        );
        // Nothing written is no speed yet.
        assert_eq!(told(&[(9000, 0), (10_000, 500)]), [None, Some(seconds(20))]);
        // Sizes and times beyond all bounds.
        let mut estimate = Estimate::by(now);
        estimate.begin();
        NOW.set(u64::MAX);
        assert!(estimate.whole(1, u64::MAX).is_some());
    }
}
