//! What a run's end means for the shell: lines for standard error and the exit code.

use crate::{
    personality::Verdict,
    results::{EndReason, Failure, OperationStats, Outcome, Results, SpanResult, Stage, Subject},
    units::names::escaped,
};

/// Everything was done.
const FINISHED: u8 = 0;
/// Failed, or finished with failed operations.
const FAILED: u8 = 1;
/// Refused before anything was written.
const REFUSED: u8 = 2;
/// Some targets failed, others finished.
const PARTLY: u8 = 3;
/// A condition that the line names ended it: the figures are whole for their time, and the time is
/// not what was asked for.
const FUSE: u8 = 4;
/// Verification found bad data.
const BAD_DATA: u8 = 5;
/// A signal ended it. Whoever knows which signal says so with its own code.
pub const INTERRUPTED: u8 = 130;

/// The verdict.
pub(super) fn verdict(results: &Results) -> Verdict {
    let failures = || {
        let of_spans = results.spans.iter().flat_map(|span| &span.failures);
        results.failures.iter().chain(of_spans)
    };
    let complaint = |failure: &Failure| format!("iogauge: {}", escaped(&failure.message));
    Verdict {
        complaints: failures().map(complaint).collect(),
        exit: if failures().any(|failure| failure.stage == Stage::Guard)
            || (untouched(results) && failures().any(cannot_be_had))
        {
            REFUSED
        } else if results.spans.iter().any(has_bad_data) {
            BAD_DATA
        } else if results.ended == Some(EndReason::Interrupted) {
            INTERRUPTED
        } else if fused(results) {
            FUSE
        } else if results.ended.is_some() || failures().next().is_some() {
            FAILED
        } else {
            of_operations(results)
        },
    }
}

/// True if nothing was written and nothing was measured: it ended where it began.
fn untouched(results: &Results) -> bool {
    let idle = |span: &SpanResult| matches!(span.outcome, Outcome::NotMeasured(_));
    results.prepared.bytes == 0 && results.spans.iter().all(idle)
}

/// A place that the system does not give, or something that this machine or version cannot do.
fn cannot_be_had(failure: &Failure) -> bool {
    match failure.stage {
        Stage::Prepare => failure.subject == Subject::Opening,
        stage => stage == Stage::Open,
    }
}

fn has_bad_data(span: &SpanResult) -> bool {
    let verification = span.verification.as_ref();
    verification.is_some_and(|seen| seen.bad_count() > 0)
}

/// A fuse ended it, and nothing failed.
fn fused(results: &Results) -> bool {
    matches!(results.ended, Some(EndReason::Fuse(_))) && !results.failed()
}

/// Where the run went on behind failed operations: all targets had some, or not all.
fn of_operations(results: &Results) -> u8 {
    let mut failed = false;
    let mut whole = false;
    for span in &results.spans {
        if span.outcome != Outcome::Finished {
            return FAILED;
        }
        for target in 0..span.targets.len() {
            match lost(span, target) {
                0 => whole = true,
                _ => failed = true,
            }
        }
    }
    match (failed, whole) {
        (false, _) => FINISHED,
        (true, true) if several(results) => PARTLY,
        (true, _) => FAILED,
    }
}

/// True if some load had more than one target.
fn several(results: &Results) -> bool {
    results.spans.iter().any(|span| span.targets.len() > 1)
}

