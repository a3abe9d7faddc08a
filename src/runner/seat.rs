//! What each worker thread is made from, worked out on the driving thread before any starts.

use std::{sync::Arc, time::Duration};

use ioengine::{EngineKind, Region, Setup, registry};

use super::{
    Surroundings,
    allowance::Allowance,
    engine,
    lane::Lane,
    open::Targets,
    payload::{self, Noise, Stamp},
    schedule::Origin,
    span::{SIMULATED_START, open_failure},
    verification::{Verified, Verifier},
};
use crate::{
    measure::{IntervalSeries, Latency},
    offsets::{SequenceError, Sequencer, SharedCursors, Window},
    plan::{
        Affinity, Assembly, Counting, FlushPolicy, MappedFlush, OnError, Payload, Plan, Priority,
        Stream, Target, ThrottleSleep, TimeSpan, WorkerGroup,
    },
    results::{EffectiveRange, Failure, Stage, Subject},
};

/// Everything a worker thread is made from.
pub(super) struct Seat {
    pub(super) number: usize,
    pub(super) kind: EngineKind,
    pub(super) setup: Setup,
    pub(super) sequencer: Sequencer,
    pub(super) streams: Vec<Stream>,
    /// What the distributions of the streams came down to.
    pub(super) ranges: Vec<Vec<EffectiveRange>>,
    pub(super) lanes: Vec<Lane>,
    pub(super) slots: usize,
    pub(super) huge_pages: bool,
    pub(super) cpu: Option<u32>,
    /// The user named the CPU: not to get it is a failure.
    pub(super) cpu_asked_for: bool,
    pub(super) priority: Priority,
    pub(super) on_error: OnError,
    pub(super) throttle_sleep: ThrottleSleep,
    pub(super) counting: Counting,
    /// What limits other than a time leave to it.
    pub(super) allowance: Option<Arc<Allowance>>,
    /// Numbers its writes.
    pub(super) stamp: Stamp,
    /// Labels its writes and judges its reads, where that is asked for.
    pub(super) verifier: Option<Verifier>,
    /// The time that initiating calls take is measured.
    pub(super) initiation: bool,
    /// Latencies are also counted in whole milliseconds.
    pub(super) whole_milliseconds: bool,
    /// Length of an interval of the time series.
    pub(super) interval: Duration,
    /// Planned length of the measured time.
    pub(super) measured: Duration,
}

impl Seat {
    /// Address space that the worker will take, about.
    pub(super) fn bytes(&self) -> u64 {
        let page = ioengine::sys::page_size() as u64;
        let sides = |stream: &Stream| match stream.mix.write_percent {
            0 | 100 => 1,
            _ => 2,
        };
        let each = 1 + u64::from(self.initiation);
        let counting = |stream: &Stream| {
            let series = IntervalSeries::bytes(self.interval, self.measured);
            let flushes = u64::from(stream.mix.flush != FlushPolicy::Never);
            let counted = (sides(stream) + flushes) * (Latency::BYTES * each + series);
            let responses = if stream.pacing.responds() {
                sides(stream)
            } else {
                0
            };
            counted + responses * Latency::BYTES
        };
        let block = self
            .streams
            .iter()
            .map(|stream| u64::from(stream.sizes.largest()))
            .max();
        let sides = self.streams.iter().map(sides).max().unwrap_or(1);
        let buffers = block.unwrap_or(0).next_multiple_of(page) * sides * self.slots as u64;
        // Stack and guard, rings and tables of the engine.
        let fixed = super::span::STACK as u64 + 16 * page + self.slots as u64 * 512;
        let copied = match self.setup.assembly {
            Assembly::Copied { .. } => u64::from(self.setup.largest).next_multiple_of(page),
            Assembly::Whole | Assembly::Scattered { .. } => 0,
        };
        self.streams.iter().map(counting).sum::<u64>() + buffers + copied + fixed
    }
}

