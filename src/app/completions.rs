//! `iogauge completions SHELL`: a script for the shell.

use super::terminal;
use crate::exit::ExitCode;

/// Carries it out.
pub(super) fn run(shell: &str) -> ExitCode {
    let _ = shell;
    terminal::complain("iogauge: completions is not in this version");
    ExitCode::Usage
}
