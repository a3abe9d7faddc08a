//! A shared sequence: all workers of the time span draw from one sequence of requests.
//!
//! `worker` is the hot loop, `shared` what all workers hold together, `tally` what each counts;
//! `watch` is the driving thread, which takes figures while the load goes on.

mod arrivals;
mod blocks;
mod failures;
mod findings;
mod flush;
mod seats;
mod shared;
mod tally;
#[cfg(test)]
mod tests;
mod watch;
mod worker;

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use ioengine::{EngineKind, Nanos, clock};

use super::{
    Surroundings, engine,
    gate::{Gate, Start},
    not_measured, open,
    span::{self, open_failure},
};
use crate::{
    plan::{EngineChoice, Plan, SharedSequence, TimeSpan},
    results::{
        Asked, EndReason, Event, Failure, Finding, Limit, Observer, Outcome, Segment, SpanResult,
        StreamResult, TargetResult, WorkerResult,
    },
};
use seats::Seat;
use tally::Tally;
use watch::{TICK, Watcher};
use worker::Ended;

/// What a worker tells the driving thread.
enum Message {
    /// It is ready, or cannot be.
    Ready(usize, Option<Failure>),
    /// It was given this request.
    Request(Asked),
    /// It has ended.
    Done,
}

/// Messages that wait for the driving thread: more make workers wait, which only a plan that asks
/// for every request to be told can bring about.
const MESSAGES_MAX: usize = 4096;

/// Runs a time span that has a shared sequence.
pub(super) fn run(
    plan: &Plan,
    span: &TimeSpan,
    sequence: &SharedSequence,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> (SpanResult, Vec<Finding>) {
    let failed = |failures| (not_measured(span, EndReason::Failed, failures), Vec::new());
    let began = clock::now();
    let (kind, mut findings) = match engine::choose_for_sequence(&plan.engine, span, sequence) {
        Ok(chosen) => chosen,
        Err(message) => return failed(vec![open_failure(None, message)]),
    };
    let mapped = super::span::mapped_files(&[kind], span);
    if let Some(failure) = super::span::too_many_threads(sequence.workers, mapped) {
        return failed(vec![failure]);
    }
    let targets = match open::targets(span, &plan.engine, &[kind], observer) {
        Ok(targets) => targets,
        Err(failures) => return failed(failures),
    };
    for message in &targets.warnings {
        observer.observe(&Event::Warning { message });
    }
    observer.observe(&Event::TargetsOpen);
    let files = targets.files.clone();
    let seats = match seats::seats(plan, span, sequence, kind, &targets) {
        Ok(seats) => seats,
        Err(failure) => return failed(vec![failure]),
    };
    let load = Load {
        plan,
        span,
        sequence,
        kind,
        began,
    };
    let result = load.drive(seats, targets.results, around, observer);
    findings.extend(engine::findings(&result));
    findings.extend(findings::of(plan.rules, sequence, &result));
    findings.extend(files.iter().filter_map(|file| super::span::replaced(file)));
    (result, findings)
}

/// A span whose targets are open.
struct Load<'a> {
    plan: &'a Plan,
    span: &'a TimeSpan,
    sequence: &'a SharedSequence,
    kind: EngineKind,
    /// When opening began.
    began: Nanos,
}

/// A worker as the driving thread knows it.
struct Running {
    tally: Arc<Tally>,
    thread: thread::JoinHandle<Option<Ended>>,
}

impl Load<'_> {
    fn virtual_clock(&self) -> bool {
        matches!(self.plan.engine, EngineChoice::Simulated(_)) || self.kind == EngineKind::Sim
    }

    /// Starts the workers, watches them and takes what they counted.
    fn drive(
        &self,
        seats: Vec<Seat>,
        targets: Vec<TargetResult>,
        around: Surroundings<'_>,
        observer: &mut dyn Observer,
    ) -> SpanResult {
        let Some(shared) = seats.first().map(|seat| Arc::clone(&seat.shared)) else {
            return not_measured(self.span, EndReason::Failed, Vec::new());
        };
        let gate = Arc::new(Gate::default());
        let (sender, messages) = mpsc::sync_channel(MESSAGES_MAX);
        let mut running = Vec::with_capacity(seats.len());
        let mut failures = Vec::new();
        for seat in seats {
            if around.interrupted() {
                break;
            }
            observer.observe(&Event::WorkerCreated {
                worker: seat.number,
            });
            match start(seat, &gate, sender.clone()) {
                Ok(worker) => running.push(worker),
                Err(failure) => {
                    failures.push(failure);
                    break;
                }
            }
        }
        drop(sender);
        failures.extend(readiness(&messages, running.len(), around, observer));
        super::span::once(&mut failures);
        let reason = if failures.is_empty() {
            around.interrupted().then_some(EndReason::Interrupted)
        } else {
            Some(EndReason::Failed)
        };
        if let Some(reason) = reason {
            if reason == EndReason::Interrupted {
                observer.observe(&Event::Interrupted);
            }
            // Nobody listens to those that become ready only now.
            drop(messages);
            gate.open(Start::Never);
            for worker in running {
                let _ = worker.thread.join();
            }
            let mut result = not_measured(self.span, reason, failures);
            result.targets = targets;
            return result;
        }
        let watcher = Watcher {
            load: self,
            shared: &shared,
            running: &running,
            messages: &messages,
            around,
            observer,
        };
        let seen = watcher.watch(&gate);
        let mut result = not_measured(self.span, EndReason::Failed, Vec::new());
        result.targets = targets;
        result.opening = Duration::from_nanos(seen.opened.since(self.began));
        capabilities(self.kind, &mut result);
        result.cpus.clone_from(&seen.cpus);
        collect(running, seen, &mut result, observer);
        result
    }
}

