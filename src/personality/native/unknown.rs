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
    let typed = typed.to_lowercase();
    let far = (typed.chars().count() / 3).clamp(1, 4);
    let syntax = syntax();
    let commands = syntax.get_subcommands().map(clap::Command::get_name);
    let all = commands.chain(NAMES.iter().copied());
    let near = all.map(|name| (distance(&typed, name), name));
    let (letters, name) = near.min_by_key(|(letters, _)| *letters)?;
    (letters <= far).then(|| name.to_owned())
}

/// What is said of an option of a later version; `None` for all other errors.
pub(super) fn option(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = typed.split('=').next().unwrap_or_default();
    OPTIONS.contains(&name).then(|| {
        format!(
            "iogauge: {name} is not there yet in this version: leave it out (--help lists what is)"
        )
    })
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
