//! A load becomes a plan: where things are on this machine, how large they must be, who does what.

mod affinity;
mod geometry;
#[cfg(test)]
mod tests;

use std::{
    ffi::{OsStr, OsString},
    time::Duration,
};

use super::{
    line::error,
    load::{Buffering, Load, Pattern, Work},
    targets,
    text::{FileHead, Use},
};
use crate::{
    personality::{
        DataChoice, Environment,
        places::{self, Nowhere, Place},
    },
    plan::{
        self, Access, AccessPattern, BlockSizes, Caching, Content, Counting, Dispatch,
        Distribution, Durability, EngineChoice, Events, FilePreparation, FlushPolicy, Generator,
        Hints, OnError, Opening, OperationMix, Origin, Pacing, Payload, Plan, Policy, Polling,
        Prepare, Priority, Step, Stop, Stream, TargetIndex, ThrottleSleep, Through, TimeSpan,
        WorkerGroup, WriteRules,
    },
};
use affinity::Affinities;
use geometry::Extent;

/// A plan, and what is to be shown of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// What to do.
    pub(super) plan: Plan,
    /// Lines for standard error.
    pub(super) notes: Vec<String>,
    /// What the report says of each file, in order.
    pub(super) heads: Vec<FileHead>,
}

/// A file with its place and size.
struct Found {
    /// As the report spells it.
    label: String,
    place: Place,
    extent: Extent,
}

/// Makes a plan.
///
/// # Errors
/// The lines for standard error.
pub(super) fn to_plan(
    load: &Load,
    args: &[OsString],
    around: &Environment,
) -> Result<Planned, Vec<String>> {
    let found = find(load, args, around)?;
    let (groups, mut notes) = groups(load, around).map_err(|sentence| vec![error(&sentence)])?;
    let mut steps = Vec::new();
    let files = preparations(&found, around);
    let makes_files = found
        .iter()
        .any(|file| file.extent.grows_to.is_some() && !file.place.device);
    if !files.is_empty() {
        steps.push(Step::Prepare(Prepare { files }));
    }
    steps.push(Step::Run(time_span(load, &found, groups, around)));
    let settings = &around.settings;
    let plan = Plan {
        steps,
        origin: Origin {
            personality: "sqlio".to_owned(),
            command_line: command_line(args),
        },
        engine: settings.engine.clone().unwrap_or(EngineChoice::Auto),
        on_error: settings.on_error.unwrap_or(OnError::Stop),
        consent: settings.destroy.clone(),
        rules: WriteRules::Named,
        events: Events::default(),
    };
    plan::validate::validate(&plan).map_err(|problem| vec![error(&problem.to_string())])?;
    if around.settings.quiet {
        notes.clear();
    } else {
        notes.extend(content_note(load, &plan, makes_files, around));
    }
    // Where a disk number leads is a matter of safety.
    let places = found.iter().filter_map(|file| file.place.note.as_ref());
    notes.splice(0..0, places.map(|note| format!("NOTE: {note}")));
    let heads = found.iter().map(|file| file.head(load)).collect();
    Ok(Planned { plan, notes, heads })
}

