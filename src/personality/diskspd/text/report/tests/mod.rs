//! Reports of results built by hand, beside the records.

mod versions;

use std::time::Duration;

use super::{Form, TextReport};
use crate::{
    host::CpuUse,
    personality::diskspd::{
        profile::{Distribution, DistributionRange, Profile, Target, TimeSpan},
        testing::{
            as_ours, command_line, counted, lines_between, operations, profile, random, recorded,
            rendered, results, span, span_result, stream, target, two_spans,
        },
    },
    results::{
        EffectiveRange, EndReason, Failure, OperationStats, Outcome, SpanResult, Stage,
        StreamResult, Subject, Waits,
    },
};

const MIB16: u64 = 16 << 20;

fn nothing() -> OperationStats {
    OperationStats::default()
}

fn short(target: Target) -> Profile {
    profile(vec![TimeSpan {
        duration: 1,
        warmup: 0,
        ..span(vec![target])
    }])
}

fn report(case: &str, profile: Profile, spans: Vec<SpanResult>) -> String {
    rendered(
        &TextReport {
            profile,
            form: Form::default(),
        },
        &results(&command_line(case), spans),
    )
}

/// The record with our word for the program and the start time of the test's results.
fn expected(case: &str) -> String {
    let text = as_ours(&recorded(case, "stdout"));
    let start = text.find("start time: ").unwrap();
    let end = start + text[start..].find(" UTC").unwrap();
    text.replace(&text[start..end], "start time: 2026/11/30 19:49:05")
}

#[test]
fn a_run_of_no_time_is_all_zero() {
    let mut profile = short(target("d.dat"));
    profile.spans[0].duration = 0;
    let idle = stream(0, nothing(), nothing());
    let mut result = span_result(Duration::ZERO, &[("d.dat", MIB16)], vec![vec![idle]]);
    result.cpus = [0, 1]
        .map(|number| CpuUse {
            number,
            ..CpuUse::default()
        })
        .to_vec();
    assert_eq!(report("r-d0", profile, vec![result]), expected("r-d0"));
}

#[test]
fn without_a_measured_time_there_is_one_line() {
    let mut result = span_result(Duration::ZERO, &[("nosuch.dat", 0)], Vec::new());
    result.outcome = Outcome::NotMeasured(EndReason::Failed);
    assert_eq!(
        report("e-missing", short(target("nosuch.dat")), vec![result]),
        expected("e-missing")
    );
}

#[test]
fn a_missing_write_source_is_told_before_the_report() {
    let mut result = span_result(Duration::ZERO, &[("x.dat", 0)], Vec::new());
    result.outcome = Outcome::NotMeasured(EndReason::Failed);
    result.failures.push(Failure {
        stage: Stage::WriteSource,
        worker: None,
        target: Some("x.dat".to_owned()),
        errno: Some(2),
        subject: Subject::Other,
        message: String::new(),
    });
    let profile = short(Target {
        write_ratio: 100,
        source_size: 1 << 20,
        source_path: Some("nosrc.bin".into()),
        ..target("x.dat")
    });
    assert_eq!(
        report("e-Zmissing", profile, vec![result]),
        expected("e-Zmissing")
    );
}

/// From the first line of the results' tables of I/O on: CPU figures are the machine's.
fn from<'a>(text: &'a str, line: &str) -> &'a str {
    &text[text.find(line).unwrap()..]
}

#[test]
fn rates_and_effective_ranges_as_recorded() {
    let ranges =
        [(90, 0, 10), (0, 10, 10), (5, 20, 20), (5, 40, 60)].map(|(io_percent, from, length)| {
            DistributionRange {
                io_percent,
                from,
                length,
            }
        });
    let profile = short(Target {
        pattern: random(),
        block_size: 4096,
        distribution: Some(Distribution::Percent(ranges.to_vec())),
        ..target("d.dat")
    });
    let mut stream = stream(0, counted(93_718, 383_868_928), nothing());
    // 10 %, 20 % and 40 % of 16 MiB, rounded down to 4 KiB.
    stream.ranges = [
        (90.0, 0, 1_675_264),
        (5.0, 3_354_624, 6_709_248),
        (5.0, 6_709_248, MIB16),
    ]
    .map(|(io_percent, from, to)| EffectiveRange {
        io_percent,
        from,
        to,
    })
    .to_vec();
    // 93718 I/Os at 93715.41 a second.
    let measured = Duration::from_nanos(1_000_027_630);
    let result = span_result(measured, &[("d.dat", MIB16)], vec![vec![stream]]);
    let text = report("r-rdpct", profile, vec![result]);
    let line = "Effective IO Distributions";
    assert_eq!(from(&text, line), from(&expected("r-rdpct"), line));
}

