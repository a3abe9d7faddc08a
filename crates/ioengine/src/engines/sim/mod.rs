//! A seeded device on a virtual clock: the same calls give the same stamps, on every machine.
//!
//! Time stands still but in [`Engine::reap`], which moves it to the next completion that it waits
//! for, or to its limit, without ever sleeping. `Wait::POLL` does not move it. Data is neither
//! stored nor delivered: buffers come back untouched.

mod chance;
mod law;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    io,
};

use self::chance::Chance;
pub use self::law::{Law, Order, Service};
use super::{check_memory, full, invalid};
use crate::{Completion, Engine, Errno, Nanos, Operation, Rejected, Request, Setup, Wait};

/// One place for a request in flight.
struct Slot {
    request: Option<Request>,
    issued: Nanos,
    result: Result<u32, Errno>,
}

/// See the module.
pub(crate) struct Sim {
    setup: Setup,
    now: Nanos,
    chance: Chance,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// When each channel of the device is free again, the earliest on top.
    channels: BinaryHeap<Reverse<u64>>,
    /// Completion times with submission numbers (which break ties) and slots, earliest on top.
    due: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// Requests that never complete.
    hanging: VecDeque<u32>,
    /// I/Os submitted so far.
    submitted: u64,
    /// The latest completion so far, for the order of submission.
    last: u64,
}

impl Sim {
    pub(crate) fn new(setup: Setup) -> Self {
        let depth = setup.depth;
        Self {
            now: setup.start,
            chance: Chance::new(setup.law.seed),
            slots: (0..depth)
                .map(|_| Slot {
                    request: None,
                    issued: setup.start,
                    result: Ok(0),
                })
                .collect(),
            free: (0..depth).rev().collect(),
            channels: (0..setup.law.servers.max(1))
                .map(|_| Reverse(setup.start.0))
                .collect(),
            due: BinaryHeap::with_capacity(depth as usize),
            hanging: VecDeque::new(),
            submitted: 0,
            last: 0,
            setup,
        }
    }

    /// When an I/O that is submitted now completes.
    fn completion_time(&mut self, request: &Request) -> u64 {
        let law = &self.setup.law;
        let service = match request.operation {
            Operation::Read => law.read,
            Operation::Write => law.write,
            Operation::Flush | Operation::FlushData => law.flush,
        };
        let transfer = if request.operation.transfers() {
            u128::from(request.length) * u128::from(law.per_byte_ps) / 1000
        } else {
            0
        };
        let transfer = u64::try_from(transfer).unwrap_or(u64::MAX);
        let service = self.chance.service(service).saturating_add(transfer);
        let (stall, order) = (law.stall, law.order);
        let channel = self.channels.pop().map_or(0, |Reverse(free)| free);
        let start = channel.max(self.now.0);
        let end = through_stall(start, service, self.setup.start.0, stall);
        self.channels.push(Reverse(end));
        if order == Order::Submission {
            self.last = self.last.max(end);
            return self.last;
        }
        end
    }

    /// What becomes of the `number`th I/O, from 1.
    fn result(&self, request: &Request, number: u64) -> Result<u32, Errno> {
        let law = &self.setup.law;
        if let Some((every, errno)) = law.error_every
            && number.is_multiple_of(every)
        {
            return Err(errno);
        }
        if !request.operation.transfers() {
            return Ok(0);
        }
        let mut length = request.length;
        if let Some(size) = law.size {
            let left = size.saturating_sub(request.offset);
            if left == 0 && length > 0 && request.operation == Operation::Write {
                return Err(Errno::ENOSPC);
            }
            length = length.min(u32::try_from(left).unwrap_or(u32::MAX));
        }
        if law
            .short_every
            .is_some_and(|every| number.is_multiple_of(every))
        {
            length /= 2;
        }
        Ok(length)
    }

    /// Moves what is due by now into `out`.
    fn take_due(&mut self, out: &mut Vec<Completion>) {
        while let Some(Reverse((time, _, index))) = self.due.peek().copied() {
            if time > self.now.0 {
                return;
            }
            self.due.pop();
            let slot = &mut self.slots[index as usize];
            self.free.push(index);
            if let Some(request) = slot.request.take() {
                out.push(Completion {
                    request,
                    result: slot.result,
                    issued: slot.issued,
                    // The clock stands still while an I/O is handed over.
                    initiated: slot.issued,
                    completed: Nanos(time),
                });
            }
        }
    }

    /// Fisher and Yates' shuffle.
    fn shuffle(&mut self, completions: &mut [Completion]) {
        for last in (1..completions.len()).rev() {
            let other = self.chance.below(last as u64 + 1) as usize;
            completions.swap(last, other);
        }
    }

    /// Moves the clock for a wait that needs more; false when the wait is over.
    fn advance(&mut self, until: Option<Nanos>, found: bool) -> io::Result<bool> {
        let next = self.due.peek().map(|Reverse((time, ..))| Nanos(*time));
        match (next, until) {
            (Some(next), Some(until)) if next > until => {
                self.now = self.now.max(until);
                Ok(false)
            }
            (Some(next), _) => {
                self.now = self.now.max(next);
                Ok(true)
            }
            (None, Some(until)) => {
                self.now = self.now.max(until);
                Ok(false)
            }
            // All that is left hangs, and nothing says how long to wait.
            (None, None) if found => Ok(false),
            (None, None) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the simulated device hangs (hang_after), and the wait for it has no end",
            )),
        }
    }
}

/// When work of `service` nanoseconds that starts at `start` ends on a device that stands still
/// from `stall.0` to `stall.1` after `base`.
fn through_stall(start: u64, service: u64, base: u64, stall: Option<(u64, u64)>) -> u64 {
    let end = start.saturating_add(service);
    let Some((from, to)) = stall else {
        return end;
    };
    let (from, to) = (base.saturating_add(from), base.saturating_add(to));
    if end <= from || start >= to {
        return end;
    }
    end.saturating_add(to - from.max(start))
}

impl Engine for Sim {
    fn submit(&mut self, request: Request) -> Result<(), Rejected> {
        if let Err(why) = check_memory(&self.setup, &request) {
            return Err(invalid(request, why));
        }
        let Some(index) = self.free.pop() else {
            return Err(full(request));
        };
        self.submitted += 1;
        let number = self.submitted;
        let issued = self.now;
        if self
            .setup
            .law
            .hang_after
            .is_some_and(|after| number > after)
        {
            self.hanging.push_back(index);
        } else {
            let time = self.completion_time(&request);
            self.due.push(Reverse((time, number, index)));
        }
        let result = self.result(&request, number);
        self.slots[index as usize] = Slot {
            request: Some(request),
            issued,
            result,
        };
        self.now = Nanos(self.now.0.saturating_add(self.setup.law.submit_ns));
        Ok(())
    }

    /// Requests that hang end the wait: with `until` at that time; without, by returning what there
    /// is, and by an error of kind `TimedOut` when that is nothing.
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        let before = out.len();
        if self.in_flight() == 0 {
            if let Some(until) = wait.until {
                self.now = self.now.max(until);
            }
            return Ok(());
        }
        let at_least = wait.at_least.min(self.in_flight());
        loop {
            self.take_due(out);
            let found = out.len() - before;
            if found >= at_least || !self.advance(wait.until, found > 0)? {
                break;
            }
        }
        if self.setup.law.order == Order::Random {
            self.shuffle(&mut out[before..]);
        }
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    fn now(&self) -> Nanos {
        self.now
    }
}

#[cfg(test)]
mod tests;
