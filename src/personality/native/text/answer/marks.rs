//! Latencies against their marks, and only at a stated rate: in a closed loop the mean latency is
//! what is in flight over the rate, whatever the target does at the server's real load.

use super::{at_rate, rate_of};
use crate::{
    personality::native::text::table,
    plan::Direction,
    profiles::{Mark, Resolved, Verdict},
    report::text::{amount, in_milliseconds, span_of_time},
    results::{LatencyFigures, OperationKind, Pace, Results, Row, mean_with_flushes},
};

/// A mark, and what was measured for it.
#[derive(Debug, Clone)]
pub(super) struct Judged<'a> {
    pub(super) mark: &'a Mark,
    /// Mean in milliseconds, the share of flushes included.
    pub(super) mean_ms: f64,
    p99_ms: Option<f64>,
    max_ms: f64,
    pub(super) verdict: Verdict,
}

impl Judged<'_> {
    pub(super) fn keeps(&self) -> bool {
        self.verdict.keeps()
    }
}

/// A sentence for the load, and one for each mark.
pub(super) fn answer(resolved: &Resolved, results: &Results, index: usize) -> Vec<String> {
    let rows = results.rows(index);
    if !rows.iter().any(|row| row.pace == Pace::Open) {
        return closed(resolved, results, index, &rows);
    }
    let name = results.planned(index).map_or("", |planned| &planned.name);
    let mut lines: Vec<String> = rate_of(name)
        .map(|rate| format!("At {}:", at_rate(rate, &resolved.rate_unit)))
        .into_iter()
        .collect();
    let judged = judge(resolved, &rows);
    if lines.is_empty() && !judged.is_empty() {
        lines.push("At the rate that was asked:".to_owned());
    }
    lines.extend(judged.iter().map(told));
    lines
}

/// What was measured for each mark; without one that nothing was measured for.
pub(super) fn judge<'a>(resolved: &'a Resolved, rows: &[Row]) -> Vec<Judged<'a>> {
    let marks = resolved.marks.iter();
    marks.filter_map(|mark| judged(mark, rows)).collect()
}

fn judged<'a>(mark: &'a Mark, rows: &[Row]) -> Option<Judged<'a>> {
    let kind = match mark.direction {
        Direction::Read => OperationKind::Read,
        Direction::Write => OperationKind::Write,
    };
    let row = rows
        .iter()
        .find(|row| row.group == mark.group && row.kind == kind)?;
    let figures = LatencyFigures::of(row.latency());
    let (mean_ms, max_ms) = (mean_with_flushes(row, rows)?, figures.max?);
    Some(Judged {
        mark,
        mean_ms,
        p99_ms: figures.p99,
        max_ms,
        verdict: mark.judge(mean_ms, max_ms),
    })
}

/// `  log write 0.8 ms: good (<= 1 ms), p99 2.4 ms`.
fn told(judged: &Judged<'_>) -> String {
    let mark = judged.mark;
    let bound = match judged.verdict {
        Verdict::Good => format!("<= {}", limit(mark.good_ms)),
        Verdict::Acceptable => format!("<= {}", limit(mark.acceptable_ms)),
        Verdict::Slow => format!("> {}", limit(mark.acceptable_ms)),
        Verdict::Bad if judged.mean_ms > mark.slow_ms => format!("> {}", limit(mark.slow_ms)),
        Verdict::Bad => {
            let longest = std::time::Duration::try_from_secs_f64(judged.max_ms / 1e3);
            format!("one took {}", span_of_time(longest.unwrap_or_default()))
        }
    };
    let p99 = judged.p99_ms.map_or(String::new(), |p99| {
        format!(", p99 {}", in_milliseconds(p99))
    });
    format!(
        "  {} {}: {} ({bound}){p99}",
        mark.group,
        in_milliseconds(judged.mean_ms),
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
