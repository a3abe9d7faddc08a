//! What a line asks for, complete: every default is in its place.

use std::ffi::OsString;

use crate::plan::Assembly;

/// One load on some files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Load {
    /// Writes instead of reads.
    pub(super) write: bool,
    /// Seconds.
    pub(super) seconds: u32,
    /// Order of blocks.
    pub(super) pattern: Pattern,
    /// I/Os of a run.
    pub(super) rows: u64,
    /// KiB of an I/O.
    pub(super) block_kib: u32,
    /// Blocks that are left out at the beginning of each file.
    pub(super) start: u64,
    /// The first run of each thread again and again.
    pub(super) again: bool,
    /// I/Os outstanding of each thread on each file; `None`: one at a time, the files in turn.
    pub(super) depth: Option<u32>,
    /// Where the data of an I/O is.
    pub(super) assembly: Assembly,
    /// Which caches take part.
    pub(super) buffering: Buffering,
    /// The line names them, so that the report does.
    pub(super) buffering_given: bool,
    /// Latencies are reported.
    pub(super) timing: Option<Timing>,
    /// CPU use is reported.
    pub(super) cpu_table: Option<CpuTable>,
    /// Threads and files.
    pub(super) work: Work,
}

impl Load {
    /// Bytes of an I/O.
    pub(super) fn block(&self) -> u64 {
        u64::from(self.block_kib) << 10
    }

    /// Threads in all.
    pub(super) fn threads(&self) -> u32 {
        match &self.work {
            Work::Named { threads, .. } => *threads,
            Work::Listed { lines, .. } => lines.iter().map(|line| line.threads).sum(),
        }
    }

    /// The files as the report spells them.
    pub(super) fn names(&self) -> Vec<String> {
        match &self.work {
            Work::Named { names, .. } => names
                .iter()
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
            Work::Listed { lines, .. } => lines.iter().map(|line| line.name.clone()).collect(),
        }
    }
}

/// Order of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Columns of a grid, with that many blocks between consecutive I/Os.
    Striped(u64),
    /// Each block is drawn.
    Random,
    /// One after the other.
    Sequential,
}

/// Which caches take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Buffering {
    /// None.
    Nothing,
    /// The file system's and the disk's.
    Everything,
    /// The disk's.
    Disk,
    /// The file system's.
    File,
}

/// How latencies are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timing {
    /// By which timer.
    pub(super) timer: Timer,
    /// How long initiating an I/O took is reported too.
    pub(super) initiation: bool,
}

/// A timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timer {
    /// The system's.
    System,
    /// The processor's.
    Processor,
}

/// Columns of the table of CPU use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CpuTable {
    /// All CPUs together.
    Together,
    /// Each CPU too.
    Each,
}

/// Threads and files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Work {
    /// Of the command line: every thread does I/O on every file.
    Named {
        /// How many.
        threads: u32,
        /// On which CPUs.
        binding: Option<Binding>,
        /// The files as typed, drives put in front.
        names: Vec<OsString>,
    },
    /// Of a parameter file: each line has its own threads.
    Listed {
        /// Its name as typed.
        file: String,
        /// Its lines.
        lines: Vec<ParameterLine>,
    },
}

/// On which CPUs threads run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Binding {
    /// Bit n is CPU n.
    pub(super) mask: u64,
    /// Threads are dealt to the CPUs one by one.
    pub(super) dealt: bool,
    /// No more than a wish.
    pub(super) ideal: bool,
}

impl Binding {
    /// The CPUs of the mask.
    pub(super) fn cpus(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |cpu| self.mask >> cpu & 1 == 1)
    }

    /// Those that may be used, and those that may not. Where nobody knows, all may.
    pub(super) fn sorted(self, usable: &[u32]) -> (Vec<u32>, Vec<u32>) {
        self.cpus()
            .partition(|cpu| usable.is_empty() || usable.contains(cpu))
    }
}

/// A line of a parameter file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParameterLine {
    /// The file.
    pub(super) name: String,
    /// Its threads.
    pub(super) threads: u32,
    /// CPUs that these may run on; 0 is all.
    pub(super) mask: u64,
    /// MiB of the file that are used.
    pub(super) size_mib: Option<u64>,
}
