//! `iogauge versus`.

use super::terminal;
use crate::{
    exit::ExitCode,
    personality::{Settings, native::commands::versus::VersusArgs},
};

/// Carries it out.
pub(super) fn run(args: &VersusArgs, settings: Settings) -> ExitCode {
    let _ = (args, settings);
    terminal::complain("iogauge: versus is not in this version");
    ExitCode::Usage
}
