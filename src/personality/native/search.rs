//! The highest rate at which a workload keeps its marks: doubled until they break, then halved
//! between, then confirmed once.
//!
//! [`Search`] knows rates only; [`judge`] says of a measured time span whether it kept the marks, and
//! [`following`] makes a run of the two. What came of it is read off the results ([`outcome`]), so
//! that a report says the same of a run whenever it is made.

use std::time::Duration;

use crate::{
    personality::Next,
    plan::{Direction, TimeSpan},
    profiles::{Mark, Rate},
    results::{Outcome as Ending, Results},
};

/// Where a search begins, a second.
pub const FIRST: f64 = 100.0;
/// Below this nothing is searched.
const RATE_MIN: f64 = 1.0;
/// Above this nothing is searched.
const RATE_MAX: f64 = 1e8;
/// A rate that keeps the marks and one that breaks them are no further apart than this in the end.
const NEAR: f64 = 1.05;
/// Time spans of a search at most: more than its worst course needs by far.
const STEPS_MAX: u32 = 48;
/// Share of what was due that must be done.
const KEEPS_UP: f64 = 0.99;

/// A search under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Rates that kept the marks, ascending.
    kept: Vec<f64>,
    /// The lowest that broke them.
    broke: Option<f64>,
    /// What is being measured.
    asked: Asked,
    steps: u32,
}

/// A rate to be measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// A second.
    pub per_second: f64,
    /// Why.
    pub purpose: Purpose,
}

/// Why a rate is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To come nearer.
    Step,
    /// To confirm the answer.
    Confirm,
}

impl Search {
    /// Begins at this rate, which is the first to be measured.
    pub fn new(per_second: f64) -> Self {
        Self {
            kept: Vec::new(),
            broke: None,
            asked: Asked {
                per_second: round(per_second.clamp(RATE_MIN, RATE_MAX)),
                purpose: Purpose::Step,
            },
            steps: 1,
        }
    }

    /// What is to be measured now.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Takes whether the marks were kept; says what is measured next, `None` at the end.
    pub fn next(&mut self, kept: bool) -> Option<Asked> {
        let rate = self.asked.per_second;
        match (kept, self.asked.purpose) {
            (true, Purpose::Confirm) => return None,
            (true, Purpose::Step) => self.kept.push(rate),
            (false, _) => {
                self.broke = Some(rate);
                self.kept.retain(|kept| *kept < rate);
            }
        }
        if self.steps >= STEPS_MAX {
            return None;
        }
        self.steps += 1;
        self.asked = self.choose()?;
        Some(self.asked)
    }

    fn choose(&self) -> Option<Asked> {
        let step = |per_second: f64| Asked {
            per_second: round(per_second),
            purpose: Purpose::Step,
        };
        let confirm = |per_second| Asked {
            per_second,
            purpose: Purpose::Confirm,
        };
        match (self.kept.last().copied(), self.broke) {
            // Nothing broke them: the answer is the highest rate there is.
            (Some(low), None) if low * 2.0 > RATE_MAX => Some(confirm(low)),
            (Some(low), None) => Some(step(low * 2.0)),
            (None, Some(high)) if high <= RATE_MIN => None,
            (None, Some(high)) => Some(step((high / 2.0).max(RATE_MIN))),
            (Some(low), Some(high)) => {
                let between = step((low * high).sqrt());
                let inside = low < between.per_second && between.per_second < high;
                if high / low <= NEAR || !inside {
                    Some(confirm(low))
                } else {
                    Some(between)
                }
            }
            (None, None) => None,
        }
    }
}

/// Three digits: a person reads the answer, and it is no nearer than that.
fn round(rate: f64) -> f64 {
    let digits = rate.max(RATE_MIN).log10().floor() - 2.0;
    if digits >= 0.0 {
        let unit = 10_f64.powf(digits);
        (rate / unit).round() * unit
    } else {
        let parts = 10_f64.powf(-digits);
        (rate * parts).round() / parts
    }
}

/// Whether a time span kept the marks.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// All of them, at the rate that was asked for.
    Yes,
    /// A mean (or a percentile) was beyond its mark.
    Slow {
        /// The group.
        group: String,
        /// Reads or writes of it.
        direction: Direction,
        /// What it took in the mean (or at the percentile).
        took_ms: f64,
        /// What it may take.
        mark_ms: f64,
    },
    /// The load fell behind its schedule.
    Behind {
        /// The group.
        group: String,
        /// Share of what was due that was done.
        share: f64,
    },
    /// There are no whole figures.
    NotMeasured,
}

