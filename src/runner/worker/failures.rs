//! What failed or fell short is counted, told once a kind, and ends the run where the plan says so.

use std::io;

use ioengine::{Errno, Nanos, Operation};

use super::{Run, settle::stats_of};
use crate::{
    measure::OperationStats,
    plan::OnError,
    results::{Failure, OperationKind, Stage, Subject},
};

impl Run {
    #[cold]
    pub(super) fn unwhole(&mut self, what: &Unwhole, result: Result<u32, Errno>) {
        match result {
            Ok(transferred) => self.short(what, transferred),
            Err(errno) => self.error(what, errno),
        }
    }

    /// A transfer of fewer bytes than asked is counted as such and as nothing else. None at all
    /// means that the target ends there: the run cannot go on.
    fn short(&mut self, what: &Unwhole, transferred: u32) {
        if what.measured {
            self.stats(what).short += 1;
        }
        let first = self.told.insert((what.stream, what.verb(), 0));
        if !first && transferred > 0 {
            return;
        }
        let label = &self.worker.lanes[what.stream].label;
        let Unwhole { offset, length, .. } = *what;
        let verb = what.verb();
        let message = if transferred == 0 {
            format!(
                "{label}: {verb} of {length} bytes at offset {offset} transferred nothing: the \
                 target ends before it (was it cut while the test ran?)"
            )
        } else {
            format!(
                "{label}: {verb} of {length} bytes at offset {offset} transferred only \
                 {transferred}; such operations are in no figure"
            )
        };
        self.failed(what, None, Some(transferred), message);
    }

    fn error(&mut self, what: &Unwhole, errno: Errno) {
        if what.measured {
            *self.stats(what).errors.entry(errno.0).or_default() += 1;
        }
        if !self.told.insert((what.stream, what.verb(), errno.0)) {
            return;
        }
        let label = &self.worker.lanes[what.stream].label;
        let Unwhole { offset, length, .. } = *what;
        let verb = what.verb();
        let message = if what.operation.transfers() {
            format!("{label}: {verb} of {length} bytes at offset {offset}: {errno}")
        } else {
            format!("{label}: {verb}: {errno}")
        };
        self.failed(what, Some(errno.0), None, message);
    }

    fn stats(&mut self, what: &Unwhole) -> &mut OperationStats {
        stats_of(&mut self.worker.streams[what.stream], what.operation)
    }

    fn failed(
        &mut self,
        what: &Unwhole,
        errno: Option<i32>,
        transferred: Option<u32>,
        message: String,
    ) {
        self.failures.push(Failure {
            stage: Stage::Io,
            worker: Some(self.worker.number),
            target: Some(self.worker.lanes[what.stream].label.clone()),
            errno,
            subject: Subject::Operation {
                kind: what.kind(),
                offset: what.offset,
                transferred,
                cut_to: None,
            },
            message,
        });
        // A part of a transfer is counted and told; the run goes on.
        let fatal = transferred.is_none_or(|bytes| bytes == 0);
        if fatal && (self.worker.on_error == OnError::Stop || errno.is_none()) {
            self.worker.timeline.fail(what.completed);
        }
    }

    #[cold]
    pub(super) fn engine_failed(&mut self, error: &io::Error) {
        self.failures.push(Failure {
            stage: Stage::Io,
            worker: Some(self.worker.number),
            target: None,
            errno: error.raw_os_error(),
            subject: Subject::Other,
            message: format!("the I/O engine failed: {error}"),
        });
        self.worker.timeline.fail(self.worker.engine.now());
    }
}

/// An operation that failed or fell short.
pub(super) struct Unwhole {
    pub(super) stream: usize,
    pub(super) operation: Operation,
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) completed: Nanos,
    /// It belongs to the measured time.
    pub(super) measured: bool,
}

impl Unwhole {
    fn kind(&self) -> OperationKind {
        match self.operation {
            Operation::Read => OperationKind::Read,
            Operation::Write => OperationKind::Write,
            Operation::Flush => OperationKind::Flush,
            Operation::FlushData => OperationKind::FlushData,
        }
    }

    fn verb(&self) -> &'static str {
        match self.operation {
            Operation::Read => "read",
            Operation::Write => "write",
            Operation::Flush => "fsync",
            Operation::FlushData => "fdatasync",
        }
    }
}
