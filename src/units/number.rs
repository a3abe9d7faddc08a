//! Whole numbers: digits and nothing else, within a range that messages name.

/// A whole number from `least` to `most`.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn within(text: &str, least: u64, most: u64) -> Result<u64, String> {
    digits(text)
        .and_then(|value| u64::try_from(value).ok())
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| format!("a whole number from {least} to {most}"))
}

/// A number with decimals, written plainly, from `least` to `most`: `0.99`.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn decimal(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    text.parse()
        .ok()
        .filter(|_| digits(whole).is_some() && digits(decimals).is_some())
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("a number from {least} to {most}"))
}

/// The number that digits make; `None` for anything else, and beyond 128 bits.
pub(super) fn digits(text: &str) -> Option<u128> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// The digits that a text begins with, and what follows them.
pub(super) fn split(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

/// What no numeric option takes: for tests of all of them.
#[cfg(test)]
pub(crate) const STRANGE: &[&str] = &[
    "",
    "-1",
    "4X",
    "1e3",
    "0x10",
    "1.5.2",
    " 1",
    "+1",
    "18446744073709551616",
    "100000000000000000000",
    "99999999999999999999999999999999999999999999",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_digits_within_its_range() {
        assert_eq!(within("7", 1, 7), Ok(7));
        assert_eq!(within("007", 1, 7), Ok(7));
        assert_eq!(within("18446744073709551615", 0, u64::MAX), Ok(u64::MAX));
        for text in STRANGE.iter().chain(&["0", "8"]) {
            let right = within(text, 1, 7).unwrap_err();
            assert_eq!(right, "a whole number from 1 to 7", "{text}");
        }
    }

    #[test]
    fn a_decimal_number_is_written_plainly() {
        for (text, number) in [("0.99", 0.99), ("7", 7.0), ("0.5", 0.5), ("00.50", 0.5)] {
            assert_eq!(decimal(text, 0.5, 7.0), Ok(number));
        }
        let others = [
            "0", "8", "7.01", ".5", "1.", "nan", "inf", "-0.5", "1e0", "0,5",
        ];
        for text in STRANGE.iter().chain(&others) {
            let right = decimal(text, 0.5, 7.0).unwrap_err();
            assert_eq!(right, "a number from 0.5 to 7", "{text}");
        }
    }
}
