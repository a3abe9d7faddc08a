//! Words that are no command and options that are none: those of later versions, misspelt ones, and
//! what means nothing.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{NAMES, syntax};
use crate::{profiles::distance, units::names::shown};

/// Commands that are planned, and what does something like it now.
const COMMANDS: [(&str, &str); 4] = [
    (
        "history",
        "runs are not kept yet: keep what standard output says",
    ),
    (
        "compare",
        "it compares kept runs; iogauge versus compares two targets now",
    ),
    ("report", "pages of kept runs come with the history"),
    ("read", "results of other tools are not read yet"),
];

/// Options that are planned, by each name that they have.
const OPTIONS: [&str; 13] = [
    "-o",
    "--output",
    "--live",
    "--tag",
    "--note",
    "--no-history",
    "--again",
    "--fail-if",
    "--strict",
    "--numa",
    "--ioprio",
    "--hugepages",
    "--yes-busy",
];

/// What is said of a word in the place of a command.
pub(super) fn command(name: &str) -> String {
    let typed = shown(name.as_ref());
    if let Some((_, instead)) = COMMANDS.iter().find(|(known, _)| *known == name) {
        return format!("iogauge: '{typed}' is not there yet in this version: {instead}");
    }
    let meant = nearest(name).map_or_else(String::new, |near| {
        format!(": did you mean iogauge {near}?")
    });
    format!(
        "iogauge: '{typed}' is no command and no face{meant} (faces: {}; iogauge --help lists the \
         commands)",
        NAMES.join(", ")
    )
}

/// What is said of a plan file in the place of a line that is explained.
pub(super) fn plan_file(name: &str) -> Option<String> {
    let typed = shown(name.as_ref());
    let plan = std::path::Path::new(name).extension();
    plan.is_some_and(|extension| extension == "toml").then(|| {
        format!(
            "iogauge: '{typed}' is no command line: a plan file is explained by\n  \
             iogauge explain -- run {typed}"
        )
    })
}

/// The command or face that differs in the fewest letters, if these are few.
fn nearest(typed: &str) -> Option<String> {
    let syntax = syntax();
    let commands = syntax.get_subcommands().map(clap::Command::get_name);
    nearest_of(&typed.to_lowercase(), commands.chain(NAMES.iter().copied()))
}

/// The name that differs in the fewest letters, if these are few.
fn nearest_of<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let far = (typed.chars().count() / 3).clamp(1, 4);
    let near = names.map(|name| (distance(typed, name), name));
    let (letters, name) = near.min_by_key(|(letters, _)| *letters)?;
    (letters <= far).then(|| name.to_owned())
}

/// What is said of an option of a later version, or of one that is nearly one of the command's;
/// `None` for all other errors.
pub(super) fn option(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = typed.split('=').next().unwrap_or_default();
    if OPTIONS.contains(&name) {
        return Some(format!(
            "iogauge: {name} is not there yet in this version: leave it out (--help lists what is)"
        ));
    }
    let command = command_of(error)?;
    let options = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .filter_map(clap::Arg::get_long);
    let meant = nearest_of(name.strip_prefix("--")?, options)?;
    let (name, command) = (shown(name.as_ref()), command.get_name());
    Some(format!(
        "iogauge: {name} is no option of {command}: did you mean --{meant}? (iogauge {command} \
         --help lists them)"
    ))
}

/// The command whose usage an error would show.
fn command_of(error: &clap::Error) -> Option<clap::Command> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return None;
    };
    let usage = usage.to_string();
    let mut words = usage.split_whitespace();
    words.find_map(|word| syntax().find_subcommand(word).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::native::{Invocation, parse};

    fn complaint(line: &str) -> String {
        let args: Vec<_> = line.split(' ').map(std::ffi::OsString::from).collect();
        match parse(&args, &|_| None).unwrap() {
            Invocation::Print { text, error: true } => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn misspelt_commands_are_guessed_and_others_are_not() {
        for (typed, meant) in [
            ("qiuck", "iogauge quick?"),
            ("vesrus", "iogauge versus?"),
            ("Doctor", "iogauge doctor?"),
            ("diskpsd", "iogauge diskspd?"),
        ] {
            let told = complaint(&format!("iogauge {typed} ."));
            assert!(told.contains(&format!("'{typed}'")), "{told}");
            assert!(told.contains(meant), "{told}");
        }
        assert!(!complaint("iogauge frobnicate").contains("did you mean"));
    }

    #[test]
    fn what_comes_later_is_told_as_that() {
        for (name, _) in COMMANDS {
            let told = complaint(&format!("iogauge {name} x"));
            assert!(
                told.contains(&format!("'{name}' is not there yet")),
                "{told}"
            );
        }
        for name in OPTIONS {
            for behind in [" ./x", "=1 ./x"] {
                let told = complaint(&format!("iogauge run {name}{behind}"));
                assert!(told.contains(&format!("{name} is not there yet")), "{told}");
            }
        }
        for (typed, meant) in [
            (
                "run --bz 4k ./x",
                "--bz is no option of run: did you mean --bs?",
            ),
            ("run --therads=4 ./x", "did you mean --threads?"),
            ("quick --durration 1s", "did you mean --duration?"),
            ("sweep --vari qd=1..4 ./x", "did you mean --vary?"),
        ] {
            let told = complaint(&format!("iogauge {typed}"));
            assert!(told.contains(meant), "{told}");
        }
        let told = complaint("iogauge run --frob ./x");
        assert!(told.contains("unexpected argument '--frob'"), "{told}");
    }

    #[test]
    fn a_plan_file_alone_is_explained_behind_run() {
        for path in ["../p.toml", "p.toml", "/plans/p.toml"] {
            let told = complaint(&format!("iogauge explain {path}"));
            let line = format!("\n  iogauge explain -- run {path}");
            assert!(told.ends_with(&line), "{told}");
        }
    }

    #[test]
    fn help_is_a_command_too() {
        for (line, words) in [
            ("iogauge help", "Usage: iogauge [OPTIONS]"),
            ("iogauge help run", "Usage: iogauge run"),
            ("iogauge help help", "Usage: iogauge [OPTIONS]"),
        ] {
            let args: Vec<_> = line.split(' ').map(std::ffi::OsString::from).collect();
            let told = parse(&args, &|_| None).unwrap();
            let Invocation::Print { text, error: false } = told else {
                panic!("{line}: {told:?}")
            };
            assert!(text.contains(words), "{line}: {text}");
        }
    }
}
