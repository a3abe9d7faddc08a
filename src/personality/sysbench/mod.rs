//! sysbench's `fileio` test: the command lines of 0.4.12 and 1.0.20, their requests, their reports.
//!
//! A line becomes [`Options`](options::Options) (`line`), and these become a plan (`planning`).
//! `explain` says a line in words, and [`flags`] is the table of all options.

#[cfg(test)]
mod compat;
mod explain;
pub mod flags;
mod help;
mod line;
#[cfg(test)]
mod lines;
pub mod options;
mod planning;

use std::{ffi::OsString, io};

use super::{Command, Environment, Explained, Job, Personality, UsageError, Verdict};
use crate::{
    plan::Plan,
    report::Renderer,
    results::{Results, Silent},
};
use line::{Line, Parsed, Refused, words::Words};
use options::Dialect;

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
        match line::parse(args, around) {
            Ok(Parsed::Print { text, notes, exit }) => Ok(Command::Print {
                text,
                warnings: notes,
                exit,
            }),
            Ok(Parsed::Line(line)) => {
                let planned = planning::to_plan(&line.options, args, around);
                let mut line = *line;
                line.notes.extend(planned.notes);
                Ok(Command::Run(Box::new(job(line, planned.plan))))
            }
            Err(problem) => Err(refused(problem)),
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

/// The plan, and what is shown of it.
fn job(line: Line, plan: Plan) -> Job {
    let Line {
        options,
        prelude,
        notes,
    } = line;
    Job {
        plan,
        warnings: notes,
        observer: Box::new(Silent),
        report: Box::new(Heading {
            dialect: options.dialect,
            prelude,
        }),
        verdict: |results| Verdict {
            complaints: Vec::new(),
            exit: u8::from(results.failed()),
        },
    }
}

/// The lines that every report begins with.
struct Heading {
    dialect: Dialect,
    prelude: Vec<String>,
}

impl Renderer for Heading {
    fn render(&self, _: &Results, out: &mut dyn io::Write) -> io::Result<()> {
        for line in &self.prelude {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}\n", self.dialect.header())
    }
}
