//! Demands and latencies by hand arithmetic.

use std::time::Duration;

use super::*;
use crate::{
    host::Machine,
    measure::OperationStats,
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, OperationMix, Step, WorkerGroup, fixtures,
    },
    results::{Outcome, Prepared, Provenance, SpanResult, WorkerResult},
};

fn latencies(ms: &[u64]) -> Latency {
    let mut latency = Latency::default();
    for ms in ms {
        latency.record(ms * 1_000_000);
    }
    latency
}

fn stats(count: u64, service: &[u64], response: &[u64]) -> OperationStats {
    OperationStats {
        count,
        latency: latencies(service),
        response: latencies(response),
        ..OperationStats::default()
    }
}

fn group(name: &str, workers: u32, pacing: Pacing, flush: FlushPolicy) -> WorkerGroup {
    let mut stream = fixtures::stream(0, AccessPattern::Append, BlockSizes::One(4096));
    stream.pacing = pacing;
    stream.mix = OperationMix {
        write_percent: 100,
        flush,
    };
    WorkerGroup {
        name: name.into(),
        workers,
        affinity: Affinity::None,
        streams: vec![stream],
        dispatch: Dispatch::PerStream,
    }
}

/// One time span of 10 s with one stream a worker.
fn results(groups: Vec<WorkerGroup>, streams: Vec<StreamResult>) -> Results {
    let span = fixtures::span(vec![fixtures::target("t", "t")], groups);
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: fixtures::plan("native", "", vec![Step::Run(span)]),
        spans: vec![SpanResult {
            outcome: Outcome::Finished,
            failures: Vec::new(),
            measured: Duration::from_secs(10),
            cpus: Vec::new(),
            engine: String::new(),
            simulated: false,
            engine_notes: Vec::new(),
            targets: Vec::new(),
            workers: streams
                .into_iter()
                .map(|stream| WorkerResult {
                    streams: vec![stream],
                    ..WorkerResult::default()
                })
                .collect(),
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

fn written(write: OperationStats, behind: u64) -> StreamResult {
    StreamResult {
        write,
        behind,
        ..StreamResult::default()
    }
}

fn arrivals(per_second: f64, poisson: bool) -> Pacing {
    Pacing::Arrivals {
        per_second,
        poisson,
    }
}

#[test]
fn an_open_loop_that_keeps_up_has_done_its_due() {
    // Two workers of 100 a second over 10 s: 2,000 are due.
    let groups = vec![group("w", 2, arrivals(100.0, false), FlushPolicy::Never)];
    let done = |count, behind| written(stats(count, &[], &[]), behind);
    let kept = results(groups.clone(), vec![done(999, 0), done(1_001, 0)]).demands(0);
    assert_eq!(
        (kept.len(), kept[0].due, kept[0].done),
        (1, Some(2_000.0), 2_000)
    );
    assert!((kept[0].share() - 1.0).abs() < 1e-9);
    // 100 of 2,000 were not issued.
    let late = results(groups.clone(), vec![done(950, 50), done(950, 50)]).demands(0);
    assert!((late[0].share() - 0.95).abs() < 1e-9);
    // All were issued, and 500 hang in the device.
    let hangs = results(groups, vec![done(750, 0), done(750, 0)]).demands(0);
    assert!((hangs[0].share() - 0.75).abs() < 0.001, "{hangs:?}");
}

#[test]
fn chance_is_no_failure() {
    // 1,000 are due by chance; 3 deviations are 95.
    let groups = vec![group("w", 1, arrivals(100.0, true), FlushPolicy::Never)];
    let share = |done| {
        let stream = written(stats(done, &[], &[]), 0);
        results(groups.clone(), vec![stream]).demands(0)[0].share()
    };
    assert!((share(910) - 1.0).abs() < 1e-9);
    assert!(share(890) < 0.99);
}

#[test]
fn records_are_counted_where_writes_carry_several() {
    let pacing = Pacing::Gathered {
        per_second: 1.0,
        poisson: false,
        record: 2048,
        unit: 512,
    };
    // 10 records in 4 writes.
    let write = stats(4, &[1; 4], &[2; 10]);
    let results = results(
        vec![group("log", 1, pacing, FlushPolicy::Never)],
        vec![written(write, 0)],
    );
    assert_eq!(
        (results.demands(0)[0].done, results.demands(0)[0].due),
        (10, Some(10.0))
    );
    // The users waited 2 ms, whatever the device took.
    let felt = results.felt(0, "log", Direction::Write).unwrap();
    assert!((felt.mean_ms() - 2.0).abs() < 1e-9);
    assert_eq!(results.felt(0, "log", Direction::Read), None);
    assert_eq!(results.felt(0, "other", Direction::Write), None);
    assert_eq!(results.felt(7, "log", Direction::Write), None);
}

#[test]
fn a_commit_takes_its_write_and_its_flush() {
    let flush = FlushPolicy::Every {
        writes: 1,
        data_only: true,
    };
    let mut stream = written(stats(2, &[1, 3], &[]), 0);
    stream.flush = stats(2, &[5, 7], &[]);
    let closed = results(
        vec![group("log", 1, Pacing::Unlimited, flush)],
        vec![stream.clone()],
    );
    let felt = closed.felt(0, "log", Direction::Write).unwrap();
    // (1 + 3) / 2 + (5 + 7) / 2, and 3 + 7.
    assert!((felt.mean_ms() - 8.0).abs() < 1e-9);
    assert!((felt.max_ms() - 10.0).abs() < 1e-9);
    assert!((felt.percentile_ms(1.0) - 10.0).abs() < 1e-9);
    assert_eq!(closed.demands(0), []);
    // A flush after many writes belongs to none of them.
    let seldom = FlushPolicy::Every {
        writes: 100,
        data_only: true,
    };
    let batch = results(
        vec![group("log", 1, Pacing::Unlimited, seldom)],
        vec![stream],
    );
    let felt = batch.felt(0, "log", Direction::Write).unwrap();
    assert!((felt.mean_ms() - 2.0).abs() < 1e-9);
}

#[test]
fn a_wave_that_is_not_done_is_behind() {
    let pacing = Pacing::Waves {
        first: Duration::from_secs(3),
        every: Duration::from_mins(1),
        operations: 100,
        backs_off_above: None,
    };
    let groups = vec![group("checkpoint", 1, pacing, FlushPolicy::Never)];
    let share = |done, behind| {
        let stream = written(stats(done, &[], &[]), behind);
        results(groups.clone(), vec![stream]).demands(0)[0].share()
    };
    assert!((share(100, 0) - 1.0).abs() < 1e-9);
    assert!((share(60, 40) - 0.6).abs() < 1e-9);
    // Before the first wave nothing is due.
    assert!((share(0, 0) - 1.0).abs() < 1e-9);
}
