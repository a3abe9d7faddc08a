//! Runs on a simulated device and a virtual clock, where every figure follows by hand.

use crate::{
    parsed::Report,
    util::{self, Dir, Output},
};

const FIXED: &str = "sim:read=fixed:100us,write=fixed:100us";

/// Runs a line, plus a target of 1 GiB, on a device.
fn on(device: &str, line: &str) -> Output {
    on_with(device, line, &[])
}

fn on_with(device: &str, line: &str, variables: &[(&str, &str)]) -> Output {
    let dir = Dir::new();
    let mut command = dir.diskspd(&format!("{line} -c1G ./none"));
    command.env("IOGAUGE_ENGINE", device);
    command.envs(variables.iter().copied());
    let output = util::run(&mut command);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    output
}

#[track_caller]
fn ios(line: &str, report: &Report, wanted: u64) {
    let total = &report.total.total;
    // What completes on a boundary may be on either side of it.
    let threads = report.total.rows.len() as u64;
    assert!(
        total.ios.abs_diff(wanted) <= threads,
        "{line}: {} I/Os, not {wanted}",
        total.ios
    );
    assert_eq!(total.bytes, total.ios * 4096, "{line}");
}

/// Throughput and latency of a queue whose service takes exactly 100 us.
#[test]
fn a_queue_obeys_its_arithmetic() {
    for (servers, line, wanted, mean) in [
        (1, "-o1 -W0 -d1", 10_000, 0.1),
        (1, "-o1 -W3 -d2 -C1", 20_000, 0.1),
        (1, "-o4 -W1 -d1", 10_000, 0.4),
        (4, "-o4 -W0 -d1", 40_000, 0.1),
        (4, "-o8 -W1 -d1", 40_000, 0.2),
        (1, "-o1 -t3 -W0 -d1", 30_000, 0.1),
        (1, "-o1 -w100 -W0 -d1", 10_000, 0.1),
    ] {
        let device = format!("{FIXED},servers={servers}");
        let output = on(&device, &format!("-b4K -r -L {line}"));
        let report = output.expect_code(0).report();
        // As many as are under way may fall to the other side.
        let total = &report.total.total;
        assert!(
            total.ios.abs_diff(wanted) <= servers * report.total.rows.len() as u64,
            "{line}: {} I/Os, not {wanted}",
            total.ios
        );
        let latency = total.latency_ms.expect("-L");
        assert!((latency - mean).abs() < 0.0006, "{line}: {latency} ms");
        let [_, _, median] = report.percentile("50th");
        let median = median.expect("I/Os");
        assert!((median - mean).abs() <= 0.001 * mean, "{line}: {median} ms");
    }
}

/// Reads and writes have their own latencies, and the mix is as asked.
#[test]
fn reads_and_writes_are_told_apart() {
    let output = on(
        "sim:read=fixed:100us,write=fixed:300us",
        "-b4K -r -o1 -w40 -W0 -d10 -L",
    );
    let report = output.expect_code(0).report();
    let (reads, writes) = (&report.read.total, &report.write.total);
    assert_eq!(reads.latency_ms, Some(0.1));
    assert_eq!(writes.latency_ms, Some(0.3));
    let micros = reads.ios * 100 + writes.ios * 300;
    assert!((9_999_600..=10_000_000).contains(&micros), "{micros} us");
    let all = (reads.ios + writes.ios) as f64;
    let share = writes.ios as f64 / all;
    assert!((share - 0.4).abs() < 5.0 * (0.24 / all).sqrt(), "{share}");
}

/// One I/O waits through the stall, and the silent intervals are there.
#[test]
fn a_stall_is_in_the_maximum_and_in_the_intervals() {
    let output = on(
        &format!("{FIXED},stall=200ms..700ms"),
        "-b4K -r -o1 -W0 -d1 -L -D100",
    );
    let report = output.expect_code(0).report();
    ios("stall", &report, 5000);
    let [_, _, most] = report.percentile("max");
    // It may have begun at any time within its 100 us.
    assert!(
        most.is_some_and(|ms| (500.0..=500.2).contains(&ms)),
        "{most:?}"
    );
    // Five intervals of 1000 I/Os and five of none: 500 in 100 ms is the deviation.
    let line = output
        .stdout
        .lines()
        .find(|line| line.starts_with("total:"));
    let cells: Vec<&str> = line.expect("a total").split('|').map(str::trim).collect();
    let deviation: f64 = cells[5].parse().expect("a number");
    assert!((deviation - 5000.0).abs() < 20.0, "{deviation}");
}

/// A limit holds for each thread and target, in bytes a millisecond and in I/Os a second.
#[test]
fn limits_are_kept_to_the_io() {
    for (line, wanted) in [
        ("-t1 -o1 -g400i", 2000),
        ("-t4 -o1 -g400i", 8000),
        ("-t1 -o8 -g400i", 2000),
        // 1024 bytes/ms are 250 I/Os of 4 KiB a second.
        ("-t1 -o1 -g1024", 1250),
        ("-t4 -o1 -g1024", 5000),
        ("-t4 -o8 -g1024", 5000),
        // Less than one I/O a second is not none and not no limit.
        ("-t1 -o1 -g2", 2),
    ] {
        for warm_up in [0, 2] {
            let line = format!("-b4K -r -L -d5 -W{warm_up} {line}");
            let output = on(&format!("{FIXED},servers=8"), &line);
            let report = output.expect_code(0).report();
            ios(&line, &report, wanted);
            let [_, _, most] = report.percentile("max");
            assert_eq!(most, Some(0.1), "{line}: waiting is not latency");
        }
    }
    // A limit above what the device can do changes nothing.
    let report = on(FIXED, "-b4K -r -W0 -d1 -o1 -g20000i").report();
    ios("too high", &report, 10_000);
}