/// The seats of all workers of a time span.
///
/// # Errors
/// Every worker that has no sequence on its targets, or a source that cannot be filled.
pub(super) fn seats(
    plan: &Plan,
    span: &TimeSpan,
    kinds: &[EngineKind],
    targets: &Targets,
    verified: &[Verified],
    around: Surroundings<'_>,
) -> Result<Vec<Seat>, Vec<Failure>> {
    let cursors = Arc::new(SharedCursors::new(span.targets.len()));
    let simulated = kinds.contains(&EngineKind::Sim);
    let mut allowances = Allowance::of(span, simulated).into_iter();
    let run = Noise::fresh(u64::MAX).number();
    let mut seats = Vec::new();
    let mut failures = Vec::new();
    let mut number = 0;
    for (group, kind) in span.groups.iter().zip(kinds) {
        let sources = sources(group, &span.targets)?;
        let windows: Vec<Window> = group
            .streams
            .iter()
            .map(|stream| targets.windows[stream.target.0])
            .collect();
        for relative in 0..group.workers {
            let sequencer = Sequencer::new(
                span.generator,
                group,
                relative,
                number as u32,
                &windows,
                &cursors,
            );
            match sequencer {
                Ok(sequencer) => seats.push(seat(
                    Place {
                        plan,
                        span,
                        group,
                        kind: *kind,
                        number,
                        relative,
                        verified,
                        around,
                    },
                    sequencer,
                    targets,
                    &sources,
                    (allowances.next().flatten(), Stamp::new(run, number)),
                )),
                Err(error) => failures.push(no_sequence(span, group, number, &error)),
            }
            number += 1;
        }
    }
    if failures.is_empty() {
        Ok(seats)
    } else {
        Err(failures)
    }
}

/// A worker that cannot do what it should.
fn no_sequence(
    span: &TimeSpan,
    group: &WorkerGroup,
    number: usize,
    error: &SequenceError,
) -> Failure {
    let stream = error.stream().and_then(|stream| group.streams.get(stream));
    let label = stream.map(|stream| span.targets[stream.target.0].label.clone());
    let message = match &label {
        Some(label) => format!("{label}: thread {number}: {error}"),
        None => format!("thread {number}: {error}"),
    };
    Failure {
        target: label,
        ..open_failure(Some(number), message)
    }
}

/// One shared source for each stream that has one; all workers of the group send from it.
fn sources(
    group: &WorkerGroup,
    targets: &[Target],
) -> Result<Vec<Option<Arc<Region>>>, Vec<Failure>> {
    let of = |stream: &Stream| {
        payload::source(&stream.payload).map_err(|error| {
            let label = &targets[stream.target.0].label;
            let (stage, what) = match &stream.payload {
                Payload::Source {
                    file: Some(file), ..
                } => {
                    let file = file.display();
                    (
                        Stage::WriteSource,
                        format!("cannot fill the write source from {file}"),
                    )
                }
                _ => (Stage::Open, "cannot make the write source".to_owned()),
            };
            vec![Failure {
                stage,
                worker: None,
                target: Some(label.clone()),
                errno: error.raw_os_error(),
                subject: Subject::Other,
                message: format!("{label}: {what}: {error}"),
            }]
        })
    };
    group.streams.iter().map(of).collect()
}

/// Where a worker stands in its plan.
#[derive(Clone, Copy)]
struct Place<'a> {
    plan: &'a Plan,
    span: &'a TimeSpan,
    group: &'a WorkerGroup,
    kind: EngineKind,
    number: usize,
    /// Its number inside the group.
    relative: u32,
    /// The targets of a time span that verifies.
    verified: &'a [Verified],
    around: Surroundings<'a>,
}

fn seat(
    place: Place<'_>,
    sequencer: Sequencer,
    targets: &Targets,
    sources: &[Option<Arc<Region>>],
    (allowance, stamp): (Option<Arc<Allowance>>, Stamp),
) -> Seat {
    let Place {
        plan,
        span,
        group,
        kind,
        number,
        around,
        ..
    } = place;
    let target_of = |stream: &Stream| &span.targets[stream.target.0];
    let (lanes, own_sources) = lanes(place, sources);
    let slots = group.slots();
    let setup = setup(place, targets, own_sources);
    let streams = group.streams.clone();
    Seat {
        number,
        kind,
        setup,
        ranges: (0..streams.len())
            .map(|i| shares(sequencer.ranges(i)))
            .collect(),
        sequencer,
        lanes,
        slots: slots as usize,
        huge_pages: group
            .streams
            .iter()
            .any(|stream| target_of(stream).huge_pages),
        cpu_asked_for: matches!(group.affinity, Affinity::List(_)),
        cpu: cpu_of(&group.affinity, number, around),
        priority: group
            .streams
            .first()
            .map_or(Priority::Normal, |s| target_of(s).priority),
        on_error: plan.on_error,
        throttle_sleep: span.throttle_sleep,
        counting: span.counting,
        allowance,
        stamp,
        verifier: verifier(place),
        initiation: span.initiation,
        whole_milliseconds: span.whole_milliseconds,
        interval: span.interval,
        measured: span.stop.after.unwrap_or_else(|| unknown_length(span)),
        streams,
    }
}

