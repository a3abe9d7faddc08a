//! `explain`: what a line would do, or the same in another language.

use std::ffi::OsString;

use clap::{Args, ValueEnum, builder::PossibleValue};

use crate::{personality::express::Language, units::number};

/// As typed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ExplainArgs {
    /// List the first N I/Os of each thread as a table: thread, target, op, offset
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = offsets)]
    offsets: Option<usize>,
    /// Write the same load in another language, with what is lost named: a plan file that run
    /// takes, a job file of fio, or a line of DiskSpd (its XML profile where it takes one)
    #[arg(long = "as", value_name = "LANGUAGE", conflicts_with = "offsets")]
    language: Option<Language>,
    /// Print the same for programs: options, files, targets, threads and times in plain bytes and
    /// nanoseconds; a refused line is a document too
    #[arg(long, conflicts_with_all = ["offsets", "language"])]
    json: bool,
    /// A command line, face first
    #[arg(
        value_name = "LINE",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub line: Vec<OsString>,
}

/// I/Os of a thread that are listed at most: more is no table for people.
const OFFSETS_MAX: u64 = 1_000_000;

fn offsets(text: &str) -> Result<usize, String> {
    let count = number::within(text, 0, OFFSETS_MAX);
    let count = count.map_err(|right| format!("it must be {right}"))?;
    usize::try_from(count).map_err(|error| error.to_string())
}

/// In which way a line is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// In words, option by option.
    Words,
    /// As JSON.
    Json,
    /// By the first so many I/Os of each thread.
    Offsets(usize),
    /// In another language.
    As(Language),
}

impl ExplainArgs {
    /// What was meant.
    pub fn telling(&self) -> Telling {
        match (self.offsets, self.language) {
            (Some(count), _) => Telling::Offsets(count),
            (None, Some(language)) => Telling::As(language),
            (None, None) if self.json => Telling::Json,
            (None, None) => Telling::Words,
        }
    }
}

impl ValueEnum for Language {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Toml, Self::Fio, Self::Diskspd]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let name = match self {
            Self::Toml => "toml",
            Self::Fio => "fio",
            Self::Diskspd => "diskspd",
        };
        Some(PossibleValue::new(name))
    }
}
