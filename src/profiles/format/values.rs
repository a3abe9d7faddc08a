//! Values of a workload's file that have a grammar of their own: bytes, times, threads.

use std::{fmt, time::Duration};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected, Visitor},
};

use super::Threads;

/// Bytes: a whole number, or one with a unit of 1024s ("64KiB").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// A time with its unit: "20ms", "60s".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

/// Takes a whole number and one of these units off a text.
fn in_units(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text[..digits].parse().ok()?;
    let (_, unit) = units.iter().find(|(name, _)| *name == &text[digits..])?;
    number.checked_mul(*unit)
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes: a whole number, or one with KiB, MiB or GiB in quotes (\"64KiB\")")
    }

    fn visit_i64<E: Error>(self, bytes: i64) -> Result<Bytes, E> {
        u64::try_from(bytes)
            .map(Bytes)
            .map_err(|_| E::invalid_value(Unexpected::Signed(bytes), &self))
    }

    fn visit_u64<E: Error>(self, bytes: u64) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        in_units(
            text,
            &[("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)],
        )
        .map(Bytes)
        .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BytesVisitor)
    }
}

struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time in quotes with ms or s (\"20ms\", \"60s\")")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Span, E> {
        in_units(text, &[("ms", 1), ("s", 1000)])
            .map(|ms| Span(Duration::from_millis(ms)))
            .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(SpanVisitor)
    }
}

struct ThreadsVisitor;

impl Visitor<'_> for ThreadsVisitor {
    type Value = Threads;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "threads: a whole number, or \"maxdop\", \"sockets\", \"numa-nodes\" or \
             \"log-writers\"",
        )
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Threads, E> {
        u32::try_from(number)
            .map(Threads::Fixed)
            .map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Threads, E> {
        match word {
            "maxdop" => Ok(Threads::MaxDop),
            "sockets" => Ok(Threads::Sockets),
            "numa-nodes" => Ok(Threads::NumaNodes),
            "log-writers" => Ok(Threads::LogWriters),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Threads {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ThreadsVisitor)
    }
}
