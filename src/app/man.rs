//! `iogauge man`: the manual page, for `man -l -`.

use super::terminal;
use crate::{exit::ExitCode, personality::native::shells};

/// Carries it out.
pub(super) fn run() -> ExitCode {
    match shells::man() {
        Ok(page) => terminal::show(&page, ExitCode::Ok),
        Err(error) => {
            terminal::complain(&format!("iogauge: man: {error}"));
            ExitCode::Failed
        }
    }
}
