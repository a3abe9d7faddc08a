//! Values of elements and attributes, with faults that name them.

use std::str::FromStr;

use super::tree::{Element, Fault};

/// "<X> does not belong into <Y>".
pub(super) fn unknown(child: &Element, parent: &Element) -> Fault {
    let message = format!("<{}> does not belong into <{}>", child.name, parent.name);
    Fault::new(child.at, message)
}

/// Checks an element that only holds others: no text, no attributes, and no child twice but those
/// in `repeated`.
pub(super) fn check_children(element: &Element, repeated: &[&str]) -> Result<(), Fault> {
    let name = &element.name;
    if !element.text.is_empty() {
        let message = format!("<{name}> holds text where only elements may be");
        return Err(Fault::new(element.at, message));
    }
    check_attributes(element, &[])?;
    let mut seen: Vec<&str> = Vec::new();
    for child in &element.children {
        let child_name = child.name.as_str();
        if repeated.contains(&child_name) {
            continue;
        }
        if seen.contains(&child_name) {
            let message = format!("<{child_name}> is given twice in <{name}>");
            return Err(Fault::new(child.at, message));
        }
        // Unknown names end the reading anyway; known ones are few.
        if seen.len() > 64 {
            return Err(unknown(child, element));
        }
        seen.push(child_name);
    }
    Ok(())
}

/// Checks that a child is there.
pub(super) fn required<'a>(element: &'a Element, name: &str) -> Result<&'a Element, Fault> {
    let found = element.children.iter().find(|child| child.name == name);
    found.ok_or_else(|| {
        let message = format!("<{}> has no <{name}>", element.name);
        Fault::new(element.at, message)
    })
}

/// Checks an element without children, with attributes out of `allowed`.
pub(super) fn leaf(element: &Element, allowed: &[&str]) -> Result<(), Fault> {
    if let Some(child) = element.children.first() {
        return Err(unknown(child, element));
    }
    check_attributes(element, allowed)
}

fn check_attributes(element: &Element, allowed: &[&str]) -> Result<(), Fault> {
    let wrong = element
        .attributes
        .iter()
        .find(|(name, _)| !allowed.contains(&name.as_str()));
    match wrong {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("<{}> has no attribute {name}", element.name);
            Err(Fault::new(element.at, message))
        }
    }
}

/// The text of a plain element.
pub(super) fn text(element: &Element) -> Result<&str, Fault> {
    leaf(element, &[])?;
    Ok(&element.text)
}

/// A whole number.
pub(super) fn number<T: FromStr>(element: &Element) -> Result<T, Fault> {
    parse(text(element)?, &element.name, element.at)
}

/// The number in the text of an element that has attributes.
pub(super) fn number_beside_attributes<T: FromStr>(element: &Element) -> Result<T, Fault> {
    parse(&element.text, &element.name, element.at)
}

/// A whole number in an attribute that must be there.
pub(super) fn attribute<T: FromStr>(element: &Element, name: &str) -> Result<T, Fault> {
    let found = element.attributes.iter().find(|(given, _)| given == name);
    let Some((_, value)) = found else {
        let message = format!("<{}> lacks the attribute {name}", element.name);
        return Err(Fault::new(element.at, message));
    };
    parse(value, name, element.at)
}

/// Decimal digits only, as the schema has it: no sign but a plus, no hexadecimal, no size suffix.
fn parse<T: FromStr>(text: &str, what: &str, at: usize) -> Result<T, Fault> {
    let digits = text.trim();
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let fault = |why: &str| Fault::new(at, format!("{what} is \"{}\": {why}", shortened(text)));
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(fault("a whole number is expected"));
    }
    digits.parse().map_err(|_| fault("the number is too large"))
}

/// A number between two others.
pub(super) fn number_in(element: &Element, min: u32, max: u32) -> Result<u32, Fault> {
    let value: u32 = number(element)?;
    if (min..=max).contains(&value) {
        return Ok(value);
    }
    let name = &element.name;
    let message = format!("{name} is {value}: it must be from {min} to {max}");
    Err(Fault::new(element.at, message))
}

/// A boolean. The schema knows four words, the original takes only `true` (in any case) for yes.
pub(super) fn boolean(element: &Element) -> Result<bool, Fault> {
    let word = text(element)?;
    if word.eq_ignore_ascii_case("true") {
        return Ok(true);
    }
    if word.eq_ignore_ascii_case("false") || word == "0" || word == "1" {
        return Ok(false);
    }
    let (name, word) = (&element.name, shortened(word));
    let message = format!("{name} is \"{word}\": true or false is expected");
    Err(Fault::new(element.at, message))
}

/// One of some words.
pub(super) fn word<T: Copy>(element: &Element, words: &[(&str, T)]) -> Result<T, Fault> {
    let given = text(element)?;
    let found = words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(given));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!(
            "{} is \"{}\": expected is {}",
            element.name,
            shortened(given),
            known.join(" or ")
        );
        Fault::new(element.at, message)
    })
}

/// Messages quote no more than this.
fn shortened(text: &str) -> String {
    const CHARACTERS: usize = 40;
    let mut short: String = text.chars().take(CHARACTERS).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
