//! Standard deviations from exact sums, so that merging in any order gives the same figure.

/// A value's square.
#[inline]
pub(super) fn square(value: u64) -> u128 {
    u128::from(value) * u128::from(value)
}

/// Population standard deviation of `count` values with this sum and this sum of squares; 0
/// without values.
pub(super) fn stddev(count: u64, sum: u128, squares: u128) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let n = u128::from(count);
    // n * squares - sum^2 is n^2 times the variance. In integers nothing cancels; 2^30 values of
    // an hour each are about the most that fits, and more fall back to floating point.
    if let (Some(left), Some(right)) = (n.checked_mul(squares), sum.checked_mul(sum)) {
        return (left.saturating_sub(right) as f64).sqrt() / n as f64;
    }
    let mean = sum as f64 / n as f64;
    (squares as f64 / n as f64 - mean * mean).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{square, stddev};

    #[test]
    fn by_hand() {
        assert!(stddev(0, 0, 0).abs() < 1e-12);
        // {1, 3}: mean 2, deviation 1.
        assert!((stddev(2, 4, 10) - 1.0).abs() < 1e-12);
        // A thousand million values of an hour, all alike.
        let (n, hour) = (1_000_000_000_u64, 3_600_000_000_000_u64);
        let deviation = stddev(
            n,
            u128::from(n) * u128::from(hour),
            u128::from(n) * square(hour),
        );
        assert!(deviation < 1e6, "{deviation}");
    }
}
