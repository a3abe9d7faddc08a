//! Visits of small real files: what is counted, and what becomes of files that go wrong.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use super::common_folder;
use crate::{
    host::Machine,
    plan::{Cached, EngineChoice, EngineKind, OnError, Plan, Step, Stop, TimeSpan, fixtures},
    results::{EndReason, Event, Observer, Outcome, Results, Silent, SpanResult},
    runner::{Surroundings, run},
};

const SHORT: Duration = Duration::from_millis(60);

/// Files of these sizes in a folder.
fn files(folder: &Path, sizes: &[usize]) -> Vec<PathBuf> {
    let make = |(number, size): (usize, &usize)| {
        let path = folder.join(format!("{number}.html"));
        fs::write(&path, vec![b'x'; *size]).unwrap();
        path
    };
    sizes.iter().enumerate().map(make).collect()
}

fn span(files: Vec<PathBuf>) -> TimeSpan {
    let mut span = fixtures::visits_span(1);
    span.warmup = Duration::ZERO;
    span.stop = Stop {
        after: Some(SHORT),
        ..Stop::default()
    };
    let visits = span.visits.as_mut().unwrap();
    visits.files = files.into();
    visits.chunk = 1000;
    span
}

fn plan(span: TimeSpan, on_error: OnError) -> Plan {
    Plan {
        on_error,
        ..fixtures::plan("iogauge", "web x", vec![Step::Run(span)])
    }
}

fn carry_out(plan: &Plan) -> Results {
    observed(plan, &AtomicBool::new(false), &mut Silent)
}

fn observed(plan: &Plan, interrupt: &AtomicBool, observer: &mut dyn Observer) -> Results {
    let machine = Machine::default();
    let around = Surroundings {
        machine: &machine,
        interrupt,
    };
    run(plan, around, observer)
}

/// The one span of a run.
fn only(results: &Results) -> &SpanResult {
    assert_eq!(results.spans.len(), 1);
    &results.spans[0]
}

#[test]
fn every_visit_reads_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path(), &[2500, 2500]);
    for cached in [Cached::AsItIs, Cached::Filled, Cached::Dropped] {
        let mut span = span(files.clone());
        span.visits.as_mut().unwrap().cached = cached;
        let results = carry_out(&plan(span, OnError::Stop));
        let span = only(&results);
        assert_eq!(span.outcome, Outcome::Finished, "{:?}", span.failures);
        assert_eq!(span.measured, SHORT);
        assert_eq!(span.engine, "files");
        assert_eq!(span.workers.len(), 2);
        assert_eq!(span.targets.len(), 1);
        assert_eq!(span.targets[0].label, folder.path().display().to_string());
        let reads = span.reads(None);
        assert!(reads.count > 0);
        assert_eq!(reads.bytes, reads.count * 2500);
        assert_eq!(reads.latency.count(), reads.count);
        assert_eq!(reads.initiation.count(), reads.count);
        let (open, whole) = (reads.initiation.sum(), reads.latency.sum());
        assert!(open > Duration::ZERO && open < whole, "{open:?} {whole:?}");
        assert!(!results.failed());
    }
}

#[test]
fn files_that_went_are_counted_by_error_and_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path(), &[100, 100]);
    fs::remove_file(&files[1]).unwrap();
    let results = carry_out(&plan(span(files.clone()), OnError::Continue));
    let span_result = only(&results);
    assert_eq!(span_result.outcome, Outcome::Finished);
    let reads = span_result.reads(None);
    assert!(reads.count > 0);
    assert_eq!(reads.errors.keys().collect::<Vec<_>>(), [&2]);
    assert_eq!(span_result.failures.len(), 1, "{:?}", span_result.failures);
    let message = &span_result.failures[0].message;
    let name = files[1].display().to_string();
    assert!(message.starts_with(&name), "{message}");
    assert!(message.contains("open: No such file"), "{message}");

    let results = carry_out(&plan(span(files), OnError::Stop));
    let span_result = only(&results);
    assert!(
        matches!(
            span_result.outcome,
            Outcome::EndedEarly(EndReason::Failed) | Outcome::NotMeasured(EndReason::Failed)
        ),
        "{:?}",
        span_result.outcome
    );
    assert!(results.failed());
}

#[cfg(unix)]
#[test]
fn what_took_a_files_place_is_neither_read_nor_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let good = files(folder.path(), &[100]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&good[0], &link).unwrap();
    let empty = folder.path().join("empty");
    fs::write(&empty, b"").unwrap();
    // EINVAL is ours for what is no file; ELOOP the system's for a link.
    for (path, errno, told) in [
        (pipe, Some(22), "it is no regular file any more"),
        (link, Some(40), "open: "),
        (empty, None, "it is empty now (was it cut?)"),
    ] {
        let results = carry_out(&plan(span(vec![path]), OnError::Continue));
        let span = only(&results);
        let reads = span.reads(None);
        assert_eq!(reads.count, 0);
        match errno {
            Some(errno) => assert!(reads.errors[&errno] > 0),
            None => assert!(reads.short > 0),
        }
        assert_eq!(span.failures.len(), 1, "{:?}", span.failures);
        assert!(span.failures[0].message.contains(told));
        assert_eq!(span.failures[0].errno, errno);
    }
}

/// Raises the interrupt flag once a measured time begins.
struct Impatient(Arc<AtomicBool>);

impl Observer for Impatient {
    fn observe(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Measuring { .. }) {
            self.0.store(true, Relaxed);
        }
    }
}

#[test]
fn an_interrupt_ends_the_visits_with_what_they_have() {
    let folder = tempfile::tempdir().unwrap();
    let mut span = span(files(folder.path(), &[100]));
    span.stop.after = Some(Duration::from_hours(1));
    span.interval = Duration::from_mins(1);
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut observer = Impatient(Arc::clone(&interrupt));
    let results = observed(&plan(span, OnError::Stop), &interrupt, &mut observer);
    let outcome = only(&results).outcome;
    assert!(
        matches!(
            outcome,
            Outcome::EndedEarly(EndReason::Interrupted)
                | Outcome::NotMeasured(EndReason::Interrupted)
        ),
        "{outcome:?}"
    );
    assert!(results.interrupted());
}

#[test]
fn what_cannot_be_carried_out_is_refused_before_anything_is_opened() {
    let mut by_operations = span(vec!["none".into()]);
    by_operations.stop.operations = Some(5);
    let by_operations = plan(by_operations, OnError::Stop);
    let by_engine = Plan {
        engine: EngineChoice::Named(EngineKind::Psync),
        ..plan(span(vec!["none".into()]), OnError::Stop)
    };
    for (plan, told) in [
        (by_operations, "limits of visits other than a time"),
        (by_engine, "visits of files by an engine"),
    ] {
        let results = carry_out(&plan);
        let span = only(&results);
        assert_eq!(span.outcome, Outcome::NotMeasured(EndReason::Failed));
        assert!(span.failures[0].message.contains(told));
    }
}

#[test]
fn files_of_several_folders_have_a_folder_in_common() {
    let common = |paths: &[&str]| {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        common_folder(&paths).display().to_string()
    };
    assert_eq!(common(&["/a/b/c", "/a/b/d/e"]), "/a/b");
    assert_eq!(common(&["/a/b/c", "/a/bc/d"]), "/a");
    assert_eq!(common(&["a/b", "c"]), ".");
    assert_eq!(common(&["x"]), ".");
    assert_eq!(common(&["/x", "/y/z"]), "/");
}
