//! `quick`: the corners of a disk, one time span each.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    INTERVAL, Planned,
    asked::Settled,
    assemble,
    load::FILE,
    paths,
    place::{Extent, Found, Place},
    usage_error,
};
use crate::{
    personality::{
        Environment, UsageError,
        native::{
            commands::quick::QuickArgs,
            line::{DURATION_MIN, Typed},
        },
    },
    plan::{
        Access, AccessPattern, Affinity, Assembly, BlockSizes, Caching, Content, Counting,
        Dispatch, Distribution, Durability, FlushPolicy, Generator, Hints, Opening, OperationMix,
        Pacing, Payload, Polling, Priority, Stop, Stream, Target, TargetIndex, ThrottleSleep,
        TimeSpan, WorkerGroup,
    },
    units::ByteSize,
};

/// The test file where nobody says otherwise.
const SIZE: u64 = 1 << 30;
/// Measured time of a row.
const DURATION: Duration = Duration::from_secs(5);
/// Load before it.
const WARMUP: Duration = Duration::from_secs(1);
/// A random I/O.
const SMALL: u32 = 4096;
/// A sequential I/O.
const LARGE: u32 = 1 << 20;

/// One row.
#[derive(Debug, Clone, Copy)]
struct Corner {
    name: &'static str,
    block: u32,
    depth: u32,
    write: bool,
    durability: Durability,
}

const fn corner(name: &'static str, block: u32, depth: u32, write: bool) -> Corner {
    Corner {
        name,
        block,
        depth,
        write,
        durability: Durability::None,
    }
}

/// All rows, in the order in which they are measured.
const CORNERS: [Corner; 9] = [
    corner("sequential read 1 MiB, 8 in flight", LARGE, 8, false),
    corner("sequential read 1 MiB, 1 in flight", LARGE, 1, false),
    corner("sequential write 1 MiB, 8 in flight", LARGE, 8, true),
    corner("sequential write 1 MiB, 1 in flight", LARGE, 1, true),
    corner("random read 4 KiB, 32 in flight", SMALL, 32, false),
    corner("random read 4 KiB, 1 in flight", SMALL, 1, false),
    corner("random write 4 KiB, 32 in flight", SMALL, 32, true),
    corner("random write 4 KiB, 1 in flight", SMALL, 1, true),
    Corner {
        name: "durable write 4 KiB, 1 in flight",
        block: SMALL,
        depth: 1,
        write: true,
        durability: Durability::Dsync,
    },
];

/// The plan of a line of `quick`.
///
/// # Errors
/// What is wrong with the line, with the option or word as typed.
pub fn corners(
    args: &QuickArgs,
    around: &Environment,
    command_line: &str,
) -> Result<Planned, UsageError> {
    plan(args, around, command_line).map_err(|sentence| usage_error(&sentence))
}

fn plan(args: &QuickArgs, around: &Environment, command_line: &str) -> Result<Planned, String> {
    let settled = Settled::common(&args.common, around)?;
    let mut notes = Vec::new();
    let size = Typed::new("--size", args.size.as_ref())
        .map(|typed| typed.size(u64::from(LARGE) * 8, &mut notes))
        .transpose()?
        .or(settled.config.size);
    let time = |name, value, least| {
        Typed::new(name, value)
            .map(|typed| typed.time(least))
            .transpose()
    };
    let duration = time("--duration", args.duration.as_ref(), DURATION_MIN)?.unwrap_or(DURATION);
    let warmup = time("--warmup", args.warmup.as_ref(), Duration::ZERO)?.unwrap_or(WARMUP);
    let place = place(args.path.clone(), &settled, around)?;
    let extent = place.extent(size, SIZE, 0)?;
    if extent.end < u64::from(LARGE) * 8 {
        return Err(format!(
            "{} has {}, but quick needs {} at least",
            place.label,
            ByteSize(extent.end).words(),
            ByteSize(u64::from(LARGE) * 8).words()
        ));
    }
    let writes = place.may_be_written(around);
    let files: Vec<_> = extent
        .make
        .map(|size| place.preparation(size, Content::Random))
        .into_iter()
        .collect();
    let made = paths(&files);
    notes.extend(settled.notes(&made));
    if !writes {
        notes.insert(
            0,
            format!(
                "{0} is read only: writing it would need --destroy {0}",
                place.label
            ),
        );
    }
    let row = |corner: &Corner| span(corner, &place, extent, settled.seed, warmup, duration);
    let rows = CORNERS.iter().filter(|corner| writes || !corner.write);
    Ok(Planned {
        plan: assemble(
            files,
            made,
            rows.map(row).collect(),
            &settled,
            around,
            command_line,
        )?,
        warnings: Vec::new(),
        notes,
        resolved: None,
        db_size: None,
        search: None,
    })
}

