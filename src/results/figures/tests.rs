//! Figures by hand arithmetic.

use std::time::Duration;

use super::{CpuPercent, Rates, Summary, milliseconds, series};
use crate::{
    host::{CpuUse, Machine},
    measure::{IntervalSeries, OperationStats},
    plan::{EngineChoice, Events, OnError, Origin, Plan, WriteRules},
    results::{
        EndReason, Failure, Outcome, Prepared, Provenance, Results, SpanResult, Stage,
        StreamResult, Subject, TargetResult, WorkerResult,
    },
};

fn counted(count: u64, bytes: u64) -> OperationStats {
    OperationStats {
        count,
        bytes,
        ..OperationStats::default()
    }
}

fn span(labels: &[&str], streams: Vec<(usize, u64, u64)>) -> SpanResult {
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: Duration::from_secs(2),
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: labels
            .iter()
            .map(|label| TargetResult {
                label: (*label).to_owned(),
                size: 4096,
                kind: None,
                filesystem: None,
                device: None,
            })
            .collect(),
        workers: streams
            .into_iter()
            .map(|(target, reads, writes)| WorkerResult {
                streams: vec![StreamResult {
                    target,
                    read: counted(reads, reads * 1024),
                    write: counted(writes, writes * 1024),
                    ..StreamResult::default()
                }],
                ..WorkerResult::default()
            })
            .collect(),
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        steady: None,
    }
}

fn results(spans: Vec<SpanResult>) -> Results {
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: Plan {
            steps: Vec::new(),
            origin: Origin {
                personality: String::new(),
                command_line: String::new(),
            },
            engine: EngineChoice::Auto,
            on_error: OnError::Stop,
            consent: Vec::new(),
            rules: WriteRules::Named,
            events: Events::default(),
        },
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// True if the two differ by rounding only.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn rates_over_time_and_over_none() {
    let rates = Rates::new(10, 5 << 20, Duration::from_millis(2500));
    assert!(near(rates.per_second, 4.0) && near(rates.mib_per_second, 2.0));
    let none = Rates::new(10, 10, Duration::ZERO);
    assert!(near(none.per_second, 0.0) && near(none.mib_per_second, 0.0));
    assert!(near(milliseconds(1_500_000.0), 1.5));
}

#[test]
fn the_time_for_so_many_bytes() {
    // 8 MiB in 2 s are 4 MiB/s: 1 GiB takes 256 s.
    let rates = Rates::new(1, 8 << 20, Duration::from_secs(2));
    assert_eq!(rates.time_for(1 << 30), Some(Duration::from_secs(256)));
    assert_eq!(Rates::default().time_for(1), None);
    assert_eq!(Rates::default().time_for(0), None);
}

#[test]
fn a_summary_without_operations_has_no_latency() {
    let empty = Summary::of(&OperationStats::default(), Duration::from_secs(1));
    assert_eq!(empty, Summary::default());
    let mut stats = OperationStats::default();
    stats.record(0, 1_000_000, 512);
    stats.record(0, 3_000_000, 512);
    let summary = Summary::of(&stats, Duration::from_secs(1));
    assert_eq!(summary.latency_mean_ms, Some(2.0));
    assert_eq!(summary.latency_stddev_ms, Some(1.0));
    assert_eq!((summary.rates.count, summary.rates.bytes), (2, 1024));
}

#[test]
fn cpu_percentages() {
    let cpu = |user, kernel, idle| CpuUse {
        number: 0,
        user: Duration::from_millis(user),
        kernel: Duration::from_millis(kernel),
        idle: Duration::from_millis(idle),
        ..CpuUse::default()
    };
    let one = CpuPercent::of(&cpu(100, 50, 50));
    assert!(near(one.usage, 75.0) && near(one.user, 50.0));
    assert!(near(one.kernel, 25.0) && near(one.idle, 25.0));
    // No time at all is idle; the mean over CPUs is plain, however long each was watched.
    let mean = CpuPercent::mean(&[cpu(100, 50, 50), cpu(0, 0, 0), cpu(0, 0, 1)]);
    assert!(near(mean.usage, 25.0) && near(mean.idle, 75.0));
    assert!(near(CpuPercent::mean(&[]).idle, 100.0));
}

