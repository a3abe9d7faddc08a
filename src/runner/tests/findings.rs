//! What is told of the end of a time span, in corner cases.

use std::time::Duration;

use crate::{
    results::{OperationStats, StreamResult, testing},
    runner::span::late,
};

/// What is told where the slowest read that counted took so long, and one in flight 10 s.
fn told(slowest_ns: Option<u64>) -> Option<String> {
    let mut read = OperationStats::default();
    if let Some(ns) = slowest_ns {
        read.record(1, ns, 4096);
    }
    let stream = StreamResult {
        read,
        ..StreamResult::default()
    };
    let result = testing::measured(Duration::from_secs(1), testing::one_each(vec![stream]));
    late(&result, 10_000_000_000).map(|finding| finding.message)
}

#[test]
fn a_stall_at_the_end_is_told_beside_what_counted() {
    let some = told(Some(800_000)).unwrap();
    assert!(
        some.contains("took 10.0 s, the slowest that counted 800 us: measure"),
        "{some}"
    );
    // Nothing is no figure of 0.
    let none = told(None).unwrap();
    assert!(
        none.contains("took 10.0 s, and none finished in that time: measure"),
        "{none}"
    );
    // More than half of it is no stall.
    assert_eq!(told(Some(6_000_000_000)), None);
}
