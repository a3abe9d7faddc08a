//! Microsoft's `DiskSpd` 2.2: its command line, its profile, its reports.

mod observer;
pub mod profile;
mod system;
#[cfg(test)]
mod testing;
mod text_cpu;
mod text_distribution;
mod text_latency;
mod text_profile;
pub mod text_report;
mod text_tables;
mod verdict;
mod xml_fields;
mod xml_profile;
mod xml_read;
mod xml_read_target;
pub mod xml_report;
mod xml_system;
mod xml_tree;
mod xml_write;

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
