//! One time span: opens, starts the workers, keeps the phases, collects.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use ioengine::{EngineKind, Nanos, Region, Setup, clock, registry};

use super::{
    Surroundings, buffers, engine, not_measured,
    open::{self, Targets},
    pacing::Pacer,
    payload::{self, Noise},
    timeline::Timeline,
    worker::{Counted, Lane, Progress, Worker},
};
use crate::{
    host::{self, CpuUse},
    measure::{IntervalSeries, OperationStats},
    offsets::{Sequencer, SharedCursors, Window},
    plan::{Affinity, OnError, Plan, Priority, Stream, Target, TimeSpan, WorkerGroup},
    results::{
        EffectiveRange, EndReason, Event, Failure, Observer, Outcome, SpanResult, Stage,
        StreamResult, WorkerResult,
    },
};

/// How often the driving thread looks at signals and tells observers how far the run is.
const TICK: Duration = Duration::from_millis(20);

/// Where a simulated device's clock starts; not 0, so that "before the start" can be said.
const SIMULATED_START: Nanos = Nanos(1_000_000_000);

/// Small: a worker needs a few frames; 1,000 of them must not need gigabytes of address space.
const STACK: usize = 256 << 10;

/// Runs a time span.
pub(super) fn run(
    plan: &Plan,
    span: &TimeSpan,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> SpanResult {
    let uses_files = engine::uses_files(&plan.engine);
    let failed = |failures| not_measured(span, EndReason::Failed, failures);
    let kinds = match engine::choose(&plan.engine, span) {
        Ok(kinds) => kinds,
        Err(message) => return failed(vec![open_failure(None, message)]),
    };
    let targets = match open::targets(span, uses_files) {
        Ok(targets) => targets,
        Err(failures) => return failed(failures),
    };
    let seats = match seats(plan, span, &kinds, &targets, around) {
        Ok(seats) => seats,
        Err(failures) => return failed(failures),
    };
    let mut result = drive(span, &kinds, seats, around, observer);
    result.targets = targets.results;
    result
}

fn open_failure(worker: Option<usize>, message: String) -> Failure {
    Failure {
        stage: Stage::Open,
        worker,
        target: None,
        errno: None,
        message,
    }
}

/// Everything a worker thread is made from.
struct Seat {
    number: usize,
    kind: EngineKind,
    setup: Setup,
    sequencer: Sequencer,
    streams: Vec<Stream>,
    ranges: Vec<Vec<EffectiveRange>>,
    lanes: Vec<Lane>,
    slots: usize,
    huge_pages: bool,
    cpu: Option<u32>,
    priority: Priority,
    on_error: OnError,
}

fn seats(
    plan: &Plan,
    span: &TimeSpan,
    kinds: &[EngineKind],
    targets: &Targets,
    around: Surroundings<'_>,
) -> Result<Vec<Seat>, Vec<Failure>> {
    let cursors = Arc::new(SharedCursors::new(span.targets.len()));
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
                        around,
                    },
                    sequencer,
                    targets,
                    &sources,
                )),
                Err(error) => {
                    let label = group
                        .streams
                        .get(error.stream().unwrap_or(usize::MAX))
                        .map(|stream| span.targets[stream.target.0].label.clone());
                    let message = match &label {
                        Some(label) => format!("{label}: thread {number}: {error}"),
                        None => format!("thread {number}: {error}"),
                    };
                    failures.push(Failure {
                        target: label,
                        ..open_failure(Some(number), message)
                    });
                }
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

