//! The highest rate that keeps the marks, from the rates that were tried.

use super::{
    at_rate,
    marks::{Judged, judge, limit},
    rate_of,
};
use crate::{
    personality::native::text::load::listed,
    profiles::{Question, Resolved},
    report::text::{amount, in_milliseconds},
    results::{Results, Row},
};

/// Rates that were tried one after the other.
#[derive(Debug, Clone)]
pub(in crate::personality::native::text) struct Search<'a> {
    resolved: &'a Resolved,
    tried: Vec<Tried<'a>>,
}

/// One of them.
#[derive(Debug, Clone)]
struct Tried<'a> {
    index: usize,
    rate: f64,
    judged: Vec<Judged<'a>>,
    /// The first group whose rate was not reached.
    behind: Option<String>,
}

impl Tried<'_> {
    fn keeps(&self) -> bool {
        self.behind.is_none() && self.judged.iter().all(Judged::keeps)
    }

    /// Why it does not keep the marks.
    fn reason(&self) -> String {
        let broken = self.judged.iter().find(|judged| !judged.keeps());
        match (broken, &self.behind) {
            (Some(judged), _) => format!(
                "{} took {}",
                judged.mark.group,
                in_milliseconds(judged.mean_ms)
            ),
            (None, Some(group)) => format!("{group} fell behind"),
            (None, None) => "the marks were kept".to_owned(),
        }
    }
}

impl<'a> Search<'a> {
    /// `None` where no rates were searched.
    pub(in crate::personality::native::text) fn of(
        results: &Results,
        resolved: Option<&'a Resolved>,
    ) -> Option<Self> {
        let resolved = resolved.filter(|resolved| resolved.question == Question::Marks)?;
        let mut tried = Vec::new();
        for (index, span) in results.spans.iter().enumerate() {
            let name = results.planned(index).map_or("", |planned| &planned.name);
            let Some(rate) = rate_of(name).filter(|_| span.has_figures()) else {
                continue;
            };
            let rows = results.rows(index);
            let late = rows.iter().find(|row| Row::fell_behind(row));
            tried.push(Tried {
                index,
                rate,
                judged: judge(resolved, &rows),
                behind: late.map(|row| match row.group.as_str() {
                    "" => "the load".to_owned(),
                    group => group.to_owned(),
                }),
            });
        }
        let first = tried.first()?.rate;
        let several = tried.iter().any(|tried| (tried.rate - first).abs() > 0.0);
        several.then_some(Self { resolved, tried })
    }

    /// The time span that the answer rests on: the last at the highest rate that was kept, else the
    /// last at the lowest that was tried.
    pub(in crate::personality::native::text) fn index(&self) -> usize {
        self.carried()
            .or_else(|| self.tried.iter().min_by(|a, b| a.rate.total_cmp(&b.rate)))
            .map_or(0, |tried| tried.index)
    }

    /// The last at the highest rate below the lowest that broke a mark: one that was kept once and
    /// broken once is not carried.
    fn carried(&self) -> Option<&Tried<'a>> {
        let broken = self.broken().map_or(f64::INFINITY, |tried| tried.rate);
        self.tried
            .iter()
            .filter(|tried| tried.keeps() && tried.rate < broken)
            .max_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    /// The lowest rate that broke a mark.
    fn broken(&self) -> Option<&Tried<'a>> {
        let broken = self.tried.iter().filter(|tried| !tried.keeps());
        broken.min_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    /// The answer.
    pub(in crate::personality::native::text) fn sentence(&self) -> String {
        let unit = &self.resolved.rate_unit;
        let broken = self.broken();
        let Some(carried) = self.carried() else {
            let Some(broken) = broken else {
                return String::new();
            };
            return format!(
                "Does not carry {}, the lowest rate that was tried: {}.",
                at_rate(broken.rate, unit),
                broken.reason()
            );
        };
        let within: Vec<String> = carried
            .judged
            .iter()
            .map(|judged| {
                let mark = judged.mark;
                format!("{} within {}", mark.group, limit(mark.acceptable_ms))
            })
            .collect();
        let with = if within.is_empty() {
            String::new()
        } else {
            format!(" with {}", listed(&within))
        };
        let rate = at_rate(carried.rate, unit);
        match broken {
            Some(broken) => format!(
                "Carries {rate}{with}; at {} {}.",
                amount(broken.rate),
                broken.reason()
            ),
            None => format!("Carries at least {rate}{with}; nothing higher was tried."),
        }
    }
}
