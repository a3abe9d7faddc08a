//! Values that people write: bytes with a unit, times with a unit, whole numbers, names of files.
//!
//! TOML's own integers end at 2^63; larger numbers are written as text, and every number may be.

use std::{fmt, path::PathBuf, time::Duration};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Visitor},
    ser,
};

use crate::units::names::shown;

/// Times at most: as many seconds as the faces can say. What is below overflows nowhere.
pub(super) const SECONDS_MAX: u64 = u32::MAX as u64;

/// An unsigned number of the plan's vocabulary.
pub(super) trait Unsigned: Copy {
    const MAX: u64;
    fn wide(self) -> u64;
    /// `None` beyond its range.
    fn narrow(value: u64) -> Option<Self>;
}

impl Unsigned for u32 {
    const MAX: u64 = u32::MAX as u64;

    fn wide(self) -> u64 {
        self.into()
    }

    fn narrow(value: u64) -> Option<Self> {
        value.try_into().ok()
    }
}

impl Unsigned for u64 {
    const MAX: u64 = u64::MAX;

    fn wide(self) -> u64 {
        self
    }

    fn narrow(value: u64) -> Option<Self> {
        Some(value)
    }
}

impl Unsigned for usize {
    const MAX: u64 = u32::MAX as u64;

    fn wide(self) -> u64 {
        self as u64
    }

    fn narrow(value: u64) -> Option<Self> {
        // The same on every system.
        u32::try_from(value).ok()?.try_into().ok()
    }
}

/// A whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Count<T>(pub(super) T);

/// A number of bytes: `65536` or `"64KiB"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bytes<T>(pub(super) T);

/// A length of time: `"5s"`, `"250ms"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Time(pub(super) Duration);

/// The name of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Name(pub(super) PathBuf);

impl<T> From<T> for Count<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<Count<u32>> for u32 {
    fn from(count: Count<u32>) -> Self {
        count.0
    }
}

impl From<Count<u64>> for u64 {
    fn from(count: Count<u64>) -> Self {
        count.0
    }
}

impl<T> From<T> for Bytes<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<Bytes<u32>> for u32 {
    fn from(bytes: Bytes<u32>) -> Self {
        bytes.0
    }
}

impl From<Bytes<u64>> for u64 {
    fn from(bytes: Bytes<u64>) -> Self {
        bytes.0
    }
}

impl From<Duration> for Time {
    fn from(value: Duration) -> Self {
        Self(value)
    }
}

impl From<Time> for Duration {
    fn from(time: Time) -> Self {
        time.0
    }
}

impl From<PathBuf> for Name {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl From<Name> for PathBuf {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl<T: Unsigned> Serialize for Count<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0.wide()) {
            Ok(number) => to.serialize_i64(number),
            Err(_) => to.collect_str(&self.0.wide()),
        }
    }
}

impl<T: Unsigned> Serialize for Bytes<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let bytes = self.0.wide();
        let whole = SIZES
            .iter()
            .find(|(name, unit)| name.ends_with("iB") && bytes != 0 && bytes.is_multiple_of(*unit));
        match whole {
            Some((name, unit)) => to.collect_str(&format_args!("{}{name}", bytes / unit)),
            None => Count(bytes).serialize(to),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let ns = self.0.as_nanos();
        let whole = |(_, unit): &&(&str, u128)| ns.is_multiple_of(*unit);
        // The largest of the short names; 0 is 0s.
        let (name, unit) = TIMES[2..].iter().find(whole).unwrap_or(&("ns", 1));
        to.collect_str(&format_args!("{}{name}", ns / unit))
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(name) => to.serialize_str(name),
            None => Err(ser::Error::custom(format_args!(
                "the name of the file {} is not valid UTF-8, which a plan file cannot hold: give \
                 the file another name, or a link to it",
                shown(self.0.as_os_str())
            ))),
        }
    }
}

impl<'de, T: Unsigned> Deserialize<'de> for Count<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let expected = format!("a whole number from 0 to {}", T::MAX);
        let number = from.deserialize_any(Numeric {
            expected,
            text: |text| whole(text, &[("", 1)]),
        })?;
        T::narrow(number).map(Self).ok_or_else(|| {
            de::Error::custom(format_args!(
                "{number} is too much: a whole number from 0 to {} is right",
                T::MAX
            ))
        })
    }
}

impl<'de, T: Unsigned> Deserialize<'de> for Bytes<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let expected = format!(
            "bytes from 0 to {}, as a number or as text such as \"64KiB\"",
            T::MAX
        );
        let number = from.deserialize_any(Numeric {
            expected,
            text: |text| whole(text, SIZES),
        })?;
        T::narrow(number).map(Self).ok_or_else(|| {
            de::Error::custom(format_args!(
                "{number} bytes are too many: 0 to {} are right",
                T::MAX
            ))
        })
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TimeVisitor)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        if name.is_empty() || name.contains('\0') {
            return Err(de::Error::custom(
                "a file has a name, which is not empty and has no NUL in it",
            ));
        }
        Ok(Self(name.into()))
    }
}

