//! Searches on devices whose law is known.

use super::*;
use crate::{
    host::Machine,
    measure::{Latency, OperationStats},
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, FlushPolicy, OperationMix, Pacing, Step,
        WorkerGroup, fixtures,
    },
    results::{EndReason, Prepared, Provenance, SpanResult, StreamResult, WorkerResult},
};

/// Marks of a log: 5 ms.
fn mark() -> Mark {
    Mark {
        group: "log write".into(),
        direction: Direction::Write,
        good_ms: 1.0,
        acceptable_ms: 5.0,
        slow_ms: 15.0,
        percentile: None,
        source: String::new(),
    }
}

/// Runs a search to its end; says the rate that was confirmed, and all that were measured.
fn search(first: f64, mut keeps: impl FnMut(Asked) -> bool) -> (Option<f64>, Vec<f64>) {
    let mut search = Search::new(first);
    let mut measured = Vec::new();
    let mut asked = search.asked();
    loop {
        measured.push(asked.per_second);
        let kept = keeps(asked);
        let Some(next) = search.next(kept) else {
            let confirmed = kept && asked.purpose == Purpose::Confirm;
            return (confirmed.then_some(asked.per_second), measured);
        };
        asked = next;
    }
}

#[test]
fn the_answer_of_a_known_law_is_within_five_percent() {
    for limit in [1.5, 7.0, 99.0, 100.0, 101.0, 4_130.0, 77_777.0, 3.3e6] {
        for first in [1.0, 100.0, 5_000.0, 1e7] {
            let (found, measured) = search(first, |asked| asked.per_second <= limit);
            let found = found.unwrap_or_else(|| panic!("{limit} from {first}: {measured:?}"));
            assert!(found <= limit && found * 1.06 >= limit, "{limit}: {found}");
            // Twice the answer at most where it begins below: no device is flooded.
            if first < limit {
                assert!(
                    measured.iter().all(|rate| *rate <= 2.0 * limit),
                    "{measured:?}"
                );
            }
            assert!(measured.len() < 40, "{measured:?}");
        }
    }
}

#[test]
fn a_queue_whose_latency_rises_is_found_where_it_breaks_the_mark() {
    // One server of 0.5 ms a write answers at rate r in 0.5 / (1 - 0.0005 r) ms in the mean
    // (M/M/1): 5 ms at r = 1,800.
    let latency_ms = |rate: f64| match 1.0 - 0.0005 * rate {
        idle if idle > 0.0 => 0.5 / idle,
        _ => f64::INFINITY,
    };
    let (found, _) = search(FIRST, |asked| latency_ms(asked.per_second) <= 5.0);
    let found = found.unwrap();
    assert!((1_710.0..=1_800.0).contains(&found), "{found}");
}

#[test]
fn an_answer_that_is_not_confirmed_is_lowered() {
    // The longer run shows what the short ones did not: 4,000 by steps, 3,000 in truth.
    let (found, measured) = search(FIRST, |asked| match asked.purpose {
        Purpose::Step => asked.per_second <= 4_000.0,
        Purpose::Confirm => asked.per_second <= 3_000.0,
    });
    let found = found.unwrap();
    assert!((2_000.0..=3_000.0).contains(&found), "{found} {measured:?}");
}

#[test]
fn a_device_that_keeps_nothing_or_everything_ends_the_search() {
    let (found, measured) = search(FIRST, |_| false);
    assert_eq!(found, None);
    assert!(measured.len() < 10 && measured.iter().all(|rate| *rate >= 1.0));
    let (found, _) = search(FIRST, |_| true);
    assert!(found.unwrap() > 5e7);
    // An answer that changes all the time comes to an end too.
    let mut turn = false;
    let (_, measured) = search(FIRST, |_| {
        turn = !turn;
        turn
    });
    assert!(measured.len() <= STEPS_MAX as usize);
}

#[test]
fn rates_have_three_digits() {
    for (rate, rounded) in [
        (4_137.7, 4_140.0),
        (99.96, 100.0),
        (1.234_56, 1.23),
        (141.42, 141.0),
    ] {
        assert!((round(rate) - rounded).abs() < 1e-9, "{rate}");
    }
}

#[test]
fn steps_are_a_third_of_the_duration_from_2_to_10_seconds() {
    let seconds = Duration::from_secs;
    for (asked, step, confirm) in [(30, 10, 30), (300, 10, 300), (12, 4, 12), (1, 2, 2)] {
        let lengths = Lengths::of(seconds(asked), seconds(5));
        assert_eq!(
            (lengths.step, lengths.confirm),
            (seconds(step), seconds(confirm))
        );
        assert_eq!(lengths.warmup, seconds(step) / 4);
    }
}

