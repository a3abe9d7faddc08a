//! Percentiles and histogram of event latencies as both sysbenches compute them, so that figures
//! can be compared with old reports: coarser than our own histogram, and of other rules.

use super::options::Dialect;
use crate::results::{Latency, milliseconds};

/// Cells at equal distances of the logarithm; a value belongs to the nearest.
struct Scale {
    /// Value of the first cell.
    low: f64,
    /// Cells for each factor of e.
    density: f64,
    cells: usize,
}

impl Scale {
    fn new(low: f64, high: f64, cells: usize) -> Self {
        Self {
            low,
            density: (cells - 1) as f64 / (high / low).ln(),
            cells,
        }
    }

    /// 0.4: from 1 ns to 10 000 s.
    fn v04() -> Self {
        Self::new(1.0, 1e13, 100_000)
    }

    /// 1.0: from 0.001 ms to 100 000 ms, in ns.
    fn v10() -> Self {
        Self::new(1e3, 1e11, 1024)
    }

    /// Values beyond the ends belong to the end cells.
    fn cell(&self, ns: u64) -> usize {
        let distance = (ns.max(1) as f64 / self.low).ln() * self.density;
        (distance.round().max(0.0) as usize).min(self.cells - 1)
    }

    fn value_ns(&self, cell: usize) -> f64 {
        self.low * (cell as f64 / self.density).exp()
    }

    /// Cells in use with their counts, ascending. A bucket of ours is narrower than a cell.
    fn counts(&self, latency: &Latency) -> Vec<(usize, u64)> {
        let mut counts: Vec<(usize, u64)> = Vec::new();
        for (ns, count) in latency.used_buckets() {
            let cell = self.cell(ns);
            match counts.last_mut() {
                Some((last, sum)) if *last == cell => *sum += count,
                _ => counts.push((cell, count)),
            }
        }
        counts
    }
}

/// The value that `percent` of the events do not exceed, by the dialect's rule.
pub(super) fn percentile_ms(dialect: Dialect, latency: &Latency, percent: u32) -> f64 {
    milliseconds(match dialect {
        Dialect::V04 => nearest_rank_below(latency, percent),
        Dialect::V10 => first_reaching(latency, percent),
    })
}

/// 1.0: the first cell with which the rounded share of all events is reached; without events the
/// lowest.
fn first_reaching(latency: &Latency, percent: u32) -> f64 {
    let scale = Scale::v10();
    let wanted = (latency.count() as f64 * f64::from(percent) / 100.0).round() as u64;
    let mut reached = 0;
    let found = scale.counts(latency).into_iter().find(|(_, count)| {
        reached += count;
        reached >= wanted
    });
    let cell = found.filter(|_| wanted > 0).map_or(0, |(cell, _)| cell);
    scale.value_ns(cell)
}

/// 0.4: cell by cell upwards while the share of events comes no farther from the rank; the cell
/// before the first one that takes it farther away, or that hits it. If none does, the last cell
/// in use.
fn nearest_rank_below(latency: &Latency, percent: u32) -> f64 {
    let scale = Scale::v04();
    let rank = f64::from(percent);
    let total = latency.count() as f64;
    let mut reached = 0;
    let mut nearest = rank;
    let mut last = 0;
    for (cell, count) in scale.counts(latency) {
        reached += count;
        let distance = (reached as f64 * 100.0 / total - rank).abs();
        if distance > nearest || distance == 0.0 {
            return scale.value_ns(cell.saturating_sub(1));
        }
        nearest = distance;
        last = cell;
    }
    scale.value_ns(last)
}

