//! The thin end of iogauge: everything is in the library.

#![forbid(unsafe_code)]

use std::{ffi::OsString, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    iogauge::app::main(&args).into()
}
