//! Latency of one kind of operation: a histogram with an error of at most 0.1 %, and count, sum,
//! sum of squares, minimum and maximum exactly beside it.

use std::{ops::AddAssign, time::Duration};

use super::moments;

/// One hour: values above fall into the last bucket (and are exact in `max`).
const HIGHEST_NS: u64 = 3_600_000_000_000;

/// Values below are their own buckets; above, each doubling has half as many, so that a bucket is
/// at most 1/1024 of its values wide. These are the buckets of an HDR histogram of three digits.
const EXACT: usize = 2048;
const BUCKETS_A_DOUBLING: usize = EXACT / 2;
const BUCKETS: usize = bucket_of(HIGHEST_NS) + 1;

/// The bucket of a value.
#[inline]
const fn bucket_of(ns: u64) -> usize {
    // Bits beyond the eleven that are kept.
    let shift = (u64::BITS - ns.leading_zeros()).saturating_sub(EXACT.ilog2());
    shift as usize * BUCKETS_A_DOUBLING + (ns >> shift) as usize
}

/// The largest value of a bucket.
const fn top_of(bucket: usize) -> u64 {
    if bucket < EXACT {
        return bucket as u64;
    }
    let shift = bucket / BUCKETS_A_DOUBLING - 1;
    let kept = bucket - shift * BUCKETS_A_DOUBLING;
    ((kept as u64 + 1) << shift) - 1
}

/// Latencies of one kind of operation, in nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    /// By bucket; empty before the first value. The system hands out zeroed pages as they are
    /// touched, so an unused range of values costs address space only.
    buckets: Vec<u64>,
    count: u64,
    sum_ns: u128,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
}

impl Latency {
    /// Address space of a reserved histogram.
    pub const BYTES: u64 = (BUCKETS * size_of::<u64>()) as u64;

    /// Adds one value. The first call allocates; see [`Latency::reserve`].
    #[inline]
    pub fn record(&mut self, ns: u64) {
        if self.count == 0 {
            self.reserve();
            self.min_ns = ns;
        }
        self.buckets[bucket_of(ns.min(HIGHEST_NS))] += 1;
        self.min_ns = self.min_ns.min(ns);
        self.max_ns = self.max_ns.max(ns);
        self.count += 1;
        self.sum_ns += u128::from(ns);
        self.sum_squares = self.sum_squares.saturating_add(moments::square(ns));
    }

    /// Allocates the histogram, so that recording does not.
    pub fn reserve(&mut self) {
        if self.buckets.is_empty() {
            self.buckets = vec![0; BUCKETS];
        }
    }

    /// Forgets all values, and keeps the room for them.
    pub fn restart(&mut self) {
        if self.count > 0 {
            // Pages that nobody used stay untouched.
            for count in self.buckets.iter_mut().filter(|count| **count > 0) {
                *count = 0;
            }
        }
        *self = Self {
            buckets: std::mem::take(&mut self.buckets),
            ..Self::default()
        };
    }

    /// True once [`Latency::reserve`] was called, or something recorded.
    #[inline]
    pub fn is_reserved(&self) -> bool {
        !self.buckets.is_empty()
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

    /// All values together.
    pub fn sum(&self) -> Duration {
        let nanos = self.sum_ns;
        let seconds = u64::try_from(nanos / 1_000_000_000).unwrap_or(u64::MAX);
        Duration::new(seconds, (nanos % 1_000_000_000) as u32)
    }

    /// Mean; `None` without values.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }

    /// Population standard deviation; `None` without values.
    pub fn stddev_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| moments::stddev(self.count, self.sum_ns, self.sum_squares))
    }

    /// The smallest recorded value whose cumulative count reaches `fraction` of all (0 gives the
    /// minimum, 1 the maximum); at most 0.1 % above the true one. `None` without values.
    pub fn quantile_ns(&self, fraction: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        if fraction <= 0.0 {
            return Some(self.min_ns);
        }
        if fraction >= 1.0 {
            return Some(self.max_ns);
        }
        let wanted = ((fraction * self.count as f64).ceil() as u64).clamp(1, self.count);
        let mut reached = 0;
        let bucket = self.buckets.iter().position(|count| {
            reached += count;
            reached >= wanted
        });
        // The top of the bucket, as HDR histograms have it. Values over an hour share the last.
        let value = bucket.map_or(self.max_ns, |bucket| {
            if bucket == BUCKETS - 1 {
                self.max_ns
            } else {
                top_of(bucket)
            }
        });
        Some(value.clamp(self.min_ns, self.max_ns))
    }

    /// Distinct buckets in use.
    pub fn bucket_count(&self) -> usize {
        self.used_buckets().count()
    }

    /// The buckets in use: largest value and count, ascending.
    pub fn used_buckets(&self) -> impl Iterator<Item = (u64, u64)> {
        let used = self.buckets.iter().enumerate().filter(|(_, n)| **n > 0);
        used.map(|(bucket, n)| (top_of(bucket), *n))
    }
}

impl AddAssign<&Latency> for Latency {
    fn add_assign(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.reserve();
        for (ours, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            // Pages that nobody used stay untouched.
            if *theirs > 0 {
                *ours += theirs;
            }
        }
        self.min_ns = if self.count == 0 {
            other.min_ns
        } else {
            self.min_ns.min(other.min_ns)
        };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.sum_squares = self.sum_squares.saturating_add(other.sum_squares);
    }
}

