//! How the values of options are read, by the rules of either version.

use std::collections::BTreeMap;

use super::words::{Typed, escaped};
use crate::personality::{
    flags::Support,
    sysbench::{
        flags::{Kind, Row},
        options::Dialect,
    },
};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Of a number.
    Number(i64),
    /// Of a size.
    Size(Size),
    /// Of a switch.
    Switch(bool),
    /// Of a number with a point.
    Float(f64),
    /// Of a list.
    List(Vec<String>),
    /// Of a text.
    Text(String),
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// So many.
    Bytes(u64),
    /// More than 64 bits hold.
    Beyond,
}

/// A value that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// There is none.
    Missing,
    /// It is no number, or too large a one.
    Number {
        /// What would be right.
        right: &'static str,
    },
    /// It is neither on nor off.
    Switch,
}

/// The values of a line, by the names of their options; the last one counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Values(BTreeMap<&'static str, (Value, String)>);

impl Values {
    /// Takes a value in; one that is there is replaced.
    pub(crate) fn set(&mut self, row: &'static Row, value: Value, text: String) {
        self.0.insert(row.bare_name(), (value, text));
    }

    /// True if the option is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A value as typed.
    pub(crate) fn typed(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|(_, text)| text.as_str())
    }

    /// A number, where the option is there.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            (Value::Number(number), _) => Some(*number),
            _ => None,
        }
    }

    /// A size, where the option is there.
    pub(crate) fn size(&self, name: &str) -> Option<Size> {
        match self.0.get(name)? {
            (Value::Size(size), _) => Some(*size),
            _ => None,
        }
    }

    /// A switch.
    pub(crate) fn switch(&self, name: &str, default: bool) -> bool {
        match self.0.get(name) {
            Some((Value::Switch(on), _)) => *on,
            _ => default,
        }
    }

    /// A number with a point.
    pub(crate) fn float(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            (Value::Float(number), _) => Some(*number),
            _ => None,
        }
    }

    /// A list; empty if the option is not there.
    pub(crate) fn list(&self, name: &str) -> &[String] {
        match self.0.get(name) {
            Some((Value::List(list), _)) => list,
            _ => &[],
        }
    }

    /// A text, where the option is there.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            (Value::Text(text), _) => Some(text),
            _ => None,
        }
    }
}

/// Reads an option's value; with it, what of it was not read.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(
    row: &Row,
    typed: &Typed,
    dialect: Dialect,
) -> Result<(Value, Option<String>), Wrong> {
    let text = typed.value.as_deref();
    let whole = |value: Value| Ok((value, None));
    let idle = row.flag.support == Support::WithoutEffect;
    match (row.kind, text) {
        (Kind::Switch, text) => switch(text).map(|on| (Value::Switch(on), None)),
        // The one text that may be left out.
        (Kind::Text, None) if row.bare_name() == "forced-shutdown" => {
            whole(Value::Text("5%".to_owned()))
        }
        // An empty password is one.
        (Kind::Text | Kind::List, None) if idle => whole(Value::Text(String::new())),
        (_, None) => Err(Wrong::Missing),
        (Kind::Number, Some(text)) => {
            let (number, rest) = number(text, dialect)?;
            Ok((Value::Number(number), rest))
        }
        (Kind::Float, Some(text)) => {
            let (number, rest) = float(text)?;
            Ok((Value::Float(number), rest))
        }
        (Kind::Size, Some(text)) => whole(Value::Size(size(text))),
        (Kind::List, Some(text)) => {
            let words = text
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty());
            whole(Value::List(words.map(str::to_owned).collect()))
        }
        (Kind::Text, Some(text)) => whole(Value::Text(text.to_owned())),
    }
}

/// 0.4 takes only `on` for on and all else for off, without a word; the words of 1.0 mean the same
/// here for both, and others are refused. Alone the option is on.
pub(super) fn switch(text: Option<&str>) -> Result<bool, Wrong> {
    match text.unwrap_or("on") {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err(Wrong::Switch),
    }
}

const WHOLE: Wrong = Wrong::Number {
    right: "a whole number from 0 to 2147483647",
};

