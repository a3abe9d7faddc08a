//! Plans in words.

use std::path::PathBuf;

use ioengine::EngineKind;

use super::super::{
    fixtures::{plan, shared_span, span, stream, target},
    *,
};

fn describe(plan: &Plan) -> String {
    super::describe(plan, 100)
}

#[test]
fn a_random_mix_on_a_new_file() {
    let pattern = AccessPattern::Random {
        alignment: 8192,
        distribution: Distribution::Uniform,
    };
    let group = WorkerGroup {
        name: String::new(),
        workers: 4,
        affinity: Affinity::RoundRobin,
        streams: vec![stream(0, pattern, BlockSizes::One(8192))],
        dispatch: Dispatch::PerStream,
    };
    let file = FilePreparation {
        label: "d.dat".into(),
        path: "d.dat".into(),
        size: 1 << 30,
        content: Content::Random,
        policy: Policy::Rebuild,
        through: Through::Past,
        block: None,
        verify: false,
    };
    let steps = vec![
        Step::Prepare(Prepare { files: vec![file] }),
        Step::Run(span(vec![target("d.dat", "d.dat")], vec![group])),
    ];
    let line = "diskspd -c1G -d60 -b8K -o32 -t4 -r -w40 -Sh d.dat";
    // 4 threads with 32 I/Os of 8192 bytes each: 1,048,576 bytes.
    let expected = "\
diskspd: diskspd -c1G -d60 -b8K -o32 -t4 -r -w40 -Sh d.dat
  engine       the best that works here; the result names it
  on error     an I/O error ends the run early, with what it has

Before the load
  makes        d.dat: 1,073,741,824 bytes (1 GiB) of random bytes; an existing file is cut to
               nothing and written again
  writes       1,073,741,824 bytes (1 GiB) before the load begins

Time span 1
  times        5 s of warm-up, 60 s measured, 0 s of cool-down; figures for each 1 s
  ends         after 60 s
  counts       I/Os that complete inside the measured time
  chance       DiskSpd's generator, draw for draw; worker i has seed 0 + i
  target 0     d.dat
    range      the whole target
    opened     for reading and writing; O_DIRECT: past the page cache; O_DSYNC: a write is done when
               its data is on stable storage
  threads 0-3  4 threads, bound to one CPU each, round robin; 32 I/Os outstanding each, 128 in all
    stream 0   to target 0, 32 I/Os outstanding
      order    random, at multiples of 8 KiB
      sizes    8 KiB
      mix      60 % reads, 40 % writes, drawn for each I/O
      pace     as fast as the target answers
      writes send random bytes, drawn once for each outstanding I/O
  in all       4 threads, 128 I/Os outstanding at most, 1,048,576 bytes (1 MiB) of memory for their
               data
";
    assert_eq!(describe(&plan("diskspd", line, steps)), expected);
}

/// A mix of 80 % leaps over a weighted part of a buffered file behind a drive letter.
fn reader() -> (Target, Stream) {
    let mut data = target("E:\\d.dat", "/mnt/e/d.dat");
    data.base = 1 << 20;
    data.end = Some(3 << 20);
    data.caching = ioengine::Caching::Buffered;
    data.durability = ioengine::Durability::None;
    data.hints.random = true;
    let entry = |bytes, weight| WeightedSize { bytes, weight };
    let sizes = BlockSizes::Weighted {
        read: vec![entry(8192, 2), entry(65536, 1)],
        write: Vec::new(),
    };
    let part = |io_percent, from, length| Share {
        io_percent,
        from,
        length,
    };
    let pattern = AccessPattern::Mixed {
        alignment: 8192,
        random_percent: 80,
        distribution: Distribution::Percent(vec![part(90, 0, 10), part(10, 10, 90)]),
    };
    let mut reader = stream(0, pattern, sizes);
    reader.mix.write_percent = 0;
    (data, reader)
}

/// A log that is flushed, fed by an open loop from a source.
fn writer() -> Stream {
    let mut writer = stream(1, AccessPattern::Append, BlockSizes::One(4096));
    writer.mix = OperationMix {
        write_percent: 100,
        flush: FlushPolicy::Every {
            writes: 100,
            data_only: true,
        },
    };
    writer.pacing = Pacing::Arrivals {
        per_second: 250.5,
        poisson: true,
    };
    writer.payload = Payload::Source {
        size: 20 << 20,
        file: Some(PathBuf::from("/tmp/source")),
    };
    writer
}

