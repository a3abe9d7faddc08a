//! The tree of results.

use std::{fmt, time::Duration};

use ioengine::FileKind;

use super::{Blown, Segment, Settled, Verification};
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
    /// What went wrong outside of time spans. A failure before a time span is the span's own.
    pub failures: Vec<Failure>,
    /// What ended the run early; `None` if every step was carried out.
    pub ended: Option<EndReason>,
    /// Files that were made or extended.
    pub prepared: Prepared,
    /// What an audit saw.
    pub findings: Vec<Finding>,
}

/// What preparation wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prepared {
    /// Bytes.
    pub bytes: u64,
    /// The time it took.
    pub took: Duration,
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
    /// Length of the measured time, or of the steady part of it; zero when it never began.
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
    /// Time spent on opening targets and making workers.
    pub opening: Duration,
    /// The measured time between checkpoints, of a load that has them; the last one ends with it.
    pub segments: Vec<Segment>,
    /// Whether what was read is what was written, where that was asked.
    pub verification: Option<Box<Verification>>,
    /// Where the load ended because it was steady: the windows that its figures are of. The
    /// intervals are those of all of it.
    pub steady: Option<Settled>,
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
    /// A condition that the plan names ([`Stop::fuse`](crate::plan::Stop::fuse)) was met.
    Fuse(Blown),
    /// Workers did not end in time and were left behind; what they had counted is here.
    LeftBehind,
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
    /// What it is about, for faces that have words or an option of their own for it.
    pub subject: Subject,
    /// A sentence for people: what, where, why, and what to try.
    pub message: String,
}

/// What a failure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    /// What the message says.
    #[default]
    Other,
    /// A target that cannot be opened; the error number says why.
    Opening,
    /// A target of no bytes.
    EmptyTarget,
    /// A target with fewer bytes than the plan uses.
    SmallTarget {
        /// Bytes that it has.
        size: u64,
        /// Bytes that it must have.
        needed: u64,
    },
    /// A cache that is bypassed only on network filesystems.
    RemoteCache,
    /// Advice to the kernel that sequential accesses are to come.
    SequentialAdvice,
    /// Advice to the kernel that random accesses are to come.
    RandomAdvice,
    /// A number that does not fit the alignment that unbuffered I/O needs.
    Number(Number),
    /// An operation on a target that failed or fell short.
    Operation {
        /// Which.
        kind: OperationKind,
        /// First byte.
        offset: u64,
        /// Bytes transferred, where it fell short.
        transferred: Option<u32>,
        /// Bytes that the file has now, where it is shorter than the request needs.
        cut_to: Option<u64>,
    },
    /// A block whose checksum is not that of its bytes.
    Checksum {
        /// First byte of the block.
        offset: u64,
        /// What its bytes give.
        calculated: u32,
        /// What it holds.
        stored: u32,
    },
    /// A block that was written for another offset.
    Misplaced {
        /// First byte of the block.
        offset: u64,
        /// The offset that it holds.
        stored: u64,
    },
}

/// A kind of operation on a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// Read.
    Read,
    /// Write.
    Write,
    /// Flush of data and metadata.
    Flush,
    /// Flush of data.
    FlushData,
}

/// A number of a plan that ends up in sizes and positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Bytes of an I/O, of which all have the same.
    BlockSize,
    /// Bytes of an I/O, of which there are several sizes.
    OneOfBlockSizes,
    /// Bytes of a piece of a block that one call puts together.
    PieceSize,
    /// First byte of the range in use.
    BaseOffset,
    /// Distance of consecutive I/Os.
    Stride,
    /// Distance of consecutive I/Os of all threads.
    SharedStride,
    /// Distance of the threads' starting points.
    WorkerOffset,
    /// What drawn offsets are multiples of.
    Alignment,
    /// Length of a part of a distribution.
    RangeLength,
    /// What the threads' regions are multiples of.
    RegionAlignment,
    /// Bytes of a file of a set.
    FileSize,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlockSize | Self::OneOfBlockSizes => "block size",
            Self::PieceSize => "size of a piece of a block",
            Self::BaseOffset => "base offset",
            Self::Stride | Self::SharedStride => "stride",
            Self::WorkerOffset => "thread stride",
            Self::Alignment => "alignment",
            Self::RangeLength => "range length",
            Self::RegionAlignment => "region alignment",
            Self::FileSize => "size of a file",
        })
    }
}

/// At which stage something went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Consent to write was missing.
    Guard,
    /// Making files.
    Prepare,
    /// Removing files.
    Cleanup,
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
    /// I/Os (or records) of an open loop that were due in the measured time and had not been issued
    /// at its end: the load fell behind by these.
    pub behind: u64,
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
