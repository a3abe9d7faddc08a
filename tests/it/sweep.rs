//! `sweep` on simulated devices whose law says the answer, and on files.

use crate::util::{self, Dir, Output};

/// `iogauge sweep LINE` on a simulated device.
fn sweep(law: &str, line: &str) -> Output {
    let dir = Dir::new();
    let engine = format!("sim:{law}");
    let words = ["--engine", &engine, "sweep"].into_iter();
    let words: Vec<&str> = words
        .chain(line.split_whitespace())
        .chain(["./x"])
        .collect();
    let output = util::run(
        dir.iogauge(&words)
            .env("XDG_CONFIG_HOME", dir.join("no-config"))
            .env("LC_ALL", "C"),
    );
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    for line in output.stdout.lines() {
        assert!(line.len() <= 80, "{} columns: {line}", line.len());
        assert!(line.is_ascii(), "{line}");
    }
    output
}

/// The report with its lines joined.
fn text(output: &Output) -> String {
    output.expect_code(0).stdout.replace("\n  ", " ")
}

/// The load that is said to be the highest which keeps the limit.
#[track_caller]
fn highest(text: &str) -> u64 {
    let line = text
        .lines()
        .find(|line| line.contains("is the highest load that keeps"));
    let line = line.unwrap_or_else(|| panic!("no answer: {text}"));
    let digits: String = line
        .split(" is the highest")
        .next()
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or_else(|_| panic!("{line}"))
}

/// Four servers of exactly 1 ms: at depth q a wave of four ends each millisecond, so that an I/O takes
/// a whole number of milliseconds, q / 4 in the mean and that rounded up at most.
#[test]
fn the_highest_depth_follows_from_the_law() {
    let law = "servers=4,read=fixed:1ms";
    for (limit, depth) in [
        // Up to 3 ms while q <= 12; of 13 a quarter takes 4 ms.
        ("p99<3500us", 12),
        // Up to 5 ms while q <= 20.
        ("p99<5500us", 20),
        ("max<5500us", 20),
        // The mean q / 4 is below 6.6 ms up to 26: 6.5.
        ("mean<6600us", 26),
        ("read.p99<3500us", 12),
    ] {
        let line = format!("--vary qd=1..64 --slo {limit} --duration 2s --warmup 100ms --seed 1");
        let text = text(&sweep(law, &line));
        assert_eq!(highest(&text), depth, "{limit}: {text}");
        assert!(text.contains("Sure: kept in 4 of 4"), "{text}");
        let next = format!("depth {} broke it in 2 of 2", depth + 1);
        assert!(text.contains(&next), "{text}");
        // Four servers are busy from depth 4 on, with 1,000 I/Os a second each.
        assert!(text.contains("Use depth 4: "), "{text}");
    }
}

/// One server that takes a chance time of 1 ms in the mean: a closed queue of q has q ms in the mean,
/// by Little's law.
#[test]
fn the_highest_depth_of_a_random_device() {
    let line = "--vary qd=1..64 --slo mean<20500us --duration 60s --warmup 1s --seed 1";
    let found = highest(&text(&sweep("read=exp:1ms", line)));
    assert!((19..=21).contains(&found), "{found}");
}

/// A server of exactly 100 us carries 10,000 a second, each in 100 us, and not one more.
#[test]
fn the_highest_rate_is_the_capacity() {
    let line = "--vary rate=1000..32000 --slo p99<1ms --seed 1";
    let output = sweep("read=fixed:100us", line);
    let found = highest(&text(&output));
    assert!((9700..=10_000).contains(&found), "{found}");
}

/// M/M/1: responses are exponential with the rate 10,000 - x a second, so that their 99th percentile
/// is ln 100 / (10,000 - x): 2 ms at x = 10,000 - 4.60517 / 0.002 = 7,697.
#[test]
fn the_highest_rate_of_random_arrivals() {
    let line = "--vary rate=1000..16000,poisson --slo p99<2ms --duration 30s --seed 1";
    let found = highest(&text(&sweep("read=exp:100us", line)));
    assert!(found.abs_diff(7697) <= 7697 * 3 / 100, "{found}");
}

