//! From the arguments to a checked profile.
//!
//! Two passes over the options as in the original: first those that may stand beside an XML
//! profile (and the block size, which is a unit of the others), then the rest. Either stops at
//! its first error.

pub(super) mod first;
mod grammar;
mod lists;
pub(super) mod options;
pub(super) mod paths;
mod pattern;
mod profile_file;
pub(super) mod reader;
#[cfg(test)]
mod tests;
pub(super) mod words;

use std::ffi::OsString;

use crate::personality::{
    Environment,
    diskspd::{
        flags,
        profile::{Format, Profile, Target, TimeSpan},
        validate,
    },
    flags::Flag,
};
pub(super) use crate::units::names::{escaped, shown};
use first::First;
use options::Draft;
use reader::Reader;
use words::{Typed, Words};

/// A line that was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Parsed {
    /// `-?`
    Help,
    /// Something to run or to echo.
    Profile(Box<Line>),
}

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// The profile, checked.
    pub(super) profile: Profile,
    /// Lines for standard error, whatever is done with the profile.
    pub(super) warnings: Vec<String>,
    /// Lines for standard error where the profile is run.
    pub(super) notes: Vec<String>,
}

/// Reads a line.
///
/// # Errors
/// The lines for standard error.
pub(super) fn parse(args: &[OsString], around: &Environment) -> Result<Parsed, Vec<String>> {
    let words = words::split(args, around).map_err(|message| vec![error(&message)])?;
    if words.options.iter().any(|option| option.body == "?") {
        return Ok(Parsed::Help);
    }
    let mut reader = Reader::new(around.uptime_ms);
    let mut warnings: Vec<String> = words.warnings.iter().map(|text| warning(text)).collect();
    let mut notes = Vec::new();
    let first = first_pass(&words, &mut reader, &mut notes).map_err(|message| vec![message])?;
    let read = if first.xml.is_some() {
        profile_file::profile(&first, &words, around)
    } else {
        second_pass(&words, &mut reader, &mut notes).map(|draft| assemble(&first, draft, &words))
    };
    let profile = read.map_err(|message| vec![message])?;
    notes.extend(reader.idle.iter().map(|flag| idle_note(flag)));
    if profile.events.signal_and_quit.is_some() {
        return Ok(Parsed::Profile(Box::new(Line {
            profile,
            warnings,
            notes,
        })));
    }
    let verdict = validate::validate(&profile, around);
    if verdict.refused {
        // Warnings about the pattern would only hide the error; a slip may be its cause.
        warnings.extend(verdict.errors());
        return Err(warnings);
    }
    warnings.extend(verdict.messages);
    Ok(Parsed::Profile(Box::new(Line {
        profile,
        warnings,
        notes,
    })))
}

/// An error line.
pub(super) fn error(sentence: &str) -> String {
    escaped(&format!("ERROR: {sentence}"))
}

/// A warning line.
pub(super) fn warning(sentence: &str) -> String {
    escaped(&format!("WARNING: {sentence}"))
}

fn idle_note(flag: &Flag) -> String {
    warning(&flags::no_effect(flag))
}

/// An error line that names the option.
pub(super) fn at(option: &Typed, sentence: &str) -> String {
    error(&format!("{}: {sentence}", option.shown))
}

fn note_unread(option: &Typed, reader: &mut Reader, notes: &mut Vec<String>) {
    if let Some(text) = reader.unread.take() {
        notes.push(warning(&format!("{}: {text}", option.shown)));
    }
}

pub(super) fn first_pass(
    words: &Words,
    reader: &mut Reader,
    notes: &mut Vec<String>,
) -> Result<First, String> {
    let mut first = First::default();
    for option in &words.options {
        // What does not exist is for the second pass to say.
        let Some(flag) = flags::find(&option.body) else {
            continue;
        };
        match first.apply(flag.name, &option.body, reader) {
            Some(Ok(())) => note_unread(option, reader, notes),
            Some(Err(message)) => return Err(at(option, &message)),
            None => {}
        }
    }
    Ok(first)
}

/// True if the first pass has taken the option.
pub(super) fn is_first(body: &str) -> bool {
    flags::find(body).is_some_and(|flag| {
        First::default()
            .apply(flag.name, body, &mut Reader::new(0))
            .is_some()
    })
}

fn second_pass(
    words: &Words,
    reader: &mut Reader,
    notes: &mut Vec<String>,
) -> Result<Draft, String> {
    let mut draft = Draft::default();
    for option in words.options.iter().filter(|o| !is_first(&o.body)) {
        let flag = reader
            .flag(&option.body)
            .map_err(|message| at(option, &message))?;
        draft
            .apply(flag.name, &option.body, reader)
            .map_err(|message| at(option, &message))?;
        note_unread(option, reader, notes);
    }
    Ok(draft)
}

fn assemble(first: &First, draft: Draft, words: &Words) -> Profile {
    let pattern = draft.pattern();
    let block_size = first.block.unwrap_or(Target::default().block_size);
    let targets = words
        .targets
        .iter()
        .map(|(_, path)| Target {
            path: path.clone(),
            block_size,
            pattern,
            ..draft.target.clone()
        })
        .collect();
    let mut span = TimeSpan {
        targets,
        ..draft.span
    };
    override_span(&mut span, first);
    let mut profile = Profile {
        progress: draft.progress,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: draft.etw,
        events: draft.events,
        spans: vec![span],
    };
    override_profile(&mut profile, first);
    profile
}

/// What `-d -W -C -z` say of a time span.
pub(super) fn override_span(span: &mut TimeSpan, first: &First) {
    span.duration = first.duration.unwrap_or(span.duration);
    span.warmup = first.warmup.unwrap_or(span.warmup);
    span.cooldown = first.cooldown.unwrap_or(span.cooldown);
    span.seed = first.seed.unwrap_or(span.seed);
}

/// What `-R -v -:` say of the profile.
pub(super) fn override_profile(profile: &mut Profile, first: &First) {
    profile.format = first.format.unwrap_or(profile.format);
    profile.profile_only |= first.profile_only;
    profile.verbose |= first.verbose;
    profile.verbose_stats |= first.verbose_stats;
    profile.experiment_flags = first.experiment_flags.unwrap_or(profile.experiment_flags);
}
