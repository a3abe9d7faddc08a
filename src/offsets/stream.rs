//! The operations of one stream: direction, size, place, payload, each drawn in DiskSpd's order.

use std::sync::Arc;

use super::{
    PayloadUse, SequenceError, SharedCursors, Window,
    cursors::Cursor,
    divide::{Divisor, align_down},
    random::Random,
    ranges,
    sizes::{self, Size, Sizes},
    walk::{Grid, Line, Scatter, Step, Walk},
};
use crate::plan::{
    AccessPattern, BlockSizes, Direction, Dispatch, Distribution, Pacing, Payload, Range, Stream,
    WorkerGroup,
};

/// Sector that a source offset is rounded down to when the page cache is bypassed.
const SECTOR: u64 = 512;

/// The operations of one stream of one worker.
#[derive(Debug)]
pub(super) struct StreamSequence {
    walk: Walk,
    sizes: Sizes,
    mix: Mix,
    base: u64,
    payload: PayloadPlan,
    smallest: u32,
    ranges: Box<[Range]>,
    /// Bytes of the range, and what drawn places are multiples of.
    room: (u64, u64),
}

/// Reads or writes.
#[derive(Debug)]
struct Mix {
    write_percent: u32,
    last: Direction,
}

/// What writes send.
#[derive(Debug)]
enum PayloadPlan {
    Own,
    Fresh,
    Source(Source),
}

/// A shared source of write data.
#[derive(Debug)]
struct Source {
    size: u64,
    /// Places of the largest write.
    places: Divisor,
    /// The size that `places` is for.
    bytes: u32,
    step: u64,
}

/// What the pieces of a walk need to know.
#[derive(Clone, Copy)]
struct Site<'a> {
    group: &'a WorkerGroup,
    index: usize,
    stream: &'a Stream,
    relative: u32,
    length: u64,
    largest: u32,
}

impl StreamSequence {
    pub(super) fn new(
        group: &WorkerGroup,
        index: usize,
        relative: u32,
        window: Window,
        cursors: &SharedCursors,
        random: &mut Random,
    ) -> Result<Self, SequenceError> {
        let stream = &group.streams[index];
        let site = Site {
            group,
            index,
            stream,
            relative,
            length: window.length,
            largest: stream.sizes.largest(),
        };
        if site.largest == 0 {
            return Err(SequenceError::NoSizes { stream: index });
        }
        site.check_start(0)?;
        let alignment = site.alignment();
        let sizes = Sizes::new(&stream.sizes, window.length, alignment)
            .ok_or(SequenceError::NoSizes { stream: index })?;
        let ranges = site.ranges(alignment)?;
        let target = stream.target.0;
        let cursor = cursors
            .get(target)
            .ok_or(SequenceError::NoCursor { target })?;
        let walk = site.walk(alignment, &ranges, &sizes, cursor, random)?;
        Ok(Self {
            walk,
            sizes,
            mix: Mix::new(stream.mix.write_percent, random),
            base: window.base,
            payload: PayloadPlan::new(&stream.payload, site.largest, window.direct),
            smallest: smallest(&stream.sizes),
            ranges: ranges.into(),
            room: (window.length, alignment),
        })
    }

    #[inline]
    pub(super) fn next(&mut self, slot: usize, random: &mut Random) -> (Direction, u64, u32) {
        let leap = self.walk.leaps(random);
        match &self.sizes {
            // DiskSpd's order: the place, then the direction.
            Sizes::One(size) => {
                let offset = self.walk.take(leap, size, slot, random);
                let direction = self.mix.decide(leap, random);
                (direction, self.base + offset, size.bytes)
            }
            // Reads and writes have sizes of their own, and a place depends on the size.
            Sizes::Weighted { read, write } => {
                let direction = self.mix.decide(leap, random);
                let size = sizes::table(read, write, direction).draw(random);
                let offset = self.walk.take(leap, size, slot, random);
                (direction, self.base + offset, size.bytes)
            }
        }
    }

    /// The same, unless the range was gone over `passes` times before it.
    pub(super) fn next_within(
        &mut self,
        passes: u64,
        slot: usize,
        random: &mut Random,
    ) -> Option<(Direction, u64, u32)> {
        let leap = self.walk.leaps(random);
        match &self.sizes {
            Sizes::One(size) => {
                let offset = self.walk.take_within(passes, leap, size, slot, random);
                let direction = self.mix.decide(leap, random);
                offset.map(|offset| (direction, self.base + offset, size.bytes))
            }
            Sizes::Weighted { read, write } => {
                let direction = self.mix.decide(leap, random);
                let size = sizes::table(read, write, direction).draw(random);
                let offset = self.walk.take_within(passes, leap, size, slot, random);
                offset.map(|offset| (direction, self.base + offset, size.bytes))
            }
        }
    }

