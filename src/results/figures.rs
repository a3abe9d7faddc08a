//! Figures derived from the tree: totals, rates and deviations. Renderers lay them out and do no
//! arithmetic of their own.

use std::time::Duration;

use super::{Outcome, Results, SpanResult, StreamResult};
use crate::{
    host::CpuUse,
    measure::{Interval, IntervalSeries, OperationStats},
    units::ByteSize,
};

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

/// Nanoseconds as milliseconds.
pub fn milliseconds(ns: f64) -> f64 {
    ns / 1e6
}

/// How much over which time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rates {
    /// Whole operations.
    pub count: u64,
    /// Bytes that they transferred.
    pub bytes: u64,
    /// Operations a second.
    pub per_second: f64,
    /// MiB a second.
    pub mib_per_second: f64,
}

impl Rates {
    /// `count` operations of `bytes` bytes in all over `time`.
    pub fn new(count: u64, bytes: u64, time: Duration) -> Self {
        Self {
            count,
            bytes,
            per_second: per_second(count, time),
            mib_per_second: mib_per_second(bytes, time),
        }
    }
}

impl Rates {
    /// The time that so many bytes take at this rate; `None` where nothing moves, or for ever.
    pub fn time_for(&self, bytes: u64) -> Option<Duration> {
        let per_second = self.mib_per_second * f64::from(1 << 20);
        Duration::try_from_secs_f64(bytes as f64 / per_second).ok()
    }
}

/// What one row of a table says of some operations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    /// Counts and rates.
    pub rates: Rates,
    /// Mean latency; `None` without operations.
    pub latency_mean_ms: Option<f64>,
    /// Population standard deviation of the latency; `None` without operations.
    pub latency_stddev_ms: Option<f64>,
    /// Population standard deviation of operations a second over the intervals.
    pub iops_stddev: f64,
}

impl Summary {
    /// Of `stats` over the measured time.
    pub fn of(stats: &OperationStats, measured: Duration) -> Self {
        Self {
            rates: Rates::new(stats.count, stats.bytes, measured),
            latency_mean_ms: stats.latency.mean_ns().map(milliseconds),
            latency_stddev_ms: stats.latency.stddev_ns().map(milliseconds),
            iops_stddev: stats.intervals.iops_stddev(),
        }
    }
}

/// Where the time of a CPU went, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CpuPercent {
    /// In programs and the kernel.
    pub usage: f64,
    /// In programs.
    pub user: f64,
    /// In the kernel.
    pub kernel: f64,
    /// In handlers of interrupts; part of `kernel`.
    pub interrupt: f64,
    /// In what handlers put off; part of `kernel`.
    pub deferred: f64,
    /// In neither.
    pub idle: f64,
}

impl CpuPercent {
    /// A CPU without any time counts as idle.
    const IDLE: Self = Self {
        usage: 0.0,
        user: 0.0,
        kernel: 0.0,
        interrupt: 0.0,
        deferred: 0.0,
        idle: 100.0,
    };

    /// Of one CPU.
    pub fn of(cpu: &CpuUse) -> Self {
        let all = (cpu.user + cpu.kernel + cpu.idle).as_secs_f64();
        if all <= 0.0 {
            return Self::IDLE;
        }
        let percent = |part: Duration| 100.0 * part.as_secs_f64() / all;
        Self {
            usage: percent(cpu.user + cpu.kernel),
            user: percent(cpu.user),
            kernel: percent(cpu.kernel),
            interrupt: percent(cpu.interrupt),
            deferred: percent(cpu.deferred),
            idle: percent(cpu.idle),
        }
    }

    /// The plain mean over CPUs.
    pub fn mean(cpus: &[CpuUse]) -> Self {
        if cpus.is_empty() {
            return Self::IDLE;
        }
        let n = cpus.len() as f64;
        let all: Vec<Self> = cpus.iter().map(Self::of).collect();
        let mean = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>() / n;
        Self {
            usage: mean(|p| p.usage),
            user: mean(|p| p.user),
            kernel: mean(|p| p.kernel),
            interrupt: mean(|p| p.interrupt),
            deferred: mean(|p| p.deferred),
            idle: mean(|p| p.idle),
        }
    }
}

/// One interval of the time series of reads and writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesPoint {
    /// When the interval ends, after the start of the measured time.
    pub end: Duration,
    /// Its reads.
    pub read: PointFigures,
    /// Its writes.
    pub write: PointFigures,
    /// Reads and writes a second.
    pub per_second: f64,
}

