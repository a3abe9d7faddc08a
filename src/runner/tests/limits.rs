//! Loads that end by a count: exactly as much is issued as was asked for.

use super::*;
use crate::plan::Distribution;

const RANDOM: AccessPattern = AccessPattern::Random {
    alignment: 16384,
    distribution: Distribution::Uniform,
};

fn limited(stop: Stop, group: WorkerGroup) -> TimeSpan {
    TimeSpan {
        stop,
        ..span(MS, group)
    }
}

fn operations(operations: u64) -> Stop {
    Stop {
        operations: Some(operations),
        ..Stop::default()
    }
}

fn passes(passes: u64) -> Stop {
    Stop {
        passes: Some(passes),
        ..Stop::default()
    }
}

fn null(span: TimeSpan) -> SpanResult {
    let engine = EngineChoice::Named(EngineKind::Null);
    finished(carry_out(engine, span, OnError::Stop))
}

fn sim(law: &str, span: TimeSpan) -> SpanResult {
    finished(carry_out(simulated(law), span, OnError::Stop))
}

#[test]
fn all_threads_together_issue_as_many_operations_as_were_asked_for() {
    for asked in [1, 7, 10_000] {
        let mut stream = reads(0, 4);
        stream.pattern = RANDOM;
        let load = limited(
            operations(asked),
            group(8, vec![stream], Dispatch::PerStream),
        );
        let result = null(load);
        assert_eq!(result.reads(None).count, asked);
        assert!(result.measured > Duration::ZERO);
    }
}

#[test]
fn simulated_threads_have_a_part_each() {
    // 1003 over eight: three threads do 126 of 1 ms each, five do 125.
    let mut stream = reads(0, 1);
    stream.pattern = RANDOM;
    let load = limited(
        operations(1003),
        group(8, vec![stream], Dispatch::PerStream),
    );
    let result = sim("read=fixed:1ms", load);
    let mut counts: Vec<u64> = result.streams().map(|s| s.read.count).collect();
    counts.sort_unstable();
    assert_eq!(counts, [125, 125, 125, 125, 125, 126, 126, 126]);
    assert_eq!(result.measured, MS * 126);
    // The series is as long as the load: no hour of silence behind it.
    assert_eq!(result.reads(None).intervals.kept(), 1);
}

#[test]
fn bytes_are_never_more_than_asked_for() {
    for (asked, blocks) in [(1 << 20, 64), ((1 << 20) + 16383, 64), (16384, 1)] {
        let stop = Stop {
            bytes: Some(asked),
            ..Stop::default()
        };
        let mut stream = writes(0, 4);
        stream.pattern = RANDOM;
        let load = limited(stop, group(8, vec![stream], Dispatch::PerStream));
        for result in [null(load.clone()), sim("write=fixed:1ms", load)] {
            let writes = result.writes(None);
            assert_eq!((writes.count, writes.bytes), (blocks, blocks * 16384));
        }
    }
}

#[test]
fn the_first_limit_reached_ends_the_load() {
    // 3 ms each: four are begun within 10 ms, two are what the count allows.
    for (count, done) in [(1000, 4), (2, 2)] {
        let stop = Stop {
            after: Some(MS * 10),
            ..operations(count)
        };
        let load = limited(stop, group(1, vec![reads(0, 1)], Dispatch::PerStream));
        let result = sim("read=fixed:3ms", load);
        assert_eq!(result.reads(None).count, done);
        assert_eq!(result.measured, MS * 3 * done as u32);
    }
}

#[test]
fn a_warm_up_uses_nothing_up() {
    // Measured from 5 ms: those begun at 6, 9 and 12 ms count, the last ends at 15.
    let mut load = limited(
        operations(3),
        group(1, vec![reads(0, 1)], Dispatch::PerStream),
    );
    load.warmup = MS * 5;
    let result = sim("read=fixed:3ms", load);
    assert_eq!((result.reads(None).count, result.measured), (3, MS * 10));
}

#[test]
fn a_pass_is_every_block_once() {
    // 16 blocks, twice, at 1 ms.
    let load = limited(passes(2), group(1, vec![reads(0, 1)], Dispatch::PerStream));
    let result = sim("read=fixed:1ms", load);
    assert_eq!((result.reads(None).count, result.measured), (32, MS * 32));
}