impl PartialEq for Latency {
    /// Whether memory was reserved makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
            && self.sum_ns == other.sum_ns
            && self.sum_squares == other.sum_squares
            && self.min_ns() == other.min_ns()
            && self.max_ns() == other.max_ns()
            && self.used_buckets().eq(other.used_buckets())
    }
}

#[cfg(test)]
mod tests {
    use hdrhistogram::Histogram;
    use proptest::prelude::*;

    use super::{BUCKETS, HIGHEST_NS, Latency, bucket_of, top_of};

    fn latency_of(values: &[u64]) -> Latency {
        let mut latency = Latency::default();
        for ns in values {
            latency.record(*ns);
        }
        latency
    }

    #[test]
    fn figures_of_a_known_set() {
        // The textbook set {2,4,4,4,5,5,7,9}: mean 5, population standard deviation 2.
        let latency = latency_of(&[2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000]);
        assert_eq!(latency.mean_ns(), Some(5_000.0));
        assert_eq!(latency.stddev_ns(), Some(2_000.0));
        assert_eq!(latency.min_ns(), Some(2_000));
        assert_eq!(latency.quantile_ns(1.0), Some(9_000));
        // Half of eight values is the fourth: 4000; its bucket is two wide and ends at 4001.
        assert_eq!(latency.quantile_ns(0.5), Some(4_001));
        assert_eq!(latency.bucket_count(), 5);
    }

    #[test]
    fn room_is_kept_and_values_are_forgotten() {
        let mut latency = latency_of(&[5, 7_000_000]);
        latency.restart();
        assert!(latency.is_reserved());
        assert_eq!(latency, Latency::default());
        latency.record(9);
        assert_eq!(latency, latency_of(&[9]));
    }

    #[test]
    fn a_small_deviation_of_large_values_is_exact() {
        // One second and one nanosecond more, half and half: deviation 0.5 ns.
        let latency = latency_of(&[1_000_000_000, 1_000_000_001]);
        assert_eq!(latency.stddev_ns(), Some(0.5));
    }

    #[test]
    fn nothing_recorded_is_none_everywhere() {
        let mut latency = Latency::default();
        latency.reserve();
        assert_eq!(latency, Latency::default());
        assert_eq!(latency.mean_ns(), None);
        assert_eq!(latency.stddev_ns(), None);
        assert_eq!(latency.quantile_ns(0.5), None);
        assert_eq!(latency.max_ns(), None);
    }

    #[test]
    fn values_over_an_hour_keep_their_maximum() {
        let latency = latency_of(&[1, 10_000_000_000_000, u64::MAX]);
        assert_eq!(latency.max_ns(), Some(u64::MAX));
        assert_eq!(latency.quantile_ns(0.9), Some(u64::MAX));
        assert_eq!(latency.count(), 3);
    }

    #[test]
    fn buckets_follow_each_other_without_a_gap() {
        let mut next = 0;
        for bucket in 0..BUCKETS {
            assert_eq!(bucket_of(next), bucket);
            assert_eq!(bucket_of(top_of(bucket)), bucket);
            next = top_of(bucket) + 1;
        }
        assert!(next > HIGHEST_NS);
    }

    /// As many small values as large ones, up to the highest.
    fn values() -> impl Strategy<Value = Vec<u64>> {
        let value =
            (0_u32..42, any::<u64>()).prop_map(|(bits, n)| (n >> (63 - bits)).min(HIGHEST_NS));
        prop::collection::vec(value, 1..200)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn quantiles_are_within_a_thousandth_of_the_sorted_values(
            values in values(),
            fraction in prop_oneof![0.0..=1.0_f64, Just(0.5), Just(0.99), Just(0.999_999_999)],
        ) {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let rank = (f64::ceil(fraction * sorted.len() as f64) as usize).max(1);
            let truth = sorted[rank - 1];
            let found = latency_of(&values).quantile_ns(fraction).unwrap();
            prop_assert!(found >= truth && found - truth <= truth / 1000, "{} for {}", found, truth);
        }

        #[test]
        fn the_buckets_are_those_of_hdr_histograms(values in values()) {
            let mut hdr = Histogram::<u64>::new_with_bounds(1, HIGHEST_NS, 3).unwrap();
            for ns in &values {
                hdr.record(*ns).unwrap();
            }
            let expected: Vec<(u64, u64)> = hdr
                .iter_recorded()
                .map(|v| (v.value_iterated_to(), v.count_since_last_iteration()))
                .collect();
            let ours: Vec<(u64, u64)> = latency_of(&values).used_buckets().collect();
            prop_assert_eq!(ours, expected);
        }

        #[test]
        fn merging_is_recording_all_in_any_grouping(a in values(), b in values(), c in values()) {
            let all = latency_of(&[a.clone(), b.clone(), c.clone()].concat());
            let [a, b, c] = [a, b, c].map(|values| latency_of(&values));
            let mut left = a.clone();
            left += &b;
            left += &c;
            let mut right = b;
            right += &c;
            right += &a;
            right += &Latency::default();
            prop_assert_eq!(&left, &all);
            prop_assert_eq!(&right, &all);
        }
    }
}
