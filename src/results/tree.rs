//! The tree of results.

use std::time::Duration;

use ioengine::FileKind;

use crate::{
    host::{CpuUse, Device, Filesystem, Machine},
    measure::OperationStats,
    plan::Plan,
};

/// Everything known after a run.
#[derive(Debug, Clone)]
pub struct Results {
    /// By what, where and when.
    pub provenance: Provenance,
    /// What was asked.
    pub plan: Plan,
    /// One for each time span of the plan, in order.
    pub spans: Vec<SpanResult>,
    /// What an audit saw.
    pub findings: Vec<Finding>,
}

/// By what, where and when a run was made.
#[derive(Debug, Clone)]
pub struct Provenance {
    /// Version of iogauge.
    pub version: String,
    /// Start of the run, since 1970-01-01 UTC.
    pub started: Duration,
    /// The machine.
    pub machine: Machine,
}

/// One time span.
#[derive(Debug, Clone)]
pub struct SpanResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What went wrong, in the order in which it was noticed.
    pub failures: Vec<Failure>,
    /// Length of the measured time; zero when it never began.
    pub measured: Duration,
    /// CPU time of each CPU over the measured time.
    pub cpus: Vec<CpuUse>,
    /// The engine that issued the I/O, by name; empty if none was opened.
    pub engine: String,
    /// True if the figures say nothing about this machine's storage.
    pub simulated: bool,
    /// What the engine had to do without.
    pub engine_notes: Vec<String>,
    /// As in the plan's time span.
    pub targets: Vec<TargetResult>,
    /// As in the plan's time span, group by group.
    pub workers: Vec<WorkerResult>,
    /// Time spent on making files before the span.
    pub prepared: Duration,
}

/// How a time span ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As planned.
    Finished,
    /// In the measured time; the figures cover the part before.
    EndedEarly(EndReason),
    /// Before the measured time began: there are no figures.
    NotMeasured(EndReason),
}

/// What ended a time span early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// A signal or another request to stop.
    Interrupted,
    /// A failure; see [`SpanResult::failures`].
    Failed,
}

/// Something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What was being done.
    pub stage: Stage,
    /// The worker, where one was concerned.
    pub worker: Option<usize>,
    /// The target as typed, where one was concerned.
    pub target: Option<String>,
    /// The system's error number, where there was one.
    pub errno: Option<i32>,
    /// A sentence for people: what, where, why, and what to try.
    pub message: String,
}

/// At which stage something went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Consent to write was missing.
    Guard,
    /// Making files.
    Prepare,
    /// Opening targets, sizes, buffers, engines.
    Open,
    /// Reading the file that write buffers are filled from; nothing has been loaded yet.
    WriteSource,
    /// An I/O.
    Io,
}

/// What a target turned out to be.
#[derive(Debug, Clone)]
pub struct TargetResult {
    /// As typed.
    pub label: String,
    /// Its size when it was opened; 0 if it never was.
    pub size: u64,
    /// What it is, once opened.
    pub kind: Option<FileKind>,
    /// The filesystem it is on, where known.
    pub filesystem: Option<Filesystem>,
    /// The block device under it, where known.
    pub device: Option<Device>,
}

/// One worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerResult {
    /// As in the plan's group.
    pub streams: Vec<StreamResult>,
    /// How it waited.
    pub waits: Waits,
    /// CPU it was bound to.
    pub cpu: Option<u32>,
}

/// One worker's I/O to one target.
#[derive(Debug, Clone, Default)]
pub struct StreamResult {
    /// Index of the target in the span.
    pub target: usize,
    /// Reads.
    pub read: OperationStats,
    /// Writes.
    pub write: OperationStats,
    /// Flushes.
    pub flush: OperationStats,
    /// The ranges that a distribution came down to; empty without one.
    pub ranges: Vec<EffectiveRange>,
}

/// A range of a target that gets a share of the I/Os.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectiveRange {
    /// Percent of the I/Os.
    pub io_percent: f64,
    /// First byte, relative to the base.
    pub from: u64,
    /// First byte behind it.
    pub to: u64,
}

/// How a worker waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waits {
    /// Times it blocked for a completion.
    pub completion: u64,
    /// Times every slot was throttled while I/Os were in flight.
    pub throttle: u64,
    /// Times it slept because every slot was throttled.
    pub throttle_sleep: u64,
    /// Times it looked for completions without waiting.
    pub polls: u64,
    /// How many completions those looks found: 0, 1, ... 7 or more.
    pub found: [u64; 8],
}

/// What an audit check saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable short name.
    pub code: &'static str,
    /// One sentence with the numbers.
    pub message: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The figure may not mean what it seems to.
    Caution,
    /// The figure is wrong for what was asked.
    Misleading,
}
