//! What the tests of this folder share: recorded cases, and short ways to read a line.

use std::{ffi::OsString, fs, path::PathBuf};

use super::line::{Line, Parsed, Refused, parse};
use crate::personality::{Environment, Settings, SysbenchVersion};

/// A file of the recordings.
pub(super) fn recorded(path: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/reference/sysbench", path]
        .iter()
        .collect();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The arguments of a line that begins with the program's name or not.
pub(super) fn args(line: &str) -> Vec<OsString> {
    let line = line.trim();
    let line = line.strip_prefix("sysbench").unwrap_or(line);
    line.split_whitespace().map(OsString::from).collect()
}

/// A machine at a second that tests can tell.
pub(super) fn around(version: Option<SysbenchVersion>) -> Environment {
    Environment {
        settings: Settings {
            sysbench: version,
            ..Settings::default()
        },
        clock_seed: 1_700_000_000,
        ..Environment::default()
    }
}

/// A line that is read.
pub(super) fn line(text: &str) -> Line {
    match parse(&args(text), &around(None)) {
        Ok(Parsed::Line(line)) => *line,
        other => panic!("{text}: {other:?}"),
    }
}

/// A line that is refused.
pub(super) fn refusal(text: &str) -> Refused {
    match parse(&args(text), &around(None)) {
        Err(problem) => problem,
        Ok(parsed) => panic!("{text} is accepted: {parsed:?}"),
    }
}
