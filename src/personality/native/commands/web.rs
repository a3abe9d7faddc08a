//! `iogauge web`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `web`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct WebArgs {
    /// The folder of files
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
}
