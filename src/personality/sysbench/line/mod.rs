//! From the arguments to checked options.
//!
//! Words first, then whose rules hold, then values, then checks, in the order in which either
//! original does it, so that what it prints before it refuses a line is the same.

mod checks;
pub(super) mod dialect;
mod fileio;
mod general;
mod refused;
pub(super) mod roles;
#[cfg(test)]
mod tests;
pub(super) mod values;
pub(super) mod words;

use std::ffi::OsString;

use crate::personality::{
    Environment,
    flags::Support,
    sysbench::{
        flags, help,
        options::{Action, Dialect, ExtraFlags, FileOptions, IoMode, Mode, Options, Seed},
    },
};
use dialect::{Because, Decision};
use general::Told;
use refused::Fatal;
pub(super) use refused::Refused;
use roles::{Problem, Roles};
use values::{Values, Wrong};
use words::{Typed, Words};

/// A line that was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Parsed {
    /// Something to print.
    Print {
        /// The text.
        text: String,
        /// Lines for standard error.
        notes: Vec<String>,
        /// The exit code.
        exit: u8,
    },
    /// Something to do.
    Line(Box<Line>),
}

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// The options, checked.
    pub(super) options: Options,
    /// Lines for standard output before the header.
    pub(super) prelude: Vec<String>,
    /// Lines for standard error.
    pub(super) notes: Vec<String>,
}

/// What 1.0 says of `--test`.
const TEST_DEPRECATED: &str = "WARNING: the --test option is deprecated. You can pass a script \
                               name or path on the command line without any options.";

/// Reads a line.
///
/// # Errors
/// What is printed instead.
pub(super) fn parse(args: &[OsString], around: &Environment) -> Result<Parsed, Refused> {
    let words = words::split(args, around).map_err(|line| Refused::told(vec![line]))?;
    let decision = dialect::decide(&words, around.settings.sysbench);
    if let Some(printed) = printed(&words, &decision) {
        return Ok(printed);
    }
    let mut told = Told::default();
    if words.last("test").is_some() && decision.dialect == Dialect::V10 {
        told.notes.push(TEST_DEPRECATED.to_owned());
    }
    let roles = roles::roles(&words, &decision).map_err(|problem| misfit(&problem, &words))?;
    if roles.test.is_none() && roles.command.as_deref() == Some("help") {
        return Ok(all_help(decision.dialect));
    }
    let read = read(&words, &decision)?;
    let reading = Reading {
        words: &words,
        decision: &decision,
        roles,
        read,
        around,
    };
    match decision.dialect {
        Dialect::V04 => reading.by_old(told),
        Dialect::V10 => reading.by_new(told),
    }
}

/// `--help`, `--version`.
fn printed(words: &Words, decision: &Decision) -> Option<Parsed> {
    let dialect = decision.dialect;
    // What is neither on nor off is refused with the other values.
    let asked = |name: &str| {
        let typed = words.last(name);
        typed.is_some_and(|typed| values::switch(typed.value.as_deref()) == Ok(true))
    };
    if asked("help") {
        return Some(all_help(dialect));
    }
    asked("version").then(|| version(dialect))
}

/// All of help. 0.4 takes its own for a failure.
fn all_help(dialect: Dialect) -> Parsed {
    Parsed::Print {
        text: help::whole(dialect),
        notes: Vec::new(),
        exit: u8::from(dialect == Dialect::V04),
    }
}

fn version(dialect: Dialect) -> Parsed {
    Parsed::Print {
        text: format!("{}\n", dialect.version()),
        notes: Vec::new(),
        exit: 0,
    }
}

/// Words that cannot be dealt.
fn misfit(problem: &Problem, words: &Words) -> Refused {
    match problem {
        Problem::Extra(word) => {
            let head = format!(
                "Unrecognized command line argument: {}",
                words::escaped(&word.text)
            );
            Refused::told(refused::stray(head, words))
        }
        Problem::Unknown(word) => {
            let head = format!("Unknown command: {}.", words::escaped(&word.text));
            Refused::with_usage(refused::stray(head, words))
        }
        Problem::Second(word) => Refused::with_usage(vec![format!(
            "There is a command already, so '{}' cannot be another.",
            words::escaped(&word.text)
        )]),
    }
}

/// Values as they were read.
struct Read {
    values: Values,
    /// 1.0: the first option that does not exist or is neither on nor off.
    invalid: Option<Typed>,
    /// Options that do nothing here.
    idle: Vec<&'static str>,
    /// What was not read of values.
    unread: Vec<String>,
}

