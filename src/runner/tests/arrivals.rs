//! Open loops: what is due is issued, late or not, and the wait is in the response.

use super::*;
use crate::{
    measure::Latency,
    plan::{Distribution, FlushPolicy, Generator, WeightedSize},
};

const SECOND: Duration = Duration::from_secs(1);

fn arriving(queue_depth: u32, per_second: f64, poisson: bool) -> Stream {
    let mut stream = reads(0, queue_depth);
    stream.pacing = Pacing::Arrivals {
        per_second,
        poisson,
    };
    stream
}

fn one(stream: Stream) -> WorkerGroup {
    group(1, vec![stream], Dispatch::PerStream)
}

fn sim(law: &str, load: TimeSpan) -> SpanResult {
    finished(carry_out(simulated(law), load, OnError::Stop))
}

fn behind(result: &SpanResult) -> u64 {
    result.streams().map(|stream| stream.behind).sum()
}

/// How many took longer than this, by buckets of a thousandth.
fn slower(latency: &Latency, than_ns: u64) -> u64 {
    let buckets = latency.used_buckets();
    let slow = buckets.filter(|(top, _)| *top > than_ns + than_ns / 1000);
    slow.map(|(_, count)| count).sum()
}

#[test]
fn a_device_that_keeps_up_answers_as_fast_as_it_serves() {
    // 100 a second at 0, 10, ... 990 ms.
    let result = sim(
        "read=fixed:1ms",
        span(SECOND, one(arriving(1, 100.0, false))),
    );
    let reads = result.reads(None);
    assert_eq!((reads.count, behind(&result)), (100, 0));
    assert_eq!(reads.response.count(), 100);
    assert_eq!(reads.response.max_ns(), Some(1_000_000));
    assert_eq!(reads.latency.max_ns(), Some(1_000_000));
}

#[test]
fn a_device_that_does_not_is_waited_for_in_the_response() {
    // 200 a second of 10 ms each: number k is due at 5k ms, issued at 10k, done at 10k + 10.
    let result = sim(
        "read=fixed:10ms",
        span(SECOND, one(arriving(1, 200.0, false))),
    );
    let reads = result.reads(None);
    assert_eq!(reads.count, 100);
    assert_eq!(reads.latency.max_ns(), Some(10_000_000));
    let (least, most) = (reads.response.min_ns(), reads.response.max_ns());
    assert_eq!((least, most), (Some(10_000_000), Some(505_000_000)));
    // The mean of 10, 15, ... 505 ms.
    assert_eq!(reads.response.mean_ns(), Some(257_500_000.0));
    // 200 were due, 100 were issued.
    assert_eq!(behind(&result), 100);
}

#[test]
fn a_stall_is_seen_by_all_that_were_due_in_it() {
    // 1 ms each at 100 a second; the device stands still from 2 s to 3 s.
    let load = span(SECOND * 10, one(arriving(1, 100.0, false)));
    let result = sim("read=fixed:1ms,stall=2s..3s", load);
    let reads = result.reads(None);
    assert_eq!((reads.count, behind(&result)), (1000, 0));
    // One I/O is in the device while it stands; it begins at 2 s, and ends at 3.001.
    assert_eq!(reads.latency.max_ns(), Some(1_001_000_000));
    // Number j behind it is due 10 j ms after 2 s and done at 3.001 s + j ms: it waits 1001 - 9 j ms.
    // Above 500 ms are j = 0 to 55, above 1 ms all to j = 111.
    assert_eq!(reads.response.max_ns(), Some(1_001_000_000));
    assert_eq!(slower(&reads.response, 500_000_000), 56);
    assert_eq!(slower(&reads.response, 1_000_000), 112);
    assert_eq!(slower(&reads.latency, 1_000_000), 1);
}

#[test]
fn depth_helps_and_threads_take_turns() {
    // 10 ms of service at 200 a second: two slots of a device with two channels keep up.
    let result = sim(
        "read=fixed:10ms,servers=2",
        span(SECOND, one(arriving(2, 200.0, false))),
    );
    assert_eq!((result.reads(None).count, behind(&result)), (200, 0));
    assert_eq!(result.reads(None).response.max_ns(), Some(10_000_000));
    // Four threads of 10 a second: 25 ms after each other, each on a device of its own.
    let threads = group(4, vec![arriving(1, 10.0, false)], Dispatch::PerStream);
    let mut load = span(MS * 99, threads);
    load.interval = MS * 25;
    let result = sim("read=fixed:1ms", load);
    let firsts: Vec<usize> = result
        .streams()
        .map(|stream| stream.read.intervals.used().len())
        .collect();
    assert_eq!(firsts, [1, 2, 3, 4]);
}

