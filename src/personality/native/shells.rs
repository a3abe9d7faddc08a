//! What shells and `man` are told of our command line, from the same tree as parsing and help.

use std::io;

use clap::{
    Arg, Command, CommandFactory, ValueEnum, ValueHint,
    builder::{PossibleValuesParser, ValueParser},
};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use crate::{personality::NAMES, plan::ENGINES};

/// The name that shells complete.
const PROGRAM: &str = "iogauge";

/// What each face is, in the order of [`NAMES`].
const FACES: [&str; 3] = [
    "A DiskSpd 2.2 command line, as Windows admins type it",
    "A SQLIO 1.5 command line, or its batch file",
    "A sysbench fileio command line, of 0.4 or 1.0",
];

/// The script that completes our command lines in a shell.
///
/// # Errors
/// A sentence: there is no such shell.
pub fn completions(shell: &str) -> Result<String, String> {
    let Ok(shell) = Shell::from_str(shell, true) else {
        let known: Vec<&str> = shells();
        return Err(format!(
            "completions '{}' is not understood: it must be one of {}",
            shell.escape_debug(),
            known.join(", ")
        ));
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tree(), PROGRAM, &mut script);
    Ok(String::from_utf8_lossy(&script).into_owned())
}

fn shells() -> Vec<&'static str> {
    vec!["bash", "elvish", "fish", "powershell", "zsh"]
}

/// The manual page: the program as a whole, then each command with its options.
///
/// # Errors
/// None that is known: it is written to memory.
pub fn man() -> io::Result<Vec<u8>> {
    let mut tree = tree();
    tree.build();
    let mut page = Vec::new();
    Man::new(tree.clone()).render(&mut page)?;
    for command in tree.get_subcommands() {
        if NAMES.contains(&command.get_name()) || command.get_name() == "help" {
            continue;
        }
        section(command, &mut page)?;
    }
    Ok(page)
}

/// A section for one command. What is written of it is a page of its own, whose sections become
/// parts of ours.
fn section(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let of = Man::new(command.clone());
    let mut text = Vec::new();
    of.render_synopsis_section(&mut text)?;
    of.render_description_section(&mut text)?;
    if command.get_arguments().next().is_some() {
        of.render_options_section(&mut text)?;
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let parts = text.lines().map(|line| match line.strip_prefix(".SH ") {
        Some("SYNOPSIS" | "DESCRIPTION") => ".PP".to_owned(),
        Some(title) => format!(".SS {title}"),
        None => line.to_owned(),
    });
    let name = command.get_name().to_uppercase();
    page.extend_from_slice(format!(".SH {name}\n").as_bytes());
    for line in parts {
        page.extend_from_slice(format!("{line}\n").as_bytes());
    }
    Ok(())
}

/// The tree of commands with what completion needs besides: the faces, which parsing leaves alone,
/// and what values there are.
fn tree() -> Command {
    let mut tree = Cli::command().mut_args(with_values);
    tree = tree.mut_subcommands(|command| command.mut_args(with_values));
    let faces = NAMES.iter().zip(FACES);
    tree.subcommands(faces.map(|(name, about)| {
        Command::new(*name)
            .about(about)
            .disable_help_flag(true)
            .arg(
                Arg::new("line")
                    .num_args(0..)
                    .value_hint(ValueHint::AnyPath),
            )
    }))
}

/// Only for completion: parsing words its own refusals.
fn with_values(arg: Arg) -> Arg {
    let one_of = |words: Vec<&'static str>| ValueParser::new(PossibleValuesParser::new(words));
    match arg.get_id().as_str() {
        "engine" => arg.value_parser(one_of(engines())),
        "on_error" => arg.value_parser(one_of(vec!["stop", "continue"])),
        "shell" => arg.value_parser(one_of(shells())),
        "destroy" => arg.value_hint(ValueHint::AnyPath),
        // Files, folders and devices alike.
        _ if arg.is_positional() && arg.get_value_hint() == ValueHint::Unknown => {
            arg.value_hint(ValueHint::AnyPath)
        }
        _ => arg,
    }
}

fn engines() -> Vec<&'static str> {
    let named = ENGINES.iter().map(|(_, capabilities)| capabilities.name);
    ["auto"].into_iter().chain(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_knows_commands_faces_engines_and_its_own_name() {
        for shell in shells() {
            let script = completions(shell).unwrap();
            for word in [
                "quick", "doctor", "diskspd", "sqlio", "sysbench", "--engine",
            ] {
                // fish writes long options without their dashes.
                let word = if shell == "fish" {
                    word.trim_start_matches("--")
                } else {
                    word
                };
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
        for shell in ["bash", "fish", "zsh"] {
            let script = completions(shell).unwrap();
            assert!(
                script.contains("io_uring") && script.contains("powershell"),
                "{shell}"
            );
        }
        assert_eq!(completions("BASH"), completions("bash"));
        let refused = completions("tcsh\n").unwrap_err();
        assert!(
            refused.contains(r"'tcsh\n'") && refused.contains("fish"),
            "{refused}"
        );
        assert_eq!(NAMES.len(), FACES.len());
    }

    #[test]
    fn the_tree_is_whole_for_completion_and_for_man() {
        tree().debug_assert();
        let page = String::from_utf8(man().unwrap()).unwrap();
        for heading in [
            ".TH iogauge 1",
            ".SH SYNOPSIS",
            ".SH DOCTOR",
            ".SH CLEAN",
            ".SS OPTIONS",
        ] {
            assert!(page.contains(heading), "{heading}");
        }
        // A section for each command of ours, and none for a face: those have books of their own.
        assert!(!page.contains(".SH DISKSPD"));
    }
}
