//! `run`, `quick` and `web` as a language of command lines like the faces: a line becomes a job.

use std::ffi::OsString;

use super::NATIVE;
use crate::personality::{Command, Environment, Explained, Personality, UsageError};

/// Our own lines that are a load: `run sqlserver/oltp ./dir`, with our own options before or
/// behind the command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

/// Exit code of a line that is refused.
const USAGE: u8 = 2;

impl Personality for Native {
    fn name(&self) -> &'static str {
        NATIVE
    }

    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError> {
        let _ = (args, around);
        Err(UsageError {
            messages: vec!["iogauge: this command is not in this version".to_owned()],
            usage: None,
            exit: USAGE,
        })
    }

    fn refused(&self) -> u8 {
        USAGE
    }

    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained> {
        let _ = (args, around);
        Vec::new()
    }
}
