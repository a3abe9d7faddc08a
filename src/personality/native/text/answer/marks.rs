//! Latencies against their marks, and only at a stated rate: in a closed loop the mean latency is
//! what is in flight over the rate, whatever the target does at the server's real load.

use std::time::Duration;

use super::at_rate;
use crate::{
    personality::native::{
        search::rate_of,
        text::{named, table},
    },
    plan::Direction,
    profiles::{Mark, Resolved, Verdict},
    report::text::{amount, in_milliseconds, span_of_time},
    results::{Felt, OperationKind, Results, Row, percentile_ms},
};

/// A mark, and what was measured for it.
#[derive(Debug, Clone)]
struct Judged<'a> {
    mark: &'a Mark,
    felt: Felt,
    p99_ms: Option<f64>,
    verdict: Verdict,
}

/// A sentence for the load, and one for each mark.
pub(super) fn answer(resolved: &Resolved, results: &Results, index: usize) -> Vec<String> {
    let rows = results.rows(index);
    if !rows.iter().any(|row| row.pace.is_open()) {
        return closed(resolved, results, index, &rows);
    }
    let mut lines: Vec<String> = results
        .planned(index)
        .and_then(rate_of)
        .map(|rate| format!("At {}:", at_rate(rate, &resolved.rate_unit)))
        .into_iter()
        .collect();
    let marks = resolved.marks.iter();
    let judged: Vec<Judged<'_>> = marks
        .filter_map(|mark| judged(mark, results, index, &rows))
        .collect();
    if lines.is_empty() && !judged.is_empty() {
        lines.push("At the rate that was asked:".to_owned());
    }
    lines.extend(judged.iter().map(told));
    lines
}

/// What was measured for a mark; `None` where nothing was.
fn judged<'a>(mark: &'a Mark, results: &Results, index: usize, rows: &[Row]) -> Option<Judged<'a>> {
    let felt = results.felt(index, &mark.group, mark.direction)?;
    let own = rows.iter().filter(|row| row.group == mark.group);
    let flushes = own.clone().any(Row::is_flush);
    let kind = match mark.direction {
        Direction::Read => OperationKind::Read,
        Direction::Write => OperationKind::Write,
    };
    // The percentile of a write and its flush together is in neither's histogram.
    let row = own.filter(|row| !flushes && row.kind == kind);
    let p99_ms = row.map(|row| percentile_ms(row.latency(), 0.99)).next();
    let verdict = mark.judge(felt.mean_ms(), felt.max_ms());
    Some(Judged {
        mark,
        felt,
        p99_ms: p99_ms.flatten(),
        verdict,
    })
}

/// `  log write 0.8 ms: good (<= 1 ms), p99 2.4 ms`.
fn told(judged: &Judged<'_>) -> String {
    let mark = judged.mark;
    let bound = match judged.verdict {
        Verdict::Good => format!("<= {}", limit(mark.good_ms)),
        Verdict::Acceptable => format!("<= {}", limit(mark.acceptable_ms)),
        Verdict::Slow => format!("> {}", limit(mark.acceptable_ms)),
        Verdict::Bad if judged.felt.mean_ms() > mark.slow_ms => {
            format!("> {}", limit(mark.slow_ms))
        }
        Verdict::Bad => {
            let longest = Duration::try_from_secs_f64(judged.felt.max_ms() / 1e3);
            format!("one took {}", span_of_time(longest.unwrap_or_default()))
        }
    };
    let p99 = judged.p99_ms.map_or(String::new(), |p99| {
        format!(", p99 {}", in_milliseconds(p99))
    });
    format!(
        "  {} {}: {} ({bound}){p99}",
        named(&mark.group),
        in_milliseconds(judged.felt.mean_ms()),
        judged.verdict.word()
    )
}

/// A mark as it was written: `1 ms`, `0.5 ms`.
pub(super) fn limit(ms: f64) -> String {
    if (ms - ms.round()).abs() < 1e-9 {
        format!("{ms:.0} ms")
    } else {
        format!("{ms} ms")
    }
}

fn closed(resolved: &Resolved, results: &Results, index: usize, rows: &[Row]) -> Vec<String> {
    let Some(span) = results.spans.get(index) else {
        return Vec::new();
    };
    let marked = rows
        .iter()
        .filter(|row| resolved.marks.iter().any(|mark| mark.group == row.group));
    let rates: Vec<String> = marked
        .filter(|row| !row.is_flush())
        .map(|row| {
            let rate = row.rates(span.measured).per_second;
            format!("{} {} a second", table::label(row, rows), amount(rate))
        })
        .collect();
    if rates.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "At most: {}. Latencies of a load without a rate are those of its own queue, not of a \
         server's load: --rate N judges them.",
        rates.join(", ")
    )]
}
