//! iogauge's own command line. Our own options may stand before a face; what follows the face's
//! name is that face's and is not looked at here.

pub mod commands;
mod job;
pub mod shells;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

use self::commands::{
    clean::CleanArgs, doctor::DoctorArgs, ping::PingArgs, profiles::ProfilesArgs, quick::QuickArgs,
    run::RunArgs, versus::VersusArgs, web::WebArgs,
};
pub use self::job::Native;
use super::{NAMES, Settings, settings::Given};

/// The name of our own language of command lines, as a face.
pub const NATIVE: &str = "iogauge";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Invocation {
    /// Help or a version (standard output), or what is wrong (standard error).
    Print {
        /// The text.
        text: String,
        /// It is a complaint.
        error: bool,
    },
    /// Run a line of a face.
    Face {
        /// Which.
        name: String,
        /// Its arguments.
        args: Vec<OsString>,
        /// Our own.
        settings: Settings,
    },
    /// A command of ours that is no load.
    Own {
        /// Which.
        command: Box<Own>,
        /// Our own options.
        settings: Settings,
    },
    /// Explain a line of a face.
    Explain {
        /// List the first so many I/Os of each thread instead.
        offsets: Option<usize>,
        /// Which face.
        name: String,
        /// Its arguments.
        args: Vec<OsString>,
        /// Our own.
        settings: Settings,
    },
}

/// Commands of ours that are no single load. `run`, `quick` and `web` are a load, and as such lines
/// of [`Native`].
#[derive(Debug, Clone, PartialEq)]
pub enum Own {
    /// Nothing was typed.
    Bare,
    /// Two targets in turn.
    Versus(VersusArgs),
    /// Small reads, one a second.
    Ping(PingArgs),
    /// The workloads.
    Profiles(ProfilesArgs),
    /// What needs action.
    Doctor(DoctorArgs),
    /// Removes test files of ours.
    Clean(CleanArgs),
    /// A script for a shell.
    Completions(String),
    /// The manual page.
    Man,
}

/// A command line of ours that means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, as a sentence.
    pub message: String,
    /// The face that was to run, whose exit code this is then.
    pub face: Option<String>,
}

#[derive(Debug, Parser)]
#[command(
    name = "iogauge",
    version,
    about = "A storage I/O benchmark that runs the command lines of DiskSpd, SQLIO and sysbench fileio \
             unmodified",
    after_help = "Faces:\n  diskspd ...   a DiskSpd 2.2 command line, as Windows admins type it\n  \
                  sqlio ...     a SQLIO 1.5 command line, or its batch file: sqlio --batch FILE\n  \
                  sysbench ...  a sysbench fileio command line, of 0.4 or 1.0\n\n\
                  Try:\n  iogauge diskspd -b8K -d10 -h -L -o32 -r -w40 -t8 -c1G ./datafile.dat\n  \
                  iogauge explain -- diskspd -b8K -d10 -h -L -o32 -r -w40 -t8 -c1G ./datafile.dat",
    max_term_width = 100,
    disable_help_subcommand = true
)]
struct Cli {
    /// Engine that issues the I/O: auto, psync, io_uring, libaio, mmap, null, sim or sim:LAW
    /// [default: auto] [variable: IOGAUGE_ENGINE]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Stop at the first I/O error, or continue and count errors [default: stop]
    /// [variable: IOGAUGE_ON_ERROR]
    #[arg(long, value_name = "stop|continue")]
    on_error: Option<String>,
    /// Consent to destroy the content of this device or foreign file; may repeat
    /// [variable: IOGAUGE_DESTROY, comma separated]
    #[arg(long, value_name = "NAME")]
    destroy: Vec<String>,
    /// Content of created files and of write buffers: random, zeros, original (what the tool
    /// itself wrote) [default: random] [variable: IOGAUGE_DATA]
    #[arg(long, value_name = "WHAT")]
    data: Option<String>,
    /// No notes and findings on standard error [variable: IOGAUGE_QUIET=1]
    #[arg(long, short)]
    quiet: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A disk's corners in about a minute
    Quick(QuickArgs),
    /// A workload: a built-in profile, a plan file, or options alone
    Run(RunArgs),
    /// Two targets in turn: which is better at what
    Versus(VersusArgs),
    /// Read files as visitors of a web site would
    Web(WebArgs),
    /// One small read a second; safe on production
    Ping(PingArgs),
    /// The workloads that are built in
    Profiles(ProfilesArgs),
    /// What on this machine needs action before it is measured
    Doctor(DoctorArgs),
    /// Remove test files of ours that were kept, or left by a kill
    Clean(CleanArgs),
    /// A script that completes command lines, for bash, zsh, fish ...
    Completions {
        /// bash, zsh, fish, elvish or powershell
        #[arg(value_name = "SHELL")]
        shell: String,
    },
    /// The manual page, for man -l -
    Man,
    /// Say what a command line would do, option by option and in bytes; runs nothing
    Explain {
        /// List the first N I/Os of each thread as a table: thread, target, op, offset
        #[arg(long, value_name = "N")]
        offsets: Option<usize>,
        /// A command line, face first
        #[arg(
            value_name = "LINE",
            required = true,
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        line: Vec<OsString>,
    },
    /// A command line of a face
    #[command(external_subcommand)]
    Face(Vec<OsString>),
}