/// Bursts with pauses: `-i` I/Os of a target, all its threads together, then `-j` milliseconds.
#[test]
fn bursts_and_pauses_add_up() {
    for (line, servers, wanted) in [
        // Ten at 100 us, the last of which is followed by 100 ms: 100.9 ms a round.
        ("-t1 -o1 -i10 -j100", 1, 5000.0 / 100.9 * 10.0),
        ("-t1 -o1 -i1 -j1", 1, 5000.0),
        // Three threads share a burst of nine: three each, 100.2 ms a round.
        ("-t3 -o1 -i9 -j100", 1, 5000.0 / 100.2 * 9.0),
        // Eight at once, then the other two.
        ("-t1 -o8 -i10 -j100", 8, 5000.0 / 100.1 * 10.0),
    ] {
        let line = format!("-b4K -r -L -d5 -W0 {line}");
        let output = on(&format!("{FIXED},servers={servers}"), &line);
        let total = output.expect_code(0).report().total.total;
        let apart = (total.ios as f64 - wanted).abs() / wanted;
        assert!(apart <= 0.01, "{line}: {} I/Os, not {wanted}", total.ios);
    }
}

/// The frame of a failure with the results so far, and a message that names all that is known.
#[test]
fn an_error_ends_the_run_with_what_it_has() {
    let line = "-b4K -r -z3 -o1 -W0 -d1 -L";
    let output = on(&format!("{FIXED},error_every=100"), line);
    let report = output.expect_code(1).report();
    assert_eq!(report.total.total.ios, 99);
    assert!((report.seconds - 0.01).abs() < 1e-9, "{}", report.seconds);
    let offset = hundredth_offset(line);
    let said = output.stderr.lines().find(|line| line.contains("EIO"));
    let said = said.unwrap_or_default();
    for word in ["none", "read", "4096", &offset] {
        assert!(said.contains(word), "{word}: {output:#?}");
    }
    let last: Vec<&str> = output.stderr.lines().collect();
    for end in ["threads execution", "generating I/O requests"] {
        assert!(last.iter().any(|line| line.contains(end)), "{output:#?}");
    }
    let output = on("sim:error_every=100:ENOSPC", "-b4K -r -o1 -W0 -d1 -w100 -L");
    assert_eq!(output.expect_code(1).report().write.total.ios, 99);
    assert!(output.stderr.contains("ENOSPC") && output.stderr.contains("write"));
}

/// Where the hundredth I/O of a line goes.
fn hundredth_offset(line: &str) -> String {
    let dir = Dir::new();
    let mut command = dir.iogauge(&["explain", "--offsets", "100", "--", "diskspd"]);
    command.args(line.split(' ')).args(["-c1G", "./none"]);
    let output = util::run(&mut command);
    let last = output.expect_code(0).stdout.lines().last();
    let offset = last.and_then(|row| row.split('\t').nth(3));
    offset.expect("a row").to_owned()
}

/// On request the run goes on, counts what failed, and fails in the end.
#[test]
fn errors_can_be_counted_to_the_end() {
    let output = on_with(
        &format!("{FIXED},error_every=100"),
        "-b4K -r -o1 -W0 -d1 -L",
        &[("IOGAUGE_ON_ERROR", "continue")],
    );
    let report = output.expect_code(1).report();
    assert!((report.seconds - 1.0).abs() < 1e-9, "{}", report.seconds);
    // 10,000 were made, of which 100 failed.
    ios("continue", &report, 9_900);
    let counted = |count: &str| {
        let mut lines = output.stderr.lines();
        lines.any(|line| line.contains("failed") && line.split(' ').any(|word| word == count))
    };
    assert!(counted("100") || counted("99"), "{output:#?}");
    assert!(
        output.stderr.lines().count() < 12,
        "a line an error: {output:#?}"
    );
}

/// What moves less than asked is no whole operation: warned of, in no figure, and a failure.
#[test]
fn short_transfers_are_no_operations() {
    let output = on(
        &format!("{FIXED},short_every=100"),
        "-b4K -r -o1 -W0 -d1 -L",
    );
    let report = output.expect_code(1).report();
    ios("short", &report, 9_900);
    assert!(output.stderr.contains("2048"), "{output:#?}");
    assert!(
        output.stderr.lines().count() < 12,
        "a line each: {output:#?}"
    );
}

/// A device that stops answering ends the run in words, never in silence.
#[test]
fn a_device_that_hangs_is_named() {
    let output = on(&format!("{FIXED},hang_after=50"), "-b4K -r -o1 -W0 -d1");
    output.expect_code(1);
    assert!(output.stderr.contains("hang"), "{output:#?}");
}

#[test]
fn a_law_that_is_none_is_refused_by_its_word() {
    for (device, word) in [
        ("sim:speed=1", "speed"),
        ("sim:read=100us", "100us"),
        ("sim:servers=0", "servers"),
        ("psync:read=fixed:1us", "psync"),
    ] {
        let output = on(device, "-b4K -d1 -W0");
        assert!(
            !output.hung && output.code != Some(0),
            "{device}: {output:#?}"
        );
        assert!(output.stderr.contains(word), "{device}: {output:#?}");
        assert!(!output.stdout.contains("Total IO"), "{device}");
    }
}