/// One shared source for each stream that has one; all workers of the group send from it.
fn sources(
    group: &WorkerGroup,
    targets: &[Target],
) -> Result<Vec<Option<Arc<Region>>>, Vec<Failure>> {
    let of = |stream: &Stream| {
        payload::source(&stream.payload).map_err(|error| {
            let label = &targets[stream.target.0].label;
            let message = match &stream.payload {
                crate::plan::Payload::Source {
                    file: Some(file), ..
                } => format!(
                    "{label}: cannot fill the write source from {}: {error}",
                    file.display()
                ),
                _ => format!("{label}: cannot make the write source: {error}"),
            };
            vec![Failure {
                target: Some(label.clone()),
                ..open_failure(None, message)
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
    around: Surroundings<'a>,
}

fn seat(
    place: Place<'_>,
    sequencer: Sequencer,
    targets: &Targets,
    sources: &[Option<Arc<Region>>],
) -> Seat {
    let Place {
        plan,
        span,
        group,
        kind,
        number,
        around,
    } = place;
    let target_of = |stream: &Stream| &span.targets[stream.target.0];
    let mut own_sources: Vec<Arc<Region>> = Vec::new();
    let mut lanes = Vec::new();
    for (stream, source) in group.streams.iter().zip(sources) {
        lanes.push(Lane {
            file: stream.target.0 as u32,
            source: own_sources.len() as u32,
            block: stream.sizes.largest(),
            pacer: Pacer::new(&stream.pacing, Nanos(0)),
            label: target_of(stream).label.clone(),
        });
        own_sources.extend(source.clone());
    }
    let slots = group.slots();
    let setup = Setup {
        files: targets.files.clone(),
        sources: own_sources,
        depth: slots,
        polling: span.polling,
        law: engine::law(&plan.engine),
        start: SIMULATED_START,
        ..Setup::default()
    };
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
        cpu: cpu_of(&group.affinity, number, around),
        priority: group
            .streams
            .first()
            .map_or(Priority::Normal, |s| target_of(s).priority),
        on_error: plan.on_error,
        streams,
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

/// The start signal: every worker waits for it after it has opened everything.
#[derive(Default)]
struct Gate {
    state: Mutex<Option<Start>>,
    changed: Condvar,
}

#[derive(Clone, Copy)]
enum Start {
    At(Nanos),
    Never,
}

impl Gate {
    fn open(&self, start: Start) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(start);
        self.changed.notify_all();
    }

    fn wait(&self) -> Start {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(start) = *state {
                return start;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What the driving thread keeps of a worker.
struct Running {
    progress: Arc<Progress>,
    cpu: Option<u32>,
    thread: thread::JoinHandle<Option<Counted>>,
}

/// Starts the workers, keeps the phases by the clock and joins.
fn drive(
    span: &TimeSpan,
    kinds: &[EngineKind],
    seats: Vec<Seat>,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> SpanResult {
    let timeline = Arc::new(Timeline::new());
    let gate = Arc::new(Gate::default());
    let (ready, readiness) = mpsc::channel::<Option<Failure>>();
    let virtual_clock = kinds.contains(&EngineKind::Sim);
    let mut running: Vec<Running> = Vec::with_capacity(seats.len());
    let mut failures = Vec::new();
    for seat in seats {
        observer.observe(&Event::WorkerCreated {
            worker: seat.number,
        });
        match start(seat, span, &timeline, &gate, ready.clone()) {
            Ok(worker) => running.push(worker),
            Err(failure) => {
                failures.push(failure);
                break;
            }
        }
    }
    drop(ready);
    failures.extend(readiness.iter().take(running.len()).flatten());
    let mut cpus = Vec::new();
    if failures.is_empty() {
        let start = if virtual_clock {
            SIMULATED_START
        } else {
            clock::now()
        };
        timeline.begin(span, start);
        gate.open(Start::At(start));
        cpus = Phases {
            span,
            timeline: &timeline,
            around,
            observer,
            running: &running,
        }
        .keep(virtual_clock);
    } else {
        gate.open(Start::Never);
    }
    collect(span, kinds, running, &timeline, failures, cpus, around)
}

fn start(
    seat: Seat,
    span: &TimeSpan,
    timeline: &Arc<Timeline>,
    gate: &Arc<Gate>,
    ready: mpsc::Sender<Option<Failure>>,
) -> Result<Running, Failure> {
    let progress = Arc::new(Progress::default());
    let (number, cpu) = (seat.number, seat.cpu);
    let (timeline, gate) = (Arc::clone(timeline), Arc::clone(gate));
    let (interval, measured) = (span.interval, span.stop.after.unwrap_or_default());
    let (pacings, throttle_sleep) = (pacings(&seat.streams), span.throttle_sleep);
    let own_progress = Arc::clone(&progress);
    let body = move || {
        let worker = make(
            seat,
            timeline,
            own_progress,
            interval,
            measured,
            throttle_sleep,
        );
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(failure) => {
                let _ = ready.send(Some(failure));
                return None;
            }
        };
        let _ = ready.send(None);
        drop(ready);
        let Start::At(start) = gate.wait() else {
            return None;
        };
        for (lane, pacing) in worker.lanes.iter_mut().zip(&pacings) {
            lane.pacer = Pacer::new(pacing, start);
        }
        Some(worker.run())
    };
    let thread = thread::Builder::new()
        .name(format!("io-{number}"))
        .stack_size(STACK)
        .spawn(body)
        .map_err(|error| open_failure(Some(number), format!("cannot start thread: {error}")))?;
    Ok(Running {
        progress,
        cpu,
        thread,
    })
}

fn pacings(streams: &[Stream]) -> Vec<crate::plan::Pacing> {
    streams.iter().map(|stream| stream.pacing.clone()).collect()
}

/// On the worker's own thread: CPU, buffers, engine.
fn make(
    seat: Seat,
    timeline: Arc<Timeline>,
    progress: Arc<Progress>,
    interval: Duration,
    measured: Duration,
    throttle_sleep: crate::plan::ThrottleSleep,
) -> Result<Worker, Failure> {
    let fail = |message: String| open_failure(Some(seat.number), message);
    if let Some(cpu) = seat.cpu {
        ioengine::sys::set_affinity(cpu as usize).map_err(|error| {
            fail(format!(
                "cannot bind thread {} to CPU {cpu}: {error}",
                seat.number
            ))
        })?;
    }
    super::open::set_priority(seat.priority)
        .map_err(|error| fail(format!("cannot set the I/O priority: {error}")))?;
    let streams: Vec<&Stream> = seat.streams.iter().collect();
    let mut noise = Noise::fresh(seat.number as u64);
    let stream_of = |slot| seat.sequencer.stream_of(slot);
    let (slots, regions) =
        buffers::slots(&streams, stream_of, seat.slots, seat.huge_pages, &mut noise).map_err(
            |error| {
                let hint = if seat.huge_pages {
                    " (are huge pages reserved? vm.nr_hugepages)"
                } else {
                    ""
                };
                fail(format!("cannot allocate I/O buffers: {error}{hint}"))
            },
        )?;
    let setup = Setup {
        regions,
        ..seat.setup
    };
    let engine = registry::open(seat.kind, setup).map_err(|error| fail(error.to_string()))?;
    let stats = |used: bool| {
        if !used {
            return OperationStats::default();
        }
        let mut stats = OperationStats::new(IntervalSeries::new(interval, measured));
        stats.latency.reserve();
        stats
    };
    let results = seat
        .streams
        .iter()
        .zip(seat.ranges)
        .map(|(stream, ranges)| StreamResult {
            target: stream.target.0,
            read: stats(stream.mix.write_percent < 100),
            write: stats(stream.mix.write_percent > 0),
            flush: OperationStats::default(),
            ranges,
        });
    Ok(Worker {
        number: seat.number,
        synchronous: !seat.kind.capabilities().asynchronous,
        streams: results.collect(),
        engine,
        sequencer: seat.sequencer,
        lanes: seat.lanes,
        slots,
        timeline,
        progress,
        on_error: seat.on_error,
        throttle_sleep,
    })
}

/// The driving thread while the workers work.
struct Phases<'a, 'o> {
    span: &'a TimeSpan,
    timeline: &'a Timeline,
    around: Surroundings<'a>,
    observer: &'o mut dyn Observer,
    running: &'a [Running],
}

impl Phases<'_, '_> {
    /// Follows the phases to their end; returns CPU times of the measured one.
    fn keep(&mut self, virtual_clock: bool) -> Vec<CpuUse> {
        let span = self.span;
        if span.warmup > Duration::ZERO {
            self.observer.observe(&Event::Warmup {
                length: span.warmup,
            });
        }
        if virtual_clock {
            // Workers run through their own time as fast as they can; only its end is seen.
            self.observer.observe(&Event::Measuring {
                length: span.stop.after,
            });
            self.wait_for_threads();
            self.observer.observe(&Event::Measured {
                length: self.timeline.measured(),
            });
            return Vec::new();
        }
        self.wait_until(Timeline::measure_from);
        if self.timeline.stop_at() <= self.timeline.measure_from() && !self.timeline_is_whole() {
            return Vec::new();
        }
        let before = host::cpu_times();
        self.observer.observe(&Event::Measuring {
            length: span.stop.after,
        });
        self.wait_until(Timeline::measure_to);
        let cpus = host::cpu_times().since(&before);
        self.observer.observe(&Event::Measured {
            length: self.timeline.measured(),
        });
        if self.timeline.stop_at() > self.timeline.measure_to() {
            self.observer.observe(&Event::Cooldown {
                length: span.cooldown,
            });
            self.wait_until(Timeline::stop_at);
        }
        cpus
    }

    /// False once somebody ended the span early.
    fn timeline_is_whole(&self) -> bool {
        !self.timeline.has_failed() && !self.around.interrupted()
    }

    /// Waits for a point of the timeline, which an early end may move.
    fn wait_until(&mut self, point: fn(&Timeline) -> Nanos) {
        loop {
            self.tick();
            let now = clock::now();
            let until = point(self.timeline).min(self.timeline.stop_at());
            if now >= until {
                return;
            }
            clock::sleep_until(until.min(now.after(TICK)));
        }
    }

    fn wait_for_threads(&mut self) {
        while self
            .running
            .iter()
            .any(|worker| !worker.thread.is_finished())
        {
            self.tick();
            clock::sleep_until(clock::now().after(Duration::from_millis(1)));
        }
    }

    fn tick(&mut self) {
        use std::sync::atomic::Ordering::Relaxed;
        if self.around.interrupted() && self.timeline.stop_at() > Nanos(0) {
            let now = clock::now();
            if self.timeline.stop_at() > now {
                self.timeline.end(now);
                self.observer.observe(&Event::Interrupted);
            }
        }
        let completions: Vec<u64> = self
            .running
            .iter()
            .map(|worker| worker.progress.0.load(Relaxed))
            .collect();
        self.observer.observe(&Event::Progress {
            completions: &completions,
        });
    }
}

/// Joins the workers and puts the result together.
fn collect(
    span: &TimeSpan,
    kinds: &[EngineKind],
    running: Vec<Running>,
    timeline: &Timeline,
    mut failures: Vec<Failure>,
    cpus: Vec<CpuUse>,
    around: Surroundings<'_>,
) -> SpanResult {
    let started = failures.is_empty();
    let mut result = not_measured(span, EndReason::Failed, Vec::new());
    for worker in running {
        match worker.thread.join() {
            Ok(Some(counted)) => {
                failures.extend(counted.failures);
                result.engine_notes.extend(counted.notes);
                result.workers.push(WorkerResult {
                    streams: counted.streams,
                    waits: counted.waits,
                    cpu: worker.cpu,
                });
            }
            Ok(None) => {}
            Err(_) => failures.push(open_failure(None, "a worker thread died".to_owned())),
        }
    }
    let mut names: Vec<&str> = kinds.iter().map(|kind| kind.capabilities().name).collect();
    names.dedup();
    result.engine = names.join("+");
    result.simulated = kinds.iter().any(|kind| kind.capabilities().simulated);
    result.engine_notes.sort();
    result.engine_notes.dedup();
    let planned = span.stop.after.unwrap_or_default();
    result.measured = if started {
        timeline.measured()
    } else {
        Duration::ZERO
    };
    let reason = if timeline.has_failed() || !started {
        EndReason::Failed
    } else {
        EndReason::Interrupted
    };
    result.outcome = if !started {
        Outcome::NotMeasured(reason)
    } else if result.measured >= planned && !(planned.is_zero() && around.interrupted()) {
        Outcome::Finished
    } else if result.measured > Duration::ZERO {
        Outcome::EndedEarly(reason)
    } else {
        Outcome::NotMeasured(reason)
    };
    result.failures = failures;
    result.cpus = cpus;
    result
}
