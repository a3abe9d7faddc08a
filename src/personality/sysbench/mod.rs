//! sysbench's `fileio` test: the command lines of 0.4.12 and 1.0.20, their requests, their reports.
//!
//! A line becomes [`Options`](options::Options) (`line`), and these become a plan (`planning`). `observer` and `text`
//! print what the originals print, `explain` says a line in words, and [`flags`] is the table of all
//! options.

mod amount;
#[cfg(test)]
mod compat;
mod console;
mod explain;
pub mod flags;
mod help;
mod line;
#[cfg(test)]
mod lines;
mod observer;
pub mod options;
mod percentile;
mod planning;
#[cfg(test)]
mod testing;
mod text;
mod verdict;

use std::ffi::OsString;

use super::{Command, Environment, Explained, Job, Personality, UsageError, nothing_more};
use line::{Parsed, Refused, words::Words};

/// The personality.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sysbench;

/// Every refused line.
const REFUSED: u8 = 1;

impl Personality for Sysbench {
    fn name(&self) -> &'static str {
        "sysbench"
    }

    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
        if args.is_empty() {
            // 1.0 would read a program from standard input.
            let decision = line::dialect::decide(&Words::default(), around.settings.sysbench);
            return Err(refused(Refused {
                out: help::usage(decision.dialect),
                err: Vec::new(),
            }));
        }
        match line::parse(args, around).map_err(refused)? {
            Parsed::Print { text, notes, exit } => Ok(Command::Print {
                text,
                warnings: notes,
                exit,
            }),
            Parsed::Line(line) => job(*line, args, around),
        }
    }

    fn refused(&self) -> u8 {
        REFUSED
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        explain::explain(args, around)
    }
}

fn refused(problem: Refused) -> UsageError {
    UsageError {
        messages: problem.err,
        usage: Some(problem.out).filter(|text| !text.is_empty()),
        exit: REFUSED,
    }
}

/// The plan of a line, and what is shown of it.
fn job(line: line::Line, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
    let line::Line {
        options,
        prelude,
        notes: mut warnings,
    } = line;
    let planned = planning::to_plan(&options, args, around)
        .map_err(|sentence| refused(Refused::told(vec![sentence])))?;
    warnings.extend(planned.notes);
    let console = console::Console::new(options.verbosity);
    Ok(Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings,
        next: nothing_more(),
        observer: observer::observer(&options, prelude, console.clone()),
        report: Box::new(text::TextReport { options, console }),
        verdict: verdict::verdict,
    })))
}
