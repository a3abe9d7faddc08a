//! What the runner says while it works, and who listens.

use std::time::Duration;

use super::{IntervalFigures, OperationKind, Segment, WindowFigures};

/// Something that happened during a run. Times are the machine's.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A time span begins, counted from 1.
    SpanBegins {
        /// Its number.
        number: usize,
    },
    /// Nothing is done before the next time span; at most a few times a second.
    Pausing {
        /// For so long yet.
        left: Duration,
    },
    /// The run begins; nothing was touched yet.
    Begins,
    /// Files are going to be made.
    PreparationBegins,
    /// A file is being made.
    Preparing {
        /// The file as typed.
        label: &'a str,
        /// Bytes to write.
        size: u64,
        /// Bytes that it has.
        kept: u64,
    },
    /// A file is there already, and stays as it is.
    Kept {
        /// The file as typed.
        label: &'a str,
    },
    /// Files are going to be removed.
    CleanupBegins,
    /// A target is going to be opened.
    Opening {
        /// The target as typed.
        label: &'a str,
    },
    /// All targets are open; workers are going to be made.
    TargetsOpen,
    /// How far it is; at most a few times a second.
    PrepareProgress {
        /// The file as typed.
        label: &'a str,
        /// Bytes written.
        done: u64,
        /// Bytes to write.
        size: u64,
    },
    /// The file is there.
    Prepared {
        /// The file as typed.
        label: &'a str,
        /// Bytes written.
        size: u64,
        /// Time it took.
        took: Duration,
    },
    /// What was written is read back, as far as here; at most a few times a second.
    ReadBack {
        /// The target as typed.
        label: &'a str,
        /// Bytes read.
        done: u64,
        /// Bytes to read.
        size: u64,
    },
    /// A worker was made.
    WorkerCreated {
        /// Its number.
        worker: usize,
    },
    /// Warm-up begins.
    Warmup {
        /// Its planned length.
        length: Duration,
    },
    /// The measured time begins.
    Measuring {
        /// Its planned length; `None` without a time limit.
        length: Option<Duration>,
    },
    /// The measured time is over.
    Measured {
        /// Its length.
        length: Duration,
    },
    /// Cool-down begins.
    Cooldown {
        /// Its planned length.
        length: Duration,
    },
    /// All workers are done.
    SpanEnds {
        /// Its number.
        number: usize,
    },
    /// A signal ends the run early.
    Interrupted,
    /// A worker is ready and waits for the others.
    WorkerReady {
        /// Its number.
        worker: usize,
    },
    /// A worker was given a request of the shared sequence, if the plan asks to be told.
    Request(Asked),
    /// An interval is over, of a load that tells them.
    Interval(&'a IntervalFigures),
    /// An interval of the measured time is over, of a load whose intervals somebody looks at.
    Window(&'a WindowFigures),
    /// A checkpoint: figures so far, which start anew.
    Checkpoint(&'a Segment),
    /// A worker of a shared sequence ended.
    WorkerEnded {
        /// Its number.
        worker: usize,
        /// What ended it.
        by: Limit,
    },
    /// Completions so far, worker by worker, since the load began; many times a second.
    Progress {
        /// One count a worker.
        completions: &'a [u64],
    },
    /// Something the user should know, once.
    Warning {
        /// A sentence.
        message: &'a str,
    },
}

/// A request of a shared sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// What it does.
    pub operation: OperationKind,
    /// Index of the target.
    pub target: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes; 0 for a flush.
    pub length: u32,
}

/// What ended a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The time limit.
    Time,
    /// The limit of operations.
    Operations,
    /// There is nothing more in the sequence.
    Pass,
    /// A failure, its own or another's.
    Failure,
    /// A signal.
    Interrupt,
}

/// Wall-clock time since 1970-01-01 UTC, for observers that stamp what they show.
pub fn wall_clock() -> Duration {
    ioengine::clock::wall()
}

/// Time since some moment, which nobody sets: for observers that measure how long something takes.
pub fn steady_clock() -> Duration {
    Duration::from_nanos(ioengine::clock::now().0)
}

/// Whoever watches a run while it happens.
pub trait Observer {
    /// Called on the thread that drives the run, never on a worker.
    fn observe(&mut self, event: &Event<'_>);

    /// Whether it looks at [`Event::Window`], for which workers count everything twice.
    fn looks_at_windows(&self) -> bool {
        false
    }
}

/// Watches and says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _event: &Event<'_>) {}
}