#[test]
fn a_series_ends_with_the_later_of_both_sides() {
    let length = Duration::from_millis(250);
    let mut read = IntervalSeries::new(length, Duration::from_secs(1));
    let mut write = read.clone();
    read.record(0, 1_000_000, 1);
    read.record(1_000_000, 3_000_000, 1);
    write.record(600_000_000, 5_000_000, 1);
    let points = series(&read, &write);
    assert_eq!(points.len(), 3);
    assert_eq!(points[2].end, Duration::from_millis(750));
    // Two in a quarter of a second are eight a second.
    assert!(near(points[0].read.per_second, 8.0) && near(points[0].per_second, 8.0));
    assert!(near(points[0].read.mean_ms, 2.0) && near(points[0].read.stddev_ms, 1.0));
    assert!(near(points[0].read.min_ms, 1.0) && near(points[0].read.max_ms, 3.0));
    assert!(near(points[1].per_second, 0.0));
    assert!(near(points[2].write.per_second, 4.0) && near(points[2].read.max_ms, 0.0));
    // One side may keep nothing at all.
    assert_eq!(series(&IntervalSeries::none(), &write).len(), 3);
    assert!(series(&IntervalSeries::none(), &IntervalSeries::none()).is_empty());
}

#[test]
fn sums_by_target_and_by_label() {
    let span = span(&["a", "b", "a"], vec![(0, 1, 10), (1, 2, 20), (2, 4, 40)]);
    assert_eq!(span.reads(None).count, 7);
    assert_eq!(span.writes(Some(1)).count, 20);
    assert_eq!(span.distinct_labels(), ["a", "b"]);
    let (read, write) = span.reads_and_writes_of("a");
    assert_eq!((read.count, write.count), (5, 50));
    assert_eq!(span.target_label_and_size(9).0, "");
    assert_eq!(span.workers[0].streams[0].total().bytes, 11 * 1024);
}

#[test]
fn grand_totals_leave_out_what_was_not_measured() {
    let mut lost = span(&["a"], vec![(0, 1000, 1000)]);
    lost.outcome = Outcome::NotMeasured(EndReason::Failed);
    let totals = results(vec![
        span(&["a"], vec![(0, 6, 2)]),
        lost,
        span(&["a"], vec![(0, 2, 2)]),
    ])
    .grand_totals();
    assert_eq!(totals.measured, Duration::from_secs(4));
    assert_eq!((totals.read.count, totals.write.count), (8, 4));
    assert_eq!(totals.total.bytes, 12 * 1024);
    assert!(near(totals.total.per_second, 3.0));
}

#[test]
fn failures_and_signals() {
    let mut span = span(&["a"], vec![(0, 1, 1)]);
    assert!(!results(vec![span.clone()]).failed());
    span.workers[0].streams[0].flush.errors.insert(5, 2);
    span.workers[0].streams[0].read.short = 1;
    assert_eq!(span.failed_operations(), 3);
    assert!(results(vec![span.clone()]).failed());
    assert!(!results(vec![span.clone()]).interrupted());
    span.outcome = Outcome::EndedEarly(EndReason::Interrupted);
    assert!(results(vec![span]).interrupted());
    // Without a time span that could tell.
    let mut files = results(Vec::new());
    assert!(!files.failed() && !files.interrupted());
    files.ended = Some(EndReason::Interrupted);
    assert!(!files.failed() && files.interrupted());
    files.failures.push(Failure {
        stage: Stage::Cleanup,
        worker: None,
        target: None,
        errno: None,
        subject: Subject::Other,
        message: String::new(),
    });
    assert!(files.failed());
}
