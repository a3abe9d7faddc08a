//! Answers of hand-made results, in whole reports.

use std::time::Duration;

use super::super::{
    Report, Shape,
    testing::{
        every_second, group, measured, operations, planned, random, read, rendered, report,
        results, write,
    },
};
use crate::{
    plan::{Direction, FlushPolicy, Pacing, Stream, TimeSpan},
    profiles::{Mark, Question, Resolved},
    results::{
        EndReason, OperationStats, Outcome, Results, SpanResult, StreamResult, WorkerResult,
    },
};

fn mark(group: &str, direction: Direction, marks: [f64; 3]) -> Mark {
    Mark {
        group: group.into(),
        direction,
        good_ms: marks[0],
        acceptable_ms: marks[1],
        slow_ms: marks[2],
        percentile: None,
        source: "a paper".into(),
    }
}

/// The marks of the operations table: data reads 5, 10 and 20 ms, log writes 1, 5 and 15 ms.
fn marks() -> Vec<Mark> {
    vec![
        mark("data read", Direction::Read, [5.0, 10.0, 20.0]),
        mark("log write", Direction::Write, [1.0, 5.0, 15.0]),
    ]
}

fn asking(name: &str, question: Question, marks: Vec<Mark>) -> Report {
    Report {
        resolved: Some(Box::new(Resolved {
            name: name.into(),
            summary: String::new(),
            files: Vec::new(),
            spans: Vec::new(),
            numbers: Vec::new(),
            notes: Vec::new(),
            marks,
            question,
            rate_unit: "transactions".into(),
        })),
        ..report(Shape::Rows)
    }
}

/// `per_second` operations a second of so many microseconds, also from when they were due.
fn due(per_second: u64, us: u64) -> OperationStats {
    let mut stats = every_second(&vec![per_second; 30], us);
    stats.response = stats.latency.clone();
    stats
}

fn open(write_percent: u32, rate: u64) -> Stream {
    Stream {
        pacing: Pacing::Arrivals {
            per_second: rate as f64,
            poisson: false,
        },
        ..random(write_percent)
    }
}

/// Transactions at a rate: data reads and log writes of so many microseconds.
fn at(rate: u64, read_us: u64, write_us: u64) -> (TimeSpan, SpanResult) {
    let groups = vec![
        group("data read", 1, open(0, rate)),
        group("log write", 1, open(100, rate)),
    ];
    let span = measured(vec![read(due(rate, read_us)), write(due(rate, write_us))]);
    (planned(&format!("rate {rate}"), groups), span)
}

/// The lines between the head and the table.
fn answer(report: &Report, results: &Results) -> String {
    let text = rendered(report, results);
    let parts: Vec<&str> = text.split("\n\n").collect();
    parts[1].to_owned()
}

#[test]
fn latencies_are_judged_at_the_rate_that_was_asked() {
    let report = asking("sqlserver/oltp", Question::Marks, marks());
    let run = results(vec![at(410, 6000, 800)]);
    assert_eq!(
        answer(&report, &run),
        "At 410 transactions a second:\n  \
           data read 6.0 ms: acceptable (<= 10 ms), p99 6.0 ms\n  \
           log write 0.8 ms: good (<= 1 ms), p99 0.8 ms"
    );
    let run = results(vec![at(10, 12_000, 15_001)]);
    assert_eq!(
        answer(&report, &run),
        "At 10.0 transactions a second:\n  \
           data read 12 ms: slow (> 10 ms)\n  \
           log write 15 ms: bad (> 15 ms)"
    );
    // One I/O of 17 s among good ones.
    let mut run = results(vec![at(410, 1000, 500)]);
    let stats = &mut run.spans[0].workers[1].streams[0].write;
    stats.response.record(17_000_000_000);
    let text = answer(&report, &run);
    assert!(
        text.contains("log write 1.9 ms: bad (one took 17 s)"),
        "{text}"
    );
    run.spans[0].outcome = Outcome::EndedEarly(EndReason::Interrupted);
    let text = rendered(&report, &run);
    assert!(
        text.contains("\nSo far: At 410 transactions a second:\n"),
        "{text}"
    );
    assert!(text.lines().count() <= 24);
}

#[test]
fn bursts_are_left_out_of_the_course_and_assumptions_have_a_page() {
    let mut waves = random(100);
    waves.pacing = Pacing::Waves {
        first: Duration::from_secs(10),
        every: Duration::from_mins(1),
        operations: 900,
        backs_off_above: None,
    };
    let (mut planned, mut span) = at(100, 2000, 500);
    planned.groups.push(group("checkpoint write", 1, waves));
    let mut burst = vec![0; 30];
    burst[10] = 600;
    let checkpoint = WorkerResult {
        streams: vec![StreamResult {
            behind: 300,
            ..write(every_second(&burst, 15_000))
        }],
        ..WorkerResult::default()
    };
    span.workers.push(checkpoint);
    let mut report = asking("sqlserver/oltp", Question::Marks, marks());
    let resolved = report.resolved.as_mut().unwrap();
    resolved.notes.push("mix: assumed".into());
    report.notes = vec!["mix: assumed".into(), "Seed 7.".into()];
    let text = rendered(&report, &results(vec![(planned, span)]));
    let course = "by the second without checkpoint write: min 200, median 200, max 200: steady";
    assert!(text.contains(course), "{text}");
    let end = "checkpoint write: at the end 300 I/Os of the bursts were still to come.\n";
    assert!(text.contains(end), "{text}");
    assert!(
        text.ends_with(
            "\n\nSeed 7.\nAssumptions, sources, marks: iogauge profiles sqlserver/oltp\n"
        ),
        "{text}"
    );
    assert!(text.lines().count() <= 24, "{text}");
}

