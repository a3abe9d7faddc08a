//! Figures as people say them: as many digits as count, and a unit of the right size.

use crate::units::words::grouped;

/// Milliseconds in the unit that people would say, to so many digits that count: `85 us`, `7.1 ms`,
/// `1.85 s`.
pub fn time(ms: f64, digits: u32) -> String {
    // 999.6 ms would be told as 1000.
    if ms > 0.0 && ms < 0.1 {
        format!("{} us", significant(ms * 1e3, digits))
    } else if ms < 999.5 {
        format!("{} ms", significant(ms, digits))
    } else {
        format!("{} s", significant(ms / 1e3, digits))
    }
}

/// To so many digits that count, and all that stand before the point; those in groups.
pub fn significant(value: f64, digits: u32) -> String {
    let decimals = decimals(value, digits);
    let text = format!("{value:.decimals$}");
    // What is rounded up may have come to one digit more before the point.
    let rounded: f64 = text.parse().unwrap_or(value);
    let decimals = self::decimals(rounded, digits);
    if decimals == 0 && rounded >= 1000.0 {
        return grouped(rounded as u64);
    }
    format!("{value:.decimals$}")
}

/// Digits behind the point.
fn decimals(value: f64, digits: u32) -> usize {
    if value <= 0.0 || !value.is_finite() {
        return 0;
    }
    let magnitude = value.log10().floor() as i32;
    (digits as i32 - 1 - magnitude).clamp(0, 6) as usize
}

/// Cut to so many digits: what is said to be exceeded must be.
pub fn cut(value: f64, digits: u32) -> f64 {
    let scale = 10_f64.powi(decimals(value, digits) as i32);
    // What was a whole number of such steps is not to lose one.
    (value * scale + 1e-6).floor() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_that_count() {
        for (value, digits, text) in [
            (140.35, 3, "140"),
            (14.035, 3, "14.0"),
            (1.4035, 3, "1.40"),
            (7.125, 2, "7.1"),
            (0.0214, 2, "0.021"),
            (9.96, 2, "10"),
            (99.96, 3, "100"),
            (123.4, 2, "123"),
            (12_345.6, 3, "12,346"),
            (999.6, 3, "1,000"),
            (0.0, 3, "0"),
        ] {
            assert_eq!(significant(value, digits), text, "{value}");
        }
    }

    #[test]
    fn times_change_to_seconds_where_people_do() {
        assert_eq!(time(24.1, 3), "24.1 ms");
        assert_eq!(time(999.4, 3), "999 ms");
        assert_eq!(time(999.6, 3), "1.00 s");
        assert_eq!(time(1847.0, 3), "1.85 s");
        assert_eq!(time(0.000_4, 2), "0.40 us");
        assert_eq!(time(0.085, 2), "85 us");
        assert_eq!(time(0.103, 3), "0.103 ms");
        assert_eq!(time(0.0, 3), "0 ms");
    }

    #[test]
    fn what_is_exceeded_is_cut() {
        for (value, text) in [(24.97, "24"), (7.19, "7.1"), (123.9, "123"), (24.0, "24")] {
            assert_eq!(significant(cut(value, 2), 2), text);
        }
    }
}
