//! Lines of a report: wrapped, harmless, in the characters that the form allows.

use super::{Charset, Colour, Form};
use crate::{results::Severity, units::names::escaped};

/// Columns of running text, however wide the terminal is.
const TEXT_MAX: usize = 100;

/// A report that grows line by line.
#[derive(Debug)]
pub struct Page {
    form: Form,
    text: String,
    /// An empty line comes before whatever comes next.
    gap: bool,
}

impl Page {
    /// Without a line yet.
    pub fn new(form: Form) -> Self {
        Self {
            form,
            text: String::new(),
            gap: false,
        }
    }

    /// The form that it has.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// A line as it is.
    pub fn line(&mut self, text: &str) {
        let text = self.harmless(text);
        self.begin();
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// An empty line, where something comes before it and something behind.
    pub fn gap(&mut self) {
        self.gap = !self.text.is_empty();
    }

    fn begin(&mut self) {
        if std::mem::take(&mut self.gap) {
            self.text.push('\n');
        }
    }

    /// Words, wrapped; lines that follow hang two columns in, or as far as the first and two more. A word is never cut: paths stay
    /// whole, so that they can be copied.
    pub fn wrapped(&mut self, text: &str) {
        let text = self.harmless(text);
        self.wrap(&text);
    }

    /// A sentence behind the sign of its severity.
    pub fn finding(&mut self, severity: Severity, text: &str) {
        let (sign, colour) = signed(severity);
        let text = self.harmless(text);
        self.begin();
        let at = self.text.len();
        self.wrap(&format!("{sign}: {text}"));
        if self.form.colour == Colour::Coloured && self.text[at..].starts_with(sign) {
            let coloured = format!("\x1b[{colour}m{sign}\x1b[0m");
            self.text.replace_range(at..at + sign.len(), &coloured);
        }
    }

    fn wrap(&mut self, text: &str) {
        let width = self.form.width.min(TEXT_MAX);
        for paragraph in text.lines() {
            self.begin();
            let indent = paragraph.len() - paragraph.trim_start_matches(' ').len();
            let mut line = " ".repeat(indent);
            for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
                let used = line.chars().count();
                let bare = line.trim().is_empty();
                if !bare && used + 1 + word.chars().count() > width {
                    self.text.push_str(&line);
                    self.text.push('\n');
                    line.clear();
                    line.push_str(&" ".repeat(indent + 2));
                } else if !bare {
                    line.push(' ');
                }
                line.push_str(word);
            }
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// No byte that steers a terminal, and none that the form does not have.
    fn harmless(&self, text: &str) -> String {
        let text = escaped(text);
        match self.form.charset {
            Charset::Unicode => text,
            Charset::Ascii if text.is_ascii() => text,
            Charset::Ascii => {
                let mut plain = String::new();
                for c in text.chars() {
                    if c.is_ascii() {
                        plain.push(c);
                    } else {
                        plain.extend(c.escape_default());
                    }
                }
                plain
            }
        }
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// The sign and word of a severity.
pub fn sign(severity: Severity) -> &'static str {
    signed(severity).0
}

/// The sign, and its colour of the set by Okabe and Ito as nearest of the 256: vermilion, orange,
/// sky blue.
fn signed(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Misleading => ("!! misleading", "38;5;166"),
        Severity::Caution => ("! caution", "38;5;214"),
        Severity::Note => ("- note", "38;5;74"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Charset, Colour, Form, Page};
    use crate::results::Severity;

    fn page(charset: Charset, colour: Colour) -> Page {
        Page::new(Form {
            charset,
            colour,
            ..Form::default()
        })
    }

    #[test]
    fn words_are_wrapped_and_never_cut() {
        let mut page = page(Charset::Unicode, Colour::Plain);
        page.wrapped(&format!("{} end", "word ".repeat(20)));
        page.wrapped(&"x".repeat(90));
        let text = page.finish();
        let lines: Vec<&str> = text.lines().collect();
        // 16 words of four letters and a blank take 79 columns.
        assert_eq!(lines[0], "word ".repeat(16).trim_end());
        assert_eq!(lines[1], "  word word word word end");
        assert_eq!(lines[2].len(), 90);
    }

    #[test]
    fn names_are_harmless_and_ascii_is_ascii() {
        let mut page = page(Charset::Ascii, Colour::Plain);
        page.line("\x1b[2Jé");
        assert_eq!(page.finish(), "\\u{1b}[2J\\u{e9}\n");
    }

    #[test]
    fn a_severity_is_a_word_and_a_sign_and_perhaps_a_colour() {
        let mut plain = page(Charset::Ascii, Colour::Plain);
        plain.finding(Severity::Misleading, "a");
        plain.finding(Severity::Caution, "b");
        plain.finding(Severity::Note, "c");
        assert_eq!(
            plain.finish(),
            "!! misleading: a\n! caution: b\n- note: c\n"
        );
        let mut coloured = page(Charset::Ascii, Colour::Coloured);
        coloured.finding(Severity::Caution, "b");
        assert_eq!(coloured.finish(), "\x1b[38;5;214m! caution\x1b[0m: b\n");
    }

    #[test]
    fn gaps_are_single() {
        let mut page = page(Charset::Ascii, Colour::Plain);
        page.gap();
        page.line("a");
        page.gap();
        page.gap();
        page.line("b");
        page.gap();
        assert_eq!(page.finish(), "a\n\nb\n");
    }
}
