//! `iogauge doctor`.

use super::terminal;
use crate::{
    exit::ExitCode,
    personality::{Settings, native::commands::doctor::DoctorArgs},
};

/// Carries it out.
pub(super) fn run(args: &DoctorArgs, settings: Settings) -> ExitCode {
    let _ = (args, settings);
    terminal::complain("iogauge: doctor is not in this version");
    ExitCode::Usage
}