/// Judges the time span with this number, from 0: the mark that is broken the most decides.
pub fn judge(results: &Results, index: usize, marks: &[Mark]) -> Kept {
    let span = results.spans.get(index);
    if span.is_none_or(|span| span.outcome != Ending::Finished) {
        return Kept::NotMeasured;
    }
    let mut worst: Option<(f64, Kept)> = None;
    let mut consider = |mark: &Mark, took_ms: f64, mark_ms: f64| {
        let times = took_ms / mark_ms;
        if times > 1.0 && worst.as_ref().is_none_or(|(known, _)| times > *known) {
            let slow = Kept::Slow {
                group: mark.group.clone(),
                direction: mark.direction,
                took_ms,
                mark_ms,
            };
            worst = Some((times, slow));
        }
    };
    for mark in marks {
        let Some(felt) = results.felt(index, &mark.group, mark.direction) else {
            continue;
        };
        consider(mark, felt.mean_ms(), mark.acceptable_ms);
        if !mark.judge(0.0, felt.max_ms()).keeps() {
            consider(mark, felt.max_ms(), mark.slow_ms);
        }
        if let Some((fraction, limit_ms)) = mark.percentile {
            consider(mark, felt.percentile_ms(fraction), limit_ms);
        }
    }
    if let Some((_, slow)) = worst {
        return slow;
    }
    let demands = results.demands(index).into_iter();
    demands
        .map(|demand| (demand.share(), demand.group))
        .filter(|(share, _)| *share < KEEPS_UP)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(Kept::Yes, |(share, group)| Kept::Behind { group, share })
}

/// How long the time spans of a search are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// Load before each step's measured time.
    pub warmup: Duration,
    /// Measured time of a step.
    pub step: Duration,
    /// Measured time of the confirmation.
    pub confirm: Duration,
}

impl Lengths {
    /// Of a search where this duration and this warm-up were asked for: the answer is confirmed over
    /// all of it; steps are a third of it, from 2 to 10 seconds.
    pub fn of(duration: Duration, warmup: Duration) -> Self {
        let step = (duration / 3).clamp(Duration::from_secs(2), Duration::from_secs(10));
        Self {
            warmup: warmup.min(step / 4),
            step,
            confirm: duration.max(step),
        }
    }

    /// For this purpose: warm-up, then measured time.
    pub fn get(self, purpose: Purpose) -> (Duration, Duration) {
        match purpose {
            Purpose::Step => (self.warmup, self.step),
            Purpose::Confirm => (self.warmup, self.confirm),
        }
    }
}

/// The time spans behind the first, which measures [`Search::asked`]. `make` makes one at a rate and
/// says nothing more where it cannot. The rates are as random as `poisson` says.
pub fn following(
    mut search: Search,
    marks: Vec<Mark>,
    poisson: bool,
    mut make: impl FnMut(Rate, Purpose) -> Option<TimeSpan> + 'static,
) -> Box<Next> {
    Box::new(move |results: &Results| {
        let last = results.spans.len().checked_sub(1)?;
        let kept = match judge(results, last, &marks) {
            Kept::NotMeasured => return None,
            kept => kept == Kept::Yes,
        };
        let asked = search.next(kept)?;
        let rate = Rate {
            per_second: asked.per_second,
            poisson,
        };
        make(rate, asked.purpose)
    })
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The highest rate that kept the marks and was confirmed; `None` if none was.
    pub carries: Option<f64>,
    /// The time span that says so.
    pub confirmed_by: Option<usize>,
    /// The lowest rate above it that broke them, and how.
    pub broke: Option<(f64, Kept)>,
}

/// What the time spans of a search say. Their names carry the rates ("rate 4100").
pub fn outcome(results: &Results, marks: &[Mark]) -> Outcome {
    let judged: Vec<(usize, f64, Kept)> = results
        .plan
        .spans()
        .enumerate()
        .take(results.spans.len())
        .filter_map(|(index, span)| Some((index, rate_of(span)?, judge(results, index, marks))))
        .collect();
    // The confirmation is the last, and repeats a rate; a search that was cut short has none.
    let confirmed = judged.last().filter(|(index, rate, kept)| {
        let again =
            |(other, at, _): &(usize, f64, Kept)| other != index && at.total_cmp(rate).is_eq();
        *kept == Kept::Yes && judged.iter().any(again)
    });
    let carries = confirmed.map(|(_, rate, _)| *rate);
    let broke = judged
        .iter()
        .filter(|(_, rate, kept)| {
            let above = carries.is_none_or(|carries| *rate > carries);
            above && !matches!(kept, Kept::Yes | Kept::NotMeasured)
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(_, rate, kept)| (*rate, kept.clone()));
    Outcome {
        carries,
        confirmed_by: confirmed.map(|(index, _, _)| *index),
        broke,
    }
}

/// The rate that a time span's name carries.
pub fn rate_of(span: &TimeSpan) -> Option<f64> {
    span.name.strip_prefix("rate ")?.parse().ok()
}

#[cfg(test)]
mod tests;
