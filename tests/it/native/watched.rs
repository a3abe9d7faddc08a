//! Loads that end by their own figures, and targets that are filled.

use std::fs;

use super::{fits_a_small_terminal, native};
use crate::{
    signals::nothing_runs_in,
    util::{self, Dir, skip},
};

/// What was said, in one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const NULL: &str = "run ./x --engine null --warmup 0s --interval 50ms";

#[test]
fn a_fuse_ends_a_run_in_its_first_interval() {
    let dir = Dir::new();
    let line = format!("{NULL} --duration 10m --stop-if iops<1 --stop-if iops>1");
    let output = util::run(&mut native(&dir, &line));
    output.expect_code(4);
    let first = output.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("ENDED EARLY by iops>1"), "{output:#?}");
    assert!(output.stdout.contains("read "), "{output:#?}");
    fits_a_small_terminal(&output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn a_fuse_that_is_never_blown_is_not_seen() {
    let dir = Dir::new();
    let line = format!("{NULL} --duration 200ms --stop-if max>10m --stop-if p99.9>1m");
    let output = util::run(&mut native(&dir, &line));
    output.expect_code(0);
    assert!(!output.stdout.contains("ENDED"), "{output:#?}");
}

#[test]
fn a_run_ends_when_it_is_steady() {
    let dir = Dir::new();
    for engine in ["null", "psync"] {
        let line = format!(
            "run ./x --size 1M --cache buffered --warmup 0s --until-steady=20ms,range=500,slope=1000 \
             --engine {engine}"
        );
        let output = util::run(&mut native(&dir, &line));
        output.expect_code(0);
        assert!(output.stdout.contains("Steady after "), "{output:#?}");
        let told = "until steady: 5 windows of 20ms at least, 1h at most";
        assert!(output.stderr.contains(told), "{output:#?}");
        fits_a_small_terminal(&output.stdout);
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    let line = "run ./x --engine null --warmup 0s --until-steady=1s --duration 50ms";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    let said = joined(&output.stdout);
    assert!(said.contains("did not become steady"), "{output:#?}");
    assert!(said.contains("the measured time had 0"), "{output:#?}");
}

#[test]
fn what_cannot_be_looked_at_is_refused_by_name() {
    let dir = Dir::new();
    for (line, words) in [
        ("run ./x --until-steady=0s", "--until-steady='0s'"),
        ("run ./x --until-steady=10s,range=0", "range=0"),
        ("run ./x --until-steady=10s,width=5", "width=5"),
        ("run ./x --stop-if p99", "--stop-if='p99'"),
        ("run ./x --stop-if p99>0ms", "--stop-if='p99>0ms'"),
        (
            "run ./x --stop-if iops<99999999999999999999",
            "--stop-if='iops<9",
        ),
        (
            "run ./x --engine sim --stop-if p99>1ms",
            "on a simulated device",
        ),
        (
            "run ./x --engine sim --until-steady",
            "on a simulated device",
        ),
        ("versus ./a ./b --until-steady", "are for run"),
        ("versus ./a ./b --stop-if p99>1ms", "are for run"),
        ("precondition x", "as in ./x"),
        ("precondition ./x --bytes 0", "--bytes='0'"),
        (
            "precondition ./x --bytes 1M --passes 1",
            "cannot both be given",
        ),
        (
            "precondition ./x --passes 18446744073709551616",
            "--passes='18",
        ),
        ("precondition ./x --rw randread", "write or randwrite"),
        ("precondition /dev/null", "a character device"),
    ] {
        let output = util::run(&mut native(&dir, line));
        output.expect_code(2);
        assert!(output.stderr.contains(words), "{line}: {output:#?}");
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn a_plan_file_says_the_same() {
    let dir = Dir::new();
    let line = "explain --as toml -- run ./x --stop-if read.p99>50ms --until-steady=2s,slope=5";
    let told = util::run(&mut native(&dir, line));
    told.expect_code(0);
    let steady = "until-steady = \"2s,range=20%,slope=5%\"";
    assert!(told.stdout.contains(steady), "{told:#?}");
    assert!(told.stdout.contains("\"read.p99>50ms\""), "{told:#?}");
    let words = util::run(&mut native(&dir, &line.replace("--as toml ", "")));
    words.expect_code(0);
    let said = joined(&words.stdout);
    assert!(said.contains("early when read.p99>50ms"), "{words:#?}");
    assert!(said.contains("5 windows of 2s are steady"), "{words:#?}");
}

#[test]
fn a_file_is_filled_from_end_to_end_and_stays() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "precondition ./f --size 4M --bs 64k --passes 3 --engine psync";
    let output = util::run(&mut native(&dir, line));
    if output.stderr.contains("cannot be marked") {
        skip("this filesystem keeps no marks of our files");
        return;
    }
    output.expect_code(0);
    let told = "writes 12 MiB, the target 3 times";
    assert!(output.stderr.contains(told), "{output:#?}");
    assert!(
        joined(&output.stdout).contains("Written: 12 MiB, at "),
        "{output:#?}"
    );
    assert!(output.stdout.contains("Next: iogauge run"), "{output:#?}");
    assert!(output.stdout.contains("kept: ./f"), "{output:#?}");
    fits_a_small_terminal(&output.stdout);
    assert_eq!(dir.names(), ["f"]);
    // What was there before is there nowhere any more.
    let before = fs::read(dir.join("f")).unwrap();
    assert_eq!(before.len(), 4 << 20);
    let once = "precondition ./f --bs 64k --passes 1 --qd 1 --engine psync";
    util::run(&mut native(&dir, once)).expect_code(0);
    let after = fs::read(dir.join("f")).unwrap();
    let same = before.chunks(4096).zip(after.chunks(4096));
    assert_eq!(same.filter(|(old, new)| old == new).count(), 0);
    // Half of it: the first half is another, the second is not.
    let half = "precondition ./f --bs 64k --bytes 2M --qd 1 --engine psync";
    util::run(&mut native(&dir, half)).expect_code(0);
    let last = fs::read(dir.join("f")).unwrap();
    let same = after.chunks(4096).zip(last.chunks(4096));
    let kept: Vec<bool> = same.map(|(old, new)| old == new).collect();
    assert!(kept[..512].iter().all(|same| !same), "the first half");
    assert!(kept[512..].iter().all(|same| *same), "the second half");
}

#[test]
fn a_fill_that_is_interrupted_says_how_far_it_was() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "precondition ./f --size 4M --bs 4k --bytes 1T --qd 1 --engine psync";
    let mut running = util::start(&mut native(&dir, line));
    let writes = |id: u32| {
        let text = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("syscw: "));
        line.and_then(|count| count.parse().ok()).unwrap_or(0_u64)
    };
    assert!(running.until(|id| writes(id) > 500), "no I/O was seen");
    running.signal("INT");
    let output = running.finish();
    if output.stderr.contains("cannot be marked") {
        skip("this filesystem keeps no marks of our files");
        return;
    }
    output.expect_code(130);
    assert!(
        output.stdout.starts_with("INTERRUPTED after"),
        "{output:#?}"
    );
    assert!(output.stdout.contains(" of 1 TiB, at "), "{output:#?}");
    assert!(!output.stdout.contains("Next:"), "{output:#?}");
    nothing_runs_in(&dir);
}

#[test]
fn somebodys_file_is_filled_by_name_only() {
    let _busy = util::busy();
    let dir = Dir::new();
    let path = dir.file("theirs", 1 << 20);
    let content = fs::read(&path).unwrap();
    let line = "precondition theirs --bs 64k --engine psync";
    let refused = util::run(&mut native(&dir, line));
    refused.expect_code(2);
    assert!(refused.stderr.contains("--destroy theirs"), "{refused:#?}");
    assert_eq!(fs::read(&path).unwrap(), content);
    util::run(&mut native(&dir, &format!("{line} --destroy theirs"))).expect_code(0);
    assert_ne!(fs::read(&path).unwrap(), content);
    assert_eq!(dir.names(), ["theirs"]);
}
