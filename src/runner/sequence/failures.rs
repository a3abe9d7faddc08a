//! What can go wrong with a request, as it is counted and told.

use std::io;

use ioengine::Errno;

use super::tally::Counts;
use crate::{
    measure::OperationStats,
    results::{Failure, OperationKind, Stage, Subject},
    runner::trailer::Flaw,
};

/// An operation that failed or fell short.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrong {
    kind: OperationKind,
    pub(super) file: u32,
    offset: u64,
    length: u32,
    result: Result<u32, Errno>,
}

/// A block that is not what was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flawed {
    pub(super) file: u32,
    pub(super) offset: u64,
    pub(super) flaw: Flaw,
}

impl Wrong {
    pub(super) fn failed(
        kind: OperationKind,
        file: u32,
        offset: u64,
        length: u32,
        errno: Errno,
    ) -> Self {
        Self {
            kind,
            file,
            offset,
            length,
            result: Err(errno),
        }
    }

    pub(super) fn short(
        kind: OperationKind,
        file: u32,
        offset: u64,
        length: u32,
        transferred: u32,
    ) -> Self {
        Self {
            kind,
            file,
            offset,
            length,
            result: Ok(transferred),
        }
    }

    /// True if the system gave an error.
    pub(super) fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// Counts it by kind; true if it is the first of its kind.
    pub(super) fn count(&self, counts: &mut Counts) -> bool {
        let stats: &mut OperationStats = match self.kind {
            OperationKind::Read => &mut counts.read,
            OperationKind::Write => &mut counts.write,
            OperationKind::Flush | OperationKind::FlushData => &mut counts.flush,
        };
        let seen = match self.result {
            Ok(_) => {
                stats.short += 1;
                stats.short
            }
            Err(errno) => {
                let seen = stats.errors.entry(errno.0).or_default();
                *seen += 1;
                *seen
            }
        };
        seen == 1
    }

    /// As it is told, of a file that has `size` bytes now.
    pub(super) fn failure(&self, worker: usize, labels: &[String], size: Option<u64>) -> Failure {
        let end = self.offset + u64::from(self.length);
        let cut_to = size.filter(|size| *size < end);
        let label = label(labels, self.file);
        let verb = match self.kind {
            OperationKind::Read => "read",
            OperationKind::Write => "write",
            OperationKind::Flush => "fsync",
            OperationKind::FlushData => "fdatasync",
        };
        let Self { offset, length, .. } = *self;
        let what = match self.kind {
            OperationKind::Read | OperationKind::Write => {
                format!("{verb} of {length} bytes at offset {offset}")
            }
            OperationKind::Flush | OperationKind::FlushData => verb.to_owned(),
        };
        let why = match self.result {
            Err(errno) => format!(": {errno}"),
            Ok(0) => " transferred nothing: the file ends before it (was it cut?)".to_owned(),
            Ok(part) => format!(" transferred only {part} bytes (was the file cut?)"),
        };
        Failure {
            stage: Stage::Io,
            worker: Some(worker),
            target: Some(label.to_owned()),
            errno: self.result.err().map(|errno| errno.0),
            subject: Subject::Operation {
                kind: self.kind,
                offset,
                transferred: self.result.ok(),
                cut_to,
            },
            message: format!("{label}: {what}{why}"),
        }
    }
}

/// A block that is not what was written there.
pub(super) fn flawed(flawed: &Flawed, worker: usize, labels: &[String]) -> Failure {
    let label = label(labels, flawed.file);
    let offset = flawed.offset;
    let (subject, message) = match flawed.flaw {
        Flaw::Checksum { calculated, stored } => (
            Subject::Checksum {
                offset,
                calculated,
                stored,
            },
            format!(
                "{label}: the block at offset {offset} has checksum {calculated:#x}, but holds \
                 {stored:#x}"
            ),
        ),
        Flaw::Misplaced { stored } => (
            Subject::Misplaced { offset, stored },
            format!("{label}: the block at offset {offset} was written for offset {stored}"),
        ),
    };
    Failure {
        stage: Stage::Io,
        worker: Some(worker),
        target: Some(label.to_owned()),
        errno: None,
        subject,
        message,
    }
}

/// The engine itself failed.
pub(super) fn engine(worker: usize, error: &io::Error) -> Failure {
    Failure {
        stage: Stage::Io,
        worker: Some(worker),
        target: None,
        errno: error.raw_os_error(),
        subject: Subject::Other,
        message: format!("the I/O engine failed: {error}"),
    }
}

/// More events are due than may wait.
pub(super) fn queue_full() -> Failure {
    Failure {
        stage: Stage::Io,
        worker: None,
        target: None,
        errno: None,
        subject: Subject::Other,
        message: format!(
            "the event queue is full: more than {} events wait for a thread; the rate is more than \
             these threads and this storage can do",
            super::arrivals::WAITING_MAX
        ),
    }
}

fn label(labels: &[String], file: u32) -> &str {
    labels.get(file as usize).map_or("", String::as_str)
}