/// One kind of operation in one interval; all 0 in silence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointFigures {
    /// Operations a second.
    pub per_second: f64,
    /// Smallest latency.
    pub min_ms: f64,
    /// Largest latency.
    pub max_ms: f64,
    /// Mean latency.
    pub mean_ms: f64,
    /// Population standard deviation of the latency.
    pub stddev_ms: f64,
}

impl PointFigures {
    fn of(interval: &Interval, length: Duration) -> Self {
        Self {
            per_second: per_second(interval.count, length),
            min_ms: milliseconds(interval.min_ns as f64),
            max_ms: milliseconds(interval.max_ns as f64),
            mean_ms: milliseconds(interval.mean_ns()),
            stddev_ms: milliseconds(interval.stddev_ns()),
        }
    }
}

/// The time series of reads and writes, up to the last interval in which either completed.
pub fn series(read: &IntervalSeries, write: &IntervalSeries) -> Vec<SeriesPoint> {
    let count = read.used().len().max(write.used().len());
    // A series that keeps nothing has no length of its own.
    let length = if read.used().is_empty() {
        write.length()
    } else {
        read.length()
    };
    let silence = Interval::default();
    (0..count)
        .map(|index| {
            let read = read.used().get(index).unwrap_or(&silence);
            let write = write.used().get(index).unwrap_or(&silence);
            SeriesPoint {
                end: length * (index as u32 + 1),
                read: PointFigures::of(read, length),
                write: PointFigures::of(write, length),
                per_second: per_second(read.count + write.count, length),
            }
        })
        .collect()
}

/// Sums over all time spans that have figures.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GrandTotals {
    /// Their measured time.
    pub measured: Duration,
    /// Reads.
    pub read: Rates,
    /// Writes.
    pub write: Rates,
    /// Both.
    pub total: Rates,
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
        self.sum(|t| target.is_none_or(|of| of == t), |stream| &stream.read)
    }

    /// Writes of all streams, or of those on one target.
    pub fn writes(&self, target: Option<usize>) -> OperationStats {
        self.sum(|t| target.is_none_or(|of| of == t), |stream| &stream.write)
    }

    /// Reads and writes of all targets that were typed as `label`.
    pub fn reads_and_writes_of(&self, label: &str) -> (OperationStats, OperationStats) {
        let named = |t: usize| self.targets.get(t).is_some_and(|t| t.label == label);
        (
            self.sum(named, |stream| &stream.read),
            self.sum(named, |stream| &stream.write),
        )
    }

    /// Each target's label once, in order.
    pub fn distinct_labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for target in &self.targets {
            if !labels.contains(&target.label.as_str()) {
                labels.push(&target.label);
            }
        }
        labels
    }

    /// A target as typed, and its size; nothing and 0 for a target that does not exist.
    pub fn target_label_and_size(&self, target: usize) -> (&str, ByteSize) {
        self.targets
            .get(target)
            .map_or(("", ByteSize(0)), |target| {
                (&target.label, ByteSize(target.size))
            })
    }

    fn sum(
        &self,
        wanted: impl Fn(usize) -> bool,
        of: impl Fn(&StreamResult) -> &OperationStats,
    ) -> OperationStats {
        let mut sum = OperationStats::default();
        for stream in self.streams().filter(|stream| wanted(stream.target)) {
            sum += of(stream);
        }
        sum
    }

    /// Operations of the measured time that failed or fell short.
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
        let span_failed =
            |span: &SpanResult| !span.failures.is_empty() || span.failed_operations() > 0;
        !self.failures.is_empty() || self.spans.iter().any(span_failed)
    }

    /// True if a signal ended the run early.
    pub fn interrupted(&self) -> bool {
        use super::EndReason::Interrupted;
        let ended = self.ended == Some(Interrupted);
        ended
            || self.spans.iter().any(|span| {
                matches!(
                    span.outcome,
                    Outcome::EndedEarly(Interrupted) | Outcome::NotMeasured(Interrupted)
                )
            })
    }

    /// Sums over all time spans that have figures; zeros if none has.
    pub fn grand_totals(&self) -> GrandTotals {
        let spans = || self.spans.iter().filter(|span| span.has_figures());
        let measured = spans().map(|span| span.measured).sum();
        let (mut read, mut write) = ((0, 0), (0, 0));
        for stream in spans().flat_map(SpanResult::streams) {
            read = (read.0 + stream.read.count, read.1 + stream.read.bytes);
            write = (write.0 + stream.write.count, write.1 + stream.write.bytes);
        }
        GrandTotals {
            measured,
            read: Rates::new(read.0, read.1, measured),
            write: Rates::new(write.0, write.1, measured),
            total: Rates::new(read.0 + write.0, read.1 + write.1, measured),
        }
    }
}

#[cfg(test)]
mod tests;
