//! Whether what was read is what was written.

use std::collections::BTreeMap;

use crate::units::words::grouped;
pub use crate::verify::{BadBlock, Kind, SECTOR};

/// Bad blocks that are kept with their places; all are counted.
pub const BAD_BLOCKS_KEPT: usize = 100;

/// What verification of a time span saw. A read of bad data did happen, and took its time: it is in
/// the figures as every other, and here as what it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// Bytes that were read and held against what was written, in the load.
    pub bytes: u64,
    /// Bad blocks by kind.
    pub counts: BTreeMap<Kind, u64>,
    /// The first of them.
    pub bad: Vec<Bad>,
    /// What was read back after the load.
    pub read_back: ReadBack,
}

/// A bad block of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// Index of the target in the span.
    pub target: usize,
    /// What is wrong, and where.
    pub block: BadBlock,
}

/// What was read back after the load.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReadBack {
    /// Nothing is known to have been written.
    #[default]
    Needless,
    /// All that is known to have been written.
    Whole {
        /// Bytes.
        bytes: u64,
    },
    /// A part of it.
    Partly {
        /// Bytes that were read.
        bytes: u64,
        /// Bytes that should have been.
        of: u64,
        /// Why not all.
        why: String,
    },
}

impl Verification {
    /// Bad blocks.
    pub fn bad_count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// One more; what continues the last one is none of its own.
    pub fn add(&mut self, target: usize, block: BadBlock) {
        if let Some(last) = self.bad.last_mut()
            && last.target == target
            && last.block.absorb(&block)
        {
            return;
        }
        *self.counts.entry(block.kind).or_default() += 1;
        if self.bad.len() < BAD_BLOCKS_KEPT {
            self.bad.push(Bad { target, block });
        }
    }

    /// What another worker saw.
    pub fn merge(&mut self, other: Self) {
        self.bytes += other.bytes;
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        self.bad.extend(other.bad);
        self.bad.truncate(BAD_BLOCKS_KEPT);
    }

    /// Brings together what was written to a wrong place and the place that misses it: both are
    /// misdirected.
    pub fn bring_together(&mut self) {
        let astray: Vec<(usize, u64, u64, u64)> = self
            .bad
            .iter()
            .filter_map(|bad| {
                let belongs = bad.block.belongs?;
                Some((bad.target, belongs, bad.block.length, bad.block.offset))
            })
            .collect();
        for bad in &mut self.bad {
            let block = &mut bad.block;
            let missed = astray.iter().find(|(target, belongs, length, _)| {
                let overlap = *belongs < block.offset + block.length
                    && block.offset < belongs.saturating_add(*length);
                *target == bad.target && overlap
            });
            let Some((.., at)) = missed.filter(|_| matches!(block.kind, Kind::Lost | Kind::Stale))
            else {
                continue;
            };
            if let Some(count) = self.counts.get_mut(&block.kind) {
                *count = count.saturating_sub(1);
            }
            *self.counts.entry(Kind::Misdirected).or_default() += 1;
            block.kind = Kind::Misdirected;
            block.detail += "; what was written here lies at offset ";
            block.detail += &grouped(*at);
        }
        self.counts.retain(|_, count| *count > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: Kind, offset: u64, belongs: Option<u64>) -> BadBlock {
        BadBlock {
            offset,
            length: 4096,
            kind,
            detail: "so".to_owned(),
            belongs,
        }
    }

    #[test]
    fn blocks_are_counted_by_kind_and_the_first_are_kept() {
        let mut seen = Verification::default();
        for number in 0..300 {
            seen.add(0, block(Kind::Lost, number * 8192, None));
        }
        seen.add(0, block(Kind::Torn, 0, None));
        assert_eq!(seen.bad_count(), 301);
        assert_eq!(seen.bad.len(), BAD_BLOCKS_KEPT);
        let mut all = Verification::default();
        all.add(1, block(Kind::Lost, 0, None));
        all.merge(seen);
        assert_eq!((all.counts[&Kind::Lost], all.counts[&Kind::Torn]), (301, 1));
        assert_eq!((all.bad.len(), all.bad[0].target), (BAD_BLOCKS_KEPT, 1));
    }

    #[test]
    fn what_continues_a_block_is_a_part_of_it() {
        let mut seen = Verification::default();
        seen.add(0, block(Kind::Lost, 0, None));
        seen.add(0, block(Kind::Lost, 4096, None));
        seen.add(1, block(Kind::Lost, 8192, None));
        seen.add(1, block(Kind::Stale, 12288, None));
        seen.add(1, block(Kind::Torn, 65536, None));
        seen.add(1, block(Kind::Torn, 65536, None));
        assert_eq!(seen.bad[0].block.length, 8192);
        assert_eq!(seen.bad_count(), 4);
    }

    #[test]
    fn a_write_astray_and_the_place_that_misses_it_are_one_thing() {
        let mut seen = Verification::default();
        seen.add(0, block(Kind::Lost, 4096, None));
        seen.add(0, block(Kind::Lost, 65536, None));
        seen.add(0, block(Kind::Misdirected, 40960, Some(4096)));
        seen.bring_together();
        let kinds: Vec<Kind> = seen.bad.iter().map(|bad| bad.block.kind).collect();
        assert_eq!(kinds, [Kind::Misdirected, Kind::Lost, Kind::Misdirected]);
        let counts = BTreeMap::from([(Kind::Lost, 1), (Kind::Misdirected, 2)]);
        assert_eq!(seen.counts, counts);
        assert!(seen.bad[0].block.detail.ends_with("lies at offset 40,960"));
    }
}