#[test]
fn who_waits_for_a_write_waits_for_its_flush() {
    let mut stream = open(100, 100);
    stream.mix.flush = FlushPolicy::Every {
        writes: 1,
        data_only: true,
    };
    let mut log = write(due(100, 500));
    log.flush = every_second(&[100; 30], 3000);
    let planned = planned("rate 100", vec![group("log write", 1, stream)]);
    let report = asking("sqlserver/log", Question::Marks, marks());
    let text = answer(&report, &results(vec![(planned, measured(vec![log]))]));
    assert!(
        text.contains("log write 3.5 ms: acceptable (<= 5 ms)"),
        "{text}"
    );
}

#[test]
fn a_closed_loop_is_never_judged() {
    let planned = planned("", vec![group("log write", 1, random(100))]);
    let span = measured(vec![write(every_second(&[2000; 30], 500))]);
    let report = asking("sqlserver/log", Question::Marks, marks());
    let text = answer(&report, &results(vec![(planned, span)]));
    assert!(
        text.starts_with("At most: log write 2,000 a second."),
        "{text}"
    );
    assert!(
        !text.contains("good") && text.contains("--rate N"),
        "{text}"
    );
}

#[test]
fn the_highest_rate_that_keeps_the_marks() {
    let report = asking("sqlserver/oltp", Question::Marks, marks());
    let mut run = results(vec![
        at(100, 2000, 500),
        at(400, 9000, 800),
        at(800, 30_000, 900),
        at(430, 9500, 7000),
        at(410, 9000, 2000),
        at(410, 9000, 2000),
    ]);
    let text = rendered(&report, &run);
    let answer = "\
Carries 410 transactions a second with data read within 10 ms and log write
  within 5 ms; at 430 log write took 7.0 ms.
";
    assert!(text.contains(answer), "{text}");
    assert!(text.starts_with("sqlserver/oltp: rate 410: "), "{text}");
    assert!(text.contains("data read      410"), "{text}");
    assert!(text.lines().count() <= 24);
    // A rate that is not reached is not carried, whatever those that were issued took: 12,300 of
    // 24,600 that were due.
    run.spans[5].workers[0].streams[0].behind = 12_300;
    let text = rendered(&report, &run);
    let answer = "The search did not end: 400 transactions a second kept the marks once.\n";
    assert!(text.contains(answer), "{text}");
}

#[test]
fn a_search_without_an_end_says_so() {
    let report = asking("sqlserver/oltp", Question::Marks, marks());
    let run = results(vec![at(200, 2000, 500), at(200, 2000, 500)]);
    assert_eq!(
        answer(&report, &run).replace("\n  ", " "),
        "Carries 200 transactions a second with data read within 10 ms and log write within 5 ms; \
         nothing higher was tried."
    );
    let text = answer(
        &report,
        &results(vec![at(200, 2000, 50_000), at(100, 2000, 50_000)]),
    );
    assert_eq!(
        text.replace("\n  ", " "),
        "Does not carry 100 transactions a second, the lowest rate that was tried: log write took 50 \
         ms."
    );
}

#[test]
fn how_long_a_backup_takes() {
    let copy = || {
        let groups = vec![group("backup", 2, random(0))];
        // 64 reads of 1 MiB a second by each of two.
        let stats = || operations(&[64; 30], &[(1, 900)], 1 << 20);
        let mut both = [read(stats()), read(stats())];
        for stream in &mut both {
            stream.write = stats();
        }
        results(vec![(planned("", groups), measured(both.to_vec()))])
    };
    let mut report = asking("sqlserver/backup", Question::Throughput, Vec::new());
    let text = answer(&report, &copy());
    assert_eq!(
        text,
        "Full backup: 128 MiB/s. How long yours takes: --db-size 1T says it."
    );
    // 1 TiB are 8,192 times 128 MiB: 136.5 minutes.
    report.db_size = Some(1 << 40);
    assert_eq!(
        answer(&report, &copy()).replace("\n  ", " "),
        "Full backup of 1 TiB: 2 h 17 min at this rate, 128 MiB/s (upper bound: CPU not included)."
    );
    // Nothing moved: nothing is said, and nothing divided by it.
    let mut still = copy();
    still.spans[0].workers.clear();
    assert!(!rendered(&report, &still).contains("backup of"));
}

#[test]
fn a_limit_is_kept_or_not() {
    let mut limit = mark("wal write", Direction::Write, [10.0; 3]);
    limit.percentile = Some((0.99, 10.0));
    let report = asking("etcd", Question::Limit, vec![limit]);
    let run = |count: u64, us| {
        let mut stream = random(100);
        stream.mix.flush = FlushPolicy::Every {
            writes: 1,
            data_only: true,
        };
        let mut wal = write(every_second(&vec![count; 30], 20));
        wal.flush = every_second(&vec![count; 30], us);
        results(vec![(
            planned("", vec![group("wal write", 1, stream)]),
            measured(vec![wal]),
        )])
    };
    assert_eq!(
        answer(&report, &run(40, 3100)),
        "Yes: p99 of fdatasync 3.1 ms, below 10 ms (a paper)"
    );
    assert_eq!(
        answer(&report, &run(40, 31_000)),
        "No: p99 of fdatasync 31 ms, not below 10 ms (a paper)"
    );
    assert_eq!(
        answer(&report, &run(30, 3100)),
        "No answer: 900 of fdatasync are too few for a p99."
    );
    let mut none = run(40, 3100);
    none.spans[0].measured = Duration::ZERO;
    rendered(&report, &none);
}
