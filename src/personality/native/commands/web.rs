//! `iogauge web`: its options.

use std::path::PathBuf;

use clap::Args;

/// Options of `web`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(allow_negative_numbers = true)]
pub struct WebArgs {
    /// The folder of the site; all files below it are read, none is written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Visitors at a time, from 1 to 65536 [default: 1, 2, 4, 8 ... until more bring no more
    /// files a second, at most 256]
    #[arg(long, value_name = "N")]
    pub visitors: Option<String>,
    /// Make so many files of this size in the folder and read these, for want of a site; they are
    /// removed after
    #[arg(long, value_name = "COUNTxSIZE")]
    pub make: Option<String>,
    /// Which files are asked for how often: uniform, or zipf:0.99 (a few very often, most hardly
    /// ever) [default: uniform]
    #[arg(long, value_name = "HOW")]
    pub dist: Option<String>,
    /// Drop each file from the page cache before it is opened, so that the disk is asked
    #[arg(long, conflicts_with = "warm")]
    pub cold: bool,
    /// Read each file once before, so that the page cache has what it can hold [default where
    /// all files fit into half the memory; else the page cache is left as it is]
    #[arg(long)]
    pub warm: bool,
    /// Measured time of each number of visitors [default: 10s]
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Visits before each measured time [default: 2s]
    #[arg(long, value_name = "TIME")]
    pub warmup: Option<String>,
    /// Chance begins with this number [default: a fresh one, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<String>,
    /// Stop at the first file that cannot be read, or continue and count [default: stop]
    /// [variable: IOGAUGE_ON_ERROR]
    #[arg(long, value_name = "stop|continue")]
    pub on_error: Option<String>,
    /// Keep the files of --make
    #[arg(long, requires = "make")]
    pub keep: bool,
    /// Consent to destroy a file that stands where --make makes one, by its name; may repeat
    /// [variable: IOGAUGE_DESTROY]
    #[arg(long, value_name = "NAME", requires = "make")]
    pub destroy: Vec<String>,
    /// No progress and no notes on standard error [variable: IOGAUGE_QUIET=1]
    #[arg(long, short)]
    pub quiet: bool,
}
