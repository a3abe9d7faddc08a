//! Positions drawn by a formula: Zipf's law, Pareto's rule, the normal distribution.

use std::f64::consts::TAU;

use super::{permutation::Permutation, random::Random};
use crate::plan::{Distribution, EXPONENTS, Ranks, Skew};

/// A formula over `0..count`.
#[derive(Debug, Clone)]
pub(super) enum Curve {
    /// Ranks, and where they lie.
    Ranked { ranking: Ranking, ranks: Layout },
    /// Around a middle.
    Normal(Normal),
}

impl Curve {
    /// That of a distribution over `count` positions, where it has one. `key` draws where the ranks
    /// lie.
    pub(super) fn new(distribution: &Distribution, count: u64, key: u64) -> Option<Self> {
        match distribution {
            Distribution::Uniform | Distribution::Percent(_) | Distribution::Absolute(_) => None,
            Distribution::Ranked { skew, ranks } => Some(Self::Ranked {
                ranking: match skew {
                    Skew::Zipf(exponent) => Ranking::Zipf(Zipf::new(count, *exponent)),
                    Skew::Pareto(h) => Ranking::Pareto(Pareto::new(count, *h)),
                },
                ranks: Layout::new(*ranks, count, key),
            }),
            Distribution::Normal {
                deviation_percent,
                centre_percent,
            } => Some(Self::Normal(Normal::new(
                count,
                *deviation_percent,
                *centre_percent,
            ))),
        }
    }

    /// Draws a position.
    #[inline(never)]
    pub(super) fn draw(&self, random: &mut Random) -> u64 {
        match self {
            Self::Ranked { ranking, ranks } => ranks.position(match ranking {
                Ranking::Zipf(zipf) => zipf.draw(random),
                Ranking::Pareto(pareto) => pareto.draw(random),
            }),
            Self::Normal(normal) => normal.draw(random),
        }
    }
}

/// How often each rank is drawn. Ranks begin with 0 here.
#[derive(Debug, Clone)]
pub(super) enum Ranking {
    Zipf(Zipf),
    Pareto(Pareto),
}

/// Zipf's law by rejection-inversion: Hörmann and Derflinger, "Rejection-inversion to generate
/// variates from monotone discrete distributions", 1996. No table and no sum over the ranks: any
/// number of them costs the same, and the law holds exactly. A rank whose share is below 2^-53 is
/// drawn with its neighbours only.
#[derive(Debug, Clone)]
pub(super) struct Zipf {
    count: u64,
    exponent: f64,
    /// 1 minus the exponent, and 1 over that.
    power: f64,
    inverse: f64,
    /// The part of the area below the curve that is drawn from.
    from: f64,
    length: f64,
    /// A rank that is so near above its draw is right without a look at the curve.
    near: f64,
}

impl Zipf {
    fn new(count: u64, exponent: f64) -> Self {
        let count = count.max(1);
        let exponent = if exponent.is_nan() {
            *EXPONENTS.end()
        } else {
            exponent.clamp(*EXPONENTS.start(), *EXPONENTS.end())
        };
        let power = 1.0 - exponent;
        let mut zipf = Self {
            count,
            exponent,
            power,
            inverse: 1.0 / power,
            from: 0.0,
            length: 0.0,
            near: 0.0,
        };
        zipf.from = zipf.area(1.5) - 1.0;
        zipf.length = zipf.area(count as f64 + 0.5) - zipf.from;
        zipf.near = 2.0 - zipf.rank_at(zipf.area(2.5) - zipf.height(2.0));
        zipf
    }

    /// The area below `x` to the power of minus the exponent, from 1 on.
    fn area(&self, x: f64) -> f64 {
        if self.power == 0.0 {
            x.ln()
        } else {
            (self.power * x.ln()).exp_m1() * self.inverse
        }
    }

    /// Where the area is that large.
    #[inline]
    fn rank_at(&self, area: f64) -> f64 {
        if self.power == 0.0 {
            area.exp()
        } else {
            ((self.power * area).max(-1.0).ln_1p() * self.inverse).exp()
        }
    }

