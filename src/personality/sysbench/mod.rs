//! sysbench's `fileio` test: the command lines of 0.4.12 and 1.0.20, their requests, their reports.

mod amount;
mod console;
mod observer;
pub mod options;
mod percentile;
#[cfg(test)]
mod testing;
mod text;
mod verdict;

use crate::{
    personality::Verdict,
    report::Renderer,
    results::{Observer, Results},
};
use options::Options;

/// Everything that is shown of a run.
pub struct Shown {
    /// While it goes on.
    pub observer: Box<dyn Observer>,
    /// When it is over.
    pub report: Box<dyn Renderer>,
    /// On standard error, and to the shell.
    pub verdict: fn(&Results) -> Verdict,
}

/// What shows the run of a line. `prelude` are whole lines for standard output, before the
/// program's own first one.
pub fn shown(options: &Options, prelude: Vec<String>) -> Shown {
    let console = console::Console::new(options.verbosity);
    Shown {
        observer: observer::observer(options, prelude, console.clone()),
        report: Box::new(text::TextReport {
            options: options.clone(),
            console,
        }),
        verdict: verdict::verdict,
    }
}
