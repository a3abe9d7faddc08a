//! iogauge's own command line. Our own options may stand before a face; what follows the face's
//! name is that face's and is not looked at here.

pub mod commands;
mod common;
pub mod config;
mod consent;
mod explain;
mod job;
mod line;
pub mod observer;
pub mod ping;
pub mod planning;
pub mod search;
pub mod shells;
mod sweep;
pub mod text;
mod unknown;
mod verdict;
pub mod versus;
mod web;
pub mod wishes;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};

pub use self::commands::explain::Telling;
use self::commands::{
    clean::CleanArgs, doctor::DoctorArgs, explain::ExplainArgs, load::CommonArgs, ping::PingArgs,
    precondition::PreconditionArgs, profiles::ProfilesArgs, quick::QuickArgs, run::RunArgs,
    sweep::SweepArgs, versus::VersusArgs, web::WebArgs,
};
use self::job::Load;
pub use self::{job::Native, verdict::INTERRUPTED};
use super::{NAMES, Settings, UsageError, settings::Given};

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
    /// A line that is to be explained as JSON and means nothing.
    Unexplained {
        /// Why not.
        message: String,
    },
    /// Explain a line of a face.
    Explain {
        /// In which way.
        telling: Telling,
        /// Which face.
        name: String,
        /// Its arguments.
        args: Vec<OsString>,
        /// Our own.
        settings: Settings,
    },
}

/// Commands of ours that are no single load. `run`, `quick`, `sweep`, `precondition` and `web` are a
/// load, and as such lines of [`Native`].
#[derive(Debug, Clone, PartialEq)]
pub enum Own {
    /// Nothing was typed.
    Bare,
    /// Two targets in turn.
    Versus(Box<VersusArgs>),
    /// Small reads, one a second.
    Ping(PingArgs),
    /// The workloads.
    Profiles(Box<ProfilesArgs>),
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

#[derive(Debug, Clone, Parser)]
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
    max_term_width = 80,
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

#[derive(Debug, Clone, Subcommand)]
enum Command {
    /// A disk's corners in about a minute
    Quick(QuickArgs),
    /// A workload: a built-in profile, a plan file, or options alone
    Run(Box<RunArgs>),
    /// Two targets in turn: which is better at what
    Versus(Box<VersusArgs>),
    /// Fill a target with random data, so that what follows measures it worn in
    Precondition(PreconditionArgs),
    /// Ever more load: where more brings no more, and the most that keeps a limit
    Sweep(Box<SweepArgs>),
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
    Explain(ExplainArgs),
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
    parse_with(args, &|variable| {
        Some(Given {
            name: variable.to_owned(),
            value: lookup(variable)?,
        })
    })
}

/// The same, where a variable may have been given as something else.
fn parse_with(
    args: &[OsString],
    lookup: &dyn Fn(&str) -> Option<Given>,
) -> Result<Invocation, Problem> {
    let cli = match read(args) {
        Ok(cli) => cli,
        Err(error) => return Ok(print(&error)),
    };
    let given = |variable: &str| cli.given(variable).or_else(|| lookup(variable));
    let settings = Settings::from_given(&given);
    let failed = |message: String, face: Option<String>| Problem { message, face };
    let own = |command: Own| {
        let settings = settings.clone().map_err(|message| failed(message, None))?;
        Ok(Invocation::Own {
            command: Box::new(command),
            settings,
        })
    };
    // The whole line is the personality's.
    let load = |common: Result<CommonArgs, String>| {
        let heard = |settings| common::heard(&common?, settings);
        let settings = settings.clone().and_then(heard);
        Ok(Invocation::Face {
            name: NATIVE.to_owned(),
            args: args.get(1..).unwrap_or_default().to_vec(),
            settings: settings.map_err(|message| failed(message, None))?,
        })
    };
    let Some(command) = cli.command.as_ref() else {
        return cli.without_load(own(Own::Bare));
    };
    match command.clone() {
        Command::Run(args) => load(line::common(&args.load)),
        Command::Quick(args) => load(Ok(args.common)),
        Command::Precondition(args) => load(Ok(args.common)),
        Command::Sweep(args) => load(line::common(&args.load)),
        Command::Web(args) => load(Ok(web::common(&args))),
        Command::Versus(args) => own(Own::Versus(args)),
        Command::Ping(args) => cli.without_load(own(Own::Ping(args))),
        Command::Profiles(args) => cli.without_load(own(Own::Profiles(Box::new(args)))),
        Command::Doctor(args) => cli.without_load(own(Own::Doctor(args))),
        Command::Clean(args) => cli.without_load(own(Own::Clean(args))),
        Command::Completions { shell } => cli.without_load(own(Own::Completions(shell))),
        Command::Man => cli.without_load(own(Own::Man)),
        Command::Explain(args) => explained(args.telling(), args.line, &given),
        Command::Face(line) => {
            let (name, args) = split(line);
            if name == "help" {
                let whole = [vec![NATIVE.into()], args, vec!["--help".into()]].concat();
                return parse_with(&whole, lookup);
            }
            if !NAMES.contains(&name.as_str()) {
                return Ok(Invocation::Print {
                    text: unknown::command(&name),
                    error: true,
                });
            }
            let settings = settings.map_err(|message| failed(message, Some(name.clone())))?;
            Ok(Invocation::Face {
                name,
                args,
                settings,
            })
        }
    }
}

impl Cli {
    /// Our own options, each in place of its variable.
    fn given(&self, variable: &str) -> Option<Given> {
        let (name, value) = match variable {
            "IOGAUGE_ENGINE" => ("--engine", self.engine.clone()),
            "IOGAUGE_ON_ERROR" => ("--on-error", self.on_error.clone()),
            "IOGAUGE_DATA" => ("--data", self.data.clone()),
            "IOGAUGE_DESTROY" => {
                let names = (!self.destroy.is_empty()).then(|| self.destroy.join(","));
                ("--destroy", names)
            }
            "IOGAUGE_QUIET" => ("--quiet", self.quiet.then(|| "1".to_owned())),
            _ => return None,
        };
        Some(Given {
            name: name.to_owned(),
            value: value?.into(),
        })
    }

