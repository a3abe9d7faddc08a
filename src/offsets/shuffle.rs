//! Random without repeats: every position once a pass, in an order of its own each time.

use super::permutation::{self, Permutation};

/// One worker's share of the passes over all positions.
#[derive(Debug, Clone)]
pub(super) struct Shuffle {
    order: Permutation,
    alignment: u64,
    /// Place in the order.
    next: u64,
    /// Where this worker begins, and how far it is to its next place.
    worker: u64,
    workers: u64,
    key: u64,
    passes: u64,
}

impl Shuffle {
    /// Worker `worker` of `workers` over `positions` multiples of `alignment`, of which there are as
    /// many as workers at least.
    pub(super) fn new(positions: u64, alignment: u64, worker: u64, workers: u64, key: u64) -> Self {
        Self {
            order: Permutation::new(positions, permutation::key(&[key, 0])),
            alignment,
            next: worker,
            worker,
            workers,
            key,
            passes: 0,
        }
    }

    /// The next position, in bytes.
    #[inline]
    pub(super) fn take(&mut self) -> u64 {
        if self.next >= self.order.count() {
            self.begin_pass();
        }
        let position = self.order.number(self.next);
        self.next = self.next.saturating_add(self.workers);
        position * self.alignment
    }

    fn begin_pass(&mut self) {
        self.passes += 1;
        let key = permutation::key(&[self.key, self.passes]);
        self.order = Permutation::new(self.order.count(), key);
        self.next = self.worker;
    }

    /// The pass of the last position, from 0.
    pub(super) fn pass(&self) -> u64 {
        self.passes
    }

    /// Passes that are complete, as far as this worker goes.
    pub(super) fn passes(&self) -> u64 {
        self.passes + u64::from(self.next >= self.order.count())
    }
}
