//! Whole loads of groups: on a simulated device by arithmetic, on small files for what the kernel
//! is asked.

mod arrivals;
mod copies;
mod findings;
mod flushes;
mod limits;
mod pauses;
mod verified;
mod watched;

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use super::{Surroundings, run};
use crate::{
    host::Machine,
    plan::{
        Access, AccessPattern, Affinity, Assembly, BlockSizes, Caching, Counting, Dispatch,
        Durability, EngineChoice, EngineKind, OnError, Opening, Pacing, PauseFrom, Payload, Plan,
        Step, Stop, Stream, Target, TimeSpan, WorkerGroup, fixtures,
    },
    results::{EndReason, Event, Observer, Outcome, Results, Silent, SpanResult},
};

const MS: Duration = Duration::from_millis(1);
const GRID: AccessPattern = AccessPattern::Grid {
    rows: 4,
    columns: 4,
    again: false,
};

fn simulated(law: &str) -> EngineChoice {
    EngineChoice::Simulated(law.parse().expect("a law"))
}

fn reads(target: usize, queue_depth: u32) -> Stream {
    let mut stream = fixtures::stream(target, GRID, BlockSizes::One(16384));
    stream.mix.write_percent = 0;
    stream.queue_depth = queue_depth;
    stream
}

fn writes(target: usize, queue_depth: u32) -> Stream {
    let mut stream = reads(target, queue_depth);
    stream.mix.write_percent = 100;
    stream
}

fn group(workers: u32, streams: Vec<Stream>, dispatch: Dispatch) -> WorkerGroup {
    WorkerGroup {
        name: String::new(),
        workers,
        affinity: Affinity::None,
        streams,
        dispatch,
    }
}

/// A load of `after`, counted by issue, on simulated targets of 1 MiB.
fn span(after: Duration, group: WorkerGroup) -> TimeSpan {
    let target = |number: usize| Target {
        planned_size: Some(1 << 20),
        access: Access::Read,
        caching: Caching::Buffered,
        durability: Durability::None,
        ..fixtures::target(&format!("file{number}"), &format!("file{number}"))
    };
    TimeSpan {
        warmup: Duration::ZERO,
        stop: Stop {
            after: Some(after),
            ..Stop::default()
        },
        counting: Counting::DrainAndCount,
        ..fixtures::span((0..3).map(target).collect(), vec![group])
    }
}

fn carry_out(engine: EngineChoice, span: TimeSpan, on_error: OnError) -> Results {
    let plan = Plan {
        engine,
        on_error,
        ..fixtures::plan("sqlio", "", vec![Step::Run(span)])
    };
    run_plan(&plan, &AtomicBool::new(false), &mut Silent)
}

fn run_plan(plan: &Plan, interrupt: &AtomicBool, observer: &mut dyn Observer) -> Results {
    let machine = Machine::default();
    let around = Surroundings {
        machine: &machine,
        interrupt,
    };
    run(plan, around, observer)
}

fn finished(results: Results) -> SpanResult {
    let span = results.spans.into_iter().next().expect("a time span");
    assert_eq!(span.failures, Vec::new());
    assert_eq!(span.outcome, Outcome::Finished);
    span
}

#[test]
fn what_is_in_flight_at_the_end_is_waited_for_and_counted() {
    // 3 ms each, one after the other: the fourth begins at 9 ms and ends at 12.
    let one = group(1, vec![reads(0, 1)], Dispatch::PerStream);
    let load = span(MS * 10, one);
    let law = || simulated("read=fixed:3ms");
    let result = finished(carry_out(law(), load.clone(), OnError::Stop));
    assert_eq!(result.reads(None).count, 4);
    assert_eq!(result.measured, MS * 12);
    // Whoever counts completions inside the window has three in ten milliseconds.
    let windowed = TimeSpan {
        counting: Counting::CompletedInWindow,
        ..load
    };
    let result = finished(carry_out(law(), windowed, OnError::Stop));
    assert_eq!((result.reads(None).count, result.measured), (3, MS * 10));
}

#[test]
fn all_slots_are_waited_for() {
    // Two threads with a device of two channels each: at 9 ms both are filled for the last time.
    let load = span(MS * 10, group(2, vec![reads(0, 2)], Dispatch::PerStream));
    let law = simulated("read=fixed:3ms,servers=2");
    let result = finished(carry_out(law, load, OnError::Stop));
    assert_eq!(result.reads(None).count, 2 * 2 * 4);
    assert_eq!(result.measured, MS * 12);
}

