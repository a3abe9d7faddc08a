//! How large each I/O is, and how many places of a range it fits at.

use super::{
    divide::{Divisor, align_down},
    random::Random,
    weights::Weights,
};
use crate::plan::{BlockSizes, Direction, WeightedSize};

/// A size, ready to be placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// Bytes.
    pub(super) bytes: u32,
    /// Multiples of the alignment at which it fits into the range.
    pub(super) positions: Divisor,
}

/// Sizes with weights.
#[derive(Debug, Clone)]
pub(super) struct SizeTable {
    weights: Weights,
    sizes: Box<[Size]>,
}

/// The sizes of a stream.
#[derive(Debug, Clone)]
pub(super) enum Sizes {
    /// All alike.
    One(Size),
    /// Drawn, apart for reads and writes.
    Weighted { read: SizeTable, write: SizeTable },
}

impl Size {
    /// `bytes` in a range of `length` bytes, at multiples of `alignment`.
    pub(super) fn new(bytes: u32, length: u64, alignment: u64) -> Self {
        Self {
            bytes,
            positions: Divisor::new(positions(length, bytes, alignment)),
        }
    }
}

/// Multiples of `alignment` at which `bytes` fit into `length`; at least one.
pub(super) fn positions(length: u64, bytes: u32, alignment: u64) -> u64 {
    let last = align_down(length.saturating_sub(u64::from(bytes)), alignment);
    (last / alignment.max(1)).saturating_add(1)
}

impl Sizes {
    /// `None` if there is no size at all to draw from.
    pub(super) fn new(sizes: &BlockSizes, length: u64, alignment: u64) -> Option<Self> {
        let ready = |bytes| Size::new(bytes, length, alignment);
        match sizes {
            BlockSizes::One(bytes) => Some(Self::One(ready(*bytes))),
            BlockSizes::Weighted { read, write } => {
                let table = |entries: &[WeightedSize]| SizeTable::new(entries, ready);
                // A direction that never happens may have no sizes: it borrows the other's.
                let (read, write) = match (table(read), table(write)) {
                    (Some(read), Some(write)) => (read, write),
                    (Some(read), None) => (read.clone(), read),
                    (None, Some(write)) => (write.clone(), write),
                    (None, None) => return None,
                };
                Some(Self::Weighted { read, write })
            }
        }
    }

    /// Calls `place` with the size of an I/O before the first: it is drawn only if sizes vary.
    pub(super) fn first<T>(
        &self,
        random: &mut Random,
        place: impl FnOnce(&Size, &mut Random) -> T,
    ) -> T {
        match self {
            Self::One(size) => place(size, random),
            Self::Weighted { read, .. } => {
                let size = read.draw(random);
                place(size, random)
            }
        }
    }
}

impl SizeTable {
    fn new(entries: &[WeightedSize], ready: impl Fn(u32) -> Size) -> Option<Self> {
        let weights = Weights::new(entries.iter().map(|entry| u64::from(entry.weight)))?;
        Some(Self {
            weights,
            sizes: entries.iter().map(|entry| ready(entry.bytes)).collect(),
        })
    }

    /// Draws one.
    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> &Size {
        &self.sizes[self.weights.draw(random)]
    }
}

/// The table of a direction.
#[inline]
pub(super) fn table<'a>(
    read: &'a SizeTable,
    write: &'a SizeTable,
    direction: Direction,
) -> &'a SizeTable {
    match direction {
        Direction::Read => read,
        Direction::Write => write,
    }
}

#[cfg(test)]
mod tests {
    use super::{Sizes, positions};
    use crate::{
        offsets::random::Random,
        plan::{BlockSizes, Generator, WeightedSize},
    };

    fn entry(bytes: u32, weight: u32) -> WeightedSize {
        WeightedSize { bytes, weight }
    }

    #[test]
    fn counts_the_places_of_a_block() {
        assert_eq!(positions(1 << 20, 65536, 65536), 16);
        assert_eq!(positions(1_000_000, 65536, 65536), 15);
        assert_eq!(positions(16 << 20, 8192, 4096), 4095);
        assert_eq!(positions(4096, 4096, 4096), 1);
        assert_eq!(positions(100, 4096, 0), 1);
    }

    #[test]
    fn weights_are_kept_within_one_percent() {
        let read = vec![
            entry(8192, 80),
            entry(16384, 5),
            entry(65536, 15),
            entry(512, 0),
        ];
        let sizes = BlockSizes::Weighted {
            read,
            write: Vec::new(),
        };
        for generator in [
            Generator::DiskSpd { seed: 3 },
            Generator::Xoshiro { seed: 3 },
        ] {
            let mut random = Random::new(generator, 0);
            let Some(Sizes::Weighted { read, .. }) = Sizes::new(&sizes, 1 << 30, 8192) else {
                panic!("a table")
            };
            let mut counts = [0_i64; 3];
            for _ in 0..100_000 {
                match read.draw(&mut random).bytes {
                    8192 => counts[0] += 1,
                    16384 => counts[1] += 1,
                    65536 => counts[2] += 1,
                    other => panic!("{other} was not asked for"),
                }
            }
            for (count, wanted) in counts.iter().zip([80_000, 5_000, 15_000]) {
                assert!(count.abs_diff(wanted) < 1000, "{counts:?}");
            }
        }
    }

    #[test]
    fn a_direction_without_sizes_borrows_the_others() {
        let none = BlockSizes::Weighted {
            read: Vec::new(),
            write: vec![entry(512, 0)],
        };
        assert!(Sizes::new(&none, 4096, 512).is_none());
        let writes = BlockSizes::Weighted {
            read: Vec::new(),
            write: vec![entry(512, 1)],
        };
        assert!(Sizes::new(&writes, 4096, 512).is_some());
    }
}
