//! Carries out a plan. The only folder that runs I/O.
//!
//! [`run`] walks the plan's steps on the calling thread: `prepare` makes files, `cleanup` removes
//! some, `span` opens targets, starts one thread a worker, keeps the phases by the clock and collects what the
//! workers counted. `worker` is the hot loop.

mod alignment;
mod allowance;
mod buffers;
mod check;
mod cleanup;
mod engine;
mod events;
mod gate;
mod lane;
mod make;
mod open;
mod pacing;
mod pause;
mod payload;
mod phases;
pub mod ping;
mod places;
mod prepare;
mod schedule;
mod seat;
mod sequence;
mod span;
#[cfg(test)]
mod tests;
mod timeline;
mod trailer;
mod verification;
mod visits;
mod watch;
mod windows;
mod worker;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use ioengine::clock;

use crate::{
    guard,
    host::Machine,
    plan::{EngineChoice, Plan, Prepare, Step, TimeSpan, Whose},
    results::{
        EndReason, Event, Failure, Finding, Observer, Outcome, Prepared, Provenance, ReadBack,
        Results, SpanResult, Stage, Subject, TargetResult,
    },
};

/// What a run needs besides its plan.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The machine's facts.
    pub machine: &'a Machine,
    /// Becomes true when the run shall end early.
    pub interrupt: &'a AtomicBool,
}

impl Surroundings<'_> {
    fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Says which time span follows what was measured so far; `None` once enough was.
pub type Next<'a> = dyn FnMut(&Results) -> Option<TimeSpan> + 'a;

/// Carries out `plan`. Never fails as a whole: what went wrong is in the results, with everything
/// that was measured before.
pub fn run(plan: &Plan, around: Surroundings<'_>, observer: &mut dyn Observer) -> Results {
    run_on(plan, around, observer, &mut |_| None)
}

/// The same, where further time spans depend on what the ones before measured: `next` is asked behind
/// the plan's last time span, again and again, while nothing ended the run. The plan in the results
/// is the one that was carried out.
pub fn run_on(
    plan: &Plan,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
    next: &mut Next<'_>,
) -> Results {
    let mut results = Results {
        provenance: Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: clock::wall(),
            machine: around.machine.clone(),
        },
        plan: plan.clone(),
        spans: Vec::new(),
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    };
    observer.observe(&Event::Begins);
    let _ = ioengine::sys::raise_open_files_limit();
    ioengine::sys::share_heap_if_limited();
    let mut walk = Walk {
        plan,
        around,
        observer,
        made: prepare::Made::by(plan),
        tables: verification::Tables::new(),
        ended: None,
    };
    walk.refuse_what_may_not_be_written();
    if walk.ended.is_none() && touches_files(plan) {
        walk.made.begin(plan);
    }
    events::clear(&plan.events);
    let planned = plan
        .steps
        .iter()
        .rposition(|step| matches!(step, Step::Run(_)));
    let (before, after) = plan
        .steps
        .split_at(planned.map_or(plan.steps.len(), |last| last + 1));
    for step in before {
        walk.step(step, &mut results);
    }
    while planned.is_some()
        && walk.ended.is_none()
        && let Some(span) = next(&results)
    {
        let step = Step::Run(span);
        walk.step_on(&step, &mut results);
        let measured = results.plan.steps.len() - after.len();
        results.plan.steps.insert(measured, step);
    }
    for step in after {
        walk.step(step, &mut results);
    }
    walk.made.settle();
    if let Some((reason, failures)) = walk.ended {
        results.ended = Some(reason);
        // What no time span could tell.
        results.failures.extend(failures);
    }
    results
}

/// False if the plan runs on an engine that opens nothing: then nothing is made or removed for it
/// either. Files alone are made and removed whatever engine was named.
fn touches_files(plan: &Plan) -> bool {
    engine::uses_files(&plan.engine) || plan.spans().next().is_none()
}

/// More refusals than these are alike most often: the first one, and how many more there are.
const REFUSALS_TOLD: usize = 4;

/// Refusals as failures.
fn refused(refusals: Vec<guard::Refusal>) -> Vec<Failure> {
    let more = refusals.len().saturating_sub(1);
    let alike = refusals.len() > REFUSALS_TOLD;
    let told = if alike { 1 } else { refusals.len() };
    let failure = |refusal: guard::Refusal| Failure {
        stage: Stage::Guard,
        worker: None,
        target: Some(refusal.target),
        errno: None,
        subject: Subject::Other,
        message: if alike {
            format!("{} (and {more} more targets are refused)", refusal.message)
        } else {
            refusal.message
        },
    };
    refusals.into_iter().take(told).map(failure).collect()
}

/// The state of a walk over the steps.
struct Walk<'a, 'o> {
    plan: &'a Plan,
    around: Surroundings<'a>,
    observer: &'o mut dyn Observer,
    made: prepare::Made,
    /// What verified targets hold.
    tables: verification::Tables,
    /// Why the steps that follow are not carried out, and what to say in the first of them.
    ended: Option<(EndReason, Vec<Failure>)>,
}

impl Walk<'_, '_> {
    /// Everything that can be refused without touching a target is refused before the first step.
    fn refuse_what_may_not_be_written(&mut self) {
        self.refuse(self.plan);
    }