/// The disk that is measured.
fn place(path: Option<PathBuf>, settled: &Settled, around: &Environment) -> Result<Place, String> {
    let own = path.is_none() && settled.config.target.is_some();
    let path = path
        .or_else(|| settled.config.target.clone())
        .unwrap_or_else(|| PathBuf::from("."));
    let typed = path.to_string_lossy();
    if !around.files.exists(&path) && !typed.contains('/') {
        let typed = typed.escape_debug();
        let problem = format!(
            "'{typed}' does not exist: a file that is to be made is written with a slash, as in \
             ./{typed}"
        );
        return Err(if own {
            settled.config.blame(&problem)
        } else {
            problem
        });
    }
    Place::find(&path, FILE, around)
}

impl Place {
    /// True for what this run makes, for test files of ours, and for what was consented to.
    fn may_be_written(&self, around: &Environment) -> bool {
        match self.found {
            Found::Nothing | Found::Ours { .. } => true,
            Found::File { .. } | Found::Device { .. } => {
                let names = &around.settings.destroy;
                names.iter().any(|name| Path::new(name) == self.path)
            }
        }
    }
}

fn span(
    corner: &Corner,
    place: &Place,
    extent: Extent,
    seed: u64,
    warmup: Duration,
    duration: Duration,
) -> TimeSpan {
    let block = u64::from(corner.block);
    TimeSpan {
        name: corner.name.to_owned(),
        pause_before: Duration::ZERO,
        warmup,
        stop: Stop {
            after: Some(duration),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::CompletedInWindow,
        interval: INTERVAL,
        targets: vec![target(corner, place, extent)],
        groups: vec![WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: vec![Stream {
                target: TargetIndex(0),
                pattern: if corner.block == LARGE {
                    AccessPattern::Sequential {
                        stride: block,
                        worker_offset: 0,
                    }
                } else {
                    AccessPattern::Random {
                        alignment: block,
                        distribution: Distribution::Uniform,
                    }
                },
                mix: OperationMix {
                    write_percent: if corner.write { 100 } else { 0 },
                    flush: FlushPolicy::Never,
                },
                sizes: BlockSizes::One(corner.block),
                queue_depth: corner.depth,
                pacing: Pacing::Unlimited,
                payload: if corner.write {
                    Payload::Stamped
                } else {
                    Payload::Random
                },
                assembly: Assembly::Whole,
                copies: None,
            }],
            dispatch: Dispatch::PerStream,
        }],
        sequence: None,
        visits: None,
        generator: Generator::Xoshiro { seed },
        polling: Polling::Interrupt,
        throttle_sleep: ThrottleSleep::UntilDue,
        initiation: false,
        whole_milliseconds: false,
        verify: false,
    }
}

fn target(corner: &Corner, place: &Place, extent: Extent) -> Target {
    Target {
        label: place.label.clone(),
        path: place.path.clone(),
        base: 0,
        end: Some(extent.end),
        planned_size: Some(extent.end),
        access: if corner.write {
            Access::Write
        } else {
            Access::Read
        },
        caching: Caching::Direct,
        durability: corner.durability,
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: Opening::AtLeast(0),
    }
}
