//! Counts that follow from a line: flush rounds, final flushes, budgets of requests, passes,
//! checkpoints, intervals; in the report and in the calls that the kernel saw.

use std::collections::BTreeMap;

use super::report::Report;
use crate::{
    trace::{Trace, Traced},
    util::{self, Dir},
};

/// Runs a line, and holds its report to its arithmetic.
#[track_caller]
fn reported(dir: &Dir, line: &str) -> (Report, String) {
    let output = util::run(&mut dir.sysbench(line));
    let report = Report::parse(&output.expect_code(0).stdout);
    let threads = super::report::threads(&output.stdout);
    let problems = report.problems(None, report.seconds, threads);
    assert!(problems.is_empty(), "{line}: {problems:?}");
    (report, output.stdout)
}

/// Runs a line under strace; `None` where nothing can be traced.
fn traced(dir: &Dir, line: &str) -> Option<Trace> {
    let run = Traced {
        face: "sysbench",
        engine: "",
        calls: "pread64,pwrite64,fsync,fdatasync,msync,prctl",
        options: &["-y", "-s", "16"],
        ..Traced::transfers(dir)
    };
    run.line(line)
}

/// Calls of a name on the files of the set, by each worker.
fn by_worker(trace: &Trace, name: &str) -> Vec<usize> {
    let mut counts: BTreeMap<u32, usize> = trace.workers().iter().map(|w| (*w, 0)).collect();
    let ours = trace
        .calls()
        .iter()
        .filter(|call| call.arguments.contains("/test_file."));
    for call in ours.filter(|call| call.name == name) {
        *counts.get_mut(&call.thread).expect("workers do all I/O") += 1;
    }
    counts.into_values().collect()
}

/// What 0.4 reports is what the kernel saw. Reads, writes and others follow from the line.
#[test]
fn counts_of_0_4_follow_from_the_line_and_are_those_of_the_kernel() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=4");
    for (options, counts) in [
        // 100 requests, a round of 4 after each 10; the last is the final one, as 0.4 has it.
        (
            "rndrw --max-requests=100 --file-fsync-freq=10",
            [60, 40, 40],
        ),
        (
            "rndwr --max-requests=105 --file-fsync-freq=10",
            [0, 105, 44],
        ),
        (
            "rndwr --max-requests=100 --file-fsync-freq=10 --file-fsync-end=off",
            [0, 100, 36],
        ),
        ("rndwr --max-requests=100 --file-fsync-freq=0", [0, 100, 4]),
        (
            "rndwr --max-requests=100 --file-fsync-freq=0 --file-fsync-end=off",
            [0, 100, 0],
        ),
        (
            "rndwr --max-requests=100 --file-fsync-all=on",
            [0, 100, 100],
        ),
        ("rndrd --max-requests=100 --file-fsync-freq=10", [100, 0, 0]),
        // One pass of 64 blocks, whatever limit of requests there is, and no round within.
        ("seqrd --max-requests=10", [64, 0, 0]),
        ("seqwr --max-requests=10 --file-fsync-freq=10", [0, 64, 4]),
        ("seqrewr --max-requests=1000", [0, 64, 4]),
        // 16 blocks a file in pieces of 5, 5, 5 and 1.
        ("seqrd --file-merged-requests=5", [16, 0, 0]),
        ("seqrewr --file-merged-requests=16", [0, 4, 4]),
    ] {
        let line = format!(
            "--test=fileio --file-total-size=1M --file-num=4 --file-test-mode={options} run"
        );
        let [reads, writes, others] = counts;
        let wanted = [reads, writes, others, reads + writes + others];
        let (report, _) = reported(&dir, &line);
        assert_eq!(report.counts, Some(wanted), "{line}");
        assert_eq!(report.events, reads + writes, "{line}");
        let Some(trace) = traced(&dir, &line) else {
            continue;
        };
        let seen = ["pread64", "pwrite64", "fsync"].map(|name| by_worker(&trace, name)[0] as u64);
        assert_eq!(seen, counts, "{line}");
        assert_eq!(
            Report::parse(&trace.output.stdout).counts,
            Some(wanted),
            "{line}"
        );
    }
}

