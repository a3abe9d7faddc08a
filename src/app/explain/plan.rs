//! A plan as facts for programs: files, targets, threads, times.

use std::time::Duration;

use serde::Serialize;

use super::stream::{Group, Requests, Visitors};
use crate::{
    plan::{
        Access, Caching, Content, Counting, Durability, EngineChoice, FilePreparation, Generator,
        MappedFlush, OnError, Plan, Policy, Priority, Step, Stop, Target, TimeSpan, Whose,
    },
    units::names::shown,
};

#[derive(Serialize)]
pub(super) struct PlanFacts {
    engine: String,
    on_error: &'static str,
    may_be_destroyed: Vec<String>,
    files_made: Vec<FileMade>,
    /// Bytes that making them writes at most; fewer where a file is there already.
    made_max_bytes: u64,
    time_spans: Vec<Span>,
    files_removed: Vec<Removed>,
}

#[derive(Serialize)]
struct FileMade {
    path: String,
    size_bytes: u64,
    content: &'static str,
    existing: &'static str,
    grows_by_bytes: Option<u32>,
}

#[derive(Serialize)]
struct Removed {
    path: String,
    only_if_made_here: bool,
}

#[derive(Serialize)]
struct Span {
    name: String,
    warmup_ns: u64,
    ends: Ends,
    cooldown_ns: u64,
    interval_ns: u64,
    counts: &'static str,
    generator: &'static str,
    seed: u64,
    verifies: bool,
    threads: u32,
    in_flight_max: u64,
    targets: Vec<OneTarget>,
    groups: Vec<Group>,
    requests: Option<Requests>,
    visits: Option<Visitors>,
}

/// The first limit reached ends the measured time.
#[derive(Serialize)]
struct Ends {
    after_ns: Option<u64>,
    after_bytes: Option<u64>,
    after_operations: Option<u64>,
    after_passes: Option<u64>,
    steady: Option<WhenSteady>,
    early_when: Vec<String>,
}

#[derive(Serialize)]
struct WhenSteady {
    window_ns: u64,
    range_percent: u32,
    slope_percent: u32,
}

#[derive(Serialize)]
struct OneTarget {
    name: String,
    path: String,
    from_byte: u64,
    end_byte: Option<u64>,
    planned_size_bytes: Option<u64>,
    access: &'static str,
    caching: &'static str,
    durability: &'static str,
    open_flags: Vec<&'static str>,
    mapped_flush: Option<&'static str>,
    priority: &'static str,
    huge_pages: bool,
}

impl PlanFacts {
    /// The facts of a plan.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut facts = Self {
            engine: match &plan.engine {
                EngineChoice::Auto => "auto".to_owned(),
                EngineChoice::Named(kind) => kind.to_string(),
                EngineChoice::Simulated(law) => format!("sim:{law}"),
            },
            on_error: match plan.on_error {
                OnError::Stop => "stop",
                OnError::Continue => "continue",
            },
            may_be_destroyed: plan.consent.clone(),
            files_made: Vec::new(),
            made_max_bytes: 0,
            time_spans: Vec::new(),
            files_removed: Vec::new(),
        };
        for step in &plan.steps {
            match step {
                Step::Prepare(prepare) => {
                    for file in &prepare.files {
                        let bytes = file.size_from(0).unwrap_or(u64::MAX);
                        facts.made_max_bytes = facts.made_max_bytes.saturating_add(bytes);
                        facts.files_made.push(made(file));
                    }
                }
                Step::Run(span) => facts.time_spans.push(time_span(span)),
                Step::Cleanup(cleanup) => {
                    let removed = cleanup.paths.iter().map(|path| Removed {
                        path: shown(path.as_os_str()),
                        only_if_made_here: cleanup.whose == Whose::Own,
                    });
                    facts.files_removed.extend(removed);
                }
            }
        }
        facts
    }
}

fn made(file: &FilePreparation) -> FileMade {
    FileMade {
        path: shown(file.path.as_os_str()),
        size_bytes: file.size,
        content: match file.content {
            Content::Random => "random",
            Content::Zeros => "zeros",
            Content::BytePattern => "byte_pattern",
            Content::Verifiable => "verifiable",
        },
        existing: match file.policy {
            Policy::Rebuild => "rewritten",
            Policy::Extend => "extended",
            Policy::Replace => "replaced",
        },
        grows_by_bytes: file.block,
    }
}

fn time_span(span: &TimeSpan) -> Span {
    let (generator, seed) = match span.generator {
        Generator::Xoshiro { seed } => ("xoshiro256++", seed),
        Generator::DiskSpd { seed } => ("diskspd", u64::from(seed)),
    };
    let requests = span.sequence.as_deref().map(Requests::of);
    let visits = span.visits.as_deref().map(Visitors::of);
    let own = span.groups.iter().fold(0, |sum: u64, group| {
        let all = u64::from(group.slots()).saturating_mul(group.workers.into());
        sum.saturating_add(all)
    });
    let shared = requests.as_ref().map_or(0, Requests::in_flight);
    let visitors = visits.as_ref().map_or(0, Visitors::in_flight);
    Span {
        name: span.name.clone(),
        warmup_ns: ns(span.warmup),
        ends: ends(&span.stop),
        cooldown_ns: ns(span.cooldown),
        interval_ns: ns(span.interval),
        counts: match span.counting {
            Counting::CompletedInWindow => "completed_inside",
            Counting::DrainAndCount => "started_inside",
        },
        generator,
        seed,
        verifies: span.verify,
        threads: span.worker_count(),
        in_flight_max: own.saturating_add(shared).saturating_add(visitors),
        targets: span.targets.iter().map(target).collect(),
        groups: span.groups.iter().map(Group::of).collect(),
        requests,
        visits,
    }
}

/// Nanoseconds; more than 584 years are 584 years.
pub(super) fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn ends(stop: &Stop) -> Ends {
    Ends {
        after_ns: stop.after.map(ns),
        after_bytes: stop.bytes,
        after_operations: stop.operations,
        after_passes: stop.passes,
        steady: stop.steady.map(|steady| WhenSteady {
            window_ns: ns(steady.window),
            range_percent: steady.range_percent,
            slope_percent: steady.slope_percent,
        }),
        early_when: stop.fuse.iter().map(ToString::to_string).collect(),
    }
}

fn target(target: &Target) -> OneTarget {
    let (durability, flag) = match target.durability {
        Durability::None => ("none", None),
        Durability::Dsync => ("dsync", Some("O_DSYNC")),
        Durability::Sync => ("sync", Some("O_SYNC")),
    };
    let direct = target.is_direct() && target.mapped.is_none();
    let flags = [direct.then_some("O_DIRECT"), flag];
    OneTarget {
        name: target.label.clone(),
        path: shown(target.path.as_os_str()),
        from_byte: target.base,
        end_byte: target.end,
        planned_size_bytes: target.planned_size,
        access: match target.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::ReadWrite => "read_write",
        },
        caching: match target.caching {
            _ if target.mapped.is_some() => "mapped",
            Caching::Direct => "direct",
            Caching::Buffered => "buffered",
        },
        durability,
        open_flags: flags.into_iter().flatten().collect(),
        mapped_flush: target.mapped.map(|flush| match flush {
            MappedFlush::Never => "never",
            MappedFlush::View => "msync",
            MappedFlush::Persistent => "cache_lines_fenced",
            MappedFlush::PersistentNoDrain => "cache_lines",
        }),
        priority: match target.priority {
            Priority::Idle => "idle",
            Priority::Low => "low",
            Priority::Normal => "normal",
        },
        huge_pages: target.huge_pages,
    }
}
