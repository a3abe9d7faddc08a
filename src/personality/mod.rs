//! Languages of command lines: argv to a job and back, with the reports that go with them.

pub mod diskspd;
pub mod express;
mod files;
pub mod flags;
pub mod native;
mod places;
pub mod settings;
pub mod sqlio;
pub mod sysbench;
mod words;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::File,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use crate::{
    host::Machine,
    plan::{Plan, TimeSpan},
    report::{Renderer, text::Form},
    results::{Observer, Results},
};

pub use files::Files;
pub use settings::{DataChoice, DiskSpdVersion, Settings, SysbenchVersion};

/// What surrounds a command line: settings, machine facts. A plan is complete with these.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Our own options and IOGAUGE_* variables.
    pub settings: Settings,
    /// The machine.
    pub machine: Machine,
    /// Milliseconds since the machine started: a bare `-z`.
    pub uptime_ms: u64,
    /// A seed from the clock, another one in each run.
    pub clock_seed: u32,
    /// Kernel names of whole disks (`sda`, `nvme0n1`), sorted: the face's `#0`, `#1` ...
    pub disks: Vec<String>,
    /// Files, as far as a command line must look at them.
    pub files: Files,
    /// Where what a line prints goes instead of standard output.
    pub output: Option<Arc<File>>,
    /// The line is explained, not run: what this machine lacks is no reason to refuse it.
    pub explaining: bool,
    /// What a report of ours may look like on standard output.
    pub form: Form,
    /// What a live line may look like at standard error.
    pub live: Form,
    /// Standard error goes where `output` goes.
    pub errors_in_output: bool,
    /// What files will hold that something before this line writes, by their [`plain`] paths.
    pub pending: BTreeMap<PathBuf, Vec<u8>>,
}

impl Environment {
    /// The bytes that a file has, or will have when the line runs.
    ///
    /// # Errors
    /// As of [`Files::read`].
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.pending.get(&plain(path)) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.files.read(path),
        }
    }
}

/// A path without `.` in it.
pub fn plain(path: &Path) -> PathBuf {
    let components = path.components();
    components
        .filter(|part| *part != Component::CurDir)
        .collect()
}

/// A language of command lines.
pub trait Personality {
    /// The word that selects it, and the program name in its reports.
    fn name(&self) -> &'static str;

    /// Turns the arguments behind the program name into something to do. No target is touched. Events
    /// may need a folder ([`Files::check_private_folder`]), and a line may be no more than a signal to
    /// another process ([`Files::make`]); neither is made while a line is explained.
    ///
    /// # Errors
    /// What is wrong with them, as lines for standard error, and the exit code.
    fn parse(&self, args: &[OsString], around: &Environment) -> Result<Command, UsageError>;

    /// The exit code of a line that is refused.
    fn refused(&self) -> u8;

    /// One line per argument as typed: what it means on this line. Never fails: what is wrong is
    /// said in the line.
    fn explain(&self, args: &[OsString], around: &Environment) -> Vec<Explained>;
}

/// One argument of an explained line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// As typed, with control characters escaped.
    pub argument: String,
    /// Its meaning for this line.
    pub meaning: String,
}

/// What a command line asks for.
pub enum Command {
    /// Text for standard output, and the exit code: help, profile echoes.
    Print {
        /// The text.
        text: String,
        /// Lines for standard error, before it.
        warnings: Vec<String>,
        /// The exit code.
        exit: u8,
    },
    /// A run.
    Run(Box<Job>),
}

/// Says which time span follows what was measured so far; `None` once enough was.
pub type Next = dyn FnMut(&Results) -> Option<TimeSpan>;

/// The next of a plan that is known whole beforehand.
pub fn nothing_more() -> Box<Next> {
    Box::new(|_| None)
}

/// A plan, and what is to be shown of it.
pub struct Job {
    /// What to do.
    pub plan: Plan,
    /// Lines for standard error before anything starts.
    pub warnings: Vec<String>,
    /// Time spans that depend on what was measured so far.
    pub next: Box<Next>,
    /// What the original prints while it runs.
    pub observer: Box<dyn Observer>,
    /// The report for standard output.
    pub report: Box<dyn Renderer>,
    /// What goes to standard error after the run, and the exit code.
    pub verdict: fn(&Results) -> Verdict,
}

/// The end of a run, as the original would put it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Lines for standard error.
    pub complaints: Vec<String>,
    /// The exit code.
    pub exit: u8,
}

/// A command line that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageError {
    /// Lines for standard error.
    pub messages: Vec<String>,
    /// Text for standard output (usage without arguments).
    pub usage: Option<String>,
    /// The exit code.
    pub exit: u8,
}

/// The words that select a face.
pub const NAMES: &[&str] = &["diskspd", "sqlio", "sysbench"];

/// The face of that name.
pub fn find(name: &str) -> Option<Box<dyn Personality>> {
    match name {
        "diskspd" => Some(Box::new(diskspd::DiskSpd)),
        "sqlio" => Some(Box::new(sqlio::Sqlio)),
        "sysbench" => Some(Box::new(sysbench::Sysbench)),
        native::NATIVE => Some(Box::new(native::Native)),
        _ => None,
    }
}
