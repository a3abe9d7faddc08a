//! `iogauge clean`.

use super::terminal;
use crate::{
    exit::ExitCode,
    personality::{Settings, native::commands::clean::CleanArgs},
};

/// Carries it out.
pub(super) fn run(args: &CleanArgs, settings: Settings) -> ExitCode {
    let _ = (args, settings);
    terminal::complain("iogauge: clean is not in this version");
    ExitCode::Usage
}
