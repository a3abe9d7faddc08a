//! In which order a stream walks its target.
//!
//! All positions are relative to the target's base; R is the length of the range.

/// The order of offsets. Where sizes vary, the sequential orders leave no gaps: each I/O begins
/// where the last one ended, and `stride` counts for interlocked streams only.
#[derive(Debug, Clone, PartialEq)]
pub enum AccessPattern {
    /// Worker n of the group starts at `n * worker_offset`, then every `stride` bytes; at the end
    /// it starts again at `(n * worker_offset) mod stride`.
    Sequential {
        /// Distance between starts of consecutive I/Os.
        stride: u64,
        /// Distance between the starting points of the group's workers.
        worker_offset: u64,
    },
    /// One cursor per target, shared by all workers that name the target.
    Interlocked {
        /// Distance between starts of consecutive I/Os.
        stride: u64,
    },
    /// Each slot walks the whole sequence on its own.
    Parallel {
        /// Distance between starts of consecutive I/Os.
        stride: u64,
        /// Distance between the starting points of the group's workers.
        worker_offset: u64,
    },
    /// Each offset is drawn.
    Random {
        /// Offsets are multiples of this.
        alignment: u64,
        /// Where in the range.
        distribution: Distribution,
    },
    /// A share of the I/Os is drawn, the others go on behind the last one.
    Mixed {
        /// Drawn offsets are multiples of this; the sequential step is the same.
        alignment: u64,
        /// Percent of I/Os that are drawn, 1 to 100.
        random_percent: u32,
        /// Where in the range drawn offsets lie.
        distribution: Distribution,
    },
    /// Each worker owns an equal part of the range and walks it, by the I/O's own size.
    Regions {
        /// Parts begin at multiples of this.
        alignment: u64,
    },
    /// The range is a grid of blocks, all of the stream's one size, numbered row by row. One run
    /// visits one column from the first row to the last. Worker k of t owns the columns from
    /// `k * columns / t` up to, not including, `(k + 1) * columns / t`, and goes over them one after
    /// the other, then again.
    Grid {
        /// Blocks of a run.
        rows: u64,
        /// Runs of all workers together.
        columns: u64,
        /// Only the first run of the worker's part, again and again.
        again: bool,
    },
    /// All workers append at one shared cursor that wraps at the end.
    Append,
}

/// Which part of the range gets which share of the I/Os.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// Every position alike.
    Uniform,
    /// Shares over percentages of the range.
    Percent(Vec<Share>),
    /// Shares over byte lengths.
    Absolute(Vec<Share>),
}

/// One element: a share of the I/Os over the next part of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Percent of the I/Os; 0 leaves a hole.
    pub io_percent: u32,
    /// Where that part begins: percent, or bytes.
    pub from: u64,
    /// Its length: percent, or bytes; 0 is "to the end" (absolute only).
    pub length: u64,
}

/// A part of a target in bytes, with its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Weight among the ranges; the sum of all weights is the span.
    pub weight: u64,
    /// First byte, relative to the base.
    pub from: u64,
    /// Bytes.
    pub length: u64,
}
