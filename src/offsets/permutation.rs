//! An order of all numbers below a bound that a key draws: every number once, none kept in memory.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// Rounds: after three of them neighbours are nowhere near each other.
const ROUNDS: usize = 3;

/// A bijection of `0..count`.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    count: u64,
    /// All bits of the largest number.
    mask: u64,
    shift: u32,
    /// An odd factor and a summand for each round.
    keys: [(u64, u64); ROUNDS],
}

impl Permutation {
    /// The order of `key`; a count of 0 is taken as 1.
    pub(super) fn new(count: u64, key: u64) -> Self {
        let count = count.max(1);
        let bits = u64::BITS - (count - 1).leading_zeros();
        let mut random = SplitMix64::seed_from_u64(key);
        Self {
            count,
            mask: u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0),
            shift: (bits / 2).max(1),
            keys: [(); ROUNDS].map(|()| (random.next_u64() | 1, random.next_u64())),
        }
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The number at a place of the order.
    ///
    /// Each round is a bijection of all numbers with as many bits: an odd factor modulo a power of
    /// two, a sum, and a shift that is undone from the top. What leaves the bound goes on until it
    /// is back, which keeps it a bijection and takes less than two turns on average.
    #[inline]
    pub(super) fn number(&self, place: u64) -> u64 {
        let mut number = place.min(self.count - 1);
        loop {
            for (factor, summand) in self.keys {
                number = number.wrapping_mul(factor).wrapping_add(summand) & self.mask;
                number ^= number >> self.shift;
            }
            if number < self.count {
                return number;
            }
        }
    }
}

/// A key made of several numbers: another one for any other numbers.
pub(super) fn key(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |key, number| {
        SplitMix64::seed_from_u64(key ^ *number).next_u64()
    })
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The place of a number: each step backwards.
    pub(in crate::offsets) fn place(permutation: &Permutation, number: u64) -> u64 {
        let mut place = number;
        loop {
            for (factor, summand) in permutation.keys.iter().rev() {
                let mut shifted = place;
                // Each turn makes as many bits right as the shift is long.
                for _ in 0..u64::BITS {
                    shifted = place ^ (shifted >> permutation.shift);
                }
                // Newton: each turn doubles the right bits of the inverse.
                let mut inverse = *factor;
                for _ in 0..6 {
                    let two = 2_u64.wrapping_sub(factor.wrapping_mul(inverse));
                    inverse = inverse.wrapping_mul(two);
                }
                place = shifted.wrapping_sub(*summand).wrapping_mul(inverse) & permutation.mask;
            }
            if place < permutation.count {
                return place;
            }
        }
    }

    #[test]
    fn every_number_comes_once() {
        for count in (1..=300).chain([1023, 1024, 1025, 4095, 4096, 4097, 50_000]) {
            for key in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
                let permutation = Permutation::new(count, key);
                let mut seen = vec![false; count as usize];
                for at in 0..count {
                    let number = permutation.number(at) as usize;
                    assert!(!seen[number], "{number} comes twice of {count}, key {key}");
                    seen[number] = true;
                }
            }
        }
    }

    #[test]
    fn keys_and_seeds_make_orders_of_their_own() {
        let order = |key| -> Vec<u64> {
            let permutation = Permutation::new(1000, key);
            (0..1000).map(|at| permutation.number(at)).collect()
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let keys = [
            key(&[1, 2]),
            key(&[2, 1]),
            key(&[1]),
            key(&[1, 3]),
            key(&[]),
        ];
        for (at, one) in keys.iter().enumerate() {
            assert!(keys.iter().skip(at + 1).all(|other| other != one));
        }
    }

    #[test]
    fn neighbours_of_the_order_are_nowhere_near_each_other() {
        for count in [10_000, 1 << 16, (1 << 28) - 57, 1 << 48] {
            let permutation = Permutation::new(count, key(&[count]));
            // In which of 64 parts of the range a number is, beside that of its successor.
            let part = |at| (u128::from(permutation.number(at)) * 64 / u128::from(count)) as usize;
            let mut pairs = vec![0_u32; 64 * 64];
            for at in 0..9_999 {
                pairs[part(at) * 64 + part(at + 1)] += 1;
            }
            // Of 9,999 pairs 2.44 fall into each cell; with 4,095 degrees of freedom chi-square has
            // the mean 4,095 and the standard deviation 90.5.
            let expected = 9_999.0 / 4_096.0;
            let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
            let chi: f64 = pairs.iter().map(square).sum();
            assert!((chi - 4_095.0).abs() < 5.0 * 90.5, "{count}: {chi}");
        }
    }

    proptest! {
        #[test]
        fn large_ranges_are_permuted_too(count in 1_u64.., key: u64, shift in 0_u32..64, at: u64) {
            let count = (count >> shift).max(1);
            let permutation = Permutation::new(count, key);
            let number = permutation.number(at % count);
            prop_assert!(number < count);
            prop_assert_eq!(place(&permutation, number), at % count);
        }
    }
}
