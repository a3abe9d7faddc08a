//! `iogauge doctor`: its options.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Options of `doctor`. Its exit code is 0 whenever it could look, whatever it saw: scripts read
/// `needs_action` of `--json`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(
    after_help = "Nothing is changed and no rights are needed. It takes a second, in which disk \
                        and CPUs are watched.\n\
                        The exit code is 0 whenever it could look, whatever it saw; with --json, \
                        needs_action is the number\nof checks in the state \"action\"."
)]
pub struct DoctorArgs {
    /// The folder, file or disk that is to be measured
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub path: PathBuf,
    /// List what is fine, too
    #[arg(long)]
    pub all: bool,
    /// All checks as JSON
    #[arg(long)]
    pub json: bool,
}
