//! What a run's end means for the shell: lines for standard error and the exit code.

use std::{collections::BTreeMap, time::Duration};

use super::text;
use crate::{
    personality::Verdict,
    results::{EndReason, OperationStats, Outcome, Results, Segment, SpanResult},
};

/// Exit code 2 if threads had to be left behind, 1 after a failure or an interruption, else 0.
/// Figures that the report on standard output does not show are told here.
pub(super) fn verdict(results: &Results) -> Verdict {
    let mut complaints: Vec<String> = results.spans.iter().flat_map(complaints).collect();
    if results.spans.is_empty() {
        complaints.extend(unmeasured(results));
    }
    let left_behind = |span: &SpanResult| {
        matches!(
            span.outcome,
            Outcome::EndedEarly(EndReason::LeftBehind)
                | Outcome::NotMeasured(EndReason::LeftBehind)
        )
    };
    let lost = |span: &SpanResult| !errors(span).is_empty();
    let exit = if results.spans.iter().any(left_behind) {
        2
    } else {
        u8::from(
            results.failed()
                || !results.failures.is_empty()
                || results.interrupted()
                || results.spans.iter().any(lost),
        )
    };
    Verdict { complaints, exit }
}

/// Preparation and cleanup.
fn unmeasured(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    if results.interrupted() {
        lines.push("The run was interrupted before it was complete.".to_owned());
    }
    if (results.interrupted() || !results.failures.is_empty()) && results.prepared.bytes > 0 {
        lines.push(format!(
            "Written before: {} bytes in {:.2} s.",
            results.prepared.bytes,
            results.prepared.took.as_secs_f64()
        ));
    }
    lines
}

fn complaints(span: &SpanResult) -> Vec<String> {
    let seconds = measured(span).as_secs_f64();
    let mut lines = errors(span);
    match span.outcome {
        Outcome::EndedEarly(EndReason::Interrupted) => lines.push(format!(
            "The run was interrupted after {seconds:.2} seconds; the report covers these."
        )),
        Outcome::EndedEarly(EndReason::Failed) => lines.push(format!(
            "The run failed after {seconds:.2} seconds; until then: {}.",
            counts(span)
        )),
        Outcome::NotMeasured(EndReason::Interrupted) => lines.push(
            "The run was interrupted before the load began; nothing was measured.".to_owned(),
        ),
        _ => {}
    }
    lines
}

/// The load's end, as far as it is known.
fn measured(span: &SpanResult) -> Duration {
    let last = span.segments.last().map(|segment| segment.to);
    last.unwrap_or(span.measured)
}

/// Everything that was counted, over all checkpoints.
fn counts(span: &SpanResult) -> String {
    let sum = |of: fn(&Segment) -> u64| span.segments.iter().map(of).sum::<u64>();
    format!(
        "{} ({} bytes), {} ({} bytes), {}",
        number(sum(|s| s.read.count), "read"),
        sum(|s| s.read.bytes),
        number(sum(|s| s.write.count), "write"),
        sum(|s| s.write.bytes),
        number(sum(Segment::flushes), "fsync")
    )
}

/// `1 read`, `2 reads`.
fn number(count: u64, of: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {of}{plural}")
}

