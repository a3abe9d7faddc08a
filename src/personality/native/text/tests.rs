//! Whole reports of hand-made results; every figure is arithmetic by hand.

mod cut;
mod told;
mod wide;

use std::time::Duration;

use super::{
    Shape,
    testing::{
        every_second, group, measured, operations, planned, random, read, rendered, report,
        results, write,
    },
};
use crate::{
    plan::{AccessPattern, BlockSizes, Caching, Durability, Pacing, Step, TimeSpan},
    report::text::{Charset, Form},
    results::{
        Apart, Blown, EndReason, Failure, Finding, OperationStats, Outcome, Results, Settled,
        Severity, SpanResult, Stage, StreamResult, Subject,
    },
};

fn finding(severity: Severity, message: &str) -> Finding {
    Finding {
        severity,
        code: "test",
        message: message.into(),
    }
}

fn reads(span: SpanResult) -> Results {
    results(vec![(planned("", vec![group("", 2, random(0))]), span)])
}

/// 1,000 reads a second in all; 99 of 100 took 200 us, one 1 ms.
fn steady() -> SpanResult {
    let half = || read(operations(&[500; 30], &[(99, 200), (1, 1000)], 4096));
    measured(vec![half(), half()])
}

#[test]
fn a_steady_random_read() {
    let mut report = report(Shape::Rows);
    report.notes.push("Seed 42.".into());
    // 99 x 0.2 + 1 = 20.8 ms for 100: 0.208 ms. 1,000 x 4 KiB are 3.90625 MiB.
    // p99 is the 99th of 100: 0.2 ms, at most a thousandth above.
    let expected = "\
random reads of 4 KiB, 32 in flight x 2 threads; 30 s after 5 s of warm-up
on ./t/data.dat (1 GiB): ext4 on sda1 (Disk 7); direct, io_uring

                        --------------- latency, ms ---------------
         IOPS    MiB/s     mean      p50      p99    p99.9      max
read    1,000     3.91    0.208    0.200    0.200     1.00     1.00

IOPS over time  ##############################
  by the second: min 1,000, median 1,000, max 1,000: steady

Seed 42.
";
    assert_eq!(rendered(&report, &reads(steady())), expected);
}

#[test]
fn what_spoils_the_figures_is_told_first_and_marks_them() {
    let mut results = reads(steady());
    results.findings = vec![
        finding(Severity::Note, "a note"),
        finding(Severity::Caution, "one"),
        finding(Severity::Caution, "one"),
        finding(Severity::Caution, "two"),
        finding(Severity::Misleading, "it is wrong"),
        finding(Severity::Note, "another note"),
    ];
    let text = rendered(&report(Shape::Rows), &results);
    assert!(
        text.starts_with("!! misleading: it is wrong\n\nrandom reads"),
        "{text}"
    );
    assert!(text.contains("\n!! read    1,000"), "{text}");
    let last = "! caution: one\n! caution: two\n- note: a note\n  and 1 more\n";
    assert!(text.ends_with(last), "{text}");
    assert!(text.lines().count() <= 24);
}

#[test]
fn percentiles_without_samples_beyond_them_are_no_figures() {
    // 90 reads: 45 beyond the median, less than one beyond p99.
    let text = rendered(
        &report(Shape::Rows),
        &reads(measured(vec![
            read(every_second(&[3; 30], 500)),
            read(every_second(&[], 0)),
        ])),
    );
    let row = text.lines().find(|line| line.starts_with("read")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    // 3 a second; 3 x 4 KiB are 0.0117 MiB.
    assert_eq!(
        cells,
        ["read", "3.00", "0.01", "0.500", "0.500", "-", "-", "0.500"]
    );
}

#[test]
fn a_run_that_was_cut_short_says_so_first() {
    let mut span = steady();
    span.outcome = Outcome::EndedEarly(EndReason::Interrupted);
    span.measured = Duration::from_millis(12_340);
    let text = rendered(&report(Shape::Rows), &reads(span));
    let first = text.lines().next().unwrap();
    assert_eq!(
        first,
        "INTERRUPTED after 12.3 s of 30 s: the figures cover that part."
    );
    // The intervals of the time that it had: twelve whole ones.
    assert!(text.contains("IOPS over time  ############\n"), "{text}");
}

/// What was said, in one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_run_that_blew_its_fuse_names_the_condition_and_the_figure() {
    let mut span = steady();
    span.measured = Duration::from_millis(12_340);
    let first = |condition: &str, value: u64| {
        let mut span = span.clone();
        span.outcome = Outcome::EndedEarly(EndReason::Fuse(Blown {
            condition: condition.parse().unwrap(),
            value,
            at: Duration::from_secs(12),
        }));
        let text = rendered(&report(Shape::Rows), &reads(span));
        joined(text.split("\n\n").next().unwrap())
    };
    let text = first("p99>50ms", 61_200_000);
    let begin = "ENDED EARLY by p99>50ms, after 12.3 s: it was 61.2 ms in the interval that ended at \
                 12 s; the figures cover that part.";
    assert!(text.starts_with(begin), "{text}");
    assert!(first("iops<1000", 999).contains("it was 999 I/Os a second"));
    assert!(first("throughput<1MiB/s", 524_288).contains("it was 512 KiB a second"));
}