fn unusual() -> Plan {
    let (data, reader) = reader();
    let group = |workers, streams, dispatch| WorkerGroup {
        name: String::new(),
        workers,
        affinity: Affinity::List(vec![0, 2]),
        streams,
        dispatch,
    };
    let pool = Dispatch::Shared {
        queue_depth: 8,
        weights: vec![3, 1],
    };
    let groups = vec![
        group(2, vec![reader, writer()], pool),
        group(1, vec![writer()], Dispatch::PerStream),
    ];
    let mut span = span(vec![data, target("log", "log")], groups);
    span.stop.bytes = Some(10 << 30);
    span.stop.passes = Some(2);
    let cleanup = Cleanup {
        paths: vec!["log".into()],
        whose: Whose::Own,
    };
    let steps = vec![Step::Run(span), Step::Cleanup(cleanup)];
    let mut plan = plan("native", "run", steps);
    plan.engine = EngineChoice::Named(EngineKind::Libaio);
    plan.on_error = OnError::Continue;
    plan.consent = vec!["/dev/sdb".into()];
    plan
}

#[test]
fn everything_unusual_is_said() {
    let text = describe(&unusual());
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "engine libaio: Linux native",
        "I/O errors are counted, and the run goes on",
        "/dev/sdb may be destroyed",
        "after 60 s, or after 10,737,418,240 bytes (10 GiB) over all workers, or after 2 passes",
        "E:\\d.dat (the file /mnt/e/d.dat)",
        "from 1,048,576 bytes (1 MiB) to 3,145,728 bytes (3 MiB)",
        "at most 2,097,152 bytes (2 MiB)",
        "through the page cache; a write is done when the system has taken it: it is not durable",
        "expect random accesses",
        "threads 0-1 2 threads, bound to CPUs 0, 2 in turn; 8 I/Os outstanding each, 16 in all",
        "each I/O draws its target with weights 3 : 1",
        "80 % random, at multiples of 8 KiB; the others follow the one before",
        "90 % of the I/Os at 0 to 10 %, 10 % of the I/Os at 10 to 100 %",
        "8 KiB (66.7 %), 64 KiB (33.3 %)",
        "writes only; fdatasync after every 100 writes",
        "250.5 I/Os a second and thread, at exponential distances",
        "a buffer of 20,971,520 bytes (20 MiB) filled from /tmp/source",
        "thread 2 1 thread",
        // 2 x 8 slots of 64 KiB, 32 slots of 4 KiB, and the source: 1 MiB + 128 KiB + 20 MiB.
        "3 threads, 48 I/Os outstanding at most, 22,151,168 bytes (21.12 MiB) of memory",
        "removes log, if this run made it",
    ] {
        assert!(flat.contains(said), "{said:?} is missing in\n{text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
}

#[test]
fn orders_and_laws_are_told() {
    let ranked = |skew, ranks| Distribution::Ranked { skew, ranks };
    let drawn = |distribution| AccessPattern::Random {
        alignment: 4096,
        distribution,
    };
    for (pattern, said) in [
        (
            drawn(ranked(Skew::Zipf(0.99), Ranks::Scattered)),
            "the position of rank r in proportion to 1 / r^0.99 (Zipf's law); ranks are scattered",
        ),
        (
            drawn(ranked(Skew::Pareto(0.2), Ranks::ScatteredFrom(25.0))),
            "80 % of the I/Os at 20 % of the positions, and so on inside of these (Pareto's rule); \
             ranks are scattered over the range, the first of them at 25 % of it",
        ),
        (
            drawn(ranked(Skew::Pareto(0.9), Ranks::InOrder)),
            "90 % of the I/Os at 10 % of the positions, and so on inside of these (Pareto's rule); \
             ranks lie in order from the start of the range",
        ),
        (
            drawn(Distribution::Normal {
                deviation_percent: 10.0,
                centre_percent: 50.0,
            }),
            "by the normal distribution around 50 % of the range, standard deviation 10 % of it",
        ),
        (
            AccessPattern::Shuffled { alignment: 4096 },
            "each multiple of 4 KiB once, in a random order that the threads share out; then all \
             again in another order",
        ),
    ] {
        let streams = vec![stream(0, pattern, BlockSizes::One(4096))];
        let group = WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams,
            dispatch: Dispatch::PerStream,
        };
        let span = span(vec![target("d", "d")], vec![group]);
        let text = flat(&plan("native", "run", vec![Step::Run(span)]));
        assert!(text.contains(said), "{said:?} is missing in\n{text}");
    }
}

