//! The time series of one kind of operation: counts and latency sums an interval.

use std::{ops::AddAssign, time::Duration};

use super::moments;

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interval {
    /// Operations that completed in it.
    pub count: u64,
    /// Bytes that they transferred.
    pub bytes: u64,
    /// Sum of their latencies.
    pub sum_ns: u64,
    /// Smallest latency; 0 without operations.
    pub min_ns: u64,
    /// Largest latency; 0 without operations.
    pub max_ns: u64,
    /// Sum of squared latencies.
    pub sum_squares: u128,
}

impl Interval {
    #[inline]
    fn record(&mut self, ns: u64, bytes: u64) {
        self.min_ns = if self.count == 0 {
            ns
        } else {
            self.min_ns.min(ns)
        };
        self.max_ns = self.max_ns.max(ns);
        self.count += 1;
        self.bytes += bytes;
        self.sum_ns = self.sum_ns.saturating_add(ns);
        self.sum_squares = self.sum_squares.saturating_add(moments::square(ns));
    }

    /// Mean latency, 0 without operations.
    pub fn mean_ns(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.sum_ns as f64 / self.count as f64
        }
    }

    /// Population standard deviation of the latency, 0 without operations.
    pub fn stddev_ns(&self) -> f64 {
        moments::stddev(self.count, u128::from(self.sum_ns), self.sum_squares)
    }
}

impl AddAssign<&Interval> for Interval {
    fn add_assign(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min_ns = if self.count == 0 {
            other.min_ns
        } else {
            self.min_ns.min(other.min_ns)
        };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.bytes += other.bytes;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_squares = self.sum_squares.saturating_add(other.sum_squares);
    }
}

/// Equal intervals from the start of the measured time. Completions beyond the last one are in
/// no interval (they are in the totals).
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalSeries {
    length_ns: u64,
    /// How many intervals are kept; room for all is set aside from the start.
    kept: usize,
    /// Up to and including the last with an operation.
    used: Vec<Interval>,
    /// Start of the last of them.
    last_from_ns: u64,
}

impl IntervalSeries {
    /// Room for the whole measured time, touched only as time goes by. Limits of 2^22 intervals
    /// hold even for hour-long runs at a millisecond; what is beyond is not kept.
    pub fn new(length: Duration, measured: Duration) -> Self {
        let length_ns = (length.as_nanos() as u64).max(1);
        let kept = Self::count(length, measured);
        Self {
            length_ns,
            kept,
            used: Vec::with_capacity(kept),
            last_from_ns: 0,
        }
    }

    /// Address space of such a series.
    pub fn bytes(length: Duration, measured: Duration) -> u64 {
        Self::count(length, measured) as u64 * size_of::<Interval>() as u64
    }

    fn count(length: Duration, measured: Duration) -> usize {
        let length_ns = length.as_nanos().max(1);
        measured.as_nanos().div_ceil(length_ns).min(1 << 22) as usize
    }

    /// A series that keeps nothing.
    pub fn none() -> Self {
        Self {
            length_ns: 1,
            kept: 0,
            used: Vec::new(),
            last_from_ns: 0,
        }
    }

    /// Adds an operation that completed `at_ns` after the start of the measured time.
    #[inline]
    pub fn record(&mut self, at_ns: u64, latency_ns: u64, bytes: u64) {
        // Nearly all fall into the newest interval, found without a division.
        if at_ns.wrapping_sub(self.last_from_ns) < self.length_ns
            && let Some(newest) = self.used.last_mut()
        {
            return newest.record(latency_ns, bytes);
        }
        self.record_elsewhere(at_ns, latency_ns, bytes);
    }

    #[cold]
    fn record_elsewhere(&mut self, at_ns: u64, latency_ns: u64, bytes: u64) {
        let index = (at_ns / self.length_ns) as usize;
        if index >= self.kept {
            return;
        }
        if index >= self.used.len() {
            // Inside the capacity: no allocation.
            self.used.resize(index + 1, Interval::default());
            self.last_from_ns = index as u64 * self.length_ns;
        }
        self.used[index].record(latency_ns, bytes);
    }

    /// The measured time turned out to be only so long: there are no intervals behind it.
    pub fn cut(&mut self, measured: Duration) {
        let kept = Self::count(self.length(), measured);
        // What ends the measured time may be in an interval that begins there.
        self.kept = self.kept.min(kept.max(self.used.len()));
    }

