//! Who makes the load and what it is made of.

use std::{path::PathBuf, time::Duration};

use super::{AccessPattern, Assembly, TargetIndex};

/// Workers (threads) that do the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerGroup {
    /// What it stands for in reports ("log write"); empty where the figures need no name.
    pub name: String,
    /// How many.
    pub workers: u32,
    /// On which CPUs.
    pub affinity: Affinity,
    /// What each of them does; a stream is one worker's I/O to one target.
    pub streams: Vec<Stream>,
    /// How a worker's slots are dealt to its streams.
    pub dispatch: Dispatch,
}

impl WorkerGroup {
    /// Requests that one worker has outstanding at most.
    pub fn slots(&self) -> u32 {
        match &self.dispatch {
            Dispatch::PerStream => self
                .streams
                .iter()
                .fold(0, |sum: u32, stream| sum.saturating_add(stream.queue_depth)),
            Dispatch::Shared { queue_depth, .. } => *queue_depth,
            Dispatch::InTurn => 1,
        }
    }
}

/// How a worker's slots are dealt to its streams.
#[derive(Debug, Clone, PartialEq)]
pub enum Dispatch {
    /// Each stream has its own slots, as many as its queue depth.
    PerStream,
    /// Slots belong to the worker; each I/O draws its stream by weight.
    Shared {
        /// Slots of the worker.
        queue_depth: u32,
        /// One weight a stream.
        weights: Vec<u32>,
    },
    /// One I/O at a time: the streams take turns, whatever their queue depths say.
    InTurn,
}

/// On which CPUs the workers run. Numbers are the system's CPU numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Affinity {
    /// Wherever the scheduler puts them.
    None,
    /// Worker i of the time span on the i-th usable CPU, round and round.
    RoundRobin,
    /// Worker i of the time span on entry i, round and round.
    List(Vec<u32>),
}

/// One worker's I/O to one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// Which target.
    pub target: TargetIndex,
    /// In which order.
    pub pattern: AccessPattern,
    /// Reads, writes, flushes.
    pub mix: OperationMix,
    /// How large.
    pub sizes: BlockSizes,
    /// Outstanding I/Os of this stream (unless slots are shared).
    pub queue_depth: u32,
    /// How fast.
    pub pacing: Pacing,
    /// What writes send.
    pub payload: Payload,
    /// Of what memory each block is put together; the same for all streams of a group.
    pub assembly: Assembly,
    /// The stream whose completed reads this one writes, where it copies: one write of its own size
    /// and payload for each. Reads wait while as many as this stream's queue depth are unwritten.
    pub copies: Option<usize>,
}

impl Stream {
    /// Whether it goes over its range of its own accord, so that passes can be counted: drawn
    /// orders do not, and one that copies follows its source.
    pub fn makes_passes(&self) -> bool {
        let drawn = matches!(
            self.pattern,
            AccessPattern::Random { .. } | AccessPattern::Mixed { .. }
        );
        !drawn && self.copies.is_none()
    }
}

/// One direction of I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the target.
    Read,
    /// To the target.
    Write,
}

/// Reads, writes and flushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationMix {
    /// Percent of writes, 0 to 100; drawn for each I/O unless it is 0 or 100.
    pub write_percent: u32,
    /// When data is flushed.
    pub flush: FlushPolicy,
}

/// When a stream flushes its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushPolicy {
    /// Never.
    Never,
    /// After every n writes of a worker's stream, `data_only` by fdatasync: the slot of the nth
    /// flushes before it does anything else. Flushes are in no limit and no pace.
    Every {
        /// Writes between flushes.
        writes: u32,
        /// fdatasync instead of fsync.
        data_only: bool,
    },
    /// Once by each worker's stream at the end of the measured time, inside it.
    AtEnd {
        /// fdatasync instead of fsync.
        data_only: bool,
    },
}

/// How large the I/Os are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockSizes {
    /// All alike.
    One(u32),
    /// Drawn by weight, apart for reads and writes.
    Weighted {
        /// Of reads.
        read: Vec<WeightedSize>,
        /// Of writes.
        write: Vec<WeightedSize>,
    },
}

impl BlockSizes {
    /// The largest I/O.
    pub fn largest(&self) -> u32 {
        match self {
            Self::One(size) => *size,
            Self::Weighted { read, write } => read
                .iter()
                .chain(write)
                .map(|entry| entry.bytes)
                .max()
                .unwrap_or(0),
        }
    }
}

/// A size and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedSize {
    /// Bytes.
    pub bytes: u32,
    /// Relative frequency.
    pub weight: u32,
}

/// How fast a stream issues.
#[derive(Debug, Clone, PartialEq)]
pub enum Pacing {
    /// As fast as slots come free.
    Unlimited,
    /// Never more bytes than this.
    CapBytes {
        /// Bytes a second, of all that share it.
        per_second: u64,
        /// Workers' streams that have an equal part of it each.
        shared_by: u32,
    },
    /// Never more I/Os than this.
    CapOperations {
        /// I/Os a second, of all that share it.
        per_second: u64,
        /// Workers' streams that have an equal part of it each.
        shared_by: u32,
    },
    /// Bursts with a pause between.
    Burst {
        /// I/Os of a burst, of each worker's stream.
        operations: u64,
        /// The pause after it.
        pause: Duration,
        /// Where the pause begins.
        from: PauseFrom,
    },
    /// Open loop: I/Os are due at times of their own.
    Arrivals {
        /// I/Os a second, of each worker's stream.
        per_second: f64,
        /// Exponential distances instead of equal ones.
        poisson: bool,
    },
    /// Many I/Os are due at once, again and again: checkpoints. Between two waves the stream rests; a
    /// wave that is not done when the next is due runs into it.
    Waves {
        /// When the first wave is due, after the start of the load.
        first: Duration,
        /// The distance of waves.
        every: Duration,
        /// I/Os of a wave, of each worker's stream.
        operations: u64,
        /// While the last I/O took longer than this, half as many are kept in flight.
        backs_off_above: Option<Duration>,
    },
    /// Open loop of records, written as a group commit: whenever the stream is idle and records wait,
    /// one write carries all of them that fit into the stream's largest write. The response time is
    /// that of each record, until the write is done, or the flush that follows it.
    Gathered {
        /// Records a second, of each worker's stream.
        per_second: f64,
        /// Exponential distances instead of equal ones.
        poisson: bool,
        /// Bytes of a record.
        record: u32,
        /// Writes are rounded up to multiples of this.
        unit: u32,
    },
}

impl Pacing {
    /// Whether I/Os, or records, are due at times of their own, from which responses are counted.
    pub fn responds(&self) -> bool {
        matches!(self, Self::Arrivals { .. } | Self::Gathered { .. })
    }
}

/// Where the pause between two bursts begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PauseFrom {
    /// When the last I/O of the burst is issued, whatever is still in flight (`DiskSpd`).
    #[default]
    Issue,
    /// When the last I/O of the burst has completed (fio's think time, and ours).
    Completion,
}

/// What writes send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// Zeros.
    Zeros,
    /// Byte i of the buffer is i mod 256.
    BytePattern,
    /// Random bytes, drawn once for each slot's buffer.
    Random,
    /// Random bytes, drawn once; every 4 KiB begin with a number of their own in each write, so that
    /// no two writes are alike.
    Stamped,
    /// Fresh random bytes for every write.
    FreshRandom,
    /// A random place in one shared source for every write.
    Source {
        /// Bytes in the source.
        size: u64,
        /// What fills it: random bytes, or this file repeated.
        file: Option<PathBuf>,
    },
}
