//! The hot loop of a shared sequence: one thread, one request after the other.
//!
//! After the start signal it takes two short locks an event, the sequence's and its own tally's,
//! with no system call inside, and allocates nothing.

use std::sync::{Arc, mpsc};

use ioengine::{Buffer, Completion, Engine, File, Nanos, Operation, Request, Wait, clock};

use super::{
    Message,
    blocks::Blocks,
    failures::{self, Flawed, Wrong},
    shared::{Done, Shared},
    tally::{Counts, Tally},
};
use crate::{
    offsets::{Exhausted, SharedRequest, WorkerDraws},
    plan::{Direction, Flushes, OnError, Verify},
    results::{Asked, Failure, Limit, OperationKind},
};

/// Waiting for an event ends this much before it is due; the rest is spun, since a sleeper wakes
/// some fifty microseconds late.
const SPIN_NS: u64 = 80_000;

/// A wait is cut into pieces, so that the end of the load is seen.
const NAP_NS: u64 = 20_000_000;

/// What a worker does with requests, the same for all workers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) files: u32,
    pub(super) flushes: Flushes,
    pub(super) verify: Verify,
    pub(super) backlog: Option<u32>,
    pub(super) writes: bool,
    pub(super) on_error: OnError,
}

/// One worker, ready to start.
pub(super) struct Worker {
    pub(super) number: usize,
    pub(super) engine: Box<dyn Engine>,
    pub(super) rules: Rules,
    pub(super) shared: Arc<Shared>,
    pub(super) tally: Arc<Tally>,
    pub(super) draws: WorkerDraws,
    /// One place a request in flight, and one for flushes.
    pub(super) slots: Vec<Place>,
    pub(super) blocks: Blocks,
    /// The files, if the engine opens any.
    pub(super) files: Vec<Arc<File>>,
    /// Names of the files, for messages.
    pub(super) labels: Arc<Vec<String>>,
    /// Where every request is told, if the plan asks for it.
    pub(super) told: Option<mpsc::SyncSender<Message>>,
}

/// The buffers of one request in flight: what is read must not become what is written.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) read: Option<Buffer>,
    pub(super) write: Option<Buffer>,
}

/// What a worker brings back, besides its tally.
pub(super) struct Ended {
    pub(super) by: Limit,
    pub(super) at: Nanos,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
}

/// A transfer, as handed out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    pub(super) direction: Direction,
    pub(super) file: u32,
    pub(super) offset: u64,
    pub(super) length: u32,
}

/// The load ends for this worker.
pub(super) type Stop = Limit;

pub(super) struct Run {
    pub(super) worker: Worker,
    /// The latest time known.
    pub(super) time: Nanos,
    done: Done,
    /// Completions that were not looked at yet.
    pub(super) held: Vec<Completion>,
    /// Places without a request.
    idle: Vec<u32>,
    failures: Vec<Failure>,
}

impl Worker {
    /// Runs until a limit, then flushes as asked and waits for what is in flight.
    pub(super) fn run(self) -> Ended {
        let depth = self.slots.len();
        // The last place is the flushes' own.
        let idle = (0..depth.saturating_sub(1) as u32).rev().collect();
        let mut run = Run {
            time: self.engine.now(),
            worker: self,
            done: Done {
                transfers: Vec::with_capacity(depth),
            },
            held: Vec::with_capacity(depth),
            idle,
            failures: Vec::new(),
        };
        let mut by = run.load();
        if let Err(stop) = run.settle_rest() {
            by = stop;
        }
        if let Err(stop) = run.flush_all(by) {
            by = stop;
        }
        let mut notes = run.worker.engine.notes().to_vec();
        notes.sort();
        Ended {
            by,
            at: run.time,
            failures: run.failures,
            notes,
        }
    }
}

impl Run {
    fn load(&mut self) -> Limit {
        loop {
            match self.event() {
                Ok(()) => self.worker.draws.after_event(),
                Err(stop) => return stop,
            }
        }
    }

    /// One event, unless a limit was reached.
    #[inline]
    fn event(&mut self) -> Result<(), Stop> {
        if let Some(ended) = self.worker.shared.ended() {
            return Err(ended);
        }
        if self.time >= self.worker.shared.limit() {
            return Err(Limit::Time);
        }
        let due = if self.worker.shared.has_arrivals() {
            self.wait_for_arrival()?
        } else {
            None
        };
        let worker = &mut self.worker;
        let request = worker
            .shared
            .next(&mut worker.draws, &mut self.done)
            .map_err(|exhausted| match exhausted {
                Exhausted::Limit => Limit::Operations,
                Exhausted::Pass => Limit::Pass,
            })?;
        if worker.told.is_some() {
            self.tell(request);
        }
        match request {
            SharedRequest::Transfer {
                direction,
                file,
                offset,
                length,
            } => {
                let transfer = Transfer {
                    direction,
                    file,
                    offset,
                    length,
                };
                if self.worker.rules.backlog.is_some() {
                    self.start_transfer(transfer, due)
                } else {
                    self.transfer(transfer, due)
                }
            }
            SharedRequest::Flush { file, last } => self.flush(file, last, due),
        }
    }

