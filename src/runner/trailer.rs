//! The end of a block that can be judged, as sysbench's `--validate` has it: a checksum of all bytes
//! before it and the block's offset in its file, both in the machine's byte order.

use crc32fast::Hasher;

/// Bytes of a trailer: a CRC-32 (zlib's) and an offset.
pub(super) const LENGTH: usize = size_of::<u32>() + size_of::<u64>();

/// What is wrong with a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Its checksum is not that of its bytes.
    Checksum {
        /// What its bytes give.
        calculated: u32,
        /// What it holds.
        stored: u32,
    },
    /// It was written for another offset.
    Misplaced {
        /// The offset that it holds.
        stored: u64,
    },
}

/// Writes the trailer of the block at `offset` of its file. A block without room for one stays as
/// it is.
pub(super) fn seal(block: &mut [u8], offset: u64) {
    if let Some((bytes, end)) = block.split_last_chunk_mut::<LENGTH>() {
        *end = trailer(crc32fast::hash(bytes), offset);
    }
}

/// Holds the trailer of a block that was read from `offset` against its bytes and that place; the
/// bytes come first. A block without room for a trailer has nothing to be judged by.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn judge(block: &[u8], offset: u64) -> Result<(), Flaw> {
    let Some((bytes, end)) = block.split_last_chunk::<LENGTH>() else {
        return Ok(());
    };
    let [a, b, c, d, place @ ..] = *end;
    let (stored, calculated) = (u32::from_ne_bytes([a, b, c, d]), crc32fast::hash(bytes));
    if stored != calculated {
        return Err(Flaw::Checksum { calculated, stored });
    }
    let stored = u64::from_ne_bytes(place);
    if stored != offset {
        return Err(Flaw::Misplaced { stored });
    }
    Ok(())
}

fn trailer(checksum: u32, offset: u64) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (first, last) = bytes.split_at_mut(size_of::<u32>());
    first.copy_from_slice(&checksum.to_ne_bytes());
    last.copy_from_slice(&offset.to_ne_bytes());
    bytes
}

/// Seals blocks that pass by in pieces of any size, so that no block must fit into memory.
#[derive(Debug)]
pub(super) struct Sealer {
    /// Bytes of a block; more than [`LENGTH`].
    block: u64,
    /// Where the block that is passing by begins.
    begin: u64,
    /// Bytes of it that have passed.
    passed: u64,
    checksum: Hasher,
    trailer: [u8; LENGTH],
}

impl Sealer {
    /// Blocks of `block` bytes, the first of them at `begin`. `None` if they have no room.
    pub(super) fn new(block: u32, begin: u64) -> Option<Self> {
        (block as usize > LENGTH).then(|| Self {
            block: u64::from(block),
            begin,
            passed: 0,
            checksum: Hasher::new(),
            trailer: [0; LENGTH],
        })
    }

    /// Puts the trailers, or their parts, into the piece that comes next.
    pub(super) fn pass(&mut self, mut piece: &mut [u8]) {
        let body = self.block - LENGTH as u64;
        while !piece.is_empty() {
            let in_body = body.saturating_sub(self.passed);
            let left = if in_body > 0 {
                in_body
            } else {
                self.block - self.passed
            };
            let count = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let (now, later) = piece.split_at_mut(count);
            if in_body > 0 {
                self.checksum.update(now);
            } else {
                let from = (self.passed - body) as usize;
                if from == 0 {
                    self.trailer = trailer(self.checksum.clone().finalize(), self.begin);
                }
                now.copy_from_slice(&self.trailer[from..from + count]);
            }
            self.passed += count as u64;
            if self.passed == self.block {
                self.begin += self.block;
                self.passed = 0;
                self.checksum.reset();
            }
            piece = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_block_is_judged_by_its_bytes_and_its_place() {
        // The check value of CRC-32: that of the digits 1 to 9 is 0xCBF43926.
        let mut block = *b"123456789............";
        seal(&mut block, 0x1122);
        assert_eq!(block[9..13], 0xCBF4_3926_u32.to_ne_bytes());
        assert_eq!(block[13..], 0x1122_u64.to_ne_bytes());
        assert_eq!(judge(&block, 0x1122), Ok(()));
        let misplaced = Flaw::Misplaced { stored: 0x1122 };
        assert_eq!(judge(&block, 0), Err(misplaced));
        block[0] = b'0';
        assert!(matches!(judge(&block, 0x1122), Err(Flaw::Checksum { .. })));
    }

    #[test]
    fn zeros_are_told_as_the_original_tells_them() {
        // The recorded run over files that were prepared without checksums, blocks of 16 KiB.
        let record = include_str!("../../tests/reference/sysbench/v10-validate-unprepared/stdout");
        let flaw = Flaw::Checksum {
            calculated: 0x6633_7a37,
            stored: 0,
        };
        assert_eq!(judge(&[0; 16384], 3_506_176), Err(flaw));
        assert!(record.contains("Calculated value: 0x66337a37    Stored value: 0x0"));
    }

    #[test]
    fn what_has_no_room_is_left_alone() {
        let mut tiny = [7; LENGTH - 1];
        seal(&mut tiny, 5);
        assert_eq!((tiny, judge(&tiny, 9)), ([7; LENGTH - 1], Ok(())));
        assert!(Sealer::new(LENGTH as u32, 0).is_none() && Sealer::new(13, 0).is_some());
    }

    #[test]
    fn blocks_may_pass_by_in_pieces() {
        for (block, piece) in [(13, 1), (64, 5), (64, 1000), (1000, 64), (100, 100)] {
            let mut bytes: Vec<u8> = (0..block * 7).map(|i| (i * 31 % 251) as u8).collect();
            let mut sealer = Sealer::new(block as u32, 1000).unwrap();
            bytes.chunks_mut(piece).for_each(|piece| sealer.pass(piece));
            for (index, whole) in bytes.chunks(block).enumerate() {
                let offset = 1000 + (index * block) as u64;
                assert_eq!(judge(whole, offset), Ok(()), "{block} in {piece}");
            }
        }
    }
}
