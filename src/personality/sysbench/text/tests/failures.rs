//! Runs that failed.

use super::{labels, output, until_load};
use crate::{
    personality::sysbench::testing::{options_of, recorded, results, seconds, span},
    results::{EndReason, Event, Failure, OperationKind, Outcome, Segment, Stage, Subject},
};

fn failure(stage: Stage, target: &str, errno: Option<i32>, subject: Subject) -> Failure {
    Failure {
        stage,
        worker: None,
        target: Some(target.to_owned()),
        errno,
        subject,
        message: "our own sentence".to_owned(),
    }
}

/// The output of a run that failed while it opened its files.
fn at_opening(case: &str, failures: Vec<Failure>) -> String {
    let mut result = span(Vec::new());
    result.outcome = Outcome::NotMeasured(EndReason::Failed);
    result.failures = failures;
    let events = [Event::Begins, Event::SpanBegins { number: 1 }];
    output(&options_of(case), &[], &events, &results(vec![result]))
}

/// The output of a run that failed under load.
fn under_load(case: &str, failure: Failure) -> String {
    let options = options_of(case);
    let mut result = span(vec![Segment {
        to: seconds(1.0),
        ..Segment::default()
    }]);
    result.outcome = Outcome::EndedEarly(EndReason::Failed);
    result.failures = vec![failure];
    let labels = labels(&options);
    let events = until_load(&options, &labels);
    output(&options, &[], &events, &results(vec![result]))
}

#[test]
fn missing_files_as_recorded() {
    for case in ["v10-err-missing-files", "v10-default-sizes-noprep"] {
        let missing = failure(Stage::Open, "test_file.0", Some(2), Subject::Opening);
        assert_eq!(at_opening(case, vec![missing]), recorded(case, "stdout"));
    }
}

#[test]
fn other_reasons_have_no_hint() {
    let case = "v10-err-ulimit";
    let too_many = failure(Stage::Open, "test_file.17", Some(24), Subject::Opening);
    let record = recorded(case, "stdout");
    // The original sends people to prepare, which is not what is missing.
    let (record, _) = record.split_once("WARNING").unwrap();
    let shown = at_opening(case, vec![too_many]);
    assert_eq!(shown, format!("{record}WARNING: our own sentence\n"));
    let making = failure(Stage::Prepare, "test_file.0", Some(2), Subject::Opening);
    assert!(!at_opening(case, vec![making]).contains("prepare step"));
}

#[test]
fn who_has_no_right_to_a_file_is_told() {
    for stage in [Stage::Open, Stage::Prepare] {
        let mut denied = failure(stage, "test_file.0", Some(13), Subject::Opening);
        let message = "test_file.0: cannot open for reading: Permission denied (user 65534 has \
                       no right to it)";
        denied.message = message.to_owned();
        let shown = at_opening("v10-err-missing-files", vec![denied]);
        let end = format!(
            "FATAL: Cannot open file 'test_file.0' errno = 13 (Permission denied)\n\
             WARNING: {message}\n"
        );
        assert!(shown.ends_with(&end), "{shown}");
    }
}

#[test]
fn what_a_preparation_lacked_is_told() {
    let subject = Subject::Operation {
        kind: OperationKind::Write,
        offset: 0,
        transferred: None,
        cut_to: None,
    };
    let full = failure(Stage::Prepare, "test_file.0", Some(28), subject);
    let shown = at_opening("v10-err-missing-files", vec![full]);
    assert!(
        shown.ends_with("(No space left on device)\nWARNING: our own sentence\n"),
        "{shown}"
    );
}

#[test]
fn a_file_that_was_cut_is_told_with_its_size() {
    for (errno, transferred, medium) in [
        (None, Some(0), ""),
        (Some(5), None, "; the medium has no part in this"),
    ] {
        let subject = Subject::Operation {
            kind: OperationKind::Read,
            offset: 3_027_392,
            transferred,
            cut_to: Some(4096),
        };
        let case = "v10-err-direct-unaligned";
        let shown = under_load(case, failure(Stage::Io, "test_file.2", errno, subject));
        let end = format!(
            "\nWARNING: 'test_file.2' has only 4096 bytes now, and ends before or within the \
             request: it was cut since the run began{medium}\n"
        );
        assert!(shown.ends_with(&end), "{shown}");
        assert!(shown.contains("FATAL: Failed to read file! file: test_file.2 pos: 3027392 "));
    }
}

