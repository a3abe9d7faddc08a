//! `-X`: an XML profile, the options that may stand beside it, and its template targets.

use std::{collections::BTreeSet, ffi::OsStr};

use super::{
    at, error,
    first::First,
    is_first,
    lists::complete,
    override_profile, override_span,
    paths::{self, Nowhere},
    shown,
    words::Words,
};
use crate::personality::{
    Environment,
    diskspd::{profile::Profile, xml},
};

/// Reads the profile that `-X` names and applies the rest of the line to it.
///
/// # Errors
/// The line for standard error.
pub(super) fn profile(
    first: &First,
    words: &Words,
    around: &Environment,
) -> Result<Profile, String> {
    let stranger = words
        .options
        .iter()
        .find(|option| !is_first(&option.body) || option.body.starts_with('b'));
    if let Some(option) = stranger {
        return Err(at(
            option,
            "it cannot stand beside an XML profile (-X): only -d -W -C -R -v -z -: and targets can",
        ));
    }
    let name = first.xml.as_deref().unwrap_or_default();
    let text = load(name, around)?;
    let mut profile = xml::read(&text).map_err(|problem| {
        error(&format!(
            "-X{name}: line {}, column {}: {}",
            problem.line, problem.column, problem.message
        ))
    })?;
    for span in &mut profile.spans {
        override_span(span, first);
        for target in &mut span.targets {
            if let Some(distribution) = &mut target.distribution {
                complete(distribution);
            }
        }
    }
    override_profile(&mut profile, first);
    substitute(&mut profile, words)?;
    Ok(profile)
}

fn load(name: &str, around: &Environment) -> Result<String, String> {
    let failed = |why: &str| error(&format!("-X{name}: the profile cannot be read: {why}"));
    let place = paths::resolve(OsStr::new(name), around).map_err(|nowhere| match nowhere {
        Nowhere::Drive(letter) => failed(&format!(
            "there is no drive {letter}: here; say which folder it is: IOGAUGE_DRIVES={letter}=."
        )),
        Nowhere::Because(sentence) => failed(&sentence),
    })?;
    let bytes = around
        .files
        .read(&place.path)
        .map_err(|problem| failed(&problem.to_string()))?;
    decode(&bytes).ok_or_else(|| failed("it is neither UTF-8 nor UTF-16 text"))
}

/// UTF-8 with or without its mark, or UTF-16 with one, as Windows tools write.
fn decode(bytes: &[u8]) -> Option<String> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| unit([pair[0], pair[1]]))
            .collect();
        String::from_utf16(&units)
            .ok()
            .filter(|_| bytes.len().is_multiple_of(2))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        _ => String::from_utf8(bytes.to_vec()).ok(),
    }
}

/// Replaces `*1`, `*2` ... by the targets of the line. Without any, templates stay.
fn substitute(profile: &mut Profile, words: &Words) -> Result<(), String> {
    let mut unused: BTreeSet<usize> = (1..=words.targets.len()).collect();
    for target in profile.spans.iter_mut().flat_map(|span| &mut span.targets) {
        let label = target.label();
        let Some(number) = label.strip_prefix('*') else {
            continue;
        };
        let number: usize = number
            .parse()
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| {
                error(&format!(
                    "template target '{label}' of the profile: '*' must be followed by a whole \
                     number from 1"
                ))
            })?;
        if let Some((_, path)) = words.targets.get(number - 1) {
            target.path.clone_from(path);
            unused.remove(&number);
        }
    }
    match unused.first() {
        Some(number) => Err(error(&format!(
            "target '{}' is not used: the profile has no template target '*{number}'",
            shown(&words.targets[number - 1].1)
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn profiles_may_be_utf_8_or_utf_16() {
        for bytes in [
            &b"<P/>"[..],
            b"\xef\xbb\xbf<P/>",
            b"\xff\xfe<\0P\0/\0>\0",
            b"\xfe\xff\0<\0P\0/\0>",
        ] {
            assert_eq!(decode(bytes).as_deref(), Some("<P/>"));
        }
        assert_eq!(decode(b"\xff\xfe<\0P"), None);
        assert_eq!(decode(b"\xff"), None);
    }
}
