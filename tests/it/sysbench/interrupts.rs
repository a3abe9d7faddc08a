//! Ctrl-C and its kind while files are made and while they are loaded; and a storage that does not
//! answer any more.

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{case::files_in, report::Report};
use crate::{
    signals::nothing_runs_in,
    util::{self, Dir, Running},
};

const SET: &str = "--file-total-size=1M --file-num=4";

/// Waits until a run has made calls of I/O.
#[track_caller]
fn under_way(running: &mut Running) {
    let loaded = running.until(|id| {
        let io = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
        let calls = io.lines().find_map(|line| line.strip_prefix("syscr: "));
        calls.and_then(|calls| calls.parse::<u64>().ok()) > Some(500)
    });
    assert!(loaded, "no I/O was seen");
}

#[test]
fn an_interrupt_ends_a_run_with_its_figures() {
    let _turn = util::busy();
    for signal in ["INT", "TERM"] {
        for face in [
            "fileio --time=600",
            "--test=fileio --max-requests=0 --max-time=600",
        ] {
            let dir = Dir::prepared(SET);
            let line = format!("{face} {SET} --file-test-mode=rndrw run");
            let mut running = util::start(&mut dir.sysbench(&line));
            under_way(&mut running);
            thread::sleep(Duration::from_millis(200));
            running.signal(signal);
            let asked = Instant::now();
            let output = running.finish();
            assert!(
                asked.elapsed() < Duration::from_secs(3),
                "{:?}",
                asked.elapsed()
            );
            let report = Report::parse(&output.expect_code(1).stdout);
            assert!(report.events > 0 && report.seconds < 300.0, "{report:?}");
            let problems = report.problems(Some(16_384), report.seconds, 1);
            assert!(problems.is_empty(), "{signal} {line}: {problems:?}");
            assert!(output.stderr.contains("interrupted after"), "{output:#?}");
            assert_eq!(files_in(&dir).len(), 4);
            nothing_runs_in(&dir);
        }
    }
}

/// Whole files stay, as after the original's end; the one that was being made goes.
#[test]
fn an_interrupt_ends_preparation_at_once() {
    let _turn = util::busy();
    let dir = Dir::new();
    let line = "fileio --file-total-size=3G --file-num=192 prepare";
    let mut running = util::start(&mut dir.sysbench(line));
    let second = dir.join("test_file.1");
    assert!(running.until(|_| second.exists()), "nothing was made");
    running.signal("INT");
    let asked = Instant::now();
    let output = running.finish();
    assert!(
        asked.elapsed() < Duration::from_secs(3),
        "{:?}",
        asked.elapsed()
    );
    output.expect_code(1);
    assert!(output.stderr.contains("interrupted"), "{output:#?}");
    assert!(output.stderr.contains("Written before: "), "{output:#?}");
    let files = files_in(&dir);
    assert!(!files.is_empty() && files.len() < 192, "{files:?}");
    assert!(
        files.values().all(|file| *file == (16 << 20, 0o600)),
        "{files:?}"
    );
    nothing_runs_in(&dir);
}

/// The flush does not return; past the limit and the grace the report comes without it.
#[test]
fn a_stalled_flush_is_left_behind_when_shutdown_is_forced() {
    let _turn = util::busy();
    if !util::has("strace") {
        return util::skip("strace is missing: no flush can be stalled");
    }
    let dir = Dir::prepared(SET);
    for (face, limit) in [
        ("fileio", "--time"),
        ("--test=fileio --max-requests=0", "--max-time"),
    ] {
        let line = format!("{face} {SET} --file-test-mode=rndwr {limit}=1 --forced-shutdown=1 run");
        let mut command = Command::new("strace");
        command
            .args(["-f", "-qq", "-e", "trace=fsync", "-o", "/dev/null"])
            .args(["-e", "inject=fsync:delay_enter=5000000:when=3"])
            .args([env!("CARGO_BIN_EXE_iogauge"), "sysbench"])
            .args(line.split_whitespace())
            .env("IOGAUGE_HISTORY", "off")
            .current_dir(dir.path());
        let started = Instant::now();
        let output = util::run(&mut command);
        if output.stderr.contains("ptrace") {
            return util::skip("strace may not trace here");
        }
        let report = Report::parse(&output.expect_code(2).stdout);
        // strace holds the end back until the call that it delays has ended.
        assert!(
            started.elapsed() < Duration::from_secs(15),
            "{:?}",
            started.elapsed()
        );
        assert!(output.stdout.contains("FATAL: "), "{output:#?}");
        // 100 writes, and the two flushes before the one that stalls.
        let events = if face == "fileio" { 102 } else { 100 };
        assert_eq!(report.events, events, "{output:#?}");
        assert!((1.9..3.0).contains(&report.seconds), "{output:#?}");
    }
}
