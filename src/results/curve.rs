//! Figures along an axis of loads: what each load got, where more brings no more, where it falls off.

use super::{Outcome, Rates, Results, SpanResult, condition::figure, visits::ENOUGH};
use crate::{
    measure::Latency,
    plan::{
        Condition,
        condition::{Figure, Side, Whom},
    },
};

/// What a load got: reads and writes together, and the latency of the slower of both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadFigures {
    /// I/Os a second.
    pub per_second: f64,
    /// MiB a second.
    pub mib_per_second: f64,
    /// Mean latency; from the due time where there is one.
    pub mean_ms: Option<f64>,
    /// 99 in 100 took no longer; `None` with fewer than ten samples beyond it.
    pub p99_ms: Option<f64>,
    /// I/Os under way at a time, by Little's law: all service times over the measured time.
    pub in_flight: f64,
    /// Share of what was due that was done, at most 1; 1 where nothing was due at times of its own.
    pub share: f64,
}

impl LoadFigures {
    /// The mean of several measurements of one load, figure by figure; `None` of none. A percentile
    /// is the mean of those that are known.
    pub fn mean(all: &[Self]) -> Option<Self> {
        let mean = |of: &dyn Fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = all.iter().filter_map(of).collect();
            super::statistics::mean(&values)
        };
        Some(Self {
            per_second: mean(&|one| Some(one.per_second))?,
            mib_per_second: mean(&|one| Some(one.mib_per_second))?,
            mean_ms: mean(&|one| one.mean_ms),
            p99_ms: mean(&|one| one.p99_ms),
            in_flight: mean(&|one| Some(one.in_flight))?,
            share: mean(&|one| Some(one.share))?,
        })
    }
}

impl Results {
    /// What the load of the time span with this number, from 0, got; `None` unless it finished.
    pub fn load_figures(&self, index: usize) -> Option<LoadFigures> {
        let span = self.finished(index)?;
        let rows = self.rows(index);
        let io = || rows.iter().filter(|row| !row.is_flush());
        let (count, bytes) = io().fold((0, 0), |(count, bytes): (u64, u64), row| {
            (
                count.saturating_add(row.stats.count),
                bytes.saturating_add(row.stats.bytes),
            )
        });
        let rates = Rates::new(count, bytes, span.measured);
        let service = rows.iter().map(|row| Latency::sum(&row.stats.latency));
        let service: f64 = service.map(|time| time.as_secs_f64()).sum();
        let measured = span.measured.as_secs_f64();
        let shares = self.demands(index).into_iter().map(|demand| demand.share());
        Some(LoadFigures {
            per_second: rates.per_second,
            mib_per_second: rates.mib_per_second,
            mean_ms: self.figure_ms(index, Figure::Mean),
            p99_ms: self.figure_ms(index, Figure::Percentile { parts: 99_000 }),
            in_flight: if measured > 0.0 {
                service / measured
            } else {
                0.0
            },
            share: shares.fold(1.0, f64::min),
        })
    }

    /// The figure of a finished time span that a condition is about, in its unit.
    pub fn figure_of(&self, index: usize, condition: &Condition) -> Option<f64> {
        let span = self.finished(index)?;
        figure(condition, &self.rows(index), span.measured)
    }

    fn figure_ms(&self, index: usize, figure: Figure) -> Option<f64> {
        let condition = Condition {
            of: Whom::Any,
            figure,
            side: Side::Below,
            bound: 0,
        };
        self.figure_of(index, &condition).map(super::milliseconds)
    }

    fn finished(&self, index: usize) -> Option<&SpanResult> {
        let span = self.spans.get(index);
        span.filter(|span| span.outcome == Outcome::Finished)
    }
}

/// Where more of a load brings no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Knee {
    /// The number, from 0, of the smallest load that gets as good as all.
    pub at: usize,
    /// Of the one that gets the most.
    pub peak: usize,
}

