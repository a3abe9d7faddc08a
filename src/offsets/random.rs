//! Where chance comes from: one independent stream of numbers for each worker.
//!
//! Two flavours. DiskSpd's generator draws exactly what the original draws, by remainders, so that
//! a run replays offset for offset. Ours is xoshiro256++, and maps a draw to a range by
//! multiplication, which is cheaper and less biased.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::divide::{Divisor, scale};
use crate::plan::Generator;

/// Bytes of payload made from one draw, as in the original.
const BYTES_PER_DRAW: usize = 24;

/// Bob Jenkins' small fast generator with 64-bit words (public domain), as DiskSpd has it.
#[derive(Debug, Clone)]
pub(super) struct Jenkins {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
}

impl Jenkins {
    pub(super) fn new(seed: u64) -> Self {
        let mut state = Self {
            a: 0xf1ea_5eed,
            b: seed,
            c: seed,
            d: seed,
        };
        for _ in 0..20 {
            state.draw();
        }
        state
    }

    #[inline]
    pub(super) fn draw(&mut self) -> u64 {
        let e = self.a.wrapping_sub(self.b.rotate_left(7));
        self.a = self.b ^ self.c.rotate_left(13);
        self.b = self.c.wrapping_add(self.d.rotate_left(37));
        self.c = self.d.wrapping_add(e);
        self.d = e.wrapping_add(self.a);
        self.d
    }
}

/// One worker's chance.
#[derive(Debug, Clone)]
pub(super) enum Random {
    /// xoshiro256++.
    Xoshiro(Xoshiro256PlusPlus),
    /// DiskSpd's.
    Jenkins(Jenkins),
}

impl Random {
    /// The numbers of worker `worker` of the time span.
    pub(super) fn new(generator: Generator, worker: u32) -> Self {
        match generator {
            Generator::Xoshiro { seed } => {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                // Each jump skips 2^128 numbers: no two workers ever meet.
                for _ in 0..worker {
                    random.jump();
                }
                Self::Xoshiro(random)
            }
            Generator::DiskSpd { seed } => {
                Self::Jenkins(Jenkins::new(u64::from(seed.wrapping_add(worker))))
            }
        }
    }

    /// The next 64 bits.
    #[inline]
    pub(super) fn draw(&mut self) -> u64 {
        match self {
            Self::Xoshiro(random) => random.next_u64(),
            Self::Jenkins(random) => random.draw(),
        }
    }

    /// A number below `bound`, from a 64-bit draw.
    #[inline]
    pub(super) fn below(&mut self, bound: Divisor) -> u64 {
        match self {
            Self::Xoshiro(random) => scale(random.next_u64(), bound.get()),
            Self::Jenkins(random) => bound.remainder(random.draw()),
        }
    }

    /// A number below `bound`, from a 32-bit draw: DiskSpd takes the lower half.
    #[inline]
    pub(super) fn below_32(&mut self, bound: Divisor) -> u64 {
        match self {
            Self::Xoshiro(random) => scale(random.next_u64(), bound.get()),
            Self::Jenkins(random) => bound.remainder(u64::from(random.draw() as u32)),
        }
    }

    /// The same for a bound that was not known beforehand.
    pub(super) fn below_32_once(&mut self, bound: u64) -> u64 {
        match self {
            Self::Xoshiro(random) => scale(random.next_u64(), bound),
            Self::Jenkins(random) => u64::from(random.draw() as u32) % bound.max(1),
        }
    }

    /// True in `percent` of 100 cases, from a 32-bit draw.
    #[inline]
    pub(super) fn percent(&mut self, percent: u32) -> bool {
        let drawn = match self {
            Self::Xoshiro(random) => scale(random.next_u64(), 100) as u32,
            Self::Jenkins(random) => random.draw() as u32 % 100,
        };
        drawn < percent
    }

    /// Draws as many numbers as `length` bytes of payload take, and nothing else.
    pub(super) fn skip_payload(&mut self, length: usize) {
        for _ in 0..length.div_ceil(BYTES_PER_DRAW) {
            self.draw();
        }
    }

    /// Fills `buffer` with bytes that neither compress nor repeat: one draw for each 24 bytes.
    pub(super) fn fill_payload(&mut self, buffer: &mut [u8]) {
        match self {
            Self::Xoshiro(random) => fill(buffer, || random.next_u64()),
            Self::Jenkins(random) => fill(buffer, || random.draw()),
        }
    }
}

