//! Cursors that all workers of a time span share: one atomic each, no lock.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::divide::Divisor;

/// The shared cursors of a time span, one place for each of its targets.
#[derive(Debug)]
pub struct SharedCursors {
    targets: Box<[Arc<Cursor>]>,
}

impl SharedCursors {
    /// All at the beginning.
    pub fn new(targets: usize) -> Self {
        Self {
            targets: (0..targets).map(|_| Arc::default()).collect(),
        }
    }

    /// The cursors of a target, for a stream to keep.
    pub(super) fn get(&self, target: usize) -> Option<Arc<Cursor>> {
        self.targets.get(target).map(Arc::clone)
    }
}

/// The cursors of one target. Aligned so that workers on different targets do not fight for a
/// cache line (the processors fetch them in pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Cursor {
    /// Steps taken by interlocked streams. Counting steps, not bytes, never wraps.
    steps: AtomicU64,
    /// Where the log ends: laps times the length of the range, plus the place in the lap.
    appended: AtomicU64,
}

impl Cursor {
    /// The number of this step.
    #[inline]
    pub(super) fn step(&self) -> u64 {
        self.steps.fetch_add(1, Ordering::Relaxed)
    }

    /// Steps taken so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Claims `length` bytes behind everything claimed so far, in one piece: what does not fit
    /// before the end goes to the beginning.
    #[inline]
    pub(super) fn append(&self, length: u32, range: Divisor) -> u64 {
        self.claim(length, range).1
    }

    /// The same, with the number of the lap before it.
    pub(super) fn append_in_lap(&self, length: u32, range: Divisor) -> (u64, u64) {
        let (start, place) = self.claim(length, range);
        (range.quotient(start), place)
    }

    /// Where the claim begins: counted over all laps, and inside the range.
    #[inline]
    fn claim(&self, length: u32, range: Divisor) -> (u64, u64) {
        let mut end = self.appended.load(Ordering::Relaxed);
        loop {
            let (start, place) = place(end, length, range);
            let next = start.wrapping_add(u64::from(length));
            match self.appended.compare_exchange_weak(
                end,
                next,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return (start, place),
                Err(moved) => end = moved,
            }
        }
    }

    /// Laps that appending has completed, where the next I/O has at least `smallest` bytes.
    pub(super) fn laps(&self, smallest: u32, range: Divisor) -> u64 {
        let end = self.appended.load(Ordering::Relaxed);
        range.quotient(place(end, smallest, range).0)
    }
}

/// Where an append of `length` bytes begins when the log ends at `end`: counted over all laps,
/// and inside the range.
#[inline]
fn place(end: u64, length: u32, range: Divisor) -> (u64, u64) {
    let place = range.remainder(end);
    let left = range.get() - place;
    if u64::from(length) <= left {
        (end, place)
    } else {
        (end.wrapping_add(left), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, Divisor};

    #[test]
    fn appends_in_one_piece_and_wraps() {
        let cursor = Cursor::default();
        let range = Divisor::new(10_000);
        let take = |length| cursor.append(length, range);
        assert_eq!([take(4096), take(4096)], [0, 4096]);
        assert_eq!(cursor.laps(512, range), 0);
        assert_eq!(cursor.laps(4096, range), 1);
        assert_eq!([take(512), take(4096), take(512)], [8192, 0, 4096]);
        assert_eq!(cursor.laps(512, range), 1);
    }

    #[test]
    fn a_full_lap_ends_exactly() {
        let cursor = Cursor::default();
        let range = Divisor::new(8192);
        assert_eq!(cursor.append(4096, range), 0);
        assert_eq!(cursor.append(4096, range), 4096);
        assert_eq!(cursor.laps(512, range), 1);
        assert_eq!(cursor.append(512, range), 0);
    }

    #[test]
    fn counts_steps() {
        let cursor = Cursor::default();
        assert_eq!([cursor.step(), cursor.step(), cursor.steps()], [0, 1, 2]);
    }
}
