//! What the runner says while it works, and who listens.

use std::time::Duration;

/// Something that happened during a run. Times are the machine's.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A time span begins, counted from 1.
    SpanBegins {
        /// Its number.
        number: usize,
    },
    /// A file is being made.
    Preparing {
        /// The file as typed.
        label: &'a str,
        /// Bytes to write.
        size: u64,
    },
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

/// Wall-clock time since 1970-01-01 UTC, for observers that stamp what they show.
pub fn wall_clock() -> Duration {
    ioengine::clock::wall()
}

/// Whoever watches a run while it happens.
pub trait Observer {
    /// Called on the thread that drives the run, never on a worker.
    fn observe(&mut self, event: &Event<'_>);
}

/// Watches and says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _event: &Event<'_>) {}
}
