//! What a run's end means for the shell: lines for standard error and the exit code.

use std::{collections::BTreeMap, io};

use super::figures;
use crate::{
    personality::Verdict,
    results::{EndReason, Failure, Number, Outcome, Results, SpanResult, Subject, milliseconds},
    units::names::escaped,
};

/// Exit code 0 after a whole report, 1 otherwise; and the latencies that the report cuts.
pub(super) fn verdict(results: &Results) -> Verdict {
    let mut verdict = quiet(results);
    if let Some(span) = figures::shown(results) {
        verdict.complaints.extend(latencies(span));
    }
    verdict
}

/// The same, without what is only good to know.
pub(super) fn quiet(results: &Results) -> Verdict {
    let mut complaints: Vec<String> = results.failures.iter().map(complaint).collect();
    for span in &results.spans {
        complaints.extend(span.failures.iter().map(complaint));
        complaints.extend(lost_operations(span));
        complaints.extend(end(span));
    }
    let failed = results.failed() || figures::shown(results).is_none();
    Verdict {
        complaints: complaints.iter().map(|line| escaped(line)).collect(),
        exit: u8::from(failed),
    }
}

/// The mean and a percentile without the cuts of the report, which take half a millisecond off
/// each I/O and another half off the average.
fn latencies(span: &SpanResult) -> Option<String> {
    let latency = figures::all(span).latency;
    let ms = |ns: f64| milliseconds(ns);
    Some(format!(
        "latency: mean {:.2} ms, 99 % within {:.2} ms",
        ms(latency.mean_ns()?),
        ms(latency.quantile_ns(0.99)? as f64)
    ))
}

/// A failure, with the option that it is about.
fn complaint(failure: &Failure) -> String {
    let hint = match failure.subject {
        Subject::Number(Number::BlockSize) => " (-b)",
        Subject::Number(Number::BaseOffset) => " (-S times -b)",
        _ => "",
    };
    format!("{}{hint}", failure.message)
}

/// A load that did not last as long as it should have.
fn end(span: &SpanResult) -> Option<String> {
    let seconds = span.measured.as_secs_f64();
    match span.outcome {
        Outcome::Finished => None,
        Outcome::EndedEarly(EndReason::Interrupted) => Some(format!(
            "interrupted after {seconds:.2} seconds; the report covers these"
        )),
        Outcome::NotMeasured(EndReason::Interrupted) => {
            Some("interrupted before the load began; nothing was measured".to_owned())
        }
        Outcome::EndedEarly(_) => {
            let all = figures::all(span);
            Some(format!(
                "the load failed after {seconds:.2} seconds; until then {} I/Os of {} bytes in all",
                all.count, all.bytes
            ))
        }
        Outcome::NotMeasured(_) => Some("the load never began; nothing was measured".to_owned()),
    }
}

/// A line for each target and kind of failure.
fn lost_operations(span: &SpanResult) -> Vec<String> {
    // By target, direction and error number; 0 is a short transfer.
    let mut lost: BTreeMap<(usize, &str, i32), u64> = BTreeMap::new();
    for stream in span.streams() {
        for (direction, stats) in [("reads", &stream.read), ("writes", &stream.write)] {
            for (errno, count) in &stats.errors {
                *lost.entry((stream.target, direction, *errno)).or_default() += count;
            }
            if stats.short > 0 {
                *lost.entry((stream.target, direction, 0)).or_default() += stats.short;
            }
        }
    }
    let line = |((target, direction, errno), count): ((usize, &str, i32), u64)| {
        let (label, _) = span.target_label_and_size(target);
        if errno == 0 {
            format!("{label}: {count} {direction} transferred less than asked and are not counted")
        } else {
            let why = io::Error::from_raw_os_error(errno);
            format!("{label}: failed {direction}: {count} ({why})")
        }
    };
    lost.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{quiet, verdict};
    use crate::{
        personality::sqlio::testing::{around, plan, rendered, results, stats},
        results::{EndReason, Failure, Number, Outcome, Results, Stage, Subject},
    };

    fn run() -> Results {
        let stats = stats(2048, &[0.5, 1.7, 3.1]);
        let plan = plan("-LS x", &around());
        results(plan, false, Duration::from_secs(2), stats)
    }

    fn failure(subject: Subject) -> Failure {
        Failure {
            stage: Stage::Open,
            worker: None,
            target: None,
            errno: None,
            subject,
            message: "x: it is so".to_owned(),
        }
    }

    /// True if figures are shown.
    fn shows(results: &Results) -> bool {
        !rendered("-LS x", results).is_empty()
    }

    #[test]
    fn what_the_report_cuts_is_told_beside_it() {
        // (0.5 + 1.7 + 3.1) / 3 = 1.767.
        let told = verdict(&run());
        assert_eq!(
            told.complaints,
            ["latency: mean 1.77 ms, 99 % within 3.10 ms"]
        );
        assert_eq!(told.exit, 0);
        assert_eq!(quiet(&run()).complaints, [""; 0]);
        assert!(shows(&run()));
    }

    #[test]
    fn an_interruption_has_a_report_if_there_was_a_load() {
        let mut results = run();
        results.spans[0].outcome = Outcome::EndedEarly(EndReason::Interrupted);
        let early = verdict(&results);
        assert_eq!((early.exit, early.complaints.len()), (0, 2));
        assert!(early.complaints[0].contains("after 2.00 seconds") && shows(&results));
        results.spans[0].outcome = Outcome::NotMeasured(EndReason::Interrupted);
        let never = verdict(&results);
        assert_eq!((never.exit, never.complaints.len()), (1, 1));
        assert!(!shows(&results));
    }

    #[test]
    fn a_failure_has_no_figures_that_mislead() {
        let mut results = run();
        let span = &mut results.spans[0];
        span.outcome = Outcome::EndedEarly(EndReason::Failed);
        span.failures = vec![failure(Subject::Number(Number::BlockSize))];
        let failed = verdict(&results);
        assert_eq!(failed.exit, 1);
        assert_eq!(
            failed.complaints,
            [
                "x: it is so (-b)",
                "the load failed after 2.00 seconds; until then 3 I/Os of 6144 bytes in all"
            ]
        );
        assert!(!shows(&results));
        results.spans.clear();
        results.failures = vec![failure(Subject::Other)];
        let failed = verdict(&results);
        assert_eq!((failed.exit, failed.complaints.len()), (1, 1));
    }

    #[test]
    fn lost_operations_are_named_where_a_run_went_on() {
        let mut results = run();
        let reads = &mut results.spans[0].workers[0].streams[0].read;
        reads.short = 3;
        reads.errors.insert(5, 2);
        let verdict = verdict(&results);
        assert_eq!(verdict.exit, 1);
        assert!(verdict.complaints[0].contains("3 reads transferred less"));
        assert!(verdict.complaints[1].contains("failed reads: 2 ("));
        assert!(shows(&results));
    }
}