#[test]
fn chance_keeps_the_rate_and_does_not_touch_the_offsets() {
    let mut stream = arriving(64, 1000.0, true);
    stream.pattern = AccessPattern::Random {
        alignment: 16384,
        distribution: Distribution::Uniform,
    };
    let mut load = span(SECOND * 100, one(stream));
    load.generator = Generator::Xoshiro { seed: 3 };
    let law = "read=fixed:1us,servers=64";
    let result = sim(law, load.clone());
    let reads = result.reads(None);
    // 100,000 are expected; the deviation of such a count is its root, 316.
    assert!(reads.count.abs_diff(100_000) < 1300, "{}", reads.count);
    // The same again, and another with another seed.
    assert_eq!(sim(law, load.clone()).reads(None), reads);
    load.generator = Generator::Xoshiro { seed: 4 };
    assert_ne!(sim(law, load).reads(None).count, reads.count);
}

#[test]
fn mixes_of_sizes_and_kinds_keep_the_rate_too() {
    let mut stream = arriving(8, 500.0, false);
    stream.mix.write_percent = 30;
    stream.pattern = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    let entry = |bytes, weight| WeightedSize { bytes, weight };
    stream.sizes = BlockSizes::Weighted {
        read: vec![entry(4096, 60), entry(65536, 40)],
        write: vec![entry(8192, 1)],
    };
    let law = "read=fixed:1ms,write=fixed:2ms,per_byte=10ns,servers=8";
    let result = sim(law, span(SECOND * 2, one(stream)));
    let (reads, writes) = (result.reads(None), result.writes(None));
    assert_eq!((reads.count + writes.count, behind(&result)), (1000, 0));
    assert_eq!(reads.response.count(), reads.count);
    assert_eq!(writes.response.count(), writes.count);
}

#[test]
fn what_was_due_in_the_warm_up_is_not_behind() {
    // Nothing can be issued while the first takes 10 s; 10 were due in each second.
    let mut load = span(SECOND, one(arriving(1, 10.0, false)));
    load.warmup = SECOND;
    assert_eq!(behind(&sim("read=fixed:10s", load.clone())), 10);
    // What is issued only in a cool-down was behind all the same.
    load.counting = Counting::CompletedInWindow;
    load.cooldown = SECOND * 20;
    assert_eq!(behind(&sim("read=fixed:1500ms", load)), 10);
}

/// A thread that would sleep for ever still sees the end.
#[test]
fn a_rate_of_nearly_nothing_ends_in_time() {
    let result = sim("", span(SECOND * 5, one(arriving(1, 1e-300, true))));
    assert_eq!((result.reads(None).count, behind(&result)), (0, 0));
    assert_eq!(result.measured, SECOND * 5);
}

#[test]
fn every_engine_keeps_a_rate_on_a_real_file() {
    for kind in [EngineKind::Psync, EngineKind::IoUring, EngineKind::Libaio] {
        let folder = tempfile::tempdir().unwrap();
        let mut load = real(&folder, arriving(2, 500.0, false));
        load.stop.after = Some(MS * 300);
        let results = carry_out(EngineChoice::Named(kind), load, OnError::Stop);
        if !results.spans[0].failures.is_empty() {
            eprintln!("skipped: {kind}: {}", results.spans[0].failures[0].message);
            continue;
        }
        let result = finished(results);
        let reads = result.reads(None);
        // Due in 300 ms by two threads: what was not issued is behind, whatever the machine did.
        assert_eq!(reads.count + behind(&result), 300, "{kind}");
        assert_eq!(reads.response.count(), reads.count);
        assert!(reads.response.max_ns() >= reads.latency.max_ns(), "{kind}");
    }
}

fn committing(per_second: f64, record: u32, unit: u32) -> Stream {
    let mut stream = writes(0, 1);
    stream.pattern = AccessPattern::Append;
    stream.sizes = BlockSizes::One(61440);
    stream.pacing = Pacing::Gathered {
        per_second,
        poisson: false,
        record,
        unit,
    };
    stream
}