/// The knee of loads that get so much, in ascending order of load; `None` with fewer than two, and
/// where nothing was got.
pub fn knee(rates: &[f64]) -> Option<Knee> {
    if rates.len() < 2 {
        return None;
    }
    // Of equals the smallest load.
    let peak = (0..rates.len()).rev().max_by(|a, b| {
        let [a, b] = [a, b].map(|index| rates.get(*index).copied().unwrap_or(0.0));
        a.total_cmp(&b)
    })?;
    let most = rates.get(peak).copied().filter(|most| *most > 0.0)?;
    let at = rates.iter().position(|rate| *rate >= ENOUGH * most)?;
    Some(Knee { at, peak })
}

/// From one point to the next this is more than noise.
const STEP: f64 = 1.25;

/// A place where less is got than before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// The number, from 0, of the last point before it.
    pub from: usize,
    /// Of the first point behind it.
    pub to: usize,
    /// How many times less.
    pub times: f64,
}

/// Where points fall by more than a quarter from one to the next; falls that follow each other are
/// one.
pub fn falls(rates: &[f64]) -> Vec<Fall> {
    let mut falls: Vec<Fall> = Vec::new();
    for (from, pair) in rates.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        // Nothing at all is no speed.
        if after <= 0.0 || before < STEP * after {
            continue;
        }
        let times = before / after;
        match falls.last_mut() {
            Some(last) if last.to == from => {
                last.to = from + 1;
                last.times *= times;
            }
            _ => falls.push(Fall {
                from,
                to: from + 1,
                times,
            }),
        }
    }
    falls
}

#[cfg(test)]
mod tests {
    use super::{Fall, Knee, LoadFigures, falls, knee};

    #[test]
    fn the_knee_of_curves_made_by_hand() {
        for (rates, expected) in [
            // 950 is 95 % of 1000, 949 is not.
            (&[500.0, 950.0, 1000.0][..], Some((1, 2))),
            (&[500.0, 949.0, 1000.0], Some((2, 2))),
            // Of equals the smallest load.
            (&[500.0, 1000.0, 1000.0, 1000.0], Some((1, 1))),
            // More may be less.
            (&[500.0, 1000.0, 700.0], Some((1, 1))),
            (&[1000.0, 400.0], Some((0, 0))),
            (&[1000.0], None),
            (&[0.0, 0.0], None),
            (&[], None),
        ] {
            let expected = expected.map(|(at, peak)| Knee { at, peak });
            assert_eq!(knee(rates), expected, "{rates:?}");
        }
    }

    #[test]
    fn falls_of_more_than_a_quarter_are_steps() {
        assert_eq!(falls(&[100.0, 99.0, 90.0]), []);
        assert_eq!(falls(&[]), []);
        // 125 is a quarter more than 100; 124 is less.
        assert_eq!(falls(&[124.0, 100.0]), []);
        let one = Fall {
            from: 0,
            to: 1,
            times: 1.25,
        };
        assert_eq!(falls(&[125.0, 100.0]), [one]);
        // Two that follow each other are one: 400 to 50 is 8 times less.
        let [found] = falls(&[400.0, 400.0, 100.0, 50.0, 50.0])[..] else {
            panic!("one fall");
        };
        assert_eq!((found.from, found.to), (1, 3));
        assert!((found.times - 8.0).abs() < 1e-9);
        assert_eq!(falls(&[800.0, 100.0, 100.0, 10.0]).len(), 2);
        // What grows does not fall, and nothing is no speed.
        assert_eq!(falls(&[100.0, 500.0, 0.0]), []);
    }

    #[test]
    fn several_measurements_are_told_by_their_mean() {
        let one = |per_second, p99_ms| LoadFigures {
            per_second,
            mib_per_second: per_second,
            mean_ms: Some(1.0),
            p99_ms,
            in_flight: 4.0,
            share: 1.0,
        };
        let all = [one(100.0, Some(2.0)), one(200.0, None)];
        let mean = LoadFigures::mean(&all).unwrap();
        assert!((mean.per_second - 150.0).abs() < 1e-9);
        assert_eq!(mean.p99_ms, Some(2.0));
        assert_eq!(LoadFigures::mean(&[]), None);
    }
}