#[test]
fn small_files_as_recorded() {
    let case = "v10-err-size-mismatch";
    let subject = Subject::SmallTarget {
        size: 4 << 20,
        needed: 8 << 20,
    };
    let small = failure(Stage::Open, "test_file.0", None, subject);
    assert_eq!(at_opening(case, vec![small]), recorded(case, "stdout"));
    let empty = failure(Stage::Open, "test_file.3", None, Subject::EmptyTarget);
    let shown = at_opening(case, vec![empty]);
    assert!(shown.contains("'test_file.3' is 0B, but at least 8MiB is expected.\n"));
}

#[test]
fn a_failed_read_names_the_file_and_nothing_is_reported() {
    let case = "v10-err-direct-unaligned";
    let read = |errno, transferred| {
        let subject = Subject::Operation {
            kind: OperationKind::Read,
            offset: 3_027_392,
            transferred,
            cut_to: None,
        };
        under_load(case, failure(Stage::Io, "test_file.2", errno, subject))
    };
    // The original has the descriptor's number.
    let record = recorded(case, "stdout").replace("file: 5 ", "file: test_file.2 ");
    assert_eq!(read(Some(22), None), record);
    let short = read(None, Some(512));
    let end = "file: test_file.2 pos: 3027392 expected: 1000 got: 512\n\
               WARNING: our own sentence\n";
    assert!(short.ends_with(end), "{short}");
}

#[test]
fn a_short_read_at_the_end_of_a_file_expects_no_more_than_there_is() {
    let subject = |offset| Subject::Operation {
        kind: OperationKind::Write,
        offset,
        transferred: Some(7),
        cut_to: None,
    };
    // Merged requests of 256 KiB in files of 4 MiB.
    for (offset, expected) in [(0, 262_144), ((4 << 20) - 100, 100)] {
        let shown = under_load(
            "v10-merged",
            failure(Stage::Io, "test_file.0", None, subject(offset)),
        );
        let end =
            format!("write file! file: test_file.0 pos: {offset} expected: {expected} got: 7\nW");
        assert!(shown.contains(&end), "{shown}");
    }
}

#[test]
fn a_failed_flush_has_the_recorded_words_in_both_dialects() {
    let record = recorded("v04-mmap-rndrw", "stdout");
    let line = record
        .lines()
        .find(|line| line.starts_with("FATAL"))
        .unwrap();
    let subject = Subject::Operation {
        kind: OperationKind::Flush,
        offset: 0,
        transferred: None,
        cut_to: None,
    };
    let shown = under_load(
        "v04-mmap-rndrw",
        failure(Stage::Io, "test_file.0", Some(5), subject),
    );
    let expected = line
        .replace("file: 3", "file: test_file.0")
        .replace("0 (Success)", "5 (Input/output error)");
    assert!(
        shown.ends_with(&format!("Threads started!\n{expected}\n")),
        "{shown}"
    );
}

#[test]
fn a_wrong_checksum_as_recorded() {
    let case = "v10-validate-unprepared";
    let subject = Subject::Checksum {
        offset: 3_506_176,
        calculated: 0x6633_7a37,
        stored: 0,
    };
    let wrong = failure(Stage::Io, "test_file.0", None, subject);
    assert_eq!(under_load(case, wrong), recorded(case, "stdout"));
}

#[test]
fn a_misplaced_block_says_where_it_belongs() {
    let subject = Subject::Misplaced {
        offset: 16_384,
        stored: 32_768,
    };
    let shown = under_load(
        "v10-validate-rndrw",
        failure(Stage::Io, "test_file.12", None, subject),
    );
    let lines: Vec<&str> = shown.lines().rev().take(3).collect();
    assert!(lines[2].contains("offset: 16384") && lines[1].contains("offset: 32768"));
    assert_eq!(
        lines[0],
        "FATAL: Validation failed on file 12, block offset 16384, exiting..."
    );
}

#[test]
fn whatever_else_fails_says_so_in_its_own_words() {
    let guard = failure(Stage::Guard, "test_file.0", None, Subject::Other);
    let shown = at_opening("v04-run-rndrd", vec![guard.clone(), guard.clone()]);
    let end = "test\nFATAL: our own sentence\n(last message repeated 1 times)\n";
    assert!(shown.ends_with(end), "{shown}");
    // Without a time span, as in a preparation: no last line then.
    let mut failed = results(Vec::new());
    failed.failures = vec![guard];
    let shown = output(&options_of("v10-prepare"), &[], &[], &failed);
    assert_eq!(shown, "FATAL: our own sentence\n");
}
