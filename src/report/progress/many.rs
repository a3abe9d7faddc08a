//! Files that are made by the thousand: a line for all of them, and not one for each.

use std::time::Duration;

use crate::{
    plan::{Plan, Step},
    results::mib_per_second,
    units::{ByteSize, words::grouped},
};

/// So many files have a line each.
const FEW: u64 = 16;

/// Files that are made, and how far that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Many {
    files: u64,
    done: u64,
    bytes: u64,
    took: Duration,
}

impl Many {
    /// The files of a plan; `None` if each may have its own line.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let files = plan.steps.iter().map(|step| match step {
            Step::Prepare(prepare) => prepare.files.len() as u64,
            Step::Run(_) | Step::Cleanup(_) => 0,
        });
        let files = files.sum();
        (files > FEW).then_some(Self {
            files,
            done: 0,
            bytes: 0,
            took: Duration::ZERO,
        })
    }

    /// One more is there, made (or kept, which takes nothing).
    pub(super) fn done(&mut self, bytes: u64, took: Duration) {
        self.done += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.took = self.took.saturating_add(took);
    }

    /// All are there.
    pub(super) fn whole(&self) -> bool {
        self.done >= self.files
    }

    /// Where it is.
    pub(super) fn live(&self) -> String {
        format!(
            "making files: {} of {}, {}",
            grouped(self.done),
            grouped(self.files),
            ByteSize(self.bytes)
        )
    }

    /// What it came to.
    pub(super) fn line(&self) -> String {
        format!(
            "made {} files: {} in {:.2} s ({:.0} MiB/s), not part of the test\n",
            grouped(self.files),
            ByteSize(self.bytes),
            self.took.as_secs_f64(),
            mib_per_second(self.bytes, self.took)
        )
    }
}
