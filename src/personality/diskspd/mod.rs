//! Microsoft's `DiskSpd` 2.2: its command line, its profile, its reports.

pub mod profile;

use std::ffi::OsString;

use super::{Command, Environment, Explained, Personality, UsageError};

/// The personality.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskSpd;

impl Personality for DiskSpd {
    fn name(&self) -> &'static str {
        "diskspd"
    }

    fn parse(&self, _args: &[OsString], _around: &Environment) -> Result<Command, UsageError> {
        Err(UsageError {
            messages: Vec::new(),
            usage: None,
            exit: 3,
        })
    }

    fn explain(&self, _args: &[OsString], _around: &Environment) -> Vec<Explained> {
        Vec::new()
    }
}