#[test]
fn one_write_carries_what_has_gathered() {
    // 5000 records a second, 1 ms a write. The first carries the record of 0 ms alone; while each
    // write is under way five more come, at 0.2, 0.4, ... 1.0 ms: the last as the next begins.
    let result = sim(
        "write=fixed:1ms",
        span(SECOND, one(committing(5000.0, 512, 512))),
    );
    let writes = result.writes(None);
    assert_eq!(writes.count, 1000);
    assert_eq!(writes.response.count(), 1 + 999 * 5);
    assert_eq!(writes.bytes, 512 * (1 + 999 * 5));
    assert_eq!(writes.latency.max_ns(), Some(1_000_000));
    // A record waits 0, 0.2, 0.4, 0.6 or 0.8 ms for its write.
    assert_eq!(writes.response.min_ns(), Some(1_000_000));
    assert_eq!(writes.response.max_ns(), Some(1_800_000));
    let mean = writes.response.mean_ns().unwrap();
    assert!((mean - 1_400_000.0).abs() < 200.0, "{mean}");
    // Those due at 999.2 to 999.8 ms found no write any more.
    assert_eq!(behind(&result), 4);
}

#[test]
fn a_write_is_full_at_the_largest_size_and_the_rest_waits() {
    // 100 records of 1000 bytes fit into 60 KiB at 61; 100,000 a second would need 100 a write.
    let load = span(MS * 100, one(committing(100_000.0, 1000, 512)));
    let result = sim("write=fixed:1ms", load);
    let writes = result.writes(None);
    // The first carries one record (1024 bytes), the others 61 (61,000 in 120 units).
    assert_eq!(writes.count, 100);
    assert_eq!(writes.bytes, 1024 + 99 * 61440);
    assert_eq!(writes.response.count(), 1 + 99 * 61);
    assert_eq!(behind(&result), 10_000 - (1 + 99 * 61));
}

#[test]
fn a_record_is_safe_after_the_flush_that_follows() {
    let mut stream = committing(1000.0, 512, 512);
    stream.mix.flush = FlushPolicy::Every {
        writes: 1,
        data_only: true,
    };
    // 1 ms of write, 2 of flush: the first record takes 3 ms; then three gather each time, at 0, 1
    // and 2 ms before the write begins.
    let result = sim(
        "write=fixed:1ms,flush=fixed:2ms",
        span(MS * 30, one(stream)),
    );
    let writes = result.writes(None);
    assert_eq!((writes.count, writes.response.count()), (10, 1 + 9 * 3));
    assert_eq!(writes.response.min_ns(), Some(3_000_000));
    assert_eq!(writes.response.max_ns(), Some(5_000_000));
    assert_eq!(writes.latency.max_ns(), Some(1_000_000));
}

fn waves(queue_depth: u32, operations: u64, backs_off_above: Option<Duration>) -> Stream {
    let mut stream = writes(0, queue_depth);
    stream.pacing = Pacing::Waves {
        first: MS * 5,
        every: MS * 20,
        operations,
        backs_off_above,
    };
    stream
}

#[test]
fn waves_come_and_go() {
    // At 5, 25, 45, 65 and 85 ms: ten writes of 1 ms, two at a time, in 5 ms.
    let mut load = span(MS * 100, one(waves(2, 10, None)));
    load.interval = MS * 5;
    let result = sim("write=fixed:1ms,servers=2", load);
    let writes = result.writes(None);
    assert_eq!((writes.count, behind(&result)), (50, 0));
    assert_eq!(writes.response.count(), 0);
    // The last pair of a wave ends as the next interval begins.
    let counts: Vec<u64> = writes.intervals.used().iter().map(|i| i.count).collect();
    assert_eq!(counts[..8], [0, 8, 2, 0, 0, 8, 2, 0]);
}

#[test]
fn a_wave_runs_into_the_next() {
    // 30 ms of work every 20 ms: the device is never idle after 5 ms.
    let result = sim("write=fixed:1ms", span(MS * 100, one(waves(1, 30, None))));
    assert_eq!(result.writes(None).count, 95);
    // Five waves of 30 were due, 95 were issued.
    assert_eq!(behind(&result), 150 - 95);
}

#[test]
fn slow_answers_halve_what_is_in_flight() {
    // Eight at once on one channel take 8 ms each, four take 4. Every I/O is above the limit: of the
    // first eight four are slow, and then no more than four are in flight.
    let run = |limit| {
        let wave = waves(8, 1_000_000, limit);
        sim("write=fixed:1ms", span(MS * 105, one(wave))).writes(None)
    };
    let (limited, free) = (run(Some(MS / 2)), run(None));
    assert_eq!(slower(&limited.latency, 4_000_000), 4);
    // The device works from 5 to 105 ms either way; then seven are in flight, or three.
    assert_eq!((limited.count, free.count), (103, 107));
    assert_eq!(slower(&free.latency, 4_000_000), 103);
}
