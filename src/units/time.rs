//! Times of our own options: a number with its unit, or several, largest first.

use std::time::Duration;

use super::number;

/// Units, largest first, in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
];

/// The longest time of any option.
pub const LONGEST: Duration = Duration::from_hours(366 * 24);

/// A time: `250ms`, `30s`, `1m30s`, `2h`, from `least` to a year.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn parse(text: &str, least: Duration) -> Result<Duration, String> {
    nanoseconds(text)
        .map(Duration::from_nanos)
        .filter(|time| (least..=LONGEST).contains(time))
        .ok_or_else(|| {
            format!(
                "a time with its unit from {} to 366d, as in 250ms, 30s, 1m30s or 2h",
                words(least)
            )
        })
}

fn nanoseconds(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut sum: u64 = 0;
    let mut largest = UNITS.len() + 1;
    while !rest.is_empty() {
        let (digits, after) = number::split(rest);
        let end = after
            .bytes()
            .position(|byte| byte.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let at = UNITS.iter().position(|(name, _)| *name == unit)?;
        // Each unit once, and smaller than the one before it.
        if largest <= UNITS.len() && at <= largest {
            return None;
        }
        largest = at;
        let value = u64::try_from(number::digits(digits)?).ok()?;
        sum = sum.checked_add(value.checked_mul(UNITS[at].1)?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(sum)
}

/// `0s`, `250ms`, `1m30s`: as it would be typed.
pub fn words(time: Duration) -> String {
    let mut left = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let mut text = String::new();
    for (unit, ns) in UNITS {
        let count = left / ns;
        left %= ns;
        if count > 0 {
            text += &count.to_string();
            text += unit;
        }
    }
    if text.is_empty() {
        "0s".to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::number::STRANGE;

    #[test]
    fn times_have_units() {
        for (text, ms) in [
            ("0s", 0),
            ("250ms", 250),
            ("30s", 30_000),
            ("1m30s", 90_000),
            ("2h", 7_200_000),
            ("1d12h", 129_600_000),
        ] {
            let time = parse(text, Duration::ZERO).unwrap();
            assert_eq!(time, Duration::from_millis(ms), "{text}");
            assert_eq!(words(time), text);
        }
    }

    #[test]
    fn anything_else_is_told_with_its_range() {
        let wrong = [
            "60",
            "s",
            "1s1m",
            "1s2s",
            "1m 30s",
            "367d",
            "0s",
            "5x",
            "9999999999999999d",
        ];
        for text in STRANGE.iter().chain(&wrong) {
            let right = parse(text, Duration::from_millis(1)).unwrap_err();
            assert!(right.contains("from 1ms to 366d"), "{text}: {right}");
        }
    }
}