    fn height(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    #[inline]
    fn draw(&self, random: &mut Random) -> u64 {
        loop {
            let area = self.from + fraction(random) * self.length;
            let x = self.rank_at(area);
            let rank = ((x + 0.5) as u64).clamp(1, self.count);
            let whole = rank as f64;
            if whole - x <= self.near || area >= self.area(whole + 0.5) - self.height(whole) {
                return rank - 1;
            }
        }
    }
}

/// Pareto's rule: one power of a uniform number.
#[derive(Debug, Clone)]
pub(super) struct Pareto {
    count: u64,
    power: f64,
}

impl Pareto {
    fn new(count: u64, h: f64) -> Self {
        let h = h.min(1.0 - h);
        Self {
            count: count.max(1),
            power: h.ln() / (-h).ln_1p(),
        }
    }

    #[inline]
    fn draw(&self, random: &mut Random) -> u64 {
        let place = fraction(random).powf(self.power) * self.count as f64;
        (place as u64).min(self.count - 1)
    }
}

/// Where the ranks lie.
#[derive(Debug, Clone)]
pub(super) enum Layout {
    InOrder,
    Scattered { order: Permutation, turn: u64 },
}

impl Layout {
    fn new(ranks: Ranks, count: u64, key: u64) -> Self {
        let order = Permutation::new(count, key);
        let count = order.count();
        match ranks {
            Ranks::InOrder => Self::InOrder,
            Ranks::Scattered => Self::Scattered { order, turn: 0 },
            Ranks::ScatteredFrom(percent) => {
                let first = (percent / 100.0 * count as f64) as u64;
                let (first, is) = (first.min(count - 1), order.number(0));
                let turn = if first >= is {
                    first - is
                } else {
                    count - (is - first)
                };
                Self::Scattered { order, turn }
            }
        }
    }

    #[inline]
    fn position(&self, rank: u64) -> u64 {
        match self {
            Self::InOrder => rank,
            Self::Scattered { order, turn } => {
                let position = order.number(rank);
                let left = order.count() - position;
                if *turn < left {
                    position + turn
                } else {
                    turn - left
                }
            }
        }
    }
}

/// A deviation that is a larger part of the range than this draws faster from all of the range.
const WIDE: f64 = 0.4;

/// The normal distribution, drawn again outside of the range: by Box and Muller, or, where most of
/// that would fall outside, by rejection from the whole range.
#[derive(Debug, Clone)]
pub(super) struct Normal {
    last: u64,
    count: f64,
    centre: f64,
    deviation: f64,
    wide: bool,
}

impl Normal {
    fn new(count: u64, deviation_percent: f64, centre_percent: f64) -> Self {
        let last = count.max(1) - 1;
        let within = |percent: f64, otherwise: f64| {
            if percent.is_nan() {
                otherwise
            } else {
                percent.clamp(0.0, 100.0) / 100.0
            }
        };
        let deviation = within(deviation_percent, 0.0);
        Self {
            last,
            count: last as f64 + 1.0,
            // Inside of a position, so that one at the edge is drawn too.
            centre: last as f64 * within(centre_percent, 0.5) + 0.5,
            deviation: (last as f64 + 1.0) * deviation,
            wide: deviation > WIDE,
        }
    }

    #[inline]
    fn draw(&self, random: &mut Random) -> u64 {
        loop {
            let place = if self.wide {
                let place = fraction(random) * self.count;
                let away = (place - self.centre) / self.deviation;
                if fraction(random) >= (-0.5 * away * away).exp() {
                    continue;
                }
                place
            } else {
                // Above 0, which has no logarithm.
                let length = (-2.0 * (1.0 - fraction(random)).ln()).sqrt();
                self.centre + self.deviation * length * (TAU * fraction(random)).cos()
            };
            if (0.0..self.count).contains(&place) {
                return (place as u64).min(self.last);
            }
        }
    }
}

/// A number from 0 to below 1: 53 bits of a draw.
#[inline]
fn fraction(random: &mut Random) -> f64 {
    (random.draw() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}
