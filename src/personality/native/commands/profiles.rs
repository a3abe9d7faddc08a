//! `iogauge profiles`: its options.

use clap::Args;

/// Options of `profiles`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ProfilesArgs {
    /// A workload, to see it whole
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}
