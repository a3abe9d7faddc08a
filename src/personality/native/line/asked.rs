//! What a line asks for, option by option. `None` is what it does not say.

use std::{fmt, path::PathBuf, time::Duration};

use super::Workload;
use super::places::Places;
use crate::plan::{BlockSizes, Caching, Condition, Steady};

/// The options of a load, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::personality::native) struct Asked {
    /// `--size`.
    pub(in crate::personality::native) size: Option<u64>,
    /// `--offset`.
    pub(in crate::personality::native) offset: Option<u64>,
    /// `--region`.
    pub(in crate::personality::native) region: Option<u64>,
    /// `--align`.
    pub(in crate::personality::native) align: Option<u64>,
    /// The order of `--rw`.
    pub(in crate::personality::native) order: Option<Order>,
    /// The operations of `--rw` and `--mix`.
    pub(in crate::personality::native) operations: Option<Operations>,
    /// `--bs`.
    pub(in crate::personality::native) sizes: Option<BlockSizes>,
    /// `--qd`.
    pub(in crate::personality::native) depth: Option<u32>,
    /// `--threads`.
    pub(in crate::personality::native) threads: Option<u32>,
    /// When it ends.
    pub(in crate::personality::native) limits: Limits,
    /// `--dist`.
    pub(in crate::personality::native) places: Option<Places>,
    /// `--stop-if`.
    pub(in crate::personality::native) fuse: Vec<Condition>,
    /// `--rate`, `--cap`, `--think`.
    pub(in crate::personality::native) pace: Option<Pace>,
    /// `--cache`.
    pub(in crate::personality::native) caching: Option<Caching>,
    /// `--durable`.
    pub(in crate::personality::native) durable: Option<Durable>,
    /// `--data`.
    pub(in crate::personality::native) data: Option<Data>,
    /// `--verify`.
    pub(in crate::personality::native) verify: Option<bool>,
    /// `--cpus`.
    pub(in crate::personality::native) cpus: Option<Vec<u32>>,
    /// `--interval`.
    pub(in crate::personality::native) interval: Option<Duration>,
    /// `--repeat`.
    pub(in crate::personality::native) repeat: Option<u32>,
    /// `--pause`.
    pub(in crate::personality::native) pause: Option<Duration>,
    /// `--seed`.
    pub(in crate::personality::native) seed: Option<u64>,
    /// `--keep`.
    pub(in crate::personality::native) keep: Option<bool>,
    /// What only profiles have.
    pub(in crate::personality::native) workload: Workload,
    /// Readings that a person might not expect.
    pub(in crate::personality::native) notes: Vec<String>,
}

/// What ends a load, and what is around its measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::personality::native) struct Limits {
    /// `--duration`.
    pub(in crate::personality::native) duration: Option<Duration>,
    /// `--warmup`.
    pub(in crate::personality::native) warmup: Option<Duration>,
    /// `--cooldown`.
    pub(in crate::personality::native) cooldown: Option<Duration>,
    /// `--bytes`.
    pub(in crate::personality::native) bytes: Option<u64>,
    /// `--ops`.
    pub(in crate::personality::native) operations: Option<u64>,
    /// `--passes`.
    pub(in crate::personality::native) passes: Option<u64>,
    /// `--until-steady`.
    pub(in crate::personality::native) steady: Option<Steady>,
}

/// In which order offsets come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) enum Order {
    /// One behind the other.
    Sequential,
    /// Drawn.
    Random,
}

/// Which operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) enum Operations {
    /// Reads alone.
    Reads,
    /// Writes alone.
    Writes,
    /// Both.
    Mixed {
        /// Percent of writes.
        write_percent: u32,
    },
}

impl Operations {
    /// Percent of writes.
    pub(in crate::personality::native) fn write_percent(self) -> u32 {
        match self {
            Self::Reads => 0,
            Self::Writes => 100,
            Self::Mixed { write_percent } => write_percent,
        }
    }
}

/// How fast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::personality::native) enum Pace {
    /// Open loop, all threads together.
    Arrivals {
        /// I/Os a second.
        per_second: u64,
        /// By chance.
        poisson: bool,
    },
    /// At most so many I/Os.
    CapOperations {
        /// A second.
        per_second: u64,
        /// Of whom.
        per: Per,
    },
    /// At most so many bytes.
    CapBytes {
        /// A second.
        per_second: u64,
        /// Of whom.
        per: Per,
    },
    /// A pause after so many I/Os of each thread.
    Pauses {
        /// I/Os between two pauses.
        operations: u64,
        /// How long.
        pause: Duration,
    },
}

/// Whom a limit holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) enum Per {
    /// All threads together.
    Run,
    /// Each thread.
    Thread,
}

/// When a write is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) enum Durable {
    /// Nobody asks.
    No,
    /// Each write.
    Dsync,
    /// Each write, and what describes the file.
    Sync,
    /// After every so many writes.
    Every {
        /// Writes between flushes.
        writes: u32,
        /// fdatasync.
        data_only: bool,
    },
    /// Once at the end.
    End,
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::personality::native) enum Data {
    /// Random bytes.
    Random,
    /// Zeros.
    Zeros,
    /// 0 to 255 again and again.
    Pattern,
    /// What a file holds.
    File(PathBuf),
}

/// As it is typed.
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Zeros => f.write_str("zeros"),
            Self::Pattern => f.write_str("pattern"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}
