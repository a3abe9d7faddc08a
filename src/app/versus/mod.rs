//! `iogauge versus`: two targets in turn, and which is better at what.

mod line;
mod load;

use std::{path::Path, sync::atomic::AtomicBool, time::Duration};

use super::{signals, terminal};
use crate::{
    exit::ExitCode,
    host,
    personality::{
        self, Environment, Settings,
        native::{
            commands::versus::VersusArgs,
            versus::{
                asked::{Asked, Load},
                observer,
                sides::sides,
                text::Said,
            },
        },
    },
    plan::Plan,
    report::text::span_of_time,
    results::Severity,
    units::words::plural,
};

/// What is said of rounds that a signal ended.
const CUT_BY_SIGNAL: &str = "interrupted: the figures are those of the rounds done";
/// What is said of rounds that a failure ended.
const CUT_BY_FAILURE: &str = "ended by a failure: the figures are those of the rounds done";

fn caution(text: &str) -> Said {
    (Severity::Caution, text.to_owned())
}

/// Carries it out.
pub(super) fn run(args: &VersusArgs, settings: Settings) -> ExitCode {
    let asked = match Asked::new(args) {
        Ok(asked) => asked,
        Err(problem) => return refuse(&problem),
    };
    let around = match Asked::settled(args, super::environment(settings)) {
        Ok(around) => around,
        Err(problem) => return refuse(&problem),
    };
    match signals::interrupt_flag() {
        Ok(interrupt) => carry_out(&asked, &around, &interrupt),
        Err(error) => {
            terminal::complain(&format!("iogauge: cannot watch for signals: {error}"));
            ExitCode::Failed
        }
    }
}

fn carry_out(asked: &Asked, around: &Environment, interrupt: &AtomicBool) -> ExitCode {
    match &asked.load {
        Load::Own(own) => load::run(sides(asked, own, around), asked, around, interrupt),
        Load::Line { face, args } => match personality::find(face) {
            Some(face) => line::run(face.as_ref(), args, asked, around, interrupt),
            None => super::unknown(face),
        },
    }
}

fn refuse(problem: &str) -> ExitCode {
    terminal::complain(&format!("iogauge: {problem}"));
    ExitCode::Usage
}

/// A sentence if both sides are one thing; that is allowed, and shows what chance does.
fn one_thing(sides: [&Path; 2]) -> Option<Said> {
    let [a, b] = sides.map(|path| host::look(path).ok()?.identity);
    let same = sides[0] == sides[1] || (a.is_some() && a == b);
    same.then(|| {
        let told = "A and B are one and the same: only chance can tell them apart";
        (Severity::Note, told.to_owned())
    })
}

/// How long the measured parts of a plan take; zero for one that ends otherwise.
fn length(plan: &Plan) -> Duration {
    plan.spans().map(observer::length).sum()
}

/// Says on standard error what is to come.
fn announce(asked: &Asked, rows: usize, length: Duration, around: &Environment) {
    if around.settings.quiet {
        return;
    }
    let rounds = asked.cycles.saturating_mul(4);
    let rows = plural(rows as u64, "row");
    let time = if length.is_zero() {
        String::new()
    } else {
        format!(", about {}", span_of_time(length))
    };
    terminal::complain(&format!("{rows}, {rounds} rounds each{time}"));
}
