//! What a run will do: complete and checked before anything is touched.
//!
//! A [`Plan`] is a list of [`Step`]s; a [`TimeSpan`] holds the targets and the groups of workers
//! that load them at the same time. No field is an `Option` that means "default": defaults belong
//! to the personality that made the plan. An `Option` here means "none" (no limit, no rate).

pub mod access;
pub mod condition;
pub mod describe;
mod events;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod load;
mod ping;
pub mod prepare;
pub mod sequence;
pub mod steady;
pub mod target;
mod unit;
pub mod validate;
mod visits;
pub mod wire;

use std::{path::Path, time::Duration};

pub use access::{AccessPattern, Distribution, EXPONENTS, Range, Ranks, Share, Skew};
pub use condition::Condition;
pub use describe::describe;
pub use events::Events;
pub use ioengine::{
    EngineKind,
    registry::{Assembly, ENGINES, Law, Polling},
};
pub use load::{
    Affinity, BlockSizes, Direction, Dispatch, FlushPolicy, OperationMix, Pacing, PauseFrom,
    Payload, Stream, WeightedSize, WorkerGroup,
};
pub use ping::Ping;
pub use prepare::{Cleanup, Content, FilePreparation, Policy, Prepare, Through, Whose};
pub use sequence::{
    AtEnd, Counted, Draws, Flushes, Operations, Order, SharedSequence, Verify, Watch,
};
pub use steady::Steady;
pub use target::{
    Access, Caching, Durability, Hints, MappedFlush, Opening, Priority, Target, TargetIndex,
};
pub use unit::greatest_common_divisor;
pub use visits::{Cached, Popularity, Visits};

/// Everything a run will do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// Who asked, in which words.
    pub origin: Origin,
    /// Which engine issues the I/O.
    pub engine: EngineChoice,
    /// What an I/O error does to the run.
    pub on_error: OnError,
    /// Names of devices or files that may be destroyed ("the consent option").
    pub consent: Vec<String>,
    /// Whose rules say what may be written without that.
    pub rules: WriteRules,
    /// How it and its surroundings tell each other of beginnings and ends.
    pub events: Events,
}

impl Plan {
    /// The time spans in order.
    pub fn spans(&self) -> impl Iterator<Item = &TimeSpan> {
        self.steps.iter().filter_map(|step| match step {
            Step::Run(span) => Some(span),
            Step::Prepare(_) | Step::Cleanup(_) => None,
        })
    }

    /// Every file and device that it makes or loads.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let made = self.steps.iter().flat_map(|step| match step {
            Step::Prepare(prepare) => &prepare.files[..],
            Step::Run(_) | Step::Cleanup(_) => &[],
        });
        let targets = self.spans().flat_map(|span| &span.targets);
        made.map(|file| file.path.as_path())
            .chain(targets.map(|target| target.path.as_path()))
    }
}

/// What may be written without consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteRules {
    /// A face's, as its original has it: naming a plain file is the consent.
    #[default]
    Named,
    /// Our own: files that the run makes and marked test files of ours, nothing else. Some room is
    /// left on each filesystem.
    Own,
}

/// Who made the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The personality: "diskspd", "native" ...
    pub personality: String,
    /// The command line as typed, joined by single blanks.
    pub command_line: String,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a plan has a handful of steps")]
pub enum Step {
    /// Make or extend files.
    Prepare(Prepare),
    /// Put load on targets for a time.
    Run(TimeSpan),
    /// Remove files that the plan made.
    Cleanup(Cleanup),
}

/// Which engine issues the I/O.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineChoice {
    /// The best that works here; the result names it.
    Auto,
    /// This one or none.
    Named(EngineKind),
    /// The simulated device with this law.
    Simulated(Law),
}

/// What an I/O error does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// Ends the run early with what it has.
    Stop,
    /// Is counted by errno; the run goes on.
    Continue,
}

