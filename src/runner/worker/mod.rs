//! The hot loop: one thread, its streams, its engine.
//!
//! After the start signal it does nothing but I/O, clock reads and counting: no allocation, no
//! lock, no formatting (failures excepted, which end or disturb the run anyway).

mod closing;
mod failures;
mod rules;
mod settle;

use std::{
    collections::{BTreeSet, VecDeque},
    io,
    sync::{Arc, atomic::AtomicU64},
};

use ioengine::{Engine, Nanos, Operation, Request, SourceSlice, Wait};

use self::rules::Rules;
pub(super) use self::settle::stats_of;
use super::{
    allowance::Allowance, buffers::Slot, lane::Lane, payload::Stamp, timeline::Timeline,
    verification::Verifier, windows::Windows,
};
use crate::{
    offsets::{Next, PayloadUse, Sequencer},
    plan::{Counting, Direction, OnError, ThrottleSleep},
    results::{Failure, StreamResult, Verification, Waits},
};

/// How far one worker is, for the driving thread to see; on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Progress {
    /// Completions since the load began.
    pub(super) completions: AtomicU64,
    /// The time on the worker's clock.
    pub(super) time: AtomicU64,
}

/// A millisecond: the longest sleep of [`ThrottleSleep::Short`].
const SHORT_SLEEP_NS: u64 = 1_000_000;

/// The longest of all sleeps: an early end must not wait for an I/O that is due much later.
const LONGEST_SLEEP_NS: u64 = 100_000_000;

/// One worker, ready to start.
pub(super) struct Worker {
    pub(super) number: usize,
    pub(super) engine: Box<dyn Engine>,
    /// One I/O at a time, whatever the number of slots.
    pub(super) synchronous: bool,
    pub(super) sequencer: Sequencer,
    pub(super) lanes: Vec<Lane>,
    pub(super) slots: Vec<Slot>,
    pub(super) streams: Vec<StreamResult>,
    pub(super) timeline: Arc<Timeline>,
    pub(super) progress: Arc<Progress>,
    pub(super) on_error: OnError,
    pub(super) throttle_sleep: ThrottleSleep,
    pub(super) counting: Counting,
    /// More than counts and latencies is asked for.
    pub(super) extras: bool,
    /// What limits other than a time leave to it.
    pub(super) allowance: Option<Arc<Allowance>>,
    /// Numbers its writes, where that is asked for.
    pub(super) stamp: Stamp,
    /// Labels writes and judges reads, where that is asked for.
    pub(super) verifier: Option<Verifier>,
    /// What it has to do without.
    pub(super) notes: Vec<String>,
    /// Figures by interval, where somebody looks at them.
    pub(super) windows: Windows,
}

/// What a worker brings back.
pub(super) struct Counted {
    pub(super) streams: Vec<StreamResult>,
    pub(super) waits: Waits,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
    /// The longest that an I/O took that was in flight at the end of the measured time.
    pub(super) late_ns: u64,
    /// What verification saw.
    pub(super) verified: Option<Verification>,
}

impl Worker {
    /// Runs until the timeline says stop, then waits for what is in flight.
    pub(super) fn run(mut self) -> Counted {
        self.windows.begin(self.timeline.measure_from());
        let idle = (0..self.slots.len() as u32).collect();
        let rules = Rules::of(&self);
        let mut run = Run {
            worker: self,
            idle,
            rules,
            waits: Waits::default(),
            failures: Vec::new(),
            told: BTreeSet::new(),
            completed: 0,
            late_ns: 0,
        };
        let result = run.load();
        if let Err(error) = result {
            run.engine_failed(&error);
        }
        run.finish()
    }
}

