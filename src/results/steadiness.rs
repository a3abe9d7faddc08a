//! Operations a second over time, and whether they stayed the same.

use std::time::Duration;

use super::{Pace, Results, Row, SpanResult, per_second};
use crate::{
    measure::IntervalSeries,
    plan::{FlushPolicy, TimeSpan},
};

/// Reads and writes a second, interval by interval.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Course {
    /// Length of an interval.
    pub interval: Duration,
    /// One rate for each whole interval of the measured time, silent ones included.
    pub rates: Vec<f64>,
    /// How far rates are off their mean by chance alone, as a standard deviation in percent of it:
    /// what comes at random times comes unevenly, whatever the target does.
    pub chance: f64,
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
/// Chance is allowed for as far as so many standard errors.
const ERRORS: f64 = 2.0;

impl Course {
    /// Of these rows.
    fn of(rows: &[Row], measured: Duration) -> Self {
        let mut all = IntervalSeries::none();
        let mut drawn = IntervalSeries::none();
        for row in even(rows) {
            all += &row.stats.intervals;
            if row.pace == Pace::Drawn {
                drawn += &row.stats.intervals;
            }
        }
        let length = all.length();
        // The rest of the measured time is no whole interval.
        let whole = (measured.as_nanos() / length.as_nanos().max(1)) as usize;
        let rate = |index: usize| {
            let interval = all.used().get(index);
            per_second(interval.map_or(0, |interval| interval.count), length)
        };
        let whole = whole.min(all.kept());
        let count = |series: &IntervalSeries| {
            let counts = series
                .used()
                .iter()
                .take(whole)
                .map(|each| each.count as f64);
            counts.sum::<f64>() / whole as f64
        };
        // The variance of a Poisson count is its mean.
        let chance = 100.0 * count(&drawn).sqrt() / count(&all);
        Self {
            interval: length,
            rates: (0..whole).map(rate).collect(),
            chance: if chance.is_finite() { chance } else { 0.0 },
        }
    }

    /// Ends where the load did, which is after the planned time or with the last operation: while
    /// the flush behind it takes its time, nothing else is done.
    fn leave_out_the_flush(&mut self, planned: Option<Duration>) {
        let last = self.rates.iter().rposition(|rate| *rate > 0.0);
        let length = self.interval.as_nanos().max(1);
        let loaded = planned.map_or(usize::MAX, |time| (time.as_nanos() / length) as usize);
        // The interval in which the last operation ended need not have been loaded to its end.
        let kept = match last {
            Some(last) if last + 1 < self.rates.len() => last,
            _ => self.rates.len(),
        };
        self.rates.truncate(kept.max(1).min(loaded));
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
        // The median of n / 2 values has a standard error of about 1.2533 / sqrt(n / 2) deviations,
        // the difference of two such medians sqrt(2) times that. A variance of n values is known to
        // sqrt(2 / (n - 1)) of itself.
        let error = self.chance * 1.2533 * 2.0 / (n as f64).sqrt();
        let variance = 1.0 + ERRORS * (2.0 / (n as f64 - 1.0)).sqrt();
        let uneven = (DEVIATION_MAX.powi(2) + self.chance.powi(2) * variance).sqrt();
        if first > 0.0 && drift.abs() > DRIFT_MAX + ERRORS * error {
            Steadiness::Drifting(drift)
        } else if deviation >= uneven {
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
        let mut course = Course::of(&self.rows(index), time);
        if let Some(planned) = self.planned(index).filter(|span| flushes_at_end(span)) {
            course.leave_out_the_flush(planned.stop.after);
        }
        course
    }
}

/// True if some of the measured time goes into a flush behind all writes.
fn flushes_at_end(span: &TimeSpan) -> bool {
    let mut streams = span.groups.iter().flat_map(|group| &group.streams);
    streams.any(|stream| matches!(stream.mix.flush, FlushPolicy::AtEnd { .. }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Course, Steadiness};

    fn course(rates: &[f64]) -> Course {
        Course {
            interval: Duration::from_secs(1),
            rates: rates.to_vec(),
            chance: 0.0,
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
    fn what_chance_does_to_arrivals_is_allowed_for() {
        // Ten a second at random times: a deviation of sqrt(10), 32 % of the mean.
        let counts = [14.0, 8.0, 10.0, 12.0, 6.0, 10.0, 13.0, 7.0];
        // Squares 16 + 4 + 0 + 4 + 16 + 0 + 9 + 9 = 58, over 8: 7.25, whose root is 2.69.
        let closed = course(&counts);
        assert!(matches!(closed.steadiness(), Steadiness::Drifting(_)));
        let drawn = Course {
            chance: 1000.0_f64.sqrt(),
            ..closed
        };
        assert_eq!(drawn.steadiness(), Steadiness::Steady);
        // Twice as much as chance does is the target's doing: a deviation of 90 %.
        let stalls = Course {
            rates: [19.0, 1.0, 19.0, 1.0, 19.0, 1.0, 19.0, 1.0].to_vec(),
            ..drawn
        };
        assert_eq!(stalls.steadiness(), Steadiness::Uneven(90.0));
        // At 10,000 a second chance is 1 %, and a fall by 10 % is none of its doing.
        let falls = Course {
            chance: 1.0,
            ..course(&[100.0, 100.0, 100.0, 90.0, 90.0, 90.0])
        };
        assert_eq!(falls.steadiness(), Steadiness::Drifting(-10.0));
    }

    #[test]
    fn the_flush_behind_a_load_is_no_part_of_its_course() {
        let left = |rates: &[f64], planned: Option<u64>| {
            let mut course = course(rates);
            course.leave_out_the_flush(planned.map(Duration::from_secs));
            course.rates
        };
        // Three seconds of load and two of a flush.
        assert_eq!(left(&[9.0, 9.0, 9.0, 0.0, 0.0], Some(3)), [9.0, 9.0]);
        assert_eq!(left(&[9.0, 9.0, 9.0, 1.0, 0.0], Some(3)), [9.0, 9.0, 9.0]);
        // A limit is reached somewhere in an interval.
        assert_eq!(left(&[9.0, 9.0, 2.0, 0.0], None), [9.0, 9.0]);
        // No time to see.
        assert_eq!(left(&[9.0, 9.0], Some(2)), [9.0, 9.0]);
        assert!(left(&[], None).is_empty());
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