/// Reads our own command line, `args` with the program's name first. Options win over variables.
///
/// # Errors
/// A variable or option with a value that means nothing, as a sentence.
pub fn parse(
    args: &[OsString],
    lookup: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Invocation, Problem> {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return Ok(print(&error)),
    };
    let settings = settings(&cli, lookup);
    let failed = |message: String, face: Option<String>| Problem { message, face };
    let own = |command: Own| {
        let settings = settings.clone().map_err(|message| failed(message, None))?;
        Ok(Invocation::Own {
            command: Box::new(command),
            settings,
        })
    };
    let Some(command) = cli.command else {
        return own(Own::Bare);
    };
    Ok(match command {
        // The whole line is the personality's.
        Command::Quick(_) | Command::Run(_) | Command::Web(_) => Invocation::Face {
            name: NATIVE.to_owned(),
            args: args.get(1..).unwrap_or_default().to_vec(),
            settings: settings.map_err(|message| failed(message, None))?,
        },
        Command::Versus(args) => return own(Own::Versus(args)),
        Command::Ping(args) => return own(Own::Ping(args)),
        Command::Profiles(args) => return own(Own::Profiles(args)),
        Command::Doctor(args) => return own(Own::Doctor(args)),
        Command::Clean(args) => return own(Own::Clean(args)),
        Command::Completions { shell } => return own(Own::Completions(shell)),
        Command::Man => return own(Own::Man),
        Command::Explain { offsets, line } => {
            let (name, args) = split(line);
            let settings = settings.map_err(|message| failed(message, None))?;
            Invocation::Explain {
                offsets,
                name,
                args,
                settings,
            }
        }
        Command::Face(line) => {
            let (name, args) = split(line);
            if NAMES.contains(&name.as_str()) {
                let settings = settings.map_err(|message| failed(message, Some(name.clone())))?;
                Invocation::Face {
                    name,
                    args,
                    settings,
                }
            } else {
                unknown(&name)
            }
        }
    })
}

/// Our own options, each in place of its variable, and the variables.
fn settings(cli: &Cli, lookup: &dyn Fn(&str) -> Option<OsString>) -> Result<Settings, String> {
    let destroy = (!cli.destroy.is_empty()).then(|| cli.destroy.join(","));
    let options = [
        ("IOGAUGE_ENGINE", "--engine", cli.engine.clone()),
        ("IOGAUGE_ON_ERROR", "--on-error", cli.on_error.clone()),
        ("IOGAUGE_DATA", "--data", cli.data.clone()),
        ("IOGAUGE_DESTROY", "--destroy", destroy),
        (
            "IOGAUGE_QUIET",
            "--quiet",
            cli.quiet.then(|| "1".to_owned()),
        ),
    ];
    Settings::from_given(&|variable| {
        let given = |name: &str, value: OsString| Given {
            name: name.to_owned(),
            value,
        };
        options
            .iter()
            .find(|(known, _, _)| *known == variable)
            .and_then(|(_, name, value)| Some(given(name, value.clone()?.into())))
            .or_else(|| Some(given(variable, lookup(variable)?)))
    })
}

