//! Latency of one kind of operation: a histogram with an error of at most 0.1 %, and count, sum,
//! sum of squares, minimum and maximum exactly beside it.

use std::ops::AddAssign;

use hdrhistogram::Histogram;

/// One hour: values above fall into the last bucket (and are exact in `max`).
const HIGHEST_NS: u64 = 3_600_000_000_000;

/// Latencies of one kind of operation, in nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    /// Allocated with the first value.
    histogram: Option<Box<Histogram<u64>>>,
    count: u64,
    sum_ns: u128,
    sum_squares: f64,
    min_ns: u64,
    max_ns: u64,
}

impl Latency {
    /// Adds one value. The first call allocates; see [`Latency::reserve`].
    #[inline]
    pub fn record(&mut self, ns: u64) {
        let Some(histogram) = self.histogram.as_mut() else {
            self.reserve();
            return self.record(ns);
        };
        histogram.saturating_record(ns);
        self.min_ns = if self.count == 0 {
            ns
        } else {
            self.min_ns.min(ns)
        };
        self.max_ns = self.max_ns.max(ns);
        self.count += 1;
        self.sum_ns += u128::from(ns);
        let value = ns as f64;
        self.sum_squares += value * value;
    }

    /// Allocates the histogram, so that recording does not.
    pub fn reserve(&mut self) {
        if self.histogram.is_none() {
            let histogram = Histogram::new_with_bounds(1, HIGHEST_NS, 3)
                .expect("1 ns to 1 h with 3 digits are valid bounds");
            self.histogram = Some(Box::new(histogram));
        }
    }

    /// Values recorded.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Smallest value; `None` without values.
    pub fn min_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min_ns)
    }

    /// Largest value; `None` without values.
    pub fn max_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max_ns)
    }

    /// Mean; `None` without values.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }

    /// Population standard deviation; `None` without values.
    pub fn stddev_ns(&self) -> Option<f64> {
        let mean = self.mean_ns()?;
        Some(
            (self.sum_squares / self.count as f64 - mean * mean)
                .max(0.0)
                .sqrt(),
        )
    }

    /// The smallest recorded value whose cumulative count reaches `fraction` of all (0 gives the
    /// minimum, 1 the maximum); within 0.1 % of the true one. `None` without values.
    pub fn quantile_ns(&self, fraction: f64) -> Option<u64> {
        let histogram = self.histogram.as_ref().filter(|_| self.count > 0)?;
        if fraction <= 0.0 {
            return Some(self.min_ns);
        }
        if fraction >= 1.0 {
            return Some(self.max_ns);
        }
        Some(
            histogram
                .value_at_quantile(fraction)
                .clamp(self.min_ns, self.max_ns),
        )
    }

    /// Distinct buckets in use.
    pub fn bucket_count(&self) -> usize {
        self.histogram
            .as_ref()
            .map_or(0, |histogram| histogram.iter_recorded().count())
    }
}

impl AddAssign<&Latency> for Latency {
    fn add_assign(&mut self, other: &Self) {
        let Some(theirs) = other.histogram.as_ref().filter(|_| other.count > 0) else {
            return;
        };
        self.reserve();
        let ours = self.histogram.as_mut().expect("reserved on the line above");
        ours.add(theirs.as_ref())
            .expect("all histograms here have the same bounds");
        self.min_ns = if self.count == 0 {
            other.min_ns
        } else {
            self.min_ns.min(other.min_ns)
        };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.sum_squares += other.sum_squares;
    }
}

impl PartialEq for Latency {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
            && self.sum_ns == other.sum_ns
            && self.min_ns() == other.min_ns()
            && self.max_ns() == other.max_ns()
            && (self.count == 0
                || self
                    .histogram
                    .as_deref()
                    .zip(other.histogram.as_deref())
                    .is_some_and(|(a, b)| a == b))
    }
}

#[cfg(test)]
mod tests {
    use super::Latency;

    #[test]
    fn figures_of_a_known_set() {
        let mut latency = Latency::default();
        for ns in [2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000] {
            latency.record(ns);
        }
        // The textbook set {2,4,4,4,5,5,7,9}: mean 5, population standard deviation 2.
        assert_eq!(latency.mean_ns(), Some(5_000.0));
        assert!((latency.stddev_ns().unwrap() - 2_000.0).abs() < 1e-6);
        assert_eq!(latency.min_ns(), Some(2_000));
        assert_eq!(latency.quantile_ns(1.0), Some(9_000));
        // Half of eight values is the fourth: 4000, within 0.1 %.
        assert!(latency.quantile_ns(0.5).unwrap().abs_diff(4_000) <= 4);
    }

    #[test]
    fn nothing_recorded_is_none_everywhere() {
        let latency = Latency::default();
        assert_eq!(latency.mean_ns(), None);
        assert_eq!(latency.quantile_ns(0.5), None);
        assert_eq!(latency.max_ns(), None);
    }

    #[test]
    fn values_over_an_hour_keep_their_maximum() {
        let mut latency = Latency::default();
        latency.record(10_000_000_000_000);
        assert_eq!(latency.max_ns(), Some(10_000_000_000_000));
        assert_eq!(latency.count(), 1);
    }

    #[test]
    fn merging_is_recording_both() {
        let (mut a, mut b, mut both) = (Latency::default(), Latency::default(), Latency::default());
        for i in 1..2_000_u64 {
            if i % 3 == 0 {
                a.record(i * 17);
            } else {
                b.record(i * 17);
            }
            both.record(i * 17);
        }
        a += &b;
        assert_eq!(a, both);
    }
}
