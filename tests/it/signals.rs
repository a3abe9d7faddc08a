//! Ctrl-C and its kind, in each phase; and that nothing is left behind.

use std::{fs, path::Path, thread, time::Duration};

use crate::util::{self, Dir, Output, Running};

/// Read calls that a process has made, all threads together.
fn reads(id: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
    line.and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Starts a line with the engine whose calls the kernel counts, and waits until it does I/O.
fn under_way(dir: &Dir, line: &str) -> Running {
    dir.file("f", 1 << 20);
    let mut command = dir.diskspd(line);
    let mut running = util::start(command.env("IOGAUGE_ENGINE", "psync"));
    assert!(running.until(|id| reads(id) > 500), "no I/O was seen");
    running
}

/// Processes whose working folder is `folder`.
fn processes_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder))
        .map(|path| path.display().to_string())
        .collect()
}

#[track_caller]
pub(crate) fn nothing_runs_in(dir: &Dir) {
    let left = processes_in(dir.path());
    assert!(left.is_empty(), "left running: {left:?}");
}

#[track_caller]
fn no_results(output: &Output) {
    let said = "The test was interrupted before the measurements began. No results are displayed.";
    assert!(
        output.stdout.contains("Command Line: diskspd"),
        "{output:#?}"
    );
    assert!(output.stdout.contains(said), "{output:#?}");
    assert!(!output.stdout.contains("Total IO"), "{output:#?}");
}

#[test]
fn an_interrupt_in_warm_up_leaves_no_results() {
    for signal in ["INT", "TERM"] {
        let dir = Dir::new();
        let running = under_way(&dir, "-b4K -o1 -r -t2 -W600 -d600 f");
        running.signal(signal);
        let output = running.finish();
        no_results(output.expect_code(0));
        nothing_runs_in(&dir);
    }
}

#[test]
fn an_interrupt_in_the_measured_time_reports_the_part_before() {
    for signal in ["INT", "TERM"] {
        let dir = Dir::new();
        let running = under_way(&dir, "-b4K -o1 -r -t2 -W0 -d600 -C600 -L f");
        thread::sleep(Duration::from_millis(500));
        running.signal(signal);
        let output = running.finish();
        let report = output.expect_code(0).report();
        assert!((0.2..300.0).contains(&report.seconds), "{report:#?}");
        assert!(report.total.total.ios > 0);
        let problems = crate::reference::shape::arithmetic(&report, Some(4096));
        assert!(problems.is_empty(), "{problems:?}\n{}", output.stdout);
        nothing_runs_in(&dir);
    }
}

#[test]
fn an_interrupt_wakes_a_paused_workload() {
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    let mut command = dir.diskspd("-b4K -o1 -r -W0 -d600 -i1 -j500000 f");
    let mut running = util::start(command.env("IOGAUGE_ENGINE", "psync"));
    assert!(running.until(|id| { util::threads(id) > 1 }));
    thread::sleep(Duration::from_millis(300));
    running.signal("INT");
    running.finish().expect_code(0);
    nothing_runs_in(&dir);
}

/// What this run was making is unfinished, so it goes; what was there before stays.
#[test]
fn an_interrupt_in_creation_removes_what_was_being_made() {
    let dir = Dir::new();
    dir.file("mine", 1 << 16);
    let mut command = dir.diskspd("-b4K -o1 -r -W0 -d600 -c3G new");
    let mut running = util::start(&mut command);
    let new = dir.join("new");
    assert!(running.until(|_| new.exists()), "nothing was made");
    running.signal("INT");
    let output = running.finish();
    no_results(output.expect_code(1));
    assert_eq!(dir.names(), ["mine"]);
    nothing_runs_in(&dir);
}

#[test]
fn nothing_is_left_running_after_an_ordinary_run_or_a_failure() {
    let dir = Dir::new();
    util::run(&mut dir.diskspd("-c1M -b4K -d1 -W0 -o8 -t4 f")).expect_code(0);
    nothing_runs_in(&dir);
    util::run(&mut dir.diskspd("-b4K -d1 -W0 -o8 -t4 absent")).expect_code(1);
    nothing_runs_in(&dir);
    assert_eq!(dir.names(), ["f"]);
}

/// A second interrupt is an order: out at once, whatever the kernel still holds.
#[test]
fn a_second_interrupt_ends_it() {
    let dir = Dir::new();
    let mut running = under_way(&dir, "-b4K -o1 -r -W600 -d600 f");
    running.signal("INT");
    if running.alive() {
        running.signal("INT");
    }
    let output = running.finish();
    assert!(!output.hung, "{output:#?}");
    nothing_runs_in(&dir);
}

/// `timeout` sends its signal to the process and then to its whole group: that is one wish, and
/// figures and files are looked after all the same.
#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let dir = Dir::new();
    let line = "run . --size 1M --warmup 0s --duration 100s --engine psync";
    let mut command = dir.iogauge(&line.split(' ').collect::<Vec<_>>());
    let mut running = util::start(&mut command);
    assert!(running.until(|_| dir.join("iogauge.dat").exists()));
    running.signal("TERM");
    running.signal("TERM");
    let output = running.finish();
    assert_eq!(output.code, Some(143), "{output:#?}");
    assert_eq!(dir.names(), [""; 0], "{output:#?}");
}