/// Three words from each draw. Multiplying by an odd number is a bijection, so two draws that
/// differ give blocks that differ in all three words; the shifts bring the well mixed upper bits
/// down to where a product is weak.
fn fill(buffer: &mut [u8], mut draw: impl FnMut() -> u64) {
    let words = |drawn: u64| {
        let second = (drawn ^ (drawn >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let third = (drawn ^ (drawn >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        [drawn, second ^ (second >> 32), third ^ (third >> 31)]
    };
    let mut blocks = buffer.chunks_exact_mut(BYTES_PER_DRAW);
    for block in &mut blocks {
        let [first, second, third] = words(draw());
        block[..8].copy_from_slice(&first.to_le_bytes());
        block[8..16].copy_from_slice(&second.to_le_bytes());
        block[16..].copy_from_slice(&third.to_le_bytes());
    }
    let rest = blocks.into_remainder();
    if !rest.is_empty() {
        let bytes = words(draw()).map(u64::to_le_bytes);
        for (place, byte) in rest.iter_mut().zip(bytes.as_flattened()) {
            *place = *byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Jenkins, Random};
    use crate::{offsets::divide::Divisor, plan::Generator};

    fn both() -> [Random; 2] {
        [
            Random::new(Generator::DiskSpd { seed: 0 }, 0),
            Random::new(Generator::Xoshiro { seed: 0 }, 0),
        ]
    }

    #[test]
    fn jenkins_draws_what_diskspd_drew() {
        // The first offsets of the recorded trace t-rand-z1: 4 KiB blocks of a 16 MiB file.
        let mut random = Jenkins::new(1);
        let mut block = || random.draw() / 4096 * 4096 % (16 << 20);
        assert_eq!(
            [block(), block(), block()],
            [393_216, 5_648_384, 10_670_080]
        );
    }

    #[test]
    fn workers_draw_different_numbers() {
        for generator in [
            Generator::DiskSpd { seed: 7 },
            Generator::Xoshiro { seed: 7 },
        ] {
            let first: HashSet<u64> = (0..50)
                .map(|worker| Random::new(generator, worker).draw())
                .collect();
            assert_eq!(first.len(), 50);
        }
    }

    #[test]
    fn draws_stay_below_their_bound() {
        for mut random in both() {
            let bound = Divisor::new(7);
            let mut seen = [0_u32; 7];
            for _ in 0..70_000 {
                seen[random.below(bound) as usize] += 1;
                assert!(random.below_32(bound) < 7);
                assert!(random.below_32_once(7) < 7);
            }
            // Each of the seven is hit 10,000 times; 5 % is five standard deviations.
            assert!(seen.iter().all(|&count| count.abs_diff(10_000) < 500));
        }
    }

    #[test]
    fn a_percentage_is_kept() {
        for mut random in both() {
            let hits = (0..100_000).filter(|_| random.percent(40)).count();
            assert!(hits.abs_diff(40_000) < 800, "{hits}");
            assert!(!random.percent(0));
            assert!(random.percent(100));
        }
    }

    #[test]
    fn payload_takes_a_draw_for_24_bytes() {
        for length in [0, 1, 23, 24, 25, 4096, 65536] {
            for random in both() {
                let (mut filled, mut skipped, mut drawn) =
                    (random.clone(), random.clone(), random.clone());
                filled.fill_payload(&mut vec![0; length]);
                skipped.skip_payload(length);
                for _ in 0..length.div_ceil(24) {
                    drawn.draw();
                }
                let next = drawn.draw();
                assert_eq!(filled.draw(), next);
                assert_eq!(skipped.draw(), next);
            }
        }
    }

    #[test]
    fn payload_never_repeats_and_uses_all_bytes_alike() {
        for mut random in both() {
            let mut buffer = vec![0; 1 << 20];
            random.fill_payload(&mut buffer);
            let words: HashSet<&[u8]> = buffer.chunks_exact(8).collect();
            assert_eq!(words.len(), buffer.len() / 8);
            let mut counts = [0_u32; 256];
            for byte in &buffer {
                counts[usize::from(*byte)] += 1;
            }
            // 4096 of each value are expected, standard deviation 64.
            assert!(counts.iter().all(|&count| count.abs_diff(4096) < 400));
            let mut again = vec![0; 1 << 20];
            random.fill_payload(&mut again);
            assert!(again.chunks_exact(8).all(|word| !words.contains(word)));
        }
    }
}
