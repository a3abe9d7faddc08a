//! The hot loop: one thread, its streams, its engine.
//!
//! After the start signal it does nothing but I/O, clock reads and counting: no allocation, no
//! lock, no formatting (failures excepted, which end or disturb the run anyway).

mod failures;
mod settle;

use std::{
    collections::{BTreeSet, VecDeque},
    io,
    sync::{Arc, atomic::AtomicU64},
};

use ioengine::{Engine, Nanos, Operation, Request, SourceSlice, Wait};

use super::{buffers::Slot, pacing::Pacer, timeline::Timeline};
use crate::{
    offsets::{PayloadUse, Sequencer},
    plan::{Counting, Direction, OnError, ThrottleSleep},
    results::{Failure, StreamResult, Waits},
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

/// What a stream needs in the loop.
#[derive(Debug)]
pub(super) struct Lane {
    /// Index of its file in the engine.
    pub(super) file: u32,
    /// Index of its source in the engine, where it has one.
    pub(super) source: u32,
    /// The size by which it is paced.
    pub(super) block: u32,
    /// Its meter.
    pub(super) pacer: Pacer,
    /// The target as typed.
    pub(super) label: String,
}

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
    /// What it has to do without.
    pub(super) notes: Vec<String>,
}

/// What a worker brings back.
pub(super) struct Counted {
    pub(super) streams: Vec<StreamResult>,
    pub(super) waits: Waits,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
    /// The longest that an I/O took that was in flight at the end of the measured time.
    pub(super) late_ns: u64,
}

impl Worker {
    /// Runs until the timeline says stop, then waits for what is in flight.
    pub(super) fn run(self) -> Counted {
        let idle = (0..self.slots.len() as u32).collect();
        let paced = self.lanes.iter().any(|lane| !lane.pacer.is_unlimited());
        let mut run = Run {
            worker: self,
            idle,
            paced,
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
    paced: bool,
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
            let held_until = self.issue(time)?;
            let wait = self.wait(held_until, time, stop_at);
            self.worker.engine.reap(wait, &mut completions)?;
            time = self.settle_all(&mut completions, time);
        }
    }

    /// Issues on every idle slot that may; returns when the next held-back I/O is due.
    #[inline]
    fn issue(&mut self, time: Nanos) -> io::Result<Option<Nanos>> {
        let mut held_until = None;
        for _ in 0..self.idle.len() {
            let Some(slot) = self.idle.pop_front() else {
                break;
            };
            if self.paced
                && let Some(due) = self.held(slot, time)
            {
                held_until = Some(held_until.map_or(due, |first: Nanos| first.min(due)));
                self.idle.push_back(slot);
                continue;
            }
            self.submit(slot, time)?;
            if self.worker.synchronous {
                break;
            }
        }
        Ok(held_until)
    }

    /// When the slot's stream may issue, if that is later than `time`.
    fn held(&self, slot: u32, time: Nanos) -> Option<Nanos> {
        let stream = self.worker.sequencer.next_stream(slot as usize)?;
        let lane = &self.worker.lanes[stream];
        let due = lane.pacer.due(lane.block);
        (due > time).then_some(due)
    }

    #[inline]
    fn submit(&mut self, tag: u32, time: Nanos) -> io::Result<()> {
        let worker = &mut self.worker;
        let next = worker.sequencer.next(tag as usize);
        let lane = &mut worker.lanes[next.stream as usize];
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
        if self.paced {
            lane.pacer.issue(next.length, time);
        }
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
        worker.engine.submit(request).map_err(|rejected| {
            worker.slots[tag as usize].put(rejected.request.buffer);
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
        let mut until = due.min(stop_at);
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

    /// Waits for what is in flight. Where completions decide, it comes too late to count.
    fn finish(mut self) -> Counted {
        let mut completions = Vec::with_capacity(self.worker.slots.len());
        while self.worker.engine.in_flight() > 0 {
            if self
                .worker
                .engine
                .reap(Wait::ONE, &mut completions)
                .is_err()
            {
                break;
            }
            if completions.is_empty() {
                break;
            }
            let time = Nanos(0);
            self.settle_all(&mut completions, time);
        }
        let mut notes = self.worker.notes;
        notes.extend_from_slice(self.worker.engine.notes());
        Counted {
            streams: self.worker.streams,
            waits: self.waits,
            failures: self.failures,
            notes,
            late_ns: self.late_ns,
        }
    }
}
