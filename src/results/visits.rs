//! Figures of visits: files a second, how long a visitor waits, and how many visitors are enough.

use super::{Rates, SpanResult, milliseconds, percentile_ms};
use crate::{measure::Latency, plan::TimeSpan};

/// Shares of which it may be said what they took longer than, the largest first: so many files, of
/// so many.
const SHARES: [(u32, u32); 3] = [(2, 100), (1, 100), (1, 1000)];

/// Slow files are those that took this many times the mean: of others nobody needs to be told.
const SLOW: f64 = 2.0;

/// Of the most that is got, the share that is as good as all of it.
pub(super) const ENOUGH: f64 = 0.95;

/// What so many visitors at a time got.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VisitFigures {
    /// Visitors at a time.
    pub visitors: u32,
    /// Files, bytes and their rates.
    pub rates: Rates,
    /// Mean time of a file, from opening to closing; `None` without files.
    pub mean_ms: Option<f64>,
    /// Mean time of the opening alone; `None` without files.
    pub open_ms: Option<f64>,
    /// 99 in 100 files took no longer; `None` with fewer than 10 files beyond it.
    pub p99_ms: Option<f64>,
    /// The slowest file.
    pub max_ms: Option<f64>,
    /// The slow ones; `None` where none stand out, or with fewer than 10 of them.
    pub slow: Option<Slow>,
}

/// So many files, of so many, took longer than this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slow {
    /// How many.
    pub files: u32,
    /// Of how many.
    pub of: u32,
    /// Than this.
    pub over_ms: f64,
}

impl Slow {
    /// The largest share whose files took much longer than the mean.
    fn of(latency: &Latency) -> Option<Self> {
        let mean = milliseconds(latency.mean_ns()?);
        SHARES.into_iter().find_map(|(files, of)| {
            let fraction = 1.0 - f64::from(files) / f64::from(of);
            let over_ms = percentile_ms(latency, fraction)?;
            let slow = Self { files, of, over_ms };
            (over_ms >= SLOW * mean).then_some(slow)
        })
    }
}

impl VisitFigures {
    /// Of a time span of visits; `None` of another one, and of one that was not measured.
    pub fn of(span: &TimeSpan, result: &SpanResult) -> Option<Self> {
        let visitors = span.visits.as_ref()?.visitors;
        if !result.has_figures() {
            return None;
        }
        let reads = result.reads(None);
        let latency = &reads.latency;
        Some(Self {
            visitors,
            rates: Rates::new(reads.count, reads.bytes, result.measured),
            mean_ms: latency.mean_ns().map(milliseconds),
            open_ms: reads.initiation.mean_ns().map(milliseconds),
            p99_ms: percentile_ms(latency, 0.99),
            max_ms: latency.max_ns().map(|ns| milliseconds(ns as f64)),
            slow: Slow::of(latency),
        })
    }
}

/// Where more visitors bring no more files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knee {
    /// The smallest number of visitors that gets as good as all.
    pub at: VisitFigures,
    /// More visitors than that were tried.
    pub tried_more: bool,
}

/// The knee of steps with ever more visitors; `None` with fewer than two of them.
pub fn knee(steps: &[VisitFigures]) -> Option<Knee> {
    let most = |best: f64, step: &VisitFigures| best.max(step.rates.per_second);
    let most = steps.iter().fold(0.0, most);
    if steps.len() < 2 || most <= 0.0 {
        return None;
    }
    let enough = |step: &&VisitFigures| step.rates.per_second >= ENOUGH * most;
    let at = *steps
        .iter()
        .filter(enough)
        .min_by_key(|step| step.visitors)?;
    let tried_more = steps.iter().any(|step| step.visitors > at.visitors);
    Some(Knee { at, tried_more })
}

/// True if the last step brought less than a twentieth more than the best before it.
pub fn levelled_off(steps: &[VisitFigures]) -> bool {
    let Some((last, before)) = steps.split_last() else {
        return false;
    };
    let best = before.iter().map(|step| step.rates.per_second);
    let best = best.fold(f64::NAN, f64::max);
    last.rates.per_second < best * 1.05
}

#[cfg(test)]
mod tests {
    use crate::results::testing;
    use std::time::Duration;

    use super::*;
    use crate::{
        measure::OperationStats,
        plan::fixtures,
        results::{EndReason, Outcome, StreamResult, WorkerResult},
    };

    /// A step in which files of 1 MiB took these milliseconds.
    fn step(seconds: u64, latencies_ms: &[u64]) -> SpanResult {
        let mut read = OperationStats::default();
        for ms in latencies_ms {
            read.record(0, ms * 1_000_000, 1 << 20);
            read.initiation.record(ms * 100_000);
        }
        let worker = WorkerResult {
            streams: vec![StreamResult {
                read,
                ..StreamResult::default()
            }],
            ..WorkerResult::default()
        };
        SpanResult {
            engine: "files".to_owned(),
            ..testing::measured(Duration::from_secs(seconds), vec![worker])
        }
    }

