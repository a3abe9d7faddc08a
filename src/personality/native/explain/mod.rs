//! `iogauge explain -- run ...`: one line for each option as typed, then what nobody typed and where
//! it came from.

mod phrases;

use std::{ffi::OsString, path::Path};

use clap::{ArgAction, Command};

use super::{
    config::{self, Config},
    sweep, syntax,
};
use crate::{
    personality::{DataChoice, Environment, Explained, Settings},
    profiles,
    units::{ByteSize, names::shown},
};

/// The lines.
pub(super) fn explain(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let mut lines = typed(args);
    let named = lines.iter().any(|line| WORKED_ON.contains(&&*line.meaning));
    lines.extend(growing(args));
    lines.extend(untyped(args, named, around));
    lines
}

/// A line of `web` without a number of visitors, and one of `sweep`: what follows the time spans that
/// are known depends on what they measure, so that no plan can say it.
fn growing(args: &[OsString]) -> Option<Explained> {
    let is = |command: &str| args.iter().any(|arg| arg == command);
    let given = |option: &str| {
        let typed = |arg: &OsString| arg.to_string_lossy().starts_with(option);
        args.iter().any(typed)
    };
    if is("sweep") {
        let axes = args
            .iter()
            .filter(|arg| arg.to_string_lossy().starts_with("--vary"));
        // Nothing follows a grid.
        if axes.count() > 1 {
            return None;
        }
        let name = if given("--vary") { "then" } else { "--vary" };
        return Some(line(name, sweep::follows(given("--vary"), given("--slo"))));
    }
    let web = is("web");
    let typed = |arg: &OsString| arg.to_string_lossy().starts_with("--visitors");
    let steps = "1, then 2, 4, 8 ... as long as twice as many get more files a second; at most 256";
    (web && !args.iter().any(typed)).then(|| line("--visitors", steps.to_owned()))
}

/// One line an argument.
fn typed(args: &[OsString]) -> Vec<Explained> {
    let root = syntax();
    let mut command = &root;
    let mut lines = Vec::new();
    let mut words = args.iter();
    let mut only_words = false;
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if text == "--" && !only_words {
            only_words = true;
            continue;
        }
        if only_words || !text.starts_with('-') || text == "-" {
            lines.push(plain(&text, &mut command));
            continue;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        let known = option(command, &name);
        let behind = known.as_ref().is_some_and(|known| known.takes_value) && value.is_none();
        let value = if behind {
            words.next().map(|word| word.to_string_lossy().into_owned())
        } else {
            value
        };
        let argument = match &value {
            Some(value) if behind => format!("{text} {value}"),
            _ => text,
        };
        let meaning = known.map_or_else(
            || "refused: there is no such option".to_owned(),
            |known| {
                let value = value.as_deref().unwrap_or(known.bare);
                let within = command.get_name();
                phrases::phrase(within, &known.name, value).unwrap_or(known.help)
            },
        );
        lines.push(line(&argument, meaning));
    }
    lines
}

const LOADED: &str = "what is loaded";
const PLAN: &str = "the plan that is carried out";
const ROLE_PLACE: &str = "where this file of the profile is";
/// A line with one of these names what it works on.
const WORKED_ON: &[&str] = &[LOADED, PLAN, ROLE_PLACE];

/// A word that is no option: the command, or what it works on.
fn plain(text: &str, command: &mut &Command) -> Explained {
    if let Some(found) = command.find_subcommand(text) {
        *command = found;
        let about = found.get_about().map(ToString::to_string);
        return line(text, about.unwrap_or_default());
    }
    let plan = Path::new(text).extension().is_some_and(|end| end == "toml");
    let meaning = match text.split_once('=') {
        Some(("data" | "log" | "backup", _)) => ROLE_PLACE,
        _ if profiles::names().any(|name| name == text) => "the profile that says what the load is",
        _ if command.get_name() == "precondition" => "what is filled",
        _ if command.get_name() == "web" => "the site that is read",
        _ if plan => PLAN,
        _ => LOADED,
    };
    line(text, meaning.to_owned())
}

/// An option as clap knows it.
struct Known {
    /// Its long name.
    name: String,
    takes_value: bool,
    /// What it means without a value.
    bare: &'static str,
    help: String,
}

fn option(command: &Command, typed: &str) -> Option<Known> {
    let arg = command.get_arguments().find(|arg| {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        long.as_deref() == Some(typed) || short.as_deref() == Some(typed)
    })?;
    let valued = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let optional = arg.is_require_equals_set();
    let name = format!("--{}", arg.get_long().unwrap_or_default());
    Some(Known {
        takes_value: valued && !optional,
        bare: match name.as_str() {
            "--keep" => "yes",
            "--until-steady" => "10s",
            _ => "1",
        },
        name,
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
    })
}

fn line(argument: &str, meaning: String) -> Explained {
    Explained {
        argument: shown(argument.as_ref()),
        meaning,
    }
}

