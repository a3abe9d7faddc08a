//! The format of a verified sector: who wrote it, where, as part of which write, and a checksum of
//! it all. The rest of its bytes follow from that, so that what a damaged one held can be told.

use super::{Note, Unit};

/// Bytes of a sector, the smallest unit that devices write whole.
pub const SECTOR: usize = 512;
/// The worker of sectors that were written when the file was made.
pub const PREPARED: u32 = u32::MAX;

/// The first bytes of every sector.
const MAGIC: u64 = u64::from_le_bytes(*b"iogauge1");
/// Bytes of the fields in front.
const HEAD: usize = 56;
/// Where the checksum is: at the very end, so that half a sector never carries a right one.
const SUM: usize = SECTOR - 8;
/// An odd number without pattern: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another one, of the finalizer of splitmix64.
const MIX: u64 = 0xbf58_476d_1ce4_e5b9;

/// What a sector says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Drawn for the run.
    pub run: u64,
    /// Which table of the run, and so which target.
    pub table: u32,
    /// First byte of the sector on its target.
    pub offset: u64,
    /// First byte of the write that carried it.
    pub start: u64,
    /// Bytes of that write.
    pub length: u32,
    /// Number of that write among all of the table; 0 is preparation.
    pub sequence: u64,
    /// The worker that wrote it.
    pub worker: u32,
    /// Which write of its unit it is.
    pub generation: u32,
}

impl Label {
    /// Of the sector at `offset` of a file that is made.
    pub fn prepared(run: u64, table: u32, offset: u64) -> Self {
        Self {
            run,
            table,
            offset,
            start: offset,
            length: SECTOR as u32,
            sequence: 0,
            worker: PREPARED,
            generation: 0,
        }
    }

    /// Whether the write that carried it covers the sector at `offset`.
    pub fn covers(&self, offset: u64) -> bool {
        let end = self.start.saturating_add(u64::from(self.length));
        (self.start..end).contains(&offset)
    }

    /// Fills a sector. `sector` has [`SECTOR`] bytes; what is shorter is left as it is.
    pub fn seal(&self, sector: &mut [u8]) {
        let Some(sector) = sector.first_chunk_mut::<SECTOR>() else {
            return;
        };
        let fields = [
            MAGIC,
            self.run,
            self.offset,
            self.start,
            self.sequence,
            u64::from(self.length) | u64::from(self.worker) << 32,
            u64::from(self.generation) | u64::from(self.table) << 32,
        ];
        let (head, rest) = sector.split_at_mut(HEAD);
        for (bytes, field) in head.chunks_exact_mut(8).zip(fields) {
            bytes.copy_from_slice(&field.to_le_bytes());
        }
        let mut state = (self.sequence ^ self.offset.rotate_left(32))
            .wrapping_mul(MIX)
            .wrapping_add(self.run);
        for bytes in rest[..SUM - HEAD].chunks_exact_mut(8) {
            state = state.wrapping_add(GOLDEN);
            let mut word = (state ^ state >> 29).wrapping_mul(MIX);
            word ^= word >> 32;
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let sum = checksum(sector);
        sector[SUM..].copy_from_slice(&sum.to_le_bytes());
    }

    /// Fills the sectors of a write, of which this is the label but for the offsets and the
    /// generations of its units.
    pub fn seal_all(&self, bytes: &mut [u8], unit: Unit, notes: &[Note]) {
        let unit = unit.bytes() as usize;
        for ((index, bytes), note) in bytes.chunks_mut(unit).enumerate().zip(notes) {
            let offsets = (self.start + (index * unit) as u64..).step_by(SECTOR);
            for (sector, offset) in bytes.chunks_exact_mut(SECTOR).zip(offsets) {
                let label = Self {
                    offset,
                    generation: note.generation(),
                    ..*self
                };
                label.seal(sector);
            }
        }
    }

    /// What a whole sector says; `None` if it is no sector of ours, or a damaged one.
    #[inline]
    pub fn read(sector: &[u8]) -> Option<Self> {
        let sector = sector.first_chunk::<SECTOR>()?;
        let whole = word(sector, 0) == MAGIC && word(sector, SUM) == checksum(sector);
        whole.then(|| Self::fields(sector))
    }

    /// What a sector of ours says, whether or not the rest of it is whole.
    pub(super) fn claimed(sector: &[u8]) -> Option<Self> {
        let sector = sector.first_chunk::<SECTOR>()?;
        (word(sector, 0) == MAGIC).then(|| Self::fields(sector))
    }

    #[inline]
    fn fields(sector: &[u8; SECTOR]) -> Self {
        let (sizes, marks) = (word(sector, 40), word(sector, 48));
        Self {
            run: word(sector, 8),
            offset: word(sector, 16),
            start: word(sector, 24),
            sequence: word(sector, 32),
            length: sizes as u32,
            worker: (sizes >> 32) as u32,
            generation: marks as u32,
            table: (marks >> 32) as u32,
        }
    }
}

/// Where a sector differs from what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flip {
    /// The first wrong byte, counted in the sector.
    pub(super) byte: usize,
    /// Its lowest wrong bit, 0 to 7.
    pub(super) bit: u32,
    /// Wrong bits in all.
    pub(super) bits: u32,
}