/// Load on some targets for a time: warm-up, measured time, cool-down, without a break between; before
/// all of it perhaps a pause.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSpan {
    /// What it stands for in reports ("random read"); empty where there is no need to tell it apart.
    pub name: String,
    /// How long nothing is done before it, so that a device comes to rest.
    pub pause_before: Duration,
    /// Load before the measured time.
    pub warmup: Duration,
    /// What ends the measured time; the first limit reached does.
    pub stop: Stop,
    /// Load after the measured time.
    pub cooldown: Duration,
    /// Which I/Os count.
    pub counting: Counting,
    /// Length of an interval of the time series.
    pub interval: Duration,
    /// What the load goes to.
    pub targets: Vec<Target>,
    /// Who makes the load; all groups work at the same time.
    pub groups: Vec<WorkerGroup>,
    /// The requests that all workers draw from together. Such a span has no groups, and counts what
    /// it started ([`Counting::DrainAndCount`]).
    pub sequence: Option<Box<SharedSequence>>,
    /// Whole files that are opened, read and closed, instead of targets under load. Such a span has
    /// neither targets nor groups.
    pub visits: Option<Box<Visits>>,
    /// Where chance comes from.
    pub generator: Generator,
    /// How completions are found.
    pub polling: Polling,
    /// How throttled workers sleep.
    pub throttle_sleep: ThrottleSleep,
    /// The time that each initiating call took is measured too.
    pub initiation: bool,
    /// Each latency is also counted cut to whole milliseconds.
    pub whole_milliseconds: bool,
    /// Writes carry labelled sectors, and whatever is read is held against what was written.
    pub verify: bool,
}

impl TimeSpan {
    /// Workers in all groups.
    pub fn worker_count(&self) -> u32 {
        let shared = self.sequence.as_ref().map_or(0, |shared| shared.workers);
        let visitors = self.visits.as_ref().map_or(0, |visits| visits.visitors);
        let drawing = shared.saturating_add(visitors);
        self.groups
            .iter()
            .fold(drawing, |sum: u32, group| sum.saturating_add(group.workers))
    }

    /// The group of each worker and its number inside the group, in worker order.
    pub fn workers(&self) -> impl Iterator<Item = (&WorkerGroup, u32)> {
        self.groups
            .iter()
            .flat_map(|group| (0..group.workers).map(move |i| (group, i)))
    }
}

/// Limits of the measured time. `None` is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stop {
    /// After this time.
    pub after: Option<Duration>,
    /// After this many bytes over all workers.
    pub bytes: Option<u64>,
    /// After this many operations over all workers.
    pub operations: Option<u64>,
    /// After each sequential stream went over its range this often.
    pub passes: Option<u64>,
    /// As soon as the load is steady; the figures are then those of its steady windows.
    pub steady: Option<Steady>,
    /// As soon as one of these is met by the figures of an interval: the load ends early.
    pub fuse: Vec<Condition>,
}

impl Stop {
    /// Whether anything ends it that must come some time.
    pub fn ends(&self) -> bool {
        self.after.is_some()
            || self.bytes.is_some()
            || self.operations.is_some()
            || self.passes.is_some()
    }

    /// Whether figures are looked at while the load goes on.
    pub fn watches(&self) -> bool {
        self.steady.is_some() || !self.fuse.is_empty()
    }
}

/// Which I/Os count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Those that complete inside the measured time.
    CompletedInWindow,
    /// Those started inside it. They are waited for, and the last of them ends it.
    DrainAndCount,
}

/// Where chance comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    /// xoshiro256++, one stream a worker by jumps.
    Xoshiro {
        /// The run's seed.
        seed: u64,
    },
    /// `DiskSpd`'s generator, draw for draw; worker i uses seed + i.
    DiskSpd {
        /// The `-z` value.
        seed: u32,
    },
}

/// How long a worker sleeps when every slot is throttled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThrottleSleep {
    /// One millisecond at a time.
    Short,
    /// Until the next I/O is due, a tenth of a second at a time.
    UntilDue,
}
