//! A load of our own on two targets in turn: one plan, one run.

use std::{io::stderr, path::Path, sync::atomic::AtomicBool};

use super::{announce, one_thing, signals};
use crate::{
    app::terminal,
    exit::ExitCode,
    personality::{
        Environment, UsageError,
        native::{
            self,
            versus::{
                asked::Asked,
                observer::{Live, Rounds},
                sides::Sides,
                text::Page,
            },
        },
    },
    report::progress::{Both, Progress},
    results::{Finding, Observer, Outcome, Results, Severity, Silent},
    runner::{self, Surroundings},
    units::names::shown,
};

/// Findings shown at most.
const FINDINGS: usize = 3;

/// Carries out both sides' plan and prints the comparison.
pub(super) fn run(
    planned: Result<Sides, UsageError>,
    asked: &Asked,
    around: &Environment,
    interrupt: &AtomicBool,
) -> ExitCode {
    let sides = match planned {
        Ok(sides) => sides,
        Err(error) => {
            let lines = error.messages.iter();
            lines.for_each(|line| terminal::complain(line));
            return ExitCode::Usage;
        }
    };
    let quiet = around.settings.quiet;
    if !quiet {
        let lines = sides.warnings.iter();
        lines.for_each(|line| terminal::complain(line));
    }
    let length = super::length(&sides.turns.plan);
    announce(asked, sides.turns.rows.len(), length, around);
    let surroundings = Surroundings {
        machine: &around.machine,
        interrupt,
    };
    let mut observer: Box<dyn Observer> = if quiet {
        Box::new(Silent)
    } else {
        Box::new(Both(
            Box::new(Progress::new(stderr(), &sides.turns.plan)),
            Box::new(Rounds::new(Live::new(stderr(), true), &sides.turns)),
        ))
    };
    let results = runner::run(&sides.turns.plan, surroundings, observer.as_mut());
    drop(observer);
    show(&sides, asked, &results)
}

fn show(sides: &Sides, asked: &Asked, results: &Results) -> ExitCode {
    let verdict = Sides::verdict(results);
    let code = match verdict.exit {
        0 => ExitCode::Ok,
        native::INTERRUPTED => ExitCode::Face(signals::exit_code()),
        exit => ExitCode::Face(exit),
    };
    let lines = verdict.complaints.iter();
    lines.for_each(|line| terminal::complain(line));
    let whole = |outcome: Outcome| outcome == Outcome::Finished;
    if !results.spans.iter().any(|span| whole(span.outcome)) {
        return code;
    }
    let comparison = sides.turns.compare(results, asked.rule);
    let (above, below) = findings(results);
    let mut cautions = above;
    if results.interrupted() {
        cautions.push("! interrupted: the figures are those of the rounds done".to_owned());
    } else if results.ended.is_some() {
        cautions.push("! ended by a failure: the figures are those of the rounds done".to_owned());
    }
    let [a, b] = asked.sides.each_ref();
    cautions.extend(one_thing([a, b]));
    cautions.extend(sides.cautions.iter().cloned());
    let notes = [below, sides.notes.clone()].concat();
    let typed = |side: &Path| shown(side.as_os_str());
    let load = format!("{}; {}", sides.load, engines(results));
    let page = Page {
        a: &typed(a),
        b: &typed(b),
        load: &load,
        cautions: &cautions,
        notes: &notes,
        comparison: &comparison,
    };
    terminal::show(page.text().as_bytes(), code)
}

/// Who issued the I/O.
fn engines(results: &Results) -> String {
    let measured = results.spans.iter().filter(|span| span.has_figures());
    let mut names: Vec<&str> = measured.map(|span| span.engine.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("engine{plural} {}", names.join(" and "))
}

/// What belongs above the figures, and what below: the worst first, each kind once, as rounds repeat
/// it.
fn findings(results: &Results) -> (Vec<String>, Vec<String>) {
    let mut findings: Vec<&Finding> = Vec::new();
    for finding in &results.findings {
        if findings.iter().all(|known| known.code != finding.code) {
            findings.push(finding);
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut above = Vec::new();
    let mut below = Vec::new();
    for finding in findings.into_iter().take(FINDINGS) {
        let message = &finding.message;
        match finding.severity {
            Severity::Misleading => above.push(format!("!! misleading: {message}")),
            Severity::Caution => below.push(format!("! caution: {message}")),
            Severity::Note => below.push(format!("- note: {message}")),
        }
    }
    (above, below)
}
