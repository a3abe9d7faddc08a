//! Microsoft's `DiskSpd` 2.2: its command line, its profile, its reports.
//!
//! A line goes through `parse_words` (options or targets), `parse_first` and `parse_main` (what
//! options say), `validate` (what must hold between them) and `to_plan`. [`flags`] is the table
//! of all options.

mod explain;
mod explain_words;
pub mod flags;
mod grammar;
mod help;
mod observer;
mod parse;
mod parse_first;
mod parse_lists;
mod parse_main;
mod parse_pattern;
mod parse_reader;
mod parse_words;
mod parse_xml;
mod paths;
pub mod profile;
mod system;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests_lines;
#[cfg(test)]
mod tests_plan;
#[cfg(test)]
mod tests_table;
mod text_cpu;
mod text_distribution;
mod text_latency;
mod text_profile;
mod text_report;
mod text_tables;
mod to_plan;
mod to_plan_groups;
mod to_plan_steps;
mod validate;
mod validate_distribution;
mod verdict;
mod xml_fields;
mod xml_profile;
mod xml_read;
mod xml_read_target;
mod xml_report;
mod xml_system;
mod xml_tree;
mod xml_write;

use std::ffi::OsString;

use super::{Command, Environment, Explained, Job, Personality, UsageError};
use crate::report::Renderer;
use parse::{Line, Parsed};
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
        match parse::parse(args, around) {
            Ok(Parsed::Help) => Ok(Command::Print {
                text: help::usage(),
                warnings: Vec::new(),
                exit: 0,
            }),
            Ok(Parsed::Profile(line)) => command(*line, args, around),
            Err(messages) => Err(refused(messages)),
        }
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
    if profile.events.signal_and_quit.is_some() {
        // The original ends with 1 here even when all went well.
        warnings.extend(notes);
        return Ok(Command::Print {
            text: String::new(),
            warnings,
            exit: 1,
        });
    }
    if profile.profile_only {
        return Ok(Command::Print {
            text: match profile.format {
                Format::Text => text_profile::render(&profile, &to_plan::command_line(args)),
                Format::Xml => xml_profile::render(&profile),
            },
            warnings,
            exit: 0,
        });
    }
    let planned = match to_plan::to_plan(&profile, args, around) {
        Ok(planned) => planned,
        Err(messages) => {
            warnings.extend(messages);
            return Err(refused(warnings));
        }
    };
    warnings.extend(notes);
    warnings.extend(planned.notes);
    let observer = observer::observer(&profile);
    let report: Box<dyn Renderer> = match profile.format {
        Format::Text => Box::new(text_report::TextReport { profile }),
        Format::Xml => Box::new(xml_report::XmlReport { profile }),
    };
    Ok(Command::Run(Box::new(Job {
        plan: planned.plan,
        warnings,
        observer,
        report,
        verdict: verdict::verdict,
    })))
}
