//! Yes or no: is a percentile below its limit?

use crate::{
    personality::native::text::{named, table::kind},
    plan::Direction,
    profiles::{Mark, Resolved},
    report::text::in_milliseconds,
    results::{OperationKind, Results, Row, percentile_ms},
    units::words::grouped,
};

/// A sentence for each mark that has a limit.
pub(super) fn answer(resolved: &Resolved, results: &Results, index: usize) -> Vec<String> {
    let rows = results.rows(index);
    let marks = resolved.marks.iter();
    marks
        .filter_map(|mark| Some(sentence(mark, judged(mark, &rows)?)))
        .flatten()
        .collect()
}

/// What a limit is about: the group's flushes where it flushes.
fn judged<'a>(mark: &Mark, rows: &'a [Row]) -> Option<&'a Row> {
    let kind = match mark.direction {
        Direction::Read => OperationKind::Read,
        Direction::Write => OperationKind::Write,
    };
    let of_group = || rows.iter().filter(|row| row.group == mark.group);
    of_group()
        .find(|row| row.is_flush())
        .or_else(|| of_group().find(|row| row.kind == kind))
}

fn sentence(mark: &Mark, row: &Row) -> Option<String> {
    let (fraction, limit) = mark.percentile?;
    let what = if row.is_flush() {
        kind(row.kind).to_owned()
    } else {
        named(&mark.group)
    };
    let percentile = format!("p{}", percent(fraction));
    let bound = in_milliseconds(limit);
    let Some(ms) = percentile_ms(row.latency(), fraction) else {
        return Some(format!(
            "No answer: {} of {what} are too few for a {percentile}.",
            grouped(row.stats.count)
        ));
    };
    let (word, side) = if ms < limit {
        ("Yes", "below")
    } else {
        ("No", "not below")
    };
    let ms = in_milliseconds(ms);
    Some(format!(
        "{word}: {percentile} of {what} {ms}, {side} {bound} ({})",
        mark.source
    ))
}

/// `99`, `99.9`.
fn percent(fraction: f64) -> f64 {
    (fraction * 1e6).round() / 1e4
}
