//! Numbers for people: grouped digits, about three of them that count.

use std::time::Duration;

use crate::units::words::grouped;

/// What stands where there is no figure.
const NONE: &str = "-";

/// Numbers from here on are written with a letter or an exponent, so that columns hold.
const LARGE: f64 = 9_999_999.5;

/// About three digits that count: `0.05`, `1.25`, `12.3`, `92,310`, `12.3M`. What is no number is `-`.
pub fn amount(value: f64) -> String {
    if !value.is_finite() || value < 0.0 {
        return NONE.to_owned();
    }
    match value {
        0.0 => "0".to_owned(),
        // Rounded, these would have a digit more.
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v if v < LARGE => grouped(v.round() as u64),
        v => large(v),
    }
}

/// `123M`, `1.50G`, `1.2e30`.
fn large(value: f64) -> String {
    let units = [
        (1e18, "E"),
        (1e15, "P"),
        (1e12, "T"),
        (1e9, "G"),
        (1e6, "M"),
    ];
    if value >= 999.5e18 {
        return format!("{value:.1e}");
    }
    let fit = units.into_iter().find(|(unit, _)| value >= *unit);
    let (unit, letter) = fit.unwrap_or((1.0, ""));
    match value / unit {
        v if v < 9.995 => format!("{v:.2}{letter}"),
        v if v < 99.95 => format!("{v:.1}{letter}"),
        v => format!("{v:.0}{letter}"),
    }
}

/// A whole number, grouped: `92,310`.
pub fn whole(value: f64) -> String {
    if value.is_finite() && (0.0..LARGE).contains(&value) {
        grouped(value.round() as u64)
    } else {
        amount(value)
    }
}

/// A share: `2.5 %`, `23 %`.
pub fn percent(value: f64) -> String {
    if value < 9.95 {
        format!("{value:.1} %")
    } else {
        format!("{} %", whole(value))
    }
}

/// The unit of the latencies of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatencyUnit {
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
}

impl LatencyUnit {
    /// The unit in which the smallest of these means, in milliseconds, is well told.
    pub fn for_means(means_ms: impl Iterator<Item = f64>) -> Self {
        match means_ms.min_by(f64::total_cmp) {
            Some(least) if least < 0.1 => Self::Us,
            _ => Self::Ms,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Us => "us",
            Self::Ms => "ms",
        }
    }

    /// A latency, given in milliseconds, without the unit.
    pub fn show(self, ms: Option<f64>) -> String {
        let Some(ms) = ms.filter(|ms| ms.is_finite()) else {
            return NONE.to_owned();
        };
        match self {
            Self::Us => amount(ms * 1000.0),
            Self::Ms if ms < 0.9995 => format!("{ms:.3}"),
            Self::Ms => amount(ms),
        }
    }
}

/// A single latency with its unit: `58 us`, `2.10 ms`, `1.85 s`.
pub fn milliseconds(ms: f64) -> String {
    match ms {
        ms if !ms.is_finite() => NONE.to_owned(),
        ms if ms < 0.00995 => format!("{:.2} us", ms * 1000.0),
        ms if ms < 0.9995 => format!("{:.0} us", ms * 1000.0),
        ms if ms < 999.5 => format!("{} ms", amount(ms)),
        ms => format!("{} s", amount(ms / 1000.0)),
    }
}

/// A latency that is held against a mark in milliseconds: `0.8 ms`, `3.1 ms`, `12 ms`.
pub fn in_milliseconds(ms: f64) -> String {
    match ms {
        ms if !ms.is_finite() => NONE.to_owned(),
        ms if ms < 0.095 => format!("{ms:.2} ms"),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms => format!("{} ms", whole(ms)),
    }
}

