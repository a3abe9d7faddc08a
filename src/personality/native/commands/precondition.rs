//! `iogauge precondition`: its options.

use std::path::PathBuf;

use clap::Args;

use super::load::CommonArgs;

/// Options of `precondition`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Try:\n  iogauge precondition ./test.dat\n  \
                  iogauge precondition --rw randwrite --bs 4k --destroy /dev/sdX /dev/sdX\n  \
                  then: iogauge run --rw randwrite --until-steady ./test.dat"
)]
pub struct PreconditionArgs {
    /// What is filled: a file, a folder (a test file is made inside, and stays) or a block device.
    /// A file that does not exist yet must contain a '/'
    #[arg(value_name = "TARGET", value_hint = clap::ValueHint::AnyPath)]
    pub target: Option<PathBuf>,
    /// Ends after this many bytes, over the whole target again and again
    #[arg(long, value_name = "SIZE")]
    pub bytes: Option<String>,
    /// Ends after so many times the size of the target, 1 to 100 [default: 2]
    #[arg(long, value_name = "N")]
    pub passes: Option<String>,
    /// write (from start to end) or randwrite [default: write]
    #[arg(long, value_name = "PATTERN")]
    pub rw: Option<String>,
    /// Size of a write [default: 1M]
    #[arg(long, value_name = "SIZE")]
    pub bs: Option<String>,
    /// Outstanding writes [default: 8]
    #[arg(long, value_name = "N")]
    pub qd: Option<String>,
    /// Size of a new test file, or the part of an existing one or of a device that is filled
    /// [default: an existing target's own size, else 4 GiB]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// What every command that makes a load has.
    #[command(flatten)]
    pub common: CommonArgs,
}