/// What variables and the configuration file say beside the line.
fn untyped(args: &[OsString], named: bool, around: &Environment) -> Vec<Explained> {
    let settings = &around.settings;
    let mut lines: Vec<Explained> = settings
        .given_as
        .iter()
        .filter(|(variable, given)| **variable == given.as_str())
        .filter_map(|(variable, _)| {
            let (_, meaning) = MATTER.iter().find(|(known, _)| known == variable)?;
            let value = settings.values.get(variable)?;
            Some(line(&format!("{variable}={value}"), (*meaning).to_owned()))
        })
        .collect();
    let Ok(config) = config::load(settings.config_folder.as_deref(), &around.files) else {
        return lines;
    };
    let absent = |option: &str| {
        !args.iter().any(|arg| {
            let text = arg.to_string_lossy();
            text.split('=').next() == Some(option)
        })
    };
    let file = config.file.display();
    let mut from_file = |option: &str, value: String| {
        lines.push(line(option, format!("{value}, from {file}")));
    };
    let loads = |name: &str| args.iter().any(|arg| arg == name);
    let own_target = config
        .target
        .as_ref()
        .filter(|_| !named && absent("--filename") && (loads("run") || loads("quick")));
    if let Some(target) = own_target {
        from_file("target", shown(target.as_os_str()));
    }
    if let Some(size) = config.size.filter(|_| absent("--size")) {
        from_file("--size", ByteSize(size).words());
    }
    if let Some(keep) = config.keep.filter(|_| absent("--keep")) {
        from_file("--keep", if keep { "yes" } else { "no" }.to_owned());
    }
    // The variable wins over the file.
    let heard = settings.data != DataChoice::Default;
    if let Some(data) = config.data.as_ref().filter(|_| absent("--data") && !heard) {
        from_file("--data", data.to_string());
    }
    for (group, [good, acceptable, slow]) in marks_heard(args, &config, settings) {
        from_file(
            &format!("marks.{group}"),
            format!("good to {good} ms, acceptable to {acceptable}, slow to {slow}"),
        );
    }
    lines
}

/// Marks of the file that judge the profile of the line.
fn marks_heard(args: &[OsString], config: &Config, settings: &Settings) -> Vec<(String, [f64; 3])> {
    if config.marks.is_empty() {
        return Vec::new();
    }
    let own = settings.config_folder.as_ref();
    let own = own.map(|folder| folder.join("profiles"));
    let profile = args
        .iter()
        .find_map(|arg| profiles::find(arg.to_str()?, own.as_deref()).ok());
    let judged = profile.map(|profile| profile.marks).unwrap_or_default();
    let own = config.marks.iter();
    own.filter(|(group, _)| judged.iter().any(|mark| mark.group == **group))
        .map(|(group, limits)| (group.clone(), *limits))
        .collect()
}

/// Variables that change a load, and what each says.
const MATTER: &[(&str, &str)] = &[
    ("IOGAUGE_ENGINE", "the engine, as of --engine"),
    (
        "IOGAUGE_ON_ERROR",
        "what a failed I/O ends, as of --on-error",
    ),
    ("IOGAUGE_DESTROY", "what may be destroyed, as of --destroy"),
    ("IOGAUGE_DATA", "what is written, unless --data is typed"),
    ("IOGAUGE_MACHINE", "the machine that profiles are fitted to"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(String, String)> {
        let args: Vec<OsString> = text.split(' ').map(OsString::from).collect();
        typed(&args)
            .into_iter()
            .map(|line| (line.argument, line.meaning))
            .collect()
    }

    #[test]
    fn every_option_of_a_load_has_words_of_its_own() {
        let root = syntax();
        for name in ["run", "quick", "precondition", "sweep", "web"] {
            let command = root.find_subcommand(name).unwrap();
            for arg in command.get_arguments() {
                let Some(long) = arg.get_long() else { continue };
                let known = phrases::phrase(name, &format!("--{long}"), "1");
                assert!(known.is_some() || long == "help", "{name} --{long}");
            }
        }
    }

    #[test]
    fn each_argument_has_one_line() {
        let lines = said("--engine psync run -q --rw=randread --bs 4k --runtime=60 --keep ./x");
        let arguments: Vec<&str> = lines
            .iter()
            .map(|(argument, _)| argument.as_str())
            .collect();
        assert_eq!(
            arguments,
            [
                "--engine psync",
                "run",
                "-q",
                "--rw=randread",
                "--bs 4k",
                "--runtime=60",
                "--keep",
                "./x"
            ]
        );
        assert_eq!(lines[3].1, "reads at random");
        assert_eq!(lines[4].1, "each I/O is 4k");
        assert_eq!(lines[5].1, "1m measured");
        assert_eq!(lines[6].1, "test files stay for the next run: yes");
        assert_eq!(lines[7].1, "what is loaded");
    }

    #[test]
    fn options_of_web_say_what_they_mean_there() {
        let lines = said("web ./site --cold --dist zipf:0.99 --duration 90s --visitors=3 --keep");
        let meanings: Vec<&str> = lines[1..].iter().map(|(_, said)| said.as_str()).collect();
        assert_eq!(
            meanings,
            [
                "the site that is read",
                "each file is dropped from the page cache before it is opened",
                "files are asked for by zipf:0.99",
                "1m30s measured of each number of visitors",
                "visitors at a time: 3",
                "test files stay for the next run: yes",
            ]
        );
    }

    #[test]
    fn visitors_that_nobody_counted_are_told() {
        let told = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            growing(&args).map(|line| line.meaning)
        };
        assert!(told("web ./site --cold").is_some_and(|text| text.starts_with("1, then 2, 4")));
        assert_eq!(told("web ./site --visitors=3"), None);
        assert_eq!(told("run ./site"), None);
        assert!(told("sweep ./x").is_some_and(|text| text.starts_with("qd=1..64; behind")));
        assert!(told("sweep --vary qd=1,2 --slo=p99<2ms x").is_some_and(|t| t.contains("3 %")));
    }

    #[test]
    fn what_is_wrong_is_said_in_its_line() {
        let lines = said("run --zipf=1 --rate 10m ./x");
        assert_eq!(lines[1].1, "refused: there is no such option");
        assert!(lines[2].1.contains("10 MiB a second of each thread"));
    }
}
