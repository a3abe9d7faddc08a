//! `iogauge diskspd ...`: a command line of another tool, run as that tool would.

use std::{ffi::OsString, io::stderr, sync::atomic::AtomicBool};

use super::{signals, terminal};
use crate::{
    exit::ExitCode,
    personality::{
        Command, Environment, Job, Personality,
        native::{self, NATIVE},
    },
    report::progress::{Both, Progress},
    results::{Finding, Observer, Results, Severity, Silent},
    runner::{self, Surroundings},
};

/// Findings shown at most: a compatible face says little on standard error.
const FINDINGS: usize = 3;

/// Parses, runs, reports.
pub(super) fn run(face: &dyn Personality, args: &[OsString], around: &Environment) -> ExitCode {
    match signals::interrupt_flag() {
        Ok(interrupt) => run_until(face, args, around, &interrupt),
        Err(error) => {
            terminal::complain(&format!("iogauge: cannot watch for signals: {error}"));
            ExitCode::Failed
        }
    }
}

/// The same, which ends early once `interrupt` becomes true.
pub(super) fn run_until(
    face: &dyn Personality,
    args: &[OsString],
    around: &Environment,
    interrupt: &AtomicBool,
) -> ExitCode {
    let output = around.output.as_deref();
    match face.parse(args, around) {
        Err(error) => {
            tell(face.name(), &error.messages, around);
            let code = ExitCode::Face(error.exit);
            match &error.usage {
                Some(usage) => terminal::show_in(output, usage.as_bytes(), code),
                None => code,
            }
        }
        Ok(Command::Print {
            text,
            warnings,
            exit,
        }) => {
            tell(face.name(), &warnings, around);
            terminal::show_in(output, text.as_bytes(), ExitCode::Face(exit))
        }
        Ok(Command::Run(job)) => carry_out(face.name(), *job, around, interrupt),
    }
}

fn carry_out(name: &str, mut job: Job, around: &Environment, interrupt: &AtomicBool) -> ExitCode {
    let ours = name == NATIVE;
    tell(name, &job.warnings, around);
    let surroundings = Surroundings {
        machine: &around.machine,
        interrupt,
    };
    let progress: Box<dyn Observer> = if around.settings.quiet {
        Box::new(Silent)
    } else {
        Box::new(Progress::new(stderr(), &job.plan, around.live))
    };
    let mut observer = Both(
        progress,
        std::mem::replace(&mut job.observer, Box::new(Silent)),
    );
    let results = runner::run_on(&job.plan, surroundings, &mut observer, &mut job.next);
    drop(observer);
    let mut report = Vec::new();
    let rendered = job.report.render(&results, &mut report);
    let verdict = (job.verdict)(&results);
    let output = around.output.as_deref();
    let exit = match verdict.exit {
        native::INTERRUPTED if ours => signals::exit_code(),
        exit => exit,
    };
    let mut code = terminal::show_in(output, &report, ExitCode::Face(exit));
    if let Err(error) = rendered {
        terminal::complain(&format!("iogauge: the report is not whole: {error}"));
        code = ExitCode::Failed;
    }
    tell(name, &verdict.complaints, around);
    // Our own report says all this itself.
    if !around.settings.quiet && !ours {
        tell(name, &engines(&results), around);
        tell(name, &findings(&results), around);
    }
    code
}

/// Lines of a face for standard error, or for the file that takes it. Progress is for whoever looks
/// on, and stays where it is.
fn tell(face: &str, lines: &[String], around: &Environment) {
    let file = around.output.as_deref().filter(|_| around.errors_in_output);
    if file.is_none() {
        return terminal::tell(face, lines);
    }
    for line in lines {
        terminal::show_in(file, format!("{line}\n").as_bytes(), ExitCode::Ok);
    }
}

/// Which engine did the I/O: the original's report has no place for it.
fn engines(results: &Results) -> Vec<String> {
    let measured = results.spans.iter().filter(|span| span.has_figures());
    let mut names: Vec<&str> = measured.map(|span| span.engine.as_str()).collect();
    names.dedup();
    if names.is_empty() {
        Vec::new()
    } else {
        vec![format!("engine: {}", names.join(", "))]
    }
}

/// The worst first.
fn findings(results: &Results) -> Vec<String> {
    let mut findings: Vec<_> = results.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings.dedup();
    let line = |finding: &&Finding| {
        let sign = match finding.severity {
            Severity::Misleading => "!! misleading",
            Severity::Caution => "! caution",
            Severity::Note => "- note",
        };
        format!("{sign}: {}", finding.message)
    };
    findings.iter().take(FINDINGS).map(line).collect()
}
