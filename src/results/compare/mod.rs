//! Two sides measured in turn: per figure both values, their ratio with its interval, and whether
//! that is a difference.
//!
//! Rounds are pairs that stand next to each other in time (A B B A, again), so that what changes
//! slowly is in both. The interval of a ratio is made so wide that *all* intervals of a comparison
//! hold together with the asked confidence: the more figures are looked at, the more is asked of each.

mod parts;
mod turns;

pub use parts::{Class, Order, Part};
pub use turns::{Turn, compare};

use super::statistics::{Estimate, geometric_mean, ratio_interval};

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first one named.
    A,
    /// The second one.
    B,
}

/// What is compared of a part of the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// MiB a second.
    Throughput,
    /// Operations a second.
    Operations,
    /// Mean latency, in nanoseconds.
    Mean,
    /// The latency that 99 of 100 operations stay within, in nanoseconds.
    P99,
}

impl Measure {
    /// True where less is better.
    pub fn is_latency(self) -> bool {
        matches!(self, Self::Mean | Self::P99)
    }

    /// Operations that a round must have for this to mean something: ten of them beyond the figure.
    pub fn operations_needed(self) -> u64 {
        match self {
            Self::Throughput | Self::Operations | Self::Mean => 10,
            Self::P99 => 1000,
        }
    }
}

/// When a ratio is a difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// How often intervals may miss, over all figures together: 0.01 for 99 % confidence.
    pub miss: f64,
    /// A ratio that matters is beyond 1 by this share: 0.05 is from 1.05 on, and below 1/1.05.
    pub threshold: f64,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            miss: 0.01,
            threshold: 0.05,
        }
    }
}

/// What was compared, figure by figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// In the order of the load.
    pub figures: Vec<Compared>,
    /// What they were held to.
    pub rule: Rule,
}

/// One figure of both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Of which part of the load.
    pub part: Part,
    /// Which figure.
    pub measure: Measure,
    /// Pairs of rounds that it comes from.
    pub pairs: usize,
    /// The geometric mean of A's rounds, where there is one.
    pub a: Option<f64>,
    /// B's.
    pub b: Option<f64>,
    /// B to A.
    pub ratio: Option<Estimate>,
    /// Whether that is a difference.
    pub verdict: Verdict,
}

/// Whether a ratio is a difference.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// One side is better, and by so much that it matters.
    Better {
        /// Which.
        side: Side,
        /// How many times; above 1.
        factor: f64,
    },
    /// Whatever difference there may be is below the threshold.
    Equal,
    /// The interval neither excludes that they are equal nor that they differ.
    NotSeen,
    /// There is nothing to compare.
    NotComparable(Lack),
}

/// What is missing for a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// A side failed.
    Failed {
        /// Which.
        side: Side,
        /// A sentence.
        message: String,
    },
    /// Fewer than two pairs of rounds.
    Rounds,
    /// Fewer operations in a round than the figure needs.
    Operations {
        /// As many.
        needed: u64,
    },
}

/// A figure before it is judged: the values of each pair of rounds, or what is missing.
#[derive(Debug, Clone, PartialEq)]
struct Figure {
    part: Part,
    measure: Measure,
    pairs: Result<Vec<(f64, f64)>, Lack>,
}

/// Judges figures that were looked at together.
fn judge(figures: Vec<Figure>, rule: Rule) -> Comparison {
    let whole = |figure: &&Figure| figure.pairs.is_ok();
    let looked_at = figures.iter().filter(whole).count().max(1);
    let miss = rule.miss / looked_at as f64;
    let figures = figures
        .into_iter()
        .map(|figure| figure.judge(miss, rule.threshold))
        .collect();
    Comparison { figures, rule }
}

impl Figure {
    fn judge(self, miss: f64, threshold: f64) -> Compared {
        let Self {
            part,
            measure,
            pairs,
        } = self;
        let (pairs, lack) = match pairs {
            Ok(pairs) => (pairs, Lack::Rounds),
            Err(lack) => (Vec::new(), lack),
        };
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let ratio = ratio_interval(&pairs, miss);
        let verdict = match ratio {
            Some(ratio) => decide(measure, ratio, threshold),
            None => Verdict::NotComparable(lack),
        };
        Compared {
            part,
            measure,
            pairs: pairs.len(),
            a: geometric_mean(&a),
            b: geometric_mean(&b),
            ratio,
            verdict,
        }
    }
}

/// A difference is one that is sure (the interval excludes 1) and that matters (the ratio is beyond
/// the threshold).
fn decide(measure: Measure, ratio: Estimate, threshold: f64) -> Verdict {
    let (least, most) = (1.0 / (1.0 + threshold), 1.0 + threshold);
    let matters = ratio.mean <= least || ratio.mean >= most;
    if matters && !ratio.contains(1.0) {
        let more = ratio.mean > 1.0;
        let side = if more == measure.is_latency() {
            Side::A
        } else {
            Side::B
        };
        let factor = if more { ratio.mean } else { 1.0 / ratio.mean };
        Verdict::Better { side, factor }
    } else if least <= ratio.low && ratio.high <= most {
        Verdict::Equal
    } else {
        Verdict::NotSeen
    }
}

#[cfg(test)]
mod tests;
