//! What writes of a shared sequence send, and whether what was read is what was sent.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    plan::{Payload, Verify},
    runner::trailer::{self, Flaw},
};

/// Bytes that begin with a number of their own: the smallest unit that storage deduplicates.
const STAMPED: usize = 4096;

/// Makes blocks to write and judges blocks that were read.
#[derive(Debug)]
pub(super) struct Blocks {
    /// Numbers for stamps; `None` writes buffers as they are.
    stamps: Option<Xoshiro256PlusPlus>,
    verified: bool,
}

impl Blocks {
    pub(super) fn new(payload: &Payload, verify: Verify, seed: u64) -> Self {
        let verified = verify != Verify::Off;
        let stamped = verified || *payload == Payload::Stamped;
        Self {
            stamps: stamped.then(|| Xoshiro256PlusPlus::seed_from_u64(seed)),
            verified,
        }
    }

    /// Makes `block` the one that is written at `offset`.
    #[inline]
    pub(super) fn make(&mut self, block: &mut [u8], offset: u64) {
        if let Some(stamps) = &mut self.stamps {
            for part in block.chunks_mut(STAMPED) {
                if let Some(place) = part.first_chunk_mut::<8>() {
                    *place = stamps.next_u64().to_ne_bytes();
                }
            }
        }
        if self.verified {
            trailer::seal(block, offset);
        }
    }

    /// Is this what was written at `offset`?
    #[inline]
    pub(super) fn judge(&self, block: &[u8], offset: u64) -> Result<(), Flaw> {
        if self.verified {
            trailer::judge(block, offset)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_writes_are_alike_in_any_4_kib() {
        let mut blocks = Blocks::new(&Payload::Stamped, Verify::Off, 1);
        let mut seen = std::collections::BTreeSet::new();
        let mut block = vec![7; 16384];
        for _ in 0..100 {
            blocks.make(&mut block, 0);
            for part in block.chunks(4096) {
                assert!(seen.insert(part.to_vec()));
            }
        }
        assert_eq!(blocks.judge(&[0; 16], 0), Ok(()));
    }

    #[test]
    fn zeros_stay_zeros_and_short_ends_are_no_trouble() {
        let mut block = vec![0; 5000];
        Blocks::new(&Payload::Zeros, Verify::Off, 1).make(&mut block, 0);
        assert!(block.iter().all(|byte| *byte == 0));
        Blocks::new(&Payload::Stamped, Verify::Off, 1).make(&mut block[..4099], 0);
    }

    #[test]
    fn a_sealed_block_is_judged_whole() {
        let mut blocks = Blocks::new(&Payload::Zeros, Verify::InsideLatency, 1);
        let mut block = vec![0; 512];
        blocks.make(&mut block, 1024);
        assert_eq!(blocks.judge(&block, 1024), Ok(()));
        assert_eq!(
            blocks.judge(&block, 0),
            Err(Flaw::Misplaced { stored: 1024 })
        );
        block[9] ^= 1;
        assert!(matches!(
            blocks.judge(&block, 1024),
            Err(Flaw::Checksum { .. })
        ));
    }
}
