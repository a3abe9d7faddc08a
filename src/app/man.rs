//! `iogauge man`: the manual page.

use super::terminal;
use crate::exit::ExitCode;

/// Carries it out.
pub(super) fn run() -> ExitCode {
    terminal::complain("iogauge: man is not in this version");
    ExitCode::Usage
}
