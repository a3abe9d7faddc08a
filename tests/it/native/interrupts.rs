//! Ctrl-C and its like: what was measured so far is shown, and the files are gone.

use std::fs;

use super::native;
use crate::{
    signals::nothing_runs_in,
    util::{self, Dir},
};

/// Read calls that a process has made, all threads together.
fn reads(id: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
    line.and_then(|count| count.parse().ok()).unwrap_or(0)
}

#[test]
fn the_exit_code_says_which_signal_it_was() {
    let _busy = util::busy();
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let dir = Dir::new();
        let line = "run . --size 4M --duration 10m --warmup 0s --engine psync";
        let mut running = util::start(&mut native(&dir, line));
        assert!(running.until(|id| reads(id) > 5000), "no I/O was seen");
        running.signal(signal);
        let output = running.finish();
        output.expect_code(code);
        assert!(
            output.stdout.contains("random reads of 4 KiB"),
            "{output:#?}"
        );
        let first = output.stdout.lines().next().unwrap_or_default();
        assert!(first.to_lowercase().contains("interrupted"), "{output:#?}");
        assert!(output.stdout.contains("read "), "{output:#?}");
        assert!(dir.names().is_empty(), "{:?}", dir.names());
        nothing_runs_in(&dir);
    }
}

#[test]
fn an_interrupt_while_files_are_made_leaves_none() {
    let _busy = util::busy();
    let dir = Dir::new();
    let mut running = util::start(&mut native(&dir, "run . --size 2G --duration 1s"));
    let begun = dir.join("iogauge.dat");
    assert!(
        running.until(|_| fs::metadata(&begun).is_ok_and(|data| data.len() > 0)),
        "the file was not begun"
    );
    running.signal("INT");
    running.finish().expect_code(130);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}
