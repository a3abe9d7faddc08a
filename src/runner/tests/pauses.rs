//! Pauses between bursts: where they begin, by arithmetic.

use super::*;

/// Reads in three seconds of a load with pauses of `pause` behind every `operations`.
fn reads_of(law: &str, depth: u32, operations: u64, pause: Duration) -> u64 {
    let mut stream = reads(0, depth);
    stream.pacing = Pacing::Burst {
        operations,
        pause,
        from: PauseFrom::Completion,
    };
    let mut load = span(MS * 3000, group(1, vec![stream], Dispatch::PerStream));
    load.counting = Counting::CompletedInWindow;
    let result = finished(carry_out(simulated(law), load, OnError::Stop));
    result.reads(None).count
}

#[test]
fn a_pause_from_completion_adds_to_the_time_of_the_io() {
    let us = Duration::from_micros;
    // 1 ms and 500 us: 667 a second. The last of 2,000 completes at 2,999.5 ms.
    assert_eq!(reads_of("read=fixed:1ms", 1, 1, us(500)), 2000);
    // 1 ms and 2 ms: 333 a second.
    assert_eq!(reads_of("read=fixed:1ms", 1, 1, us(2000)), 1000);
    // 100 us and 900 us: 1,000 a second.
    assert_eq!(reads_of("read=fixed:100us", 1, 1, us(900)), 3000);
    // Ten of 100 us and 1 ms: 10 in 2 ms, 5,000 a second.
    assert_eq!(reads_of("read=fixed:100us", 1, 10, us(1000)), 15_000);
}

#[test]
fn a_burst_uses_the_slots_and_the_pause_begins_with_its_last_completion() {
    // Four, four and two at once take 300 us, and then 1 ms: 2,307 times in 2,999.1 ms, and once
    // more before the end.
    let law = "read=fixed:100us,servers=4";
    assert_eq!(reads_of(law, 4, 10, MS), 23_080);
    // Bursts of one leave the other slots idle.
    let law = "read=fixed:1ms,servers=4";
    assert_eq!(reads_of(law, 4, 1, Duration::from_micros(500)), 2000);
}

#[test]
fn a_pause_from_the_issue_may_pass_while_the_io_is_in_flight() {
    let mut stream = reads(0, 1);
    stream.pacing = Pacing::Burst {
        operations: 1,
        pause: Duration::from_micros(500),
        from: PauseFrom::Issue,
    };
    let mut load = span(MS * 1000, group(1, vec![stream], Dispatch::PerStream));
    load.counting = Counting::CompletedInWindow;
    let result = finished(carry_out(simulated("read=fixed:2ms"), load, OnError::Stop));
    // At 2, 4, ... 998 ms; the one that completes at 1,000 ms is not inside.
    assert_eq!(result.reads(None).count, 499);
}

#[test]
fn an_io_that_fails_ends_its_burst_too() {
    let mut stream = reads(0, 1);
    stream.pacing = Pacing::Burst {
        operations: 1,
        pause: MS,
        from: PauseFrom::Completion,
    };
    let load = span(MS * 100, group(1, vec![stream], Dispatch::PerStream));
    let law = simulated("read=fixed:1ms,error_every=5:EIO");
    let results = carry_out(law, load, OnError::Continue);
    let span = &results.spans[0];
    // One begins every 2 ms.
    let begun = span.reads(None).count + span.failed_operations();
    assert!((49..=51).contains(&begun), "{begun}");
    assert!(span.failed_operations() >= 9);
}
