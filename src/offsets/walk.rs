//! Where a stream goes next: one [`Walk`] for each access pattern. All positions are relative to
//! the base of the window.

use std::sync::Arc;

use super::{
    cursors::Cursor,
    curve::Curve,
    divide::{Divisor, scale},
    random::Random,
    shuffle::Shuffle,
    sizes::Size,
    weights::Weights,
};
use crate::plan::Range;

/// One pointer that goes forward and starts again at the end.
#[derive(Debug, Clone)]
pub(super) struct Line {
    next: u64,
    restart: u64,
    end: u64,
    step: Step,
    passes: u64,
}

/// How far a line goes with each I/O.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Always as far.
    Stride(u64),
    /// By the I/O's own size.
    OwnSize,
}

impl Line {
    pub(super) fn new(start: u64, restart: u64, end: u64, step: Step) -> Self {
        Self {
            next: start,
            restart,
            end,
            step,
            passes: 0,
        }
    }

    #[inline]
    fn take(&mut self, bytes: u32) -> u64 {
        if !self.fits(bytes) {
            self.next = self.restart;
            self.passes += 1;
        }
        let offset = self.next;
        self.go_on_behind(offset, bytes);
        offset
    }

    #[inline]
    fn go_on_behind(&mut self, offset: u64, bytes: u32) {
        let step = match self.step {
            Step::Stride(stride) => stride,
            Step::OwnSize => u64::from(bytes),
        };
        self.next = offset.saturating_add(step);
    }

    #[inline]
    fn fits(&self, bytes: u32) -> bool {
        self.next <= self.end.saturating_sub(u64::from(bytes))
    }

    /// Times it went over its range, the present time included if nothing more fits.
    fn passes(&self, smallest: u32) -> u64 {
        self.passes + u64::from(!self.fits(smallest))
    }
}

/// The columns of a grid, one run after the other; places in bytes.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    next: u64,
    /// Where the present run is over.
    run_end: u64,
    /// From one row to the next.
    row: u64,
    /// From the first place of a run to where it is over.
    run: u64,
    block: u64,
    /// Where the present run began.
    column: u64,
    first: u64,
    /// Where the last run begins.
    last: u64,
    passes: u64,
}

impl Grid {
    /// The runs over columns `first..=last` of a grid of `rows` rows of `columns` blocks each, which
    /// must be inside some range of bytes.
    pub(super) fn new(rows: u64, columns: u64, first: u64, last: u64, block: u64) -> Self {
        // Behind the last row there may be no number any more; nothing goes there.
        let row = columns.saturating_mul(block);
        let run = row.saturating_mul(rows);
        let place = |column: u64| column.saturating_mul(block);
        Self {
            next: place(first),
            run_end: place(first).saturating_add(run),
            row,
            run,
            block,
            column: place(first),
            first: place(first),
            last: place(last),
            passes: 0,
        }
    }

    #[inline]
    fn take(&mut self) -> u64 {
        if self.next >= self.run_end {
            self.begin_run();
        }
        let offset = self.next;
        self.next = offset.saturating_add(self.row);
        offset
    }

    fn begin_run(&mut self) {
        if self.column < self.last {
            self.column += self.block;
        } else {
            self.column = self.first;
            self.passes += 1;
        }
        self.next = self.column;
        self.run_end = self.column.saturating_add(self.run);
    }

    fn passes(&self) -> u64 {
        let over = self.next >= self.run_end && self.column >= self.last;
        self.passes + u64::from(over)
    }
}

/// Places drawn by chance.
#[derive(Debug, Clone)]
pub(super) struct Scatter {
    alignment: Divisor,
    places: Places,
}

/// Where drawn places are.
#[derive(Debug, Clone)]
enum Places {
    /// All over the range, all alike.
    Alike,
    /// In parts of it.
    Parts(Parts),
    /// By a formula.
    Curve(Box<Curve>),
}

/// The parts of a distribution.
#[derive(Debug, Clone)]
struct Parts {
    weights: Weights,
    /// First position, and how many.
    positions: Box<[(u64, Divisor)]>,
}

impl Scatter {
    pub(super) fn new(alignment: u64, ranges: &[Range], curve: Option<Curve>) -> Self {
        let alignment = Divisor::new(alignment);
        let weights = Weights::new(ranges.iter().map(|range| range.weight));
        let part = |range: &Range| {
            let positions = alignment.quotient(range.length);
            (alignment.quotient(range.from), Divisor::new(positions))
        };
        Self {
            alignment,
            places: match (curve, weights) {
                (Some(curve), _) => Places::Curve(Box::new(curve)),
                (None, Some(weights)) => Places::Parts(Parts {
                    weights,
                    positions: ranges.iter().map(part).collect(),
                }),
                (None, None) => Places::Alike,
            },
        }
    }

    /// Draws a place for an I/O of this size.
    #[inline]
    pub(super) fn draw(&self, size: &Size, random: &mut Random) -> u64 {
        let position = match &self.places {
            Places::Alike => {
                let drawn = random.draw();
                self.place(drawn, size.positions, random)
            }
            Places::Parts(parts) => {
                // The place is drawn before the part: DiskSpd's order.
                let drawn = random.draw();
                let (first, positions) = parts.positions[parts.weights.draw(random)];
                first + self.place(drawn, positions, random)
            }
            Places::Curve(curve) => curve.draw(random),
        };
        position * self.alignment.get()
    }

