//! XML as a tree of elements, for small documents written by strangers: size, depth and number of
//! elements are limited, document types are refused, and only XML's own five entities exist.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};

/// Bytes of a document.
const SIZE_MAX: usize = 16 << 20;
/// Elements inside elements; profiles need seven.
const DEPTH_MAX: usize = 16;
/// Elements of a document; a profile of a thousand targets has some forty thousand.
const ELEMENTS_MAX: usize = 200_000;
/// Attributes of an element; profiles need two, and namespace declarations a few.
const ATTRIBUTES_MAX: usize = 16;

/// What is wrong, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: usize,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at,
        }
    }
}

/// An element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    /// Without namespace declarations and names with a prefix.
    pub(super) attributes: Vec<(String, String)>,
    /// All text directly inside, without blanks around it.
    pub(super) text: String,
    pub(super) children: Vec<Element>,
    /// First byte of its tag.
    pub(super) at: usize,
}

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Element, Fault> {
    if text.len() > SIZE_MAX {
        let message = format!("the document is larger than {} MiB", SIZE_MAX >> 20);
        return Err(Fault::new(0, message));
    }
    let mut builder = Builder::default();
    let mut reader = Reader::from_str(text);
    loop {
        let at = reader.buffer_position() as usize;
        let event = reader
            .read_event()
            .map_err(|error| Fault::new(reader.error_position() as usize, error.to_string()))?;
        match event {
            Event::Start(start) => builder.open(&start, at)?,
            Event::Empty(start) => {
                builder.open(&start, at)?;
                builder.close();
            }
            Event::End(_) => builder.close(),
            Event::Text(text) => builder.text(&text.xml10_content(), at)?,
            Event::CData(text) => builder.text(&text.xml10_content(), at)?,
            Event::GeneralRef(name) => {
                let character = name
                    .resolve_char_ref()
                    .map_err(|error| Fault::new(at, error.to_string()))?;
                match (character, resolve_predefined_entity(&name)) {
                    (Some(c), _) => builder.text(c.encode_utf8(&mut [0; 4]), at)?,
                    (None, Some(text)) => builder.text(text, at)?,
                    (None, None) => {
                        let message = format!("unknown entity &{};", &*name);
                        return Err(Fault::new(at, message));
                    }
                }
            }
            Event::DocType(_) => {
                return Err(Fault::new(at, "document types are not supported"));
            }
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return builder.finish(text.len()),
        }
    }
}

/// Elements under construction.
#[derive(Debug, Default)]
struct Builder {
    open: Vec<Element>,
    root: Option<Element>,
    elements: usize,
}

impl Builder {
    fn open(&mut self, start: &BytesStart<'_>, at: usize) -> Result<(), Fault> {
        self.elements += 1;
        if self.open.len() >= DEPTH_MAX {
            return Err(Fault::new(at, "elements are nested too deeply"));
        }
        if self.elements > ELEMENTS_MAX {
            return Err(Fault::new(at, "the document has too many elements"));
        }
        if self.root.is_some() && self.open.is_empty() {
            return Err(Fault::new(at, "the document has more than one root"));
        }
        self.open.push(Element {
            name: start.name().as_ref().to_owned(),
            attributes: attributes(start, at)?,
            text: String::new(),
            children: Vec::new(),
            at,
        });
        Ok(())
    }

    fn close(&mut self) {
        let Some(mut element) = self.open.pop() else {
            return;
        };
        let trimmed = element.text.trim_matches(is_blank).to_owned();
        element.text = trimmed;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
    }

    fn text(&mut self, text: &str, at: usize) -> Result<(), Fault> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(text),
            // A byte order mark may stand before the root.
            None if text
                .trim_start_matches('\u{feff}')
                .trim_matches(is_blank)
                .is_empty() => {}
            None => return Err(Fault::new(at, "text outside the root element")),
        }
        Ok(())
    }

    fn finish(self, end: usize) -> Result<Element, Fault> {
        if let Some(element) = self.open.last() {
            let message = format!("<{}> is never closed", element.name);
            return Err(Fault::new(element.at, message));
        }
        self.root
            .ok_or_else(|| Fault::new(end, "the document has no element"))
    }
}

/// What XML calls white space.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn attributes(start: &BytesStart<'_>, at: usize) -> Result<Vec<(String, String)>, Fault> {
    let mut found = Vec::new();
    for (index, attribute) in start.attributes().enumerate() {
        if index >= ATTRIBUTES_MAX {
            return Err(Fault::new(at, "an element has too many attributes"));
        }
        let attribute = attribute.map_err(|error| Fault::new(at, error.to_string()))?;
        let name: &str = attribute.key.as_ref();
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| Fault::new(at, error.to_string()))?;
        if name != "xmlns" && !name.contains(':') {
            found.push((name.to_owned(), value.into_owned()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn message(text: &str) -> String {
        parse(text).unwrap_err().message
    }

    #[test]
    fn text_entities_and_sections_join() {
        let root = parse(
            "\u{feff}<?xml version=\"1.0\"?><a x='&lt;'> b&amp;c&#65;<!-- no --><![CDATA[<d>]]> </a>\n",
        );
        let root = root.unwrap();
        assert_eq!(root.text, "b&cA<d>");
        assert_eq!(root.attributes, [("x".to_owned(), "<".to_owned())]);
    }

    #[test]
    fn what_is_hostile_is_refused() {
        assert!(message("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>").contains("document types"));
        assert!(message("<a>&b;</a>").contains("entity"));
        assert!(message(&"<a>".repeat(1 << 20)).contains("nested"));
        assert!(message(&" ".repeat((16 << 20) + 1)).contains("16 MiB"));
        assert!(message(&format!("<a>{}</a>", "<b/>".repeat(200_000))).contains("too many"));
        let many: Vec<String> = (0..100).map(|i| format!("a{i}=''")).collect();
        assert!(message(&format!("<a {}/>", many.join(" "))).contains("attributes"));
    }

    #[test]
    fn what_is_no_document_is_refused() {
        for text in [
            "", "  ", "no xml", "<a>", "<a></b>", "<a/><b/>", "<a", "<a/>x", "</a>", "<a b/>",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
