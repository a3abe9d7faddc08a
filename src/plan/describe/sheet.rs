//! Aligned lines of at most 100 columns.

use std::fmt::Write as _;

use crate::units::ByteSize;

/// Columns of a line.
const WIDTH: usize = 100;
/// Columns of the names on the left.
const NAME: usize = 14;

/// A text that grows line by line.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    text: String,
}

impl Sheet {
    /// A line of its own, after an empty one.
    pub(super) fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.wrap(text, 0, "");
    }

    /// A name and what it is, `depth` levels in.
    pub(super) fn entry(&mut self, depth: usize, name: &str, text: &str) {
        let indent = "  ".repeat(depth);
        // Names line up whatever the level.
        let width = NAME.saturating_sub(indent.len());
        self.wrap(
            text,
            indent.len() + width + 1,
            &format!("{indent}{name:<width$} "),
        );
    }

    /// Sets words behind `first`; lines that follow begin at column `hang`. A word is never cut:
    /// paths stay whole, so that they can be copied.
    fn wrap(&mut self, text: &str, hang: usize, first: &str) {
        let mut line = first.to_owned();
        let mut bare = true;
        for word in text.split(' ') {
            if !bare && line.chars().count() + 1 + word.chars().count() > WIDTH {
                let _ = writeln!(self.text, "{}", line.trim_end());
                line = " ".repeat(hang);
                bare = true;
            }
            if !bare {
                line.push(' ');
            }
            line.push_str(word);
            bare = false;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// `1,048,576`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1,048,576 bytes (1 MiB)`; below 1 KiB without the unit.
pub(super) fn bytes(number: u64) -> String {
    if number < 1024 {
        return plural(number, "byte");
    }
    format!("{} bytes ({})", grouped(number), size(number))
}

/// `64 KiB`, `1.46 KiB`, `512 bytes`.
pub(super) fn size(number: u64) -> String {
    let size = ByteSize(number);
    match size.in_unit() {
        (_, "") => plural(number, "byte"),
        (value, unit) if size.is_whole() => format!("{value:.0} {unit}"),
        (value, unit) => format!("{value:.2} {unit}"),
    }
}

/// `1 byte`, `2 bytes`.
pub(super) fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::{Sheet, bytes, grouped, plural, size};

    #[test]
    fn numbers_are_grouped_and_sized() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_073_741_824), "1,073,741,824");
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(1 << 30), "1,073,741,824 bytes (1 GiB)");
        assert_eq!(size(1500), "1.46 KiB");
        assert_eq!(plural(1, "thread"), "1 thread");
    }

    #[test]
    fn long_texts_hang_under_their_beginning() {
        let mut sheet = Sheet::default();
        sheet.entry(1, "name", &"word ".repeat(40));
        let text = sheet.finish();
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        assert!(text.starts_with("  name         word word"), "{text}");
        assert!(
            text.lines()
                .nth(1)
                .expect("a line")
                .starts_with("               word")
        );
    }
}
