//! Streams that write what others read, and writes that are all different.

use super::*;
use crate::plan::FlushPolicy;

/// A stream that reads, and one that writes what it reads, in blocks of `bytes`.
fn copying(read_depth: u32, write_depth: u32, bytes: u32) -> Vec<Stream> {
    let mut copier = writes(1, write_depth);
    copier.pattern = AccessPattern::Append;
    copier.sizes = BlockSizes::One(bytes);
    copier.copies = Some(0);
    let mut source = reads(0, read_depth);
    source.pattern = AccessPattern::Append;
    vec![source, copier]
}

fn load(after: Duration, streams: Vec<Stream>) -> TimeSpan {
    span(after, group(1, streams, Dispatch::PerStream))
}

fn counts(result: &SpanResult) -> (u64, u64) {
    (result.reads(None).count, result.writes(None).count)
}

fn sim(law: &str, load: TimeSpan) -> SpanResult {
    finished(carry_out(simulated(law), load, OnError::Stop))
}

#[test]
fn a_slow_writer_holds_the_reader_back() {
    // Reads of 1 ms, writes of 10, one at a time: in 100 ms ten writes are begun after the first
    // read. The reader is one block ahead of the block that waits.
    let result = sim(
        "read=fixed:1ms,write=fixed:10ms,servers=2",
        load(MS * 100, copying(1, 1, 16384)),
    );
    assert_eq!(counts(&result), (11, 10));
}

#[test]
fn a_slow_reader_leaves_the_writer_idle() {
    // A block each 10 ms, written in 1: the last that ends at 100 ms finds no time to be written.
    let result = sim(
        "read=fixed:10ms,write=fixed:1ms,servers=2",
        load(MS * 100, copying(1, 4, 16384)),
    );
    assert_eq!(counts(&result), (10, 9));
}

#[test]
fn the_first_write_waits_for_the_first_read() {
    let result = sim(
        "read=fixed:50ms,write=fixed:1ms",
        load(MS * 40, copying(1, 1, 16384)),
    );
    assert_eq!(counts(&result), (1, 0));
}

#[test]
fn a_whole_target_is_copied_by_one_pass() {
    // 1 MiB in 64 blocks; what is read is written, in smaller blocks where it is compressed.
    for (read_depth, write_depth, bytes) in [(1, 1, 16384), (4, 2, 4096), (2, 8, 16384)] {
        let mut copy = load(MS, copying(read_depth, write_depth, bytes));
        copy.stop = Stop {
            passes: Some(1),
            ..Stop::default()
        };
        let law = "read=fixed:1ms,write=uniform:1ms..9ms,servers=4";
        let result = sim(law, copy.clone());
        assert_eq!(counts(&result), (64, 64));
        assert_eq!(result.writes(None).bytes, 64 * u64::from(bytes));
        let null = EngineChoice::Named(EngineKind::Null);
        assert_eq!(
            counts(&finished(carry_out(null, copy, OnError::Stop))),
            (64, 64)
        );
    }
}

#[test]
fn limits_hold_for_reads_and_their_writes_together() {
    let law = || simulated("read=fixed:1ms,write=uniform:1ms..9ms,servers=4");
    let null = || EngineChoice::Named(EngineKind::Null);
    // Pairs: of an odd number one is left over.
    for (operations, pairs) in [(1000, 500), (1001, 500), (1, 0)] {
        for engine in [law(), null()] {
            let mut copy = load(MS, copying(4, 2, 4096));
            copy.stop = Stop {
                operations: Some(operations),
                ..Stop::default()
            };
            let result = finished(carry_out(engine, copy, OnError::Stop));
            assert_eq!(counts(&result), (pairs, pairs), "{operations}");
        }
    }
    // 16 KiB and 4 KiB together, 51 times in 1 MiB.
    for engine in [law(), null()] {
        let mut copy = load(MS, copying(2, 8, 4096));
        copy.stop = Stop {
            bytes: Some(1 << 20),
            ..Stop::default()
        };
        let result = finished(carry_out(engine, copy, OnError::Stop));
        assert_eq!(counts(&result), (51, 51));
    }
}

#[test]
fn threads_share_a_limit_in_pairs() {
    for engine in [
        simulated("read=fixed:1ms,write=fixed:2ms"),
        EngineChoice::Named(EngineKind::Null),
    ] {
        let mut copy = span(MS, group(3, copying(2, 2, 16384), Dispatch::PerStream));
        copy.stop = Stop {
            operations: Some(1002),
            ..Stop::default()
        };
        let result = finished(carry_out(engine, copy, OnError::Stop));
        assert_eq!(counts(&result), (501, 501));
    }
}

