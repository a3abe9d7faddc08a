//! Microsoft's `DiskSpd` 2.2: its command line, its profile, its reports.
//!
//! A line becomes a [`Profile`](profile::Profile) (`line`, or `xml` behind `-X`), what must hold inside it is checked
//! (`validate`), and it becomes a plan (`planning`). `text` and `xml` are the reports, `explain`
//! says a line in words, and [`flags`] is the table of all options.

#[cfg(test)]
mod compat;
#[cfg(test)]
mod consumers;
mod explain;
pub mod express;
pub mod flags;
mod help;
mod line;
mod observer;
mod planning;
pub mod profile;
mod system;
#[cfg(test)]
mod testing;
mod text;
mod validate;
mod verdict;
mod xml;

use std::ffi::OsString;

use super::{Command, Environment, Explained, Job, Personality, UsageError, nothing_more};
use crate::{plan::Events, report::Renderer};
use line::{Line, Parsed};
use profile::Format;

/// The personality.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskSpd;

/// Every refused line.
const REFUSED: u8 = 3;

impl Personality for DiskSpd {
    fn name(&self) -> &'static str {
        "diskspd"
    }

    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
        if args.is_empty() {
            return Err(UsageError {
                messages: Vec::new(),
                usage: Some(help::usage()),
                exit: REFUSED,
            });
        }
        match line::parse(args, around) {
            Ok(Parsed::Help) => Ok(Command::Print {
                text: help::usage(),
                warnings: Vec::new(),
                exit: 0,
            }),
            Ok(Parsed::Profile(line)) => command(*line, args, around),
            Err(messages) => Err(refused(messages)),
        }
    }

    fn refused(&self) -> u8 {
        REFUSED
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        explain::explain(args, around)
    }
}

fn refused(messages: Vec<String>) -> UsageError {
    UsageError {
        messages,
        usage: None,
        exit: REFUSED,
    }
}

fn command(line: Line, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
    let Line {
        profile,
        mut warnings,
        mut notes,
    } = line;
    // What the original does not say either.
    if around.settings.quiet {
        notes.clear();
    }
    if let Some(name) = &profile.events.signal_and_quit {
        warnings.extend(notes);
        if !around.explaining
            && let Err(sentence) = signal(name, around)
        {
            warnings.push(line::error(&sentence));
        }
        // The original ends with 1 here even when all went well.
        return Ok(Command::Print {
            text: String::new(),
            warnings,
            exit: 1,
        });
    }
    let form = text::Form(around.settings.diskspd);
    if profile.profile_only {
        return Ok(Command::Print {
            text: match profile.format {
                Format::Text => text::profile(&profile, &planning::command_line(args), form),
                Format::Xml => xml::profile(&profile),
            },
            warnings,
            exit: 0,
        });
    }
    let planned = match planning::to_plan(&profile, args, around) {
        Ok(planned) => planned,
        // Warnings of a line that is refused only hide why.
        Err(messages) => return Err(refused(messages)),
    };
    let events = &planned.plan.events;
    if !around.explaining
        && *events != Events::default()
        && let Err(sentence) = planning::events::secure(around)
    {
        return Err(refused(vec![line::error(&sentence)]));
    }
    warnings.extend(notes);
    warnings.extend(planned.notes.iter().map(|note| line::escaped(note)));
    let observer = observer::observer(&profile);
    let report: Box<dyn Renderer> = match profile.format {
        Format::Text => Box::new(text::TextReport { profile, form }),
        Format::Xml => Box::new(xml::XmlReport { profile }),
    };
    Ok(Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings,
        next: nothing_more(),
        observer,
        report,
        verdict: verdict::verdict,
    })))
}

/// `-ye`: what a run waits for is there afterwards.
fn signal(name: &str, around: &Environment) -> Result<(), String> {
    planning::events::secure(around)?;
    let path = planning::events::file(name, around);
    around.files.make(&path).map_err(|problem| {
        format!(
            "-ye{name}: the event cannot be signalled: {}: {problem}",
            path.display()
        )
    })
}
