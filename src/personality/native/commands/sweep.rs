//! `iogauge sweep`: its options.

use std::path::PathBuf;

use clap::Args;

use super::load::LoadArgs;

/// Options of `sweep`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(
    after_help = "Try:\n  iogauge sweep ./test.dat\n  \
                  iogauge sweep --vary qd=1..64 --slo 'p99<2ms' /mnt/disk\n  \
                  iogauge sweep --vary rate=1000..64000 --slo 'p99<2ms' --qd 64 /mnt/disk\n  \
                  iogauge sweep --vary region=64M..max --qd 8 /mnt/disk",
    mut_arg("duration", |arg| arg.help("Measured time of each point [default: 5s]")),
    mut_arg("warmup", |arg| arg.help("Load before the measured time of each point [default: 1s]")),
    mut_arg("repeat", |arg| arg.help("How often the answer is measured again at the end, 1 to 100 \
                                      [default: 3 with --slo, else 1]")),
)]
pub struct SweepArgs {
    /// A profile (iogauge profiles lists them) may stand first; then what is loaded: a file, a
    /// folder (a test file is made inside) or a block device
    #[arg(value_name = "PROFILE|TARGET", value_hint = clap::ValueHint::AnyPath)]
    pub words: Vec<PathBuf>,
    /// What is varied: qd, threads, bs, region or rate, with values 1,2,4 or a range 1..64 (each
    /// value twice the one before, both ends included); the end of a range of regions may be max.
    /// Twice for a grid [default: qd=1..64]
    #[arg(long, value_name = "WHAT=VALUES", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// A limit of latency, as in p99<2ms, mean<500us or write.p99.9<10ms: the highest load that
    /// keeps it is searched between the values too, and measured again; may repeat
    #[arg(long, value_name = "LATENCY<TIME", allow_hyphen_values = true)]
    pub slo: Vec<String>,
    /// What the load is.
    #[command(flatten)]
    pub load: LoadArgs,
}
