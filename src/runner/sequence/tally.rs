//! What one worker counts, where the driving thread can take it: at a checkpoint, at the end of an
//! interval, and from a worker that was left behind.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{
    measure::{Latency, OperationStats},
    results::{Segment, StreamResult, WorkerShare},
};

/// One worker's figures behind a lock that nobody else holds but for a moment at a checkpoint; on
/// cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Tally(Mutex<Counts>);

/// Figures since the last checkpoint.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) read: OperationStats,
    pub(super) write: OperationStats,
    pub(super) flush: OperationStats,
    pub(super) final_flush: OperationStats,
    /// Latencies of events.
    pub(super) events: Latency,
    /// The same since the last interval ended, where intervals are told.
    pub(super) window: Option<Latency>,
    /// Events begun and not done.
    pub(super) unfinished: u64,
}

impl Counts {
    /// Nothing counted, and room for all that will be: recording allocates nothing.
    pub(super) fn new(intervals: bool) -> Self {
        let mut counts = Self {
            window: intervals.then(window),
            ..Self::default()
        };
        for latency in [
            &mut counts.read.latency,
            &mut counts.write.latency,
            &mut counts.flush.latency,
            &mut counts.final_flush.latency,
            &mut counts.events,
        ] {
            latency.reserve();
        }
        counts
    }

    /// Counts an event.
    #[inline]
    pub(super) fn event(&mut self, latency_ns: u64) {
        self.events.record(latency_ns);
        if let Some(window) = &mut self.window {
            window.record(latency_ns);
        }
    }

    /// Adds the figures to a segment, as those of one worker.
    pub(super) fn add_to(&self, segment: &mut Segment) {
        segment.read += &self.read;
        segment.write += &self.write;
        segment.flush += &self.flush;
        segment.final_flush += &self.final_flush;
        segment.events += &self.events;
        segment.unfinished += self.unfinished;
        segment.shares.push(WorkerShare {
            events: self.events.count(),
            busy: self.events.sum(),
            min: nanos(self.events.min_ns()),
            max: nanos(self.events.max_ns()),
        });
    }

    /// Adds the figures to a worker's results.
    pub(super) fn add_to_worker(&self, result: &mut StreamResult) {
        result.read += &self.read;
        result.write += &self.write;
        result.flush += &self.flush;
        result.flush += &self.final_flush;
    }

    /// Flushes of all kinds.
    pub(super) fn flushes(&self) -> u64 {
        self.flush.count + self.final_flush.count
    }
}

fn nanos(ns: Option<u64>) -> std::time::Duration {
    std::time::Duration::from_nanos(ns.unwrap_or(0))
}

/// An empty histogram with its memory.
pub(super) fn window() -> Latency {
    let mut latency = Latency::default();
    latency.reserve();
    latency
}

impl Tally {
    pub(super) fn new(intervals: bool) -> Self {
        Self(Mutex::new(Counts::new(intervals)))
    }

    /// The counts. A worker that died while it counted left at most one event half counted.
    #[inline]
    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
