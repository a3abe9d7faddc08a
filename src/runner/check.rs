//! What a plan can say and the runner cannot do yet: refused before anything is touched.

use crate::{
    plan::{Counting, FlushPolicy, Pacing, Plan},
    results::{Failure, Stage},
};

/// One failure for each thing that this version does not carry out.
pub(super) fn unsupported(plan: &Plan) -> Vec<Failure> {
    let mut missing: Vec<&str> = Vec::new();
    for span in plan.spans() {
        let stop = span.stop;
        if stop.after.is_none()
            || stop.bytes.is_some()
            || stop.operations.is_some()
            || stop.passes.is_some()
        {
            missing.push("limits other than a time");
        }
        if span.counting != Counting::CompletedInWindow {
            missing.push("counting of I/Os that complete after the measured time");
        }
        for stream in span.groups.iter().flat_map(|group| &group.streams) {
            if matches!(stream.pacing, Pacing::Arrivals { .. }) {
                missing.push("open-loop arrivals");
            }
            if stream.mix.flush != FlushPolicy::Never {
                missing.push("flushes between I/Os");
            }
            if stream.copies.is_some() {
                missing.push("streams that copy");
            }
        }
    }
    missing.sort_unstable();
    missing.dedup();
    let failure = |what: &str| Failure {
        stage: Stage::Open,
        worker: None,
        target: None,
        errno: None,
        message: format!("this version does not carry out {what}"),
    };
    let mut failures: Vec<Failure> = missing.into_iter().map(failure).collect();
    if let Err(error) = crate::plan::validate::validate(plan) {
        failures.push(Failure {
            stage: Stage::Open,
            worker: None,
            target: None,
            errno: None,
            message: error.to_string(),
        });
    }
    failures
}
