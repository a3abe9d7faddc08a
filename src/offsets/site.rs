//! Where one worker's stream stands in its target: what its walk is made from.

use std::sync::Arc;

use super::{
    SequenceError,
    cursors::Cursor,
    curve::Curve,
    divide::{Divisor, align_down},
    permutation,
    random::Random,
    ranges,
    shuffle::Shuffle,
    sizes::{self, Sizes},
    walk::{Grid, Line, Scatter, Step, Walk},
};
use crate::plan::{
    AccessPattern, BlockSizes, Dispatch, Distribution, Pacing, Range, Stream, WorkerGroup,
};

/// What orders and places that are fixed by the seed depend on.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub(super) seed: u64,
    /// Number of the group's first worker in the time span.
    pub(super) first_worker: u32,
}

/// What the pieces of a walk need to know.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) group: &'a WorkerGroup,
    pub(super) index: usize,
    pub(super) stream: &'a Stream,
    pub(super) relative: u32,
    pub(super) length: u64,
    pub(super) largest: u32,
    pub(super) keys: Keys,
}

impl Site<'_> {
    /// A worker can start if a whole I/O fits behind its starting point.
    pub(super) fn check_start(self, start: u64) -> Result<(), SequenceError> {
        match start.checked_add(u64::from(self.largest)) {
            Some(end) if end <= self.length => Ok(()),
            _ => Err(SequenceError::TooSmall {
                stream: self.index,
                target: self.stream.target.0,
                worker: self.relative,
                start,
                block: self.largest,
                length: self.length,
            }),
        }
    }

    /// What drawn offsets are multiples of; for other patterns their stride.
    pub(super) fn alignment(self) -> u64 {
        match self.stream.pattern {
            AccessPattern::Random { alignment, .. }
            | AccessPattern::Mixed { alignment, .. }
            | AccessPattern::Shuffled { alignment }
            | AccessPattern::Regions { alignment } => alignment,
            AccessPattern::Sequential { stride, .. }
            | AccessPattern::Interlocked { stride }
            | AccessPattern::Parallel { stride, .. } => stride,
            AccessPattern::Grid { .. } => u64::from(self.largest),
            AccessPattern::Append => 1,
        }
        .max(1)
    }

    fn distribution(&self) -> &Distribution {
        match &self.stream.pattern {
            AccessPattern::Random { distribution, .. }
            | AccessPattern::Mixed { distribution, .. } => distribution,
            _ => &Distribution::Uniform,
        }
    }

    fn positions(self, alignment: u64) -> u64 {
        sizes::positions(self.length, self.largest, alignment)
    }

    pub(super) fn ranges(self, alignment: u64) -> Result<Vec<Range>, SequenceError> {
        let starts = self.positions(alignment).saturating_mul(alignment);
        ranges::effective(self.distribution(), alignment, starts)
            .ok_or(SequenceError::NothingInRange { stream: self.index })
    }

    pub(super) fn walk(
        self,
        alignment: u64,
        ranges: &[Range],
        sizes: &Sizes,
        cursor: Arc<Cursor>,
        random: &mut Random,
    ) -> Result<Walk, SequenceError> {
        let scatter = || Scatter::new(alignment, ranges, self.curve(alignment));
        Ok(match self.stream.pattern {
            AccessPattern::Sequential {
                stride,
                worker_offset,
            } => Walk::Line(self.line(stride, worker_offset)?),
            AccessPattern::Parallel {
                stride,
                worker_offset,
            } => {
                let (first_slot, slots) = self.slots();
                let line = self.line(stride, worker_offset)?;
                Walk::Lines {
                    lines: vec![line; slots].into(),
                    first_slot,
                }
            }
            AccessPattern::Interlocked { .. } => Walk::Interlocked {
                cursor,
                stride: alignment,
                positions: Divisor::new(self.positions(alignment)),
            },
            AccessPattern::Append => Walk::Append {
                cursor,
                range: Divisor::new(self.length),
            },
            AccessPattern::Random { .. } => Walk::Scatter(scatter()),
            AccessPattern::Mixed { random_percent, .. } => {
                let scatter = scatter();
                // Before the first I/O the pointer is somewhere: one more draw.
                let start = sizes.first(random, |size, random| scatter.draw(size, random));
                Walk::Mixed {
                    scatter,
                    line: Line::new(start, 0, self.length, self.step(alignment)),
                    percent: random_percent,
                }
            }
            AccessPattern::Shuffled { .. } => Walk::Shuffle(self.shuffle(alignment)?.into()),
            AccessPattern::Regions { .. } => Walk::Line(self.region(alignment)?),
            AccessPattern::Grid {
                rows,
                columns,
                again,
            } => Walk::Grid(self.grid(rows.max(1), columns, again)?),
        })
    }

    /// The same for all workers of the time span on this target: what is popular is so for all.
    fn curve(self, alignment: u64) -> Option<Curve> {
        let key = permutation::key(&[self.keys.seed, self.stream.target.0 as u64]);
        Curve::new(self.distribution(), self.positions(alignment), key)
    }

    /// This worker's share of an order of all positions.
    fn shuffle(self, alignment: u64) -> Result<Shuffle, SequenceError> {
        let workers = self.group.workers.max(1);
        let positions = self.positions(alignment);
        if u64::from(self.relative) >= positions {
            return Err(SequenceError::NoPosition {
                stream: self.index,
                target: self.stream.target.0,
                worker: self.relative,
                positions,
                workers,
            });
        }
        let key = permutation::key(&[
            self.keys.seed,
            self.stream.target.0 as u64,
            self.keys.first_worker.into(),
            self.index as u64,
        ]);
        let worker = self.relative.min(workers - 1).into();
        let workers = workers.into();
        Ok(Shuffle::new(positions, alignment, worker, workers, key))
    }

    fn line(self, stride: u64, worker_offset: u64) -> Result<Line, SequenceError> {
        let start = u64::from(self.relative).saturating_mul(worker_offset);
        self.check_start(start)?;
        let restart = start % stride.max(1);
        Ok(Line::new(start, restart, self.length, self.step(stride)))
    }

    /// Sizes that vary leave no gaps: each I/O begins where the last one ended.
    fn step(self, stride: u64) -> Step {
        let gathered = matches!(self.stream.pacing, Pacing::Gathered { .. });
        match self.stream.sizes {
            BlockSizes::One(_) if !gathered => Step::Stride(stride),
            BlockSizes::One(_) | BlockSizes::Weighted { .. } => Step::OwnSize,
        }
    }

    /// This worker's part of the range.
    fn region(self, alignment: u64) -> Result<Line, SequenceError> {
        let workers = self.group.workers.max(1);
        let border = |worker: u32| {
            let bytes = u128::from(self.length) * u128::from(worker) / u128::from(workers);
            align_down(bytes as u64, alignment)
        };
        let start = border(self.relative.min(workers - 1));
        let end = match self.relative + 1 {
            next if next < workers => border(next),
            _ => self.length,
        };
        if end.saturating_sub(start) < u64::from(self.largest) {
            return Err(SequenceError::RegionTooSmall {
                stream: self.index,
                target: self.stream.target.0,
                workers,
                length: self.length,
                region: end.saturating_sub(start),
                block: self.largest,
            });
        }
        Ok(Line::new(start, start, end, Step::OwnSize))
    }

    /// This worker's columns of a grid.
    fn grid(self, rows: u64, columns: u64, again: bool) -> Result<Grid, SequenceError> {
        let needed = u128::from(rows)
            .saturating_mul(u128::from(columns))
            .saturating_mul(u128::from(self.largest));
        if needed > u128::from(self.length) {
            return Err(SequenceError::GridTooLarge {
                stream: self.index,
                target: self.stream.target.0,
                rows,
                columns,
                block: self.largest,
                length: self.length,
            });
        }
        let workers = self.group.workers.max(1);
        let worker = u128::from(self.relative.min(workers - 1));
        let border = |worker: u128| (worker * u128::from(columns) / u128::from(workers)) as u64;
        let (first, behind) = (border(worker), border(worker + 1));
        if first == behind {
            return Err(SequenceError::NoColumn {
                stream: self.index,
                worker: self.relative,
                columns,
                workers,
            });
        }
        let last = if again { first } else { behind - 1 };
        let block = u64::from(self.largest);
        Ok(Grid::new(rows, columns, first, last, block))
    }

    /// The first slot of this stream and how many it has.
    fn slots(self) -> (usize, usize) {
        let depth = |stream: &Stream| stream.queue_depth as usize;
        match self.group.dispatch {
            Dispatch::PerStream => {
                let before = self.group.streams.iter().take(self.index).map(depth).sum();
                (before, depth(self.stream))
            }
            Dispatch::Shared { queue_depth, .. } => (0, queue_depth as usize),
            Dispatch::InTurn => (0, 1),
        }
    }
}
