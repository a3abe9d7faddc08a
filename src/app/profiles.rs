//! `iogauge profiles`.

use super::terminal;
use crate::{
    exit::ExitCode,
    personality::{Settings, native::commands::profiles::ProfilesArgs},
};

/// Carries it out.
pub(super) fn run(args: &ProfilesArgs, settings: Settings) -> ExitCode {
    let _ = (args, settings);
    terminal::complain("iogauge: profiles is not in this version");
    ExitCode::Usage
}