#[test]
fn the_warm_up_is_not_counted_where_issues_decide() {
    // Issued at 0, 3, 6, ... ms: those of 6 and 9 ms are in the measured time from 5 to 10.
    let mut load = span(MS * 5, group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.warmup = MS * 5;
    let result = finished(carry_out(simulated("read=fixed:3ms"), load, OnError::Stop));
    assert_eq!((result.reads(None).count, result.measured), (2, MS * 7));
}

#[test]
fn completions_after_the_last_interval_are_in_the_totals_only() {
    let mut load = span(MS * 10, group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.interval = MS * 5;
    let result = finished(carry_out(simulated("read=fixed:3ms"), load, OnError::Stop));
    let reads = result.reads(None);
    let counts: Vec<u64> = reads.intervals.used().iter().map(|i| i.count).collect();
    assert_eq!((counts, reads.count), (vec![1, 2], 4));
}

#[test]
fn a_load_with_pauses_is_measured_for_its_whole_time() {
    let mut stream = reads(0, 1);
    stream.pacing = Pacing::Burst {
        operations: 2,
        pause: MS * 100,
        from: PauseFrom::Issue,
    };
    let load = span(MS * 10, group(1, vec![stream], Dispatch::PerStream));
    let result = finished(carry_out(simulated("read=fixed:1ms"), load, OnError::Stop));
    assert_eq!((result.reads(None).count, result.measured), (2, MS * 10));
}

#[test]
fn streams_in_turn_never_overlap() {
    let streams = vec![reads(0, 8), reads(1, 8), reads(2, 8)];
    let load = span(MS * 10, group(1, streams, Dispatch::InTurn));
    let law = simulated("read=fixed:1ms,servers=16");
    let result = finished(carry_out(law, load, OnError::Stop));
    let counts: Vec<u64> = result.streams().map(|stream| stream.read.count).collect();
    assert_eq!(counts, [4, 3, 3]);
    assert_eq!(result.measured, MS * 10);
}

#[test]
fn a_limited_stream_keeps_its_turn() {
    let mut limited = reads(1, 1);
    limited.pacing = Pacing::CapOperations {
        per_second: 500,
        shared_by: 1,
    };
    let load = span(
        MS * 10,
        group(1, vec![reads(0, 1), limited], Dispatch::InTurn),
    );
    let result = finished(carry_out(simulated("read=fixed:1ns"), load, OnError::Stop));
    let counts: Vec<u64> = result.streams().map(|stream| stream.read.count).collect();
    // At 2, 4, 6 and 8 ms; the free one is done before each and once more.
    assert_eq!(counts, [5, 4]);
}

#[test]
fn whole_milliseconds_and_initiations_are_counted_where_asked_for() {
    let mut load = span(MS * 10, group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.whole_milliseconds = true;
    load.initiation = true;
    let law = simulated("read=fixed:3900us");
    let result = finished(carry_out(law, load.clone(), OnError::Stop));
    // Three of 3.9 ms: 3 whole milliseconds each.
    let reads = result.reads(None);
    let whole = reads.whole_ms.expect("whole milliseconds");
    assert_eq!((whole.min, whole.max, whole.sum), (3, 3, 9));
    assert_eq!((whole.bins[3], whole.count(), whole.mean()), (3, 3, 3));
    assert_eq!(reads.initiation.count(), 3);
    assert_eq!(reads.initiation.max_ns(), Some(0));
    load.whole_milliseconds = false;
    load.initiation = false;
    let law = simulated("read=fixed:3900us");
    let reads = finished(carry_out(law, load, OnError::Stop)).reads(None);
    assert_eq!((reads.whole_ms, reads.initiation.count()), (None, 0));
}

#[test]
fn failures_are_counted_in_the_measured_time_only_and_all_are_told() {
    // Every second of the I/Os that end at 1, 2, ... 30 ms fails; measured from 10 to 20 ms.
    let mut load = span(MS * 10, group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.counting = Counting::CompletedInWindow;
    load.warmup = MS * 10;
    load.cooldown = MS * 10;
    let law = simulated("read=fixed:1ms,error_every=2:EIO");
    let results = carry_out(law, load.clone(), OnError::Continue);
    let result = &results.spans[0];
    // Those that end at 11, 13, ... 19 are whole; 10, 12, ... 18 fail.
    assert_eq!(result.failed_operations(), 5);
    assert_eq!(result.reads(None).count, 5);
    assert_eq!(result.failures.len(), 1);
    // One that fails in the warm-up, and none later, is told all the same.
    load.targets[0].label = "once".into();
    let law = simulated("read=fixed:1ms,short_every=21");
    load.warmup = MS * 25;
    load.cooldown = Duration::ZERO;
    let results = carry_out(law, load, OnError::Continue);
    let result = &results.spans[0];
    assert_eq!(result.failed_operations(), 0);
    assert_eq!(result.failures.len(), 1);
    assert!(result.failures[0].message.contains("once"));
}

/// Raises the signal as soon as the measured time has begun and some I/Os are done.
struct Interrupting<'a>(&'a AtomicBool);

impl Observer for Interrupting<'_> {
    fn observe(&mut self, event: &Event<'_>) {
        if let Event::Progress { completions } = event
            && completions.iter().sum::<u64>() > 10
        {
            self.0.store(true, Relaxed);
        }
    }
}

/// A load on one real file of 1 MiB; every byte is the number of its block.
fn real(folder: &tempfile::TempDir, stream: Stream) -> TimeSpan {
    let path = folder.path().join("data");
    let bytes: Vec<u8> = (0..1 << 20).map(|byte| (byte / 16384) as u8).collect();
    fs::write(&path, bytes).unwrap();
    let mut load = span(MS * 50, group(2, vec![stream], Dispatch::PerStream));
    load.targets = vec![Target {
        path,
        access: Access::ReadWrite,
        opening: Opening::AtLeast(1 << 20),
        ..load.targets[0].clone()
    }];
    load
}

#[test]
fn an_interrupted_load_counts_everything_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let mut load = real(&folder, reads(0, 1));
    load.stop.after = Some(Duration::from_mins(10));
    let plan = fixtures::plan("sqlio", "", vec![Step::Run(load)]);
    let interrupt = AtomicBool::new(false);
    let results = run_plan(&plan, &interrupt, &mut Interrupting(&interrupt));
    let result = &results.spans[0];
    assert_eq!(result.failures, Vec::new());
    assert_eq!(result.outcome, Outcome::EndedEarly(EndReason::Interrupted));
    assert!(result.reads(None).count > 10);
    assert!(result.measured > Duration::ZERO && result.measured < Duration::from_mins(1));
}

#[test]
fn blocks_of_several_pieces_are_written_by_psync() {
    for assembly in [
        Assembly::Copied { pieces: 4 },
        Assembly::Scattered { pieces: 4 },
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut stream = reads(0, 1);
        stream.mix.write_percent = 100;
        stream.payload = Payload::BytePattern;
        stream.assembly = assembly;
        let load = real(&folder, stream);
        let path = load.targets[0].path.clone();
        let result = finished(carry_out(EngineChoice::Auto, load, OnError::Stop));
        assert_eq!(result.engine, "psync");
        assert!(result.writes(None).count > 16);
        // Pieces of 4 KiB are all alike in this pattern; the grid is the first 256 KiB.
        let bytes = fs::read(path).unwrap();
        assert!((0..256 << 10).all(|at| bytes[at] == at as u8));
        assert!((256 << 10..1 << 20).all(|at| bytes[at] == (at / 16384) as u8));
    }
}

#[test]
fn blocks_of_several_pieces_are_refused_by_other_engines() {
    let folder = tempfile::tempdir().unwrap();
    let mut stream = reads(0, 1);
    stream.assembly = Assembly::Scattered { pieces: 4 };
    let load = real(&folder, stream);
    for kind in [EngineKind::IoUring, EngineKind::Libaio, EngineKind::Mmap] {
        let results = carry_out(EngineChoice::Named(kind), load.clone(), OnError::Stop);
        let failure = &results.spans[0].failures[0].message;
        assert!(failure.contains(&kind.to_string()), "{failure}");
        assert!(failure.contains("psync"), "{failure}");
    }
}

#[test]
fn a_cool_down_behind_a_drain_is_refused() {
    let mut load = span(MS, group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.cooldown = MS;
    let results = carry_out(simulated(""), load, OnError::Stop);
    assert!(results.spans[0].failures[0].message.contains("cool-down"));
}

#[test]
fn pieces_too_small_for_the_device_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut stream = reads(0, 1);
    stream.assembly = Assembly::Scattered { pieces: 1024 };
    let mut load = real(&folder, stream);
    load.targets[0].caching = Caching::Direct;
    let results = carry_out(EngineChoice::Auto, load, OnError::Stop);
    let failure = &results.spans[0].failures[0].message;
    // Where the filesystem has no direct I/O, that is said first.
    let words = ["but the size of a piece of a block is 16", "O_DIRECT"];
    assert!(
        words.iter().any(|words| failure.contains(words)),
        "{failure}"
    );
}
