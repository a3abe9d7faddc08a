//! What completed is counted.

use std::sync::atomic::Ordering::Relaxed;

use ioengine::{Completion, Nanos, Operation};

use super::{Run, failures::Unwhole};
use crate::{measure::OperationStats, plan::Counting, results::StreamResult};

impl Run {
    /// Counts what completed; returns the latest time known.
    #[inline]
    pub(super) fn settle_all(&mut self, completions: &mut Vec<Completion>, time: Nanos) -> Nanos {
        if completions.is_empty() {
            return self.worker.engine.now().max(time);
        }
        let window = self.window();
        let mut latest = time;
        self.completed += completions.len() as u64;
        self.waits.polls += 1;
        self.waits.found[completions.len().min(7)] += 1;
        if self.rules.apply() {
            for completion in completions.drain(..) {
                latest = latest.max(completion.completed);
                self.settle_by_rules(completion, window);
            }
        } else {
            for completion in completions.drain(..) {
                latest = latest.max(completion.completed);
                self.settle(completion, window);
            }
        }
        self.worker
            .progress
            .completions
            .store(self.completed, Relaxed);
        self.worker.progress.time.store(latest.0, Relaxed);
        latest
    }

    /// The measured time as it is known now.
    #[inline]
    fn window(&self) -> Window {
        let by_issue = self.worker.counting == Counting::DrainAndCount;
        let to = if by_issue {
            // Nothing is issued any more once it is over; what a thread issued before it saw the
            // end belongs to the load.
            Nanos::NEVER
        } else {
            self.worker.timeline.measure_to()
        };
        Window {
            from: self.worker.timeline.measure_from(),
            to,
            by_issue,
        }
    }

    #[inline]
    fn settle(&mut self, completion: Completion, window: Window) {
        let Completion {
            request,
            result,
            issued,
            initiated,
            completed,
        } = completion;
        let Window { from, to, by_issue } = window;
        let decisive = if by_issue { issued } else { completed };
        let slot = &mut self.worker.slots[request.tag as usize];
        slot.put(request.buffer);
        self.idle.push_back(request.tag);
        if result == Ok(request.length) {
            if decisive >= to {
                if issued < to {
                    self.late_ns = self.late_ns.max(completed.since(issued));
                }
            } else if decisive >= from {
                let stream = &mut self.worker.streams[slot.stream as usize];
                let stats = stats_of(stream, request.operation);
                let latency = completed.since(issued);
                stats.record(completed.since(from), latency, u64::from(request.length));
                if self.worker.extras {
                    record_extras(stats, latency, initiated.since(issued));
                    self.worker.windows.record(
                        slot.stream as usize,
                        request.operation,
                        completed,
                        latency,
                        u64::from(request.length),
                    );
                }
            }
            return;
        }
        let what = Unwhole {
            stream: slot.stream as usize,
            operation: request.operation,
            offset: request.offset,
            length: request.length,
            completed,
            measured: decisive >= from && decisive < to,
        };
        self.unwhole(&what, result);
    }
}

/// Which operations count: those with the stamp that decides, of issue or of completion, inside.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) from: Nanos,
    pub(super) to: Nanos,
    pub(super) by_issue: bool,
}

/// The figures that an operation of `stream` goes to.
#[inline]
pub(in crate::runner) fn stats_of(
    stream: &mut StreamResult,
    operation: Operation,
) -> &mut OperationStats {
    match operation {
        Operation::Read => &mut stream.read,
        Operation::Write => &mut stream.write,
        Operation::Flush | Operation::FlushData => &mut stream.flush,
    }
}

/// What is asked for besides counts and latencies.
pub(super) fn record_extras(stats: &mut OperationStats, latency_ns: u64, initiation_ns: u64) {
    if let Some(whole) = &mut stats.whole_ms {
        whole.record(latency_ns);
    }
    // Room was made if it is asked for.
    if stats.initiation.is_reserved() {
        stats.initiation.record(initiation_ns);
    }
}
