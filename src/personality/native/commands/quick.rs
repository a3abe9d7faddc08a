//! `iogauge quick`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `quick`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct QuickArgs {
    /// The disk to measure
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}
