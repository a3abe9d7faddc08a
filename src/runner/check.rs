//! What a plan can say and the runner cannot do yet: refused before anything is touched.

use ioengine::FileKind;

use crate::{
    plan::{Counting, EngineChoice, EngineKind, Plan, Stop, Stream, TimeSpan, WorkerGroup},
    results::{Failure, Stage, Subject},
};

/// One failure for each thing that this version does not carry out.
pub(super) fn unsupported(plan: &Plan) -> Vec<Failure> {
    let mut missing: Vec<&str> = Vec::new();
    for span in plan.spans() {
        if span.visits.is_some() {
            missing.extend(unsupported_visits(plan, span));
            continue;
        }
        if span.sequence.is_some() {
            missing.extend(unsupported_in_a_sequence(plan, span));
            continue;
        }
        if span.counting == Counting::DrainAndCount && !span.cooldown.is_zero() {
            missing.push("a cool-down behind I/Os that are waited for");
        }
        let simulated = matches!(plan.engine, EngineChoice::Simulated(_));
        if simulated {
            missing.extend(watched_limits(&span.stop, SIMULATED));
        }
        if simulated && !every_worker_ends(span) {
            missing.push("a limit of passes on simulated devices where a thread has none to make");
        }
    }
    missing.sort_unstable();
    missing.dedup();
    let failure = |what: &str| Failure {
        stage: Stage::Open,
        worker: None,
        target: None,
        errno: None,
        subject: Subject::Other,
        message: format!("this version does not carry out {what}"),
    };
    let mut failures: Vec<Failure> = missing.into_iter().map(failure).collect();
    failures.extend(nothing_to_verify(plan));
    failures.extend(mapped_devices(plan));
    if let Err(error) = crate::plan::validate::validate(plan) {
        failures.push(Failure {
            stage: Stage::Open,
            worker: None,
            target: None,
            errno: None,
            subject: Subject::Other,
            message: error.to_string(),
        });
    }
    failures
}

/// What visits of files cannot have.
fn unsupported_visits(plan: &Plan, span: &TimeSpan) -> Vec<&'static str> {
    let stop = &span.stop;
    let mut missing = Vec::new();
    missing.extend(watched_limits(stop, VISITS));
    if stop.bytes.is_some() || stop.operations.is_some() || stop.passes.is_some() {
        missing.push("limits of visits other than a time");
    }
    if plan.engine != EngineChoice::Auto {
        missing.push("visits of files by an engine");
    }
    missing
}

/// Ends that look at figures while the load goes on, of a load whose figures come too late: until
/// steady, and a fuse.
type Watched = [&'static str; 2];

const VISITS: Watched = [
    "visits of files until they are steady",
    "a fuse (--stop-if) of visits of files",
];
const SEQUENCE: Watched = [
    "a shared sequence until it is steady",
    "a fuse (--stop-if) of a shared sequence",
];
const SIMULATED: Watched = [
    "a load until it is steady on a simulated device",
    "a fuse (--stop-if) on a simulated device",
];

fn watched_limits(stop: &Stop, [steady, fuse]: Watched) -> impl Iterator<Item = &'static str> {
    let steady = stop.steady.map(|_| steady);
    let fuse = (!stop.fuse.is_empty()).then_some(fuse);
    steady.into_iter().chain(fuse)
}

/// Simulated workers have clocks of their own: none can wait for the passes of another.
fn every_worker_ends(span: &TimeSpan) -> bool {
    let stop = &span.stop;
    let otherwise = stop.after.is_some() || stop.bytes.is_some() || stop.operations.is_some();
    let walks = |group: &WorkerGroup| group.streams.iter().any(Stream::makes_passes);
    stop.passes.is_none() || otherwise || span.groups.iter().all(walks)
}

/// What a shared sequence cannot have.
fn unsupported_in_a_sequence(plan: &Plan, span: &TimeSpan) -> Vec<&'static str> {
    let stop = &span.stop;
    let mut missing = Vec::new();
    missing.extend(watched_limits(stop, SEQUENCE));
    if stop.bytes.is_some() || stop.passes.is_some() {
        missing.push("limits of bytes and passes of a shared sequence");
    }
    let watch = span.sequence.as_ref().map(|sequence| &sequence.watch);
    let watched = watch.is_some_and(|w| w.intervals.is_some() || !w.checkpoints.is_empty());
    if matches!(plan.engine, EngineChoice::Simulated(_)) && (watched || !span.warmup.is_zero()) {
        missing.push("warm-up, intervals and checkpoints on a simulated device");
    }
    if !span.cooldown.is_zero() {
        missing.push("a cool-down of a shared sequence");
    }
    if span.initiation || span.whole_milliseconds {
        missing.push("initiation times and whole milliseconds of a shared sequence");
    }
    missing
}

/// What keeps no data cannot be held against what was written.
fn nothing_to_verify(plan: &Plan) -> Option<Failure> {
    let real = super::engine::uses_files(&plan.engine);
    let verified = plan.spans().any(|span| span.verify);
    (verified && !real).then(|| Failure {
        stage: Stage::Open,
        worker: None,
        target: None,
        errno: None,
        subject: Subject::Other,
        message: "--verify needs a real target: engines null and sim keep no data".to_owned(),
    })
}

/// A mapping of a device can never work: told before anybody consents to what it would destroy.
fn mapped_devices(plan: &Plan) -> Vec<Failure> {
    let by_engine = plan.engine == EngineChoice::Named(EngineKind::Mmap);
    let mut failures = Vec::new();
    for target in plan.spans().flat_map(|span| &span.targets) {
        let device = || {
            ioengine::sys::path_kind(&target.path, true)
                .is_ok_and(|kind| kind == FileKind::BlockDevice)
        };
        if (by_engine || target.mapped.is_some()) && device() {
            failures.push(Failure {
                stage: Stage::Open,
                worker: None,
                target: Some(target.label.clone()),
                errno: None,
                subject: Subject::Other,
                message: format!(
                    "{}: memory-mapped I/O works on plain files, and this is a block device",
                    target.label
                ),
            });
        }
    }
    failures
}
