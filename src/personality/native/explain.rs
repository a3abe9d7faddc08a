//! `iogauge explain -- run ...`: one line for each option as typed.

use std::ffi::OsString;

use crate::personality::{Environment, Explained};

/// The lines.
pub(super) fn explain(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let _ = (args, around);
    Vec::new()
}
