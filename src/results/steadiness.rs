//! Operations a second over time, and whether they stayed the same.

use std::time::Duration;

use super::{Pace, Results, Row, SpanResult, per_second};
use crate::measure::IntervalSeries;

/// Reads and writes a second, interval by interval.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Course {
    /// Length of an interval.
    pub interval: Duration,
    /// One rate for each whole interval of the measured time, silent ones included.
    pub rates: Vec<f64>,
}

/// What a course says of the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Steadiness {
    /// Too few intervals to say.
    TooShort,
    /// Neither of the others.
    Steady,
    /// The median of the last half is off that of the first by this many percent.
    Drifting(f64),
    /// The standard deviation is this many percent of the mean.
    Uneven(f64),
}

/// Fewer intervals say nothing.
const INTERVALS_MIN: usize = 6;
/// The medians of both halves of a steady course are at most this many percent apart.
const DRIFT_MAX: f64 = 5.0;
/// The standard deviation of a steady course is below this many percent of its mean.
const DEVIATION_MAX: f64 = 10.0;

impl Course {
    /// Of these rows.
    fn of(rows: &[Row], measured: Duration) -> Self {
        let mut all = IntervalSeries::none();
        for row in even(rows) {
            all += &row.stats.intervals;
        }
        let length = all.length();
        // The rest of the measured time is no whole interval.
        let whole = (measured.as_nanos() / length.as_nanos().max(1)) as usize;
        let rate = |index: usize| {
            let interval = all.used().get(index);
            per_second(interval.map_or(0, |interval| interval.count), length)
        };
        Self {
            interval: length,
            rates: (0..whole.min(all.kept())).map(rate).collect(),
        }
    }

    /// The smallest rate.
    pub fn min(&self) -> Option<f64> {
        self.rates.iter().copied().min_by(f64::total_cmp)
    }

    /// The largest rate.
    pub fn max(&self) -> Option<f64> {
        self.rates.iter().copied().max_by(f64::total_cmp)
    }

    /// The rate that half of the intervals do not exceed.
    pub fn median(&self) -> Option<f64> {
        median(&self.rates)
    }

    /// The rates in at most `count` columns: each is the lowest of its intervals, so that a stall
    /// stays visible however long the run.
    pub fn columns(&self, count: usize) -> Vec<f64> {
        let each = self.rates.len().div_ceil(count.max(1)).max(1);
        let lowest = |rates: &[f64]| rates.iter().copied().fold(f64::INFINITY, f64::min);
        self.rates.chunks(each).map(lowest).collect()
    }

    /// Whether it stayed the same.
    pub fn steadiness(&self) -> Steadiness {
        let n = self.rates.len();
        let mean = self.rates.iter().sum::<f64>() / n as f64;
        let halves = (
            median(&self.rates[..n / 2]),
            median(&self.rates[n - n / 2..]),
        );
        let (Some(first), Some(last)) = halves else {
            return Steadiness::TooShort;
        };
        if n < INTERVALS_MIN || mean <= 0.0 {
            return Steadiness::TooShort;
        }
        let squares = self.rates.iter().map(|rate| (rate - mean).powi(2));
        let deviation = 100.0 * (squares.sum::<f64>() / n as f64).sqrt() / mean;
        let drift = 100.0 * (last - first) / first;
        if first > 0.0 && drift.abs() > DRIFT_MAX {
            Steadiness::Drifting(drift)
        } else if deviation >= DEVIATION_MAX {
            Steadiness::Uneven(deviation)
        } else {
            Steadiness::Steady
        }
    }
}

/// Rows of reads and writes of which an even course is to be expected: those that come in bursts do
/// not count, unless there are no others.
fn even(rows: &[Row]) -> impl Iterator<Item = &Row> {
    let even = rows.iter().any(|row| row.pace != Pace::Bursts);
    rows.iter()
        .filter(move |row| (row.pace != Pace::Bursts || !even) && !row.is_flush())
}

/// Reads and writes a second of these rows, as a [`Course`] counts them.
pub fn rate(rows: &[Row], time: Duration) -> f64 {
    let counts = even(rows).map(|row| row.stats.count);
    per_second(counts.fold(0, u64::saturating_add), time)
}

/// The middle one, or the mean of both.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], upper))
}

impl Results {
    /// Reads and writes a second over the measured time of the time span with this number, from 0.
    pub fn course(&self, index: usize) -> Course {
        // The intervals are those of all of it, also where the figures are of a part.
        let measured = |span: &SpanResult| span.steady.map_or(span.measured, |steady| steady.after);
        let time = self.spans.get(index).map_or(Duration::ZERO, measured);
        Course::of(&self.rows(index), time)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Course, Steadiness};

    fn course(rates: &[f64]) -> Course {
        Course {
            interval: Duration::from_secs(1),
            rates: rates.to_vec(),
        }
    }

    #[test]
    fn a_course_is_steady_drifting_or_uneven() {
        assert_eq!(course(&[]).steadiness(), Steadiness::TooShort);
        assert_eq!(course(&[100.0; 5]).steadiness(), Steadiness::TooShort);
        assert_eq!(course(&[0.0; 9]).steadiness(), Steadiness::TooShort);
        assert_eq!(course(&[100.0; 6]).steadiness(), Steadiness::Steady);
        // Medians 100 and 94.
        let falls = course(&[100.0, 100.0, 100.0, 94.0, 94.0, 94.0]);
        assert_eq!(falls.steadiness(), Steadiness::Drifting(-6.0));
        let less = course(&[100.0, 100.0, 100.0, 96.0, 96.0, 96.0]);
        assert_eq!(less.steadiness(), Steadiness::Steady);
        // Mean 100, deviation 20.
        let jumps = course(&[80.0, 120.0, 80.0, 120.0, 80.0, 120.0, 80.0, 120.0]);
        assert_eq!(jumps.steadiness(), Steadiness::Uneven(20.0));
        // From nothing at all there is no percentage.
        let late = course(&[0.0, 0.0, 0.0, 50.0, 50.0, 50.0]);
        assert_eq!(late.steadiness(), Steadiness::Uneven(100.0));
    }

    #[test]
    fn figures_and_columns() {
        let rates = course(&[3.0, 1.0, 2.0, 9.0]);
        assert_eq!((rates.min(), rates.max()), (Some(1.0), Some(9.0)));
        assert_eq!(rates.median(), Some(2.5));
        assert_eq!(course(&[]).median(), None);
        assert_eq!(rates.columns(10), rates.rates);
        assert_eq!(rates.columns(2), [1.0, 2.0]);
        assert_eq!(rates.columns(3), [1.0, 2.0]);
        assert!(course(&[]).columns(0).is_empty());
    }
}