    /// Sleeps until the next event is due.
    fn wait_for_arrival(&mut self) -> Result<Option<Nanos>, Stop> {
        self.time = self.worker.engine.now().max(self.time);
        let Ok(due) = self.worker.shared.due(self.time) else {
            self.failures.push(failures::queue_full());
            self.worker.shared.fail();
            return Err(Limit::Failure);
        };
        let Some(due) = due else { return Ok(None) };
        let limit = self.worker.shared.limit();
        while self.time < due {
            if let Some(ended) = self.worker.shared.ended() {
                return Err(ended);
            }
            if self.time >= limit {
                return Err(Limit::Time);
            }
            let left = due.min(limit).since(self.time);
            if left > SPIN_NS {
                let nap = (left - SPIN_NS).min(NAP_NS);
                clock::sleep_until(Nanos(clock::now().0 + nap));
            } else {
                std::hint::spin_loop();
            }
            self.time = self.worker.engine.now().max(self.time);
        }
        Ok(Some(due))
    }

    #[cold]
    fn tell(&self, request: SharedRequest) {
        let asked = match request {
            SharedRequest::Transfer {
                direction,
                file,
                offset,
                length,
            } => Asked {
                operation: match direction {
                    Direction::Read => OperationKind::Read,
                    Direction::Write => OperationKind::Write,
                },
                target: file,
                offset,
                length,
            },
            SharedRequest::Flush { file, .. } => Asked {
                operation: self.flush_kind(),
                target: file,
                offset: 0,
                length: 0,
            },
        };
        if let Some(told) = &self.worker.told {
            // A driver that went away is not missed.
            let _ = told.send(Message::Request(asked));
        }
    }

    /// A read or write that is waited for.
    #[inline]
    fn transfer(&mut self, transfer: Transfer, due: Option<Nanos>) -> Result<(), Stop> {
        let inside = self.worker.rules.verify == Verify::InsideLatency;
        let begin = match due {
            None if inside => Some(self.worker.engine.now()),
            due => due,
        };
        let Some(slot) = self.idle.pop() else {
            return Err(self.broken("no place is free"));
        };
        self.submit(transfer, slot)?;
        let completion = self.one()?;
        self.idle.push(slot);
        let begin = begin.unwrap_or(completion.issued);
        self.time = completion.completed;
        let own = completion.completed.since(completion.issued);
        if !self.settle(completion, transfer)? {
            return Ok(());
        }
        if inside && transfer.direction == Direction::Read {
            self.time = self.worker.engine.now();
        }
        let mut flushed = None;
        if self.worker.rules.flushes.after_write && transfer.direction == Direction::Write {
            flushed = self.flush_file(transfer.file)?;
            if flushed.is_none() {
                return Ok(());
            }
        }
        let latency = self.time.since(begin);
        let mut counts = self.worker.tally.counts();
        count(&mut counts, transfer, own);
        if let Some(ns) = flushed {
            counts.flush.record(0, ns, 0);
        }
        counts.event(latency);
        Ok(())
    }

    /// A read or write that is only begun; waits when as many are in flight as may be.
    fn start_transfer(&mut self, transfer: Transfer, due: Option<Nanos>) -> Result<(), Stop> {
        let begin = due.unwrap_or_else(|| self.worker.engine.now());
        let Some(slot) = self.idle.pop() else {
            return Err(self.broken("no place is free"));
        };
        self.submit(transfer, slot)?;
        self.reap(Wait::POLL)?;
        if self.idle.is_empty() {
            if self.held.is_empty() {
                self.reap(Wait::ONE)?;
            }
            self.settle_held()?;
        }
        if self.worker.rules.flushes.after_write && transfer.direction == Direction::Write {
            match self.flush_file(transfer.file)? {
                Some(ns) => self.worker.tally.counts().flush.record(0, ns, 0),
                None => return Ok(()),
            }
        }
        self.time = self.worker.engine.now();
        self.worker.tally.counts().event(self.time.since(begin));
        Ok(())
    }

    /// Hands a transfer to the engine.
    #[inline]
    fn submit(&mut self, transfer: Transfer, slot: u32) -> Result<(), Stop> {
        let worker = &mut self.worker;
        let place = &mut worker.slots[slot as usize];
        let buffer = match transfer.direction {
            Direction::Read => place.read.take().or_else(|| place.write.take()),
            Direction::Write => place.write.take().or_else(|| place.read.take()),
        };
        let Some(mut buffer) = buffer else {
            return Err(self.broken("a place has no buffer"));
        };
        if transfer.direction == Direction::Write {
            let block = &mut buffer.as_mut_slice()[..transfer.length as usize];
            worker.blocks.make(block, transfer.offset);
        }
        let request = Request {
            operation: match transfer.direction {
                Direction::Read => Operation::Read,
                Direction::Write => Operation::Write,
            },
            file: transfer.file,
            length: transfer.length,
            tag: slot,
            offset: transfer.offset,
            buffer,
            source: None,
        };
        match worker.engine.submit(request) {
            Ok(()) => Ok(()),
            Err(rejected) => Err(self.engine_failed(&rejected.reason)),
        }
    }

