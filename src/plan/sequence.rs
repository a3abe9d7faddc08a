//! One sequence of requests over a set of files, from which all workers of a time span draw:
//! sysbench's load.
//!
//! The sequence is one for all workers: who comes first gets the next request. Every file of the
//! span is used from its start, [`SharedSequence::file_size`] bytes of each.

use std::time::Duration;

use super::Payload;

/// The sequence, and how workers carry it out.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedSequence {
    /// Threads that draw from it.
    pub workers: u32,
    /// Bytes of each target that are used.
    pub file_size: u64,
    /// Where requests go.
    pub order: Order,
    /// What they do.
    pub operations: Operations,
    /// When files are flushed.
    pub flushes: Flushes,
    /// Reads and writes that a worker keeps in flight; `None` waits for each.
    pub backlog: Option<u32>,
    /// What blocks carry so that a later read can be judged.
    pub verify: Verify,
    /// What writes send.
    pub payload: Payload,
    /// Requests become due at this rate, over all workers, with exponential distances; one that
    /// finds no worker waits, and the wait is part of its latency. `None`: as fast as workers go.
    pub arrivals_per_second: Option<u64>,
    /// Statistics are told while the load goes on.
    pub watch: Watch,
    /// Workers that are not done this long after the time limit are left behind.
    pub grace: Option<Duration>,
}

/// Where requests go.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// File after file, each from its start; the last request of a file is cut at its end.
    Sequential {
        /// Bytes of a request.
        length: u32,
        /// Once over all files, or for ever.
        once: bool,
    },
    /// Drawn: a position in all files together, rounded down to a multiple of the block; cut where
    /// a file ends.
    Random {
        /// Bytes of a request.
        block: u32,
        /// Bytes of all files together, of which the position is drawn.
        span: u64,
        /// Where chance comes from.
        draws: Draws,
    },
}

impl Order {
    /// Bytes of a whole request.
    pub fn length(&self) -> u32 {
        match self {
            Self::Sequential { length, .. } => *length,
            Self::Random { block, .. } => *block,
        }
    }
}

/// Where the chance of a random order comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draws {
    /// sysbench 0.4: one `lrand48` for all workers.
    Lrand48 {
        /// What `srand48` was given; `None` if it was never called.
        seed: Option<u32>,
    },
    /// sysbench 1.0: a xoroshiro128+ for each worker, seeded by four values of glibc's `random`.
    Xoroshiro {
        /// What `srandom` was given.
        seed: u32,
        /// Another value is drawn after every event (for a slot of its histogram).
        draw_after_event: bool,
    },
}

/// What requests do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operations {
    /// All read.
    Reads,
    /// All write.
    Writes,
    /// A read if (reads + 1) / (writes + 1) is below the ratio, else a write.
    Ratio {
        /// Reads for each write.
        reads_per_write: f64,
        /// Which reads and writes are counted.
        counted: Counted,
    },
}

impl Operations {
    /// True if some requests write.
    pub fn write(self) -> bool {
        self != Self::Reads
    }

    /// True if some requests read.
    pub fn read(self) -> bool {
        self != Self::Writes
    }
}

/// Which operations the next choice is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Those that workers were given.
    HandedOut,
    /// Those that were seen to complete.
    Completed,
}

/// When files are flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flushes {
    /// `fdatasync` instead of `fsync`.
    pub data_only: bool,
    /// After every so many reads and writes all files are flushed, one request each, if anything
    /// was written since the last such round. `None`: no rounds.
    pub round_every: Option<u64>,
    /// The file is flushed after each write, as part of the same event.
    pub after_write: bool,
    /// At the end of the load.
    pub at_end: AtEnd,
    /// Flushes of rounds are events: they use up the limit of operations and have a latency in the
    /// same figures as reads and writes.
    pub are_events: bool,
}

/// Flushes at the end of the load; they are in no latency figure of reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtEnd {
    /// None.
    Never,
    /// Once for each file, when the limit of operations or the end of the pass was reached; not
    /// after a limit of time.
    OnceAtLimit,
    /// By every worker for each file, however the load ended.
    EveryWorker,
}

/// Blocks that can be judged: each ends with a checksum of its bytes and its offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verify {
    /// Blocks carry nothing.
    Off,
    /// Made before and judged after the time that a latency covers.
    OutsideLatency,
    /// Made and judged within the latency.
    InsideLatency,
}

/// What is told while the load goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watch {
    /// Figures of each interval of this length.
    pub intervals: Option<Duration>,
    /// At these times all figures so far are told, and start anew; ascending.
    pub checkpoints: Vec<Duration>,
    /// Every request is told.
    pub requests: bool,
}