/// Waits until every worker is ready; returns what keeps any of them from it.
fn readiness(
    messages: &mpsc::Receiver<Message>,
    workers: usize,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut waiting = workers;
    while waiting > 0 {
        if around.interrupted() {
            break;
        }
        match messages.recv_timeout(TICK) {
            Err(RecvTimeoutError::Timeout) => continue,
            Ok(Message::Ready(worker, None)) => {
                observer.observe(&Event::WorkerReady { worker });
            }
            Ok(Message::Ready(_, Some(failure))) => failures.push(failure),
            // Nobody runs before all are ready.
            Ok(Message::Request(_) | Message::Done) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        waiting -= 1;
    }
    failures
}

/// Joins the workers that ended, and makes the results of all.
fn collect(
    running: Vec<Running>,
    watched: watch::Watched,
    result: &mut SpanResult,
    observer: &mut dyn Observer,
) {
    let watch::Watched {
        start,
        mut segments,
        mut workers,
        measured,
        left_behind,
        ..
    } = watched;
    let mut ended_at = start;
    let mut worst = Limit::Pass;
    let mut last = Segment {
        from: segments.last().map_or(Duration::ZERO, |segment| segment.to),
        ..Segment::default()
    };
    for (number, worker) in running.into_iter().enumerate() {
        // What a worker that was left behind counted is taken all the same.
        if !left_behind || worker.thread.is_finished() {
            if let Ok(Some(ended)) = worker.thread.join() {
                ended_at = ended_at.max(ended.at);
                observer.observe(&Event::WorkerEnded {
                    worker: number,
                    by: ended.by,
                });
                worst = worse(worst, ended.by);
                result.failures.extend(ended.failures);
                result.engine_notes.extend(ended.notes);
            } else {
                let message = "a worker thread died".to_owned();
                result.failures.push(open_failure(None, message));
                worst = Limit::Failure;
            }
        } else {
            last.unfinished += 1;
        }
        let counts = worker.tally.counts();
        counts.add_to(&mut last);
        if let Some(result) = workers.get_mut(number) {
            counts.add_to_worker(result);
        }
    }
    if left_behind {
        ended_at = ended_at.max(clock::now());
    }
    result.engine_notes.sort();
    result.engine_notes.dedup();
    super::span::once(&mut result.failures);
    result.measured = Duration::from_nanos(ended_at.since(start));
    last.to = result.measured;
    segments.push(last);
    result.segments = segments;
    result.workers = workers.into_iter().map(worker_result).collect();
    result.outcome = match worst {
        _ if left_behind => Outcome::EndedEarly(EndReason::LeftBehind),
        Limit::Failure => Outcome::EndedEarly(EndReason::Failed),
        Limit::Interrupt => Outcome::EndedEarly(EndReason::Interrupted),
        _ => Outcome::Finished,
    };
    if !measured {
        nothing_measured(result);
    }
}

/// The load ended in the warm-up, whatever ended it.
fn nothing_measured(result: &mut SpanResult) {
    let reason = match result.outcome {
        Outcome::EndedEarly(reason) => reason,
        _ => EndReason::Failed,
    };
    if reason == EndReason::Failed && result.failures.is_empty() {
        let message = "the load ended in the warm-up: nothing was measured";
        result.failures.push(open_failure(None, message.to_owned()));
    }
    result.outcome = Outcome::NotMeasured(reason);
    result.measured = Duration::ZERO;
    result.segments.clear();
    result.workers.clear();
}

/// A failure outweighs a signal, and that the limits.
fn worse(so_far: Limit, next: Limit) -> Limit {
    let rank = |limit| match limit {
        Limit::Failure => 2,
        Limit::Interrupt => 1,
        Limit::Time | Limit::Operations | Limit::Pass => 0,
    };
    if rank(so_far) >= rank(next) {
        so_far
    } else {
        next
    }
}

fn worker_result(stream: StreamResult) -> WorkerResult {
    WorkerResult {
        streams: vec![stream],
        ..WorkerResult::default()
    }
}

fn capabilities(kind: EngineKind, result: &mut SpanResult) {
    let able = kind.capabilities();
    able.name.clone_into(&mut result.engine);
    result.simulated = able.simulated;
}

/// Starts the thread of a worker.
fn start(
    seat: Seat,
    gate: &Arc<Gate>,
    sender: mpsc::SyncSender<Message>,
) -> Result<Running, Failure> {
    let number = seat.number;
    let tally = Arc::clone(&seat.tally);
    let gate = Arc::clone(gate);
    let body = move || {
        let told = seat.told.then(|| sender.clone());
        let worker = match seat.sit_down(told) {
            Ok(worker) => worker,
            Err(failure) => {
                let _ = sender.send(Message::Ready(number, Some(failure)));
                return None;
            }
        };
        let _ = sender.send(Message::Ready(number, None));
        let Start::At(_) = gate.wait() else {
            return None;
        };
        let ended = worker.run();
        // Nobody listens any more once the worker was left behind.
        let _ = sender.try_send(Message::Done);
        Some(ended)
    };
    let thread = span::start_thread(number, body)?;
    Ok(Running { tally, thread })
}