    /// What a command without a load cannot act on is not accepted in front of it.
    fn without_load(&self, invocation: Result<Invocation, Problem>) -> Result<Invocation, Problem> {
        let idle = [
            "IOGAUGE_ENGINE",
            "IOGAUGE_ON_ERROR",
            "IOGAUGE_DATA",
            "IOGAUGE_DESTROY",
        ];
        let given = idle.iter().find_map(|variable| self.given(variable));
        match given {
            None => invocation,
            Some(given) => Err(Problem {
                message: format!(
                    "{} is for commands that make a load: leave it out here",
                    given.name
                ),
                face: None,
            }),
        }
    }
}

/// A line that is explained: a face's, or one of ours that is a load.
fn explained(
    telling: Telling,
    line: Vec<OsString>,
    lookup: &dyn Fn(&str) -> Option<Given>,
) -> Result<Invocation, Problem> {
    let (name, rest) = split(line.clone());
    let inner = if name == NATIVE { rest } else { line };
    let inner: Vec<OsString> = [OsString::from(NATIVE)].into_iter().chain(inner).collect();
    let refused = |text: String| match telling {
        Telling::Json => Invocation::Unexplained { message: text },
        Telling::Words | Telling::Offsets(_) | Telling::As(_) => {
            Invocation::Print { text, error: true }
        }
    };
    if let Some(text) = unknown::plan_file(&name) {
        return Ok(refused(text));
    }
    // Whatever is wrong is our own complaint: nothing of the face runs.
    let invocation = match parse_with(&inner, lookup) {
        Ok(invocation) => invocation,
        Err(problem) if telling == Telling::Json => return Ok(refused(problem.message)),
        Err(problem) => {
            return Err(Problem {
                face: None,
                ..problem
            });
        }
    };
    Ok(match invocation {
        Invocation::Face {
            name,
            args,
            settings,
        } => Invocation::Explain {
            telling,
            name,
            args,
            settings,
        },
        Invocation::Print { text, error: false } => Invocation::Print { text, error: false },
        Invocation::Print { text, error: true } => refused(text.trim_end().to_owned()),
        Invocation::Own { .. } | Invocation::Explain { .. } | Invocation::Unexplained { .. } => {
            refused(
                "iogauge: explain is for lines of run, quick, sweep, precondition, web and the faces"
                    .to_owned(),
            )
        }
    })
}

/// Our own command line as clap knows it.
fn syntax() -> clap::Command {
    // The same options mean the same everywhere, but for what nobody typed.
    Cli::command().mut_subcommand("versus", commands::versus::own_defaults)
}

/// A line of it.
fn read(args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut syntax = syntax();
    let matches = syntax.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut syntax))
}

/// The load that a line of ours asks for, `args` without the program's name.
///
/// # Errors
/// It asks for none.
fn loads(args: &[OsString]) -> Result<Load, UsageError> {
    let words = [&[OsString::from(NATIVE)], args].concat();
    let cli = read(&words)
        .map_err(|error| planning::usage_error(error.render().to_string().trim_end()))?;
    match cli.command {
        Some(Command::Run(args)) => Ok(Load::Run(args)),
        Some(Command::Quick(args)) => Ok(Load::Quick(args)),
        Some(Command::Precondition(args)) => Ok(Load::Precondition(args)),
        Some(Command::Sweep(args)) => Ok(Load::Sweep(args)),
        Some(Command::Web(args)) => Ok(Load::Web(args)),
        _ => Err(planning::usage_error(
            "only run, quick, sweep, precondition and web make a load",
        )),
    }
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
    let name = if NAMES.contains(&name) || name == NATIVE {
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
        text: unknown::option(error).unwrap_or_else(|| error.render().to_string()),
        error: !help,
    }
}

#[cfg(test)]
mod tests;