/// Threads have a device each: 1 ms, whatever their number.
#[test]
fn what_no_load_breaks_and_what_all_break() {
    let line = "--vary threads=1,2,4 --slo p99<2ms --duration 2s --warmup 0s";
    let text_of = text(&sweep("read=fixed:1ms", line));
    let said = "p99<2ms is still kept by 4 threads, the most that was tried";
    assert!(text_of.contains(said), "{text_of}");
    let line = "--vary qd=2..8 --slo p99<1500us --duration 2s --warmup 0s";
    let text_of = text(&sweep("read=fixed:1ms", line));
    assert!(
        text_of.contains("p99<1ms500us is broken already by depth 2"),
        "{text_of}"
    );
}

/// At 100 I/Os a second 2 s are too short for a p99; ten beyond it are in 1,000 I/Os, or 10 s.
#[test]
fn points_that_cannot_tell_are_measured_longer_or_named() {
    let line = "--vary qd=1,2 --slo p99<15ms --duration 2s --warmup 0s";
    let text_of = text(&sweep("read=fixed:10ms", line));
    assert_eq!(highest(&text_of), 1, "{text_of}");
    // 100 s would be more than twelve times 2 s.
    let line = "--vary qd=1,2 --slo p99.9<15ms --duration 2s --warmup 0s";
    let text_of = text(&sweep("read=fixed:10ms", line));
    assert!(
        text_of.contains("Not known at depth 1, depth 2"),
        "{text_of}"
    );
    assert!(text_of.contains("longer --duration"), "{text_of}");
}

/// 1 ns a byte and 10 us: 4 KiB take 14 us, 1 MiB 1.06 ms, and large blocks come near 1 GB/s.
#[test]
fn blocks_have_a_knee_in_bytes() {
    let law = "read=fixed:10us,per_byte=1ns";
    let line = "--vary bs=4k..4M --duration 1s --warmup 0s --size 1G";
    let text_of = text(&sweep(law, line));
    // 2^18 / (2^18 + 10,000) is 96.3 % of 1 GB/s, 2^17 92.9 %; the best, 2^22, 99.8 %.
    assert!(text_of.contains("Use blocks of 256 KiB: "), "{text_of}");
    assert!(text_of.contains("256 KiB"), "{text_of}");
}

/// All of it is one speed: no step.
#[test]
fn regions_without_a_cache_have_no_step() {
    let line = "--vary region=1M..max --size 8M --duration 1s --warmup 0s";
    let text_of = text(&sweep("read=fixed:1ms", line));
    assert!(text_of.contains("No step from 1 MiB to 8 MiB"), "{text_of}");
}

/// A grid is two tables, a row a block size, and the knee of each.
#[test]
fn two_axes_are_a_grid() {
    let line = "--vary qd=1..8 --vary bs=4k,8k --slo p99<1500us --duration 2s --warmup 0s";
    let text_of = text(&sweep("servers=2,read=fixed:1ms", line));
    assert!(text_of.contains("IOPS at qd"), "{text_of}");
    assert!(text_of.contains("p99, ms at qd"), "{text_of}");
    let rows: Vec<&str> = text_of.lines().filter(|l| l.starts_with("4 KiB")).collect();
    // 1,000 a second for each of two servers, and no more; a wave may be on either side of an edge.
    let cells = rows[0].split_whitespace().skip(2);
    let wanted = [1000_u64, 2000, 2000, 2000];
    for (cell, wanted) in cells.zip(wanted) {
        let found: u64 = cell.replace(',', "").parse().expect(cell);
        assert!(found.abs_diff(wanted) <= 2, "{rows:?}");
    }
    let said = "blocks of 4 KiB: Use depth 2: ";
    assert!(text_of.contains(said), "{text_of}");
    // Depth 2 keeps it: 1 ms; depth 4 takes 2 ms.
    assert!(
        text_of.contains("Of the points that keep p99<1ms500us qd=2 bs="),
        "{text_of}"
    );
}

