//! Flushes between writes and at the end.

use super::*;
use crate::plan::FlushPolicy;

const LAW: &str = "write=fixed:1ms,read=fixed:1ms,flush=fixed:2ms,servers=16";

fn flushing(queue_depth: u32, flush: FlushPolicy) -> Stream {
    let mut stream = writes(0, queue_depth);
    stream.mix.flush = flush;
    stream
}

fn every(writes: u32) -> FlushPolicy {
    FlushPolicy::Every {
        writes,
        data_only: true,
    }
}

const AT_END: FlushPolicy = FlushPolicy::AtEnd { data_only: false };

fn counts(result: &SpanResult) -> (u64, u64) {
    let flushes = result.streams().map(|stream| stream.flush.count).sum();
    (result.writes(None).count, flushes)
}

fn sim(load: TimeSpan) -> SpanResult {
    finished(carry_out(simulated(LAW), load, OnError::Stop))
}

fn one(stream: Stream) -> WorkerGroup {
    group(1, vec![stream], Dispatch::PerStream)
}

#[test]
fn writes_and_flushes_take_turns() {
    // A write of 1 ms and a flush of 2: ten of each in 30 ms.
    let result = sim(span(MS * 30, one(flushing(1, every(1)))));
    assert_eq!(counts(&result), (10, 10));
    let flushes = &result.workers[0].streams[0].flush;
    let ms = Some(2_000_000);
    assert_eq!(
        (flushes.latency.min_ns(), flushes.latency.max_ns()),
        (ms, ms)
    );
    assert_eq!(flushes.bytes, 0);
    assert_eq!(flushes.intervals.used()[0].count, 10);
}

#[test]
fn each_slot_flushes_behind_its_own_write() {
    let result = sim(span(MS * 30, one(flushing(4, every(1)))));
    assert_eq!(counts(&result), (40, 40));
}

#[test]
fn only_every_so_many_writes_are_followed_by_a_flush() {
    // Three writes and a flush take 5 ms.
    let result = sim(span(MS * 50, one(flushing(1, every(3)))));
    assert_eq!(counts(&result), (30, 10));
}

#[test]
fn reads_are_not_followed_by_a_flush() {
    let mut stream = flushing(1, every(1));
    stream.mix.write_percent = 50;
    let result = sim(span(Duration::from_secs(2), one(stream)));
    let (writes, flushes) = counts(&result);
    assert_eq!(writes, flushes);
    // A thousand I/Os and 500 flushes take 2 s; the share of writes is drawn.
    let reads = result.reads(None).count;
    assert_eq!((reads + writes + 2 * flushes).next_multiple_of(10), 2000);
    assert!(writes.abs_diff(500) < 60, "{writes}");
}

#[test]
fn streams_in_turn_flush_before_the_next_has_its_turn() {
    let mut streams = vec![flushing(1, every(1)), reads(1, 1)];
    streams[0].mix.write_percent = 100;
    // Write, flush, read: 4 ms.
    let result = sim(span(MS * 40, group(1, streams, Dispatch::InTurn)));
    assert_eq!(counts(&result), (10, 10));
    assert_eq!(result.reads(None).count, 10);
}

#[test]
fn a_limit_of_operations_counts_no_flushes_and_leaves_none_out() {
    let mut load = span(MS, one(flushing(1, every(5))));
    load.stop = Stop {
        operations: Some(10),
        ..Stop::default()
    };
    // The second flush comes behind the last write: 10 and 4 ms.
    let result = sim(load);
    assert_eq!((counts(&result), result.measured), ((10, 2), MS * 14));
}

#[test]
fn a_flush_at_the_end_ends_the_measured_time() {
    // Writes are begun until 10 ms; the last ends then, the flush of each thread 2 ms later.
    let load = span(
        MS * 10,
        group(2, vec![flushing(1, AT_END)], Dispatch::PerStream),
    );
    let result = sim(load.clone());
    assert_eq!((counts(&result), result.measured), ((20, 2), MS * 12));
    let mut limited = load;
    limited.stop = Stop {
        operations: Some(6),
        ..Stop::default()
    };
    let result = sim(limited);
    assert_eq!((counts(&result), result.measured), ((6, 2), MS * 5));
}

#[test]
fn each_stream_flushes_its_own_target_at_the_end() {
    let streams = vec![flushing(2, AT_END), flushing(1, every(1)), {
        let mut other = flushing(1, AT_END);
        other.target.0 = 1;
        other
    }];
    let result = sim(span(MS * 9, group(1, streams, Dispatch::PerStream)));
    let flushes: Vec<u64> = result.streams().map(|stream| stream.flush.count).collect();
    assert_eq!(flushes, [1, 3, 1]);
    // One after the other.
    assert_eq!(result.measured, MS * 13);
}

#[test]
fn a_flush_that_fails_is_told_as_such() {
    let load = span(MS * 12, one(flushing(1, every(1))));
    // Every fourth I/O is a flush, the second of them.
    let law = || simulated(&format!("{LAW},error_every=4:EIO"));
    let results = carry_out(law(), load.clone(), OnError::Stop);
    let result = &results.spans[0];
    assert_eq!(result.outcome, Outcome::EndedEarly(EndReason::Failed));
    let message = &result.failures[0].message;
    assert!(message.contains("file0: fdatasync: "), "{message}");
    let results = carry_out(law(), load, OnError::Continue);
    let result = &results.spans[0];
    let flushes = &result.workers[0].streams[0].flush;
    assert_eq!((flushes.count, flushes.error_count()), (2, 2));
    assert_eq!(result.outcome, Outcome::Finished);
    let law = simulated("write=fixed:10ms,error_every=2:EIO");
    let results = carry_out(law, span(MS * 5, one(flushing(1, AT_END))), OnError::Stop);
    let result = &results.spans[0];
    assert_eq!(result.workers[0].streams[0].flush.error_count(), 1);
    assert!(result.failures[0].message.contains("fsync"));
}

#[test]
fn real_files_are_flushed_by_every_engine() {
    let kinds = [EngineKind::Psync, EngineKind::IoUring, EngineKind::Libaio];
    for kind in kinds {
        let folder = tempfile::tempdir().unwrap();
        let mut load = real(&folder, flushing(4, every(2)));
        load.stop = Stop {
            operations: Some(200),
            ..Stop::default()
        };
        let results = carry_out(EngineChoice::Named(kind), load, OnError::Stop);
        if !results.spans[0].failures.is_empty() {
            eprintln!("skipped: {kind}: {}", results.spans[0].failures[0].message);
            continue;
        }
        let result = finished(results);
        let (writes, flushes) = counts(&result);
        // Each of two threads may have one write over.
        assert_eq!(writes, 200);
        assert!((99..=100).contains(&flushes), "{flushes} with {kind}");
    }
}