    /// The next operation has this length, whatever the sizes say.
    pub(super) fn next_of(
        &mut self,
        bytes: u32,
        slot: usize,
        random: &mut Random,
    ) -> (Direction, u64, u32) {
        let size = Size::new(bytes, self.room.0, self.room.1);
        let leap = self.walk.leaps(random);
        let direction = self.mix.decide(leap, random);
        let offset = self.walk.take(leap, &size, slot, random);
        (direction, self.base + offset, bytes)
    }

    /// Without a source there is nothing to draw, and nothing to branch on: whether this is a
    /// write is the one thing the processor cannot foresee.
    #[inline]
    pub(super) fn payload(
        &self,
        direction: Direction,
        length: u32,
        random: &mut Random,
    ) -> PayloadUse {
        let write = direction == Direction::Write;
        match &self.payload {
            PayloadPlan::Own => PayloadUse::Own,
            PayloadPlan::Fresh if write => PayloadUse::Fresh,
            PayloadPlan::Source(source) if write => source.draw(length, random),
            PayloadPlan::Fresh | PayloadPlan::Source(_) => PayloadUse::Own,
        }
    }

    pub(super) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    pub(super) fn passes(&self) -> Option<u64> {
        self.walk.passes(self.smallest)
    }
}

impl Mix {
    /// A mix draws once before the first I/O: the direction of a sequential first I/O.
    fn new(write_percent: u32, random: &mut Random) -> Self {
        let mut mix = Self {
            write_percent,
            last: Direction::Read,
        };
        mix.last = mix.decide(true, random);
        mix
    }

    #[inline]
    fn decide(&mut self, leap: bool, random: &mut Random) -> Direction {
        match self.write_percent {
            0 => Direction::Read,
            100.. => Direction::Write,
            percent if leap => {
                self.last = if random.percent(percent) {
                    Direction::Write
                } else {
                    Direction::Read
                };
                self.last
            }
            _ => self.last,
        }
    }
}

impl PayloadPlan {
    fn new(payload: &Payload, largest: u32, direct: bool) -> Self {
        match payload {
            Payload::Zeros | Payload::BytePattern | Payload::Random | Payload::Stamped => Self::Own,
            Payload::FreshRandom => Self::Fresh,
            Payload::Source { size, .. } => Self::Source(Source {
                size: *size,
                places: Divisor::new(places_in(*size, largest)),
                bytes: largest,
                step: if direct { SECTOR } else { 1 },
            }),
        }
    }
}

impl Source {
    #[inline]
    fn draw(&self, length: u32, random: &mut Random) -> PayloadUse {
        let drawn = if length == self.bytes {
            random.below_32(self.places)
        } else {
            random.below_32_once(places_in(self.size, length))
        };
        // The step is a power of two.
        PayloadUse::Source {
            offset: (drawn & !(self.step - 1)) as u32,
        }
    }
}

/// Bytes of a source at which a write may begin.
#[inline]
fn places_in(size: u64, length: u32) -> u64 {
    let places = size.saturating_sub(u64::from(length)) + 1;
    // A place is a 32-bit number.
    places.min(1 << 32)
}

fn smallest(sizes: &BlockSizes) -> u32 {
    match sizes {
        BlockSizes::One(bytes) => *bytes,
        BlockSizes::Weighted { read, write } => read
            .iter()
            .chain(write)
            .filter(|entry| entry.weight > 0)
            .map(|entry| entry.bytes)
            .min()
            .unwrap_or(0),
    }
}

impl Site<'_> {
    /// A worker can start if a whole I/O fits behind its starting point.
    fn check_start(self, start: u64) -> Result<(), SequenceError> {
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
    fn alignment(self) -> u64 {
        match self.stream.pattern {
            AccessPattern::Random { alignment, .. }
            | AccessPattern::Mixed { alignment, .. }
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

    fn ranges(self, alignment: u64) -> Result<Vec<Range>, SequenceError> {
        let starts = self.positions(alignment).saturating_mul(alignment);
        ranges::effective(self.distribution(), alignment, starts)
            .ok_or(SequenceError::NothingInRange { stream: self.index })
    }

    fn walk(
        self,
        alignment: u64,
        ranges: &[Range],
        sizes: &Sizes,
        cursor: Arc<Cursor>,
        random: &mut Random,
    ) -> Result<Walk, SequenceError> {
        let scatter = || Scatter::new(alignment, ranges);
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
            AccessPattern::Regions { .. } => Walk::Line(self.region(alignment)?),
            AccessPattern::Grid {
                rows,
                columns,
                again,
            } => Walk::Grid(self.grid(rows.max(1), columns, again)?),
        })
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