#[test]
fn drawn_streams_go_on_until_the_others_have_made_their_passes() {
    let mut drawn = reads(1, 1);
    drawn.pattern = RANDOM;
    let streams = vec![reads(0, 1), drawn];
    let load = limited(passes(3), group(1, streams, Dispatch::PerStream));
    let result = sim("read=fixed:1ms,servers=2", load);
    let counts: Vec<u64> = result.streams().map(|s| s.read.count).collect();
    // The other's end may be found a moment after the next was drawn.
    assert!(
        counts[0] == 48 && (48..=49).contains(&counts[1]),
        "{counts:?}"
    );
}

#[test]
fn a_stream_that_is_done_waits_for_a_slower_one() {
    // A second stream of half as many blocks rests for the second half.
    let mut short = reads(1, 1);
    short.pattern = AccessPattern::Grid {
        rows: 4,
        columns: 2,
        again: false,
    };
    let streams = vec![reads(0, 1), short];
    let load = limited(passes(1), group(1, streams, Dispatch::PerStream));
    let result = sim("read=fixed:1ms,servers=2", load);
    let counts: Vec<u64> = result.streams().map(|s| s.read.count).collect();
    assert_eq!((counts, result.measured), (vec![16, 8], MS * 16));
}

#[test]
fn threads_that_share_a_cursor_make_their_passes_together() {
    let mut stream = reads(0, 4);
    stream.pattern = AccessPattern::Interlocked { stride: 16384 };
    let load = limited(passes(100), group(8, vec![stream], Dispatch::PerStream));
    // 1 MiB has 64 blocks.
    assert_eq!(null(load).reads(None).count, 6400);
}

#[test]
fn each_slot_of_a_parallel_stream_makes_its_own_passes() {
    let mut stream = reads(0, 4);
    stream.pattern = AccessPattern::Parallel {
        stride: 16384,
        worker_offset: 0,
    };
    let load = limited(passes(2), group(2, vec![stream], Dispatch::PerStream));
    assert_eq!(null(load).reads(None).count, 2 * 4 * 2 * 64);
}

#[test]
fn an_interrupt_ends_it_early_and_keeps_what_there_is() {
    let load = limited(
        operations(u64::MAX),
        group(1, vec![reads(0, 1)], Dispatch::PerStream),
    );
    let mut plan = fixtures::plan("native", "", vec![Step::Run(load)]);
    plan.engine = EngineChoice::Named(EngineKind::Null);
    let interrupt = AtomicBool::new(false);
    let results = run_plan(&plan, &interrupt, &mut Interrupting(&interrupt));
    let result = &results.spans[0];
    assert_eq!(result.outcome, Outcome::EndedEarly(EndReason::Interrupted));
    assert!(result.reads(None).count > 10);
    assert!(result.measured > Duration::ZERO && result.measured < Duration::from_mins(1));
}

#[test]
fn a_failure_ends_it_early() {
    let load = limited(
        operations(100),
        group(1, vec![reads(0, 1)], Dispatch::PerStream),
    );
    let law = simulated("read=fixed:1ms,error_every=10:EIO");
    let results = carry_out(law, load.clone(), OnError::Stop);
    let result = &results.spans[0];
    assert_eq!(result.outcome, Outcome::EndedEarly(EndReason::Failed));
    assert_eq!(result.reads(None).count, 9);
    // Operations that fail are operations: a hundred are issued, ten of them fail.
    let law = simulated("read=fixed:1ms,error_every=10:EIO");
    let results = carry_out(law, load, OnError::Continue);
    let result = &results.spans[0];
    assert_eq!(result.outcome, Outcome::Finished);
    assert_eq!(
        (result.reads(None).count, result.failed_operations()),
        (90, 10)
    );
}

#[test]
fn a_capped_load_ends_by_a_count_too() {
    // 1000 a second: the fifth is due after 5 ms and takes 1.
    let mut stream = reads(0, 1);
    stream.pacing = Pacing::CapOperations {
        per_second: 1000,
        shared_by: 1,
    };
    let load = limited(operations(5), group(1, vec![stream], Dispatch::PerStream));
    let result = sim("read=fixed:1ms", load);
    assert_eq!((result.reads(None).count, result.measured), (5, MS * 6));
}

#[test]
fn passes_of_another_thread_cannot_be_waited_for_on_a_clock_of_ones_own() {
    let mut drawn = reads(0, 1);
    drawn.pattern = RANDOM;
    let mut load = limited(passes(1), group(1, vec![reads(0, 1)], Dispatch::PerStream));
    load.groups.push(group(1, vec![drawn], Dispatch::PerStream));
    let results = carry_out(simulated(""), load, OnError::Stop);
    let message = &results.spans[0].failures[0].message;
    assert!(message.contains("limit of passes"), "{message}");
}
