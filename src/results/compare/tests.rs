//! Decisions and pairs by hand arithmetic.

use std::time::Duration;

use super::*;
use crate::{
    measure::OperationStats,
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, Distribution, TimeSpan, WorkerGroup,
        fixtures::{span, stream, target},
    },
    results::{
        EndReason, Failure, Outcome, SpanResult, Stage, StreamResult, Subject, WorkerResult,
    },
};

/// One worker that reads 4 KiB at random, one at a time.
fn planned() -> TimeSpan {
    let pattern = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    let mut stream = stream(0, pattern, BlockSizes::One(4096));
    stream.mix.write_percent = 0;
    stream.queue_depth = 1;
    let group = WorkerGroup {
        name: String::new(),
        workers: 1,
        affinity: Affinity::None,
        streams: vec![stream],
        dispatch: Dispatch::PerStream,
    };
    span(vec![target("f", "f")], vec![group])
}

/// A round of `count` reads of `ns` each.
fn round(count: u64, ns: u64) -> SpanResult {
    let mut read = OperationStats::default();
    for _ in 0..count {
        read.record(0, ns, 4096);
    }
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: Duration::from_secs(2),
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: Vec::new(),
        workers: vec![WorkerResult {
            streams: vec![StreamResult {
                read,
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

/// Operations of a round, and nanoseconds of each.
type Given = (u64, u64);

/// Compares pairs of rounds.
fn compared(pairs: &[(Given, Given)]) -> Vec<Compared> {
    let rounds: Vec<_> = pairs
        .iter()
        .map(|(a, b)| (round(a.0, a.1), round(b.0, b.1)))
        .collect();
    let planned = planned();
    let turn = Turn {
        span: &planned,
        pairs: rounds.iter().map(|(a, b)| (a, b)).collect(),
    };
    compare(&[turn], Rule::default()).figures
}

fn estimate(low: f64, mean: f64, high: f64) -> Estimate {
    Estimate { mean, low, high }
}

#[test]
fn a_difference_is_sure_and_matters() {
    let latency = |low, mean, high| decide(Measure::Mean, estimate(low, mean, high), 0.05);
    let rate = |low, mean, high| decide(Measure::Operations, estimate(low, mean, high), 0.05);
    let better = |side, factor| Verdict::Better { side, factor };
    assert_eq!(latency(1.9, 2.0, 2.1), better(Side::A, 2.0));
    assert_eq!(rate(1.9, 2.0, 2.1), better(Side::B, 2.0));
    assert_eq!(latency(0.24, 0.25, 0.26), better(Side::B, 4.0));
    assert_eq!(rate(0.24, 0.25, 0.26), better(Side::A, 4.0));
    // Sure, but too small to matter.
    assert_eq!(rate(1.01, 1.02, 1.03), Verdict::Equal);
    assert_eq!(rate(1.01, 1.04, 1.07), Verdict::NotSeen);
    // Large, but not sure.
    assert_eq!(rate(0.8, 1.06, 1.4), Verdict::NotSeen);
    assert_eq!(rate(0.9999, 2.0, 4.0), Verdict::NotSeen);
    // The threshold is a factor, both ways: 1/1.05 is 0.95238.
    assert_eq!(rate(0.953, 1.0, 1.049), Verdict::Equal);
    assert_eq!(rate(0.952, 1.0, 1.049), Verdict::NotSeen);
    assert_eq!(rate(1.05, 1.05, 1.05), better(Side::B, 1.05));
}

#[test]
fn three_times_the_latency_is_seen_in_four_pairs() {
    // Ratios 3, 3.1, 2.9 and 3: no spread to speak of. Two figures are looked at: t(0.9975, 3) is
    // 7.45; the logarithms of the ratios deviate by 0.0272, so the interval is a factor of
    // exp(7.45 * 0.0272 / 2) = 1.107.
    let figures = compared(&[
        ((1000, 1000), (1000, 3000)),
        ((1000, 1000), (1000, 3100)),
        ((1000, 1000), (1000, 2900)),
        ((1000, 1000), (1000, 3000)),
    ]);
    let measures: Vec<Measure> = figures.iter().map(|figure| figure.measure).collect();
    assert_eq!(measures, [Measure::Mean, Measure::P99]);
    let mean = &figures[0];
    let ratio = mean.ratio.unwrap();
    assert!((ratio.mean - 2.9992).abs() < 0.001, "{ratio:?}");
    assert!((ratio.high / ratio.mean - 1.107).abs() < 0.002, "{ratio:?}");
    assert!((mean.a.unwrap() - 1000.0).abs() < 1e-9);
    let Verdict::Better { side, factor } = mean.verdict else {
        panic!("{mean:?}")
    };
    assert_eq!(side, Side::A);
    assert!((factor - 2.9992).abs() < 0.001);
}

#[test]
fn noise_is_no_difference() {
    let figures = compared(&[
        ((1000, 1000), (1000, 1300)),
        ((1000, 1300), (1000, 1000)),
        ((1000, 1000), (1000, 1200)),
        ((1000, 1200), (1000, 1100)),
    ]);
    assert!(
        figures.iter().all(|f| f.verdict == Verdict::NotSeen),
        "{figures:#?}"
    );
    let same = compared(&[((1000, 1000), (1000, 1000)); 4]);
    assert!(same.iter().all(|f| f.verdict == Verdict::Equal));
}

#[test]
fn a_percentile_needs_ten_operations_beyond_it() {
    let figures = compared(&[((1000, 1000), (999, 1000)), ((1000, 1000), (1000, 1000))]);
    assert_eq!(figures[0].verdict, Verdict::Equal);
    let lack = Lack::Operations { needed: 1000 };
    assert_eq!(figures[1].verdict, Verdict::NotComparable(lack));
    let few = compared(&[((9, 1000), (1000, 1000)), ((1000, 1000), (1000, 1000))]);
    let lack = Lack::Operations { needed: 10 };
    assert_eq!(few[0].verdict, Verdict::NotComparable(lack));
    assert_eq!((few[0].a, few[0].ratio), (None, None));
}

#[test]
fn rounds_that_were_not_done_are_left_out_and_failures_are_told() {
    let planned = planned();
    let good = round(1000, 1000);
    let mut cut = round(1000, 1000);
    cut.outcome = Outcome::EndedEarly(EndReason::Interrupted);
    let figures = |pairs: Vec<(&SpanResult, &SpanResult)>| {
        let turn = Turn {
            span: &planned,
            pairs,
        };
        compare(&[turn], Rule::default()).figures
    };
    let three = figures(vec![(&good, &good), (&good, &good), (&good, &cut)]);
    assert_eq!((three[0].pairs, &three[0].verdict), (2, &Verdict::Equal));
    let one = figures(vec![(&good, &good), (&cut, &good)]);
    assert_eq!(one[0].verdict, Verdict::NotComparable(Lack::Rounds));
    assert!(figures(Vec::new()).iter().all(|f| f.a.is_none()));
    let mut bad = round(1000, 1000);
    bad.failures.push(Failure {
        stage: Stage::Io,
        worker: None,
        target: None,
        errno: Some(5),
        subject: Subject::Other,
        message: "f: EIO".into(),
    });
    let failed = figures(vec![(&good, &good), (&good, &good), (&good, &bad)]);
    let lack = Lack::Failed {
        side: Side::B,
        message: "f: EIO".into(),
    };
    assert_eq!(failed[0].verdict, Verdict::NotComparable(lack));
}

#[test]
fn the_more_is_looked_at_the_more_is_asked_of_each() {
    let pairs = [(1.0, 1.3), (1.0, 1.32), (1.0, 1.28), (1.0, 1.31)];
    let part = Part::of(&planned()).remove(0);
    let figure = Figure {
        part,
        measure: Measure::Mean,
        pairs: Ok(pairs.to_vec()),
    };
    let width = |count: usize| {
        let judged = judge(vec![figure.clone(); count], Rule::default());
        let ratio = judged.figures[0].ratio.unwrap();
        (ratio.high / ratio.mean).ln()
    };
    // t(0.995, 3) = 5.8409 for one figure; for ten each may miss a tenth as often:
    // t(0.9995, 3) = 12.924.
    assert!((width(10) / width(1) - 12.924 / 5.8409).abs() < 1e-3);
}