    /// DiskSpd rounds the draw down to a multiple of the alignment, then takes the remainder by
    /// the length of the range. The length is a multiple of the alignment too, so counting in
    /// positions gives the same.
    #[inline]
    fn place(&self, drawn: u64, positions: Divisor, random: &Random) -> u64 {
        match random {
            Random::Xoshiro(_) => scale(drawn, positions.get()),
            Random::Jenkins(_) => positions.remainder(self.alignment.quotient(drawn)),
        }
    }
}

/// Where a stream goes next.
#[derive(Debug, Clone)]
pub(super) enum Walk {
    /// One pointer of the worker.
    Line(Line),
    /// A pointer for each slot, and the number of the first.
    Lines {
        lines: Box<[Line]>,
        first_slot: usize,
    },
    /// The worker's columns of a grid.
    Grid(Grid),
    /// A cursor shared by all workers, in strides.
    Interlocked {
        cursor: Arc<Cursor>,
        stride: u64,
        positions: Divisor,
    },
    /// A cursor shared by all workers, behind the last byte.
    Append { cursor: Arc<Cursor>, range: Divisor },
    /// Drawn.
    Scatter(Scatter),
    /// Every position once a pass.
    Shuffle(Box<Shuffle>),
    /// A share drawn, the others behind the last one.
    Mixed {
        scatter: Scatter,
        line: Line,
        percent: u32,
    },
}

impl Walk {
    /// Whether this I/O is a leap or goes on behind the last one.
    #[inline]
    pub(super) fn leaps(&self, random: &mut Random) -> bool {
        match self {
            Self::Mixed { percent, .. } => random.percent(*percent),
            _ => true,
        }
    }

    /// Where the next I/O goes.
    #[expect(
        clippy::inline_always,
        reason = "a call costs as much as the whole step of a line"
    )]
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        leap: bool,
        size: &Size,
        slot: usize,
        random: &mut Random,
    ) -> u64 {
        match self {
            Self::Scatter(scatter) => scatter.draw(size, random),
            Self::Line(line) => line.take(size.bytes),
            Self::Grid(grid) => grid.take(),
            Self::Lines { lines, first_slot } => lines
                .get_mut(slot.wrapping_sub(*first_slot))
                .map_or(0, |line| line.take(size.bytes)),
            Self::Interlocked {
                cursor,
                stride,
                positions,
            } => positions.remainder(cursor.step()) * *stride,
            Self::Append { cursor, range } => cursor.append(size.bytes, *range),
            Self::Shuffle(shuffle) => shuffle.take(),
            Self::Mixed { scatter, line, .. } if leap => {
                let offset = scatter.draw(size, random);
                line.go_on_behind(offset, size.bytes);
                offset
            }
            Self::Mixed { line, .. } => line.take(size.bytes),
        }
    }

    /// Where the next I/O goes, unless the range was gone over `passes` times before it.
    pub(super) fn take_within(
        &mut self,
        passes: u64,
        leap: bool,
        size: &Size,
        slot: usize,
        random: &mut Random,
    ) -> Option<u64> {
        let (pass, offset) = match self {
            Self::Interlocked {
                cursor,
                stride,
                positions,
            } => {
                let step = cursor.step();
                (
                    positions.quotient(step),
                    positions.remainder(step) * *stride,
                )
            }
            Self::Append { cursor, range } => cursor.append_in_lap(size.bytes, *range),
            _ => {
                let offset = self.take(leap, size, slot, random);
                (self.pass(slot), offset)
            }
        };
        (pass < passes).then_some(offset)
    }

    /// In which pass the slot's last I/O was, from 0; drawn patterns stay in the first.
    fn pass(&self, slot: usize) -> u64 {
        match self {
            Self::Line(line) => line.passes,
            Self::Grid(grid) => grid.passes,
            Self::Lines { lines, first_slot } => lines
                .get(slot.wrapping_sub(*first_slot))
                .map_or(0, |line| line.passes),
            Self::Shuffle(shuffle) => shuffle.pass(),
            Self::Interlocked { .. }
            | Self::Append { .. }
            | Self::Scatter(_)
            | Self::Mixed { .. } => 0,
        }
    }

    /// Times the range was gone over, where the pattern goes over it at all.
    pub(super) fn passes(&self, smallest: u32) -> Option<u64> {
        match self {
            Self::Line(line) => Some(line.passes(smallest)),
            Self::Grid(grid) => Some(grid.passes()),
            Self::Lines { lines, .. } => lines.iter().map(|line| line.passes(smallest)).min(),
            Self::Interlocked {
                cursor, positions, ..
            } => Some(positions.quotient(cursor.steps())),
            Self::Append { cursor, range } => Some(cursor.laps(smallest, *range)),
            Self::Shuffle(shuffle) => Some(shuffle.passes()),
            Self::Scatter(_) | Self::Mixed { .. } => None,
        }
    }
}
