//! The time series of one kind of operation: counts and latency sums an interval.

use std::{ops::AddAssign, time::Duration};

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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
    pub sum_squares: f64,
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
        self.sum_ns += ns;
        let value = ns as f64;
        self.sum_squares += value * value;
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
        if self.count == 0 {
            return 0.0;
        }
        let mean = self.mean_ns();
        (self.sum_squares / self.count as f64 - mean * mean)
            .max(0.0)
            .sqrt()
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
        self.sum_ns += other.sum_ns;
        self.sum_squares += other.sum_squares;
    }
}

/// Equal intervals from the start of the measured time. Completions beyond the last one are in
/// no interval (they are in the totals).
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalSeries {
    length_ns: u64,
    intervals: Vec<Interval>,
    /// Intervals up to and including the last with an operation.
    used: usize,
}

impl IntervalSeries {
    /// Room for the whole measured time, zeroed lazily by the system. Limits of 2^22 intervals
    /// hold even for day-long runs at a millisecond; what is beyond is not kept.
    pub fn new(length: Duration, measured: Duration) -> Self {
        let length_ns = (length.as_nanos() as u64).max(1);
        let count = (measured.as_nanos() as u64)
            .div_ceil(length_ns)
            .min(1 << 22);
        Self {
            length_ns,
            intervals: vec![Interval::default(); count as usize],
            used: 0,
        }
    }

    /// A series that keeps nothing.
    pub fn none() -> Self {
        Self {
            length_ns: 1,
            intervals: Vec::new(),
            used: 0,
        }
    }

    /// Adds an operation that completed `at_ns` after the start of the measured time.
    #[inline]
    pub fn record(&mut self, at_ns: u64, latency_ns: u64, bytes: u64) {
        let index = (at_ns / self.length_ns) as usize;
        if let Some(interval) = self.intervals.get_mut(index) {
            interval.record(latency_ns, bytes);
            self.used = self.used.max(index + 1);
        }
    }

    /// Length of an interval.
    pub fn length(&self) -> Duration {
        Duration::from_nanos(self.length_ns)
    }

    /// All intervals kept, silent ones at the end included.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// Intervals up to and including the last one with an operation: trailing silence is not
    /// counted.
    pub fn used(&self) -> &[Interval] {
        &self.intervals[..self.used]
    }

    /// Population standard deviation of operations a second over the used intervals.
    pub fn iops_stddev(&self) -> f64 {
        let used = self.used();
        if used.is_empty() {
            return 0.0;
        }
        let n = used.len() as f64;
        let mean = used.iter().map(|i| i.count as f64).sum::<f64>() / n;
        let variance = used
            .iter()
            .map(|i| (i.count as f64 - mean).powi(2))
            .sum::<f64>()
            / n;
        variance.sqrt() / (self.length_ns as f64 / 1e9)
    }
}

impl AddAssign<&IntervalSeries> for IntervalSeries {
    fn add_assign(&mut self, other: &Self) {
        if self.intervals.len() < other.intervals.len() {
            self.intervals
                .resize(other.intervals.len(), Interval::default());
            self.length_ns = other.length_ns;
        }
        for (ours, theirs) in self.intervals.iter_mut().zip(&other.intervals) {
            *ours += theirs;
        }
        self.used = self.used.max(other.used);
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
        assert_eq!(series.intervals().len(), 4);
        assert_eq!(series.used().len(), 2);
        assert!((series.iops_stddev() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_completes_after_the_last_interval_is_dropped() {
        let mut series = IntervalSeries::new(Duration::from_secs(1), Duration::from_secs(2));
        series.record(2_000_000_000, 10, 1);
        assert!(series.used().is_empty());
    }
}
