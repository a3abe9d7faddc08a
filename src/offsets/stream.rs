//! The operations of one stream: direction, size, place, payload, each drawn in DiskSpd's order.

use super::{
    PayloadUse, SequenceError, SharedCursors, Window,
    divide::Divisor,
    random::Random,
    site::{Keys, Site},
    sizes::{self, Size, Sizes},
    walk::Walk,
};
use crate::plan::{BlockSizes, Direction, Payload, Range, WorkerGroup};

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

impl StreamSequence {
    pub(super) fn new(
        group: &WorkerGroup,
        index: usize,
        relative: u32,
        window: Window,
        cursors: &SharedCursors,
        keys: Keys,
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
            keys,
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
