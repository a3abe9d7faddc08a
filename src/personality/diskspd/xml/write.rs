//! A small writer of XML: two blanks an element deep, text and attributes escaped.

use std::fmt::Display;

/// XML under construction.
#[derive(Debug, Default)]
pub(super) struct XmlWriter {
    out: String,
    depth: usize,
}

impl XmlWriter {
    /// Begins an element with children.
    pub(super) fn open(&mut self, name: &str) {
        self.open_with(name, &[]);
    }

    /// Begins an element with attributes and children.
    pub(super) fn open_with(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.start(name, attributes);
        self.out.push_str(">\n");
        self.depth += 1;
    }

    /// Ends the element that was begun last.
    pub(super) fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.indent();
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// An element with text.
    pub(super) fn text(&mut self, name: &str, text: &dyn Display) {
        self.text_with(name, &[], text);
    }

    /// An element with attributes and text.
    pub(super) fn text_with(
        &mut self,
        name: &str,
        attributes: &[(&str, &dyn Display)],
        text: &dyn Display,
    ) {
        self.start(name, attributes);
        self.out.push('>');
        self.out.push_str(&escaped(&text.to_string()));
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// An element with attributes and nothing else.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.start(name, attributes);
        self.out.push_str("/>\n");
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push_str("=\"");
            self.out.push_str(&escaped(&value.to_string()));
            self.out.push('"');
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }
}

/// Markup characters as entities. Control characters that XML 1.0 has no place for become U+FFFD;
/// those that a reader would turn into blanks are written as references.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::XmlWriter;

    #[test]
    fn nests_and_escapes() {
        let mut xml = XmlWriter::default();
        xml.open("A");
        xml.text_with("B", &[("c", &"\"<")], &"a&b>\u{1}\n'");
        xml.empty("D", &[("n", &1)]);
        xml.close("A");
        assert_eq!(
            xml.finish(),
            "<A>\n  <B c=\"&quot;&lt;\">a&amp;b&gt;\u{fffd}&#10;'</B>\n  <D n=\"1\"/>\n</A>\n"
        );
    }
}
