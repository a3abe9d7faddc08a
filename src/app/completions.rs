//! `iogauge completions SHELL`: a script for the shell.

use super::terminal;
use crate::{exit::ExitCode, personality::native::shells};

/// Carries it out.
pub(super) fn run(shell: &str) -> ExitCode {
    match shells::completions(shell) {
        Ok(script) => terminal::show(script.as_bytes(), ExitCode::Ok),
        Err(message) => {
            terminal::complain(&format!("iogauge: {message}"));
            ExitCode::Usage
        }
    }
}
