//! A profile becomes a plan: where things are on this machine, who does what.

pub(super) mod events;
mod groups;
mod steps;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    time::Duration,
};

use crate::{
    personality::{
        Environment,
        diskspd::{
            line::{
                error,
                paths::{self, Nowhere, Place},
                warning,
            },
            profile::{Cache, Flush, Profile, Target, TimeSpan},
            validate::system_cpu,
        },
        settings::DataChoice,
    },
    plan::{
        self, Access, Affinity, Caching, Counting, Durability, EngineChoice, Generator, Hints,
        MappedFlush, OnError, Opening, Origin, Payload, Plan, Polling, Priority, Step, Stop,
        ThrottleSleep, WriteRules,
    },
};
use groups::groups;
use steps::preparations;

/// A plan, and lines for standard error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// What to do.
    pub(super) plan: Plan,
    /// Lines for standard error.
    pub(super) notes: Vec<String>,
}

/// Where the files of a profile are, by their names as typed.
pub(super) type Places = BTreeMap<OsString, Place>;

/// Makes a plan of a checked profile.
///
/// # Errors
/// The lines for standard error, if a target is nowhere on this machine.
pub(super) fn to_plan(
    profile: &Profile,
    args: &[OsString],
    around: &Environment,
) -> Result<Planned, Vec<String>> {
    let places = find_places(profile, args, around)?;
    let mut steps = Vec::new();
    for (span, prepare) in profile
        .spans
        .iter()
        .zip(preparations(profile, &places, around))
    {
        if !prepare.files.is_empty() {
            steps.push(Step::Prepare(prepare));
        }
        steps.push(Step::Run(time_span(profile, span, &places, around)?));
    }
    let settings = &around.settings;
    let plan = Plan {
        steps,
        origin: Origin {
            personality: "diskspd".to_owned(),
            command_line: command_line(args),
        },
        engine: settings.engine.clone().unwrap_or(EngineChoice::Auto),
        on_error: settings.on_error.unwrap_or(OnError::Stop),
        consent: settings.destroy.clone(),
        rules: WriteRules::Named,
        events: events::events(&profile.events, around),
    };
    plan::validate::validate(&plan).map_err(|problem| vec![error(&problem.to_string())])?;
    let notes = notes(profile, &plan, &places, around);
    Ok(Planned { plan, notes })
}

/// The line as reports echo it.
pub(super) fn command_line(args: &[OsString]) -> String {
    let mut line = "diskspd".to_owned();
    for arg in args {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

fn find_places(
    profile: &Profile,
    args: &[OsString],
    around: &Environment,
) -> Result<Places, Vec<String>> {
    let mut places = Places::new();
    let (mut drives, mut messages) = (Vec::new(), Vec::new());
    let targets = profile.spans.iter().flat_map(|span| &span.targets);
    let names = targets.flat_map(|target| {
        let source = target.source_path.as_deref();
        std::iter::once(target.path.as_os_str()).chain(source)
    });
    for name in names {
        if places.contains_key(name) {
            continue;
        }
        match paths::resolve(name, around) {
            Ok(place) => {
                places.insert(name.to_owned(), place);
            }
            // Nothing is opened: the plan can be told without the place.
            Err(nowhere) if around.explaining => {
                let mut place = paths::supposed(name, around);
                // What is wrong with an argument is said beside it.
                if !args.iter().any(|arg| arg == name) {
                    place.note = Some(nowhere.for_a_run(name));
                }
                places.insert(name.to_owned(), place);
            }
            Err(Nowhere::Drive(letter)) if drives.contains(&letter) => {}
            Err(Nowhere::Drive(letter)) => drives.push(letter),
            Err(Nowhere::Because(sentence)) => {
                let message = error(&sentence);
                if !messages.contains(&message) {
                    messages.push(message);
                }
            }
        }
    }
    if !drives.is_empty() {
        let names: Vec<String> = drives.iter().map(|letter| format!("{letter}:")).collect();
        messages.push(error(&format!(
            "there is no drive {} here; say which folder it is, the current one for example:",
            names.join(", ")
        )));
        messages.push(paths::line_with_drives(&drives, around, args));
    }
    if messages.is_empty() {
        Ok(places)
    } else {
        Err(messages)
    }
}

/// Where a file is; every name was looked up before.
pub(super) fn place<'a>(places: &'a Places, name: &OsStr) -> Option<&'a Place> {
    places.get(name)
}

