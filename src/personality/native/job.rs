//! `run`, `quick` and `web` as a language of command lines like the faces: a line becomes a job.

use std::{ffi::OsString, io};

use super::{
    NATIVE,
    commands::{quick::QuickArgs, run::RunArgs, web::WebArgs},
    common, explain, line, loads, planning,
    planning::Planned,
    verdict,
};
use crate::{
    personality::{Command, Environment, Explained, Job, Personality, UsageError, nothing_more},
    report::Renderer,
    results::{Results, Silent},
};

/// Our own lines that are a load: `run sqlserver/oltp ./dir`, with our own options before or
/// behind the command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

/// A line of ours that is a load.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Load {
    /// `run`.
    Run(Box<RunArgs>),
    /// `quick`.
    Quick(QuickArgs),
    /// `web`.
    Web(WebArgs),
}

impl Personality for Native {
    fn name(&self) -> &'static str {
        NATIVE
    }

    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
        let load = loads(args)?;
        let line = command_line(args);
        match &load {
            Load::Run(args) => {
                let common = line::common(&args.load);
                let common = common.map_err(|sentence| planning::usage_error(&sentence))?;
                let around = common::settled(&common, around)?;
                planning::plan(args, &around, &line).map(command)
            }
            Load::Quick(args) => {
                let around = common::settled(&args.common, around)?;
                planning::corners(args, &around, &line).map(command)
            }
            Load::Web(_) => Err(planning::usage_error("web is not in this version")),
        }
    }

    fn refused(&self) -> u8 {
        planning::USAGE
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        explain::explain(args, around)
    }
}

fn command(planned: Planned) -> Command {
    Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings: planned.warnings,
        next: nothing_more(),
        observer: Box::new(Silent),
        report: Box::new(Provisional(planned.notes)),
        verdict: verdict::verdict,
    }))
}

/// The line as typed.
fn command_line(args: &[OsString]) -> String {
    let mut line = NATIVE.to_owned();
    for arg in args {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

/// Figures, one line a time span.
struct Provisional(Vec<String>);

impl Renderer for Provisional {
    fn render(&self, results: &Results, out: &mut dyn io::Write) -> io::Result<()> {
        for (span, result) in results.plan.spans().zip(&results.spans) {
            let all = result.workers.iter().flat_map(|worker| &worker.streams);
            let (mut read, mut write) = (0, 0);
            for stream in all {
                read += stream.read.count;
                write += stream.write.count;
            }
            writeln!(
                out,
                "{}: {} read, {} written in {:?} by {}",
                span.name, read, write, result.measured, result.engine
            )?;
        }
        self.0.iter().try_for_each(|note| writeln!(out, "{note}"))
    }
}
