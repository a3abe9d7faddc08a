//! `iogauge diskspd ...`: a command line of another tool, run as that tool would.

use std::{ffi::OsString, io::stderr, sync::atomic::AtomicBool};

use super::{signals, terminal};
use crate::{
    exit::ExitCode,
    personality::{Command, Environment, Job, Personality},
    report::progress::{Both, Progress},
    results::{Observer, Results, Severity, Silent},
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
            error
                .messages
                .iter()
                .for_each(|line| terminal::complain(line));
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
            complain_all(&warnings);
            terminal::show_in(output, text.as_bytes(), ExitCode::Face(exit))
        }
        Ok(Command::Run(job)) => carry_out(*job, around, interrupt),
    }
}

fn carry_out(mut job: Job, around: &Environment, interrupt: &AtomicBool) -> ExitCode {
    job.warnings
        .iter()
        .for_each(|line| terminal::complain(line));
    let surroundings = Surroundings {
        machine: &around.machine,
        interrupt,
    };
    let progress: Box<dyn Observer> = if around.settings.quiet {
        Box::new(Silent)
    } else {
        Box::new(Progress::new(stderr(), &job.plan))
    };
    let mut observer = Both(
        progress,
        std::mem::replace(&mut job.observer, Box::new(Silent)),
    );
    let results = runner::run(&job.plan, surroundings, &mut observer);
    drop(observer);
    let mut report = Vec::new();
    let rendered = job.report.render(&results, &mut report);
    let verdict = (job.verdict)(&results);
    let output = around.output.as_deref();
    let mut code = terminal::show_in(output, &report, ExitCode::Face(verdict.exit));
    if let Err(error) = rendered {
        terminal::complain(&format!("iogauge: the report is not whole: {error}"));
        code = ExitCode::Failed;
    }
    verdict
        .complaints
        .iter()
        .for_each(|line| terminal::complain(line));
    if !around.settings.quiet {
        name_engines(&results);
        show_findings(&results);
    }
    code
}

fn complain_all(lines: &[String]) {
    for line in lines {
        terminal::complain(line);
    }
}

/// Which engine did the I/O: the original's report has no place for it.
fn name_engines(results: &Results) {
    let measured = results.spans.iter().filter(|span| span.has_figures());
    let mut names: Vec<&str> = measured.map(|span| span.engine.as_str()).collect();
    names.dedup();
    if !names.is_empty() {
        terminal::complain(&format!("engine: {}", names.join(", ")));
    }
}

/// The worst first.
fn show_findings(results: &Results) {
    let mut findings: Vec<_> = results.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings.dedup();
    for finding in findings.iter().take(FINDINGS) {
        let sign = match finding.severity {
            Severity::Misleading => "!! misleading",
            Severity::Caution => "! caution",
            Severity::Note => "- note",
        };
        terminal::complain(&format!("{sign}: {}", finding.message));
    }
}
