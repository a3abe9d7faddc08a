//! What a reader must know of the figures of a shared sequence.

use std::time::Duration;

use crate::{
    plan::{SharedSequence, WriteRules},
    results::{Finding, Segment, Severity, SpanResult},
    units::words,
};

/// Flushes that take this share of the threads' time, in percent, decide what the run measured.
const SHARE_MIN: f64 = 20.0;

/// Where the time went, if it went into flushes.
pub(super) fn of(
    rules: WriteRules,
    sequence: &SharedSequence,
    result: &SpanResult,
) -> Vec<Finding> {
    let mut all = Segment::default();
    for segment in &result.segments {
        all.flush += &segment.flush;
        all.final_flush += &segment.final_flush;
    }
    let threads = f64::from(sequence.workers);
    let available = result.measured.as_secs_f64() * threads;
    let in_flushes = (all.flush.latency.sum() + all.final_flush.latency.sum()).as_secs_f64();
    // One that began in the warm-up and ended after it is counted whole.
    let in_flushes = in_flushes.min(available);
    let share = 100.0 * in_flushes / available;
    let count = all.flushes();
    if !share.is_finite() || share < SHARE_MIN || count == 0 || result.simulated {
        return Vec::new();
    }
    let mean = Duration::from_secs_f64(in_flushes / count as f64);
    let files = result.targets.len();
    let inside = if rules == WriteRules::Own {
        // Our own report has a row for them.
        "which have a row of their own"
    } else if sequence.flushes.are_events || sequence.flushes.after_write {
        "which the latencies above mix with those of reads and writes"
    } else {
        "which the latencies above do not include"
    };
    let round = match (sequence.flushes.round_every, files) {
        (Some(every), 2..) => {
            let requests = match every {
                1 => "each request is".to_owned(),
                _ => format!("each {every} requests are"),
            };
            format!(
                "; {requests} followed by a flush of all {files} files, so that their number \
                 decides the result"
            )
        }
        _ => String::new(),
    };
    let plural = |count| match count {
        1 => "1 flush".to_owned(),
        more => format!("{} flushes", words::grouped(more)),
    };
    vec![Finding {
        severity: Severity::Caution,
        code: "time-in-flushes",
        message: format!(
            "{share:.1} % of the time went into {} of {} in the mean, {inside}{round}",
            plural(count),
            words::nanoseconds(mean.as_nanos() as u64)
        ),
    }]
}
