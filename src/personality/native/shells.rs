//! What shells and `man` are told of our command line, from the same tree as parsing and help.

use std::io;

use clap::{
    Arg, Command, CommandFactory, ValueEnum, ValueHint,
    builder::{PossibleValuesParser, ValueParser},
};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use crate::{personality::NAMES, plan::ENGINES, profiles};

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
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut completed(shell), PROGRAM, &mut written);
    let script = String::from_utf8_lossy(&written).into_owned();
    Ok(match shell {
        Shell::Zsh => with_workloads_for_zsh(&script),
        Shell::Fish => script + &values_for_fish(),
        _ => script,
    })
}

fn shells() -> Vec<&'static str> {
    vec!["bash", "elvish", "fish", "powershell", "zsh"]
}

/// The manual page: the program as a whole, then each command with its options.
///
/// # Errors
/// None that is known: it is written to memory.
pub fn man() -> io::Result<Vec<u8>> {
    let mut tree = with_faces(Cli::command());
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

/// With the faces, which parsing leaves alone.
fn with_faces(tree: Command) -> Command {
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

/// The tree of commands for completion: what values there are stands in it, too.
fn completed(shell: Shell) -> Command {
    let tree = Cli::command().mut_args(|arg| with_values(arg, "", shell));
    with_faces(tree.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| with_values(arg, &name, shell))
    }))
}

/// Only for completion: parsing words its own refusals.
fn with_values(arg: Arg, command: &str, shell: Shell) -> Arg {
    let one_of = |words: Vec<&'static str>| ValueParser::new(PossibleValuesParser::new(words));
    let workloads = || profiles::names().collect::<Vec<_>>();
    match (command, arg.get_id().as_str()) {
        (_, "engine") => arg.value_parser(one_of(engines())),
        (_, "on_error") => arg.value_parser(one_of(vec!["stop", "continue"])),
        (_, "shell") => arg.value_parser(one_of(shells())),
        (_, "destroy") => arg.value_hint(ValueHint::AnyPath),
        ("profiles", "name") => arg.value_parser(one_of(workloads())),
        // bash offers files where no word fits; others must be told of both.
        _ if arg.is_positional() && takes_workloads(command) && shell == Shell::Bash => {
            arg.value_parser(one_of(workloads()))
        }
        // Files, folders and devices alike.
        _ if arg.is_positional() && arg.get_value_hint() == ValueHint::Unknown => {
            arg.value_hint(ValueHint::AnyPath)
        }
        _ => arg,
    }
}

/// Commands whose words are workloads or paths.
fn takes_workloads(command: &str) -> bool {
    ["run", "versus"].contains(&command)
}

/// Where the script offers files for such words, it offers workloads beside them.
fn with_workloads_for_zsh(script: &str) -> String {
    let names: Vec<&str> = profiles::names().collect();
    let both = format!(
        ":{{_alternative \"workloads:workload:({})\" \"files:file:_files\"}}' \\",
        names.join(" ")
    );
    let tree = Cli::command();
    let commands = tree
        .get_subcommands()
        .filter(|c| takes_workloads(c.get_name()));
    let starts: Vec<String> = commands
        .flat_map(Command::get_positionals)
        .map(|arg| format!("'*::{} -- ", arg.get_id()))
        .collect();
    let line = |line: &str| {
        let ours = starts.iter().any(|start| line.starts_with(start));
        let cut = line.strip_suffix(":_files' \\").filter(|_| ours);
        cut.map_or_else(|| line.to_owned(), |cut| cut.to_owned() + &both) + "\n"
    };
    script.lines().map(line).collect()
}

/// The generated script has no values of arguments without a name.
fn values_for_fish() -> String {
    let workloads: Vec<&str> = profiles::names().collect();
    let values = [
        ("run", &workloads),
        ("versus", &workloads),
        ("profiles", &workloads),
        ("completions", &shells()),
    ];
    let line = |(command, words): (&str, &Vec<&str>)| {
        let condition = format!("__fish_iogauge_using_subcommand {command}");
        let words = words.join(" ");
        format!("complete -c {PROGRAM} -n \"{condition}\" -a \"{words}\"\n")
    };
    values.into_iter().map(line).collect()
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
            // The words that stand without an option are not in fish's script.
            let shells = shell == "fish" || script.contains("powershell");
            assert!(script.contains("io_uring") && shells, "{shell}");
        }
        for shell in ["bash", "fish", "zsh"] {
            let script = completions(shell).unwrap();
            assert!(
                profiles::names().all(|name| script.contains(name)),
                "{shell}"
            );
        }
        let zsh = completions("zsh").unwrap();
        assert!(zsh.contains("_alternative \"workloads:workload:("), "{zsh}");
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
        completed(Shell::Bash).debug_assert();
        completed(Shell::Zsh).debug_assert();
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