/// A time span at this rate, over 10 s, by one log writer.
fn planned(rate: f64) -> TimeSpan {
    let mut stream = fixtures::stream(0, AccessPattern::Append, BlockSizes::One(4096));
    stream.pacing = Pacing::Arrivals {
        per_second: rate,
        poisson: false,
    };
    stream.mix = OperationMix {
        write_percent: 100,
        flush: FlushPolicy::Never,
    };
    let group = WorkerGroup {
        name: "log write".into(),
        workers: 1,
        affinity: Affinity::None,
        streams: vec![stream],
        dispatch: Dispatch::PerStream,
    };
    let mut span = fixtures::span(vec![fixtures::target("t", "t")], vec![group]);
    span.name = format!("rate {rate}");
    span
}

/// What it measured: all arrivals but `behind`, each answered after so many milliseconds.
fn measured(rate: f64, response_ms: f64, behind: u64) -> SpanResult {
    let mut response = Latency::default();
    response.record((response_ms * 1e6) as u64);
    let write = OperationStats {
        count: (rate * 10.0) as u64 - behind,
        // The device itself is fast: only its users wait.
        latency: {
            let mut service = Latency::default();
            service.record(100_000);
            service
        },
        response,
        ..OperationStats::default()
    };
    SpanResult {
        outcome: Ending::Finished,
        failures: Vec::new(),
        measured: Duration::from_secs(10),
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: Vec::new(),
        workers: vec![WorkerResult {
            streams: vec![StreamResult {
                write,
                behind,
                ..StreamResult::default()
            }],
            ..WorkerResult::default()
        }],
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        steady: None,
    }
}

fn results() -> Results {
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: fixtures::plan("native", "", Vec::new()),
        spans: Vec::new(),
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

fn add(results: &mut Results, rate: f64, response_ms: f64, behind: u64) {
    results.plan.steps.push(Step::Run(planned(rate)));
    results.spans.push(measured(rate, response_ms, behind));
}

#[test]
fn a_time_span_is_judged_by_what_its_users_felt() {
    let mut results = results();
    add(&mut results, 100.0, 5.0, 0);
    add(&mut results, 200.0, 6.0, 0);
    add(&mut results, 300.0, 1.0, 60);
    let marks = [mark()];
    assert_eq!(judge(&results, 0, &marks), Kept::Yes);
    let slow = Kept::Slow {
        group: "log write".into(),
        direction: Direction::Write,
        took_ms: 6.0,
        mark_ms: 5.0,
    };
    assert_eq!(judge(&results, 1, &marks), slow);
    // 2,940 of 3,000: 98 %.
    let behind = Kept::Behind {
        group: "log write".into(),
        share: 0.98,
    };
    assert_eq!(judge(&results, 2, &marks), behind);
    results.spans[0].outcome = Ending::EndedEarly(EndReason::Interrupted);
    assert_eq!(judge(&results, 0, &marks), Kept::NotMeasured);
    assert_eq!(judge(&results, 9, &marks), Kept::NotMeasured);
    // A percentile is a mark too.
    let strict = Mark {
        percentile: Some((0.99, 5.5)),
        acceptable_ms: 50.0,
        ..mark()
    };
    let Kept::Slow { mark_ms, .. } = judge(&results, 1, &[strict]) else {
        panic!("6 ms are beyond 5.5 ms")
    };
    assert!((mark_ms - 5.5).abs() < 1e-9);
}

#[test]
fn a_run_goes_on_until_the_answer_is_confirmed() {
    // The law of the queue above: 5 ms at 1,800 a second.
    let latency_ms = |rate: f64| 0.5 / (1.0 - 0.0005 * rate).max(0.001);
    let search = Search::new(FIRST);
    let mut results = results();
    add(&mut results, FIRST, latency_ms(FIRST), 0);
    let mut next = following(search, vec![mark()], false, |rate, _| {
        assert!(!rate.poisson);
        Some(planned(rate.per_second))
    });
    while let Some(span) = next(&results) {
        let rate = rate_of(&span).unwrap();
        add(&mut results, rate, latency_ms(rate), 0);
    }
    let outcome = outcome(&results, &[mark()]);
    let carries = outcome.carries.unwrap();
    assert!((1_710.0..=1_800.0).contains(&carries), "{carries}");
    assert_eq!(outcome.confirmed_by, Some(results.spans.len() - 1));
    let (broke, how) = outcome.broke.unwrap();
    assert!(broke > 1_800.0 && broke <= carries * NEAR + 1e-9, "{broke}");
    assert!(matches!(how, Kept::Slow { took_ms, .. } if took_ms > 5.0));
}

#[test]
fn an_interrupt_ends_the_search_without_an_answer() {
    let mut results = results();
    add(&mut results, FIRST, 1.0, 0);
    results.spans[0].outcome = Ending::EndedEarly(EndReason::Interrupted);
    let mut next = following(Search::new(FIRST), vec![mark()], true, |rate, _| {
        Some(planned(rate.per_second))
    });
    assert!(next(&results).is_none());
    let nothing = outcome(&results, &[mark()]);
    assert_eq!((nothing.carries, nothing.broke), (None, None));
}
