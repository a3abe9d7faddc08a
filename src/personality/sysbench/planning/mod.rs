//! Options become a plan.

mod load;
#[cfg(test)]
mod tests;

use std::{ffi::OsString, path::PathBuf, time::Duration};

use super::options::{Action, Dialect, ExtraFlags, IoMode, Mode, Options};
use crate::{
    personality::{DataChoice, Environment},
    plan::{
        self, Access, Caching, Cleanup, Content, Counting, Durability, EngineChoice, Events,
        FilePreparation, Generator, Hints, MappedFlush, OnError, Opening, Origin, Plan, Policy,
        Polling, Prepare, Priority, Step, Stop, Target, ThrottleSleep, Through, TimeSpan, Whose,
        WriteRules,
    },
};
pub(super) use load::sequence;

/// A plan, and what is to be said of it on standard error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// The plan.
    pub(super) plan: Plan,
    /// Lines.
    pub(super) notes: Vec<String>,
}

/// Makes the plan.
///
/// # Errors
/// A sentence on what cannot be carried out.
pub(super) fn to_plan(
    options: &Options,
    args: &[OsString],
    around: &Environment,
) -> Result<Planned, String> {
    let settings = &around.settings;
    let step = match options.action {
        Action::Prepare => Step::Prepare(Prepare {
            files: (0..options.file.count)
                .map(|number| preparation(number, options, settings.data))
                .collect(),
        }),
        Action::Cleanup => Step::Cleanup(Cleanup {
            paths: (0..options.file.count).map(path).collect(),
            whose: Whose::Named,
        }),
        // A run was refused without a mode.
        Action::Run => Step::Run(time_span(
            options,
            options.file.mode.unwrap_or(Mode::RndRd),
            settings.data,
        )),
    };
    let plan = Plan {
        steps: vec![step],
        origin: Origin {
            personality: "sysbench".to_owned(),
            command_line: command_line(args),
        },
        engine: settings.engine.clone().unwrap_or(EngineChoice::Auto),
        on_error: settings.on_error.unwrap_or(OnError::Stop),
        consent: settings.destroy.clone(),
        rules: WriteRules::Named,
        events: Events::default(),
    };
    plan::validate::validate(&plan).map_err(|problem| problem.to_string())?;
    let notes = if settings.quiet {
        Vec::new()
    } else {
        notes(options, &plan.engine, settings.data)
    };
    Ok(Planned { plan, notes })
}

/// The line as reports echo it.
fn command_line(args: &[OsString]) -> String {
    let mut line = "sysbench".to_owned();
    for arg in args {
        line.push(' ');
        line.push_str(&super::line::words::shown(arg));
    }
    line
}

/// The name of a file; all are in the current folder.
fn label(number: u32) -> String {
    format!("test_file.{number}")
}

fn path(number: u32) -> PathBuf {
    PathBuf::from(label(number))
}

fn caching(flags: ExtraFlags) -> Caching {
    if flags.direct {
        Caching::Direct
    } else {
        Caching::Buffered
    }
}

fn durability(flags: ExtraFlags) -> Durability {
    if flags.sync {
        Durability::Sync
    } else if flags.dsync {
        Durability::Dsync
    } else {
        Durability::None
    }
}

fn preparation(number: u32, options: &Options, data: DataChoice) -> FilePreparation {
    let file = &options.file;
    let (policy, flags) = match options.dialect {
        // 0.4 makes its files anew, and takes no notice of the flags.
        Dialect::V04 => (Policy::Replace, ExtraFlags::default()),
        Dialect::V10 => (Policy::Extend, file.flags),
    };
    FilePreparation {
        label: label(number),
        path: path(number),
        size: file.file_size(),
        content: data.content(Content::Zeros),
        policy,
        through: Through::As {
            caching: caching(flags),
            durability: durability(flags),
        },
        block: Some(file.block),
        verify: options.validate,
    }
}

fn seconds(number: u32) -> Duration {
    Duration::from_secs(u64::from(number))
}

fn time_span(options: &Options, mode: Mode, data: DataChoice) -> TimeSpan {
    // Its one pass is the limit of 0.4.
    let passes = mode.sequential() && options.dialect == Dialect::V04;
    let events = u64::from(options.events);
    TimeSpan {
        name: String::new(),
        visits: None,
        pause_before: Duration::ZERO,
        warmup: seconds(options.warmup),
        stop: Stop {
            after: (options.time > 0).then(|| seconds(options.time)),
            operations: (events > 0 && !passes).then_some(events),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::DrainAndCount,
        interval: Duration::from_secs(1),
        targets: (0..options.file.count)
            .map(|number| target(number, options, mode))
            .collect(),
        groups: Vec::new(),
        // The sequence has its own.
        generator: Generator::Xoshiro { seed: 0 },
        polling: Polling::default(),
        sequence: Some(Box::new(sequence(options, mode, data))),
        throttle_sleep: ThrottleSleep::Short,
        initiation: false,
        whole_milliseconds: false,
        verify: false,
    }
}

fn target(number: u32, options: &Options, mode: Mode) -> Target {
    let file = &options.file;
    let size = file.file_size();
    let mapped = file.io_mode == IoMode::Mmap;
    // Neither does anything to a mapping.
    let flags = if mapped {
        ExtraFlags::default()
    } else {
        file.flags
    };
    Target {
        label: label(number),
        path: path(number),
        base: 0,
        end: None,
        planned_size: Some(size),
        access: if mode.writes() {
            Access::ReadWrite
        } else {
            Access::Read
        },
        caching: caching(flags),
        durability: durability(flags),
        remote_only: false,
        mapped: mapped.then_some(MappedFlush::Never),
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: match mode {
            // Nothing can be mapped behind the end of a file.
            Mode::SeqWr if mapped => Opening::Anew { size },
            Mode::SeqWr => Opening::Anew { size: 0 },
            _ => Opening::AtLeast(size),
        },
    }
}

fn notes(options: &Options, engine: &EngineChoice, data: DataChoice) -> Vec<String> {
    let file = &options.file;
    let mut notes = Vec::new();
    let run = options.action == Action::Run;
    if run && file.io_mode == IoMode::Mmap && file.flags != ExtraFlags::default() {
        notes.push(
            "WARNING: --file-extra-flags has no effect with --file-io-mode=mmap: a mapping goes \
             through the page cache, and only fsync writes it"
                .to_owned(),
        );
    }
    let touches_files = match engine {
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    };
    let what = match options.action {
        Action::Prepare => "new files hold",
        Action::Run if file.mode.is_some_and(Mode::writes) => "writes send",
        _ => return notes,
    };
    // Checked blocks hold random bytes in every version.
    if touches_files && data == DataChoice::Default && !options.validate {
        notes.push(format!(
            "NOTE: {what} random bytes, where sysbench has zeros; IOGAUGE_DATA=original takes \
             sysbench's, IOGAUGE_DATA=random silences this line"
        ));
    }
    notes
}
