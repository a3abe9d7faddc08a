//! A load of our own on two targets in turn: one plan, one run.

use std::{io::stderr, sync::atomic::AtomicBool};

use super::{CUT_BY_FAILURE, CUT_BY_SIGNAL, announce, caution, one_thing, signals};
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
                text::{Said, Told},
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
            Box::new(Progress::new(stderr(), &sides.turns.plan, around.live)),
            Box::new(Rounds::new(Live::new(stderr(), around.live), &sides.turns)),
        ))
    };
    let results = runner::run(&sides.turns.plan, surroundings, observer.as_mut());
    drop(observer);
    show(&sides, asked, &results, around)
}

fn show(sides: &Sides, asked: &Asked, results: &Results, around: &Environment) -> ExitCode {
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
    let (mut above, below) = findings(results);
    if results.interrupted() {
        above.push(caution(CUT_BY_SIGNAL));
    } else if results.ended.is_some() {
        above.push(caution(CUT_BY_FAILURE));
    }
    let [a, b] = asked.sides.each_ref();
    above.extend(one_thing([a, b]));
    above.extend(sides.above.iter().cloned());
    let typed = [a, b].map(|side| shown(side.as_os_str()));
    let load = format!("{}; {}", sides.load, engines(results));
    let told = Told {
        sides: typed.each_ref().map(String::as_str),
        load: &load,
        above: &above,
        below: &below,
        notes: &sides.notes,
        comparison: &comparison,
    };
    terminal::show(told.text(around.form).as_bytes(), code)
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

/// What belongs above the figures, and what below: the worst first, each kind once, with how often it
/// was seen, as rounds repeat it.
fn findings(results: &Results) -> (Vec<Said>, Vec<Said>) {
    let mut kinds: Vec<(&Finding, u64)> = Vec::new();
    for finding in &results.findings {
        match kinds
            .iter_mut()
            .find(|(known, _)| known.code == finding.code)
        {
            Some((_, count)) => *count += 1,
            None => kinds.push((finding, 1)),
        }
    }
    kinds.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    let rounds = results.spans.len();
    let said = kinds.into_iter().take(FINDINGS).map(|(finding, count)| {
        let message = format!(
            "in {count} of {rounds} rounds, for one: {}",
            finding.message
        );
        (finding.severity, message)
    });
    said.partition(|(severity, _)| *severity == Severity::Misleading)
}
