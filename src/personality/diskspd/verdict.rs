//! What a run's end means for the shell: lines for standard error and the exit code.

use std::{collections::BTreeMap, io};

use crate::{
    personality::{Verdict, diskspd::line::escaped},
    plan::{Plan, Step},
    results::{EndReason, Failure, Number, Outcome, Results, SpanResult, Stage, Subject},
};

/// Scripts look for these words when threads failed.
const THREADS: &str = "The run has failed: there was an error during threads execution.";
/// Scripts look for these words when anything failed.
const REQUESTS: &str = "An error occurred while generating I/O requests.";

/// A signal before there was any load.
fn unloaded(plan: &Plan) -> String {
    let prepares = |step: &Step| matches!(step, Step::Prepare(_));
    let when = if plan.steps.iter().any(prepares) {
        "while files were being created"
    } else {
        "before the load began"
    };
    format!("The run was interrupted {when}; nothing was measured.")
}

/// Exit code 1 and an explanation if anything failed, else 0. A signal is no failure, unless it
/// came before the threads: then no question was answered.
pub(super) fn verdict(results: &Results) -> Verdict {
    if !results.failed() {
        let never = never_loaded(results);
        return Verdict {
            complaints: never.then(|| unloaded(&results.plan)).into_iter().collect(),
            exit: u8::from(never),
        };
    }
    let mut complaints: Vec<String> = Vec::new();
    for span in &results.spans {
        complaints.extend(span.failures.iter().map(complaint));
        complaints.extend(lost_operations(span));
    }
    if results.spans.iter().any(failed_in_threads) {
        complaints.push(THREADS.to_owned());
    }
    complaints.push(REQUESTS.to_owned());
    let complaints = complaints.iter().map(|line| escaped(line)).collect();
    Verdict {
        complaints,
        exit: 1,
    }
}

/// A failure, with the option that it is about.
fn complaint(failure: &Failure) -> String {
    let hint = match failure.subject {
        Subject::Opening if failure.errno == Some(ENOENT) && failure.stage == Stage::Open => {
            " (-c<size> makes a file)"
        }
        Subject::EmptyTarget => ": give it a size with -c",
        Subject::RemoteCache => ": use -Su instead of -Sr",
        Subject::SequentialAdvice => " (-fs)",
        Subject::RandomAdvice => " (-fr)",
        Subject::Number(number) => match number {
            Number::BlockSize => " (-b)",
            Number::BaseOffset => " (-B)",
            Number::Stride => " (-s)",
            Number::SharedStride => " (-si)",
            Number::WorkerOffset => " (-T)",
            Number::Alignment => " (-r)",
            Number::RangeLength => " (-rdabs)",
            Number::OneOfBlockSizes | Number::RegionAlignment | Number::FileSize => "",
        },
        _ => "",
    };
    format!("{}{hint}", failure.message)
}

/// "No such file or directory".
const ENOENT: i32 = 2;

/// A signal came while files were being made: no time span ever had a thread.
fn never_loaded(results: &Results) -> bool {
    let unloaded = |span: &SpanResult| {
        span.workers.is_empty() && span.outcome == Outcome::NotMeasured(EndReason::Interrupted)
    };
    !results.spans.is_empty() && results.spans.iter().all(unloaded)
}

/// Files are made and consent is checked before there are threads.
fn failed_in_threads(span: &SpanResult) -> bool {
    let in_threads = |stage| matches!(stage, Stage::Open | Stage::Io);
    span.failed_operations() > 0 || span.failures.iter().any(|f| in_threads(f.stage))
}