/// The damage of a sector that was ours, of this run and table; `None` if nothing says that it was.
pub(super) fn damage(sector: &[u8], run: u64, table: u32, offset: u64) -> Option<Flip> {
    let held = sector.first_chunk::<SECTOR>()?;
    let of_ours = |label: &Label| label.run == run && label.table == table;
    let mut tried = *held;
    for bit in 0..SECTOR * 8 {
        let (byte, bit) = (bit / 8, (bit % 8) as u32);
        tried[byte] ^= 1 << bit;
        if Label::read(&tried).is_some_and(|label| of_ours(&label)) {
            return Some(Flip { byte, bit, bits: 1 });
        }
        tried[byte] ^= 1 << bit;
    }
    let label = Label::fields(held);
    if !of_ours(&label) || label.offset != offset {
        return None;
    }
    label.seal(&mut tried);
    let wrong = || held.iter().zip(&tried).map(|(held, right)| held ^ right);
    let (byte, first) = wrong().enumerate().find(|(_, bits)| *bits != 0)?;
    Some(Flip {
        byte,
        bit: first.trailing_zeros(),
        bits: wrong().map(u8::count_ones).sum(),
    })
}

#[inline]
fn word(sector: &[u8; SECTOR], at: usize) -> u64 {
    let bytes = sector.get(at..).and_then(|rest| rest.first_chunk::<8>());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Of all bytes before it. Each step of a lane can be undone, and so can the joining of the lanes:
/// sectors that differ in one word never have the same, and others by chance alone.
#[inline]
fn checksum(sector: &[u8; SECTOR]) -> u64 {
    let mut lanes = [MAGIC, GOLDEN, MIX, !GOLDEN];
    for four in sector[..SUM].chunks(32) {
        for (lane, bytes) in lanes.iter_mut().zip(four.chunks_exact(8)) {
            let bytes = bytes.first_chunk::<8>().copied().unwrap_or_default();
            *lane = step(*lane, u64::from_le_bytes(bytes));
        }
    }
    lanes.into_iter().fold(MIX, step)
}

/// One multiplication alone would leave the highest bits of a word where the next word can undo
/// them.
#[inline]
fn step(lane: u64, word: u64) -> u64 {
    let first = (lane ^ word).wrapping_mul(GOLDEN);
    let second = (first ^ first >> 29).wrapping_mul(MIX);
    second ^ second >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Label {
        Label {
            run: 0x0123_4567_89ab_cdef,
            table: 3,
            offset: 1 << 20,
            start: (1 << 20) - 4096,
            length: 8192,
            sequence: 77,
            worker: 5,
            generation: 9,
        }
    }

    fn sealed() -> [u8; SECTOR] {
        let mut sector = [0; SECTOR];
        label().seal(&mut sector);
        sector
    }

    #[test]
    fn a_sector_says_what_was_written() {
        assert_eq!(Label::read(&sealed()), Some(label()));
        assert_eq!(&sealed()[..8], b"iogauge1");
        assert_eq!(Label::read(&[0; SECTOR]), None);
        assert_eq!(Label::read(&sealed()[..511]), None);
        label().seal(&mut [0; 511]);
        assert!(label().covers((1 << 20) - 4096) && label().covers((1 << 20) + 4095));
        assert!(!label().covers((1 << 20) + 4096) && !label().covers((1 << 20) - 4097));
    }

    #[test]
    fn every_flipped_bit_is_seen_and_named() {
        for bit in 0..SECTOR * 8 {
            let mut sector = sealed();
            sector[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Label::read(&sector), None, "bit {bit}");
            let flip = Flip {
                byte: bit / 8,
                bit: (bit % 8) as u32,
                bits: 1,
            };
            // To find it takes long enough for some of them.
            if bit % 61 == 0 {
                let label = label();
                let found = damage(&sector, label.run, label.table, label.offset);
                assert_eq!(found, Some(flip), "bit {bit}");
            }
        }
    }

    #[test]
    fn several_wrong_bytes_are_counted_from_the_first() {
        let mut sector = sealed();
        sector[200] ^= 0b1100;
        sector[300] ^= 0xff;
        let label = label();
        let flip = Flip {
            byte: 200,
            bit: 2,
            bits: 10,
        };
        let damage = |sector: &[u8]| damage(sector, label.run, label.table, label.offset);
        assert_eq!(damage(&sector), Some(flip));
        assert_eq!(damage(&[7; SECTOR]), None);
    }

    #[test]
    fn the_end_of_another_write_is_no_right_sector() {
        let mut newer = [0; SECTOR];
        Label {
            sequence: 78,
            generation: 10,
            ..label()
        }
        .seal(&mut newer);
        for cut in (8..SECTOR).step_by(8) {
            let mut torn = sealed();
            torn[..cut].copy_from_slice(&newer[..cut]);
            let right = cut < 40;
            assert_eq!(Label::read(&torn).is_some(), right, "cut at {cut}");
        }
    }

    #[test]
    fn two_swapped_words_are_seen() {
        let mut sector = sealed();
        let (a, b) = (sealed()[96..104].to_vec(), sealed()[128..136].to_vec());
        sector[96..104].copy_from_slice(&b);
        sector[128..136].copy_from_slice(&a);
        assert_eq!(Label::read(&sector), None);
    }

    #[test]
    fn no_two_writes_fill_alike() {
        let mut other = [0; SECTOR];
        Label {
            sequence: 78,
            ..label()
        }
        .seal(&mut other);
        let same = sealed()[HEAD..]
            .iter()
            .zip(&other[HEAD..])
            .filter(|(a, b)| a == b)
            .count();
        // 456 bytes of chance: 1.8 alike are expected.
        assert!(same < 15, "{same}");
    }
}
