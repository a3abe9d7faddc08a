//! Time spans that repeat each other: figures with their spread.

use std::time::Duration;

use super::{
    LatencyFigures, OperationKind, Outcome, Rates, Results, Row, SpanResult,
    statistics::{Estimate, mean, mean_interval},
};

/// The interval misses the true mean in this share of all cases.
const MISS: f64 = 0.05;

/// What the name of a repeated time span ends with, before its number.
const WORD: &str = "repetition ";

/// What a figure was in several repetitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean of all.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Where the true mean lies with 95 % confidence (Student's t); `None` for fewer than two.
    pub interval: Option<Estimate>,
}

impl Spread {
    /// Of these values; `None` without any.
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            mean: mean(values)?,
            min: values.iter().copied().min_by(f64::total_cmp)?,
            max: values.iter().copied().max_by(f64::total_cmp)?,
            interval: mean_interval(values, MISS),
        })
    }
}

/// Time spans that repeat each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// Their name without the number; empty where there is nothing else.
    pub name: String,
    /// Their numbers, from 0, in order: those that were measured as planned.
    pub spans: Vec<usize>,
    /// Those that were cut short or never began, which no spread counts.
    pub cut: Vec<usize>,
}

/// One row of several repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatedRow {
    /// The group's name; empty where it has none.
    pub group: String,
    /// What was done.
    pub kind: OperationKind,
    /// Operations a second.
    pub per_second: Option<Spread>,
    /// MiB a second.
    pub mib_per_second: Option<Spread>,
    /// Mean latency in milliseconds.
    pub mean_ms: Option<Spread>,
    /// 99 in 100 were at most this, in milliseconds; over the repetitions that say so.
    pub p99_ms: Option<Spread>,
    /// The longest latency in milliseconds.
    pub max_ms: Option<Spread>,
}

/// The name before `repetition 3`, of a time span of such a name.
fn base(name: &str) -> Option<&str> {
    let (base, number) = name.rsplit_once(WORD)?;
    number.parse::<u32>().ok()?;
    Some(base.trim_end_matches([',', ' ']))
}

impl Results {
    /// The measured time spans in order; those that repeat each other are together, at the place of
    /// the first. A time span that stands alone has its whole name.
    pub fn repeated(&self) -> Vec<Repeated> {
        let mut sets: Vec<(bool, Repeated)> = Vec::new();
        for (index, span) in self.spans.iter().enumerate() {
            let name = self.planned(index).map_or("", |planned| &planned.name);
            let base = base(name);
            let known = sets
                .iter()
                .position(|(repeated, set)| *repeated && Some(set.name.as_str()) == base);
            let at = known.unwrap_or_else(|| {
                let set = Repeated {
                    name: base.unwrap_or(name).to_owned(),
                    spans: Vec::new(),
                    cut: Vec::new(),
                };
                sets.push((base.is_some(), set));
                sets.len() - 1
            });
            let whole = span.outcome == Outcome::Finished || base.is_none();
            let set = &mut sets[at].1;
            let list = if whole { &mut set.spans } else { &mut set.cut };
            list.push(index);
        }
        for (_, set) in &mut sets {
            // A part of one is better than nothing, and is told as what it is.
            if set.spans.is_empty() && !set.cut.is_empty() {
                set.spans.push(set.cut.remove(0));
            }
        }
        sets.into_iter().map(|(_, set)| set).collect()
    }

    /// The rows of time spans that repeat each other, as of the first of them.
    pub fn repeated_rows(&self, spans: &[usize]) -> Vec<RepeatedRow> {
        let all: Vec<(Duration, Vec<Row>)> = spans
            .iter()
            .filter_map(|index| Some((self.spans.get(*index)?, *index)))
            .filter(|(span, _)| SpanResult::has_figures(span))
            .map(|(span, index)| (span.measured, self.rows(index)))
            .collect();
        let Some((_, first)) = all.first() else {
            return Vec::new();
        };
        first.iter().map(|row| repeated_row(row, &all)).collect()
    }
}

fn repeated_row(first: &Row, all: &[(Duration, Vec<Row>)]) -> RepeatedRow {
    let same: Vec<(Duration, &Row)> = all
        .iter()
        .filter_map(|(measured, rows)| {
            let row = rows
                .iter()
                .find(|row| row.group == first.group && row.kind == first.kind)?;
            Some((*measured, row))
        })
        .collect();
    let spread = |of: &dyn Fn(&(Duration, &Row)) -> Option<f64>| {
        let values: Vec<f64> = same.iter().filter_map(of).collect();
        Spread::of(&values)
    };
    // One repetition that finished nothing beside others that did is a rate of 0.
    let any = same.iter().any(|(_, row)| row.stats.count > 0);
    let finished = |of: &dyn Fn(Rates) -> f64| {
        spread(&|(measured, row)| any.then(|| of(row.rates(*measured))))
    };
    let latency = |of: fn(LatencyFigures) -> Option<f64>| {
        spread(&|(_, row)| of(LatencyFigures::of(row.latency())))
    };
    RepeatedRow {
        group: first.group.clone(),
        kind: first.kind,
        per_second: finished(&|rates| rates.per_second),
        mib_per_second: finished(&|rates| rates.mib_per_second),
        mean_ms: latency(|figures| figures.mean),
        p99_ms: latency(|figures| figures.p99),
        max_ms: latency(|figures| figures.max),
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, base};

    #[test]
    fn names_of_repetitions() {
        assert_eq!(base("repetition 1"), Some(""));
        assert_eq!(base("random read, repetition 12"), Some("random read"));
        assert_eq!(base("repetition one"), None);
        assert_eq!(base("rate 400"), None);
    }

    #[test]
    fn the_spread_of_known_values() {
        // Mean 10, sample deviation 2, three values: t(0.975, 2) = 4.303 of the published table.
        let spread = Spread::of(&[8.0, 10.0, 12.0]).unwrap();
        assert!((spread.mean - 10.0).abs() < 1e-9);
        assert!((spread.min - 8.0).abs() < 1e-9 && (spread.max - 12.0).abs() < 1e-9);
        let half = 4.303 * 2.0 / 3.0_f64.sqrt();
        let interval = spread.interval.unwrap();
        assert!((interval.high - 10.0 - half).abs() < 1e-2, "{interval:?}");
        assert!((10.0 - interval.low - half).abs() < 1e-2, "{interval:?}");
        assert_eq!(Spread::of(&[1.0]).unwrap().interval, None);
        assert_eq!(Spread::of(&[]), None);
    }
}