/// A line for each target and kind of failure.
fn lost_operations(span: &SpanResult) -> Vec<String> {
    // By target, direction and error number; 0 is a short transfer.
    let mut lost: BTreeMap<(usize, &str, i32), u64> = BTreeMap::new();
    for stream in span.streams() {
        for (direction, stats) in [
            ("reads", &stream.read),
            ("writes", &stream.write),
            ("flushes", &stream.flush),
        ] {
            for (errno, count) in &stats.errors {
                *lost.entry((stream.target, direction, *errno)).or_default() += count;
            }
            if stats.short > 0 {
                *lost.entry((stream.target, direction, 0)).or_default() += stats.short;
            }
        }
    }
    lost.into_iter()
        .map(|((target, direction, errno), count)| {
            let (label, _) = span.target_label_and_size(target);
            if errno == 0 {
                format!(
                    "{label}: {count} {direction} transferred less than asked and are not counted"
                )
            } else {
                let why = io::Error::from_raw_os_error(errno);
                format!("{label}: failed {direction}: {count} ({why})")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::verdict;
    use crate::{
        personality::diskspd::testing::{counted, recorded, results, span_result, stream},
        plan::{Prepare, Step},
        results::{EndReason, Failure, Outcome, Results, Stage, Subject},
    };

    fn run(failure: Option<(Stage, &str)>) -> Results {
        let reads = stream(0, counted(1, 1), counted(0, 0));
        let mut span = span_result(Duration::from_secs(1), &[("x.dat", 1)], vec![vec![reads]]);
        span.failures = failure
            .map(|(stage, message)| Failure {
                stage,
                worker: None,
                target: None,
                errno: None,
                subject: Subject::Other,
                message: message.to_owned(),
            })
            .into_iter()
            .collect();
        results("", vec![span])
    }

    #[test]
    fn success_and_interruption_are_silent() {
        let mut results = run(None);
        assert_eq!(
            (verdict(&results).exit, verdict(&results).complaints.len()),
            (0, 0)
        );
        results.spans[0].outcome = Outcome::EndedEarly(EndReason::Interrupted);
        assert_eq!(verdict(&results).exit, 0);
    }

    #[test]
    fn an_interruption_fails_only_where_nothing_was_loaded() {
        let interrupted = Outcome::NotMeasured(EndReason::Interrupted);
        let mut results = run(None);
        results.spans[0].outcome = interrupted;
        // In warm-up, and in warm-up before time spans that never began.
        assert_eq!(verdict(&results).exit, 0);
        let mut later = results.spans[0].clone();
        later.workers.clear();
        results.spans.push(later);
        assert_eq!(verdict(&results).exit, 0);
        // While a run waited for its start.
        results.spans[0].workers.clear();
        let early = verdict(&results);
        assert_eq!(early.exit, 1);
        assert!(early.complaints[0].contains("before the load began"));
        // While files were being created.
        let files = Prepare { files: Vec::new() };
        results.plan.steps.push(Step::Prepare(files));
        let early = verdict(&results);
        assert_eq!(early.exit, 1);
        assert!(early.complaints[0].contains("files were being created"));
    }

    #[test]
    fn a_failure_in_a_thread_ends_with_the_words_that_scripts_look_for() {
        let verdict = verdict(&run(Some((Stage::Open, "cannot open x.dat"))));
        assert_eq!(verdict.exit, 1);
        assert_eq!(verdict.complaints[0], "cannot open x.dat");
        let record = recorded("e-missing", "stderr");
        for (line, phrase) in verdict.complaints[1..]
            .iter()
            .zip(["threads execution", "generating I/O requests"])
        {
            assert!(line.contains(phrase) && record.contains(phrase), "{line}");
        }
        assert_eq!(verdict.complaints.len(), 3);
    }

    #[test]
    fn a_failure_before_the_threads_does_not_blame_them() {
        let verdict = verdict(&run(Some((Stage::Prepare, "cannot make x.dat"))));
        assert_eq!(verdict.complaints.len(), 2);
        assert!(!verdict.complaints[1].contains("threads"));
    }

    #[test]
    fn lost_operations_are_named_by_target_and_reason() {
        let mut results = run(None);
        let reads = &mut results.spans[0].workers[0].streams[0].read;
        reads.short = 3;
        reads.errors.insert(5, 2);
        let verdict = verdict(&results);
        assert_eq!(verdict.exit, 1);
        assert_eq!(
            verdict.complaints[0],
            "x.dat: 3 reads transferred less than asked and are not counted"
        );
        assert!(verdict.complaints[1].starts_with("x.dat: failed reads: 2 ("));
        assert_eq!(verdict.complaints.len(), 4);
    }
}
