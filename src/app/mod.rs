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

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use crate::{
    exit::ExitCode,
    host,
    personality::{
        self, Environment, Files, Settings,
        native::{self, Invocation, Own, Problem},
    },
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
            Some(face) => match batch::file(&name, &args) {
                Some(file) => batch::run(face.as_ref(), file, &environment(settings)),
                None => face::run(face.as_ref(), &args, &environment(settings)),
            },
            None => unknown(&name),
        },
        Invocation::Own { command, settings } => own(*command, settings),
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

fn own(command: Own, settings: Settings) -> ExitCode {
    match command {
        Own::Bare => bare::run(&settings),
        Own::Versus(args) => versus::run(&args, settings),
        Own::Ping(args) => ping::run(&args, settings),
        Own::Profiles(args) => profiles::run(&args, &settings),
        Own::Doctor(args) => doctor::run(&args, settings),
        Own::Clean(args) => clean::run(&args, settings),
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
        errors_in_output: false,
        pending: BTreeMap::new(),
    }
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
