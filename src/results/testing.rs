//! Made-up results, for tests of what is read off them.

use std::time::Duration;

use super::{Outcome, Prepared, Provenance, Results, SpanResult, StreamResult, WorkerResult};
use crate::{host::Machine, plan::Plan};

/// A time span that was measured for so long, and of which nothing else is known.
pub(crate) fn measured(time: Duration, workers: Vec<WorkerResult>) -> SpanResult {
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: time,
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: Vec::new(),
        workers,
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        verification: None,
        steady: None,
    }
}

/// Workers with one stream each.
pub(crate) fn one_each(streams: Vec<StreamResult>) -> Vec<WorkerResult> {
    let worker = |stream| WorkerResult {
        streams: vec![stream],
        ..WorkerResult::default()
    };
    streams.into_iter().map(worker).collect()
}

/// A run of these time spans in which nothing went wrong.
pub(crate) fn results(plan: Plan, spans: Vec<SpanResult>) -> Results {
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan,
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}
