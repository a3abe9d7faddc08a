//! Lines that are refused: what goes to standard output in the original's words, and what goes to
//! standard error.

use super::words::{Words, escaped};
use crate::personality::sysbench::{help, options::Dialect};

/// A line that is refused; the exit code is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// For standard output.
    pub(crate) out: String,
    /// Lines for standard error.
    pub(crate) err: Vec<String>,
}

impl Refused {
    /// Lines for standard error alone.
    pub(crate) fn told(err: Vec<String>) -> Self {
        Self {
            out: String::new(),
            err,
        }
    }

    /// Lines for standard error, and the usage of 0.4.
    pub(crate) fn with_usage(err: Vec<String>) -> Self {
        Self {
            out: help::usage(Dialect::V04),
            err,
        }
    }
}

/// A value that is refused with a FATAL line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fatal {
    /// The line without its prefix, in the original's words where they are known.
    pub(crate) text: String,
    /// What would be right, for standard error.
    pub(crate) hint: Option<String>,
}

impl Fatal {
    /// A line and what would be right.
    pub(crate) fn new(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            hint: Some(hint.into()),
        }
    }

    /// A line that says it all.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            hint: None,
        }
    }
}

/// A word that is one too many or means nothing, and what it may have been meant for.
pub(super) fn stray(head: String, words: &Words) -> Vec<String> {
    let mut lines = vec![head];
    // The word that is wrong may be an earlier one than that which is too many.
    let dashed = words.bare.iter().find(|bare| bare.text.starts_with('-'));
    let meant = words
        .bare
        .iter()
        .find_map(|bare| Some((words.valueless_before(bare.index)?, bare)));
    if let Some(bare) = dashed {
        lines.push(if bare.text == "-" {
            "'-' alone is neither an option nor a file here".to_owned()
        } else {
            format!("Options begin with two dashes: -{}", escaped(&bare.text))
        });
    } else if let Some((option, value)) = meant {
        lines.push(format!(
            "A value follows its option behind '=': {}={}",
            option.shown,
            escaped(&value.text)
        ));
    }
    lines
}

/// What is told of a test that is not here.
pub(super) fn only_fileio(test: &str) -> String {
    format!(
        "'{}' is not here: fileio is the only test of sysbench that iogauge runs",
        escaped(test)
    )
}
