//! How far figures can be trusted that come from few repetitions: Student's t, and intervals.
//!
//! Quantiles are found by bisection of the exact tail (the regularised incomplete beta function), to
//! twelve digits of the probability, so that any confidence and any degrees of freedom will do.

/// A mean, and where the true one lies with some confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of what was seen.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// `mean` with the same distance to both ends.
    fn around(mean: f64, half: f64) -> Self {
        Self {
            mean,
            low: mean - half,
            high: mean + half,
        }
    }

    /// True if a value lies inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The mean of values; `None` without any.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample variance (over n - 1); `None` for fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    Some(squares.sum::<f64>() / (values.len() - 1) as f64)
}

/// The mean of values, and its t interval that misses the true mean in `miss` of all cases (0.01 for
/// 99 % confidence); `None` for fewer than two values.
pub fn mean_interval(values: &[f64], miss: f64) -> Option<Estimate> {
    let n = values.len() as f64;
    let half = t_above(miss / 2.0, n - 1.0) * (variance(values)? / n).sqrt();
    Some(Estimate::around(mean(values)?, half))
}

/// The difference of the means of two samples that are not paired, second less first, and its
/// interval after Welch: the samples may spread differently. `None` for fewer than two values in one.
pub fn difference_interval(a: &[f64], b: &[f64], miss: f64) -> Option<Estimate> {
    let (of_a, of_b) = (variance(a)? / a.len() as f64, variance(b)? / b.len() as f64);
    let difference = mean(b)? - mean(a)?;
    let both = of_a + of_b;
    if both <= 0.0 {
        return Some(Estimate::around(difference, 0.0));
    }
    let shares = of_a.powi(2) / (a.len() - 1) as f64 + of_b.powi(2) / (b.len() - 1) as f64;
    let half = t_above(miss / 2.0, both.powi(2) / shares) * both.sqrt();
    Some(Estimate::around(difference, half))
}

/// The ratio of paired values, second to first, as the geometric mean of the pairs' ratios: pairs
/// that were measured next to each other in time share what changes slowly. `None` for fewer than
/// two pairs, or where a value has no ratio (0, negative, not a number).
pub fn ratio_interval(pairs: &[(f64, f64)], miss: f64) -> Option<Estimate> {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    if !pairs.iter().all(|(a, b)| positive(*a) && positive(*b)) {
        return None;
    }
    let logs: Vec<f64> = pairs.iter().map(|(a, b)| b.ln() - a.ln()).collect();
    let log = mean_interval(&logs, miss)?;
    Some(Estimate {
        mean: log.mean.exp(),
        low: log.low.exp(),
        high: log.high.exp(),
    })
}

/// The geometric mean; `None` without values, or where one is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: Option<Vec<f64>> = values
        .iter()
        .map(|value| (*value > 0.0 && value.is_finite()).then(|| value.ln()))
        .collect();
    mean(&logs?).map(f64::exp)
}