    fn refuse(&mut self, plan: &Plan) {
        let mut failures = check::unsupported(plan);
        if failures.is_empty() && touches_files(plan) {
            let probe = guard::System::default();
            for message in guard::warnings(plan, &probe) {
                self.observer.observe(&Event::Warning { message: &message });
            }
            failures.extend(refused(guard::check(plan, &probe)));
            if failures.is_empty() {
                failures.extend(alignment::refused(plan));
            }
        }
        if !failures.is_empty() {
            self.ended = Some((EndReason::Failed, failures));
        }
    }

    /// A step that was not in the plan from the beginning is held to the same rules.
    fn step_on(&mut self, step: &Step, results: &mut Results) {
        self.refuse(&Plan {
            steps: vec![step.clone()],
            ..self.plan.clone()
        });
        self.step(step, results);
    }

    fn step(&mut self, step: &Step, results: &mut Results) {
        match step {
            Step::Prepare(prepare) => {
                let begin = clock::now();
                results.prepared.bytes += self.prepare(prepare);
                results.prepared.took += Duration::from_nanos(clock::now().since(begin));
            }
            Step::Run(span) => {
                let number = results.spans.len() + 1;
                let (result, findings) = self.span(span, number);
                results.findings.extend(findings);
                results.spans.push(result);
            }
            Step::Cleanup(cleanup) => match cleanup.whose {
                Whose::Own => self.made.remove(&cleanup.paths),
                Whose::Named => results.failures.extend(self.clean_up(&cleanup.paths)),
            },
        }
    }

    /// Makes files, one after the other; returns how many bytes were written.
    fn prepare(&mut self, prepare: &Prepare) -> u64 {
        if !self.goes_on() {
            return 0;
        }
        self.observer.observe(&Event::PreparationBegins);
        let mut bytes = 0;
        for file in &prepare.files {
            if self.interrupted() {
                break;
            }
            let made = (&mut self.made, &mut self.tables);
            match prepare::make(file, self.around, self.observer, made) {
                Ok(written) => bytes += written,
                Err(prepare::Stopped::Interrupted) => {
                    self.interrupted();
                    break;
                }
                Err(prepare::Stopped::Failed(failure)) => {
                    self.ended = Some((EndReason::Failed, vec![failure]));
                    break;
                }
            }
        }
        bytes
    }

    /// Removes what was named; what cannot be removed keeps nothing else from going.
    fn clean_up(&mut self, paths: &[PathBuf]) -> Vec<Failure> {
        if !self.goes_on() {
            return Vec::new();
        }
        self.observer.observe(&Event::CleanupBegins);
        let mut failures = Vec::new();
        for path in paths {
            if self.interrupted() {
                break;
            }
            failures.extend(cleanup::remove(path).err());
        }
        failures
    }

    /// True if files are to be made or removed now.
    fn goes_on(&self) -> bool {
        self.ended.is_none() && touches_files(self.plan)
    }

    /// True once a signal came; the walk ends with it.
    fn interrupted(&mut self) -> bool {
        let interrupted = self.around.interrupted();
        if interrupted {
            self.observer.observe(&Event::Interrupted);
            self.ended = Some((EndReason::Interrupted, Vec::new()));
        }
        interrupted
    }

    fn span(&mut self, span: &TimeSpan, number: usize) -> (SpanResult, Vec<Finding>) {
        let prepared = self.made.take_time();
        if self.ended.is_none() {
            let simulated = matches!(self.plan.engine, EngineChoice::Simulated(_));
            // Nobody waits for time that is not the machine's.
            if !simulated {
                pause::wait(span.pause_before, self.around.interrupt, self.observer);
            }
            if self.around.interrupted() {
                self.ended = Some((EndReason::Interrupted, Vec::new()));
            }
        }
        let (mut result, findings) = if let Some((reason, failures)) = &mut self.ended {
            (
                not_measured(span, *reason, std::mem::take(failures)),
                Vec::new(),
            )
        } else {
            self.observer.observe(&Event::SpanBegins { number });
            let anew = if touches_files(self.plan) {
                self.made.anew(span)
            } else {
                Vec::new()
            };
            let (result, findings) = span::run(
                self.plan,
                span,
                self.around,
                &mut self.tables,
                self.observer,
            );
            if !span.verify {
                self.tables.spoil(span);
            }
            self.made.adopt(anew);
            let partly = result.verification.as_ref().is_some_and(|seen| {
                matches!(seen.read_back, ReadBack::Partly { .. }) && self.around.interrupted()
            });
            if partly {
                self.ended = Some((EndReason::Interrupted, Vec::new()));
            }
            self.observer.observe(&Event::SpanEnds { number });
            match result.outcome {
                Outcome::Finished => {}
                Outcome::EndedEarly(reason) | Outcome::NotMeasured(reason) => {
                    self.ended = Some((reason, Vec::new()));
                }
            }
            (result, findings)
        };
        result.prepared = prepared;
        (result, findings)
    }
}

/// A span without figures.
fn not_measured(span: &TimeSpan, reason: EndReason, failures: Vec<Failure>) -> SpanResult {
    let target = |target: &crate::plan::Target| TargetResult {
        label: target.label.clone(),
        size: 0,
        kind: None,
        filesystem: None,
        device: None,
    };
    SpanResult {
        outcome: Outcome::NotMeasured(reason),
        failures,
        measured: std::time::Duration::ZERO,
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: span.targets.iter().map(target).collect(),
        workers: Vec::new(),
        prepared: std::time::Duration::ZERO,
        opening: std::time::Duration::ZERO,
        segments: Vec::new(),
        verification: None,
        steady: None,
    }
}
