//! Division by a number known beforehand: two multiplications instead of a 64-bit division, which
//! costs several times as much on the processors that storage hosts still use.
//!
//! Granlund and Montgomery, "Division by invariant integers using multiplication", 1994: exact for
//! every 64-bit numerator and every divisor from 1.

/// A divisor, prepared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Divisor {
    number: u64,
    magic: u64,
    shift_first: u32,
    shift_last: u32,
}

impl Divisor {
    /// Prepares `divisor`; 0 is taken as 1, so that nothing can fail later.
    pub(super) fn new(divisor: u64) -> Self {
        let divisor = divisor.max(1);
        // The smallest l with 2^l >= divisor.
        let log2_up = u64::BITS - (divisor - 1).leading_zeros();
        let power = 1_u128 << log2_up;
        let magic = ((power - u128::from(divisor)) << 64) / u128::from(divisor) + 1;
        Self {
            number: divisor,
            magic: magic as u64,
            shift_first: log2_up.min(1),
            shift_last: log2_up.saturating_sub(1),
        }
    }

    /// The divisor.
    pub(super) fn get(self) -> u64 {
        self.number
    }

    /// `value / divisor`.
    #[inline]
    pub(super) fn quotient(self, value: u64) -> u64 {
        let high = scale(self.magic, value);
        (high + ((value - high) >> self.shift_first)) >> self.shift_last
    }

    /// `value % divisor`.
    #[inline]
    pub(super) fn remainder(self, value: u64) -> u64 {
        value - self.quotient(value) * self.number
    }
}

/// The upper half of the product: maps a uniform 64-bit `draw` to `0..bound`.
#[inline]
pub(super) fn scale(draw: u64, bound: u64) -> u64 {
    ((u128::from(draw) * u128::from(bound)) >> 64) as u64
}

/// The largest multiple of `step` that is not above `value`; `step` 0 is taken as 1.
pub(super) fn align_down(value: u64, step: u64) -> u64 {
    value - value % step.max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Divisor, align_down, scale};

    #[test]
    fn divides_at_the_edges() {
        let edges = [
            1,
            2,
            3,
            7,
            4095,
            4096,
            4097,
            u64::from(u32::MAX),
            1 << 32,
            (1 << 63) - 1,
            1 << 63,
            (1 << 63) + 1,
            u64::MAX - 1,
            u64::MAX,
        ];
        for divisor in edges {
            let prepared = Divisor::new(divisor);
            assert_eq!(prepared.get(), divisor);
            for value in edges.into_iter().chain([0]) {
                assert_eq!(prepared.quotient(value), value / divisor);
                assert_eq!(prepared.remainder(value), value % divisor);
            }
        }
        assert_eq!(Divisor::new(0).remainder(17), 0);
    }

    #[test]
    fn scales_and_aligns() {
        assert_eq!(scale(0, 10), 0);
        assert_eq!(scale(u64::MAX, 10), 9);
        assert_eq!(scale(1 << 63, 10), 5);
        assert_eq!(align_down(9999, 4096), 8192);
        assert_eq!(align_down(9999, 0), 9999);
    }

    proptest! {
        #[test]
        fn agrees_with_the_processor(value: u64, divisor in 1_u64.., shift in 0_u32..64) {
            let divisor = (divisor >> shift).max(1);
            let prepared = Divisor::new(divisor);
            prop_assert_eq!(prepared.quotient(value), value / divisor);
            prop_assert_eq!(prepared.remainder(value), value % divisor);
        }
    }
}
