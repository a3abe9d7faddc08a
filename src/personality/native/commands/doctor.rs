//! `iogauge doctor`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `doctor`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct DoctorArgs {
    /// The disk or folder to look at
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}
