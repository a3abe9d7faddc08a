//! `iogauge profiles`: the workloads, one of them whole, or SQL Server's table with its numbers here.

mod json;
mod list;
mod table;
#[cfg(test)]
mod tests;
mod whole;

use std::path::{Path, PathBuf};

use super::terminal;
use crate::{
    exit::ExitCode,
    host::{self, Machine, Stream, terminal_columns},
    personality::{
        Files, Settings,
        native::{
            commands::profiles::ProfilesArgs,
            config,
            wishes::{MACHINE_VARIABLE, Wishes},
        },
    },
    profiles::{self, FindError, Profile, Rate, Resolved},
    report::text::{Form, Page},
};

/// The word that stands for all of SQL Server's workloads.
const SQL_SERVER: &str = "sqlserver";
/// Where the user's own profiles are, below the folder of settings.
const OWN_FOLDER: &str = "profiles";
/// Transactions a second where a workload needs a rate and none was asked.
const RATE: f64 = 1000.0;

/// A workload as its file has it, and as it is on this machine.
struct Shown {
    profile: Profile,
    resolved: Resolved,
}

/// Carries it out.
pub(super) fn run(args: &ProfilesArgs, settings: &Settings) -> ExitCode {
    match show(args, settings) {
        Ok(Text { text, broken }) => {
            let exit = if broken.is_empty() {
                ExitCode::Ok
            } else {
                ExitCode::Usage
            };
            let code = terminal::show(text.as_bytes(), exit);
            for problem in broken {
                terminal::complain(&format!("iogauge: {problem}"));
            }
            code
        }
        Err(problem) => {
            terminal::complain(&format!("iogauge: {problem}"));
            ExitCode::Usage
        }
    }
}

/// What is printed.
struct Text {
    text: String,
    /// The user's own files that could not be used: the others are shown.
    broken: Vec<FindError>,
}

fn show(args: &ProfilesArgs, settings: &Settings) -> Result<Text, String> {
    let variable = std::env::var_os(MACHINE_VARIABLE);
    let variable = variable.as_ref().map(|facts| facts.to_string_lossy());
    let wishes = Wishes::new(args, variable.as_deref())?;
    let own = own_folder(settings);
    let machine = wishes.machine().cloned().unwrap_or_else(host::machine);
    let config = config::load(settings.config_folder.as_deref(), &Files::SYSTEM)?;
    let mut broken = Vec::new();
    let mut shown = match args.name.as_deref() {
        None => {
            if let Some(option) = args.first_wish().filter(|_| !args.json) {
                return Err(format!(
                    "{option} changes nothing of a list: name a workload, as in: \
                     iogauge profiles {SQL_SERVER} {option} ..."
                ));
            }
            listed(&wishes, &machine, own.as_deref(), &mut broken)?
        }
        Some(SQL_SERVER) => {
            let of_table = profiles::names().filter(|name| name.starts_with("sqlserver/"));
            fitted(of_table, &wishes, &machine)?
        }
        Some(name) => vec![one(name, &wishes, &machine, own.as_deref())?],
    };
    for shown in &mut shown {
        config.judge(&mut shown.resolved.marks);
    }
    if args.json {
        let text = json::text(&shown, &machine)?;
        return Ok(Text { text, broken });
    }
    let columns = terminal_columns(Stream::Output);
    let form = Form::of_environment(columns, &|name| std::env::var_os(name));
    let mut page = Page::new(form);
    match (args.name.as_deref(), shown.first()) {
        (None, _) => list::write(&mut page, &shown, own.as_deref()),
        (Some(SQL_SERVER), _) => table::write(&mut page, &shown),
        (Some(_), Some(shown)) => whole::write(&mut page, shown),
        (Some(_), None) => {}
    }
    let text = page.finish();
    Ok(Text { text, broken })
}

/// `~/.config/iogauge/profiles`.
fn own_folder(settings: &Settings) -> Option<PathBuf> {
    let folder = settings.config_folder.as_ref()?;
    Some(folder.join(OWN_FOLDER))
}

/// Built-in workloads and the user's own.
fn listed(
    wishes: &Wishes,
    machine: &Machine,
    own: Option<&Path>,
    broken: &mut Vec<FindError>,
) -> Result<Vec<Shown>, String> {
    let mut all = fitted(profiles::names(), wishes, machine)?;
    let own = own.map(profiles::own).unwrap_or_default();
    broken.extend(own.broken);
    for profile in own.profiles {
        all.push(fit(profile, wishes, machine)?);
    }
    Ok(all)
}

fn fitted<'a>(
    names: impl Iterator<Item = &'a str>,
    wishes: &Wishes,
    machine: &Machine,
) -> Result<Vec<Shown>, String> {
    names
        .map(|name| {
            let profile = profiles::find(name, None).map_err(|error| error.to_string())?;
            fit(profile, wishes, machine)
        })
        .collect()
}

/// Resolved with what of the wishes changes something in it.
fn fit(profile: Profile, wishes: &Wishes, machine: &Machine) -> Result<Shown, String> {
    let mut wanted = profile.fitting(&wishes.wanted(machine));
    if profile.needs_rate() && wanted.rate.is_none() {
        wanted.rate = Some(Rate {
            per_second: RATE,
            poisson: false,
        });
    }
    let resolved = profile.resolve(&wanted)?;
    Ok(Shown { profile, resolved })
}

fn one(
    name: &str,
    wishes: &Wishes,
    machine: &Machine,
    own: Option<&Path>,
) -> Result<Shown, String> {
    let profile = profiles::find(name, own).map_err(|error| error.to_string())?;
    let wanted = wishes.wanted(machine);
    if profile.needs_rate() && wanted.rate.is_none() {
        // What changes nothing is refused there, too.
        let mut at_rate = wanted;
        at_rate.rate = Some(Rate {
            per_second: RATE,
            poisson: false,
        });
        let resolved = profile.resolve(&at_rate)?;
        return Ok(Shown { profile, resolved });
    }
    let resolved = profile.resolve(&wanted)?;
    Ok(Shown { profile, resolved })
}