#[test]
fn a_steady_load_says_when_and_which_figures_these_are() {
    let mut results = reads(steady());
    let span = &mut results.spans[0];
    span.measured = Duration::from_secs(10);
    span.steady = Some(Settled {
        after: Duration::from_secs(30),
        window: Duration::from_secs(2),
        apart: Apart {
            range_percent: 4.5,
            slope_percent: -1.1,
        },
    });
    let Some(Step::Run(planned)) = results.plan.steps.first_mut() else {
        panic!("a time span")
    };
    planned.stop.steady = Some("2s".parse().unwrap());
    let text = rendered(&report(Shape::Rows), &results);
    let joined = joined(&text);
    let sentence = "Steady after 30 s: over the last 5 windows of 2 s the range is 4.5 % of the mean \
                    (at most 20 %), the slope -1.1 % (at most 10 %). The figures are of these 10 s.";
    assert!(joined.contains(sentence), "{text}");
    assert!(joined.contains("; the last 10 s of 35 s"), "{text}");
    // The curve is that of all of it.
    assert!(joined.contains(&"#".repeat(30)), "{text}");
    assert!(
        joined.contains("max 1,000: steady in the last 10 s"),
        "{text}"
    );
    results.spans[0].steady = None;
    let text = self::joined(&rendered(&report(Shape::Rows), &results));
    assert!(text.contains("NOT STEADY by --until-steady"), "{text}");
}

#[test]
fn what_failed_is_told_and_counted() {
    let mut span = steady();
    span.outcome = Outcome::EndedEarly(EndReason::Failed);
    span.workers[0].streams[0].read.errors.insert(5, 12);
    span.workers[1].streams[0].read.short = 1;
    let failure = |message: &str| Failure {
        stage: Stage::Io,
        worker: None,
        target: None,
        errno: Some(5),
        subject: Subject::Other,
        message: message.into(),
    };
    span.failures = ["one", "two", "three", "four"].map(failure).to_vec();
    let text = rendered(&report(Shape::Rows), &reads(span));
    let begin =
        "FAILED after 30 s of 30 s: the figures cover that part.\n  one\n  two\n  and 2 more\n";
    assert!(text.starts_with(begin), "{text}");
    let line = "FAILED, in no figure: 12 x read: Input/output error (EIO); 1 x read: fewer bytes";
    assert!(text.contains(line), "{text}");
}

#[test]
fn nothing_at_all_is_no_reason_to_fall_over() {
    let mut report = report(Shape::Rows);
    let mut none = results(Vec::new());
    assert_eq!(rendered(&report, &none), "");
    none.ended = Some(EndReason::Interrupted);
    assert_eq!(
        rendered(&report, &none),
        "INTERRUPTED: nothing was measured.\n"
    );
    let mut lost = measured(Vec::new());
    lost.outcome = Outcome::NotMeasured(EndReason::Failed);
    lost.measured = Duration::ZERO;
    lost.targets.clear();
    lost.engine.clear();
    for shape in [Shape::Rows, Shape::Corners] {
        report.shape = shape;
        let text = rendered(&report, &reads(lost.clone()));
        assert!(
            text.starts_with("FAILED before anything was measured.\n"),
            "{text}"
        );
        // A span of no time and no operations.
        let mut empty = measured(Vec::new());
        empty.measured = Duration::ZERO;
        rendered(&report, &reads(empty));
        rendered(&report, &reads(measured(vec![StreamResult::default()])));
    }
}

#[test]
fn huge_numbers_keep_their_columns() {
    let mut huge = read(every_second(&[10; 30], 100));
    huge.read.count = u64::MAX / 4;
    huge.read.bytes = u64::MAX;
    huge.read.latency.record(u64::MAX);
    huge.read.latency.record(3_600_000_000_000);
    huge.behind = u64::MAX;
    let mut stream = random(0);
    stream.pacing = Pacing::Arrivals {
        per_second: f64::MAX,
        poisson: true,
    };
    let planned = planned("", vec![group("", u32::MAX, stream)]);
    let mut results = results(vec![(planned, measured(vec![huge]))]);
    results.findings.push(finding(Severity::Misleading, "x"));
    let text = rendered(&report(Shape::Rows), &results);
    assert!(
        text.contains("FELL BEHIND by 18,446,744,073,709,551,615 I/Os"),
        "{text}"
    );
}

