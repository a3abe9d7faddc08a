//! Our own `run` and `quick`, as somebody at a shell meets them.

mod interrupts;
mod lines;
mod runs;
mod watched;

use std::process::Command;

use crate::util::Dir;

/// `iogauge LINE`, the line split at blanks, to be run in the folder, by somebody without settings of
/// their own and whose terminal can show little.
fn native(dir: &Dir, line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = dir.iogauge(&words);
    command
        .env("XDG_CONFIG_HOME", dir.join("no-config"))
        .env("LC_ALL", "C");
    command
}

/// Lines that are longer than a small terminal is wide, or hold what not every terminal can show.
#[track_caller]
fn fits_a_small_terminal(text: &str) {
    for line in text.lines() {
        assert!(line.len() <= 80, "{} columns: {line}", line.len());
        assert!(line.is_ascii(), "{line}");
    }
}
