//! Latencies cut to whole milliseconds, as SQLIO counts them: exact, not made from a histogram.

use std::ops::AddAssign;

/// Bins: one for each whole millisecond, the last for all from there on.
const BINS: usize = 25;

/// Latencies cut to whole milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WholeMilliseconds {
    /// Operations of 0, 1, ... 23 whole milliseconds, and of 24 or more.
    pub bins: [u64; BINS],
    /// All whole milliseconds together.
    pub sum: u64,
    /// The smallest; 0 without operations.
    pub min: u64,
    /// The largest; 0 without operations.
    pub max: u64,
}

impl WholeMilliseconds {
    /// Counts an operation.
    #[inline]
    pub fn record(&mut self, latency_ns: u64) {
        let ms = latency_ns / 1_000_000;
        self.min = if self.is_empty() {
            ms
        } else {
            self.min.min(ms)
        };
        self.max = self.max.max(ms);
        self.sum = self.sum.saturating_add(ms);
        self.bins[ms.min(BINS as u64 - 1) as usize] += 1;
    }

    /// Operations counted.
    pub fn count(&self) -> u64 {
        self.bins.iter().sum()
    }

    /// Mean of the whole milliseconds, cut once more; 0 without operations.
    pub fn mean(&self) -> u64 {
        self.sum.checked_div(self.count()).unwrap_or(0)
    }

    /// Nothing below a millisecond, and nothing above.
    fn is_empty(&self) -> bool {
        self.max == 0 && self.bins[0] == 0
    }
}

impl AddAssign<&WholeMilliseconds> for WholeMilliseconds {
    fn add_assign(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        self.min = if self.is_empty() {
            other.min
        } else {
            self.min.min(other.min)
        };
        self.max = self.max.max(other.max);
        self.sum = self.sum.saturating_add(other.sum);
        for (ours, theirs) in self.bins.iter_mut().zip(&other.bins) {
            *ours += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::WholeMilliseconds;

    fn counted(latencies_ns: &[u64]) -> WholeMilliseconds {
        let mut whole = WholeMilliseconds::default();
        for ns in latencies_ns {
            whole.record(*ns);
        }
        whole
    }

    #[test]
    fn latencies_are_cut_and_binned() {
        // 999,999 ns is no millisecond; 24 and 900 ms share the last bin.
        let whole = counted(&[1_999_999, 1_000_000, 2_000_000, 24_000_000, 900_123_456]);
        assert_eq!((whole.min, whole.max, whole.sum), (1, 900, 928));
        assert_eq!((whole.bins[0], whole.bins[1], whole.bins[2]), (0, 2, 1));
        assert_eq!((whole.bins[23], whole.bins[24]), (0, 2));
        // 928 / 5 = 185.6, cut.
        assert_eq!((whole.count(), whole.mean()), (5, 185));
        let quick = counted(&[999_999, 5_000_000]);
        assert_eq!((quick.min, quick.max, quick.bins[0]), (0, 5, 1));
        let late = counted(&[5_000_000, 7_000_000]);
        assert_eq!((late.min, late.max), (5, 7));
    }

    #[test]
    fn nothing_is_zero_everywhere() {
        let none = WholeMilliseconds::default();
        assert_eq!((none.count(), none.mean(), none.min), (0, 0, 0));
    }

    proptest! {
        #[test]
        fn merging_is_counting_all(
            a in prop::collection::vec(0_u64..40_000_000, 0..20),
            b in prop::collection::vec(0_u64..40_000_000, 0..20),
        ) {
            let all = counted(&[a.clone(), b.clone()].concat());
            let (mut left, mut right) = (counted(&a), counted(&b));
            let first = left.clone();
            left += &right;
            right += &first;
            prop_assert_eq!(&left, &all);
            prop_assert_eq!(&right, &all);
        }
    }
}
