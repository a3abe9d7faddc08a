//! `iogauge ping`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `ping`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(allow_negative_numbers = true)]
pub struct PingArgs {
    /// A file or device, which is read only, or a folder: a file of 1 MiB without a name is made in
    /// it for the time of the command
    #[arg(value_name = "TARGET")]
    pub path: PathBuf,
    /// End after so many reads [default: on Ctrl-C]
    #[arg(long, short, value_name = "N")]
    pub count: Option<String>,
    /// From one read to the next, at least 1ms [default: 1s]
    #[arg(long, short, value_name = "TIME")]
    pub interval: Option<String>,
    /// Bytes of a read, from 512 to 16M [default: 4k]
    #[arg(long, short, value_name = "SIZE")]
    pub size: Option<String>,
    /// Through the page cache, as programs read; past it otherwise
    #[arg(long)]
    pub buffered: bool,
    /// Only the summary
    #[arg(long, short)]
    pub quiet: bool,
}