#[test]
fn shares_of_a_cut_distribution_have_a_decimal() {
    // -rdabs10/50K:20/10K:30/1G on 100 KiB; the form is that of DiskSpd's reports.
    let kib = |list: [(u32, u64, u64); 4]| {
        list.map(|(io_percent, from, length)| DistributionRange {
            io_percent,
            from: from << 10,
            length: length << 10,
        })
    };
    let asked = kib([
        (10, 0, 50),
        (20, 50, 10),
        (30, 60, 1 << 20),
        (40, (1 << 20) + 60, 0),
    ]);
    let profile = short(Target {
        pattern: random(),
        distribution: Some(Distribution::Absolute(asked.to_vec())),
        ..target("testfile.dat")
    });
    let mut stream = stream(0, nothing(), nothing());
    stream.ranges = [(100.0 / 6.0, 0, 50), (100.0 / 3.0, 50, 60), (50.0, 60, 100)]
        .map(|(io_percent, from, to)| EffectiveRange {
            io_percent,
            from: from << 10,
            to: to << 10,
        })
        .to_vec();
    let result = span_result(
        Duration::from_secs(1),
        &[("testfile.dat", 100 << 10)],
        vec![vec![stream.clone()], vec![stream.clone()], vec![stream]],
    );
    let text = report("r-rdabs", profile, vec![result]);
    assert_eq!(
        lines_between(&text, "Effective", "50.0%"),
        [
            "Effective IO Distributions",
            "--------------------------",
            "target: testfile.dat [thread: 0 - 2]",
            "    16.7% of IO => [     0    -     50KiB)",
            "    33.3% of IO => [    50KiB -     60KiB)",
            "    50.0% of IO => [    60KiB -    100KiB)",
        ]
    );
}

#[test]
fn two_time_spans_have_grand_totals() {
    let first = span_result(
        // 4337 I/Os at 4334.61 a second.
        Duration::from_micros(1_000_552),
        &[("t1.dat", MIB16)],
        vec![
            vec![stream(
                0,
                counted(3048, 24_969_216),
                counted(1289, 10_559_488),
            )],
            vec![stream(
                0,
                counted(30_619, 250_830_848),
                counted(13_099, 107_307_008),
            )],
        ],
    );
    let second = span_result(
        // 62318 I/Os at 62314.50 a second.
        Duration::from_nanos(1_000_056_200),
        &[("t1.dat", MIB16), ("second.dat", 4 << 20)],
        vec![
            vec![stream(0, counted(10_955, 717_946_880), nothing())],
            vec![stream(1, nothing(), counted(62_318, 255_254_528))],
        ],
    );
    let text = report("r-X", two_spans("t1.dat"), vec![first, second]);
    let expected = expected("r-X");
    let second_part =
        |text: &str| from(from(text, "Results for timespan 2"), "Total IO").to_owned();
    assert_eq!(second_part(&text), second_part(&expected));
    // Bytes, I/Os and rates of the first are as recorded, too.
    let rates = |text: &str| -> Vec<String> {
        let lines = lines_between(text, "Total IO", "Total latency");
        let rows = lines
            .iter()
            .filter(|line| line.contains('|') && !line.contains("bytes"));
        rows.map(|line| line[..64].to_owned()).collect()
    };
    assert_eq!(rates(&text).len(), 9);
    assert_eq!(rates(&text), rates(&expected));
}

#[test]
fn totals_are_zero_when_nothing_was_measured() {
    let mut nothing = span_result(Duration::ZERO, &[("t1.dat", MIB16)], Vec::new());
    nothing.outcome = Outcome::NotMeasured(EndReason::Interrupted);
    let text = report("r-X", two_spans("t1.dat"), vec![nothing.clone(), nothing]);
    assert!(text.ends_with(
        "\ntotal  |               0 |            0 |       0.00 |       0.00\n\n\
         total test time:\t0.00s\n"
    ));
}

/// One thread, -L and -D500 over a second. Reads: 1, 2 and 3 ms, two in the first interval and
/// one in the second. One write of 5 ms in the second interval.
fn measured_stream(target: usize) -> StreamResult {
    stream(
        target,
        operations(&[(10, 1_000_000), (20, 2_000_000), (600, 3_000_000)]),
        operations(&[(700, 5_000_000)]),
    )
}