    /// Length of an interval.
    pub fn length(&self) -> Duration {
        Duration::from_nanos(self.length_ns)
    }

    /// How many intervals the measured time has, silent ones at the end included.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Intervals up to and including the last one with an operation: trailing silence is not
    /// counted.
    pub fn used(&self) -> &[Interval] {
        &self.used
    }

    /// Population standard deviation of operations a second over the used intervals.
    pub fn iops_stddev(&self) -> f64 {
        let (mut sum, mut squares) = (0, 0);
        for interval in &self.used {
            sum += u128::from(interval.count);
            squares += moments::square(interval.count);
        }
        moments::stddev(self.used.len() as u64, sum, squares) / (self.length_ns as f64 / 1e9)
    }
}

impl AddAssign<&IntervalSeries> for IntervalSeries {
    fn add_assign(&mut self, other: &Self) {
        if self.kept < other.kept {
            self.kept = other.kept;
            self.length_ns = other.length_ns;
        }
        if self.used.len() < other.used.len() {
            self.used.resize(other.used.len(), Interval::default());
            self.last_from_ns = other.last_from_ns;
        }
        for (ours, theirs) in self.used.iter_mut().zip(&other.used) {
            *ours += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::IntervalSeries;

    #[test]
    fn deviation_of_known_counts_is_per_second() {
        // Counts 2 and 4 in half-second intervals: deviation 1 an interval, 2 a second.
        let mut series =
            IntervalSeries::new(Duration::from_millis(500), Duration::from_millis(1600));
        for at_ms in [0, 100, 500, 600, 700, 999] {
            series.record(at_ms * 1_000_000, 10, 1);
        }
        assert_eq!(series.kept(), 4);
        assert_eq!(series.used().len(), 2);
        assert!((series.iops_stddev() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_completes_after_the_last_interval_is_dropped() {
        let mut series = IntervalSeries::new(Duration::from_secs(1), Duration::from_secs(2));
        series.record(2_000_000_000, 10, 1);
        assert!(series.used().is_empty());
    }

    #[test]
    fn a_series_ends_with_its_measured_time() {
        let second = Duration::from_secs(1);
        let mut series = IntervalSeries::new(second, second * 3600);
        series.record(100, 10, 1);
        series.record(1_400_000_000, 10, 1);
        series.cut(Duration::from_millis(1500));
        assert_eq!((series.kept(), series.used().len()), (2, 2));
        series.cut(second * 10);
        assert_eq!(series.kept(), 2);
    }

    #[test]
    fn recording_never_moves_the_series() {
        let mut series = IntervalSeries::new(Duration::from_millis(1), Duration::from_secs(10));
        let place = series.used().as_ptr();
        for at_ms in [0, 1, 5_000, 9_999, 2, 10_000] {
            series.record(at_ms * 1_000_000, 10, 1);
        }
        assert_eq!(series.used().as_ptr(), place);
        assert_eq!(series.used().len(), 10_000);
    }

    #[test]
    fn merging_sums_intervals_and_keeps_the_true_minimum() {
        // A stream that is silent in an interval must not bring a minimum of 0 there.
        let second = Duration::from_secs(1);
        let series = |completions: &[(u64, u64)]| {
            let mut series = IntervalSeries::new(second, second * 3);
            for (at_s, latency) in completions {
                series.record(at_s * 1_000_000_000, *latency, 1);
            }
            series
        };
        let (a, b) = (series(&[(0, 30), (1, 40)]), series(&[(1, 20)]));
        let mut merged = IntervalSeries::none();
        merged += &a;
        merged += &b;
        assert_eq!(merged, series(&[(0, 30), (1, 40), (1, 20)]));
        assert_eq!(merged.used()[0].min_ns, 30);
        assert_eq!(merged.used()[1].min_ns, 20);
        // Counts 1 and 2: deviation one half. The silent third is not counted.
        assert!((merged.iops_stddev() - 0.5).abs() < 1e-12);
        let mut other_way = b;
        other_way += &a;
        assert_eq!(other_way, merged);
    }

    #[test]
    fn deviation_of_known_latencies() {
        let mut series = IntervalSeries::new(Duration::from_secs(1), Duration::from_secs(1));
        for latency in [2, 4, 4, 4, 5, 5, 7, 9] {
            series.record(0, latency, 1);
        }
        let interval = series.used()[0];
        assert!((interval.mean_ns() - 5.0).abs() < 1e-12);
        assert!((interval.stddev_ns() - 2.0).abs() < 1e-12);
    }
}
