//! `iogauge versus`: its options.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Command};

use super::load::LoadArgs;

/// Options of `versus`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(after_help = "Try:\n  iogauge versus quick /mnt/old /mnt/new\n  \
                  iogauge versus --rw randread --bs 8k --qd 32 /mnt/old /mnt/new\n  \
                  iogauge versus /mnt/old /mnt/new -- diskspd -b8K -d10 -o32 -r -c1G test.dat")]
pub struct VersusArgs {
    /// The two to compare: files, folders or block devices; with a LINE, folders. Before them
    /// 'quick' or a profile; else the load is what the options say, 5s after a warm-up of 1s in
    /// each round unless they say otherwise (quick: 2s after 500ms)
    #[arg(value_name = "[quick|PROFILE] A B", num_args = 0.., value_hint = clap::ValueHint::AnyPath)]
    pub words: Vec<PathBuf>,
    /// How often A B B A is gone through, for each row, 2 to 100 [default: 3]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rounds: Option<String>,
    /// Differences below this do not matter, 0.1% to 1000% [default: 5%]
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub threshold: Option<String>,
    /// What the load is.
    #[command(flatten)]
    pub load: LoadArgs,
    /// A command line of a face, run in each folder instead: -- sysbench fileio ... run
    #[arg(last = true, value_name = "LINE")]
    pub line: Vec<OsString>,
}

/// The options of a load as `versus` has them: its own defaults, and none that it refuses.
pub fn own_defaults(command: Command) -> Command {
    command
        .mut_arg("duration", |arg| {
            arg.help(
                "Measured time of each round [default: 5s, with quick 2s; a profile's own is 30s; \
                 none with --bytes, --ops or --passes]",
            )
        })
        .mut_arg("warmup", |arg| {
            arg.help(
                "Load before the measured time of each round [default: 1s, with quick 500ms; a \
                 profile's own is 5s; none with --bytes, --ops or --passes]",
            )
        })
        .mut_arg("size", |arg| {
            arg.help(
                "Size of each test file, or the part of an existing one or of a device that is \
                 used [default: an existing target's own size, else 4 GiB, with quick 1 GiB; \
                 buffered: 2 x memory]",
            )
        })
        .mut_arg("repeat", |arg| arg.hide(true))
}
