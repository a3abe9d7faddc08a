//! Figures by interval while a load goes on: each worker counts what it does a second time, and
//! hands it over at the end of every interval.
//!
//! Only where somebody looks: a plan that ends by figures, or a live line.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ioengine::{Nanos, Operation};

use super::worker::stats_of;
use crate::{measure::OperationStats, results::StreamResult};

/// What a worker did in one interval, stream by stream.
pub(super) type Streams = Vec<StreamResult>;

/// Where a worker leaves its intervals, and finds room for new ones.
#[derive(Debug, Default)]
pub(super) struct Mail(Mutex<Letters>);

#[derive(Debug, Default)]
struct Letters {
    /// The interval that is under way: those before it are over.
    open: u64,
    /// Intervals with I/Os and their numbers, in order.
    closed: Vec<(u64, Streams)>,
    /// Emptied ones.
    spares: Vec<Streams>,
}

impl Mail {
    /// Nobody panics while it is locked.
    fn letters(&self) -> MutexGuard<'_, Letters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was left, and which interval is under way.
    pub(super) fn take(&self) -> (u64, Vec<(u64, Streams)>) {
        let mut letters = self.letters();
        (letters.open, std::mem::take(&mut letters.closed))
    }

    /// Gives room back.
    pub(super) fn give_back(&self, mut streams: Streams) {
        for stats in streams.iter_mut().flat_map(each) {
            stats.restart();
        }
        self.letters().spares.push(streams);
    }
}

/// A worker's side.
#[derive(Debug)]
pub(super) struct Windows {
    mail: Option<Arc<Mail>>,
    /// Start of the measured time.
    from: Nanos,
    length_ns: u64,
    /// The interval under way: its number and its end, which never comes where nobody looks.
    number: u64,
    end: Nanos,
    current: Streams,
    /// True if anything is in it.
    used: bool,
}

impl Windows {
    /// Of a worker with streams like `streams`, which are empty yet.
    pub(super) fn new(mail: Option<Arc<Mail>>, streams: &[StreamResult], length: Duration) -> Self {
        let current = match &mail {
            Some(_) => streams.iter().map(alike).collect(),
            None => Vec::new(),
        };
        Self {
            mail,
            from: Nanos::NEVER,
            length_ns: u64::try_from(length.as_nanos()).unwrap_or(u64::MAX).max(1),
            number: 0,
            end: Nanos::NEVER,
            current,
            used: false,
        }
    }

    /// The measured time begins at `from`.
    pub(super) fn begin(&mut self, from: Nanos) {
        if self.mail.is_some() {
            self.from = from;
            self.end = Nanos(from.0.saturating_add(self.length_ns));
        }
    }

    /// The time at which the interval under way is to be handed over.
    #[inline]
    pub(super) fn end(&self) -> Nanos {
        self.end
    }

    /// Counts a whole operation of the measured time.
    #[inline]
    pub(super) fn record(
        &mut self,
        stream: usize,
        operation: Operation,
        completed: Nanos,
        latency_ns: u64,
        bytes: u64,
    ) {
        if completed >= self.end {
            self.turn(completed);
        }
        if let Some(stream) = self.current.get_mut(stream) {
            let stats = stats_of(stream, operation);
            stats.count += 1;
            stats.bytes += bytes;
            stats.latency.record(latency_ns);
            self.used = true;
        }
    }

    /// Adds the response time of an operation, or of a record, that was just counted.
    #[inline]
    pub(super) fn respond(&mut self, stream: usize, operation: Operation, response_ns: u64) {
        if let Some(stream) = self.current.get_mut(stream) {
            stats_of(stream, operation).response.record(response_ns);
        }
    }

    /// Hands over what is finished at `time`.
    #[cold]
    pub(super) fn turn(&mut self, time: Nanos) {
        let number = time.since(self.from) / self.length_ns;
        self.hand_over(number);
        self.number = number;
        let end = (number + 1).saturating_mul(self.length_ns);
        self.end = Nanos(self.from.0.saturating_add(end));
    }

    /// Hands over the last one: this worker has no part in any that follows.
    pub(super) fn close(&mut self) {
        self.hand_over(u64::MAX);
        self.mail = None;
        self.current.clear();
        self.end = Nanos::NEVER;
    }

    fn hand_over(&mut self, open: u64) {
        let Some(mail) = &self.mail else {
            return;
        };
        let mut letters = mail.letters();
        if std::mem::take(&mut self.used) {
            let spare = letters.spares.pop();
            let fresh = spare.unwrap_or_else(|| self.current.iter().map(alike).collect());
            let done = std::mem::replace(&mut self.current, fresh);
            letters.closed.push((self.number, done));
        }
        letters.open = open;
    }
}

/// An empty stream with the same room.
fn alike(stream: &StreamResult) -> StreamResult {
    let mut fresh = StreamResult {
        target: stream.target,
        ..StreamResult::default()
    };
    for (fresh, stats) in [
        (&mut fresh.read, &stream.read),
        (&mut fresh.write, &stream.write),
        (&mut fresh.flush, &stream.flush),
    ] {
        if stats.latency.is_reserved() {
            fresh.latency.reserve();
        }
        if stats.response.is_reserved() {
            fresh.response.reserve();
        }
    }
    fresh
}

fn each(stream: &mut StreamResult) -> [&mut OperationStats; 3] {
    [&mut stream.read, &mut stream.write, &mut stream.flush]
}
