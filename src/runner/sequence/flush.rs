//! Flushes of a worker of a shared sequence: those of rounds, after writes, and at the end.

use std::sync::Arc;

use ioengine::{Errno, File, Nanos, Operation, Request, Wait};

use super::{
    failures::Wrong,
    worker::{Run, Stop},
};
use crate::{
    plan::AtEnd,
    results::{Limit, OperationKind},
};

impl Run {
    /// A flush of a round, or one of the last.
    pub(super) fn flush(&mut self, file: u32, last: bool, due: Option<Nanos>) -> Result<(), Stop> {
        let Some(ns) = self.flush_file(file)? else {
            return Ok(());
        };
        let waited = due.map_or(ns, |due| self.time.since(due));
        let sampled = self.worker.rules.flushes.are_events && !last;
        let mut counts = self.worker.tally.counts();
        if last {
            counts.final_flush.record(0, ns, 0);
        } else {
            counts.flush.record(0, ns, 0);
        }
        if sampled {
            counts.event(waited);
        }
        Ok(())
    }

    /// What every worker does at the end, where the plan asks for it.
    pub(super) fn flush_all(&mut self, by: Limit) -> Result<(), Stop> {
        let rules = self.worker.rules;
        let stopped = matches!(by, Limit::Failure | Limit::Interrupt);
        if stopped || !rules.writes || rules.flushes.at_end != AtEnd::EveryWorker {
            return Ok(());
        }
        for file in 0..rules.files {
            if let Some(ended) = self.worker.shared.ended() {
                return Err(ended);
            }
            if let Some(ns) = self.flush_file(file)? {
                self.worker.tally.counts().final_flush.record(0, ns, 0);
            }
        }
        Ok(())
    }

    pub(super) fn flush_kind(&self) -> OperationKind {
        if self.worker.rules.flushes.data_only {
            OperationKind::FlushData
        } else {
            OperationKind::Flush
        }
    }

    /// Flushes a file and waits for it; returns the time it took, or nothing if it failed and the
    /// run goes on.
    pub(super) fn flush_file(&mut self, file: u32) -> Result<Option<u64>, Stop> {
        let kind = self.flush_kind();
        // Asynchronous flushes would be other calls than those that such a load asks for.
        let by_call = self
            .worker
            .rules
            .backlog
            .and(self.worker.files.get(file as usize));
        let (took, result) = match by_call {
            Some(open) => self.flush_by_call(&Arc::clone(open), kind),
            None => self.flush_by_engine(file, kind)?,
        };
        match result {
            Ok(()) => Ok(Some(took)),
            Err(errno) => {
                let wrong = Wrong::failed(kind, file, 0, 0, errno);
                self.wrong(&wrong).map(|()| None)
            }
        }
    }

    /// A blocking call: it covers what the kernel has completed, not what is in flight.
    fn flush_by_call(&mut self, file: &File, kind: OperationKind) -> (u64, Result<(), Errno>) {
        let issued = self.worker.engine.now();
        let result = loop {
            let result = match kind {
                OperationKind::FlushData => file.std().sync_data(),
                _ => file.std().sync_all(),
            };
            match result {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(|error| Errno::from_io(&error)),
            }
        };
        self.time = self.worker.engine.now();
        (self.time.since(issued), result)
    }

    fn flush_by_engine(
        &mut self,
        file: u32,
        kind: OperationKind,
    ) -> Result<(u64, Result<(), Errno>), Stop> {
        let tag = self.worker.slots.len() as u32 - 1;
        let Some(buffer) = self
            .worker
            .slots
            .last_mut()
            .and_then(|slot| slot.read.take())
        else {
            return Err(self.broken("the buffer of flushes is in use"));
        };
        let request = Request {
            operation: match kind {
                OperationKind::FlushData => Operation::FlushData,
                _ => Operation::Flush,
            },
            file,
            length: 0,
            tag,
            offset: 0,
            buffer,
            source: None,
        };
        if let Err(rejected) = self.worker.engine.submit(request) {
            return Err(self.engine_failed(&rejected.reason));
        }
        let completion = loop {
            self.reap(Wait::ONE)?;
            let found = self.held.iter().position(|held| held.request.tag == tag);
            if let Some(found) = found {
                break self.held.remove(found);
            }
        };
        self.time = completion.completed;
        let took = completion.completed.since(completion.issued);
        let result = completion.result;
        if let Some(slot) = self.worker.slots.last_mut() {
            slot.read = Some(completion.request.buffer);
        }
        Ok((took, result.map(|_| ())))
    }
}
