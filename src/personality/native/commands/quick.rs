//! `iogauge quick`: its options.

use std::path::PathBuf;

use clap::Args;

use super::load::CommonArgs;

/// Options of `quick`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(allow_negative_numbers = true)]
pub struct QuickArgs {
    /// A folder on the disk to measure, a file, or the block device itself [default: the folder
    /// that you are in]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub path: Option<PathBuf>,
    /// Size of the test file, or the part of a device that is used [default: 1 GiB]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// Measured time of each row [default: 5s]
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Load before the measured time of each row [default: 1s]
    #[arg(long, value_name = "TIME")]
    pub warmup: Option<String>,
    /// What every command that makes a load has.
    #[command(flatten)]
    pub common: CommonArgs,
}
