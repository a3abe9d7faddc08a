//! `iogauge ping`.

use super::terminal;
use crate::{
    exit::ExitCode,
    personality::{Settings, native::commands::ping::PingArgs},
};

/// Carries it out.
pub(super) fn run(args: &PingArgs, settings: Settings) -> ExitCode {
    let _ = (args, settings);
    terminal::complain("iogauge: ping is not in this version");
    ExitCode::Usage
}