#[test]
fn events_are_told_before_the_time_spans() {
    let mut plan = plan("diskspd", "diskspd", Vec::new());
    plan.events = Events {
        wait_before_start: Some("/run/go".into()),
        stop_when: Some("/run/halt".into()),
        signal_started: Some("/run/begun".into()),
        signal_finished: Some("/run/ended".into()),
    };
    let text = describe(&plan);
    for words in [
        "until /run/go is there, before each load begins",
        "as soon as /run/halt is there",
        "/run/begun when a measured time begins",
        "/run/ended when a measured time ends",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

fn flat(plan: &Plan) -> String {
    let text = describe(plan);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A set of files as sysbench's `prepare` makes it.
fn set(count: u32, through: Through) -> Step {
    let file = |number| FilePreparation {
        label: format!("test_file.{number}"),
        path: format!("test_file.{number}").into(),
        size: 16 << 20,
        content: Content::Random,
        policy: Policy::Extend,
        through,
        block: Some(16384),
        verify: true,
    };
    let files = (0..count).map(file).collect();
    Step::Prepare(Prepare { files })
}

#[test]
fn verified_writes_send_labelled_sectors() {
    let random = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    let mut writes = stream(0, random, BlockSizes::One(4096));
    writes.mix.write_percent = 100;
    let group = WorkerGroup {
        name: String::new(),
        workers: 1,
        affinity: Affinity::None,
        streams: vec![writes],
        dispatch: Dispatch::PerStream,
    };
    let mut verified = span(vec![target("t", "t")], vec![group]);
    let text = flat(&plan("native", "", vec![Step::Run(verified.clone())]));
    assert!(text.contains("writes send random bytes"), "{text}");
    verified.verify = true;
    let text = flat(&plan("native", "", vec![Step::Run(verified)]));
    assert!(text.contains("writes send labelled sectors"), "{text}");
    assert!(!text.contains("random bytes"), "{text}");
}

#[test]
fn a_set_of_files_is_told_as_one() {
    let through = Through::As {
        caching: Caching::Buffered,
        durability: Durability::None,
    };
    let expected = "\
sysbench: prepare
  engine       the best that works here; the result names it
  on error     an I/O error ends the run early, with what it has

Files to make
  makes        128 files, test_file.0 to test_file.127: each 16,777,216 bytes (16 MiB) of random
               bytes; an existing file is kept if it is large enough, else extended; it grows by
               whole blocks of 16 KiB from where it ended, and so may become larger; each block ends
               with a checksum and its offset; through the page cache, which keeps it
  writes       at most 2,147,483,648 bytes (2 GiB)
";
    assert_eq!(
        describe(&plan("sysbench", "prepare", vec![set(128, through)])),
        expected
    );
    let direct = Through::As {
        caching: Caching::Direct,
        durability: Durability::Sync,
    };
    let text = flat(&plan("sysbench", "prepare", vec![set(2, direct)]));
    assert!(
        text.contains("makes test_file.1: 16,777,216 bytes"),
        "{text}"
    );
    assert!(text.contains("past the page cache (O_DIRECT), or not at all, with O_SYNC"));
}

#[test]
fn files_that_are_removed_whoever_made_them() {
    let named = |count: u32| {
        let paths = (0..count)
            .map(|n| format!("test_file.{n}").into())
            .collect();
        let whose = Whose::Named;
        flat(&plan(
            "sysbench",
            "cleanup",
            vec![Step::Cleanup(Cleanup { paths, whose })],
        ))
    };
    let words = "whoever made it, if it is there";
    assert!(named(128).ends_with(&format!(
        "Files to remove removes 128 files, test_file.0 to test_file.127, {words}"
    )));
    assert!(named(2).ends_with(&format!(
        "removes test_file.0, {words} removes test_file.1, {words}"
    )));
}

#[test]
fn a_shared_sequence() {
    let expected = "\
sysbench: run
  engine       the best that works here; the result names it
  on error     an I/O error ends the run early, with what it has

Time span 1
  times        0 s of warm-up, 60 s measured, 0 s of cool-down
  ends         after 60 s
  counts       I/Os that start inside the measured time; the last are waited for
  files        128 files, test_file.0 to test_file.127; 16,777,216 bytes (16 MiB) of each are used,
               2,147,483,648 bytes (2 GiB) together
    before     each must be there, with 16,777,216 bytes (16 MiB) at least
    opened     for reading and writing; through the page cache; a write is done when the system has
               taken it: it is not durable
  requests     of one sequence for all 2 threads: who comes first takes the next
    order      random, 16 KiB at multiples of 16 KiB of all 2,147,483,648 bytes (2 GiB) together;
               cut where a file ends
    chance     sysbench 1.0's generator (xoroshiro128+), one a thread, from seed 42; one value more
               is drawn after each request
    mix        a read while (reads + 1) / (writes + 1) is below 1.5, else a write; those count that
               are complete
    in flight  one of each thread, which waits for it
    pace       as fast as the files answer
    writes send zeros
    flushes    after every 100 reads and writes, if any of them wrote: one round flushes all 128
               files, by as many calls of fsync; each call is a request, with a latency and in the
               limit
    at the end every thread flushes every file, however the load ended: 2 threads x 128 files = 256
               calls of fsync
";
    let plan = plan("sysbench", "run", vec![Step::Run(shared_span())]);
    assert_eq!(describe(&plan), expected);
}

#[test]
fn everything_unusual_of_a_shared_sequence_is_said() {
    let mut span = shared_span();
    span.targets.iter_mut().for_each(|target| {
        target.opening = Opening::Anew { size: 0 };
    });
    span.stop = Stop {
        operations: Some(10_000),
        ..Stop::default()
    };
    let shared = span.sequence.as_mut().expect("a sequence");
    shared.workers = 1;
    shared.order = Order::Sequential {
        length: 65536,
        once: true,
    };
    shared.operations = Operations::Writes;
    shared.flushes = Flushes {
        data_only: true,
        round_every: Some(100),
        after_write: true,
        at_end: AtEnd::OnceAtLimit,
        are_events: false,
    };
    shared.backlog = Some(128);
    shared.verify = Verify::OutsideLatency;
    shared.arrivals_per_second = Some(50);
    shared.grace = Some(std::time::Duration::from_secs(3));
    shared.watch = Watch {
        intervals: Some(std::time::Duration::from_secs(10)),
        checkpoints: [30, 60].map(std::time::Duration::from_secs).to_vec(),
        requests: true,
    };
    let text = flat(&plan("sysbench", "run", vec![Step::Run(span)]));
    for said in [
        "after 10,000 requests over all workers",
        "each is made anew, without a byte",
        "of one sequence, carried out by 1 thread",
        "64 KiB at a time and the last of a file cut at its end; once over all files",
        "mix writes only in flight up to 128 requests of each thread",
        "50 requests a second over all threads, at exponential distances",
        "judged outside the time of a latency",
        "fdatasync of the file after each write, as part of the same request; after every 100",
        "128 files, by as many calls of fdatasync; they are no requests: in no latency and no limit",
        "each file is flushed once, 128 calls of fdatasync in all, when the limit",
        "figures of each 10 s; all figures after 30 s, 60 s, which then start anew; every request",
        "not done 3 s after the limit of time are left behind",
    ] {
        assert!(text.contains(said), "{said:?} is missing in\n{text}");
    }
}

#[test]
fn a_grid_its_turns_and_its_pieces_are_said() {
    let pattern = AccessPattern::Grid {
        rows: 64,
        columns: 1024,
        again: false,
    };
    let mut first = stream(0, pattern, BlockSizes::One(65536));
    first.assembly = Assembly::Scattered { pieces: 16 };
    let mut second = first.clone();
    second.pattern = AccessPattern::Grid {
        rows: 1,
        columns: 1,
        again: true,
    };
    second.assembly = Assembly::Copied { pieces: 2 };
    let group = WorkerGroup {
        name: String::new(),
        workers: 2,
        affinity: Affinity::None,
        streams: vec![first, second],
        dispatch: Dispatch::InTurn,
    };
    let mut span = span(vec![target("a", "a")], vec![group]);
    span.initiation = true;
    span.whole_milliseconds = true;
    let text = describe(&plan("sqlio", "sqlio", vec![Step::Run(span)]));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "measures also how long each initiating call takes, and latencies cut to whole milliseconds",
        "1 I/O outstanding each, 2 in all; its targets take turns",
        "a grid of 64 rows of 1,024 blocks: each thread goes down the columns of its own equal \
         part one after the other, then again",
        "a grid of 1 row of 1 block: each thread goes down only the first column of its equal \
         part, again and again",
        "each block is scattered over 16 pieces of 4 KiB, which one call transfers",
        "each block is copied from or to 2 pieces of 32 KiB, within its latency",
        // One buffer of 64 KiB in each of two threads.
        "2 I/Os outstanding at most, 131,072 bytes (128 KiB) of memory",
    ] {
        assert!(flat.contains(said), "{said:?} is missing in\n{text}");
    }
}
