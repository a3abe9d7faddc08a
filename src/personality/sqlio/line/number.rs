//! How numbers are written: digits, with blanks before them, since `"-o 8"` comes as one argument
//! from scripts that quote it so.

use std::ops::RangeInclusive;

/// A whole number, called `what` in the message.
///
/// # Errors
/// A sentence with what was found and what would be accepted.
pub(crate) fn whole(text: &str, what: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let digits = text.trim_matches([' ', '\t']);
    let accepted = format!("a whole number from {} to {}", range.start(), range.end());
    if digits.is_empty() {
        return Err(format!(
            "{what} is missing: {accepted} follows without a blank"
        ));
    }
    // Anything longer than the digits of 64 bits does not fit either.
    let value = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten();
    value
        .filter(|value| range.contains(value))
        .ok_or_else(|| format!("{what} must be {accepted}, not '{digits}'"))
}

/// The same, where the range fits 32 bits.
///
/// # Errors
/// As those of [`whole`].
pub(crate) fn small(text: &str, what: &str, range: &RangeInclusive<u64>) -> Result<u32, String> {
    let value = whole(text, what, range)?;
    u32::try_from(value).map_err(|_| format!("{what} must be below 4294967296, not '{value}'"))
}

/// A mask of CPUs: decimal, or hex behind `0x`.
///
/// # Errors
/// A sentence with what was found and what would be accepted.
pub(crate) fn mask(text: &str) -> Result<u64, String> {
    let typed = text.trim_matches([' ', '\t']);
    let hex = typed
        .strip_prefix("0x")
        .or_else(|| typed.strip_prefix("0X"));
    let (digits, base) = hex.map_or((typed, 10), |digits| (digits, 16));
    let sound = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    sound
        .then(|| u64::from_str_radix(digits, base).ok())
        .flatten()
        .ok_or_else(|| {
            format!(
                "a CPU mask is a number of at most 64 bits, decimal or hex as in 0xf, not '{typed}'"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_alone_are_numbers() {
        for (text, value) in [("8", 8), (" 8", 8), ("\t8 ", 8), ("00256", 256), ("1", 1)] {
            assert_eq!(whole(text, "n", &(1..=256)), Ok(value), "{text}");
        }
        for text in [
            "0",
            "257",
            "-1",
            "+1",
            "0x8",
            "8k",
            "8 8",
            "1.0",
            "٣",
            "18446744073709551616",
            "99999999999999999999999",
        ] {
            let message = whole(text, "the number", &(1..=256)).unwrap_err();
            assert!(
                message.contains(text) && message.contains("from 1 to 256"),
                "{message}"
            );
        }
        let message = whole(" ", "the number", &(1..=256)).unwrap_err();
        assert!(message.starts_with("the number is missing"), "{message}");
        assert_eq!(
            whole("18446744073709551615", "n", &(0..=u64::MAX)),
            Ok(u64::MAX)
        );
        assert!(small("4294967296", "n", &(0..=u64::MAX)).is_err());
    }

    #[test]
    fn masks_have_two_bases() {
        for (text, value) in [
            ("0", 0),
            ("0x0", 0),
            ("15", 15),
            ("0xf", 15),
            ("0XfF", 255),
            ("0xffffffffffffffff", u64::MAX),
        ] {
            assert_eq!(mask(text), Ok(value), "{text}");
        }
        for text in ["", "0x", "f", "-1", "0x-1", "+1", "0x10000000000000000"] {
            assert!(mask(text).is_err(), "{text}");
        }
    }
}