    #[inline]
    pub(super) fn reap(&mut self, wait: Wait) -> Result<(), Stop> {
        match self.worker.engine.reap(wait, &mut self.held) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.engine_failed(&error)),
        }
    }

    /// The completion of the only request in flight.
    #[inline]
    fn one(&mut self) -> Result<Completion, Stop> {
        loop {
            self.reap(Wait::ONE)?;
            if let Some(completion) = self.held.pop() {
                return Ok(completion);
            }
            if self.worker.engine.in_flight() == 0 {
                return Err(self.broken("a request was lost"));
            }
        }
    }

    /// Takes a finished transfer apart; false if it failed and the run goes on.
    #[inline]
    fn settle(&mut self, completion: Completion, transfer: Transfer) -> Result<bool, Stop> {
        let Completion {
            request, result, ..
        } = completion;
        let judged = match result {
            Ok(length) if length == transfer.length => {
                let block = &request.buffer.as_slice()[..transfer.length as usize];
                match transfer.direction {
                    Direction::Read => self.worker.blocks.judge(block, transfer.offset),
                    Direction::Write => Ok(()),
                }
            }
            Ok(_) | Err(_) => Ok(()),
        };
        let place = &mut self.worker.slots[request.tag as usize];
        match transfer.direction {
            Direction::Read => place.read = Some(request.buffer),
            Direction::Write => place.write = Some(request.buffer),
        }
        let Transfer {
            direction,
            file,
            offset,
            length,
        } = transfer;
        self.done.transfers.push((direction, file, offset));
        let kind = match direction {
            Direction::Read => OperationKind::Read,
            Direction::Write => OperationKind::Write,
        };
        let wrong = match (result, judged) {
            (Ok(whole), Ok(())) if whole == length => return Ok(true),
            (Ok(whole), Err(flaw)) if whole == length => {
                let flawed = Flawed { file, offset, flaw };
                self.failures.push(failures::flawed(
                    &flawed,
                    self.worker.number,
                    &self.worker.labels,
                ));
                self.worker.shared.fail();
                return Err(Limit::Failure);
            }
            (Ok(transferred), _) => Wrong::short(kind, file, offset, length, transferred),
            (Err(errno), _) => Wrong::failed(kind, file, offset, length, errno),
        };
        self.wrong(&wrong).map(|()| false)
    }

    /// Takes apart all completions that were held back.
    fn settle_held(&mut self) -> Result<(), Stop> {
        while let Some(completion) = self.held.pop() {
            let request = &completion.request;
            let transfer = Transfer {
                direction: match request.operation {
                    Operation::Read => Direction::Read,
                    _ => Direction::Write,
                },
                file: request.file,
                offset: request.offset,
                length: request.length,
            };
            let own = completion.completed.since(completion.issued);
            self.idle.push(request.tag);
            if self.settle(completion, transfer)? {
                count(&mut self.worker.tally.counts(), transfer, own);
            }
        }
        Ok(())
    }

    /// Waits for what is in flight.
    fn settle_rest(&mut self) -> Result<(), Stop> {
        let mut result = self.settle_held();
        while self.worker.engine.in_flight() > 0 {
            self.reap(Wait::ONE)?;
            // Without a completion the engine has given up on them.
            if self.held.is_empty() {
                break;
            }
            let settled = self.settle_held();
            result = result.and(settled);
            self.time = self.worker.engine.now().max(self.time);
        }
        result
    }

    /// Counts what went wrong; the run goes on only if that was asked for.
    #[cold]
    pub(super) fn wrong(&mut self, wrong: &Wrong) -> Result<(), Stop> {
        let first = wrong.count(&mut self.worker.tally.counts());
        if first {
            let file = self.worker.files.get(wrong.file as usize);
            let size = file.and_then(|file| file.size_now().ok());
            let failure = wrong.failure(self.worker.number, &self.worker.labels, size);
            self.failures.push(failure);
        }
        if self.worker.rules.on_error == OnError::Continue && wrong.is_error() {
            return Ok(());
        }
        self.worker.shared.fail();
        Err(Limit::Failure)
    }

    #[cold]
    pub(super) fn engine_failed(&mut self, error: &std::io::Error) -> Stop {
        self.failures
            .push(failures::engine(self.worker.number, error));
        self.worker.shared.fail();
        Limit::Failure
    }

    /// What cannot happen, and is told all the same.
    #[cold]
    pub(super) fn broken(&mut self, what: &str) -> Stop {
        self.engine_failed(&std::io::Error::other(what.to_owned()))
    }
}

#[inline]
fn count(counts: &mut Counts, transfer: Transfer, ns: u64) {
    let stats = match transfer.direction {
        Direction::Read => &mut counts.read,
        Direction::Write => &mut counts.write,
    };
    stats.record(0, ns, u64::from(transfer.length));
}