/// 1.0's buckets in use: value in ms and count, ascending.
pub(super) fn histogram(latency: &Latency) -> Vec<(f64, u64)> {
    let scale = Scale::v10();
    let counts = scale.counts(latency).into_iter();
    counts
        .map(|(cell, count)| (milliseconds(scale.value_ns(cell)), count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Latency, Scale, histogram, percentile_ms};
    use crate::personality::sysbench::testing::{histogram_of, recorded};

    fn latency(values_us: &[u64]) -> Latency {
        let mut latency = Latency::default();
        for us in values_us {
            latency.record(us * 1000);
        }
        latency
    }

    /// Within a cell and a bucket of ours.
    fn near(found: f64, expected: f64, cell: f64) -> bool {
        (found / expected - 1.0).abs() < cell + 0.001
    }

    #[test]
    fn neighbours_are_as_far_apart_as_specified() {
        let v10 = Scale::v10();
        let ratio = v10.value_ns(1) / v10.value_ns(0);
        assert!((1.018..1.0185).contains(&ratio), "{ratio}");
        let v04 = Scale::v04();
        let ratio = v04.value_ns(1) / v04.value_ns(0);
        assert!((1.00029..1.0003).contains(&ratio), "{ratio}");
        assert_eq!((v10.cell(0), v10.cell(1_000), v10.cell(900)), (0, 0, 0));
        assert_eq!(v10.cell(u64::MAX), 1023);
        assert!(near(v10.value_ns(1023), 1e11, 0.0));
        assert_eq!((v04.cell(0), v04.cell(u64::MAX)), (0, 99_999));
    }

    #[test]
    fn printed_buckets_of_the_record_are_buckets() {
        // Above 0.1 ms three decimals name one bucket; the one before prints something else.
        let scale = Scale::v10();
        let rows = histogram_of(&recorded("v10-histogram", "stdout"));
        let rows: Vec<_> = rows.into_iter().filter(|(ms, _)| *ms > 0.1).collect();
        assert!(rows.len() > 20);
        for (ms, _) in rows {
            let cell = scale.cell((ms * 1e6).round() as u64);
            let printed = |cell| format!("{:.3}", scale.value_ns(cell) / 1e6);
            assert_eq!(printed(cell), format!("{ms:.3}"));
            assert_ne!(printed(cell - 1), printed(cell));
        }
    }

    #[test]
    fn the_percentile_of_1_0_is_a_bucket_by_rounded_count() {
        let values: Vec<u64> = (1..=10).map(|i| i * 1000).collect();
        let percentile = |percent| percentile_ms(Dialect::V10, &latency(&values), percent);
        // 95 % of 10 rounds to 10 (9.5), 94 % to 9, 4 % to none, 5 % to one.
        assert!(near(percentile(95), 10.0, 0.0092));
        assert!(near(percentile(94), 9.0, 0.0092));
        assert!(near(percentile(5), 1.0, 0.0092));
        assert!((percentile(4) - 0.001).abs() < 1e-9);
        assert!((percentile_ms(Dialect::V10, &Latency::default(), 95) - 0.001).abs() < 1e-9);
        // Beyond the scale on both sides.
        let percentile = |us| percentile_ms(Dialect::V10, &latency(&[us]), 95);
        assert!((percentile(0) - 0.001).abs() < 1e-9);
        assert!((percentile(3_000_000_000) - 100_000.0).abs() < 1e-3);
    }

    #[test]
    fn the_percentile_of_0_4_is_the_cell_before_the_one_that_goes_too_far() {
        let values: Vec<u64> = (1..=100).map(|i| i * 1000).collect();
        let percentile = |percent| percentile_ms(Dialect::V04, &latency(&values), percent);
        // The 95th of 100 hits 95 %; cells are 0.03 % wide.
        assert!(near(percentile(95), 95.0, 0.0006));
        assert!(near(percentile(100), 100.0, 0.0006));
        // 64 values: 60 of them are 93.75 %, 61 are 95.31 %, 62 are 96.88 %, which is farther.
        let values: Vec<u64> = (1..=64).map(|i| i * 1000).collect();
        let found = percentile_ms(Dialect::V04, &latency(&values), 95);
        assert!(near(found, 62.0, 0.0006), "{found}");
        // All in one cell: 100 % is nearer to 95 than 0 %, and nothing goes farther.
        let found = percentile_ms(Dialect::V04, &latency(&[5_000; 7]), 95);
        assert!(near(found, 5.0, 0.0006), "{found}");
        // Three in four are at once too far from the first hundredth.
        let found = percentile_ms(Dialect::V04, &latency(&[5_000, 5_000, 5_000, 9_000]), 1);
        assert!(near(found, 5.0, 0.0006), "{found}");
    }

    #[test]
    fn the_histogram_keeps_every_count() {
        let latency = latency(&[0, 1, 1, 150, 151, 10_000]);
        let rows = histogram(&latency);
        let sum: u64 = rows.iter().map(|(_, count)| count).sum();
        assert_eq!(sum, 6);
        assert!(rows.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(rows[0].1, 3);
    }
}