/// The `t` that a value of Student's distribution with `freedom` degrees exceeds with probability
/// `tail`, which is above 0 and at most a half. Infinite where there is no freedom.
pub fn t_above(tail: f64, freedom: f64) -> f64 {
    if freedom.is_nan() || freedom <= 0.0 || tail.is_nan() || tail <= 0.0 {
        return f64::INFINITY;
    }
    if tail >= 0.5 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while t_tail(high, freedom) > tail {
        low = high;
        high *= 2.0;
        if high > 1e150 {
            return f64::INFINITY;
        }
    }
    // A double has 52 bits behind the first; more halvings change nothing.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if t_tail(middle, freedom) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The probability that a value of Student's distribution exceeds `t`, which is not negative.
pub fn t_tail(t: f64, freedom: f64) -> f64 {
    0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function of x in 0 to 1.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    // The fraction converges fast below the distribution's mean, else its mirror image does.
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * beta_fraction(x, a, b) / a
    } else {
        1.0 - front.exp() * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, evaluated from the front (Lentz).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const STEPS: u32 = 10_000;
    let nonzero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = lower;
    for step in 1..=STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            lower = 1.0 / nonzero(1.0 + term * lower);
            upper = nonzero(1.0 + term / upper);
            change = upper * lower;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function of x above 0: Stirling's series where it is good to fifteen
/// digits, reached by the recurrence.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    // B(2k) / (2k (2k - 1)), Bernoulli's numbers: 1/6, -1/30, 1/42, -1/30, 5/66.
    let series = (1.0 / 12.0
        - square
            * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))))
        / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() <= tolerance,
            "{value} instead of {expected}"
        );
    }

    #[test]
    fn quantiles_are_those_of_published_tables() {
        // Upper tails and degrees of freedom, from tables of the t distribution.
        for (tail, freedom, expected) in [
            (0.025, 1.0, 12.706),
            (0.025, 3.0, 3.182),
            (0.025, 5.0, 2.571),
            (0.025, 30.0, 2.042),
            (0.025, 120.0, 1.980),
            (0.005, 3.0, 5.841),
            (0.005, 5.0, 4.032),
            (0.005, 60.0, 2.660),
            (0.0005, 1.0, 636.619),
            (0.0005, 5.0, 6.869),
            (0.0005, 10.0, 4.587),
            (0.10, 2.0, 1.886),
            (0.25, 4.0, 0.741),
        ] {
            near(t_above(tail, freedom), expected, 0.0006);
        }
        // The normal distribution is the limit.
        near(t_above(0.025, 1e7), 1.959_964, 1e-5);
    }

    #[test]
    fn one_and_two_degrees_of_freedom_have_closed_forms() {
        // One: the tail is 1/2 - atan(t)/pi. Two: t = (1 - 2q) / sqrt(2 q (1 - q)).
        for tail in [0.4, 0.1, 0.01, 1e-4, 1e-6] {
            let one = 1.0 / (std::f64::consts::PI * tail).tan();
            near(t_above(tail, 1.0) / one, 1.0, 1e-9);
            let two = (1.0 - 2.0 * tail) / (2.0 * tail * (1.0 - tail)).sqrt();
            near(t_above(tail, 2.0) / two, 1.0, 1e-9);
        }
    }

    #[test]
    fn the_logarithm_of_gamma_at_known_points() {
        near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln(), 1e-13);
        near(ln_gamma(1.0), 0.0, 1e-13);
        near(ln_gamma(5.0), 24.0_f64.ln(), 1e-13);
        // 170! has 307 digits: its logarithm is 706.573 062 245 787.
        near(ln_gamma(171.0), 706.573_062_245_787, 1e-10);
    }

    #[test]
    fn impossible_questions_have_an_infinite_interval_and_never_end_in_a_loop() {
        for (tail, freedom) in [
            (0.0, 3.0),
            (0.01, 0.0),
            (-1.0, 3.0),
            (f64::NAN, 3.0),
            (0.1, f64::NAN),
        ] {
            assert!(t_above(tail, freedom).is_infinite(), "{tail} {freedom}");
        }
        near(t_above(0.5, 3.0), 0.0, 0.0);
        assert_eq!(mean_interval(&[1.0], 0.05), None);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn the_interval_of_a_mean_by_hand() {
        // {2, 4, 6, 8}: mean 5, sample variance 20/3, standard error sqrt(5/3) = 1.29099;
        // t(0.975, 3) = 3.18245, half width 4.10853.
        let found = mean_interval(&[2.0, 4.0, 6.0, 8.0], 0.05).unwrap();
        near(found.mean, 5.0, 1e-12);
        near(found.low, 0.891_47, 1e-4);
        near(found.high, 9.108_53, 1e-4);
        assert!(found.contains(5.0) && !found.contains(9.2));
        // No spread, no width.
        let same = mean_interval(&[3.0; 4], 0.01).unwrap();
        assert_eq!((same.low, same.high), (3.0, 3.0));
    }

    #[test]
    fn welch_by_hand() {
        // Variances of 1 and three values each: standard error sqrt(2/3) = 0.816497 with 4 degrees
        // of freedom, times t(0.975, 4) = 2.776445 is 2.266958.
        let found = difference_interval(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.05).unwrap();
        near(found.mean, 3.0, 1e-12);
        near(found.low, 3.0 - 2.266_958, 1e-5);
        // One sample without spread: only the other one's freedom counts, t(0.975, 1) = 12.7062;
        // its standard error is sqrt(2 / 2) = 1.
        let found = difference_interval(&[5.0, 5.0], &[8.0, 10.0], 0.05).unwrap();
        near(found.high, 4.0 + 12.7062, 1e-3);
        let same = difference_interval(&[5.0, 5.0], &[7.0, 7.0], 0.05).unwrap();
        assert_eq!((same.low, same.high), (2.0, 2.0));
        assert_eq!(difference_interval(&[5.0], &[7.0, 7.0], 0.05), None);
    }

    #[test]
    fn the_ratio_of_pairs_by_hand() {
        // Ratios 2, 2, 8, 8: logarithms ln 2 and 3 ln 2, mean 2 ln 2, so 4; sample deviation
        // sqrt(4/3) ln 2, standard error ln 2 / sqrt 3 = 0.400189; times t(0.975, 3) = 3.182446
        // is 1.273579, a factor of 3.573619.
        let pairs = [(1.0, 2.0), (10.0, 20.0), (1.0, 8.0), (5.0, 40.0)];
        let found = ratio_interval(&pairs, 0.05).unwrap();
        near(found.mean, 4.0, 1e-12);
        near(found.low, 4.0 / 3.573_619, 1e-4);
        near(found.high, 4.0 * 3.573_619, 1e-3);
        // A drift that both share is in no ratio.
        let drift = [(1.0, 3.0), (2.0, 6.0), (4.0, 12.0)];
        let found = ratio_interval(&drift, 0.01).unwrap();
        near(found.low, 3.0, 1e-12);
        near(found.high, 3.0, 1e-12);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(ratio_interval(&[(1.0, 1.0), (1.0, bad)], 0.05), None);
        }
        assert_eq!(ratio_interval(&[(1.0, 2.0)], 0.05), None);
    }

    #[test]
    fn the_geometric_mean() {
        near(geometric_mean(&[1.0, 4.0, 16.0]).unwrap(), 4.0, 1e-12);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
        assert_eq!(geometric_mean(&[]), None);
    }
}