/// In 1.0 periodic flushes are events of the budget, and each thread flushes each file at the end.
#[test]
fn counts_of_1_0_follow_from_the_line_and_are_those_of_the_kernel() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=4");
    for (options, threads, reads, writes, periodic, last) in [
        // As recorded: 72 writes and 7 rounds of 4 make 100 events.
        ("rndwr --events=100 --file-fsync-freq=10", 1, 0, 72, 28, 4),
        (
            "rndwr --events=100 --file-fsync-freq=10 --file-fsync-end=off",
            1,
            0,
            72,
            28,
            0,
        ),
        ("rndwr --events=100 --file-fsync-freq=0", 1, 0, 100, 0, 4),
        (
            "rndwr --events=100 --file-fsync-freq=0 --threads=4",
            4,
            0,
            100,
            0,
            16,
        ),
        (
            "rndwr --events=100 --file-fsync-freq=10 --threads=4",
            4,
            0,
            72,
            28,
            16,
        ),
        ("rndwr --events=100 --file-fsync-all", 1, 0, 100, 100, 0),
        (
            "rndrd --events=100 --file-fsync-freq=10 --threads=2",
            2,
            100,
            0,
            0,
            0,
        ),
        // More than two passes: 64 blocks are one.
        ("seqrd --events=150", 1, 150, 0, 0, 0),
        ("seqwr --events=150 --file-fsync-freq=0", 1, 0, 150, 0, 4),
        ("seqrewr --events=134 --file-fsync-freq=50", 1, 0, 126, 8, 4),
        ("seqrd --events=32 --file-merged-requests=5", 1, 32, 0, 0, 0),
        (
            "rndrw --file-rw-ratio=0 --events=100 --file-fsync-freq=0",
            1,
            0,
            100,
            0,
            4,
        ),
        (
            "rndrw --file-rw-ratio=3 --events=400 --file-fsync-freq=0",
            1,
            300,
            100,
            0,
            4,
        ),
    ] {
        let line = format!(
            "fileio --file-total-size=1M --file-num=4 --time=0 --file-test-mode={options} run"
        );
        let (report, _) = reported(&dir, &line);
        // With a flush after each write these are one event.
        let all = options.contains("fsync-all");
        let events = reads + writes + if all { 0 } else { periodic };
        assert_eq!(report.events, events as u64, "{line}");
        let Some(trace) = traced(&dir, &line) else {
            continue;
        };
        let sum = |name: &str| by_worker(&trace, name).iter().sum::<usize>();
        let seen = ["pread64", "pwrite64", "fsync"].map(sum);
        assert_eq!(seen, [reads, writes, periodic + last], "{line}");
        if last > 0 {
            let least = by_worker(&trace, "fsync").into_iter().min();
            assert!(least >= Some(4), "{line}: a thread left out files");
        }
        let report = Report::parse(&trace.output.stdout);
        let count = |rate: f64| rate * report.seconds;
        for (rate, seen) in report.rates.into_iter().zip(seen) {
            let slack = 0.01 + 0.01 * report.seconds + rate * 0.000_06;
            assert!(
                (count(rate) - seen as f64).abs() <= slack,
                "{line}: {seen}, {report:?}"
            );
        }
        assert_eq!(trace.workers().len(), threads, "{line}");
    }
}

#[test]
fn the_kind_of_flush_is_the_one_asked_for() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=4");
    for (options, call) in [
        ("--file-fsync-mode=fdatasync", "fdatasync"),
        ("--file-fsync-mode=fsync", "fsync"),
        ("--file-io-mode=mmap", "msync"),
    ] {
        let line = format!(
            "fileio --file-total-size=1M --file-num=4 --time=0 --events=30 \
             --file-test-mode=rndwr --file-fsync-freq=10 {options} run"
        );
        let Some(trace) = traced(&dir, &line) else {
            return;
        };
        for name in ["fdatasync", "fsync", "msync"] {
            // 22 writes and 2 rounds of 4, and 4 at the end.
            let wanted = if name == call { 12 } else { 0 };
            assert_eq!(trace.count(name), wanted, "{line}: {name}");
        }
    }
}

#[test]
fn a_line_of_0_4_without_limits_stops_after_ten_thousand_requests() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let line = "--test=fileio --file-total-size=1M --file-num=2 --file-test-mode=rndrw run";
    let (report, text) = reported(&dir, line);
    // 100 rounds of 2 files; the last of them is the final one.
    assert_eq!(report.counts, Some([6000, 4000, 200, 10_200]));
    assert!(text.contains("Number of random requests for random IO: 10000\n"));
    assert!(!text.contains("Time limit exceeded"), "{text}");
}

