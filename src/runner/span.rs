//! One time span: opens, starts the workers, keeps the phases, collects.

use std::{
    collections::BTreeSet,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use ioengine::{EngineKind, File, Nanos};

use super::{
    Surroundings, engine,
    gate::{Gate, Start},
    make, not_measured,
    open::{self, Targets},
    phases::Phases,
    places,
    seat::{self, Seat},
    timeline::Timeline,
    verification::{Tables, read_back},
    watch::{self, Watch},
    windows::Mail,
    worker::{Counted, Progress},
};
use crate::{
    plan::{Plan, TimeSpan, WriteRules},
    results::{
        EndReason, Event, Failure, Finding, Observer, Outcome, ReadBack, Severity, SpanResult,
        Stage, Subject, Verification, WorkerResult,
    },
    units::words,
};

/// Where a simulated device's clock starts; not 0, so that "before the start" can be said.
pub(super) const SIMULATED_START: Nanos = Nanos(1_000_000_000);

/// Small: a worker needs a few frames; 1,000 of them must not need gigabytes of address space.
pub(super) const STACK: usize = 256 << 10;

/// Runs a time span; returns what happened and what a reader must know of it.
pub(super) fn run(
    plan: &Plan,
    span: &TimeSpan,
    around: Surroundings<'_>,
    tables: &mut Tables,
    observer: &mut dyn Observer,
) -> (SpanResult, Vec<Finding>) {
    if let Some(sequence) = &span.sequence {
        return super::sequence::run(plan, span, sequence, around, observer);
    }
    if let Some(visits) = &span.visits {
        return super::visits::run(plan, span, visits, around, observer);
    }
    let failed = |failures| (not_measured(span, EndReason::Failed, failures), Vec::new());
    let (kinds, mut findings) = match engine::choose(&plan.engine, span) {
        Ok(chosen) => chosen,
        Err(message) => return failed(vec![open_failure(None, message)]),
    };
    let mapped = mapped_files(&kinds, span);
    if let Some(failure) = too_many_threads(span.worker_count(), mapped) {
        return failed(vec![failure]);
    }
    let targets = match open::targets(span, &plan.engine, &kinds, observer) {
        Ok(targets) => targets,
        Err(failures) => return failed(failures),
    };
    let verified = match tables.of(span, &targets, around.machine.memory) {
        Ok(verified) => verified,
        Err(failure) => return failed(vec![failure]),
    };
    let seats = match seat::seats(plan, span, &kinds, &targets, &verified, around) {
        Ok(seats) => seats,
        Err(failures) => return failed(failures),
    };
    let need = seats.iter().map(Seat::bytes).sum::<u64>() + watch::bytes(span);
    if let Some(failure) = too_little_memory(seats.len(), need) {
        return failed(vec![failure]);
    }
    for message in &targets.warnings {
        observer.observe(&Event::Warning { message });
    }
    // Lines of other tools mean what they say there, and are told as there.
    if plan.rules == WriteRules::Own {
        findings.extend(places::few(span, &targets.windows));
    }
    let files = targets.files.clone();
    let (mut result, late) = drive(plan, span, &kinds, seats, targets, around, observer);
    if let Some(seen) = &mut result.verification {
        read_back(&verified, seat::largest(span), around, observer, seen);
        seen.bring_together();
        let failed = not_read_back(seen, around);
        result.failures.extend(failed);
    }
    findings.extend(late);
    findings.extend(engine::findings(&result));
    findings.extend(files.iter().filter_map(|file| replaced(file)));
    (result, findings)
}

/// What kept the reading back from its end, if that was no signal.
fn not_read_back(seen: &Verification, around: Surroundings<'_>) -> Option<Failure> {
    let ReadBack::Partly { why, .. } = &seen.read_back else {
        return None;
    };
    (!around.interrupted()).then(|| Failure {
        stage: Stage::Io,
        ..open_failure(None, format!("what was written was not read back: {why}"))
    })
}

/// The run went on with the file that it had opened; its name may mean another now.
pub(super) fn replaced(file: &File) -> Option<Finding> {
    (!file.is_still_there()).then(|| Finding {
        severity: Severity::Caution,
        code: "target-replaced",
        message: format!(
            "{}: the path no longer names the file that was measured; it was removed or replaced \
             during the run",
            file.path().display()
        ),
    })
}

/// Address space for what nobody counts: heaps, stacks of signal handlers, reports.
const UNCOUNTED: u64 = 16 << 20;

/// Under a limit of address space an allocation that fails would end the process: looked at before.
pub(super) fn too_little_memory(threads: usize, need: u64) -> Option<Failure> {
    let left = ioengine::sys::address_space_left()?;
    // What the estimate leaves out, and what a failure itself needs to be told.
    let need = need.saturating_add(need / 4).saturating_add(UNCOUNTED);
    (need > left).then(|| {
        let message = format!(
            "{threads} threads need {need} bytes of address space, but the limit leaves {left} \
             (ulimit -v); use fewer threads, a lower queue depth or smaller blocks"
        );
        open_failure(None, message)
    })
}

/// Mappings that a thread needs: its stacks with their guard pages, buffers, histograms.
const MAPPINGS_OF_A_THREAD: u64 = 5;

/// Mappings for everything else.
const OTHER_MAPPINGS: u64 = 1000;

/// A thread whose stack cannot be guarded ends the process: looked at before.
pub(super) fn too_many_threads(threads: u32, mapped_files: usize) -> Option<Failure> {
    let left = ioengine::sys::mappings_left()?;
    let of_a_thread = MAPPINGS_OF_A_THREAD + mapped_files as u64;
    let most = left.saturating_sub(OTHER_MAPPINGS) / of_a_thread;
    (u64::from(threads) > most).then(|| {
        let files = match mapped_files {
            0 => String::new(),
            files => format!(" with {files} mapped files each"),
        };
        let message = format!(
            "{threads} threads{files} need more memory mappings than the system allows a process: \
             at most {most} threads fit (vm.max_map_count); use fewer threads"
        );
        open_failure(None, message)
    })
}

/// Files that each worker maps: all, if any group's engine does.
pub(super) fn mapped_files(kinds: &[EngineKind], span: &TimeSpan) -> usize {
    if kinds.contains(&EngineKind::Mmap) {
        span.targets.len()
    } else {
        0
    }
}

/// Something that kept the load from starting.
pub(super) fn open_failure(worker: Option<usize>, message: String) -> Failure {
    Failure {
        stage: Stage::Open,
        worker,
        target: None,
        errno: None,
        subject: Subject::Other,
        message,
    }
}

/// What the driving thread keeps of a worker.
pub(super) struct Running {
    pub(super) progress: Arc<Progress>,
    pub(super) cpu: Option<u32>,
    pub(super) thread: thread::JoinHandle<Option<Counted>>,
}

/// Starts the workers, keeps the phases by the clock and joins.
fn drive(
    plan: &Plan,
    span: &TimeSpan,
    kinds: &[EngineKind],
    seats: Vec<Seat>,
    targets: Targets,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> (SpanResult, Vec<Finding>) {
    let timeline = Arc::new(Timeline::new());
    let gate = Arc::new(Gate::default());
    let allowances: Vec<_> = seats.iter().filter_map(|s| s.allowance.clone()).collect();
    let virtual_clock = kinds.contains(&EngineKind::Sim);
    let mails = mails(span, observer, virtual_clock, seats.len());
    let (running, mut failures) = start_all(seats, &timeline, &gate, &mails, observer);
    let mut cpus = Vec::new();
    let mut watch = None;
    let mut blown = None;
    if failures.is_empty() {
        let mut phases = Phases {
            span,
            events: &plan.events,
            virtual_clock,
            timeline: &timeline,
            around,
            observer: &mut *observer,
            running: &running,
            allowances: &allowances,
            watch: (!mails.is_empty()).then(|| Watch::new(span, mails)),
            blown: None,
        };
        cpus = phases.keep(&gate);
        (watch, blown) = (phases.watch, phases.blown);
    } else {
        gate.open(Start::Never);
    }
    once(&mut failures);
    let measured = if failures.is_empty() {
        timeline.measured()
    } else {
        Duration::ZERO
    };
    let mut result = not_measured(span, EndReason::Failed, failures);
    result.targets = targets.results;
    result.measured = measured;
    result.cpus = cpus;
    name_engines(&mut result, kinds);
    let late_ns = collect(running, &mut result);
    if timeline.limit_reached() {
        cut_series(&mut result);
    }
    result.outcome = outcome(span, &result, &timeline, around);
    if let (Outcome::EndedEarly(EndReason::Interrupted), Some(blown)) = (result.outcome, blown) {
        result.outcome = Outcome::EndedEarly(EndReason::Fuse(blown));
    }
    let late = late(&result, late_ns);
    let unsteady = watch.and_then(|watch| looked_at(watch, &mut result, observer));
    (result, late.into_iter().chain(unsteady).collect())
}

/// Starts a thread for each seat; all that started are ready, or say why not.
fn start_all(
    seats: Vec<Seat>,
    timeline: &Arc<Timeline>,
    gate: &Arc<Gate>,
    mails: &[Arc<Mail>],
    observer: &mut dyn Observer,
) -> (Vec<Running>, Vec<Failure>) {
    let (ready, readiness) = mpsc::channel::<Option<Failure>>();
    let mut running: Vec<Running> = Vec::with_capacity(seats.len());
    let mut failures = Vec::new();
    for seat in seats {
        observer.observe(&Event::WorkerCreated {
            worker: seat.number,
        });
        let mail = mails.get(seat.number).cloned();
        match start(seat, timeline, gate, ready.clone(), mail) {
            Ok(worker) => running.push(worker),
            Err(failure) => {
                failures.push(failure);
                break;
            }
        }
    }
    drop(ready);
    failures.extend(readiness.iter().take(running.len()).flatten());
    (running, failures)
}

/// Where workers leave their intervals; none where nobody looks at them.
fn mails(
    span: &TimeSpan,
    observer: &dyn Observer,
    virtual_clock: bool,
    workers: usize,
) -> Vec<Arc<Mail>> {
    // Nobody shall be without a load for want of memory for a live line.
    let live = observer.looks_at_windows() && ioengine::sys::address_space_left().is_none();
    if virtual_clock || !watch::is_wanted(span, live) {
        return Vec::new();
    }
    (0..workers).map(|_| Arc::default()).collect()
}

/// The last intervals, once all workers are done; the figures of a load that is steady.
fn looked_at(
    mut watch: Watch<'_>,
    result: &mut SpanResult,
    observer: &mut dyn Observer,
) -> Option<Finding> {
    for figures in &watch.last_look(result.measured).figures {
        observer.observe(&Event::Window(figures));
    }
    if result.outcome == Outcome::Finished {
        watch.settle(result)
    } else {
        None
    }
}

fn start(
    seat: Seat,
    timeline: &Arc<Timeline>,
    gate: &Arc<Gate>,
    ready: mpsc::Sender<Option<Failure>>,
    mail: Option<Arc<Mail>>,
) -> Result<Running, Failure> {
    let progress = Arc::new(Progress::default());
    let (number, cpu) = (seat.number, seat.cpu);
    let (timeline, gate) = (Arc::clone(timeline), Arc::clone(gate));
    let own_progress = Arc::clone(&progress);
    let body = move || {
        let mut worker = match make::worker(seat, timeline, own_progress, mail) {
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
        for lane in &mut worker.lanes {
            lane.pacer.begin(start);
        }
        Some(worker.run())
    };
    let thread = start_thread(number, body)?;
    Ok(Running {
        progress,
        cpu,
        thread,
    })
}

/// Gives worker `number` its thread.
pub(super) fn start_thread<T: Send + 'static>(
    number: usize,
    body: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>, Failure> {
    let thread = thread::Builder::new()
        .name(format!("io-{number}"))
        .stack_size(STACK)
        .spawn(body);
    thread.map_err(|error| {
        let message = format!(
            "cannot start thread {number}: {error} (limits: ulimit -u, ulimit -v, pids.max)"
        );
        open_failure(Some(number), message)
    })
}

/// What all threads say is said once.
pub(super) fn once(failures: &mut Vec<Failure>) {
    let mut said = BTreeSet::new();
    failures.retain(|failure| said.insert(failure.message.clone()));
}

/// Joins the workers and takes what they counted.
/// Returns the longest that an I/O took that was in flight at the end of the measured time.
pub(super) fn collect(running: Vec<Running>, result: &mut SpanResult) -> u64 {
    let mut late_ns = 0;
    for worker in running {
        match worker.thread.join() {
            Ok(Some(counted)) => {
                result.failures.extend(counted.failures);
                late_ns = late_ns.max(counted.late_ns);
                if let Some(verified) = counted.verified {
                    let all = result.verification.get_or_insert_default();
                    all.merge(verified);
                }
                result.engine_notes.extend(counted.notes);
                result.workers.push(WorkerResult {
                    streams: counted.streams,
                    waits: counted.waits,
                    cpu: worker.cpu,
                });
            }
            Ok(None) => {}
            Err(_) => {
                let message = "a worker thread died".to_owned();
                result.failures.push(open_failure(None, message));
            }
        }
    }
    result.engine_notes.sort();
    result.engine_notes.dedup();
    late_ns
}

/// Nobody knew how long a load with such limits would take: its series end with it.
fn cut_series(result: &mut SpanResult) {
    let measured = result.measured;
    for stream in result.workers.iter_mut().flat_map(|w| &mut w.streams) {
        for stats in [&mut stream.read, &mut stream.write, &mut stream.flush] {
            stats.intervals.cut(measured);
        }
    }
}

/// What completes after the measured time is in no figure; a stall at its end must not go unseen.
pub(super) fn late(result: &SpanResult, late_ns: u64) -> Option<Finding> {
    let slowest = [result.reads(None), result.writes(None)].map(|side| side.latency.max_ns());
    let slowest = slowest.into_iter().flatten().max();
    // Twice the slowest: with a queue the last I/Os are always a little late.
    let whole = result.has_figures() && result.failures.is_empty();
    (whole && late_ns > 1_000_000 && late_ns / 2 > slowest.unwrap_or(0)).then(|| Finding {
        severity: Severity::Caution,
        code: "stall-at-the-end",
        message: format!(
            "an I/O that was in flight at the end of the measured time took {}, {}: measure longer \
             to see such stalls in the figures",
            words::nanoseconds(late_ns),
            slowest.map_or_else(
                || "and none finished in that time".to_owned(),
                |ns| format!("the slowest that counted {}", words::nanoseconds(ns))
            )
        ),
    })
}

fn name_engines(result: &mut SpanResult, kinds: &[EngineKind]) {
    let mut names: Vec<&str> = kinds.iter().map(|kind| kind.capabilities().name).collect();
    names.sort_unstable();
    names.dedup();
    result.engine = names.join("+");
    result.simulated = kinds.iter().any(|kind| kind.capabilities().simulated);
}

/// How the span ended, by the length of its measured time.
pub(super) fn outcome(
    span: &TimeSpan,
    result: &SpanResult,
    timeline: &Timeline,
    around: Surroundings<'_>,
) -> Outcome {
    let failed = timeline.has_failed() || result.workers.is_empty();
    let reason = if failed {
        EndReason::Failed
    } else {
        EndReason::Interrupted
    };
    let in_time = |planned: Duration| {
        timeline.loaded() >= planned && !(planned.is_zero() && around.interrupted())
    };
    let whole = timeline.limit_reached() || span.stop.after.is_some_and(in_time);
    if result.workers.is_empty() {
        Outcome::NotMeasured(reason)
    } else if whole {
        Outcome::Finished
    } else if result.measured > Duration::ZERO {
        Outcome::EndedEarly(reason)
    } else {
        Outcome::NotMeasured(reason)
    }
}
