//! Arguments become options and names: which is which, behind whatever dash.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use crate::{
    personality::{Environment, flags::Flag, words::text_of},
    units::names::shown,
};

/// An option as typed, and its text without the dash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// As typed.
    pub(crate) shown: String,
    /// Without the dash.
    pub(crate) body: String,
    /// Position among the arguments.
    pub(crate) index: usize,
}

impl Typed {
    /// What follows the name of its row.
    pub(crate) fn value(&self, flag: &Flag) -> &str {
        self.body.get(flag.name.len() - 1..).unwrap_or_default()
    }
}

/// A line taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// Options, in order.
    pub(crate) options: Vec<Typed>,
    /// File names, in order.
    pub(crate) names: Vec<OsString>,
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
    /// A file name.
    Name,
}

/// Takes a line apart.
///
/// # Errors
/// A sentence about an argument that can be neither.
pub(crate) fn split(args: &[OsString], around: &Environment) -> Result<Words, String> {
    let mut words = Words::default();
    for (index, arg) in args.iter().enumerate() {
        match classify(index, arg, around)? {
            Word::Name => words.names.push(arg.clone()),
            Word::Option(typed) => words.options.push(typed),
            Word::DashedOption(typed) => {
                words.warnings.push(format!(
                    "{} begins with a typographic dash and is read as -{}",
                    typed.shown, typed.body
                ));
                words.options.push(typed);
            }
        }
    }
    Ok(words)
}

/// What one argument is.
///
/// # Errors
/// A sentence about an argument that can be neither option nor name.
pub(crate) fn classify(index: usize, arg: &OsStr, around: &Environment) -> Result<Word, String> {
    let Some(text) = text_of(arg, "file name", around)? else {
        return Ok(Word::Name);
    };
    let missing = || !around.files.exists(Path::new(arg));
    let typed = |body: &str| Typed {
        shown: shown(arg),
        body: body.to_owned(),
        index,
    };
    if text == "-" {
        return Err("'-' alone is no option; a file of that name is ./-".to_owned());
    }
    if let Some(body) = text.strip_prefix('-') {
        return Ok(Word::Option(typed(body)));
    }
    if let Some(body) = text.strip_prefix(['\u{2013}', '\u{2014}', '\u{2212}'])
        && !body.is_empty()
        && missing()
    {
        return Ok(Word::DashedOption(typed(body)));
    }
    Ok(Word::Name)
}
