//! `iogauge clean`: its options.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Options of `clean`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct CleanArgs {
    /// The folder to clean
    #[arg(value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// Look in the folders below it too, on the same filesystem; links are not followed
    #[arg(long, short)]
    pub recursive: bool,
    /// Remove without a question, for scripts
    #[arg(long, short)]
    pub yes: bool,
    /// List what would be removed, and remove nothing
    #[arg(long, short = 'n', conflicts_with = "yes")]
    pub dry_run: bool,
}