/// For how long the time series has room where nobody knows how long the load takes.
fn unknown_length(span: &TimeSpan) -> Duration {
    let slow = span.stop.bytes.map(|bytes| bytes / SLOW_PER_SECOND);
    let length = UNKNOWN_LENGTH.max(Duration::from_secs(slow.unwrap_or(0)));
    length.min(span.interval.saturating_mul(UNKNOWN_COUNT))
}

/// Bytes a second of storage that is slow.
const SLOW_PER_SECOND: u64 = 10 << 20;

/// The time series has room for so much where nobody knows how long the load takes; what comes
/// later is in the totals only.
const UNKNOWN_LENGTH: Duration = Duration::from_hours(1);
/// So many intervals at most, however short they are.
const UNKNOWN_COUNT: u32 = 100_000;

/// What verifies the I/Os of a worker.
fn verifier(place: Place<'_>) -> Option<Verifier> {
    let Place { span, group, .. } = place;
    let streams = group.streams.iter().map(|stream| {
        let target = stream.target.0;
        Some((target, place.verified.get(target)?.clone()))
    });
    let streams: Option<Vec<_>> = streams.collect();
    let slots = group.slots() as usize;
    Some(Verifier::new(place.number, streams?, slots, largest(span)))
}

/// Bytes of the largest I/O of a time span.
pub(super) fn largest(span: &TimeSpan) -> u32 {
    let streams = span.groups.iter().flat_map(|group| &group.streams);
    streams
        .map(|stream| stream.sizes.largest())
        .max()
        .unwrap_or(0)
}

/// The lanes of a worker, and the sources that they send from.
fn lanes(place: Place<'_>, sources: &[Option<Arc<Region>>]) -> (Vec<Lane>, Vec<Arc<Region>>) {
    let Place { span, group, .. } = place;
    let mut own_sources: Vec<Arc<Region>> = Vec::new();
    let mut lanes = Vec::new();
    for (index, (stream, source)) in group.streams.iter().zip(sources).enumerate() {
        let origin = Origin {
            generator: span.generator,
            worker: place.number as u32,
            relative: place.relative,
            workers: group.workers,
            stream: index as u32,
        };
        let label = &span.targets[stream.target.0].label;
        let source_index = own_sources.len() as u32;
        lanes.push(Lane::new(group, index, source_index, label, &origin));
        own_sources.extend(source.clone());
    }
    (lanes, own_sources)
}

/// What the engine of a worker is opened with, but for its memory.
fn setup(place: Place<'_>, targets: &Targets, sources: Vec<Arc<Region>>) -> Setup {
    let Place {
        plan, span, group, ..
    } = place;
    let sizes = group.streams.iter().map(|stream| stream.sizes.largest());
    Setup {
        files: targets.files.clone(),
        sources,
        depth: group.slots(),
        polling: span.polling,
        mapped_flush: mapped_flush(group, &span.targets),
        assembly: assembly(group),
        largest: sizes.max().unwrap_or(0),
        initiation: span.initiation,
        law: engine::law(&plan.engine),
        start: SIMULATED_START,
        ..Setup::default()
    }
}

/// How the engine of a group puts blocks together: in one way for all streams.
fn assembly(group: &WorkerGroup) -> Assembly {
    group
        .streams
        .first()
        .map_or(Assembly::Whole, |stream| stream.assembly)
}

/// What follows a write through a mapping: the strongest that any of the worker's targets asks for.
fn mapped_flush(group: &WorkerGroup, targets: &[Target]) -> registry::MappedFlush {
    let asked = |stream: &Stream| targets[stream.target.0].mapped;
    let any = |flush| {
        group
            .streams
            .iter()
            .any(|stream| asked(stream) == Some(flush))
    };
    if any(MappedFlush::Persistent) || any(MappedFlush::PersistentNoDrain) {
        registry::MappedFlush::CacheLine
    } else if any(MappedFlush::View) {
        registry::MappedFlush::Sync
    } else {
        registry::MappedFlush::None
    }
}

/// Weights of ranges as percentages of the I/Os.
fn shares(ranges: &[crate::plan::Range]) -> Vec<EffectiveRange> {
    let span: u64 = ranges.iter().map(|range| range.weight).sum();
    let share = |range: &crate::plan::Range| EffectiveRange {
        io_percent: range.weight as f64 * 100.0 / span.max(1) as f64,
        from: range.from,
        to: range.from + range.length,
    };
    ranges.iter().map(share).collect()
}

fn cpu_of(affinity: &Affinity, number: usize, around: Surroundings<'_>) -> Option<u32> {
    let list = match affinity {
        Affinity::None => return None,
        Affinity::RoundRobin => &around.machine.usable,
        Affinity::List(list) => list,
    };
    (!list.is_empty()).then(|| list[number % list.len()])
}
