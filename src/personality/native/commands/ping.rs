//! `iogauge ping`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `ping`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct PingArgs {
    /// What is read
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
}