/// Reads all values.
fn read(words: &Words, decision: &Decision) -> Result<Read, Refused> {
    let mut read = Read {
        values: Values::default(),
        invalid: None,
        idle: Vec::new(),
        unread: Vec::new(),
    };
    let dialect = decision.dialect;
    for typed in &words.options {
        let row = match known(&typed.name, decision) {
            Some(row) => row,
            None if dialect == Dialect::V04 => {
                let message = format!("Unknown option: --{}.", words::escaped(&typed.name));
                return Err(Refused::with_usage(vec![message]));
            }
            None => {
                read.invalid.get_or_insert_with(|| typed.clone());
                continue;
            }
        };
        match values::read(row, typed, dialect) {
            Ok((value, unread)) => {
                if let Some(text) = unread {
                    read.unread
                        .push(format!("WARNING: {}: {text}", typed.shown));
                }
                let idle = row.flag.support == Support::WithoutEffect;
                if idle && !read.idle.contains(&row.flag.name) {
                    read.idle.push(row.flag.name);
                }
                let text = typed.value.clone().unwrap_or_default();
                read.values.set(row, value, text);
            }
            Err(Wrong::Switch) if dialect == Dialect::V10 => {
                read.invalid.get_or_insert_with(|| typed.clone());
            }
            Err(wrong) => return Err(Refused::told(unreadable(typed, &wrong))),
        }
    }
    Ok(read)
}

/// The row of an option. A version that was asked for does not know what only 1.0 has.
pub(super) fn known(name: &str, decision: &Decision) -> Option<&'static flags::Row> {
    flags::find(name).filter(|row| {
        let newer = row.era == flags::Era::New && decision.dialect == Dialect::V04;
        !(newer && decision.asked())
    })
}

/// Why a value cannot be read.
pub(super) fn unreadable(typed: &Typed, wrong: &Wrong) -> Vec<String> {
    let value = words::escaped(typed.value.as_deref().unwrap_or_default());
    let head = format!("Invalid value for the '{}' option: '{value}'", typed.name);
    let hint = match wrong {
        Wrong::Missing => format!("It needs a value behind '=': --{}=...", typed.name),
        Wrong::Number { right } => format!("It is {right}"),
        Wrong::Switch => "It is on or off".to_owned(),
    };
    vec![head, hint]
}

/// A line that is being read.
struct Reading<'a> {
    words: &'a Words,
    decision: &'a Decision,
    roles: Roles,
    read: Read,
    around: &'a Environment,
}

impl Reading<'_> {
    /// In the order of 1.0: general options, header, test, its options, command.
    fn by_new(self, mut told: Told) -> Result<Parsed, Refused> {
        let dialect = Dialect::V10;
        let mut options = self.defaults();
        general::general(
            &self.read.values,
            self.around.clock_seed,
            &mut options,
            &mut told,
        )
        .map_err(|fatal| fatal_line(&fatal, false, &options, &told))?;
        let refuse = |err: Vec<String>| refused_behind(dialect, &options, &told, "", err);
        let invalid = self.read.invalid.as_ref();
        let invalid = invalid.map(|typed| format!("invalid option: {}", typed.shown));
        let Some(test) = &self.roles.test else {
            return Err(refuse(vec![invalid.unwrap_or_else(|| {
                "No test is named: sysbench fileio <options> prepare, run or cleanup".to_owned()
            })]));
        };
        if test != "fileio" {
            let fatal = Fatal::new(
                format!(
                    "Cannot find benchmark '{}': no such built-in test, file or module",
                    words::escaped(test)
                ),
                refused::only_fileio(test),
            );
            return Err(fatal_line(&fatal, true, &options, &told));
        }
        if let Some(invalid) = invalid {
            return Err(refuse(vec![invalid]));
        }
        let Some(command) = &self.roles.command else {
            let line = "The 'fileio' test requires a command argument. See 'sysbench fileio help'";
            return Err(refuse(vec![line.to_owned()]));
        };
        if !roles::is_command(command, dialect) {
            let head = format!("Unknown command: {}", words::escaped(command));
            let lines = refused::stray(head, self.words);
            return Err(refuse(lines));
        }
        self.test(options, told)
    }

    /// In the order of 0.4: command, header, test, general options, the test's.
    fn by_old(self, mut told: Told) -> Result<Parsed, Refused> {
        let dialect = Dialect::V04;
        let mut options = self.defaults();
        match self.roles.command.as_deref() {
            None => {
                let line = "Missing required command argument.";
                return Err(Refused::with_usage(vec![line.to_owned()]));
            }
            Some("version") => return Ok(version(dialect)),
            Some(_) => {}
        }
        let refuse =
            |out: &str, err: Vec<String>| refused_behind(dialect, &options, &told, out, err);
        let Some(test) = &self.roles.test else {
            let line = "Missing required argument: --test.".to_owned();
            return Err(refuse(&help::usage(dialect), vec![line]));
        };
        if test != "fileio" {
            let line = format!("Invalid test name: {}.", words::escaped(test));
            return Err(refuse("", vec![line, refused::only_fileio(test)]));
        }
        general::general(
            &self.read.values,
            self.around.clock_seed,
            &mut options,
            &mut told,
        )
        .map_err(|fatal| fatal_line(&fatal, true, &options, &told))?;
        self.test(options, told)
    }

    /// What is the same for both: help, or the options of the test.
    fn test(self, mut options: Options, mut told: Told) -> Result<Parsed, Refused> {
        let command = self.roles.command.as_deref();
        if command == Some("help") {
            return Ok(Parsed::Print {
                text: format!("{}\n\n{}", options.dialect.header(), help::fileio()),
                notes: told.notes,
                exit: 0,
            });
        }
        options.action = match command {
            Some("prepare") => Action::Prepare,
            Some("cleanup") => Action::Cleanup,
            _ => Action::Run,
        };
        fileio::fileio(&self.read.values, &mut options)
            .map_err(|fatal| fatal_line(&fatal, true, &options, &told))?;
        endless(&options, &mut told);
        if self.around.settings.quiet {
            told.notes.retain(|note| note == TEST_DEPRECATED);
        } else {
            self.notes(&options, &mut told);
        }
        let level = options.verbosity;
        Ok(Parsed::Line(Box::new(Line {
            options,
            prelude: shown_at(level, 2, told.prelude),
            notes: told.notes,
        })))
    }

    fn defaults(&self) -> Options {
        defaults(self.decision.dialect)
    }

    /// What a reader of the line may not expect.
    fn notes(&self, options: &Options, told: &mut Told) {
        if self.words.respelled {
            told.notes.push(
                "WARNING: dashes and quotes that typesetting makes are read as - and \"".to_owned(),
            );
        }
        told.notes.extend(self.read.unread.iter().cloned());
        let mut idle: Vec<&str> = self.read.idle.clone();
        if self.read.values.has("rand-type") {
            idle.push("--rand-type");
        }
        if !idle.is_empty() {
            let names = idle.join(", ");
            told.notes
                .push(format!("WARNING: without effect here: {names}"));
        }
        // Only 1.0 takes the test as a word, and only 0.4 means these options by their names.
        if let Because::Option(option) = &self.decision.because
            && options.dialect == Dialect::V04
            && self.words.last("test").is_none()
        {
            told.notes.push(format!(
                "NOTE: {option} is of sysbench 0.4, so its rules hold; IOGAUGE_SYSBENCH=1.0 takes \
                 those of 1.0"
            ));
        }
    }
}

