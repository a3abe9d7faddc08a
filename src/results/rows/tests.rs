//! Rows of hand-made results.

use std::time::Duration;

use super::{LatencyFigures, Pace, failed_alike, percentile_ms};
use crate::{
    measure::{Latency, OperationStats},
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, FlushPolicy, OperationMix, Pacing, Plan,
        Step, Stream, WorkerGroup, fixtures,
    },
    results::{
        OperationKind::{Flush, FlushData, Read, Write},
        Outcome, Prepared, Provenance, Results, Segment, SpanResult, StreamResult, WorkerResult,
    },
};

fn stream(write_percent: u32, flush: FlushPolicy, pacing: Pacing) -> Stream {
    let pattern = AccessPattern::Append;
    Stream {
        mix: OperationMix {
            write_percent,
            flush,
        },
        pacing,
        ..fixtures::stream(0, pattern, BlockSizes::One(4096))
    }
}

fn group(name: &str, workers: u32, streams: Vec<Stream>) -> WorkerGroup {
    WorkerGroup {
        name: name.into(),
        workers,
        affinity: Affinity::None,
        streams,
        dispatch: Dispatch::PerStream,
    }
}

fn plan(groups: Vec<WorkerGroup>) -> Plan {
    let span = fixtures::span(vec![fixtures::target("a", "a")], groups);
    fixtures::plan("native", "", vec![Step::Run(span)])
}

fn results(plan: Plan, workers: Vec<Vec<StreamResult>>) -> Results {
    let worker = |streams| WorkerResult {
        streams,
        ..WorkerResult::default()
    };
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: crate::host::Machine::default(),
        },
        plan,
        spans: vec![SpanResult {
            outcome: Outcome::Finished,
            failures: Vec::new(),
            measured: Duration::from_secs(2),
            cpus: Vec::new(),
            engine: String::new(),
            simulated: false,
            engine_notes: Vec::new(),
            targets: Vec::new(),
            workers: workers.into_iter().map(worker).collect(),
            prepared: Duration::ZERO,
            opening: Duration::ZERO,
            segments: Vec::new(),
            steady: None,
        }],
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// So many operations of a millisecond each.
fn done(count: u64) -> OperationStats {
    let mut stats = OperationStats::default();
    (0..count).for_each(|_| stats.record(0, 1_000_000, 4096));
    stats
}

const EVERY: FlushPolicy = FlushPolicy::Every {
    writes: 1,
    data_only: true,
};

#[test]
fn groups_of_one_name_are_one_and_keep_their_order() {
    let read = || stream(0, FlushPolicy::Never, Pacing::Unlimited);
    let log = stream(100, EVERY, Pacing::Unlimited);
    let plan = plan(vec![
        group("log", 1, vec![log]),
        group("data", 2, vec![read()]),
        group("data", 1, vec![read()]),
    ]);
    let reads = |count| {
        vec![StreamResult {
            read: done(count),
            ..StreamResult::default()
        }]
    };
    let log = vec![StreamResult {
        write: done(4),
        flush: done(3),
        ..StreamResult::default()
    }];
    let results = results(plan, vec![log, reads(1), reads(2), reads(4)]);
    let rows = results.rows(0);
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.group.as_str(), row.kind, row.stats.count))
        .collect();
    assert_eq!(
        seen,
        [("log", Write, 4), ("log", FlushData, 3), ("data", Read, 7),]
    );
    let rates = rows[2].rates(Duration::from_secs(2));
    assert!((rates.per_second - 3.5).abs() < 1e-9);
    assert!(results.rows(1).is_empty());
}

#[test]
fn what_was_planned_has_a_row_though_nothing_came_of_it() {
    let mixed = stream(30, FlushPolicy::Never, Pacing::Unlimited);
    let plan = plan(vec![group("", 1, vec![mixed])]);
    let rows = results(plan, vec![vec![StreamResult::default()]]).rows(0);
    let kinds: Vec<_> = rows.iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [Read, Write]);
    assert_eq!(rows[0].stats.count, 0);
}

#[test]
fn an_open_pace_is_judged_from_the_due_time() {
    let pacing = Pacing::Arrivals {
        per_second: 1.0,
        poisson: false,
    };
    let plan = plan(vec![group(
        "",
        1,
        vec![stream(0, FlushPolicy::Never, pacing)],
    )]);
    let mut read = done(1);
    read.response.record(5_000_000);
    let rows = results(
        plan,
        vec![vec![StreamResult {
            read,
            ..StreamResult::default()
        }]],
    )
    .rows(0);
    assert_eq!(rows[0].pace, Pace::Open);
    assert_eq!(rows[0].latency().max_ns(), Some(5_000_000));
    assert_eq!(rows[0].stats.latency.max_ns(), Some(1_000_000));
}

#[test]
fn a_shared_sequence_is_summed_over_its_segments() {
    let segment = |reads| Segment {
        read: done(reads),
        flush: done(1),
        final_flush: done(2),
        ..Segment::default()
    };
    let mut results = results(plan(Vec::new()), Vec::new());
    results.spans[0].segments = vec![segment(2), segment(3)];
    let rows = results.rows(0);
    let seen: Vec<_> = rows.iter().map(|row| (row.kind, row.stats.count)).collect();
    assert_eq!(seen, [(Read, 5), (Flush, 6)]);
}

#[test]
fn a_percentile_needs_ten_samples_beyond_it() {
    let of = |count| {
        let mut latency = Latency::default();
        (0..count).for_each(|_| latency.record(1_000_000));
        LatencyFigures::of(&latency)
    };
    assert_eq!(of(0), LatencyFigures::default());
    assert_eq!((of(19).p50, of(20).p50), (None, Some(1.0)));
    assert_eq!((of(999).p99, of(1000).p99), (None, Some(1.0)));
    assert_eq!((of(9999).p999, of(10_000).p999), (None, Some(1.0)));
    assert_eq!(of(1).max, Some(1.0));
    let mut latency = Latency::default();
    (0..100).for_each(|_| latency.record(1));
    assert!(percentile_ms(&latency, 0.9).is_some());
    assert!(percentile_ms(&latency, 0.91).is_none());
}

#[test]
fn failures_are_counted_by_reason() {
    let mixed = stream(50, FlushPolicy::Never, Pacing::Unlimited);
    let plan = plan(vec![group("", 2, vec![mixed])]);
    let failing = |errno| {
        let mut read = OperationStats::default();
        read.errors.insert(errno, 2);
        let write = OperationStats {
            short: 3,
            ..OperationStats::default()
        };
        vec![StreamResult {
            read,
            write,
            ..StreamResult::default()
        }]
    };
    let rows = results(plan, vec![failing(5), failing(28)]).rows(0);
    let seen: Vec<_> = failed_alike(&rows)
        .into_iter()
        .map(|failed| (failed.kind, failed.reason, failed.count))
        .collect();
    let reason = |text: &str| Some(text.to_owned());
    assert_eq!(
        seen,
        [
            (Write, None, 6),
            (Read, reason("Input/output error (EIO)"), 2),
            (Read, reason("No space left on device (ENOSPC)"), 2),
        ]
    );
}
