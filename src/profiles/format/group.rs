//! Who makes the load of a workload, as its file says it.

use serde::Deserialize;

use super::{Bytes, Span};
use crate::profiles::{Generation, Role};

/// Workers that do the same thing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroupSpec {
    /// What it stands for in reports.
    pub name: String,
    /// How many workers.
    pub threads: Threads,
    /// I/Os outstanding in each worker.
    pub queue_depth: u32,
    /// What `--qd` may be at most.
    #[serde(default = "deepest")]
    pub queue_depth_max: u32,
    /// What `--rate` means for it; without this it knows no rate.
    pub rate: Option<RateSpec>,
    /// What each worker does.
    #[serde(rename = "stream")]
    pub streams: Vec<StreamSpec>,
    /// What another generation does otherwise.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
}

/// I/Os that `--qd` may ask of a worker where the profile does not say.
const DEEPEST: u32 = 1024;

fn deepest() -> u32 {
    DEEPEST
}

/// How many workers a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// So many.
    Fixed(u32),
    /// As many as one query has workers.
    MaxDop,
    /// One a socket.
    Sockets,
    /// One a NUMA node.
    NumaNodes,
    /// One a soft-NUMA node, at most 4.
    LogWriters,
}

/// What a rate means for a group.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields, rename_all = "kebab-case")]
pub enum RateSpec {
    /// I/Os are due at times of their own.
    #[serde(rename_all = "kebab-case")]
    Arrivals {
        /// I/Os for each of what the rate counts.
        each: f64,
    },
    /// Records of a log, gathered into one write while another is under way.
    #[serde(rename_all = "kebab-case")]
    GroupCommit {
        /// Bytes of a record.
        record: Bytes,
        /// Bytes of a write at most.
        largest: Bytes,
    },
    /// Pages become dirty and are written by checkpoints.
    #[serde(rename_all = "kebab-case")]
    Checkpoint {
        /// Pages of 8 KiB for each of what the rate counts.
        pages: f64,
        /// Time between checkpoints.
        every: Span,
        /// Write latency above which a checkpoint holds back.
        backs_off_above: Span,
    },
}

/// One worker's I/O to one kind of file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StreamSpec {
    /// Which kind of file.
    pub file: Role,
    /// Which part of each.
    #[serde(default)]
    pub part: Part,
    /// In which order.
    pub pattern: Pattern,
    /// What drawn offsets are multiples of; of regions, what they begin at.
    pub align: Option<Bytes>,
    /// Percent of reads, where there are both.
    pub read_percent: Option<u32>,
    /// Sizes of reads with their weights.
    #[serde(default)]
    pub read: Vec<(Bytes, u32)>,
    /// Sizes of writes with their weights.
    #[serde(default)]
    pub write: Vec<(Bytes, u32)>,
    /// Share of the worker's I/Os, where it has several streams.
    #[serde(default = "one")]
    pub share: u32,
    /// Whether it writes what the stream before it has read.
    #[serde(default)]
    pub copies: Copies,
    /// What writes send.
    #[serde(default)]
    pub data: Data,
    /// A flush after so many writes.
    pub flush: Option<FlushSpec>,
}

fn one() -> u32 {
    1
}

/// In which order a stream walks its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Each offset is drawn.
    Random,
    /// Each worker walks a part of its own.
    Regions,
    /// From the beginning to the end.
    Sequential,
    /// All append at one shared cursor, which wraps.
    Append,
}

/// Which part of a file a stream uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Its first half.
    FirstHalf,
    /// Its second half.
    SecondHalf,
}

/// Where a stream has from what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Copies {
    /// Its own data.
    #[default]
    Nothing,
    /// What the stream before it has read.
    Previous,
}

/// What writes send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// Random bytes, no two writes alike.
    #[default]
    Random,
    /// Zeros.
    Zeros,
}

/// A flush after writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlushSpec {
    /// Writes between flushes.
    pub every: u32,
    /// By which call.
    pub call: FlushCall,
}

/// By which call data is flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlushCall {
    /// Data and metadata.
    Fsync,
    /// Data.
    Fdatasync,
}

/// What another generation does otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// Which.
    pub generation: Generation,
    /// Sizes of writes with their weights.
    pub write: Vec<(Bytes, u32)>,
    /// How checkpoints come.
    #[serde(default)]
    pub checkpoints: Checkpoints,
}

/// How checkpoints come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checkpoints {
    /// All at once, again and again.
    #[default]
    Waves,
    /// All the time.
    Continuous,
}