/// A run that nothing ends.
fn endless(options: &Options, told: &mut Told) {
    let sequential = options.file.mode.is_some_and(Mode::sequential);
    // One pass is an end.
    let ends = sequential && options.dialect == Dialect::V04;
    if options.action != Action::Run || options.time > 0 || options.events > 0 || ends {
        return;
    }
    match options.dialect {
        Dialect::V04 => told.notes.push(
            "WARNING: neither --max-time nor --max-requests is set: the run goes on until it \
             is interrupted"
                .to_owned(),
        ),
        Dialect::V10 => told.prelude.push(
            "WARNING: neither --time nor --events is set: the run goes on until it is \
             interrupted"
                .to_owned(),
        ),
    }
}

/// The options of a line that says nothing.
pub(super) fn defaults(dialect: Dialect) -> Options {
    let old = dialect == Dialect::V04;
    Options {
        dialect,
        action: Action::Run,
        threads: 1,
        events: if old { 10_000 } else { 0 },
        time: if old { 0 } else { 10 },
        warmup: 0,
        rate: 0,
        report_interval: 0,
        checkpoints: Vec::new(),
        percentile: 95,
        histogram: false,
        seed: Seed::Fixed,
        grace: None,
        validate: false,
        debug: false,
        verbosity: if old { 4 } else { 3 },
        file: FileOptions {
            count: 128,
            total: 2 << 30,
            block: 16 << 10,
            mode: None,
            io_mode: IoMode::Sync,
            backlog: 128,
            flags: ExtraFlags::default(),
            fsync_freq: 100,
            fsync_all: false,
            fsync_end: true,
            fdatasync: false,
            merged: 0,
            rw_ratio: 1.5,
        },
    }
}

/// Lines of a level, where the verbosity is that high.
fn shown_at(verbosity: u8, level: u8, lines: Vec<String>) -> Vec<String> {
    if verbosity < level { Vec::new() } else { lines }
}

/// A line that is refused behind the header.
fn refused_behind(
    dialect: Dialect,
    options: &Options,
    told: &Told,
    out: &str,
    err: Vec<String>,
) -> Refused {
    let mut text = String::new();
    for line in shown_at(options.verbosity, 2, told.prelude.clone()) {
        text.push_str(&line);
        text.push('\n');
    }
    if options.verbosity >= 3 {
        text.push_str(dialect.header());
        text.push_str("\n\n");
    }
    text.push_str(out);
    let notes = told.notes.iter().filter(|note| *note == TEST_DEPRECATED);
    Refused {
        out: text,
        err: notes.cloned().chain(err).collect(),
    }
}

/// A line that is refused with a FATAL line, behind the header or before it.
fn fatal_line(fatal: &Fatal, header: bool, options: &Options, told: &Told) -> Refused {
    let line = format!("FATAL: {}\n", fatal.text);
    let hint = fatal.hint.iter().cloned().collect();
    if header {
        return refused_behind(options.dialect, options, told, &line, hint);
    }
    let hushed = Options {
        verbosity: options.verbosity.min(2),
        ..options.clone()
    };
    refused_behind(options.dialect, &hushed, told, &line, hint)
}
