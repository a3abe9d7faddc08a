//! `iogauge` alone: this machine's disks, and lines to paste.

use super::terminal;
use crate::{exit::ExitCode, personality::Settings};

/// Carries it out.
pub(super) fn run(settings: &Settings) -> ExitCode {
    let _ = settings;
    terminal::complain("iogauge: bare is not in this version");
    ExitCode::Usage
}