/// Operations that failed or fell short while the run went on; they are in no figure.
fn errors(span: &SpanResult) -> Vec<String> {
    // By direction and error number; 0 is a short transfer.
    let mut lost: BTreeMap<(&str, i32), u64> = BTreeMap::new();
    for segment in &span.segments {
        let all: [(&str, &OperationStats); 4] = [
            ("read", &segment.read),
            ("write", &segment.write),
            ("fsync", &segment.flush),
            ("fsync", &segment.final_flush),
        ];
        for (direction, stats) in all {
            for (errno, count) in &stats.errors {
                *lost.entry((direction, *errno)).or_default() += count;
            }
            if stats.short > 0 {
                *lost.entry((direction, 0)).or_default() += stats.short;
            }
        }
    }
    let line = |((direction, errno), count)| match errno {
        0 => format!(
            "{} transferred less than asked and {} not counted",
            number(count, direction),
            if count == 1 { "is" } else { "are" }
        ),
        _ => format!(
            "failed {direction}s: {count}, {}",
            text::system_error(errno)
        ),
    };
    lost.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::verdict;
    use crate::{
        personality::sysbench::testing::{counted, results, seconds, span},
        results::{EndReason, Failure, Outcome, Prepared, Results, Segment, Stage, Subject},
    };

    fn run(outcome: Outcome) -> Results {
        let part = |from, to, count| Segment {
            from: seconds(from),
            to: seconds(to),
            read: counted(count, count << 14),
            final_flush: counted(4, 0),
            ..Segment::default()
        };
        let mut result = span(vec![part(0.0, 1.0, 10), part(1.0, 1.25, 5)]);
        result.outcome = outcome;
        results(vec![result])
    }

    fn failure() -> Failure {
        Failure {
            stage: Stage::Io,
            worker: None,
            target: None,
            errno: Some(5),
            subject: Subject::Other,
            message: "x".to_owned(),
        }
    }

    #[test]
    fn exit_codes() {
        for (outcome, exit) in [
            (Outcome::Finished, 0),
            (Outcome::EndedEarly(EndReason::Interrupted), 1),
            (Outcome::NotMeasured(EndReason::Interrupted), 1),
            (Outcome::EndedEarly(EndReason::LeftBehind), 2),
        ] {
            assert_eq!(verdict(&run(outcome)).exit, exit, "{outcome:?}");
        }
        let mut failed = run(Outcome::NotMeasured(EndReason::Failed));
        failed.spans[0].failures.push(failure());
        assert_eq!(verdict(&failed).exit, 1);
        assert_eq!(verdict(&failed).complaints.len(), 0);
        let mut preparation = results(Vec::new());
        assert_eq!(verdict(&preparation).exit, 0);
        preparation.failures.push(failure());
        assert_eq!(verdict(&preparation).exit, 1);
    }

    #[test]
    fn figures_that_are_not_reported_are_not_lost() {
        let mut failed = run(Outcome::EndedEarly(EndReason::Failed));
        failed.spans[0].failures.push(failure());
        let told = verdict(&failed);
        assert_eq!(told.exit, 1);
        let line = "The run failed after 1.25 seconds; until then: 15 reads (245760 bytes), \
                    0 writes (0 bytes), 8 fsyncs.";
        assert_eq!(told.complaints, [line]);
        let mut preparation = results(Vec::new());
        preparation.failures.push(failure());
        preparation.prepared = Prepared {
            bytes: 4096,
            took: seconds(0.5),
        };
        let line = "Written before: 4096 bytes in 0.50 s.";
        assert_eq!(verdict(&preparation).complaints, [line]);
    }

    #[test]
    fn an_interruption_is_told_with_its_time() {
        let told = verdict(&run(Outcome::EndedEarly(EndReason::Interrupted)));
        assert!(told.complaints[0].contains("interrupted after 1.25 seconds"));
    }

    #[test]
    fn one_of_anything_is_told_as_one() {
        let one = Segment {
            to: seconds(1.0),
            read: counted(1, 4096),
            write: counted(1, 4096),
            flush: counted(1, 0),
            ..Segment::default()
        };
        let mut result = span(vec![one]);
        result.outcome = Outcome::EndedEarly(EndReason::Failed);
        result.segments[0].read.short = 1;
        let told = verdict(&results(vec![result])).complaints;
        assert_eq!(
            told,
            [
                "1 read transferred less than asked and is not counted",
                "The run failed after 1.00 seconds; until then: 1 read (4096 bytes), 1 write \
                 (4096 bytes), 1 fsync."
            ]
        );
    }

    #[test]
    fn operations_that_failed_while_the_run_went_on_are_counted() {
        let mut results = run(Outcome::Finished);
        let read = &mut results.spans[0].segments[0].read;
        read.errors.insert(5, 2);
        read.short = 3;
        let told = verdict(&results);
        assert_eq!(told.exit, 1);
        assert_eq!(
            told.complaints,
            [
                "3 reads transferred less than asked and are not counted",
                "failed reads: 2, errno = 5 (Input/output error)"
            ]
        );
    }
}
