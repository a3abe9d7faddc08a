//! Visits of files: one thread a visitor, each opening, reading and closing one file after the
//! other. The phases are those of every load; `visitor` is the loop.

#[cfg(test)]
mod tests;
mod visitor;

use std::{
    collections::BTreeSet,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ioengine::{FileKind, clock, sys::AccessTime};

use super::{
    Surroundings,
    gate::{Gate, Start},
    not_measured,
    phases::Phases,
    span::{self, Running, STACK, open_failure},
    timeline::Timeline,
};
use crate::{
    host,
    measure::{IntervalSeries, Latency, OperationStats},
    offsets::Popular,
    plan::{Cached, Plan, TimeSpan, Visits},
    results::{
        EndReason, Event, Failure, Finding, Observer, SpanResult, StreamResult, TargetResult,
    },
};
use visitor::Visitor;

/// What results call the way in which files are read.
const ENGINE: &str = "files";

/// Runs a time span of visits.
pub(super) fn run(
    plan: &Plan,
    span: &TimeSpan,
    visits: &Visits,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
) -> (SpanResult, Vec<Finding>) {
    let began = clock::now();
    let popular = Popular::of(visits);
    let memory = bytes_of_a_visitor(span, visits).saturating_mul(visits.visitors.into());
    let refused = span::too_many_threads(visits.visitors, 0).or_else(|| {
        let need = memory.saturating_add(popular.bytes());
        span::too_little_memory(visits.visitors as usize, need)
    });
    if let Some(failure) = refused {
        let result = not_measured(span, EndReason::Failed, vec![failure]);
        return (result, Vec::new());
    }
    if visits.cached == Cached::Filled {
        fill_cache(visits, around);
    }
    let target = target(visits);
    observer.observe(&Event::TargetsOpen);
    let timeline = Arc::new(Timeline::new());
    let gate = Arc::new(Gate::default());
    let crew = Crew {
        plan,
        span,
        visits,
        popular,
        timeline: &timeline,
        gate: &gate,
    };
    let (running, mut failures) = crew.start(observer);
    let opening = Duration::from_nanos(clock::now().since(began));
    let mut cpus = Vec::new();
    if failures.is_empty() {
        let mut phases = Phases {
            span,
            events: &plan.events,
            virtual_clock: false,
            timeline: &timeline,
            around,
            observer,
            running: &running,
            allowances: &[],
            watch: None,
            blown: None,
        };
        cpus = phases.keep(&gate);
    } else {
        gate.open(Start::Never);
    }
    span::once(&mut failures);
    let started = failures.is_empty();
    let mut result = not_measured(span, EndReason::Failed, failures);
    result.targets = vec![target];
    result.opening = opening;
    ENGINE.clone_into(&mut result.engine);
    result.cpus = cpus;
    if started {
        result.measured = timeline.measured();
    }
    let late_ns = span::collect(running, &mut result);
    // What several visitors met is told once.
    once_a_kind(&mut result.failures);
    result.outcome = span::outcome(span, &result, &timeline, around);
    let late = span::late(&result, late_ns);
    (result, late.into_iter().collect())
}

/// Address space that a visitor takes, about.
fn bytes_of_a_visitor(span: &TimeSpan, visits: &Visits) -> u64 {
    let measured = span.stop.after.unwrap_or_default();
    let series = IntervalSeries::bytes(span.interval, measured);
    let figures = 2 * Latency::BYTES;
    STACK as u64 + u64::from(visits.chunk) + figures + series
}

/// Reads each file once. What goes wrong here goes wrong again, and is told, when it is visited.
fn fill_cache(visits: &Visits, around: Surroundings<'_>) {
    let mut buffer = vec![0; visits.chunk as usize];
    let mut time = AccessTime::Kept;
    for path in &*visits.files {
        if around.interrupted() {
            return;
        }
        let Ok(mut file) = visitor::open(path, &mut time) else {
            continue;
        };
        let regular = file.metadata().is_ok_and(|data| data.is_file());
        while regular && file.read(&mut buffer).is_ok_and(|count| count > 0) {
            if around.interrupted() {
                return;
            }
        }
    }
}

/// All the files as one target: the folder that holds them.
fn target(visits: &Visits) -> TargetResult {
    let folder = common_folder(&visits.files);
    TargetResult {
        label: folder.display().to_string(),
        size: 0,
        kind: Some(FileKind::Folder),
        filesystem: host::filesystem(&folder),
        device: host::device_of(&folder),
    }
}

/// The deepest folder that holds all of them.
fn common_folder(files: &[PathBuf]) -> PathBuf {
    let mut files = files.iter();
    let first = files.next().and_then(|path| path.parent());
    let mut folder = first.unwrap_or(Path::new(""));
    for file in files {
        while !file.starts_with(folder) {
            folder = folder.parent().unwrap_or(Path::new(""));
        }
    }
    if folder == Path::new("") {
        folder = Path::new(".");
    }
    folder.to_path_buf()
}

/// One failure for each kind of trouble, with the file that the first visitor met it at.
fn once_a_kind(failures: &mut Vec<Failure>) {
    let mut said = BTreeSet::new();
    failures.retain(|failure| failure.worker.is_none() || said.insert(failure.errno));
}

/// What all visitors share.
struct Crew<'a> {
    plan: &'a Plan,
    span: &'a TimeSpan,
    visits: &'a Visits,
    popular: Popular,
    timeline: &'a Arc<Timeline>,
    gate: &'a Arc<Gate>,
}

impl Crew<'_> {
    /// Starts all visitors, which wait at the gate; returns what kept any of them from it.
    fn start(&self, observer: &mut dyn Observer) -> (Vec<Running>, Vec<Failure>) {
        let mut running = Vec::with_capacity(self.visits.visitors as usize);
        for number in 0..self.visits.visitors {
            let worker = number as usize;
            observer.observe(&Event::WorkerCreated { worker });
            match self.visitor(number).and_then(|visitor| self.seat(visitor)) {
                Ok(visitor) => running.push(visitor),
                Err(failure) => return (running, vec![failure]),
            }
        }
        (running, Vec::new())
    }

    /// A visitor with all the memory that it will use.
    fn visitor(&self, number: u32) -> Result<Visitor, Failure> {
        let chunk = self.visits.chunk as usize;
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(chunk).map_err(|error| {
            let message = format!("cannot allocate a buffer for visitor {number}: {error}");
            open_failure(Some(number as usize), message)
        })?;
        buffer.resize(chunk, 0);
        let measured = self.span.stop.after.unwrap_or_default();
        let series = IntervalSeries::new(self.span.interval, measured);
        let mut read = OperationStats::new(series);
        read.latency.reserve();
        read.initiation.reserve();
        Ok(Visitor {
            number: number as usize,
            files: Arc::clone(&self.visits.files),
            choices: self.popular.choices(self.span.generator, number),
            cached: self.visits.cached,
            buffer,
            result: StreamResult {
                read,
                ..StreamResult::default()
            },
            timeline: Arc::clone(self.timeline),
            progress: Arc::default(),
            on_error: self.plan.on_error,
        })
    }

    /// Gives a visitor its thread.
    fn seat(&self, visitor: Visitor) -> Result<Running, Failure> {
        let number = visitor.number;
        let progress = Arc::clone(&visitor.progress);
        let gate = Arc::clone(self.gate);
        let body = move || match gate.wait() {
            Start::At(_) => Some(visitor.run()),
            Start::Never => None,
        };
        let thread = span::start_thread(number, body)?;
        Ok(Running {
            progress,
            cpu: None,
            thread,
        })
    }
}
