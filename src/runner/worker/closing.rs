//! The end of a worker's load: what is in flight is waited for, what belongs to it is still done,
//! and what was due and not done is counted.

use std::io;

use ioengine::{Completion, Nanos, Wait};

use super::{Counted, Run};
use crate::runner::{lane::Flushing, pacing::Pacer, verification::Verifier};

impl Run {
    /// Waits for what is in flight. Where completions decide, it comes too late to count.
    pub(super) fn finish(mut self) -> Counted {
        let ended_at = self.worker.engine.now();
        self.worker.windows.close();
        if self.rules.apply() {
            self.count_behind(ended_at);
        }
        let mut completions = Vec::with_capacity(self.worker.slots.len());
        let done = self
            .pay_debts(&mut completions)
            .and_then(|()| self.drain(&mut completions))
            .and_then(|()| self.flush_at_end(&mut completions));
        if let Err(error) = done {
            self.engine_failed(&error);
        }
        let mut notes = self.worker.notes;
        notes.extend_from_slice(self.worker.engine.notes());
        Counted {
            streams: self.worker.streams,
            waits: self.waits,
            failures: self.failures,
            notes,
            late_ns: self.late_ns,
            verified: self.worker.verifier.map(Verifier::into_seen),
        }
    }

    /// Waits until nothing is in flight.
    fn drain(&mut self, completions: &mut Vec<Completion>) -> io::Result<()> {
        while self.worker.engine.in_flight() > 0 {
            self.worker.engine.reap(Wait::ONE, completions)?;
            if completions.is_empty() {
                break;
            }
            self.settle_all(completions, Nanos(0));
        }
        Ok(())
    }

    /// After a limit was reached: flushes that follow a write, and writes of what was read. After a
    /// time nothing is issued any more.
    fn pay_debts(&mut self, completions: &mut Vec<Completion>) -> io::Result<()> {
        let allowance = self.worker.allowance.as_ref();
        let limited = allowance.is_some_and(|allowance| allowance.is_over());
        if !limited || self.worker.timeline.ended_early() {
            return Ok(());
        }
        loop {
            self.rules.pay_debts();
            self.issue_by_rules(self.worker.engine.now())?;
            if self.worker.engine.in_flight() == 0 {
                return Ok(());
            }
            self.worker.engine.reap(Wait::ONE, completions)?;
            if completions.is_empty() || self.worker.timeline.has_failed() {
                return Ok(());
            }
            self.settle_all(completions, Nanos(0));
        }
    }

    /// Streams that flush once do it now, one after the other.
    fn flush_at_end(&mut self, completions: &mut Vec<Completion>) -> io::Result<()> {
        for stream in 0..self.worker.lanes.len() {
            let Flushing::AtEnd(operation) = self.worker.lanes[stream].flushing else {
                continue;
            };
            if self.worker.timeline.ended_early() {
                return Ok(());
            }
            let Some(slot) = self.idle.pop_front() else {
                return Ok(());
            };
            self.rules.count(slot);
            self.flush(slot, stream as u32, operation)?;
            self.drain(completions)?;
        }
        Ok(())
    }

    /// What was due in the measured time and never issued.
    fn count_behind(&mut self, ended_at: Nanos) {
        let from = self.worker.timeline.measure_from();
        let to = self.worker.timeline.measure_to().min(ended_at);
        for (lane, stream) in self.worker.lanes.iter().zip(&mut self.worker.streams) {
            if let Pacer::Scheduled(schedule) = &lane.pacer {
                stream.behind += schedule.clone().left(from, to);
            }
        }
    }
}
