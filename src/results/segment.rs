//! Figures of a shared sequence between two checkpoints, or over all of its measured time.

use std::time::Duration;

use crate::measure::{Latency, OperationStats};

/// What all workers did between two moments.
#[derive(Debug, Clone, Default)]
pub struct Segment {
    /// Its beginning, since the load began.
    pub from: Duration,
    /// Its end.
    pub to: Duration,
    /// Reads.
    pub read: OperationStats,
    /// Writes.
    pub write: OperationStats,
    /// Flushes between reads and writes.
    pub flush: OperationStats,
    /// Flushes at the end of the load.
    pub final_flush: OperationStats,
    /// Latencies of events. What an event is says the sequence's plan: a read or write, with the
    /// flush and the checks that belong to it, or also a flush of a round.
    pub events: Latency,
    /// One for each worker.
    pub shares: Vec<WorkerShare>,
    /// Events that were begun and are not done.
    pub unfinished: u64,
}

/// One worker's part of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkerShare {
    /// Events.
    pub events: u64,
    /// Their latencies added up.
    pub busy: Duration,
    /// The shortest.
    pub min: Duration,
    /// The longest.
    pub max: Duration,
}

impl WorkerShare {
    /// The mean latency of its events; zero without any.
    pub fn mean(&self) -> Duration {
        let mean = self.busy.as_nanos().checked_div(u128::from(self.events));
        Duration::from_nanos(mean.unwrap_or_default() as u64)
    }
}

impl Segment {
    /// Its length.
    pub fn length(&self) -> Duration {
        self.to.saturating_sub(self.from)
    }

    /// Flushes of all kinds.
    pub fn flushes(&self) -> u64 {
        self.flush.count + self.final_flush.count
    }

    /// Reads and writes.
    pub fn requests(&self) -> u64 {
        self.read.count + self.write.count
    }

    /// Bytes that they transferred.
    pub fn bytes(&self) -> u64 {
        self.read.bytes + self.write.bytes
    }

    /// Latencies of all events added up.
    pub fn busy(&self) -> Duration {
        self.shares.iter().map(|share| share.busy).sum()
    }

    /// Mean and population standard deviation over the workers of a figure.
    pub fn over_workers(&self, figure: fn(&WorkerShare) -> f64) -> (f64, f64) {
        if self.shares.is_empty() {
            return (0.0, 0.0);
        }
        let n = self.shares.len() as f64;
        let mean = self.shares.iter().map(figure).sum::<f64>() / n;
        let squares = self
            .shares
            .iter()
            .map(|share| (figure(share) - mean).powi(2));
        (mean, (squares.sum::<f64>() / n).sqrt())
    }
}

/// What all workers did in one interval.
#[derive(Debug, Clone, Default)]
pub struct IntervalFigures {
    /// Its end, since the load began.
    pub at: Duration,
    /// Its length.
    pub length: Duration,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Flushes.
    pub flushes: u64,
    /// Latencies of its events.
    pub events: Latency,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Segment, WorkerShare};
    use crate::measure::OperationStats;

    #[test]
    fn sums_and_means_of_shares() {
        let share = |events, ms| WorkerShare {
            events,
            busy: Duration::from_millis(ms),
            ..WorkerShare::default()
        };
        let counted = |count, bytes| OperationStats {
            count,
            bytes,
            ..OperationStats::default()
        };
        let segment = Segment {
            read: counted(3, 300),
            write: counted(2, 50),
            shares: vec![share(4, 10), share(0, 0)],
            ..Segment::default()
        };
        assert_eq!((segment.requests(), segment.bytes()), (5, 350));
        assert_eq!(segment.busy(), Duration::from_millis(10));
        assert_eq!(segment.shares[0].mean(), Duration::from_micros(2500));
        assert_eq!(segment.shares[1].mean(), Duration::ZERO);
    }

    #[test]
    fn the_deviation_over_workers_is_that_of_a_population() {
        // 0, 0, 0 and 400 events: mean 100, deviation sqrt(30000) = 173.205 (recorded of an
        // original with four threads, of which one did all).
        let share = |events| WorkerShare {
            events,
            ..WorkerShare::default()
        };
        let segment = Segment {
            shares: vec![share(0), share(0), share(0), share(400)],
            ..Segment::default()
        };
        let (mean, deviation) = segment.over_workers(|share| share.events as f64);
        assert!((mean - 100.0).abs() < 1e-9 && (deviation - 173.205).abs() < 1e-3);
        assert_eq!(Segment::default().over_workers(|_| 1.0), (0.0, 0.0));
    }
}