/// The line as typed.
fn command_line(args: &[OsString]) -> String {
    let mut line = "sqlio".to_owned();
    for arg in args {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

/// A file as it is asked for: its name, and its size where the parameter file gives one.
fn asked(load: &Load) -> Vec<(OsString, Option<u64>)> {
    match &load.work {
        Work::Named { names, .. } => names.iter().map(|name| (name.clone(), None)).collect(),
        Work::Listed { lines, .. } => lines
            .iter()
            .map(|line| (OsString::from(&line.name), line.size_mib))
            .collect(),
    }
}

fn find(load: &Load, args: &[OsString], around: &Environment) -> Result<Vec<Found>, Vec<String>> {
    let mut found = Vec::new();
    let (mut drives, mut messages) = (Vec::new(), Vec::new());
    for (name, size_mib) in asked(load) {
        let place = match place(&name, around) {
            Ok(place) => place,
            Err(Nowhere::Drive(drive)) if drives.contains(&drive) => continue,
            Err(Nowhere::Drive(drive)) => {
                drives.push(drive);
                continue;
            }
            Err(Nowhere::Because(sentence)) => {
                messages.push(error(&sentence));
                continue;
            }
        };
        let label = name.to_string_lossy().into_owned();
        let known = around.files.size(&place.path);
        match Extent::of(load, size_mib, known, place.device) {
            Ok(extent) => found.push(Found {
                label,
                place,
                extent,
            }),
            Err(sentence) => messages.push(error(&format!("{label}: {sentence}"))),
        }
    }
    if !drives.is_empty() {
        let names: Vec<String> = drives.iter().map(|name| format!("{name}:")).collect();
        messages.push(error(&format!(
            "there is no drive or disk {} here; say where it is, for example:",
            names.join(", ")
        )));
        messages.push(places::line_with_drives("sqlio", &drives, around, args));
    }
    messages.dedup();
    if messages.is_empty() {
        Ok(found)
    } else {
        Err(messages)
    }
}

/// Where a file is. A line that is only explained needs no drives.
fn place(name: &OsStr, around: &Environment) -> Result<Place, Nowhere> {
    match targets::resolve(name, around) {
        Err(nowhere) if around.explaining => Ok(Place {
            note: Some(nowhere.for_a_run(name)),
            ..targets::supposed(name, around)
        }),
        found => found,
    }
}

impl Found {
    /// What the report says of the file.
    fn head(&self, load: &Load) -> FileHead {
        FileHead {
            label: self.label.clone(),
            usage: match (load.pattern, self.extent.specified_mib) {
                (Pattern::Striped(_), _) => Use::Striped {
                    needed: self.extent.end.unwrap_or(0),
                },
                (_, Some(mib)) => Use::Specified { mib },
                (_, None) => Use::Current {
                    size: self.extent.size.unwrap_or(0),
                },
            },
        }
    }
}

/// Files that may have to grow. One that is large enough stays as it is; devices are never made.
fn preparations(found: &[Found], around: &Environment) -> Vec<FilePreparation> {
    found
        .iter()
        .filter(|file| !file.place.device)
        .filter_map(|file| {
            Some(FilePreparation {
                label: file.label.clone(),
                path: file.place.path.clone(),
                size: file.extent.wanted?,
                content: around.settings.data.content(Content::Zeros),
                policy: Policy::Extend,
                through: Through::Past,
                block: None,
                verify: false,
            })
        })
        .collect()
}

fn time_span(
    load: &Load,
    found: &[Found],
    groups: Vec<WorkerGroup>,
    around: &Environment,
) -> TimeSpan {
    TimeSpan {
        pause_before: Duration::ZERO,
        warmup: Duration::ZERO,
        stop: Stop {
            after: Some(Duration::from_secs(u64::from(load.seconds))),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::DrainAndCount,
        // A thousand intervals at most: there may be 65,536 streams.
        interval: Duration::from_secs(u64::from(load.seconds.div_ceil(1000))),
        targets: found.iter().map(|file| target(load, file)).collect(),
        groups,
        // The same places in each run would be found in caches by the second one.
        generator: Generator::Xoshiro {
            seed: u64::from(around.clock_seed),
        },
        polling: Polling::default(),
        name: String::new(),
        sequence: None,
        visits: None,
        throttle_sleep: ThrottleSleep::Short,
        initiation: load.timing.is_some_and(|timing| timing.initiation),
        whole_milliseconds: load.timing.is_some(),
        verify: false,
    }
}

fn target(load: &Load, file: &Found) -> plan::Target {
    let (caching, durability) = match load.buffering {
        Buffering::Nothing => (Caching::Direct, Durability::Dsync),
        Buffering::Disk => (Caching::Direct, Durability::None),
        Buffering::File => (Caching::Buffered, Durability::Dsync),
        Buffering::Everything => (Caching::Buffered, Durability::None),
    };
    plan::Target {
        label: file.label.clone(),
        path: file.place.path.clone(),
        base: file.extent.base,
        end: file.extent.end,
        planned_size: file.extent.size.filter(|_| !file.place.device),
        access: if load.write {
            Access::Write
        } else {
            Access::Read
        },
        caching,
        durability,
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: Opening::AtLeast(file.extent.end.unwrap_or(0)),
    }
}

fn groups(load: &Load, around: &Environment) -> Result<(Vec<WorkerGroup>, Vec<String>), String> {
    let mut affinities = Affinities::new(around);
    let dispatch = match load.depth {
        Some(_) => Dispatch::PerStream,
        None => Dispatch::InTurn,
    };
    let stream = |target: usize| stream(load, target, around.settings.data);
    let groups = match &load.work {
        Work::Named {
            threads,
            binding,
            names,
        } => vec![WorkerGroup {
            name: String::new(),
            workers: *threads,
            affinity: affinities.of(*binding)?,
            streams: (0..names.len()).map(stream).collect(),
            dispatch,
        }],
        Work::Listed { lines, .. } => {
            let mut groups = Vec::new();
            for (index, line) in lines.iter().enumerate() {
                groups.push(WorkerGroup {
                    name: String::new(),
                    workers: line.threads,
                    affinity: affinities.of_mask(line.mask)?,
                    streams: vec![stream(index)],
                    dispatch: dispatch.clone(),
                });
            }
            groups
        }
    };
    Ok((groups, affinities.notes))
}

fn stream(load: &Load, target: usize, data: DataChoice) -> Stream {
    let block = load.block();
    Stream {
        target: TargetIndex(target),
        pattern: match load.pattern {
            Pattern::Striped(columns) => AccessPattern::Grid {
                rows: load.rows,
                columns,
                again: load.again,
            },
            Pattern::Random => AccessPattern::Random {
                alignment: block,
                distribution: Distribution::Uniform,
            },
            Pattern::Sequential => AccessPattern::Interlocked { stride: block },
        },
        mix: OperationMix {
            write_percent: if load.write { 100 } else { 0 },
            flush: FlushPolicy::Never,
        },
        // The option's range ends below 2^32 bytes.
        sizes: BlockSizes::One(u32::try_from(block).unwrap_or(u32::MAX)),
        queue_depth: load.depth.unwrap_or(1),
        pacing: Pacing::Unlimited,
        payload: match data {
            DataChoice::Default | DataChoice::Random => Payload::Random,
            DataChoice::Zeros | DataChoice::Original => Payload::Zeros,
        },
        copies: None,
        assembly: load.assembly,
    }
}

/// What new files and write buffers hold, where nobody has said.
fn content_note(
    load: &Load,
    plan: &Plan,
    makes_files: bool,
    around: &Environment,
) -> Option<String> {
    let touches_files = match &plan.engine {
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    };
    if !touches_files || around.settings.data != DataChoice::Default {
        return None;
    }
    let what = match (makes_files, load.write) {
        (true, true) => "new files and write buffers hold",
        (true, false) => "new files hold",
        (false, true) => "write buffers hold",
        (false, false) => return None,
    };
    Some(format!(
        "NOTE: {what} random bytes, where SQLIO has zeros; IOGAUGE_DATA=original takes SQLIO's, \
         IOGAUGE_DATA=random silences this line"
    ))
}
