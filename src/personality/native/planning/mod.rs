//! What a line asks for becomes a plan: which words are what, where the targets are and how large,
//! what the load is. Defaults that nobody said come in here.

mod asked;
mod corners;
mod load;
mod pace;
mod place;
mod plan_file;
mod precondition;
mod profile;
mod repetitions;
mod sectors;
#[cfg(test)]
mod tests;
mod words;

pub use corners::corners;
pub use precondition::precondition;
pub use profile::Searching;

use std::{path::PathBuf, time::Duration};

use super::commands::run::RunArgs;
use crate::{
    personality::{Environment, UsageError},
    plan::{
        Cleanup, EngineChoice, Events, FilePreparation, OnError, Origin, Plan, Prepare, Step,
        TimeSpan, Whose, WriteRules, validate,
    },
    profiles::Resolved,
};
use asked::Settled;

/// A plan, and what is to be shown of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// What to do.
    pub plan: Plan,
    /// Lines for standard error before anything starts.
    pub warnings: Vec<String>,
    /// What belongs to the report: the seed, files that stay.
    pub notes: Vec<String>,
    /// The profile behind it.
    pub resolved: Option<Box<Resolved>>,
    /// `--db-size`.
    pub db_size: Option<u64>,
    /// The time spans that depend on what was measured, where a highest rate is searched.
    pub search: Option<Box<Searching>>,
}

/// Exit code of a line that is refused.
pub(super) const USAGE: u8 = 2;

/// Measured time where nobody says otherwise.
const DURATION: Duration = Duration::from_secs(30);
/// Load before it.
const WARMUP: Duration = Duration::from_secs(5);
/// An interval of the time series.
const INTERVAL: Duration = Duration::from_secs(1);

/// The plan of a line of `run`: of a profile, a plan file, or options alone. Called for two targets
/// with the same options and seed it gives the same load twice.
///
/// # Errors
/// What is wrong with the line, with the option or word as typed.
pub fn plan(
    args: &RunArgs,
    around: &Environment,
    command_line: &str,
) -> Result<Planned, UsageError> {
    let planned = || {
        let settled = Settled::new(args, around)?;
        let words = words::sort(args, &settled, around)?;
        match &words.what {
            words::What::Options => load::plan(&settled, &words.targets, around, command_line),
            words::What::Profile(profile) => profile::plan(
                profile,
                args,
                &settled,
                &words.targets,
                around,
                command_line,
            ),
            words::What::Plan(file) => {
                plan_file::plan(file, args, &settled, &words.targets, around, command_line)
            }
        }
    };
    planned().map_err(|sentence| usage_error(&sentence))
}

/// A refusal with one sentence.
pub(super) fn usage_error(sentence: &str) -> UsageError {
    UsageError {
        messages: vec![format!("iogauge: {sentence}")],
        usage: None,
        exit: USAGE,
    }
}

/// Where these files are.
fn paths(files: &[FilePreparation]) -> Vec<PathBuf> {
    files.iter().map(|file| file.path.clone()).collect()
}

/// A plan of ours: files that are not there are made first, and go when it is over.
fn assemble(
    files: Vec<FilePreparation>,
    made: Vec<PathBuf>,
    spans: Vec<TimeSpan>,
    settled: &Settled,
    around: &Environment,
    command_line: &str,
) -> Result<Plan, String> {
    let mut steps = Vec::new();
    if !files.is_empty() {
        steps.push(Step::Prepare(Prepare { files }));
    }
    steps.extend(spans.into_iter().map(Step::Run));
    if !made.is_empty() && !settled.keep {
        steps.push(Step::Cleanup(Cleanup {
            paths: made,
            whose: Whose::Own,
        }));
    }
    let settings = &around.settings;
    let plan = Plan {
        steps,
        origin: Origin {
            personality: "native".to_owned(),
            command_line: command_line.to_owned(),
        },
        engine: settings.engine.clone().unwrap_or(EngineChoice::Auto),
        on_error: settings.on_error.unwrap_or(OnError::Stop),
        consent: settings.destroy.clone(),
        rules: WriteRules::Own,
        events: Events::default(),
    };
    validate::validate(&plan).map_err(|problem| problem.to_string())?;
    Ok(plan)
}