/// Operations on a target that failed or fell short.
fn lost(span: &SpanResult, target: usize) -> u64 {
    let of = |stats: &OperationStats| stats.error_count() + stats.short;
    span.workers
        .iter()
        .flat_map(|worker| &worker.streams)
        .filter(|stream| stream.target == target)
        .map(|stream| of(&stream.read) + of(&stream.write) + of(&stream.flush))
        .sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        plan::{Step, fixtures},
        results::{
            Blown, Kind, StreamResult, Subject, TargetResult, Verification, WorkerResult, testing,
        },
    };

    /// A finished load with so many failed reads of each target.
    fn results(failed: &[u64]) -> Results {
        let target = |_: &u64| TargetResult {
            label: "t".into(),
            size: 0,
            kind: None,
            filesystem: None,
            device: None,
        };
        let stream = |(target, failed): (usize, &u64)| {
            let mut stream = StreamResult {
                target,
                ..StreamResult::default()
            };
            if *failed > 0 {
                stream.read.errors.insert(5, *failed);
            }
            WorkerResult {
                streams: vec![stream],
                ..WorkerResult::default()
            }
        };
        let targets = failed.iter().map(|_| fixtures::target("t", "t")).collect();
        let span = fixtures::span(targets, Vec::new());
        testing::results(
            fixtures::plan("native", "", vec![Step::Run(span)]),
            vec![SpanResult {
                engine: "psync".into(),
                targets: failed.iter().map(target).collect(),
                ..testing::measured(
                    Duration::from_secs(1),
                    failed.iter().enumerate().map(stream).collect(),
                )
            }],
        )
    }

    fn failure(stage: Stage) -> Failure {
        Failure {
            stage,
            worker: None,
            target: None,
            errno: None,
            subject: Subject::Other,
            message: "it is\x1b so".to_owned(),
        }
    }

    #[test]
    fn failed_operations_are_told_from_failed_targets() {
        for (failed, exit) in [
            (&[0][..], FINISHED),
            (&[3], FAILED),
            (&[0, 0], FINISHED),
            (&[3, 0], PARTLY),
            (&[3, 1], FAILED),
        ] {
            assert_eq!(verdict(&results(failed)).exit, exit, "{failed:?}");
        }
    }

    #[test]
    fn bad_data_has_a_code_of_its_own_whatever_else_happened() {
        let mut bad = results(&[3]);
        let mut seen = Verification::default();
        bad.spans[0].verification = Some(Box::new(seen.clone()));
        assert_eq!(verdict(&bad).exit, FAILED);
        seen.counts.insert(Kind::Lost, 1);
        bad.spans[0].verification = Some(Box::new(seen));
        assert_eq!(verdict(&bad).exit, BAD_DATA);
        bad.ended = Some(EndReason::Interrupted);
        assert_eq!(verdict(&bad).exit, BAD_DATA);
    }

    #[test]
    fn an_end_before_its_time_has_a_code_of_its_own() {
        let mut ended = results(&[0]);
        ended.spans[0].outcome = Outcome::EndedEarly(EndReason::Interrupted);
        ended.ended = Some(EndReason::Interrupted);
        assert_eq!(verdict(&ended).exit, INTERRUPTED);
        ended.ended = Some(EndReason::Fuse(Blown {
            condition: "p99>1ms".parse().unwrap(),
            value: 2_000_000,
            at: Duration::from_secs(1),
        }));
        assert_eq!(verdict(&ended).exit, FUSE);
        // What failed weighs more.
        ended.spans[0].workers[0].streams[0]
            .read
            .errors
            .insert(5, 1);
        assert_eq!(verdict(&ended).exit, FAILED);
        ended.ended = Some(EndReason::Failed);
        ended.spans[0].failures = vec![failure(Stage::Io)];
        let told = verdict(&ended);
        assert_eq!(told.exit, FAILED);
        assert_eq!(told.complaints, ["iogauge: it is\\u{1b} so"]);
        ended.spans[0].failures = vec![failure(Stage::Guard)];
        assert_eq!(verdict(&ended).exit, REFUSED);
    }
    #[test]
    fn a_place_that_is_not_to_be_had_is_a_refusal_while_nothing_was_written() {
        let about = |stage, subject| Failure {
            subject,
            ..failure(stage)
        };
        for (stage, subject, bytes, exit) in [
            (Stage::Prepare, Subject::Opening, 0, REFUSED),
            // Another file was written before this one.
            (Stage::Prepare, Subject::Opening, 1, FAILED),
            // The disk is full: some of the file was written.
            (Stage::Prepare, Subject::Other, 0, FAILED),
            (Stage::Open, Subject::Opening, 0, REFUSED),
            (Stage::Io, Subject::Other, 0, FAILED),
        ] {
            let mut ended = results(&[0]);
            ended.ended = Some(EndReason::Failed);
            ended.prepared.bytes = bytes;
            ended.spans[0].outcome = Outcome::NotMeasured(EndReason::Failed);
            ended.spans[0].failures = vec![about(stage, subject)];
            assert_eq!(verdict(&ended).exit, exit, "{stage:?} {bytes}");
            ended.spans[0].outcome = Outcome::EndedEarly(EndReason::Failed);
            assert_eq!(verdict(&ended).exit, FAILED, "{stage:?} measured");
        }
    }
}
