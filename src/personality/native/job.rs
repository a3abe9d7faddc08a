//! `run`, `quick`, `sweep`, `precondition` and `web` as a language of command lines like the faces: a
//! line becomes a job.

use std::ffi::OsString;

use super::{
    NATIVE,
    commands::{
        precondition::PreconditionArgs, quick::QuickArgs, run::RunArgs, sweep::SweepArgs,
        web::WebArgs,
    },
    common, consent, explain, line, loads, observer, planning,
    planning::Planned,
    sweep,
    text::{Report, Shape},
    verdict, web,
};
use crate::{
    personality::{Command, Environment, Explained, Job, Personality, UsageError, nothing_more},
    results::{Observer, Silent},
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
    /// `precondition`.
    Precondition(PreconditionArgs),
    /// `sweep`.
    Sweep(Box<SweepArgs>),
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
                let planned = planning::plan(args, &around, &line)?;
                consent::check(&planned.plan, &around)?;
                Ok(command(planned, Shape::Rows, &around))
            }
            Load::Quick(args) => {
                let around = common::settled(&args.common, around)?;
                let planned = planning::corners(args, &around, &line)?;
                consent::check(&planned.plan, &around)?;
                Ok(command(planned, Shape::Corners, &around))
            }
            Load::Precondition(args) => {
                let around = common::settled(&args.common, around)?;
                planning::precondition(args, &around, &line)
                    .map(|planned| command(planned, Shape::Filled, &around))
            }
            Load::Sweep(args) => {
                let common = line::common(&args.load);
                let common = common.map_err(|sentence| planning::usage_error(&sentence))?;
                let around = common::settled(&common, around)?;
                let job = sweep::job(args, &around, &line)?;
                Ok(Command::Run(Box::new(job)))
            }
            Load::Web(args) => {
                let around = common::settled(&web::common(args), around)?;
                let job = web::job(args, &around, &line)?;
                Ok(Command::Run(Box::new(job)))
            }
        }
    }

    fn refused(&self) -> u8 {
        planning::USAGE
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        explain::explain(args, around)
    }
}

fn command(planned: Planned, shape: Shape, around: &Environment) -> Command {
    let observer: Box<dyn Observer> = if around.settings.quiet {
        Box::new(Silent)
    } else {
        observer::watch(&planned.plan, around.live)
    };
    Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings: planned.warnings,
        next: match planned.search {
            Some(search) => search.next(),
            None => nothing_more(),
        },
        observer,
        report: Box::new(Report {
            resolved: planned.resolved,
            db_size: planned.db_size,
            shape,
            notes: planned.notes,
            form: around.form,
        }),
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