#[test]
fn the_time_is_told_on_standard_error_unless_it_is_to_be_quiet() {
    let line = "--vary qd=1,2 --duration 1s --warmup 0s";
    let output = sweep("read=fixed:1ms", line);
    assert!(
        output.stderr.contains("2 points of 1 s: 2 s"),
        "{output:#?}"
    );
    let output = sweep("read=fixed:1ms", &format!("{line} -q"));
    assert_eq!(output.expect_code(0).stderr, "");
}

/// The fourth point of a device that fails each 3,000th I/O is not reached; those before stay.
#[test]
fn a_point_that_fails_ends_it_and_keeps_those_before() {
    let line = "--vary qd=1,2,4,8 --duration 1s --warmup 0s";
    let output = sweep("read=fixed:1ms,servers=8,error_every=3500:EIO", line);
    // Each time span has a device of its own: 1,000, 2,000 and 4,000 I/Os.
    output.expect_code(1);
    let text = &output.stdout;
    assert!(
        text.starts_with("FAILED at qd=4: what follows is of the 2 measurements before it."),
        "{text}"
    );
    assert!(text.contains("qd 2") && !text.contains("qd 4"), "{text}");
}

#[test]
fn a_real_file_is_made_once_and_removed() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "sweep . --size 4M --vary qd=1,2 --duration 200ms --warmup 0s --repeat 1";
    let words: Vec<&str> = line.split(' ').collect();
    let output = util::run(&mut dir.iogauge(&words));
    output.expect_code(0);
    assert!(output.stdout.contains("qd 2"), "{}", output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

/// What was measured before Ctrl-C is shown, and the file goes.
#[test]
fn an_interrupt_keeps_the_points_done() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "sweep . --size 4M --vary bs=4k..512k --ops 2000 --engine psync --cap 1000";
    let words: Vec<&str> = line.split(' ').collect();
    let mut running = util::start(&mut dir.iogauge(&words));
    // The first point is 2,000 reads; a thousand more are those of the second.
    let reads = |id: u32| {
        let text = std::fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
        line.and_then(|count| count.parse().ok()).unwrap_or(0_u64)
    };
    assert!(running.until(|id| reads(id) > 3000), "no I/O was seen");
    running.signal("INT");
    let output = running.finish();
    output.expect_code(130);
    let first = output.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("INTERRUPTED at bs="), "{output:#?}");
    assert!(output.stdout.contains("4 KiB"), "{output:#?}");
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn lines_are_explained_and_kept_as_plans() {
    let dir = Dir::new();
    let line = "explain -- sweep --vary qd=1,2 --slo p99<2ms --repeat 2 --size 4M ./x";
    let words: Vec<&str> = line.split(' ').collect();
    let output = util::run(&mut dir.iogauge(&words));
    output.expect_code(0);
    for said in [
        "one point for each value of qd=1,2",
        "the highest load that keeps p99<2ms is searched",
        "measured so often again at the end: 2",
        "until the highest load that keeps the limit",
    ] {
        let text = output.stdout.replace('\n', " ");
        let text: Vec<&str> = text.split_whitespace().collect();
        assert!(text.join(" ").contains(said), "{said}: {}", output.stdout);
    }
    let line = "explain --as toml -- sweep --vary qd=1,2 --size 4M ./x";
    let words: Vec<&str> = line.split(' ').collect();
    let output = util::run(&mut dir.iogauge(&words));
    output.expect_code(0);
    assert!(output.stdout.contains("qd=2"), "{}", output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn wrong_lines_are_refused_before_anything_is_made() {
    for (line, said) in [
        ("--vary qd=0..4", "1 to 32768"),
        ("--vary qd=1..4 --slo iops>5", "not of iops"),
        ("--vary qd=1..4 --slo p99>5ms", "write p99<5ms"),
        ("--vary qd=1..4 --qd 2", "--vary qd and --qd"),
        ("--vary qd=1..4 --repeat 0", "--repeat"),
        ("--vary nothing", "--vary='nothing'"),
    ] {
        let output = sweep("read=fixed:1ms", line);
        output.expect_code(2);
        assert!(output.told().contains(said), "{line}: {output:#?}");
        assert_eq!(output.stdout, "");
    }
}
