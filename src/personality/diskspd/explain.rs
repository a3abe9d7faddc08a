//! A line in words.

use std::ffi::OsString;

use crate::personality::{Environment, Explained};

/// One line per argument.
pub(super) fn explain(_args: &[OsString], _around: &Environment) -> Vec<Explained> {
    Vec::new()
}
