//! What all workers of a shared sequence hold together.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

use ioengine::Nanos;

use super::arrivals::{Arrivals, TooMany};
use crate::{
    offsets::{Exhausted, SharedRequest, SharedRequests, WorkerDraws},
    plan::Direction,
    results::Limit,
};

/// The requests, when they are due, and when it is all over.
#[derive(Debug)]
pub(super) struct Shared {
    requests: Mutex<SharedRequests>,
    arrivals: Option<Mutex<Arrivals>>,
    limit: AtomicU64,
    ended: AtomicU8,
}

const RUNNING: u8 = 0;
const FAILED: u8 = 1;
const INTERRUPTED: u8 = 2;

/// What a worker did since it last asked for a request.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Reads and writes that completed, and where.
    pub(super) transfers: Vec<(Direction, u32, u64)>,
}

impl Shared {
    pub(super) fn new(requests: SharedRequests, arrivals: Option<Arrivals>) -> Self {
        Self {
            requests: Mutex::new(requests),
            arrivals: arrivals.map(Mutex::new),
            limit: AtomicU64::new(u64::MAX),
            ended: AtomicU8::new(RUNNING),
        }
    }

    /// The load begins at `start` and has to end at `limit`.
    pub(super) fn begin(&self, start: Nanos, limit: Nanos) {
        self.limit.store(limit.0, Relaxed);
        if let Some(arrivals) = &self.arrivals {
            let mut arrivals = arrivals.lock().unwrap_or_else(PoisonError::into_inner);
            arrivals.begin(start);
        }
    }

    /// The warm-up is over: what comes now uses up the limit of operations. Nobody gets a request
    /// while `counters` start anew.
    pub(super) fn end_warmup(&self, limit: Option<u64>, counters: impl FnOnce()) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        counters();
        requests.limit_to(limit);
    }

    /// The time limit.
    #[inline]
    pub(super) fn limit(&self) -> Nanos {
        Nanos(self.limit.load(Relaxed))
    }

    /// True if events are due at times of their own.
    pub(super) fn has_arrivals(&self) -> bool {
        self.arrivals.is_some()
    }

    /// Something failed: everybody stops.
    pub(super) fn fail(&self) {
        let _ = self
            .ended
            .compare_exchange(RUNNING, FAILED, Relaxed, Relaxed);
    }

    /// A signal: everybody stops.
    pub(super) fn interrupt(&self) {
        let _ = self
            .ended
            .compare_exchange(RUNNING, INTERRUPTED, Relaxed, Relaxed);
    }

    /// Why everybody stops, if they do.
    #[inline]
    pub(super) fn ended(&self) -> Option<Limit> {
        match self.ended.load(Relaxed) {
            RUNNING => None,
            FAILED => Some(Limit::Failure),
            _ => Some(Limit::Interrupt),
        }
    }

    /// What comes next, after `done`.
    ///
    /// # Errors
    /// There is nothing more to do.
    #[inline]
    pub(super) fn next(
        &self,
        draws: &mut WorkerDraws,
        done: &mut Done,
    ) -> Result<SharedRequest, Exhausted> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for (direction, file, offset) in done.transfers.drain(..) {
            requests.completed(direction);
            requests.release(file, offset);
        }
        requests.next(draws)
    }

    /// When the next event is due; `None` without a schedule.
    ///
    /// # Errors
    /// Too many events wait.
    pub(super) fn due(&self, now: Nanos) -> Result<Option<Nanos>, TooMany> {
        let Some(arrivals) = &self.arrivals else {
            return Ok(None);
        };
        let mut arrivals = arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        arrivals.take(now).map(Some)
    }
}
