//! One file a command; each strings the stages together. Imported by `main` alone.

mod bare;
mod batch;
mod clean;
mod completions;
mod doctor;
mod explain;
mod face;
mod man;
mod outputs;
mod ping;
mod profiles;
mod signals;
mod terminal;
mod versus;
mod words;

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use crate::{
    exit::ExitCode,
    host::{self, Stream},
    personality::{
        self, Environment, Files, Settings,
        native::{self, Invocation, Own, Problem},
    },
    report::text::Form,
    results::wall_clock,
};

/// The whole program: `args` with the program's own name first.
pub fn main(args: &[OsString]) -> ExitCode {
    match invocation(args) {
        Ok(invocation) => dispatch(invocation),
        Err(problem) => {
            terminal::complain(&format!("iogauge: {}", problem.message));
            refused(problem.face.as_deref())
        }
    }
}

/// A face by the program's own name (a link named `diskspd` is enough), else our own grammar.
fn invocation(args: &[OsString]) -> Result<Invocation, Problem> {
    let stem = args
        .first()
        .and_then(|program| Path::new(program).file_stem());
    let name = stem
        .map(|stem| stem.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    if personality::NAMES.contains(&name.as_str()) {
        let settings =
            Settings::from_variables(&|name| std::env::var_os(name)).map_err(|message| {
                Problem {
                    message,
                    face: Some(name.clone()),
                }
            })?;
        let args = args.get(1..).unwrap_or_default().to_vec();
        return Ok(Invocation::Face {
            name,
            args,
            settings,
        });
    }
    native::parse(args, &|name| std::env::var_os(name))
}

/// A face's own code where one was to run: scripts that call it know no other.
fn refused(face: Option<&str>) -> ExitCode {
    match face.and_then(personality::find) {
        Some(face) => ExitCode::Face(face.refused()),
        None => ExitCode::Usage,
    }
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
            Some(face) => {
                let around = environment(configured(&name, settings));
                match batch::file(&name, &args) {
                    Some(file) => batch::run(face.as_ref(), file, &around),
                    None => face::run(face.as_ref(), &args, &around),
                }
            }
            None => unknown(&name),
        },
        Invocation::Own { command, settings } => own(*command, settings),
        Invocation::Unexplained { message } => explain::refuse(native::NATIVE, message),
        Invocation::Explain {
            telling,
            name,
            args,
            settings,
        } => match personality::find(&name) {
            Some(face) => {
                let around = environment(configured(&name, settings));
                explain::run(face.as_ref(), &args, &around, telling)
            }
            None => unknown(&name),
        },
    }
}

fn own(command: Own, settings: Settings) -> ExitCode {
    match command {
        Own::Bare => bare::run(),
        Own::Versus(args) => versus::run(&args, settings),
        Own::Ping(args) => ping::run(&args, &settings),
        Own::Profiles(args) => profiles::run(&args, &settings),
        Own::Doctor(args) => doctor::run(&args),
        Own::Clean(args) => clean::run(&args),
        Own::Completions(shell) => completions::run(&shell),
        Own::Man => man::run(),
    }
}

/// Another one in each run, also where two begin in the same second.
fn clock_seed() -> u32 {
    let mixed = wall_clock().as_nanos() as u64 ^ u64::from(std::process::id()) << 32;
    // Multiplied by an odd number (2^64 over the golden ratio) the high bits depend on all.
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

fn unknown(name: &str) -> ExitCode {
    let faces: Vec<&str> = personality::NAMES.to_vec();
    terminal::complain(&format!(
        "iogauge: '{name}' is no command and no face: try {} or --help",
        faces.join(", ")
    ));
    ExitCode::Usage
}

/// The settings with the drives of the configuration file. Our own commands say themselves what is
/// wrong with that file; a face goes on without it.
fn configured(name: &str, mut settings: Settings) -> Settings {
    match native::config::load(settings.config_folder.as_deref(), &Files::SYSTEM) {
        Ok(config) => {
            for (drive, path) in config.drives {
                settings.drives.entry(drive).or_insert(path);
            }
        }
        Err(problem) if name != native::NATIVE && !settings.quiet => {
            terminal::complain(&format!("WARNING: {problem}"));
        }
        Err(_) => {}
    }
    settings
}

fn environment(settings: Settings) -> Environment {
    if !settings.quiet {
        settings
            .warnings()
            .iter()
            .for_each(|line| terminal::complain(line));
    }
    Environment {
        settings,
        machine: host::machine(),
        uptime_ms: host::uptime_ms(),
        // Later than 2106 it begins anew.
        clock_seed: clock_seed(),
        disks: host::whole_disks(),
        files: Files::SYSTEM,
        output: None,
        explaining: false,
        form: form(Stream::Output),
        live: form(Stream::Error),
        errors_in_output: false,
        pending: BTreeMap::new(),
    }
}

/// What a stream's reader can be shown.
fn form(stream: Stream) -> Form {
    Form::of_environment(host::terminal_columns(stream), &|name| {
        std::env::var_os(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_of_one_second_have_other_seeds() {
        let seeds: std::collections::BTreeSet<u32> = (0..100).map(|_| clock_seed()).collect();
        assert!(seeds.len() > 90, "{}", seeds.len());
    }

    #[test]
    fn where_a_face_was_to_run_its_own_code_is_given() {
        assert_eq!(refused(Some("diskspd")), ExitCode::Face(3));
        assert_eq!(refused(None), ExitCode::Usage);
        let args = ["iogauge", "--engine=foo", "diskspd", "x"].map(OsString::from);
        assert_eq!(main(&args), ExitCode::Face(3));
        let args = ["iogauge", "--engine=foo", "explain", "diskspd"].map(OsString::from);
        assert_eq!(main(&args), ExitCode::Usage);
    }
}
