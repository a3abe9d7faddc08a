//! What a sysbench fileio line means: complete and checked, with the defaults of its dialect.

/// Which sysbench's rules hold: defaults, limits, counting and report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// 0.4.12.
    V04,
    /// 1.0.20.
    V10,
}

impl Dialect {
    /// The version, as sysbench tells it.
    pub fn version(self) -> &'static str {
        match self {
            Self::V04 => "sysbench 0.4.12",
            Self::V10 => "sysbench 1.0.20",
        }
    }

    /// The first line of all that it prints; an empty one follows.
    pub fn header(self) -> &'static str {
        match self {
            Self::V04 => "sysbench 0.4.12:  multi-threaded system evaluation benchmark",
            Self::V10 => "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)",
        }
    }
}

/// What the line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Make or extend the files.
    Prepare,
    /// Load them.
    Run,
    /// Remove them.
    Cleanup,
}

/// Everything that a line means.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Whose rules hold.
    pub dialect: Dialect,
    /// What to do.
    pub action: Action,
    /// `--threads`, `--num-threads`.
    pub threads: u32,
    /// `--events`, `--max-requests`; 0 is no limit.
    pub events: u32,
    /// `--time`, `--max-time`, in seconds; 0 is no limit.
    pub time: u32,
    /// `--warmup-time` of 1.1, in seconds.
    pub warmup: u32,
    /// `--rate`, `--tx-rate`: events a second; 0 is no rate.
    pub rate: u32,
    /// `--report-interval`, in seconds; 0 is none.
    pub report_interval: u32,
    /// `--report-checkpoints`, in seconds, ascending.
    pub checkpoints: Vec<u32>,
    /// `--percentile`; 0 computes none.
    pub percentile: u32,
    /// `--histogram`.
    pub histogram: bool,
    /// Where chance begins.
    pub seed: Seed,
    /// `--forced-shutdown`: seconds after the time limit.
    pub grace: Option<u32>,
    /// `--validate`.
    pub validate: bool,
    /// `--debug`.
    pub debug: bool,
    /// `--verbosity`, or 5 with `--debug`: 0 (fatal) to 5 (debug).
    pub verbosity: u8,
    /// The options of the test itself.
    pub file: FileOptions,
}

/// Where chance begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seed {
    /// 0.4 without `--init-rng`: the same offsets in every run.
    Fixed,
    /// From the clock. 0.4 with `--init-rng`; 1.0 without `--rand-seed`.
    Clock {
        /// What the clock gave.
        seed: u32,
    },
    /// `--rand-seed`.
    Given {
        /// Its value.
        seed: u32,
    },
}

/// `--file-...`.
#[derive(Debug, Clone, PartialEq)]
pub struct FileOptions {
    /// `--file-num`.
    pub count: u32,
    /// `--file-total-size`, in bytes.
    pub total: u64,
    /// `--file-block-size`, in bytes.
    pub block: u32,
    /// `--file-test-mode`; only a run needs one.
    pub mode: Option<Mode>,
    /// `--file-io-mode`.
    pub io_mode: IoMode,
    /// `--file-async-backlog`.
    pub backlog: u32,
    /// `--file-extra-flags`.
    pub flags: ExtraFlags,
    /// `--file-fsync-freq`; 0 is never.
    pub fsync_freq: u32,
    /// `--file-fsync-all`.
    pub fsync_all: bool,
    /// `--file-fsync-end`.
    pub fsync_end: bool,
    /// `--file-fsync-mode=fdatasync`.
    pub fdatasync: bool,
    /// `--file-merged-requests`; 0 merges none.
    pub merged: u32,
    /// `--file-rw-ratio`.
    pub rw_ratio: f64,
}

impl FileOptions {
    /// Bytes of each file: the total is divided and rounded down.
    pub fn file_size(&self) -> u64 {
        self.total / u64::from(self.count.max(1))
    }
}

/// `--file-test-mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `seqwr`.
    SeqWr,
    /// `seqrewr`.
    SeqRewr,
    /// `seqrd`.
    SeqRd,
    /// `rndrd`.
    RndRd,
    /// `rndwr`.
    RndWr,
    /// `rndrw`.
    RndRw,
}

impl Mode {
    /// True if files are read or written from start to end.
    pub fn sequential(self) -> bool {
        matches!(self, Self::SeqWr | Self::SeqRewr | Self::SeqRd)
    }

    /// True if anything is written.
    pub fn writes(self) -> bool {
        !matches!(self, Self::SeqRd | Self::RndRd)
    }
}

/// `--file-io-mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IoMode {
    /// One call for each request.
    Sync,
    /// Several in flight.
    Async,
    /// Through mappings.
    Mmap,
}

/// `--file-extra-flags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtraFlags {
    /// O_SYNC.
    pub sync: bool,
    /// O_DSYNC.
    pub dsync: bool,
    /// O_DIRECT.
    pub direct: bool,
}