struct Run {
    worker: Worker,
    /// Slots without an I/O, the longest idle first.
    idle: VecDeque<u32>,
    rules: Rules,
    waits: Waits,
    failures: Vec<Failure>,
    /// Kinds of failures that were told: stream, what was done, error number (0 for a part only).
    told: BTreeSet<(usize, &'static str, i32)>,
    completed: u64,
    /// The longest that an I/O took that was in flight at the end of the measured time.
    late_ns: u64,
}

impl Run {
    fn load(&mut self) -> io::Result<()> {
        let mut completions = Vec::with_capacity(self.worker.slots.len());
        let mut time = self.worker.engine.now();
        loop {
            let stop_at = self.worker.timeline.stop_at();
            if time >= stop_at {
                return Ok(());
            }
            if time >= self.worker.windows.end() {
                self.worker.windows.turn(time);
            }
            let held_until = self.issue(time)?;
            if self.rules.is_over() {
                return Ok(());
            }
            let wait = self.wait(held_until, time, stop_at);
            self.worker.engine.reap(wait, &mut completions)?;
            time = self.settle_all(&mut completions, time);
        }
    }

    /// Issues on every idle slot that may; returns when the next held-back I/O is due.
    #[inline]
    fn issue(&mut self, time: Nanos) -> io::Result<Option<Nanos>> {
        if self.rules.apply() {
            return self.issue_by_rules(time);
        }
        for _ in 0..self.idle.len() {
            let Some(slot) = self.idle.pop_front() else {
                break;
            };
            let next = self.worker.sequencer.next(slot as usize);
            self.hand_over(slot, next)?;
            if self.worker.synchronous {
                break;
            }
        }
        Ok(None)
    }

    #[expect(
        clippy::inline_always,
        reason = "a request moved through a call costs a tenth of a whole I/O of the null engine"
    )]
    #[inline(always)]
    fn hand_over(&mut self, tag: u32, next: Next) -> io::Result<()> {
        let worker = &mut self.worker;
        let lane = &worker.lanes[next.stream as usize];
        let slot = &mut worker.slots[tag as usize];
        slot.stream = next.stream;
        let mut buffer = slot.take(next.direction);
        let source = match next.payload {
            PayloadUse::Own => None,
            PayloadUse::Source { offset } => Some(SourceSlice {
                region: lane.source,
                offset,
            }),
            PayloadUse::Fresh => {
                let block = &mut buffer.as_mut_slice()[..next.length as usize];
                worker.sequencer.fill(Some(block), next.length);
                None
            }
        };
        let operation = match next.direction {
            Direction::Read => Operation::Read,
            Direction::Write => Operation::Write,
        };
        let request = Request {
            operation,
            file: lane.file,
            length: next.length,
            tag,
            offset: next.offset,
            buffer,
            source,
        };
        self.submit(request)
    }

    #[expect(
        clippy::inline_always,
        reason = "a request moved through a call costs a tenth of a whole I/O of the null engine"
    )]
    #[inline(always)]
    fn submit(&mut self, request: Request) -> io::Result<()> {
        let worker = &mut self.worker;
        worker.engine.submit(request).map_err(|rejected| {
            let tag = rejected.request.tag as usize;
            worker.slots[tag].put(rejected.request.buffer);
            rejected.reason
        })
    }

    /// How to wait: for a completion, for the next held-back I/O, or both.
    #[inline]
    fn wait(&mut self, held_until: Option<Nanos>, time: Nanos, stop_at: Nanos) -> Wait {
        let Some(due) = held_until else {
            self.waits.completion += 1;
            return Wait::ONE;
        };
        let longest = Nanos(time.0.saturating_add(LONGEST_SLEEP_NS));
        let mut until = due.min(stop_at).min(longest);
        if self.worker.throttle_sleep == ThrottleSleep::Short {
            until = until.min(Nanos(time.0.saturating_add(SHORT_SLEEP_NS)));
        }
        if self.worker.engine.in_flight() > 0 {
            self.waits.throttle += 1;
            Wait::one_until(until)
        } else {
            self.waits.throttle_sleep += 1;
            Wait {
                at_least: 0,
                until: Some(until),
            }
        }
    }
}