#[test]
fn no_percentile_is_computed_if_none_is_wanted() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let line = "fileio --file-total-size=1M --file-num=2 --file-test-mode=rndrd --time=0 \
                --events=100 --percentile=0 run";
    let (report, text) = reported(&dir, line);
    assert_eq!(report.percentile, None);
    assert!(
        text.contains("\n         percentile stats:               disabled\n"),
        "{text}"
    );
}

#[test]
fn the_histogram_holds_every_event() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let line = "fileio --file-total-size=1M --file-num=2 --file-test-mode=rndrw --time=0 \
                --events=3000 --threads=2 --histogram run";
    let (report, text) = reported(&dir, line);
    let rows: Vec<(f64, usize, u64)> = text
        .lines()
        .filter_map(|line| {
            let (value, rest) = line.split_once(" |")?;
            let (bar, count) = rest.split_at_checked(40)?;
            let stars = bar.matches('*').count();
            Some((
                value.trim().parse().ok()?,
                stars,
                count.trim().parse().ok()?,
            ))
        })
        .collect();
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 3000, "{text}");
    assert_eq!(report.events, 3000);
    assert!(rows.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{text}");
    let fullest = rows.iter().map(|row| row.2).max().expect("rows");
    let longest = rows.iter().map(|row| row.1).max();
    assert_eq!(longest, Some(40));
    assert!(
        rows.iter()
            .all(|row| row.1 as u64 <= row.2 * 40 / fullest + 1),
        "{text}"
    );
    // The first value with 95 of 100 events below it or in it.
    let mut seen = 0;
    let value = rows.iter().find(|row| {
        seen += row.2;
        seen >= 2850
    });
    let value = value.expect("all events are there").0;
    assert!(
        (report.percentile.expect("one") - value).abs() < 0.006,
        "{value}: {report:?}"
    );
}

/// Seconds of the lines of an output that begin an interval or a checkpoint.
fn moments(text: &str) -> Vec<u64> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("[ "));
    lines
        .filter_map(|line| line.split_once("s ]")?.0.trim().parse().ok())
        .collect()
}

#[test]
fn an_interval_is_reported_each_second() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let line = "fileio --file-total-size=1M --file-num=2 --file-test-mode=rndwr --time=3 \
                --rate=200 --report-interval=1 run";
    let (report, text) = reported(&dir, line);
    let seconds = moments(&text);
    // The one that is due at the end may come or not.
    assert!(seconds == [1, 2, 3] || seconds == [1, 2], "{text}");
    let written = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("writes: ")?;
        rest.split(' ').next()?.parse::<f64>().ok()
    });
    // MiB in each second, and in all of them.
    let sum: f64 = written.sum();
    let all = report.mib[1] * report.seconds;
    let least = if seconds.len() == 3 {
        all * 0.95
    } else {
        all * 0.4
    };
    assert!(
        sum >= least && sum <= all * 1.05 + 0.05,
        "{sum} of {all}: {text}"
    );
}

#[test]
fn checkpoints_and_the_report_share_all_events() {
    let _turn = util::busy();
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let line = "fileio --file-total-size=1M --file-num=2 --file-test-mode=rndwr --time=0 \
                --events=600 --rate=250 --report-checkpoints=1,2 --file-fsync-freq=0 run";
    let output = util::run(&mut dir.sysbench(line));
    let text = &output.expect_code(0).stdout;
    assert_eq!(moments(text), [1, 2], "{text}");
    let reports = Report::all(text);
    assert_eq!(reports.len(), 3, "{text}");
    let mut from = 0.0;
    for report in &reports {
        let problems = report.problems(Some(16_384), report.seconds - from, 1);
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        from = report.seconds;
    }
    let events: Vec<u64> = reports.iter().map(|report| report.events).collect();
    assert_eq!(events.iter().sum::<u64>(), 600, "{text}");
    // About 250 in each of the first two seconds, fewer on a machine that stalls.
    assert!(
        events[..2].iter().all(|events| (50..400).contains(events)),
        "{events:?}"
    );
}
