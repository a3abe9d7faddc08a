//! From a plan to the sequence of operations: pure, the same for `explain` and for the runner.
//!
//! Each worker has a [`Sequencer`], which says what a slot does next: to which stream, read or
//! write, where, how much, with which payload. Everything is decided by the plan, the sizes of the
//! targets and the seed; only the cursors that workers share ([`SharedCursors`]) depend on who
//! comes first. [`preview`] deals with that by taking the workers in turn.

mod cursors;
mod curve;
mod divide;
mod permutation;
mod preview;
mod random;
mod ranges;
mod sequence;
mod sequencer;
mod shuffle;
mod site;
mod sizes;
mod stream;
#[cfg(test)]
mod tests;
mod visits;
mod walk;
mod weights;

use thiserror::Error;

pub use cursors::SharedCursors;
pub use preview::{PreviewRow, preview, render_preview};
pub use sequence::{Exhausted, SharedRequest, SharedRequests, WorkerDraws};
pub use sequencer::{Next, Sequencer};
pub use visits::{Choices, Popular};

use crate::plan::Target;

/// The part of a target that a stream works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// First byte.
    pub base: u64,
    /// Bytes.
    pub length: u64,
    /// The page cache is bypassed: memory addresses must be aligned too.
    pub direct: bool,
}

/// What a write sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadUse {
    /// The slot's own buffer as it is. Reads have this too.
    Own,
    /// A place in the stream's shared source.
    Source {
        /// First byte inside the source.
        offset: u32,
    },
    /// The slot's own buffer, filled anew by [`Sequencer::fill`].
    Fresh,
}

/// A plan that has no sequence on these targets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SequenceError {
    /// The range begins behind the end of the target.
    #[error("{label}: the range begins at byte {base}, but the target has only {size} bytes")]
    BaseBeyondEnd {
        /// The target as typed.
        label: String,
        /// First byte of the range.
        base: u64,
        /// Bytes of the target.
        size: u64,
    },
    /// There is no whole I/O in the range behind a worker's starting point.
    #[error(
        "target {target} is too small: worker {worker} starts {start} bytes into a range of \
         {length} bytes, where a block of {block} bytes does not fit"
    )]
    TooSmall {
        /// Index into the group's streams.
        stream: usize,
        /// Index into the time span's targets.
        target: usize,
        /// Number inside the group.
        worker: u32,
        /// Where it starts, relative to the base.
        start: u64,
        /// Bytes of the largest I/O.
        block: u32,
        /// Bytes of the range.
        length: u64,
    },
    /// A worker's own region holds no whole I/O.
    #[error(
        "target {target} is too small: {length} bytes shared by {workers} workers leave a region \
         of {region} bytes, where a block of {block} bytes does not fit"
    )]
    RegionTooSmall {
        /// Index into the group's streams.
        stream: usize,
        /// Index into the time span's targets.
        target: usize,
        /// Workers that share the range.
        workers: u32,
        /// Bytes of the range.
        length: u64,
        /// Bytes of the region.
        region: u64,
        /// Bytes of the largest I/O.
        block: u32,
    },
    /// A grid of blocks reaches past the end of the range.
    #[error(
        "target {target} is too small: a grid of {rows} rows of {columns} blocks of {block} bytes \
         does not fit into a range of {length} bytes"
    )]
    GridTooLarge {
        /// Index into the group's streams.
        stream: usize,
        /// Index into the time span's targets.
        target: usize,
        /// Blocks of a column.
        rows: u64,
        /// Blocks of a row.
        columns: u64,
        /// Bytes of an I/O.
        block: u32,
        /// Bytes of the range.
        length: u64,
    },
    /// A worker owns no column of its grid.
    #[error(
        "stream {stream}: worker {worker} gets no column of a grid of {columns} that {workers} \
         workers share"
    )]
    NoColumn {
        /// Index into the group's streams.
        stream: usize,
        /// Number inside the group.
        worker: u32,
        /// Columns of the grid.
        columns: u64,
        /// Workers that share it.
        workers: u32,
    },
    /// There are fewer positions than workers that share them.
    #[error(
        "target {target} is too small: worker {worker} gets none of the {positions} positions that \
         {workers} workers share"
    )]
    NoPosition {
        /// Index into the group's streams.
        stream: usize,
        /// Index into the time span's targets.
        target: usize,
        /// Number inside the group.
        worker: u32,
        /// Positions of the range.
        positions: u64,
        /// Workers that share it.
        workers: u32,
    },
    /// All parts of a distribution that get I/Os lie behind the end of the range.
    #[error("stream {stream}: no part of the distribution is inside the target")]
    NothingInRange {
        /// Index into the group's streams.
        stream: usize,
    },
    /// A stream has no block size to draw from.
    #[error("stream {stream} has no block size")]
    NoSizes {
        /// Index into the group's streams.
        stream: usize,
    },
    /// The windows are not those of the group's streams.
    #[error("a group of {streams} streams came with {windows} windows")]
    Windows {
        /// Streams of the group.
        streams: usize,
        /// Windows given.
        windows: usize,
    },
    /// The shared cursors, or the sizes, are not those of the time span.
    #[error("target {target} is not among the time span's targets")]
    NoCursor {
        /// Index into the time span's targets.
        target: usize,
    },
}

impl SequenceError {
    /// The stream of the group that has no sequence, where it is one.
    pub fn stream(&self) -> Option<usize> {
        match self {
            Self::TooSmall { stream, .. }
            | Self::RegionTooSmall { stream, .. }
            | Self::GridTooLarge { stream, .. }
            | Self::NoColumn { stream, .. }
            | Self::NoPosition { stream, .. }
            | Self::NothingInRange { stream }
            | Self::NoSizes { stream } => Some(*stream),
            Self::BaseBeyondEnd { .. } | Self::Windows { .. } | Self::NoCursor { .. } => None,
        }
    }
}

/// The window of a target of `size` bytes.
///
/// # Errors
/// When nothing of it is left.
pub fn window(target: &Target, size: u64) -> Result<Window, SequenceError> {
    let end = target.end.map_or(size, |end| end.min(size));
    match end.checked_sub(target.base) {
        Some(length) if length > 0 => Ok(Window {
            base: target.base,
            length,
            direct: target.is_direct(),
        }),
        _ => Err(SequenceError::BaseBeyondEnd {
            label: target.label.clone(),
            base: target.base,
            size,
        }),
    }
}
