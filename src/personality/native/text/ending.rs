//! How a run ended, where it did not end as planned: the first line.

use super::named;
use crate::{
    plan::condition::Figure,
    report::text::{Page, milliseconds, span_of_time, whole},
    results::{self, Blown, EndReason, Failure, Outcome, Results, SpanResult},
    units::words::size,
};

/// Failures that are told; of more, only how many there are.
const TOLD: usize = 2;

/// Writes nothing of a run that went as planned, nor of one that was refused or failed before it
/// had a figure: that is no report, but a message for standard error.
pub(super) fn write(page: &mut Page, results: &Results) {
    let failures: Vec<&Failure> = results
        .spans
        .iter()
        .flat_map(|span| &span.failures)
        .chain(&results.failures)
        .collect();
    if !failures.is_empty() && !results.spans.iter().any(SpanResult::has_figures) {
        return;
    }
    if let Some(line) = line(results) {
        page.wrapped(&line);
    } else if !failures.is_empty() {
        page.line("FINISHED, but something failed:");
    }
    for failure in failures.iter().take(TOLD) {
        page.wrapped(&format!("  {}", failure.message));
    }
    if let Some(more @ 1..) = failures.len().checked_sub(TOLD) {
        page.line(&format!("  and {more} more"));
    }
}

fn line(results: &Results) -> Option<String> {
    let early = results.spans.iter().enumerate().find_map(|(index, span)| {
        let (reason, measured) = match span.outcome {
            Outcome::Finished => return None,
            Outcome::EndedEarly(reason) => (reason, true),
            Outcome::NotMeasured(reason) => (reason, false),
        };
        Some((index, span, reason, measured))
    });
    let Some((index, span, reason, measured)) = early else {
        let reason = results.ended?;
        if results.spans.iter().any(SpanResult::has_figures) {
            return Some(format!(
                "{} after the load: the figures are whole.",
                word(reason)
            ));
        }
        return Some(format!("{}: nothing was measured.", word(reason)));
    };
    let which = which(results, index);
    Some(if let EndReason::Fuse(blown) = reason {
        format!(
            "ENDED EARLY by {}, after {}{}: it was {} in the interval that ended at {}; the figures \
             cover that part.",
            blown.condition,
            span_of_time(span.measured),
            of(&which),
            figure(&blown),
            span_of_time(blown.at),
        )
    } else if measured {
        let planned = results
            .planned(index)
            .and_then(|planned| planned.stop.after)
            .map_or(String::new(), |after| {
                format!(" of {}", span_of_time(after))
            });
        format!(
            "{} after {}{planned}{}: the figures cover that part.",
            word(reason),
            span_of_time(span.measured),
            of(&which)
        )
    } else if results.spans.iter().any(SpanResult::has_figures) {
        format!("{} before {which} was measured.", word(reason))
    } else {
        format!("{} before anything was measured.", word(reason))
    })
}

fn of(which: &str) -> String {
    if which.is_empty() {
        String::new()
    } else {
        format!(" of {which}")
    }
}

/// The figure that ended a load, with its unit.
fn figure(blown: &Blown) -> String {
    let value = blown.value as f64;
    match blown.condition.figure {
        Figure::Iops => format!("{} I/Os a second", whole(value)),
        Figure::Throughput => format!("{} a second", size(blown.value)),
        _ => milliseconds(results::milliseconds(value)),
    }
}

/// Which of several time spans.
fn which(results: &Results, index: usize) -> String {
    if results.spans.len() < 2 {
        return String::new();
    }
    let name = results.planned(index).map_or("", |planned| &planned.name);
    match name {
        "" => format!("time span {}", index + 1),
        name => format!("'{}'", named(name)),
    }
}

fn word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Interrupted => "INTERRUPTED",
        EndReason::Failed => "FAILED",
        EndReason::Fuse(_) => "ENDED EARLY",
        EndReason::LeftBehind => "ENDED WITH THREADS LEFT BEHIND",
    }
}
