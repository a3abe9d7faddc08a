//! Arguments become options and words, in whatever dashes and quotes a page showed them, with the
//! options of a `--config-file` in its place.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use crate::personality::Environment;

/// An option as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// As typed, with control characters escaped.
    pub(crate) shown: String,
    /// The name without dashes, with `-` for `_`.
    pub(crate) name: String,
    /// What follows `=`.
    pub(crate) value: Option<String>,
    /// The argument that it is, or that names the file it is in.
    pub(crate) index: usize,
}

/// A word without dashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bare {
    /// The word.
    pub(crate) text: String,
    /// Position among the arguments.
    pub(crate) index: usize,
}

/// A line taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    /// Options, in the order in which they are in effect.
    pub(crate) options: Vec<Typed>,
    /// Words, in order.
    pub(crate) bare: Vec<Bare>,
    /// Something had a dash or a quote that only typesetting makes.
    pub(crate) respelled: bool,
}

impl Words {
    /// The last option of that name: the one that counts.
    pub(crate) fn last(&self, name: &str) -> Option<&Typed> {
        self.options.iter().rev().find(|typed| typed.name == name)
    }

    /// The option before a word, if it has no value: the word was meant to be that.
    pub(crate) fn valueless_before(&self, index: usize) -> Option<&Typed> {
        let before = index.checked_sub(1)?;
        let option = self.options.iter().find(|typed| typed.index == before)?;
        option.value.is_none().then_some(option)
    }
}

/// What one argument is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// An option.
    Option(Typed),
    /// A word.
    Bare(Bare),
}

/// En dash, em dash, minus sign: what becomes of `--` on a page.
const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];
/// What becomes of quotes.
const QUOTES: [char; 4] = ['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}'];
/// Options that a file may hold: more than any has, few enough to keep.
const CONFIG_OPTIONS_MAX: usize = 10_000;

/// Takes a line apart.
///
/// # Errors
/// An argument that is neither, or a file that cannot be read; a line for standard error.
pub(crate) fn split(args: &[OsString], around: &Environment) -> Result<Words, String> {
    let mut words = Words::default();
    for (index, arg) in args.iter().enumerate() {
        let (word, respelled) = classify(index, arg)?;
        words.respelled |= respelled;
        match word {
            Word::Bare(bare) => words.bare.push(bare),
            Word::Option(typed) if typed.name == "config-file" => {
                words.options.extend(config(&typed, around)?);
                words.options.push(typed);
            }
            Word::Option(typed) => words.options.push(typed),
        }
    }
    Ok(words)
}

/// What one argument is, and whether it had to be respelled.
///
/// # Errors
/// An argument that is neither option nor word; a line for standard error.
pub(crate) fn classify(index: usize, arg: &OsStr) -> Result<(Word, bool), String> {
    let Some(text) = arg.to_str() else {
        return Err(format!("'{}' is not valid UTF-8", shown(arg)));
    };
    if text.ends_with('\r') {
        return Err(format!(
            "'{}' ends with a carriage return: the script has Windows line ends (dos2unix changes \
             them)",
            shown(arg)
        ));
    }
    let name = text.split('=').next().unwrap_or_default();
    let respelled = text.contains(QUOTES) || (text.starts_with('-') && name.contains(DASHES));
    let text = text.replace(QUOTES, "");
    let body = text.trim_start_matches(['-', DASHES[0], DASHES[1], DASHES[2]]);
    let lead = &text[..text.len() - body.len()];
    // One typographic dash is what typesetting makes of two.
    let dashed = lead.starts_with("--") || lead.contains(DASHES);
    if dashed {
        let typeset = lead.contains(DASHES);
        // A longer run than `--` is no option of anything; it is kept to be shown.
        let extra = if typeset { "" } else { &lead[2..] };
        let mut typed = option(&format!("{extra}{body}"), index);
        typed.shown = shown(arg);
        return Ok((Word::Option(typed), respelled || typeset));
    }
    Ok((Word::Bare(Bare { text, index }), respelled))
}

/// `name=value` or `name`.
fn option(text: &str, index: usize) -> Typed {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    let mut name = name.replace('_', "-");
    if name.contains(DASHES) {
        name = name.replace(DASHES, "-");
    }
    Typed {
        shown: escaped(&format!("--{text}")),
        name,
        value,
        index,
    }
}

/// The options of a file, as if they were typed.
fn config(typed: &Typed, around: &Environment) -> Result<Vec<Typed>, String> {
    let Some(path) = typed.value.as_deref().filter(|path| !path.is_empty()) else {
        return Err(format!(
            "{}: it names no file: --config-file=<file>",
            typed.shown
        ));
    };
    let wrong = |problem: String| format!("{}: {problem}", typed.shown);
    let bytes = around
        .files
        .read(Path::new(path))
        .map_err(|error| wrong(format!("it cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not valid UTF-8".to_owned()))?;
    let mut options = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("--").unwrap_or(line);
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(value.trim_start())),
            None => (line, None),
        };
        let whole = value.map_or(name.to_owned(), |value| format!("{name}={value}"));
        let at = || wrong(format!("line {}: {}", number + 1, escaped(line)));
        let mut one = option(&whole, typed.index);
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("{}: it is not name=value", at()));
        }
        if one.name == "config-file" {
            return Err(format!("{}: a file names no other", at()));
        }
        if options.len() == CONFIG_OPTIONS_MAX {
            return Err(wrong(format!(
                "it has more than {CONFIG_OPTIONS_MAX} options"
            )));
        }
        one.shown = format!(
            "--{} (line {} of {})",
            escaped(&whole),
            number + 1,
            escaped(path)
        );
        options.push(one);
    }
    Ok(options)
}

/// A text that can neither steer a terminal nor hide in it, in one line.
pub(crate) fn escaped(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// An argument as messages show it.
pub(crate) fn shown(arg: &OsStr) -> String {
    escaped(&arg.to_string_lossy())
}