    fn figures(result: &SpanResult) -> Option<VisitFigures> {
        VisitFigures::of(&fixtures::visits_span(1), result)
    }

    fn about(found: Option<f64>, expected: f64) {
        let found = found.expect("a figure");
        // Buckets are at most a thousandth wide.
        assert!((found - expected).abs() <= expected / 1000.0, "{found}");
    }

    #[test]
    fn rates_and_times_are_those_of_the_files() {
        // 10 files in 2 s: 5 a second, 5 MiB a second; (8 * 1 + 2 * 6) / 10 = 2 ms.
        let found = figures(&step(2, &[1, 1, 1, 1, 1, 1, 1, 1, 6, 6])).unwrap();
        assert_eq!(found.visitors, 2);
        about(Some(found.rates.per_second), 5.0);
        about(Some(found.rates.mib_per_second), 5.0);
        about(found.mean_ms, 2.0);
        about(found.open_ms, 0.2);
        about(found.max_ms, 6.0);
        assert_eq!((found.p99_ms, found.slow), (None, None));
    }

    /// Of so many files that took 1 ms, and so many that took longer.
    fn slow(quick: usize, slow: usize, slow_ms: u64) -> Option<(u32, u32)> {
        let files = [vec![1; quick], vec![slow_ms; slow]].concat();
        let slow = figures(&step(1, &files)).unwrap().slow?;
        about(Some(slow.over_ms), slow_ms as f64);
        Some((slow.files, slow.of))
    }

    #[test]
    fn the_slow_ones_are_told_where_ten_of_them_are_known() {
        // 11 of 500 are more than 2 %; the mean is (489 + 11 * 20) / 500 = 1.4 ms.
        assert_eq!(slow(489, 11, 20), Some((2, 100)));
        // 2 % of 499 are no ten files.
        assert_eq!(slow(488, 11, 20), None);
        // 15 of 1,000 are more than 1 %, and less than 2 %.
        assert_eq!(slow(985, 15, 20), Some((1, 100)));
        assert_eq!(slow(9985, 15, 20), Some((1, 1000)));
        // Not twice the mean, and none at all.
        assert_eq!(slow(489, 11, 2), None);
        assert_eq!(slow(500, 0, 1), None);
        let thousand = figures(&step(1, &[3; 1000])).unwrap();
        about(thousand.p99_ms, 3.0);
        assert_eq!(figures(&step(1, &[3; 999])).unwrap().p99_ms, None);
    }

    #[test]
    fn what_was_not_measured_has_no_figures() {
        let mut nothing = step(0, &[]);
        nothing.outcome = Outcome::NotMeasured(EndReason::Failed);
        assert_eq!(figures(&nothing), None);
        let no_file = figures(&step(1, &[])).unwrap();
        assert_eq!((no_file.mean_ms, no_file.max_ms), (None, None));
        let other = fixtures::span(Vec::new(), Vec::new());
        assert_eq!(VisitFigures::of(&other, &step(1, &[1])), None);
    }

    /// Steps with these files a second.
    fn steps(rates: &[(u32, u64)]) -> Vec<VisitFigures> {
        let figures = |(visitors, rate): &(u32, u64)| VisitFigures {
            visitors: *visitors,
            rates: Rates::new(*rate, 0, Duration::from_secs(1)),
            mean_ms: None,
            open_ms: None,
            p99_ms: None,
            max_ms: None,
            slow: None,
        };
        rates.iter().map(figures).collect()
    }

    #[test]
    fn the_knee_is_the_smallest_number_that_is_as_good_as_all() {
        let knee_at = |rates: &[(u32, u64)]| {
            let knee = knee(&steps(rates))?;
            Some((knee.at.visitors, knee.tried_more))
        };
        assert_eq!(knee_at(&[(1, 100)]), None);
        assert_eq!(knee_at(&[(1, 0), (2, 0)]), None);
        // 950 is 95 % of 1000, 949 is not.
        let found = knee_at(&[(1, 500), (2, 950), (4, 1000)]);
        assert_eq!(found, Some((2, true)));
        let found = knee_at(&[(1, 500), (2, 949), (4, 1000)]);
        assert_eq!(found, Some((4, false)));
        assert_eq!(knee_at(&[(1, 500), (2, 300)]), Some((1, true)));
    }

    #[test]
    fn a_twentieth_more_is_worth_another_step() {
        let off = |rates: &[(u32, u64)]| levelled_off(&steps(rates));
        assert!(!off(&[]));
        assert!(!off(&[(1, 100)]));
        assert!(!off(&[(1, 100), (2, 105)]));
        assert!(off(&[(1, 100), (2, 104)]));
        // Against the best so far, not against the step before.
        assert!(off(&[(1, 100), (2, 200), (4, 100), (8, 205)]));
    }
}
