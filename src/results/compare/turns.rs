//! From the results of rounds to the pairs of values that are compared.

use super::{Comparison, Figure, Lack, Measure, Part, Rule, Side, judge};
use crate::{
    measure::OperationStats,
    plan::TimeSpan,
    results::{Outcome, SpanResult, mib_per_second, per_second},
};

/// One time span that both sides carried out in turn.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// As planned for A; B's differs in its targets only.
    pub span: &'a TimeSpan,
    /// A's and B's result of each pair of rounds, as far as they came.
    pub pairs: Vec<(&'a SpanResult, &'a SpanResult)>,
}

/// Compares all figures of some time spans.
pub fn compare(turns: &[Turn<'_>], rule: Rule) -> Comparison {
    judge(turns.iter().flat_map(Turn::figures).collect(), rule)
}

impl Turn<'_> {
    fn figures(&self) -> Vec<Figure> {
        let failed = self.pairs.iter().find_map(|(a, b)| {
            let failed = |side, result| {
                let message = failure(result)?;
                Some(Lack::Failed { side, message })
            };
            failed(Side::A, a).or_else(|| failed(Side::B, b))
        });
        let whole = |result: &SpanResult| result.outcome == Outcome::Finished;
        let whole: Vec<_> = self
            .pairs
            .iter()
            .filter(|(a, b)| whole(a) && whole(b))
            .collect();
        let mut figures = Vec::new();
        for part in Part::of(self.span) {
            let counted: Vec<[Round; 2]> = whole
                .iter()
                .map(|(a, b)| [Round::of(&part, a), Round::of(&part, b)])
                .collect();
            for measure in part.measures() {
                let pairs = match &failed {
                    Some(lack) => Err(lack.clone()),
                    None => values(&counted, *measure),
                };
                figures.push(Figure {
                    part: part.clone(),
                    measure: *measure,
                    pairs,
                });
            }
        }
        figures
    }
}

/// What went wrong in a round, as a sentence.
fn failure(result: &SpanResult) -> Option<String> {
    if let Some(failure) = result.failures.first() {
        return Some(failure.message.clone());
    }
    let failed = result.failed_operations();
    (failed > 0).then(|| format!("{failed} operations failed or fell short"))
}

/// A part in one round.
struct Round {
    stats: OperationStats,
    measured: std::time::Duration,
}

impl Round {
    fn of(part: &Part, result: &SpanResult) -> Self {
        Self {
            stats: part.stats(result),
            measured: result.measured,
        }
    }

    /// `None` where too few operations say nothing.
    fn value(&self, measure: Measure) -> Option<f64> {
        let Self { stats, measured } = self;
        // Where operations are due at times of their own, waiting counts.
        let latency = if stats.response.count() > 0 {
            &stats.response
        } else {
            &stats.latency
        };
        if stats.count < measure.operations_needed() {
            return None;
        }
        match measure {
            Measure::Throughput => Some(mib_per_second(stats.bytes, *measured)),
            Measure::Operations => Some(per_second(stats.count, *measured)),
            Measure::Mean => latency.mean_ns(),
            Measure::P99 => latency.quantile_ns(0.99).map(|ns| ns as f64),
        }
    }
}

fn values(rounds: &[[Round; 2]], measure: Measure) -> Result<Vec<(f64, f64)>, Lack> {
    if rounds.len() < 2 {
        return Err(Lack::Rounds);
    }
    let pair = |[a, b]: &[Round; 2]| Some((a.value(measure)?, b.value(measure)?));
    let pairs: Option<Vec<_>> = rounds.iter().map(pair).collect();
    let needed = measure.operations_needed();
    pairs.ok_or(Lack::Operations { needed })
}
