//! `iogauge clean`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `clean`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct CleanArgs {
    /// The folder to clean
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}
