//! Microsoft's SQLIO v1.5.SG: its command line, its parameter files, its report.
//!
//! A line becomes a load (`line`, with `parameters` behind `-F`), and that a plan
//! (`planning`). `text` is the report, whose first half the `observer` shows while files are made;
//! `figures` is its arithmetic. `explain` says a line in words, and [`flags`] is the table of all
//! options. `batch` reads the batch files that such lines stand in.

pub mod batch;
#[cfg(test)]
mod compat;
#[cfg(test)]
mod consumers;
mod explain;
mod figures;
pub mod flags;
mod help;
mod line;
mod load;
mod lost;
mod observer;
mod parameters;
mod planning;
mod targets;
#[cfg(test)]
mod testing;
mod text;
mod verdict;
mod words;

use std::ffi::OsString;

use super::{Command, Environment, Explained, Job, Personality, UsageError, nothing_more};
use crate::units::names::escaped;
use line::{Line, Parsed};
use lost::Lost;

/// The personality.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sqlio;

/// Every refused line.
const REFUSED: u8 = 1;

impl Personality for Sqlio {
    fn name(&self) -> &'static str {
        "sqlio"
    }

    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
        match line::parse(args, around) {
            Ok(Parsed::Help) => Ok(Command::Print {
                text: help::usage(),
                warnings: Vec::new(),
                exit: 0,
            }),
            Ok(Parsed::Load(line)) => command(*line, args, around),
            Err(refused) => {
                let mut messages = refused.messages;
                if refused.usage {
                    messages.push(help::usage().trim_end().to_owned());
                }
                Err(usage_error(messages))
            }
        }
    }

    fn refused(&self) -> u8 {
        REFUSED
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        explain::explain(args, around)
    }
}

fn usage_error(messages: Vec<String>) -> UsageError {
    UsageError {
        messages,
        usage: None,
        exit: REFUSED,
    }
}

fn command(line: Line, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
    let Line { load, mut warnings } = line;
    let planned = planning::to_plan(&load, args, around).map_err(usage_error)?;
    warnings.extend(planned.notes.iter().map(|note| escaped(note)));
    let lost = Lost::default();
    let output = around.output.as_ref();
    Ok(Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings,
        next: nothing_more(),
        observer: observer::observer(&load, planned.heads, lost.clone(), output),
        report: Box::new(text::TextReport { load, lost }),
        verdict: if around.settings.quiet {
            verdict::quiet
        } else {
            verdict::verdict
        },
    })))
}
