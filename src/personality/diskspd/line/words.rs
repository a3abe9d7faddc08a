//! Arguments become options and targets: which is which, behind whatever dash or slash.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use super::{first::First, options::Draft, paths, reader::Reader, shown};
use crate::personality::{Environment, words::text_of};

/// An option as typed, and its text without the switch character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// As typed.
    pub(crate) shown: String,
    /// Without `-` or `/`.
    pub(crate) body: String,
    /// Position among the arguments.
    pub(crate) index: usize,
}

/// A line taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// Options, in order.
    pub(crate) options: Vec<Typed>,
    /// Targets, in order, with their position among the arguments.
    pub(crate) targets: Vec<(usize, OsString)>,
    /// Things to look at.
    pub(crate) warnings: Vec<String>,
}

/// What one argument is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// An option.
    Option(Typed),
    /// An option behind a dash that a word processor made.
    DashedOption(Typed),
    /// A target.
    Target,
}

/// Takes a line apart.
///
/// # Errors
/// An argument that can be neither, or an option behind a target.
pub(crate) fn split(args: &[OsString], around: &Environment) -> Result<Words, String> {
    let mut words = Words::default();
    for (index, arg) in args.iter().enumerate() {
        match classify(index, arg, around)? {
            Word::Target => {
                if let Some(warning) = stray_number(index, args, around) {
                    words.warnings.push(warning);
                }
                words.targets.push((index, arg.clone()));
            }
            Word::Option(typed) => words.take_option(typed)?,
            Word::DashedOption(typed) => {
                words.warnings.push(format!(
                    "{} begins with a typographic dash and is read as -{}",
                    typed.shown, typed.body
                ));
                words.take_option(typed)?;
            }
        }
    }
    Ok(words)
}

impl Words {
    fn take_option(&mut self, typed: Typed) -> Result<(), String> {
        if let Some((_, target)) = self.targets.first() {
            return Err(format!(
                "{}: options stand before the targets, and '{}' is the first target \
                 (a value follows its option without a blank: -b4K)",
                typed.shown,
                shown(target)
            ));
        }
        self.options.push(typed);
        Ok(())
    }
}

/// What one argument is.
///
/// # Errors
/// An argument that can be neither option nor target.
pub(crate) fn classify(index: usize, arg: &OsStr, around: &Environment) -> Result<Word, String> {
    let Some(text) = text_of(arg, "target", around)? else {
        return Ok(Word::Target);
    };
    let typed = |body: &str| Typed {
        shown: shown(arg),
        body: body.to_owned(),
        index,
    };
    let missing = || !around.files.exists(Path::new(text));
    if text == "-" {
        return Err("'-' alone is no option; a file of that name is the target ./-".to_owned());
    }
    if let Some(body) = text.strip_prefix('-') {
        return Ok(Word::Option(typed(body)));
    }
    if let Some(body) = text.strip_prefix('/')
        && !body.contains('/')
        && fits(body, true)
        && missing()
    {
        return Ok(Word::Option(typed(body)));
    }
    if let Some(body) = text.strip_prefix(['\u{2013}', '\u{2014}', '\u{2212}'])
        && fits(body, false)
        && missing()
    {
        return Ok(Word::DashedOption(typed(body)));
    }
    Ok(Word::Target)
}

/// True if the text behind a switch character is an option of its own right. `strict`: every
/// number must take the whole rest, so that `/datafile.dat` is no `-d0`.
fn fits(body: &str, strict: bool) -> bool {
    if body == "?" {
        return true;
    }
    let mut reader = Reader::new(0);
    reader.strict = strict;
    let Ok(flag) = reader.flag(body) else {
        return false;
    };
    First::default()
        .apply(flag.name, body, &mut reader)
        .unwrap_or_else(|| Draft::default().apply(flag.name, body, &mut reader))
        .is_ok()
}

/// `-t8 8`: a number that stands alone is more likely a slip than a file.
fn stray_number(index: usize, args: &[OsString], around: &Environment) -> Option<String> {
    let text = args[index].to_str()?;
    let number = text.bytes().all(|byte| byte.is_ascii_digit());
    if !number || around.files.exists(&paths::translated(text, around)) {
        return None;
    }
    let before = index.checked_sub(1).map(|i| shown(&args[i]));
    Some(match before {
        Some(option) if option.starts_with('-') => format!(
            "'{text}' is taken as a target, and there is no such file; it is no part of {option}, \
             for a value follows its option without a blank"
        ),
        _ => format!("'{text}' is taken as a target, and there is no such file"),
    })
}