fn time_span(
    profile: &Profile,
    span: &TimeSpan,
    places: &Places,
    around: &Environment,
) -> Result<plan::TimeSpan, Vec<String>> {
    let seconds = |n: u32| Duration::from_secs(u64::from(n));
    let affinity = if span.disable_affinity {
        Affinity::None
    } else if span.affinity.is_empty() {
        Affinity::RoundRobin
    } else {
        let cpu = |(group, number): &(u16, u8)| system_cpu(*group, *number);
        Affinity::List(span.affinity.iter().map(cpu).collect())
    };
    Ok(plan::TimeSpan {
        pause_before: Duration::ZERO,
        warmup: seconds(span.warmup),
        stop: Stop {
            after: Some(seconds(span.duration)),
            ..Stop::default()
        },
        cooldown: seconds(span.cooldown),
        counting: Counting::CompletedInWindow,
        interval: Duration::from_millis(u64::from(span.interval_ms)),
        targets: span
            .targets
            .iter()
            .filter_map(|target| Some(plan_target(target, place(places, &target.path)?)))
            .collect(),
        groups: groups(span, places, &affinity, around.settings.data)
            .map_err(|sentence| vec![error(&sentence)])?,
        generator: Generator::DiskSpd { seed: span.seed },
        polling: Polling::default(),
        name: String::new(),
        sequence: None,
        visits: None,
        throttle_sleep: if profile.experiment_flags & 1 == 1 {
            ThrottleSleep::UntilDue
        } else {
            ThrottleSleep::Short
        },
        initiation: false,
        whole_milliseconds: false,
        verify: false,
    })
}

fn plan_target(target: &Target, place: &Place) -> plan::Target {
    plan::Target {
        label: target.label(),
        path: place.path.clone(),
        base: target.base,
        end: (target.max_size > 0).then_some(target.max_size),
        planned_size: target.create_size.filter(|size| *size > 0 && !place.device),
        access: match target.write_ratio {
            0 => Access::Read,
            // Memory cannot be mapped for writing only.
            100 if !target.memory_mapped => Access::Write,
            _ => Access::ReadWrite,
        },
        caching: match target.cache {
            Cache::Cached => Caching::Buffered,
            Cache::NoOsCache | Cache::NoLocalCache => Caching::Direct,
        },
        durability: if target.write_through {
            Durability::Dsync
        } else {
            Durability::None
        },
        remote_only: target.cache == Cache::NoLocalCache,
        mapped: target.memory_mapped.then_some(match target.flush {
            None => MappedFlush::Never,
            Some(Flush::View) => MappedFlush::View,
            Some(Flush::NonVolatile) => MappedFlush::Persistent,
            Some(Flush::NonVolatileNoDrain) => MappedFlush::PersistentNoDrain,
        }),
        hints: Hints {
            random: target.random_access,
            sequential: target.sequential_scan,
            temporary: target.temporary,
        },
        priority: match target.priority {
            1 => Priority::Idle,
            2 => Priority::Low,
            _ => Priority::Normal,
        },
        huge_pages: target.large_pages,
        opening: Opening::AtLeast(0),
    }
}

fn notes(profile: &Profile, plan: &Plan, places: &Places, around: &Environment) -> Vec<String> {
    let mut notes: Vec<String> = places
        .values()
        .filter_map(|place| place.note.as_ref())
        .map(|note| format!("NOTE: {note}"))
        .collect();
    if let (Some(name), Some(path)) = (&profile.events.stop, &plan.events.stop_when)
        && around.files.exists(path)
    {
        notes.push(warning(&format!(
            "-yp{name}: the event is signalled already, and the run will end at once; remove {} \
             to run it whole",
            path.display()
        )));
    }
    // Where a disk number leads is a matter of safety; the rest is comment.
    if around.settings.quiet {
        return notes;
    }
    let mut targets = profile.spans.iter().flat_map(|span| &span.targets);
    if targets.any(|target| matches!(target.priority, 1 | 2)) {
        notes.push(warning(
            "-I (priority of I/O) works only with I/O schedulers that honour it, such as bfq",
        ));
    }
    let files = plan
        .steps
        .iter()
        .any(|step| matches!(step, Step::Prepare(_)));
    let buffers = plan.spans().any(|span| {
        span.groups
            .iter()
            .flat_map(|group| &group.streams)
            .any(|s| s.mix.write_percent > 0 && s.payload == Payload::Random)
    });
    let what = match (files, buffers) {
        (true, true) => "new files and write buffers hold",
        (true, false) => "new files hold",
        (false, true) => "write buffers hold",
        (false, false) => return notes,
    };
    let touches_files = match &plan.engine {
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    };
    if touches_files && around.settings.data == DataChoice::Default {
        notes.push(format!(
            "NOTE: {what} random bytes, where DiskSpd has a pattern or zeros; \
             IOGAUGE_DATA=original takes DiskSpd's, IOGAUGE_DATA=random silences this line"
        ));
    }
    notes
}
