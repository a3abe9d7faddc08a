//! `iogauge run`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `run`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct RunArgs {
    /// What is loaded
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
