//! How long a sweep will take, said before it begins.

use std::time::Duration;

use super::{asked::Asked, edge::Edge};
use crate::{plan::Plan, report::text::span_of_time, units::words::plural};

/// `7 points of 6 s: 42 s; then up to 7 more for the limit: 1 min 24 s in all at most`.
pub(super) fn sentence(plan: &Plan, asked: &Asked, edge: Option<Edge<'_>>) -> Option<String> {
    let spans = || plan.spans();
    let lengths: Option<Vec<Duration>> = spans()
        .map(|span| Some(span.warmup + span.stop.after? + span.cooldown))
        .collect();
    let count = plural(spans().count() as u64, "point");
    // Ended by something else than a time.
    let Some(lengths) = lengths else {
        return Some(format!("iogauge: {count}, each until its limit"));
    };
    let all: Duration = lengths.iter().sum();
    let longest = lengths.iter().max()?;
    let more = match edge {
        None => 0,
        Some(edge) if !asked.limits.is_empty() => edge.beyond_grid(),
        Some(_) => u64::from(asked.repeat),
    };
    let each = span_of_time(*longest);
    let mut text = format!("iogauge: {count} of {each}: {}", span_of_time(all));
    if more > 0 {
        let why = if asked.limits.is_empty() {
            "to look again"
        } else {
            "for the limit"
        };
        let longest = longest.as_secs_f64() * more as f64;
        let whole = Duration::try_from_secs_f64(all.as_secs_f64() + longest).ok()?;
        let bound = if asked.limits.is_empty() {
            format!("then {more} more {why}: {} in all", span_of_time(whole))
        } else {
            format!(
                "then about {more} more {why} at most: {} in all",
                span_of_time(whole)
            )
        };
        text = format!("{text}; {bound}");
    }
    text.push_str(" (test files not counted)");
    Some(text)
}

/// What comes behind the points that are known beforehand, for a line that is explained.
pub(in crate::personality::native) fn follows(varied: bool, limited: bool) -> String {
    let axis = if varied { "" } else { "qd=1..64; " };
    let then = if limited {
        "behind these points others between them, by what was measured, until the highest load that \
         keeps the limit is known to 3 %; then that one again, and the next one"
    } else {
        "behind these points the one that answers again, by what was measured"
    };
    format!("{axis}{then}")
}
