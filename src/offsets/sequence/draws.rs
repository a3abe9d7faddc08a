//! sysbench's generators, value for value.

use crate::plan::{Draws, Order, SharedSequence};

/// The chance of one worker.
#[derive(Debug, Clone)]
pub struct WorkerDraws {
    state: [u64; 2],
    draw_after_event: bool,
}

impl WorkerDraws {
    /// One for each worker of the sequence, seeded in the order of their numbers.
    pub fn of(sequence: &SharedSequence) -> Vec<Self> {
        let (mut random, draw_after_event) = match sequence.order {
            Order::Random {
                draws:
                    Draws::Xoroshiro {
                        seed,
                        draw_after_event,
                    },
                ..
            } => (Random::new(seed), draw_after_event),
            _ => (Random::new(1), false),
        };
        let mut worker = || {
            let mut half = || u64::from(random.next());
            let high = half() << 32;
            let first = high.wrapping_add(half());
            let high = half() << 32;
            Self {
                state: [first, high.wrapping_add(half())],
                draw_after_event,
            }
        };
        (0..sequence.workers).map(|_| worker()).collect()
    }

    /// An event is over.
    #[inline]
    pub fn after_event(&mut self) {
        if self.draw_after_event {
            self.next();
        }
    }

    /// From 0 up to, but not, 1: 52 bits.
    #[inline]
    pub(super) fn fraction(&mut self) -> f64 {
        (self.next() >> 12) as f64 / (1_u64 << 52) as f64
    }

    /// xoroshiro128+ with the constants of its first version (55, 14, 36).
    #[inline]
    fn next(&mut self) -> u64 {
        let [first, second] = self.state;
        let value = first.wrapping_add(second);
        let mixed = second ^ first;
        self.state = [
            first.rotate_left(55) ^ mixed ^ (mixed << 14),
            mixed.rotate_left(36),
        ];
        value
    }
}

/// glibc's `random` with its default state of 31 words.
#[derive(Debug, Clone)]
struct Random {
    state: [u32; 31],
    front: usize,
}

impl Random {
    /// As after `srandom(seed)`.
    fn new(seed: u32) -> Self {
        // 0 counts as 1; the rest of the words follow by the generator of Park and Miller.
        let mut word = i64::from((seed as i32).wrapping_add(i32::from(seed == 0)));
        let mut state = [0_u32; 31];
        for place in &mut state {
            *place = word as u32;
            word = 16807 * (word % 127_773) - 2836 * (word / 127_773);
            if word < 0 {
                word += 2_147_483_647;
            }
        }
        let mut random = Self { state, front: 3 };
        for _ in 0..310 {
            random.next();
        }
        random
    }

    /// 31 bits.
    fn next(&mut self) -> u32 {
        let back = (self.front + 28) % 31;
        self.state[self.front] = self.state[self.front].wrapping_add(self.state[back]);
        let value = self.state[self.front] >> 1;
        self.front = (self.front + 1) % 31;
        value
    }
}

/// `lrand48`.
#[derive(Debug, Clone)]
pub(super) struct Lrand48(u64);

impl Lrand48 {
    /// As after `srand48(seed)`, or as in a program that never called it.
    pub(super) fn new(seed: Option<u32>) -> Self {
        Self(seed.map_or(0, |seed| (u64::from(seed) << 16) | 0x330e))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & ((1 << 48) - 1);
        self.0 >> 17
    }

    /// From 0 up to, but not, 1, in steps of 1 / (2^30 - 1).
    #[inline]
    pub(super) fn fraction(&mut self) -> f64 {
        const STEPS: u64 = (1 << 30) - 1;
        (self.next() % STEPS) as f64 / STEPS as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Lrand48, Random};

    #[test]
    fn random_gives_what_glibc_gives() {
        // The first values after srandom(1) are printed in many places.
        let mut random = Random::new(1);
        let values: Vec<u32> = (0..4).map(|_| random.next()).collect();
        assert_eq!(
            values,
            [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915]
        );
        assert_eq!(Random::new(0).next(), 1_804_289_383);
    }

    #[test]
    fn lrand48_gives_what_the_standard_says() {
        // By hand: 0 * a + 11 = 11, shifted by 17 gives 0; then 11 * a + 11 = 0x40e1f9f5_a... .
        let mut unseeded = Lrand48::new(None);
        assert_eq!(unseeded.next(), 0);
        assert_eq!(
            unseeded.next(),
            ((11 * 0x5_deec_e66d + 11) & ((1_u64 << 48) - 1)) >> 17
        );
        // srand48(1): X = 0x1330e; X * a + 11, mod 2^48, shifted by 17.
        let first = (0x1_330e_u64 * 0x5_deec_e66d + 11) & ((1 << 48) - 1);
        assert_eq!(Lrand48::new(Some(1)).next(), first >> 17);
    }
}
