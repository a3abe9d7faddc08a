//! Operations a second over time: a curve, three figures, a word.

use std::time::Duration;

use super::{load::listed, named};
use crate::{
    plan::steady::WINDOWS,
    report::text::{Page, amount, percent, span_of_time, sparkline, whole},
    results::{Course, Pace, Results, Row, Steadiness},
};

/// Columns of the curve at most.
const COLUMNS: usize = 60;
/// Rates from here on are told with a letter.
const LARGE: f64 = 1e6;

/// Writes the course of a time span, where it has one.
pub(super) fn write(page: &mut Page, results: &Results, index: usize) {
    let course = results.course(index);
    let (Some(min), Some(median), Some(max)) = (course.min(), course.median(), course.max()) else {
        return;
    };
    // One mark is no curve.
    if course.rates.len() < 2 {
        return;
    }
    let curve = sparkline(&course.columns(COLUMNS), page.form().charset);
    page.gap();
    page.line(&format!("IOPS over time  {curve}"));
    page.wrapped(&format!(
        "  by {}{}: min {}, median {}, max {}: {}",
        interval(course.interval),
        without(&results.rows(index)),
        alike(min, max),
        alike(median, max),
        alike(max, max),
        word(results, index, &course)
    ));
}

/// A rate with as many digits behind the point as the largest of its line; one that is not nothing
/// does not look like it.
fn alike(rate: f64, max: f64) -> String {
    match max {
        max if max >= LARGE || (rate > 0.0 && rate < 0.5) => amount(rate),
        max if max >= 99.95 => whole(rate),
        max if max >= 9.995 => format!("{rate:.1}"),
        _ => format!("{rate:.2}"),
    }
}

/// Groups that the course leaves out.
fn without(rows: &[Row]) -> String {
    let mut names: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row.pace == Pace::Bursts) {
        let name = named(&row.group);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() || rows.iter().all(|row| row.pace == Pace::Bursts) {
        return String::new();
    }
    format!(" without {}", listed(&names))
}

fn interval(length: Duration) -> String {
    if length == Duration::from_secs(1) {
        "the second".to_owned()
    } else {
        span_of_time(length)
    }
}

/// Whether it is steady, by the rule that the load has for it or by ours.
fn word(results: &Results, index: usize, course: &Course) -> String {
    let settled = results.spans.get(index).and_then(|span| span.steady);
    let asked = results
        .planned(index)
        .and_then(|planned| planned.stop.steady);
    match (settled, asked) {
        (Some(settled), _) => format!("steady in the last {}", span_of_time(settled.length())),
        (None, Some(_)) => "NOT STEADY by --until-steady".to_owned(),
        (None, None) => steadiness(course),
    }
}

/// When it was steady, and which figures these are.
pub(super) fn settled(results: &Results, index: usize) -> Option<String> {
    let settled = results.spans.get(index)?.steady?;
    let bounds = results.planned(index)?.stop.steady?;
    Some(format!(
        "Steady after {}: over the last {WINDOWS} windows of {} the range is {} of the mean (at most \
         {} %), the slope {}{} (at most {} %). The figures are of these {}.",
        span_of_time(settled.after),
        span_of_time(settled.window),
        percent(settled.apart.range_percent),
        bounds.range_percent,
        if settled.apart.slope_percent < 0.0 {
            "-"
        } else {
            ""
        },
        percent(settled.apart.slope_percent.abs()),
        bounds.slope_percent,
        span_of_time(settled.length())
    ))
}

fn steadiness(course: &Course) -> String {
    match course.steadiness() {
        Steadiness::TooShort => "too short to say whether it is steady".to_owned(),
        Steadiness::Steady => "steady".to_owned(),
        Steadiness::Drifting(drift) => {
            let way = if drift < 0.0 { "below" } else { "above" };
            format!(
                "NOT STEADY, the last half is {} {way} the first",
                percent(drift.abs())
            )
        }
        Steadiness::Uneven(deviation) => {
            format!("NOT STEADY, it varies by {}", percent(deviation))
        }
    }
}
