//! The three number grammars of DiskSpd's command line: sizes, C integers, the seed.

use thiserror::Error;

/// What keeps a text from being a number of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum NumberError {
    /// A size without a digit in front.
    #[error("a size begins with a digit, as in 4096, 64K, 1M, 10G or 2b (blocks)")]
    NoDigits,
    /// A letter behind the digits that is no unit.
    #[error("'{0}' is no unit of size: K, M, G, T (1024 each) or b (blocks)")]
    UnknownSuffix(char),
    /// Something behind the unit.
    #[error("'{0}' is left over: a size is a whole number and one unit at most, as in 64K")]
    Trailing(String),
    /// The value does not fit.
    #[error("the size is 2^64 bytes or more")]
    SizeOverflow,
    /// The value does not fit.
    #[error("the number must be within -2147483648 and 2147483647")]
    IntOverflow,
    /// Strict reading only: the number does not take the whole text.
    #[error("'{0}' is no whole number")]
    NotWhole(String),
    /// Not a 32-bit number in digits.
    #[error("the seed is a whole number from 0 to 4294967295")]
    Seed,
}

/// Digits, then at most one of K, M, G, T, B in either case, then nothing.
pub(super) fn size(text: &str, block: u32) -> Result<u64, NumberError> {
    let (value, rest) = size_prefix(text, block)?;
    if rest.is_empty() {
        Ok(value)
    } else {
        Err(NumberError::Trailing(rest.to_owned()))
    }
}

/// A size at the start of a text, and what follows it. `:`, `,` and `/` end a size without a unit.
pub(super) fn size_prefix(text: &str, block: u32) -> Result<(u64, &str), NumberError> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 {
        return Err(NumberError::NoDigits);
    }
    let (number, rest) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| NumberError::SizeOverflow)?;
    let Some(suffix) = rest.chars().next() else {
        return Ok((number, rest));
    };
    let unit = match suffix.to_ascii_uppercase() {
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        'T' => 1 << 40,
        'B' => u64::from(block),
        ':' | ',' | '/' => return Ok((number, rest)),
        _ => return Err(NumberError::UnknownSuffix(suffix)),
    };
    let value = number.checked_mul(unit).ok_or(NumberError::SizeOverflow)?;
    Ok((value, &rest[suffix.len_utf8()..]))
}

/// A number as C's `atoi` reads it, and the text that it left unread.
///
/// `atoi` leaves a number that does not fit undefined; here it is an error.
pub(super) fn int(text: &str) -> Result<(i32, &str), NumberError> {
    let start = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let (negative, unsigned) = match start.as_bytes().first() {
        Some(b'-') => (true, &start[1..]),
        Some(b'+') => (false, &start[1..]),
        _ => (false, start),
    };
    let rest = unsigned.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &unsigned[..unsigned.len() - rest.len()];
    if digits.is_empty() {
        return Ok((0, text));
    }
    // One digit past the width of 64 bits is enough to know that it does not fit.
    let value: i64 = digits.parse().map_err(|_| NumberError::IntOverflow)?;
    let value = if negative { -value } else { value };
    let value = i32::try_from(value).map_err(|_| NumberError::IntOverflow)?;
    Ok((value, rest))
}

/// A number that must take the whole text: digits only.
pub(super) fn whole(text: &str) -> Result<i32, NumberError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::NotWhole(text.to_owned()));
    }
    int(text).map(|(value, _)| value)
}

/// The value of `-z`: a 32-bit number in base 10 that takes the whole text.
pub(super) fn seed(text: &str) -> Result<u32, NumberError> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_err(|_| NumberError::Seed)
    } else {
        Err(NumberError::Seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = 65536;

    #[test]
    fn sizes_take_one_unit_of_either_case() {
        for (text, value) in [
            ("0", 0),
            ("4096", 4096),
            ("64K", 64 << 10),
            ("64k", 64 << 10),
            ("3M", 3 << 20),
            ("1g", 1 << 30),
            ("2T", 2 << 40),
            ("2b", 131_072),
            ("2B", 131_072),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(size(text, BLOCK), Ok(value), "{text}");
        }
    }

    #[test]
    fn each_way_to_fail_has_its_own_error() {
        for (text, error) in [
            ("", NumberError::NoDigits),
            ("xyz", NumberError::NoDigits),
            ("-1", NumberError::NoDigits),
            ("K", NumberError::NoDigits),
            ("4Q", NumberError::UnknownSuffix('Q')),
            ("4\u{e9}", NumberError::UnknownSuffix('\u{e9}')),
            ("1.5G", NumberError::UnknownSuffix('.')),
            ("0x10", NumberError::UnknownSuffix('x')),
            ("4Kx", NumberError::Trailing("x".to_owned())),
            ("4KB", NumberError::Trailing("B".to_owned())),
            ("99999999999T", NumberError::SizeOverflow),
            ("18446744073709551616", NumberError::SizeOverflow),
            ("16777216T", NumberError::SizeOverflow),
        ] {
            assert_eq!(size(text, BLOCK), Err(error), "{text}");
        }
    }

    #[test]
    fn integers_are_read_as_atoi_reads_them() {
        for (text, value, rest) in [
            ("4", 4, ""),
            ("4xyz", 4, "xyz"),
            ("50%", 50, "%"),
            ("10s", 10, "s"),
            ("abc", 0, "abc"),
            ("", 0, ""),
            (" 7", 7, ""),
            ("-1", -1, ""),
            ("+9", 9, ""),
            ("2147483647", i32::MAX, ""),
            ("-2147483648", i32::MIN, ""),
            ("-", 0, "-"),
        ] {
            assert_eq!(int(text), Ok((value, rest)), "{text}");
        }
        for text in ["2147483648", "-2147483649", "99999999999999999999999"] {
            assert_eq!(int(text), Err(NumberError::IntOverflow), "{text}");
        }
    }

    #[test]
    fn a_seed_takes_the_whole_text() {
        assert_eq!(seed("4294967295"), Ok(u32::MAX));
        for text in ["4294967296", "abc", "1x", "-1", "0x1"] {
            assert_eq!(seed(text), Err(NumberError::Seed), "{text}");
        }
    }
}
