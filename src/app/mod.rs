//! One file a command; each strings the stages together. Imported by `main` alone.

mod explain;
mod face;
mod signals;
mod terminal;

use std::{ffi::OsString, path::Path};

use crate::{
    exit::ExitCode,
    host,
    personality::{
        self, Environment, Files, Settings,
        native::{self, Invocation},
    },
};

/// The whole program: `args` with the program's own name first.
pub fn main(args: &[OsString]) -> ExitCode {
    match invocation(args) {
        Ok(invocation) => dispatch(invocation),
        Err(message) => {
            terminal::complain(&format!("iogauge: {message}"));
            ExitCode::Usage
        }
    }
}

/// A face by the program's own name (a link named `diskspd` is enough), else our own grammar.
fn invocation(args: &[OsString]) -> Result<Invocation, String> {
    let stem = args
        .first()
        .and_then(|program| Path::new(program).file_stem());
    let name = stem
        .map(|stem| stem.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    if personality::find(&name).is_some() {
        let settings = Settings::from_variables(&|name| std::env::var_os(name))?;
        let args = args.get(1..).unwrap_or_default().to_vec();
        return Ok(Invocation::Face {
            name,
            args,
            settings,
        });
    }
    native::parse(args, &|name| std::env::var_os(name))
}

fn dispatch(invocation: Invocation) -> ExitCode {
    match invocation {
        Invocation::Print {
            text, error: false, ..
        } => terminal::show(text.as_bytes(), ExitCode::Ok),
        Invocation::Print { text, error: true } => {
            terminal::complain(text.trim_end());
            ExitCode::Usage
        }
        Invocation::Face {
            name,
            args,
            settings,
        } => match personality::find(&name) {
            Some(face) => face::run(face.as_ref(), &args, &environment(settings)),
            None => unknown(&name),
        },
        Invocation::Explain {
            offsets,
            name,
            args,
            settings,
        } => match personality::find(&name) {
            Some(face) => explain::run(face.as_ref(), &args, &environment(settings), offsets),
            None => unknown(&name),
        },
    }
}

fn unknown(name: &str) -> ExitCode {
    let faces: Vec<&str> = personality::NAMES.to_vec();
    terminal::complain(&format!(
        "iogauge: '{name}' is no command and no face: try {} or --help",
        faces.join(", ")
    ));
    ExitCode::Usage
}

fn environment(settings: Settings) -> Environment {
    Environment {
        settings,
        machine: host::machine(),
        uptime_ms: host::uptime_ms(),
        disks: host::whole_disks(),
        files: Files::SYSTEM,
        explaining: false,
    }
}