/// The face's name and the rest; `diskspd.exe` and `.\diskspd.exe` name the face too, so that a
/// published line can be pasted whole.
fn split(line: Vec<OsString>) -> (String, Vec<OsString>) {
    let mut words = line.into_iter();
    let first = words.next().unwrap_or_default();
    let first = first.to_string_lossy();
    let base = first
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let name = base.strip_suffix(".exe").unwrap_or(&base);
    let name = if NAMES.contains(&name) {
        name.to_owned()
    } else {
        first.clone().into_owned()
    };
    (name, words.collect())
}

fn print(error: &clap::Error) -> Invocation {
    let help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    Invocation::Print {
        text: error.render().to_string(),
        error: !help,
    }
}

fn unknown(name: &str) -> Invocation {
    let text = Cli::command()
        .error(
            ErrorKind::InvalidSubcommand,
            format!(
                "'{name}' is no command and no face (faces: {})",
                NAMES.join(", ")
            ),
        )
        .render()
        .to_string();
    Invocation::Print { text, error: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(line: &str) -> Invocation {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        parse(&args, &|_| None).unwrap()
    }

    #[test]
    fn what_follows_a_face_is_not_looked_at() {
        for line in [
            "iogauge diskspd -h -V --help -q -- x",
            "iogauge diskspd.exe -h -V --help -q -- x",
            r"iogauge .\DiskSpd.exe -h -V --help -q -- x",
        ] {
            let Invocation::Face {
                name,
                args,
                settings,
            } = parse_words(line)
            else {
                panic!("{line}")
            };
            assert_eq!(name, "diskspd");
            assert_eq!(args, ["-h", "-V", "--help", "-q", "--", "x"]);
            assert!(!settings.quiet);
        }
    }

    #[test]
    fn our_own_options_stand_before_the_face() {
        let Invocation::Face { args, settings, .. } =
            parse_words("iogauge --destroy /dev/loop9 --destroy x -q diskspd -b4K /dev/loop9")
        else {
            panic!()
        };
        assert_eq!(args, ["-b4K", "/dev/loop9"]);
        assert_eq!(settings.destroy, ["/dev/loop9", "x"]);
        assert!(settings.quiet);
    }

    #[test]
    fn explain_takes_a_whole_line() {
        for line in [
            "iogauge explain --offsets 12 -- diskspd -b4K -h x",
            "iogauge explain --offsets 12 diskspd -b4K -h x",
        ] {
            let Invocation::Explain {
                offsets,
                name,
                args,
                ..
            } = parse_words(line)
            else {
                panic!("{line}")
            };
            assert_eq!((offsets, name.as_str()), (Some(12), "diskspd"));
            assert_eq!(args, ["-b4K", "-h", "x"]);
        }
    }

    #[test]
    fn anything_else_is_a_complaint() {
        for line in ["iogauge frobnicate", "iogauge --frob", "iogauge explain"] {
            assert!(
                matches!(parse_words(line), Invocation::Print { error: true, .. }),
                "{line}"
            );
        }
        for line in ["iogauge --help", "iogauge --version"] {
            assert!(
                matches!(parse_words(line), Invocation::Print { error: false, .. }),
                "{line}"
            );
        }
        let args = ["iogauge", "--engine", "warp", "diskspd"].map(OsString::from);
        assert!(
            parse(&args, &|_| None)
                .unwrap_err()
                .message
                .contains("warp")
        );
    }

    #[test]
    fn a_bad_value_is_called_by_the_name_that_was_typed() {
        let parse = |line: &str, lookup: &dyn Fn(&str) -> Option<OsString>| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            parse(&args, lookup).unwrap_err()
        };
        for option in ["--engine", "--data", "--on-error"] {
            let problem = parse(&format!("iogauge {option}=foo diskspd x"), &|_| None);
            assert!(
                problem.message.starts_with(&format!("{option}='foo' ")),
                "{problem:?}"
            );
            assert_eq!(problem.face.as_deref(), Some("diskspd"));
        }
        let lookup = |name: &str| (name == "IOGAUGE_DATA").then(|| OsString::from("foo"));
        let problem = parse("iogauge explain -- diskspd x", &lookup);
        assert!(problem.message.starts_with("IOGAUGE_DATA='foo' "));
        assert_eq!(problem.face, None);
    }
}
