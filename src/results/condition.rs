//! A load's figures held against a [`Condition`].

use std::time::Duration;

use super::{OperationKind, Rates, Row, rows::SAMPLES_BEYOND};
use crate::{
    measure::Latency,
    plan::{
        Condition,
        condition::{Figure, PARTS, Side, Whom},
    },
};

impl Condition {
    /// True if `value` is on the condition's side of its bound.
    pub fn is_met(&self, value: f64) -> bool {
        match self.side {
            Side::Below => value < self.bound as f64,
            Side::Above => value > self.bound as f64,
        }
    }
}

/// A condition that was met while the load went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blown {
    /// Which.
    pub condition: Condition,
    /// The figure, in the unit of the condition's bound.
    pub value: u64,
    /// The end of the interval that it is of, since the measured time began.
    pub at: Duration,
}

impl Blown {
    /// The first of these conditions that the figures of an interval meet, which was so long and
    /// ended then.
    pub fn by(
        conditions: &[Condition],
        rows: &[Row],
        length: Duration,
        at: Duration,
    ) -> Option<Self> {
        conditions.iter().find_map(|condition| {
            let value = figure(condition, rows, length)?;
            condition.is_met(value).then_some(Self {
                condition: *condition,
                value: value as u64,
                at,
            })
        })
    }
}

/// The figure of these rows that a condition is about, in its unit: of several rows the slowest, or
/// the sum a second. `None` if there is no such operation, or a percentile has fewer than ten
/// samples beyond it.
pub fn figure(condition: &Condition, rows: &[Row], measured: Duration) -> Option<f64> {
    let rows = || rows.iter().filter(|row| is_about(condition.of, row));
    let slowest = |of: &dyn Fn(&Latency) -> Option<f64>| {
        let figures = rows().filter_map(|row| of(row.latency()));
        figures.max_by(f64::total_cmp)
    };
    let rates = || {
        rows().next()?;
        let (count, bytes) = rows().fold((0, 0), |(count, bytes): (u64, u64), row| {
            (
                count.saturating_add(row.stats.count),
                bytes.saturating_add(row.stats.bytes),
            )
        });
        Some(Rates::new(count, bytes, measured))
    };
    match condition.figure {
        Figure::Mean => slowest(&Latency::mean_ns),
        Figure::Max => slowest(&|latency| latency.max_ns().map(|ns| ns as f64)),
        Figure::Percentile { parts } => slowest(&|latency| percentile_ns(latency, parts)),
        Figure::Iops => rates().map(|rates| rates.per_second),
        Figure::Throughput => rates().map(|rates| rates.mib_per_second * f64::from(1 << 20)),
    }
}

/// How long such a load must be measured until a percentile has enough samples beyond it; `None` for
/// other figures, and where there is no such operation.
pub fn time_needed(condition: &Condition, rows: &[Row], measured: Duration) -> Option<Duration> {
    let Figure::Percentile { parts } = condition.figure else {
        return None;
    };
    let counts = rows
        .iter()
        .filter(|row| is_about(condition.of, row))
        .map(|row| row.latency().count());
    let fewest = counts.min().filter(|count| *count > 0)?;
    let beyond = f64::from(PARTS.checked_sub(parts)?) / f64::from(PARTS);
    let times = SAMPLES_BEYOND / beyond / fewest as f64;
    Duration::try_from_secs_f64(measured.as_secs_f64() * times).ok()
}

/// Whether a row is of these operations.
fn is_about(whom: Whom, row: &Row) -> bool {
    match whom {
        Whom::Any => !row.is_flush(),
        Whom::Reads => row.kind == OperationKind::Read,
        Whom::Writes => row.kind == OperationKind::Write,
        Whom::Flushes => row.is_flush(),
    }
}

fn percentile_ns(latency: &Latency, parts: u32) -> Option<f64> {
    super::percentile_ms(latency, f64::from(parts) / f64::from(PARTS)).map(|ms| ms * 1e6)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::figure;
    use crate::{
        measure::OperationStats,
        plan::Condition,
        results::{OperationKind, Pace, Row},
    };

    fn row(kind: OperationKind, count: u64, latency_ns: u64, bytes: u64) -> Row {
        let mut stats = OperationStats::default();
        for _ in 0..count {
            stats.record(0, latency_ns, bytes);
        }
        Row {
            group: String::new(),
            kind,
            stats,
            pace: Pace::Closed,
        }
    }

    /// Whether it is met by 200 reads of 1 ms, 100 writes of 4 ms and 50 flushes of 9 ms in 2 s.
    fn met(condition: &str) -> Option<bool> {
        let rows = [
            row(OperationKind::Read, 200, 1_000_000, 8192),
            row(OperationKind::Write, 100, 4_000_000, 4096),
            row(OperationKind::FlushData, 50, 9_000_000, 0),
        ];
        let condition: Condition = condition.parse().unwrap();
        let value = figure(&condition, &rows, Duration::from_secs(2))?;
        Some(condition.is_met(value))
    }

    #[test]
    fn latencies_are_those_of_the_slowest_row() {
        for (condition, expected) in [
            ("mean<3ms", false),
            ("mean<5ms", true),
            ("mean>3ms", true),
            ("read.mean<2ms", true),
            ("write.max>3ms", true),
            ("flush.mean<9500us", true),
            ("flush.max<8ms", false),
            // A bucket is at most a thousandth wide.
            ("p50<3900us", false),
            ("p50<4100us", true),
            ("read.p90<1100us", true),
        ] {
            assert_eq!(met(condition), Some(expected), "{condition}");
        }
    }

    #[test]
    fn rates_are_sums() {
        // 100 and 50 a second; 819,200 and 204,800 bytes a second.
        for (condition, expected) in [
            ("iops<150", false),
            ("iops<151", true),
            ("read.iops>99", true),
            ("write.iops>50", false),
            ("throughput>999KiB/s", true),
            ("throughput>1000KiB/s", false),
            ("read.throughput<801KiB/s", true),
        ] {
            assert_eq!(met(condition), Some(expected), "{condition}");
        }
    }

    #[test]
    fn percentiles_need_time() {
        // 100 writes in 2 s; ten beyond p99 need 1,000 of them, ten beyond p99.9 10,000.
        let rows = [row(OperationKind::Write, 100, 1_000_000, 4096)];
        let needed = |condition: &str| {
            let condition: Condition = condition.parse().unwrap();
            super::time_needed(&condition, &rows, Duration::from_secs(2))
        };
        assert_eq!(needed("p99<1ms"), Some(Duration::from_secs(20)));
        assert_eq!(needed("write.p99.9<1ms"), Some(Duration::from_secs(200)));
        assert_eq!(needed("mean<1ms"), None);
        assert_eq!(needed("read.p99<1ms"), None);
    }

    #[test]
    fn what_was_not_seen_is_not_judged() {
        // p99 of 100 writes has one sample beyond it; of 200 reads two.
        assert_eq!(met("p99<1us"), None);
        let none: [Row; 0] = [];
        for condition in ["mean<1ms", "max<1ms", "p50<1ms", "iops<1", "throughput<1/s"] {
            let condition: Condition = condition.parse().unwrap();
            assert_eq!(figure(&condition, &none, Duration::from_secs(1)), None);
        }
    }
}