/// Names of sizes, largest first; those that end in `iB` are written.
const SIZES: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("Ti", 1 << 40),
    ("Gi", 1 << 30),
    ("Mi", 1 << 20),
    ("Ki", 1 << 10),
    ("T", 1 << 40),
    ("G", 1 << 30),
    ("M", 1 << 20),
    ("K", 1 << 10),
    ("k", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("B", 1),
    ("", 1),
];

/// Names of times, longest first; those behind the first two are written.
const TIMES: &[(&str, u128)] = &[
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Digits and one of the units. `Err` is the end of a sentence.
fn whole(text: &str, units: &[(&str, u64)]) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let name = text.get(digits.len()..).unwrap_or_default().trim_start();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("is none");
    }
    if name == "kB" {
        return Err("may be 1000 or 1024 bytes each: write KiB, or the bytes");
    }
    let (_, unit) = units
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or("is none")?;
    let number: u64 = digits.parse().map_err(|_| "is too much")?;
    number.checked_mul(*unit).ok_or("is too much")
}

/// `1.5s`; exact to the nanosecond.
fn time(text: &str) -> Option<Duration> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let name = text.get(number.len()..)?;
    let (_, unit) = TIMES.iter().find(|(known, _)| *known == name)?;
    let number = number.trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // 12 digits of an hour are less than a nanosecond.
    if !digits(whole) || !digits(fraction) || fraction.len() > 12 {
        return None;
    }
    let scale = 10_u128.pow(fraction.len() as u32);
    let parts = fraction.parse::<u128>().ok()?.checked_mul(*unit)?;
    if !parts.is_multiple_of(scale) {
        return None;
    }
    let ns = whole.parse::<u128>().ok()?.checked_mul(*unit)? + parts / scale;
    let seconds = u64::try_from(ns / 1_000_000_000).ok()?;
    (seconds <= SECONDS_MAX).then(|| Duration::new(seconds, (ns % 1_000_000_000) as u32))
}

/// Numbers, and text that stands for one.
struct Numeric {
    expected: String,
    text: fn(&str) -> Result<u64, &'static str>,
}

impl Visitor<'_> for Numeric {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<u64, E> {
        u64::try_from(value).map_err(|_| {
            de::Error::custom(format_args!(
                "{value} is below 0: {} is right",
                self.expected
            ))
        })
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<u64, E> {
        (self.text)(value).map_err(|why| {
            let shown = shown(value.as_ref());
            de::Error::custom(format_args!("'{shown}' {why}: {} is right", self.expected))
        })
    }
}

struct TimeVisitor;

impl Visitor<'_> for TimeVisitor {
    type Value = Time;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time with its unit such as \"5s\" or \"250ms\"")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Time, E> {
        time(value).map(Time).ok_or_else(|| {
            let shown = shown(value.as_ref());
            de::Error::custom(format_args!(
                "'{shown}' is no time: a number with ns, us, ms, s, m or h such as \"5s\" is \
                 right, at most {SECONDS_MAX}s"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        for (text, bytes) in [
            ("0", 0),
            ("512B", 512),
            ("64KiB", 65536),
            ("64k", 65536),
            ("1 MiB", 1 << 20),
            ("10GB", 10_000_000_000),
            ("16777215TiB", 16_777_215 << 40),
        ] {
            assert_eq!(whole(text, SIZES), Ok(bytes), "{text}");
        }
        for text in ["", "-1", "4X", "1e3", "0x10", "KiB", "1.5K", "4 K B", "４"] {
            assert_eq!(whole(text, SIZES), Err("is none"), "{text}");
        }
        for text in [
            "16777216TiB",
            "18446744073709551616",
            "100000000000000000000",
        ] {
            assert_eq!(whole(text, SIZES), Err("is too much"), "{text}");
        }
        assert!(whole("4kB", SIZES).unwrap_err().contains("KiB"));
    }

    #[test]
    fn times_need_a_unit_and_are_exact() {
        let ns = Duration::from_nanos;
        for (text, wanted) in [
            ("5s", ns(5_000_000_000)),
            ("250ms", ns(250_000_000)),
            ("1.5s", ns(1_500_000_000)),
            ("0.000000001s", ns(1)),
            ("2m", ns(120_000_000_000)),
            ("1h", ns(3_600_000_000_000)),
            ("0s", ns(0)),
            ("4294967295s", Duration::from_secs(4_294_967_295)),
        ] {
            assert_eq!(time(text), Some(wanted), "{text}");
        }
        for text in [
            "5",
            "",
            "s",
            "-1s",
            "1.s",
            ".5s",
            "0.0000000001s",
            "4294967296s",
            "1e3s",
            "5min",
            "340282366920938463463374607431768211456s",
        ] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
