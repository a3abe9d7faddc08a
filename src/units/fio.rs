//! Sizes and times as fio's options take them, for options that we have under fio's names.

use std::time::Duration;

use super::{
    number,
    size::SIZE_MAX,
    time::{self, LONGEST},
};

/// A size of fio: `k`, `m`, `g`, `t` (or `kb` ...) are powers of 1024 as long as nobody changes its
/// `kb_base`.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn size(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let most = most.min(SIZE_MAX);
    let right = || {
        format!(
            "a size of fio from {least} to {most} bytes, as in 4096, 4k or 10m (k, m, g, t are \
             powers of 1024)"
        )
    };
    if text.ends_with('%') {
        return Err(
            "a size of fio in bytes, as in 4096, 4k or 10m: percentages are not supported"
                .to_owned(),
        );
    }
    let (digits, unit) = number::split(text);
    let unit = unit.to_ascii_lowercase();
    if unit.strip_suffix('b').unwrap_or(&unit).ends_with('i') {
        return Err(format!(
            "without an i: fio itself reads {unit} as a power of 1000 unless its kb_base is set; \
             write {digits}{} for powers of 1024",
            unit.chars().next().unwrap_or('k')
        ));
    }
    let power = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" => 1,
        "m" | "mb" => 2,
        "g" | "gb" => 3,
        "t" | "tb" => 4,
        _ => return Err(right()),
    };
    number::digits(digits)
        .and_then(|value| value.checked_mul(1024_u128.pow(power)))
        .and_then(|bytes| u64::try_from(bytes).ok())
        .filter(|bytes| (least..=most).contains(bytes))
        .ok_or_else(right)
}

/// A time of fio, whose plain numbers are seconds.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn time(text: &str, least: Duration) -> Result<Duration, String> {
    scaled(text, "s")
        .filter(|time| *time >= least)
        .ok_or_else(|| {
            format!(
                "a time of fio from {} to 366d: seconds, or a number with d, h, m, s, ms or us",
                time::words(least)
            )
        })
}

/// A time of fio, whose plain numbers are microseconds.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn microseconds(text: &str) -> Result<Duration, String> {
    scaled(text, "us").ok_or_else(|| {
        "a time of fio from 0 to 366d: microseconds, or a number with d, h, m, s, ms or us"
            .to_owned()
    })
}

fn scaled(text: &str, default: &str) -> Option<Duration> {
    let (digits, unit) = number::split(text);
    let unit = if unit.is_empty() {
        default.to_owned()
    } else {
        unit.to_ascii_lowercase()
    };
    let ns: u64 = match unit.as_str() {
        "d" => 86_400_000_000_000,
        "h" => 3_600_000_000_000,
        "m" => 60_000_000_000,
        "s" => 1_000_000_000,
        "ms" | "msec" => 1_000_000,
        "us" | "usec" => 1_000,
        _ => return None,
    };
    let value = u64::try_from(number::digits(digits)?).ok()?;
    Some(Duration::from_nanos(value.checked_mul(ns)?)).filter(|time| *time <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::number::STRANGE;

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, bytes) in [
            ("4096", 4096),
            ("4k", 4096),
            ("4KB", 4096),
            ("10m", 10_485_760),
        ] {
            assert_eq!(size(text, 1, SIZE_MAX), Ok(bytes));
        }
        for text in STRANGE.iter().chain(&["0", "50%", "4ki", "4kib"]) {
            assert!(size(text, 1, SIZE_MAX).is_err(), "{text}");
        }
        assert!(size("4ki", 1, SIZE_MAX).unwrap_err().contains("write 4k"));
        assert!(size("50%", 1, SIZE_MAX).unwrap_err().contains("percent"));
    }

    #[test]
    fn plain_numbers_are_seconds_or_microseconds() {
        let least = Duration::from_millis(1);
        for (text, ms) in [
            ("60", 60_000),
            ("60s", 60_000),
            ("2m", 120_000),
            ("500ms", 500),
        ] {
            assert_eq!(time(text, least), Ok(Duration::from_millis(ms)));
        }
        assert_eq!(microseconds("250"), Ok(Duration::from_micros(250)));
        assert_eq!(microseconds("2ms"), Ok(Duration::from_millis(2)));
        for text in STRANGE.iter().chain(&["0", "5x", "400d"]) {
            let right = time(text, least).unwrap_err();
            assert!(right.contains("from 1ms to 366d"), "{text}");
        }
    }
}