#[test]
fn writes_of_what_the_warm_up_read_are_not_counted() {
    let mut copy = load(MS, copying(4, 4, 16384));
    copy.warmup = MS * 50;
    copy.stop = Stop {
        operations: Some(100),
        ..Stop::default()
    };
    let result = sim("read=fixed:1ms,write=fixed:7ms,servers=8", copy);
    assert_eq!(counts(&result), (50, 50));
}

#[test]
fn after_a_time_reads_and_writes_differ_by_what_waits_and_is_in_flight() {
    // Depth 4 and 4: three wait, four more may complete, four are being written.
    let law = "read=exp:1ms,write=exp:3ms,servers=8";
    let (reads, writes) = counts(&sim(law, load(MS * 2000, copying(4, 4, 16384))));
    assert!(
        reads >= writes && reads - writes <= 3 + 4 + 4,
        "{reads} {writes}"
    );
    assert!(writes > 1000, "{writes}");
}

#[test]
fn several_streams_copy_one_source() {
    let mut streams = copying(2, 1, 16384);
    let mut second = streams[1].clone();
    second.target.0 = 2;
    streams.push(second);
    let mut copy = load(MS, streams);
    copy.stop.after = None;
    copy.stop.passes = Some(1);
    let result = sim("read=fixed:1ms,write=exp:2ms,servers=4", copy);
    let writes: Vec<u64> = result.streams().map(|stream| stream.write.count).collect();
    assert_eq!(writes, [0, 64, 64]);
}

#[test]
fn reads_that_fail_are_not_written() {
    let copy = load(MS * 1000, copying(1, 1, 16384));
    let law = simulated("read=fixed:1ms,write=fixed:1ms,servers=2,error_every=5:EIO");
    let results = carry_out(law, copy, OnError::Continue);
    let result = &results.spans[0];
    let (reads, writes) = counts(result);
    let failed = result.workers[0].streams[1].write.error_count();
    assert!(result.failed_operations() > 100);
    // One may wait and one be in flight.
    assert!(reads - (writes + failed) <= 2, "{reads} {writes} {failed}");
}

#[test]
fn copies_flush_and_pay_what_they_owe() {
    let mut streams = copying(4, 1, 16384);
    streams[1].mix.flush = FlushPolicy::Every {
        writes: 8,
        data_only: true,
    };
    let mut copy = load(MS, streams);
    copy.stop.after = None;
    copy.stop.passes = Some(1);
    let law = "read=fixed:1ms,write=fixed:5ms,flush=fixed:20ms,servers=4";
    let result = sim(law, copy);
    assert_eq!(counts(&result), (64, 64));
    assert_eq!(result.workers[0].streams[1].flush.count, 8);
}

#[test]
fn no_two_numbered_writes_are_alike() {
    for kind in [EngineKind::Psync, EngineKind::IoUring, EngineKind::Libaio] {
        let folder = tempfile::tempdir().unwrap();
        let mut stream = writes(0, 4);
        stream.pattern = AccessPattern::Regions { alignment: 4096 };
        stream.payload = Payload::Stamped;
        let mut load = real(&folder, stream);
        let path = load.targets[0].path.clone();
        // Two threads write each block of 1 MiB once.
        load.stop = Stop {
            passes: Some(1),
            ..Stop::default()
        };
        let results = carry_out(EngineChoice::Named(kind), load, OnError::Stop);
        if !results.spans[0].failures.is_empty() {
            eprintln!("skipped: {kind}: {}", results.spans[0].failures[0].message);
            continue;
        }
        finished(results);
        let bytes = fs::read(path).unwrap();
        let blocks: std::collections::BTreeSet<&[u8]> = bytes.chunks(4096).collect();
        assert_eq!(blocks.len(), 256, "{kind}");
        let mut heads: Vec<&[u8]> = bytes.chunks(4096).map(|block| &block[..8]).collect();
        heads.sort_unstable();
        heads.dedup();
        assert_eq!(heads.len(), 64, "{kind}: one number a write");
    }
}

#[test]
fn the_same_load_is_the_same_again() {
    let mut streams = copying(4, 2, 4096);
    let mut log = writes(2, 1);
    log.pattern = AccessPattern::Append;
    log.pacing = Pacing::Gathered {
        per_second: 777.0,
        poisson: true,
        record: 300,
        unit: 512,
    };
    streams.push(log);
    let load = load(MS * 500, streams);
    let law = "read=exp:1ms,write=exp:2ms,servers=3";
    let (first, second) = (sim(law, load.clone()), sim(law, load));
    assert_eq!(first.reads(None), second.reads(None));
    assert_eq!(first.writes(None), second.writes(None));
    assert!(first.writes(None).response.count() > 100);
}
