//! What the figures of a workload answer, in a sentence.

mod limit;
mod marks;
mod search;
mod throughput;

pub(super) use search::Search;

use super::Report;
use crate::{
    profiles::Question,
    report::text::amount,
    results::{Outcome, Results},
};

/// Sentences about one time span; none where the workload asks nothing, or nothing was measured.
pub(super) fn of(report: &Report, results: &Results, index: usize) -> Vec<String> {
    let Some(span) = results.spans.get(index).filter(|span| span.has_figures()) else {
        return Vec::new();
    };
    let Some(resolved) = report.resolved.as_deref() else {
        return Vec::new();
    };
    let mut lines = match resolved.question {
        Question::None => Vec::new(),
        Question::Throughput => throughput::answer(resolved, report.db_size, results, index),
        Question::Marks => marks::answer(resolved, results, index),
        Question::Limit => limit::answer(resolved, results, index),
    };
    if span.outcome != Outcome::Finished
        && let Some(first) = lines.first_mut()
    {
        first.insert_str(0, "So far: ");
    }
    lines
}

/// `4,100 transactions a second`.
fn at_rate(rate: f64, unit: &str) -> String {
    let unit = if unit.is_empty() { "I/Os" } else { unit };
    format!("{} {unit} a second", amount(rate))
}

#[cfg(test)]
mod tests;