#[test]
fn flags_say_when_a_write_is_not_durable() {
    let second_line = |caching, cache: Option<&str>| {
        let mut planned = planned("", vec![group("", 1, random(100))]);
        planned.targets[0].caching = caching;
        let mut span = measured(vec![write(every_second(&[9; 30], 100))]);
        let device = span.targets[0].device.as_mut().unwrap();
        device.write_cache = cache.map(str::to_owned);
        let text = rendered(&report(Shape::Rows), &results(vec![(planned, span)]));
        let lines: Vec<&str> = text
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .collect();
        lines.join(" ").replace("  ", "")
    };
    let through = second_line(Caching::Direct, Some("write through"));
    assert!(through.ends_with("; direct, io_uring"), "{through}");
    let back = second_line(Caching::Direct, Some("write back"));
    assert!(
        back.contains("direct, writes NOT DURABLE (volatile device cache)"),
        "{back}"
    );
    let buffered = second_line(Caching::Buffered, None);
    assert!(
        buffered.contains("buffered, writes NOT DURABLE (page cache)"),
        "{buffered}"
    );
}

#[test]
fn an_open_loop_shows_what_users_wait_and_what_the_target_takes() {
    let mut stream = random(0);
    stream.pacing = Pacing::Arrivals {
        per_second: 2000.0,
        poisson: false,
    };
    let mut slow = read(every_second(&[1000; 30], 400));
    (0..30_000).for_each(|_| slow.read.response.record(2_000_000));
    slow.behind = 30_000;
    let planned = planned("", vec![group("data read", 1, stream)]);
    let text = rendered(
        &report(Shape::Rows),
        &results(vec![(planned, measured(vec![slow]))]),
    );
    assert!(text.starts_with(
        "random reads of 4 KiB, 32 in flight, 2,000 due a second, whether or not the\n  target keeps"
    ), "{text}");
    let row = |name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..]
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    let (response, service) = (row("data read"), row("  service"));
    assert_eq!(
        response,
        ["1,000", "3.91", "2.00", "2.00", "2.00", "2.00", "2.00"]
    );
    assert_eq!(service, ["0.400", "0.400", "0.400", "0.400", "0.400"]);
    // 30,000 of 60,000.
    let behind = "data read FELL BEHIND by 30,000 I/Os, 50 % of what was due were done: the rate";
    assert!(text.contains(behind), "{text}");
}

#[test]
fn names_from_outside_stay_in_their_line() {
    let mut span = steady();
    span.targets[0].label = "./\x1b[2J\nevil\u{e9}".into();
    let text = rendered(&report(Shape::Rows), &reads(span.clone()));
    assert!(
        text.contains("./\\u{1b}[2J\\nevil\\u{e9} (1 GiB)"),
        "{text}"
    );
    let mut report = report(Shape::Rows);
    report.form = Form {
        charset: Charset::Unicode,
        ..Form::default()
    };
    let mut out = Vec::new();
    crate::report::Renderer::render(&report, &reads(span), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("evil\u{e9}") && text.contains('█'), "{text}");
}

/// A corner: sequential I/O of 1 MiB or random I/O of 4 KiB, so many in flight, over five seconds.
fn corner(
    name: &str,
    sequential: bool,
    depth: u32,
    stats: OperationStats,
    writes: bool,
) -> (TimeSpan, SpanResult) {
    let mut stream = random(if writes { 100 } else { 0 });
    stream.queue_depth = depth;
    if sequential {
        stream.pattern = AccessPattern::Sequential {
            stride: 1 << 20,
            worker_offset: 0,
        };
        stream.sizes = BlockSizes::One(1 << 20);
    }
    let mut planned = planned(name, vec![group("", 1, stream)]);
    if name.starts_with("durable") {
        planned.targets[0].durability = Durability::Dsync;
    }
    let mut span = measured(vec![if writes { write(stats) } else { read(stats) }]);
    span.measured = Duration::from_secs(5);
    let device = span.targets[0].device.as_mut().unwrap();
    device.write_cache = Some("write back".into());
    if depth == 1 {
        span.engine = "psync".into();
    }
    (planned, span)
}

