//! Aligned lines of some columns at most.

use std::fmt::Write as _;

pub(super) use crate::units::words::{bytes, grouped, plural, size};

/// Columns of the names on the left.
const NAME: usize = 14;

/// A text that grows line by line.
#[derive(Debug)]
pub(super) struct Sheet {
    text: String,
    /// Columns of a line.
    width: usize,
}

impl Sheet {
    /// An empty one, with lines of at most so many columns.
    pub(super) fn new(width: usize) -> Self {
        Self {
            text: String::new(),
            width,
        }
    }

    /// A line of its own, after an empty one; it stays whole, as a command line may stand in it.
    pub(super) fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let _ = writeln!(self.text, "{}", text.trim_end());
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
            if !bare && line.chars().count() + 1 + word.chars().count() > self.width {
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

#[cfg(test)]
mod tests {
    use super::Sheet;

    #[test]
    fn long_texts_hang_under_their_beginning() {
        let mut sheet = Sheet::new(80);
        sheet.heading(&"word ".repeat(40));
        assert_eq!(sheet.text.lines().count(), 1);
        let mut sheet = Sheet::new(80);
        sheet.entry(1, "name", &"word ".repeat(40));
        let text = sheet.finish();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(text.starts_with("  name         word word"), "{text}");
        assert!(
            text.lines()
                .nth(1)
                .expect("a line")
                .starts_with("               word")
        );
    }
}
