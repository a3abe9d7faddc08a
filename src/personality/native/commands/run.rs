//! `iogauge run`: a profile, a plan or options, and what they load.

use std::path::PathBuf;

use clap::Args;

use super::load::LoadArgs;

/// Options of `run`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
pub struct RunArgs {
    /// A profile (iogauge profiles lists them) or a plan (ending in .toml) may stand first; then
    /// what is loaded: a file, a folder (a test file is made inside) or a block device. What does
    /// not exist yet must contain a '/'. Files of a profile may go elsewhere: log=PATH,
    /// data=PATH, backup=PATH
    #[arg(value_name = "PROFILE|PLAN.toml|TARGET", value_hint = clap::ValueHint::AnyPath)]
    pub words: Vec<PathBuf>,
    /// What the load is.
    #[command(flatten)]
    pub load: LoadArgs,
}