#[test]
fn latency_columns_and_charts() {
    let mut profile = short(target("a.dat"));
    profile.spans[0].measure_latency = true;
    profile.spans[0].iops_stddev = true;
    let idle = stream(1, operations(&[]), operations(&[]));
    let result = span_result(
        Duration::from_secs(1),
        &[("a.dat", MIB16), ("b.dat", 1500)],
        vec![vec![measured_stream(0), idle]],
    );
    let text = report("r-LD", profile, vec![result]);
    // Reads: mean 2 ms, deviation sqrt(2/3) = 0.816 ms; two and one in half a second: 0.5 apart
    // from the mean, so 1 a second. All: 1 2 3 5 ms, mean 2.75, deviation sqrt(8.75/4) = 1.479.
    // The median is 2 ms; its bucket of the histogram (1024 ns wide here) ends at 2000895 ns.
    let rule = "-".repeat(114);
    assert_eq!(
        lines_between(&text, "Total IO", "Latency distribution: b.dat"),
        [
            "Total IO",
            "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | IopsStdDev | LatStdDev |  file",
            &rule,
            "     0 |           16384 |            4 |       0.02 |       4.00 |    2.750 |       0.00 |     1.479 | a.dat (16MiB)",
            "     0 |               0 |            0 |       0.00 |       0.00 |    0.000 |       0.00 |       N/A | b.dat (1.46KiB)",
            &rule,
            "total:             16384 |            4 |       0.02 |       4.00 |    2.750 |       0.00 |     1.479",
            "",
            "Read IO",
            "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | IopsStdDev | LatStdDev |  file",
            &rule,
            "     0 |           12288 |            3 |       0.01 |       3.00 |    2.000 |       1.00 |     0.816 | a.dat (16MiB)",
            "     0 |               0 |            0 |       0.00 |       0.00 |    0.000 |       0.00 |       N/A | b.dat (1.46KiB)",
            &rule,
            "total:             12288 |            3 |       0.01 |       3.00 |    2.000 |       1.00 |     0.816",
            "",
            "Write IO",
            "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | IopsStdDev | LatStdDev |  file",
            &rule,
            "     0 |            4096 |            1 |       0.00 |       1.00 |    5.000 |       1.00 |     0.000 | a.dat (16MiB)",
            "     0 |               0 |            0 |       0.00 |       0.00 |    0.000 |       0.00 |       N/A | b.dat (1.46KiB)",
            &rule,
            "total:              4096 |            1 |       0.00 |       1.00 |    5.000 |       1.00 |     0.000",
            "",
            "Latency distribution: a.dat",
            "  %-ile |  Read (ms) | Write (ms) | Total (ms)",
            "----------------------------------------------",
            "    min |      1.000 |      5.000 |      1.000",
            "   25th |      1.000 |      5.000 |      1.000",
            "   50th |      2.001 |      5.000 |      2.001",
            "   75th |      3.000 |      5.000 |      3.000",
            "   90th |      3.000 |      5.000 |      5.000",
            "   95th |      3.000 |      5.000 |      5.000",
            "   99th |      3.000 |      5.000 |      5.000",
            "3-nines |      3.000 |      5.000 |      5.000",
            "4-nines |      3.000 |      5.000 |      5.000",
            "5-nines |      3.000 |      5.000 |      5.000",
            "6-nines |      3.000 |      5.000 |      5.000",
            "7-nines |      3.000 |      5.000 |      5.000",
            "8-nines |      3.000 |      5.000 |      5.000",
            "9-nines |      3.000 |      5.000 |      5.000",
            "    max |      3.000 |      5.000 |      5.000",
            "",
            "Latency distribution: b.dat",
        ]
    );
    assert!(text.contains("b.dat\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n"));
    assert!(text.contains("\n    min |        N/A |        N/A |      0.000\n"));
    assert!(text.contains("\n\nTotal latency distribution:\n"));
}

#[test]
fn wait_statistics_as_recorded() {
    let mut profile = short(target("d.dat"));
    profile.verbose_stats = true;
    profile.spans[0].measure_latency = true;
    let mut result = span_result(
        Duration::from_secs(1),
        &[("d.dat", MIB16)],
        vec![vec![measured_stream(0)]],
    );
    result.workers[0].waits = Waits {
        polls: 29_443,
        found: [0, 29_443, 0, 0, 0, 0, 0, 0],
        ..Waits::default()
    };
    let text = report("r-vs", profile, vec![result]);
    let line = "\nWait Statistics";
    assert_eq!(from(&text, line), from(&expected("r-vs"), line));
}

#[test]
fn a_thread_pool_with_requests_counts_them() {
    let mut profile = short(target("d.dat"));
    profile.spans[0].thread_count = 2;
    profile.spans[0].request_count = 4;
    let idle = || vec![stream(0, nothing(), nothing())];
    let result = span_result(
        Duration::from_secs(2),
        &[("d.dat", 0)],
        vec![idle(), idle()],
    );
    let text = report("r-FO", profile, vec![result]);
    assert!(
        text.contains(
            "\nactual test time:\t2.00s\nthread count:\t\t2\nrequest count:\t\t4\n\nCPU |"
        )
    );
}