/// A length of time: `250 ms`, `12.3 s`, `30 s`, `22 min`, `5 h 10 min`, `3 days 4 h`.
pub fn span_of_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let minutes = (seconds / 60.0).round() as u64;
    match seconds {
        s if s < 0.9995 => milliseconds(s * 1000.0),
        s if s < 59.95 && time.subsec_nanos() == 0 => format!("{s:.0} s"),
        s if s < 59.95 => format!("{s:.1} s"),
        // Minutes alone are too coarse here.
        s if s < 599.5 => {
            let whole = s.round() as u64;
            match whole % 60 {
                0 => format!("{} min", whole / 60),
                rest => format!("{} min {rest} s", whole / 60),
            }
        }
        s if s < 3570.0 => format!("{minutes} min"),
        s if s < 86_370.0 => match minutes % 60 {
            0 => format!("{} h", minutes / 60),
            rest => format!("{} h {rest} min", minutes / 60),
        },
        s => {
            let hours = (s / 3600.0).round() as u64;
            let days = match hours / 24 {
                1 => "1 day".to_owned(),
                more => format!("{} days", grouped(more)),
            };
            match hours % 24 {
                0 => days,
                rest => format!("{days} {rest} h"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LatencyUnit, amount, in_milliseconds, milliseconds, percent, span_of_time, whole};

    #[test]
    fn three_digits_that_count() {
        for (value, text) in [
            (0.0, "0"),
            (0.046, "0.05"),
            (1.25, "1.25"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (99.96, "100"),
            (92_310.4, "92,310"),
            (9_999_999.4, "9,999,999"),
            (9_999_999.5, "10.0M"),
            (123_456_789.0, "123M"),
            (1.5e9, "1.50G"),
            (1.844e19, "18.4E"),
            (1.2e30, "1.2e30"),
            (f64::NAN, "-"),
            (f64::INFINITY, "-"),
            (-1.0, "-"),
        ] {
            assert_eq!(amount(value), text, "{value}");
        }
        assert_eq!(whole(99.6), "100");
        assert_eq!(whole(1e9), "1.00G");
        assert_eq!(percent(2.54), "2.5 %");
        assert_eq!(percent(23.4), "23 %");
    }

    #[test]
    fn latencies_by_unit() {
        let unit = |means: &[f64]| LatencyUnit::for_means(means.iter().copied());
        assert_eq!(unit(&[0.058, 2.0]), LatencyUnit::Us);
        assert_eq!(unit(&[0.3, 2.0]), LatencyUnit::Ms);
        assert_eq!(unit(&[]), LatencyUnit::Ms);
        let us = |ms| LatencyUnit::Us.show(Some(ms));
        assert_eq!((us(0.058).as_str(), us(8.31).as_str()), ("58.0", "8,310"));
        let ms = |ms| LatencyUnit::Ms.show(Some(ms));
        assert_eq!(ms(0.346), "0.346");
        assert_eq!(ms(0.9999), "1.00");
        assert_eq!(ms(12.34), "12.3");
        assert_eq!(LatencyUnit::Ms.show(None), "-");
        assert_eq!(LatencyUnit::Us.show(Some(f64::NAN)), "-");
    }

    #[test]
    fn a_latency_alone_has_its_unit() {
        for (ms, text) in [
            (0.0005, "0.50 us"),
            (0.058, "58 us"),
            (0.1, "100 us"),
            (0.9996, "1.00 ms"),
            (2.1, "2.10 ms"),
            (71.0, "71.0 ms"),
            (1850.0, "1.85 s"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(milliseconds(ms), text);
        }
    }

    #[test]
    fn a_latency_beside_its_mark() {
        for (ms, text) in [
            (0.046, "0.05 ms"),
            (0.8, "0.8 ms"),
            (9.96, "10 ms"),
            (12.4, "12 ms"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(in_milliseconds(ms), text);
        }
    }

    #[test]
    fn times_in_words() {
        for (ms, text) in [
            (0, "0.00 us"),
            (250, "250 ms"),
            (30_000, "30 s"),
            (12_345, "12.3 s"),
            (90_000, "1 min 30 s"),
            (120_000, "2 min"),
            (1_320_000, "22 min"),
            (3_600_000, "1 h"),
            (18_600_000, "5 h 10 min"),
            (86_400_000, "1 day"),
            (273_600_000, "3 days 4 h"),
        ] {
            assert_eq!(span_of_time(Duration::from_millis(ms)), text);
        }
        assert!(span_of_time(Duration::MAX).ends_with('h'));
    }
}
