//! Figures derived from the tree: totals and rates.

use std::time::Duration;

use super::{Outcome, Results, SpanResult, StreamResult};
use crate::measure::OperationStats;

/// `count` a second; 0 over no time.
pub fn per_second(count: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 {
        count as f64 / seconds
    } else {
        0.0
    }
}

/// MiB a second; 0 over no time.
pub fn mib_per_second(bytes: u64, time: Duration) -> f64 {
    per_second(bytes, time) / f64::from(1 << 20)
}

impl StreamResult {
    /// Reads and writes together.
    pub fn total(&self) -> OperationStats {
        let mut total = self.read.clone();
        total += &self.write;
        total
    }
}

impl SpanResult {
    /// True if the measured time began.
    pub fn has_figures(&self) -> bool {
        !matches!(self.outcome, Outcome::NotMeasured(_))
    }

    /// All streams, worker by worker.
    pub fn streams(&self) -> impl Iterator<Item = &StreamResult> {
        self.workers.iter().flat_map(|worker| &worker.streams)
    }

    /// Reads of all streams, or of those on one target.
    pub fn reads(&self, target: Option<usize>) -> OperationStats {
        self.sum(target, |stream| &stream.read)
    }

    /// Writes of all streams, or of those on one target.
    pub fn writes(&self, target: Option<usize>) -> OperationStats {
        self.sum(target, |stream| &stream.write)
    }

    fn sum(
        &self,
        target: Option<usize>,
        of: impl Fn(&StreamResult) -> &OperationStats,
    ) -> OperationStats {
        let mut sum = OperationStats::default();
        for stream in self
            .streams()
            .filter(|s| target.is_none_or(|t| s.target == t))
        {
            sum += of(stream);
        }
        sum
    }

    /// Operations that failed or fell short.
    pub fn failed_operations(&self) -> u64 {
        self.streams()
            .flat_map(|stream| [&stream.read, &stream.write, &stream.flush])
            .map(|stats| stats.error_count() + stats.short)
            .sum()
    }
}

impl Results {
    /// True if anything went wrong: a failure, or a failed or short operation.
    pub fn failed(&self) -> bool {
        self.spans
            .iter()
            .any(|span| !span.failures.is_empty() || span.failed_operations() > 0)
    }

    /// True if a signal ended a time span early.
    pub fn interrupted(&self) -> bool {
        use super::EndReason::Interrupted;
        self.spans.iter().any(|span| {
            matches!(
                span.outcome,
                Outcome::EndedEarly(Interrupted) | Outcome::NotMeasured(Interrupted)
            )
        })
    }
}
