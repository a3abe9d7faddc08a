//! The highest rate that keeps the marks, from the rates that were tried.

use super::{at_rate, marks::limit};
use crate::{
    personality::native::{
        search::{Kept, Outcome, judge, outcome, rate_of},
        text::load::listed,
    },
    profiles::{Question, Resolved},
    report::text::{amount, in_milliseconds, percent},
    results::Results,
};

/// Rates that were tried one after the other.
#[derive(Debug, Clone)]
pub(in crate::personality::native::text) struct Search<'a> {
    resolved: &'a Resolved,
    tried: Vec<Tried>,
    outcome: Outcome,
}

/// One of them.
#[derive(Debug, Clone)]
struct Tried {
    index: usize,
    rate: f64,
    kept: Kept,
}

impl<'a> Search<'a> {
    /// `None` where no rates were searched.
    pub(in crate::personality::native::text) fn of(
        results: &Results,
        resolved: Option<&'a Resolved>,
    ) -> Option<Self> {
        let resolved = resolved.filter(|resolved| resolved.question == Question::Marks)?;
        let tried: Vec<Tried> = (0..results.spans.len())
            .filter(|index| results.spans[*index].has_figures())
            .filter_map(|index| {
                Some(Tried {
                    index,
                    rate: rate_of(results.planned(index)?)?,
                    kept: judge(results, index, &resolved.marks),
                })
            })
            .collect();
        (tried.len() > 1).then(|| Self {
            resolved,
            tried,
            outcome: outcome(results, &resolved.marks),
        })
    }

    /// The time span that the answer rests on.
    pub(in crate::personality::native::text) fn index(&self) -> usize {
        let lowest = || self.tried.iter().min_by(|a, b| a.rate.total_cmp(&b.rate));
        self.outcome
            .confirmed_by
            .or_else(|| Some(self.best()?.index))
            .or_else(|| Some(lowest()?.index))
            .unwrap_or(0)
    }

    /// The highest rate that was kept, below all that were not.
    fn best(&self) -> Option<&Tried> {
        let broken = self.lowest_broken();
        let below = |tried: &&Tried| broken.is_none_or(|broken| tried.rate < broken.rate);
        self.tried
            .iter()
            .filter(|tried| tried.kept == Kept::Yes)
            .filter(below)
            .max_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    fn lowest_broken(&self) -> Option<&Tried> {
        self.tried
            .iter()
            .filter(|tried| !matches!(tried.kept, Kept::Yes | Kept::NotMeasured))
            .min_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    /// The answer.
    pub(in crate::personality::native::text) fn sentence(&self, results: &Results) -> String {
        let unit = &self.resolved.rate_unit;
        if let Some(rate) = self.outcome.carries {
            let end = match &self.outcome.broke {
                Some((broken, kept)) => format!("at {} {}", amount(*broken), reason(kept)),
                None => "nothing higher was tried".to_owned(),
            };
            let with = self.within(results);
            return format!("Carries {}{with}; {end}.", at_rate(rate, unit));
        }
        if let Some(best) = self.best() {
            return format!(
                "The search did not end: {} kept the marks once.",
                at_rate(best.rate, unit)
            );
        }
        match self.lowest_broken() {
            Some(broken) => format!(
                "Does not carry {}, the lowest rate that was tried: {}.",
                at_rate(broken.rate, unit),
                reason(&broken.kept)
            ),
            None => "The search did not end: no rate was measured whole.".to_owned(),
        }
    }

    /// ` with data read within 10 ms and log write within 5 ms`.
    fn within(&self, results: &Results) -> String {
        let index = self.index();
        let within: Vec<String> = self
            .resolved
            .marks
            .iter()
            .filter(|mark| results.felt(index, &mark.group, mark.direction).is_some())
            .map(|mark| format!("{} within {}", mark.group, limit(mark.acceptable_ms)))
            .collect();
        if within.is_empty() {
            String::new()
        } else {
            format!(" with {}", listed(&within))
        }
    }
}

/// Why a rate was not kept.
fn reason(kept: &Kept) -> String {
    match kept {
        Kept::Slow { group, took_ms, .. } => {
            format!("{group} took {}", in_milliseconds(*took_ms))
        }
        Kept::Behind { group, share } => {
            let group = match group.as_str() {
                "" => "the load",
                group => group,
            };
            format!(
                "{group} did only {} of what was due",
                percent(100.0 * share)
            )
        }
        Kept::Yes => "the marks were kept".to_owned(),
        Kept::NotMeasured => "nothing was measured".to_owned(),
    }
}