#[test]
fn the_corners_of_a_disk() {
    let large = |count: u64, us| operations(&[count; 5], &[(1, us)], 1 << 20);
    let small = |count: u64, us| operations(&[count; 5], &[(1, us)], 4096);
    let mut results = results(vec![
        corner(
            "sequential read 1 MiB, 8 in flight",
            true,
            8,
            large(400, 20_000),
            false,
        ),
        corner(
            "sequential read 1 MiB, 1 in flight",
            true,
            1,
            large(200, 5000),
            false,
        ),
        corner(
            "sequential write 1 MiB, 8 in flight",
            true,
            8,
            large(100, 80_000),
            true,
        ),
        corner(
            "random read 4 KiB, 32 in flight",
            false,
            32,
            small(9200, 348),
            false,
        ),
        corner(
            "random read 4 KiB, 1 in flight",
            false,
            1,
            small(1700, 58),
            false,
        ),
        corner(
            "random write 4 KiB, 1 in flight",
            false,
            1,
            small(1000, 100),
            true,
        ),
        corner(
            "durable write 4 KiB, 1 in flight",
            false,
            1,
            small(470, 2100),
            true,
        ),
    ]);
    // Of 500 writes five are beyond p99: no figure. 9,200 x 4 KiB are 35.9 MiB, 1,700 are 6.64, 1,000 are 3.91, 470 are 1.84; times that are
    // whole in the histogram's buckets or a thousandth above.
    let expected = "\
The corners of a disk: 7 loads one after the other, 5 s each
on ./t/data.dat (1 GiB): ext4 on sda1 (Disk 7), direct, plain writes NOT DURABLE
  (volatile device cache), io_uring and psync

                                                       ------ latency, us ------
                                        IOPS    MiB/s     mean      p99      max
sequential read 1 MiB, 8 in flight       400      400   20,000   20,000   20,000
sequential read 1 MiB, 1 in flight       200      200    5,000    5,000    5,000
sequential write 1 MiB, 8 in flight      100      100   80,000        -   80,000
random read 4 KiB, 32 in flight        9,200     35.9      348      348      348
random read 4 KiB, 1 in flight         1,700     6.64     58.0     58.0     58.0
random write 4 KiB, 1 in flight        1,000     3.91      100      100      100
durable write 4 KiB, 1 in flight         470     1.84    2,100    2,100    2,100

A durable write of 4 KiB takes 2.10 ms: 470 commits a second, one after the
  other.
Random reads: 9,200 IOPS with 32 in flight, 58 us each one at a time; random
  writes: 100 us each one at a time.
Sequential, at best: reads 400 MiB/s and writes 100 MiB/s.
";
    assert_eq!(rendered(&report(Shape::Corners), &results), expected);
    // What was not reached has a row, and no sentence.
    for span in &mut results.spans[1..] {
        span.outcome = Outcome::NotMeasured(EndReason::Interrupted);
    }
    let text = rendered(&report(Shape::Corners), &results);
    let begin = "INTERRUPTED before 'sequential read 1 MiB, 1 in flight' was measured.\n";
    assert!(text.starts_with(begin), "{text}");
    let row = "durable write 4 KiB, 1 in flight           -        -        -        -        -\n";
    assert!(text.contains(row), "{text}");
    assert!(
        text.ends_with("\n\nSequential, at best: reads 400 MiB/s.\n"),
        "{text}"
    );
    assert!(text.lines().count() <= 24);
}

#[test]
fn repetitions_have_a_spread() {
    let repetition = |number: u32, count: u64| {
        let name = format!("repetition {number}");
        let stats = every_second(&[count; 30], 500);
        (
            planned(&name, vec![group("", 1, random(0))]),
            measured(vec![read(stats)]),
        )
    };
    let three = [(1, 960), (2, 1000), (3, 1040)].map(|(number, count)| repetition(number, count));
    let results = results(three.to_vec());
    // Mean 1,000, deviation 40, t(0.975, 2) = 4.303: 1,000 -+ 99.4. MiB/s are 1/256 of it.
    let expected = "\
random reads of 4 KiB, 32 in flight; 30 s after 5 s of warm-up
on ./t/data.dat (1 GiB): ext4 on sda1 (Disk 7); direct, io_uring

Of 3 repetitions, with where the true mean lies with 95 % confidence:
                   mean        min        max  95 % from         to
read IOPS         1,000        960      1,040        901      1,099
read MiB/s         3.91       3.75       4.06       3.52       4.29
read mean ms      0.500      0.500      0.500      0.500      0.500
read p99 ms       0.500      0.500      0.500      0.500      0.500
read max ms       0.500      0.500      0.500      0.500      0.500
  1: read 960 IOPS, 3.75 MiB/s, mean 500 us, p99 500 us
  2: read 1,000 IOPS, 3.91 MiB/s, mean 500 us, p99 500 us
  3: read 1,040 IOPS, 4.06 MiB/s, mean 500 us, p99 500 us
";
    assert_eq!(rendered(&report(Shape::Rows), &results), expected);
}

#[test]
fn one_repetition_is_a_run() {
    let name = "repetition 1";
    let stats = every_second(&[10; 30], 500);
    let run = (
        planned(name, vec![group("", 1, random(0))]),
        measured(vec![read(stats)]),
    );
    let text = rendered(&report(Shape::Rows), &results(vec![run]));
    assert!(text.contains("IOPS over time"), "{text}");
}
