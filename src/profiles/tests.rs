//! All built-in workloads, against the tables that they come from.

mod copies;
mod oltp;
mod options;
mod sizes;
mod whole;

use super::*;
use crate::{
    host::{Machine, parse_machine},
    plan::{
        EngineChoice, Events, OnError, Origin, Plan, Step, Stream, TimeSpan, WorkerGroup,
        WriteRules,
    },
};

/// The machine of the paper's example: 16 logical CPUs on each of two nodes.
const LARGE: &str = "lp=32,numa=2,sock=2,soft=4";
/// The small one.
const SMALL: &str = "lp=4,numa=1,sock=1,soft=1";

fn machine(text: &str) -> Machine {
    parse_machine(text).unwrap()
}

fn rate(per_second: f64) -> Rate {
    Rate {
        per_second,
        poisson: false,
    }
}

fn try_resolve(name: &str, wanted: &Wanted<'_>) -> Result<Resolved, String> {
    find(name, None).unwrap().resolve(wanted)
}

#[track_caller]
fn resolve(name: &str, wanted: &Wanted<'_>) -> Resolved {
    try_resolve(name, wanted).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Without what changes nothing, and with a rate where one is needed.
#[track_caller]
fn resolve_fitting(name: &str, wanted: &Wanted<'_>) -> Resolved {
    let profile = find(name, None).unwrap();
    let mut fitting = profile.fitting(wanted);
    if profile.needs_rate() && fitting.rate.is_none() {
        fitting.rate = Some(rate(1000.0));
    }
    resolve(name, &fitting)
}

fn span(resolved: &Resolved) -> &TimeSpan {
    &resolved.spans[0]
}

fn group<'a>(resolved: &'a Resolved, name: &str) -> &'a WorkerGroup {
    let mut groups = span(resolved).groups.iter();
    groups.find(|group| group.name == name).unwrap()
}

fn only_stream(resolved: &Resolved) -> &Stream {
    &span(resolved).groups[0].streams[0]
}

fn plan(resolved: &Resolved) -> Plan {
    Plan {
        steps: resolved.spans.iter().cloned().map(Step::Run).collect(),
        origin: Origin {
            personality: "native".into(),
            command_line: String::new(),
        },
        engine: EngineChoice::Auto,
        on_error: OnError::Stop,
        consent: Vec::new(),
        rules: WriteRules::Own,
        events: Events::default(),
    }
}
