//! The device's own chance: the same on every system, so that no library function takes part.

use super::Service;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// One of `0..limit`, as good as uniform: the error is below limit / 2^64.
    #[inline]
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// A service time in nanoseconds.
    #[inline]
    pub(super) fn service(&mut self, law: Service) -> u64 {
        match law {
            Service::Fixed(time) => time,
            Service::Uniform(from, to) => from + self.below((to - from).saturating_add(1)),
            Service::Exponential(mean) => {
                // 53 random bits make a number in (0, 1].
                let uniform = ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
                (-logarithm(uniform) * mean as f64) as u64
            }
        }
    }
}

/// The natural logarithm of a positive normal number, from the four operations alone, which give
/// the same bits everywhere: ln(m 2^e) = e ln 2 + 2 artanh((m - 1) / (m + 1)).
fn logarithm(value: f64) -> f64 {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    // The ratio is below 1/3, so that the 16th term is below 1e-16.
    let mut sum = 0.0;
    for term in (0..16).rev() {
        sum = sum * square + 1.0 / f64::from(2 * term + 1);
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * ratio * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64s() {
        // The first outputs for seed 1234567, as in the generator's published test vectors.
        let mut chance = Chance::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| chance.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn the_logarithm_agrees_with_the_librarys() {
        for value in [1.0, 0.5, 0.75, 1e-16, 0.999_999, 0.1, 3.0, 1e300] {
            let error: f64 = logarithm(value) - f64::ln(value);
            assert!(
                error.abs() <= 1e-13 * f64::ln(value).abs().max(1.0),
                "{value}"
            );
        }
    }

    #[test]
    fn draws_have_the_laws_mean_and_bounds() {
        let mut chance = Chance::new(5);
        let count = 100_000;
        let sum: u64 = (0..count)
            .map(|_| chance.service(Service::Exponential(100_000)))
            .sum();
        // The mean of 100 000 draws is within 1.5 % (more than four deviations) of the law's.
        assert!(
            (98_500..101_500).contains(&(sum / count)),
            "{}",
            sum / count
        );
        for _ in 0..1000 {
            let time = chance.service(Service::Uniform(50, 52));
            assert!((50..=52).contains(&time));
        }
        assert_eq!(chance.service(Service::Uniform(9, 9)), 9);
    }
}