/// 1.0 wants the whole word; 0.4 reads the leading digits, but here there must be some.
fn number(text: &str, dialect: Dialect) -> Result<(i64, Option<String>), Wrong> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (read, rest) = text.split_at(text.len() - digits.len() + count);
    if count == 0 || (dialect == Dialect::V10 && !rest.is_empty()) {
        return Err(WHOLE);
    }
    let number: i32 = read.parse().map_err(|_| WHOLE)?;
    let unread = (!rest.is_empty()).then(|| format!("'{}' is read as {number}", escaped(text)));
    Ok((i64::from(number), unread))
}

/// Digits, then at most one letter for a power of 1024; what follows the letter is not looked at.
/// What is no size is 0, as in the originals, and is then refused as one.
fn size(text: &str) -> Size {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = text.split_at(count);
    let shift = match unit.chars().next() {
        None => 0,
        Some('K' | 'k') => 10,
        Some('M' | 'm') => 20,
        Some('G' | 'g') => 30,
        Some('T' | 't') => 40,
        Some(_) => return Size::Bytes(0),
    };
    if digits.is_empty() {
        return Size::Bytes(0);
    }
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .map_or(Size::Beyond, Size::Bytes)
}

/// The number that the text begins with.
fn float(text: &str) -> Result<(f64, Option<String>), Wrong> {
    let wrong = Wrong::Number {
        right: "a number, as in 1.5",
    };
    let length = float_length(text);
    let number: f64 = text[..length].parse().map_err(|_| wrong.clone())?;
    if !number.is_finite() {
        return Err(wrong);
    }
    let unread = (length < text.len()).then(|| format!("'{}' is read as {number}", escaped(text)));
    Ok((number, unread))
}

/// Bytes of the number that a text begins with: sign, digits, point, digits, exponent.
fn float_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = sign(0);
    end += digits(end);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let from = end + 1 + sign(end + 1);
        if digits(from) > 0 {
            end = from + digits(from);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_recorded_lines() {
        for (text, bytes) in [
            ("16M", Size::Bytes(16 << 20)),
            ("16m", Size::Bytes(16 << 20)),
            ("16MB", Size::Bytes(16 << 20)),
            ("1GiB", Size::Bytes(1 << 30)),
            ("16384", Size::Bytes(16384)),
            ("2T", Size::Bytes(2 << 40)),
            ("16X", Size::Bytes(0)),
            ("1.5M", Size::Bytes(0)),
            ("abc", Size::Bytes(0)),
            ("", Size::Bytes(0)),
            ("-1", Size::Bytes(0)),
            ("16777215T", Size::Bytes(16_777_215 << 40)),
            ("16777216T", Size::Beyond),
            ("18446744073709551615", Size::Bytes(u64::MAX)),
            ("18446744073709551616", Size::Beyond),
            ("100000000000000000000", Size::Beyond),
        ] {
            assert_eq!(size(text), bytes, "{text}");
        }
    }

    #[test]
    fn numbers_never_wrap() {
        for dialect in [Dialect::V04, Dialect::V10] {
            assert_eq!(number("2147483647", dialect), Ok((2_147_483_647, None)));
            assert_eq!(number("-1", dialect), Ok((-1, None)));
            for text in ["2147483648", "100000000000000000000", "abc", "", "-", "é"] {
                assert_eq!(number(text, dialect), Err(WHOLE), "{text}");
            }
        }
        assert_eq!(number("4x", Dialect::V10), Err(WHOLE));
        let (four, note) = number("4x", Dialect::V04).unwrap();
        assert_eq!((four, note.as_deref()), (4, Some("'4x' is read as 4")));
    }

    #[test]
    fn ratios_begin_with_a_number() {
        for (text, number) in [
            ("1.5", 1.5),
            ("3", 3.0),
            (".5", 0.5),
            ("-1", -1.0),
            ("2e1", 20.0),
        ] {
            assert_eq!(float(text), Ok((number, None)), "{text}");
        }
        let (two, note) = float("2:1").unwrap();
        assert!((two - 2.0).abs() < 1e-9 && note.is_some());
        assert_eq!(float("1e").unwrap().1.as_deref(), Some("'1e' is read as 1"));
        for text in ["", "abc", "nan", "inf", "1e999", ".", "-"] {
            assert!(float(text).is_err(), "{text}");
        }
    }
}
