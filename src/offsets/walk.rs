//! Where a stream goes next: one [`Walk`] for each access pattern. All positions are relative to
//! the base of the window.

use std::sync::Arc;

use super::{
    cursors::Cursor,
    divide::{Divisor, scale},
    random::Random,
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

/// Places drawn by chance.
#[derive(Debug, Clone)]
pub(super) struct Scatter {
    alignment: Divisor,
    /// With a distribution only.
    parts: Option<Parts>,
}

/// The parts of a distribution.
#[derive(Debug, Clone)]
struct Parts {
    weights: Weights,
    /// First position, and how many.
    positions: Box<[(u64, Divisor)]>,
}

impl Scatter {
    pub(super) fn new(alignment: u64, ranges: &[Range]) -> Self {
        let alignment = Divisor::new(alignment);
        let weights = Weights::new(ranges.iter().map(|range| range.weight));
        let part = |range: &Range| {
            let positions = alignment.quotient(range.length);
            (alignment.quotient(range.from), Divisor::new(positions))
        };
        Self {
            alignment,
            parts: weights.map(|weights| Parts {
                weights,
                positions: ranges.iter().map(part).collect(),
            }),
        }
    }

    /// Draws a place for an I/O of this size.
    #[inline]
    pub(super) fn draw(&self, size: &Size, random: &mut Random) -> u64 {
        // The place is drawn before the part: DiskSpd's order.
        let drawn = random.draw();
        let position = match &self.parts {
            None => self.place(drawn, size.positions, random),
            Some(parts) => {
                let (first, positions) = parts.positions[parts.weights.draw(random)];
                first + self.place(drawn, positions, random)
            }
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
            Self::Lines { lines, first_slot } => lines
                .get_mut(slot.wrapping_sub(*first_slot))
                .map_or(0, |line| line.take(size.bytes)),
            Self::Interlocked {
                cursor,
                stride,
                positions,
            } => positions.remainder(cursor.step()) * *stride,
            Self::Append { cursor, range } => cursor.append(size.bytes, *range),
            Self::Mixed { scatter, line, .. } if leap => {
                let offset = scatter.draw(size, random);
                line.go_on_behind(offset, size.bytes);
                offset
            }
            Self::Mixed { line, .. } => line.take(size.bytes),
        }
    }

    /// Times the range was gone over, where the pattern goes over it at all.
    pub(super) fn passes(&self, smallest: u32) -> Option<u64> {
        match self {
            Self::Line(line) => Some(line.passes(smallest)),
            Self::Lines { lines, .. } => lines.iter().map(|line| line.passes(smallest)).min(),
            Self::Interlocked {
                cursor, positions, ..
            } => Some(positions.quotient(cursor.steps())),
            Self::Append { cursor, range } => Some(cursor.laps(smallest, *range)),
            Self::Scatter(_) | Self::Mixed { .. } => None,
        }
    }
}
