//! `iogauge versus`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `versus`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct VersusArgs {
    /// The two to compare
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
