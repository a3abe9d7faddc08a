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
    /// Every position once a pass, in an order that the seed draws, a new one for each pass: random
    /// without repeats. All I/Os have one size. Worker k of t takes every t-th position of the order
    /// from the k-th on, so that the workers of a group share each pass.
    Shuffled {
        /// Offsets are multiples of this.
        alignment: u64,
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

/// Which part of the range gets which share of the I/Os. Where sizes vary, all but the uniform one
/// know one set of positions: those at which the largest I/O fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// Every position alike.
    Uniform,
    /// Shares over percentages of the range.
    Percent(Vec<Share>),
    /// Shares over byte lengths.
    Absolute(Vec<Share>),
    /// Positions have ranks: the first is drawn most often.
    Ranked {
        /// How often each rank is drawn.
        skew: Skew,
        /// Where the ranks lie.
        ranks: Ranks,
    },
    /// The normal distribution; what falls out of the range is drawn again.
    Normal {
        /// Its standard deviation, in percent of the range; above 0, at most 100.
        deviation_percent: f64,
        /// Its middle, in percent of the range.
        centre_percent: f64,
    },
}

/// Exponents of Zipf's law that mean something: below, all positions are alike; above, one is drawn
/// and no other.
pub const EXPONENTS: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// How often each rank of n is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skew {
    /// Zipf's law: rank k, from 1, in proportion to k to the power of minus this ([`EXPONENTS`]).
    Zipf(f64),
    /// Pareto's rule, the same in every part: the first `h` of the ranks get `1 - h` of the I/Os, the
    /// first `h` of these again `1 - h` of theirs, and so on (Gray et al., "Quickly generating
    /// billion-record synthetic databases", 1994). Between 0 and 1; `1 - h` says the same as `h`.
    Pareto(f64),
}

/// Where the ranks lie in the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ranks {
    /// All over it, each at a position of its own, in an order that the seed draws: the same for all
    /// workers of the time span.
    Scattered,
    /// The same, turned so that the first rank lies at this part of the range, in percent.
    ScatteredFrom(f64),
    /// The first at its beginning, the last at its end.
    InOrder,
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
