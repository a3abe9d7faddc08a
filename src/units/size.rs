//! Byte sizes: how we print them, and how our own options take them.

use std::fmt;

use super::number;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(pub u64);

const UNITS: [(u64, &str); 4] = [
    (1 << 40, "TiB"),
    (1 << 30, "GiB"),
    (1 << 20, "MiB"),
    (1 << 10, "KiB"),
];

impl ByteSize {
    /// The largest binary unit that is not above the value, and the value in it.
    pub fn in_unit(self) -> (f64, &'static str) {
        UNITS
            .iter()
            .find(|(unit, _)| self.0 >= *unit)
            .map_or((self.0 as f64, ""), |(unit, name)| {
                (self.0 as f64 / *unit as f64, name)
            })
    }

    /// True if the value is a whole number of its largest binary unit.
    pub fn is_whole(self) -> bool {
        UNITS
            .iter()
            .find(|(unit, _)| self.0 >= *unit)
            .is_none_or(|(unit, _)| self.0.is_multiple_of(*unit))
    }
}

/// `512`, `64KiB`, `1.46KiB`: the largest binary unit, whole or with two decimals.
impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = self.in_unit();
        if self.is_whole() {
            write!(f, "{value:.0}{unit}")
        } else {
            write!(f, "{value:.2}{unit}")
        }
    }
}

impl ByteSize {
    /// For sentences: `512 bytes`, `64 KiB`, `1.46 KiB`.
    pub fn words(self) -> String {
        const LARGER: [(u64, &str); 2] = [(1 << 60, "EiB"), (1 << 50, "PiB")];
        let found = LARGER
            .iter()
            .chain(&UNITS)
            .find(|(unit, _)| self.0 >= *unit);
        match found {
            None if self.0 == 1 => "1 byte".to_owned(),
            None => format!("{} bytes", self.0),
            Some((unit, name)) if self.0.is_multiple_of(*unit) => {
                format!("{} {name}", self.0 / unit)
            }
            Some((unit, name)) => format!("{:.2} {name}", self.0 as f64 / *unit as f64),
        }
    }
}

/// A size as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Typed {
    /// Bytes.
    pub bytes: u64,
    /// In which kind of unit it was typed.
    pub base: Base,
}

/// The two kinds of units that share their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Plain bytes, or k, Ki, KiB ... of 1024.
    Binary,
    /// kB, MB, GB, TB of 1000; holds what the binary reading would be.
    Decimal {
        /// Bytes if the unit were one of 1024.
        otherwise: u64,
    },
}

/// As large as files get on any system.
pub const SIZE_MAX: u64 = 1 << 62;

/// A size of our own options: `4096`, `4k`, `64KiB`, `10GB`, from `least` bytes on.
///
/// # Errors
/// What would be right, as the end of a sentence.
pub fn parse(text: &str, least: u64, most: u64) -> Result<Typed, String> {
    let right = || {
        format!(
            "a size from {} to {}, as in 4096, 4k, 64KiB or 10GB (k, M, G, T are powers of 1024; \
             MB, GB, TB are powers of 1000)",
            ByteSize(least).words(),
            ByteSize(most).words()
        )
    };
    let (digits, unit) = number::split(text);
    let (value, (power, base)) = number::digits(digits).zip(factor(unit)).ok_or_else(right)?;
    let scaled = |thousand: u128| {
        let bytes = value.checked_mul(thousand.pow(power))?;
        u64::try_from(bytes).ok()
    };
    let within = |bytes: &u64| (least..=most).contains(bytes);
    let bytes = scaled(base).filter(within).ok_or_else(right)?;
    let base = match base {
        1000 => Base::Decimal {
            otherwise: scaled(1024).filter(within).ok_or_else(right)?,
        },
        _ => Base::Binary,
    };
    Ok(Typed { bytes, base })
}

/// The power and the base that a unit stands for.
fn factor(unit: &str) -> Option<(u32, u128)> {
    let unit = unit.to_ascii_lowercase();
    let (prefix, base) = match unit.strip_suffix('b') {
        None => (unit.strip_suffix('i').unwrap_or(&unit), 1024),
        Some(rest) => match rest.strip_suffix('i') {
            Some(prefix) => (prefix, 1024),
            None if rest.is_empty() => ("", 1024),
            None => (rest, 1000),
        },
    };
    let power = match prefix {
        "" if unit.is_empty() || unit == "b" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return None,
    };
    Some((power, base))
}

/// The two readings of a decimal size, as a sentence; `None` for one that has one reading.
pub fn readings(text: &str, typed: Typed) -> Option<String> {
    let Base::Decimal { otherwise } = typed.base else {
        return None;
    };
    let bytes = typed.bytes;
    let binary = text.trim_end_matches(['b', 'B']);
    Some(format!(
        "{text} may be {bytes} or {otherwise} bytes: write {bytes} or {binary}"
    ))
}

/// What a decimal size comes to, for people who thought in the other one.
pub fn echo(text: &str, typed: Typed) -> Option<String> {
    match typed.base {
        Base::Binary => None,
        Base::Decimal { .. } => {
            let (digits, unit) = number::split(text);
            Some(format!(
                "{digits} {unit} = {}",
                ByteSize(typed.bytes).words()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::number::STRANGE;

    fn bytes(text: &str) -> u64 {
        parse(text, 0, SIZE_MAX).unwrap().bytes
    }

    #[test]
    fn letters_are_powers_of_1024_and_with_a_b_of_1000() {
        for (text, expected) in [
            ("0", 0),
            ("512", 512),
            ("512B", 512),
            ("4k", 4096),
            ("4K", 4096),
            ("4Ki", 4096),
            ("4KiB", 4096),
            ("4kB", 4000),
            ("64M", 67_108_864),
            ("64MiB", 67_108_864),
            ("10GB", 10_000_000_000),
            ("2G", 2_147_483_648),
            ("1T", 1_099_511_627_776),
            ("1TB", 1_000_000_000_000),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }

    #[test]
    fn a_decimal_size_is_echoed() {
        // 10^10 / 2^30 = 9.3132.
        let typed = parse("10GB", 1, SIZE_MAX).unwrap();
        assert_eq!(echo("10GB", typed).unwrap(), "10 GB = 9.31 GiB");
        let otherwise = 10 << 30;
        assert_eq!(typed.base, Base::Decimal { otherwise });
        assert_eq!(echo("10G", parse("10G", 1, SIZE_MAX).unwrap()), None);
    }

    #[test]
    fn anything_else_is_told_with_its_range() {
        let beyond = [
            "0",
            "9223372036854775808",
            "8388608T",
            "4i",
            "ib",
            "k",
            "4kk",
            "50%",
        ];
        for text in STRANGE.iter().chain(&beyond) {
            let right = parse(text, 1, SIZE_MAX).unwrap_err();
            assert!(right.contains("from 1 byte to 4 EiB"), "{text}: {right}");
        }
    }

    #[test]
    fn prints_the_largest_unit_whole_or_with_two_decimals() {
        // Expected values from recorded DiskSpd reports.
        for (bytes, text) in [
            (0, "0"),
            (512, "512"),
            (1500, "1.46KiB"),
            (65536, "64KiB"),
            (1 << 20, "1MiB"),
            (1_572_864, "1.50MiB"),
            (5 << 30, "5GiB"),
            (3 << 40, "3TiB"),
        ] {
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
    }
}
