//! What became of one kind of operation of one stream.

use std::{collections::BTreeMap, ops::AddAssign};

use super::{IntervalSeries, Latency, WholeMilliseconds};

/// Counts, bytes, errors, latency and time series.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationStats {
    /// Whole operations.
    pub count: u64,
    /// Bytes that they transferred.
    pub bytes: u64,
    /// Operations of the measured time that transferred less than asked; in no other figure.
    pub short: u64,
    /// Failed operations of the measured time by error number; in no other figure.
    pub errors: BTreeMap<i32, u64>,
    /// Issue to completion.
    pub latency: Latency,
    /// Due time to completion, where a rate is asked for.
    pub response: Latency,
    /// Issue to the return of the call that issued it, where that is asked for.
    pub initiation: Latency,
    /// Latencies cut to whole milliseconds, where they are asked for.
    pub whole_ms: Option<Box<WholeMilliseconds>>,
    /// By interval.
    pub intervals: IntervalSeries,
}

impl Default for OperationStats {
    fn default() -> Self {
        Self::new(IntervalSeries::none())
    }
}

impl OperationStats {
    /// Nothing counted yet.
    pub fn new(intervals: IntervalSeries) -> Self {
        Self {
            count: 0,
            bytes: 0,
            short: 0,
            errors: BTreeMap::new(),
            latency: Latency::default(),
            response: Latency::default(),
            initiation: Latency::default(),
            whole_ms: None,
            intervals,
        }
    }

    /// Counts a whole operation that completed `at_ns` after the start of the measured time.
    #[inline]
    pub fn record(&mut self, at_ns: u64, latency_ns: u64, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
        self.latency.record(latency_ns);
        self.intervals.record(at_ns, latency_ns, bytes);
    }

    /// Forgets what was counted, and keeps the room for it.
    pub fn restart(&mut self) {
        self.count = 0;
        self.bytes = 0;
        self.latency.restart();
        self.response.restart();
    }

    /// Failed operations.
    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }
}

impl AddAssign<&OperationStats> for OperationStats {
    fn add_assign(&mut self, other: &Self) {
        self.count += other.count;
        self.bytes += other.bytes;
        self.short += other.short;
        for (errno, count) in &other.errors {
            *self.errors.entry(*errno).or_default() += count;
        }
        self.latency += &other.latency;
        self.response += &other.response;
        self.initiation += &other.initiation;
        if let Some(theirs) = &other.whole_ms {
            **self.whole_ms.get_or_insert_default() += &**theirs;
        }
        self.intervals += &other.intervals;
    }
}
