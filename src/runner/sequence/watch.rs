//! The driving thread while the workers of a shared sequence work: looks for signals, takes
//! figures at intervals and checkpoints, leaves behind who does not end.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

use ioengine::{Nanos, clock};

use super::{
    Load, Message, Running,
    shared::Shared,
    tally::{self, Counts},
};
use crate::{
    host::{self, CpuUse},
    results::{Event, IntervalFigures, Observer, Segment, StreamResult},
    runner::{
        Surroundings,
        gate::{Gate, Start},
        phases::clocks_disagree,
        span::SIMULATED_START,
    },
};

/// How often signals are looked at.
pub(super) const TICK: Duration = Duration::from_millis(20);

pub(super) struct Watcher<'a, 'o> {
    pub(super) load: &'a Load<'a>,
    pub(super) shared: &'a Shared,
    pub(super) running: &'a [Running],
    pub(super) messages: &'a Receiver<Message>,
    pub(super) around: Surroundings<'a>,
    pub(super) observer: &'o mut dyn Observer,
}

/// What the driving thread saw.
pub(super) struct Watched {
    /// When all was open and the workers were let go.
    pub(super) opened: Nanos,
    /// When the measured time began.
    pub(super) start: Nanos,
    /// What was taken at checkpoints.
    pub(super) segments: Vec<Segment>,
    /// What each worker had counted until the last checkpoint.
    pub(super) workers: Vec<StreamResult>,
    /// False if the load ended in the warm-up.
    pub(super) measured: bool,
    /// Some workers did not end.
    pub(super) left_behind: bool,
    pub(super) cpus: Vec<CpuUse>,
}

/// What is due when, in the order of time.
struct Schedule {
    start: Nanos,
    warmup_ends: Option<Nanos>,
    limit: Nanos,
    interval: Option<Duration>,
    intervals_told: u32,
    checkpoints: Vec<Duration>,
    told: IntervalsSoFar,
    /// What the interval under way had seen when a checkpoint took the counts.
    carried: IntervalsSoFar,
}

/// Figures up to the last interval, since the last checkpoint.
#[derive(Debug, Clone, Copy, Default)]
struct IntervalsSoFar {
    at: Nanos,
    read_bytes: u64,
    written_bytes: u64,
    flushes: u64,
}

impl Watcher<'_, '_> {
    /// Lets the workers go and follows them to their end.
    pub(super) fn watch(mut self, gate: &Gate) -> Watched {
        let span = self.load.span;
        let virtual_clock = self.load.virtual_clock();
        let opened = clock::now();
        let start = if virtual_clock {
            SIMULATED_START
        } else {
            opened
        };
        let measured_from = start.after(span.warmup);
        let limit = span
            .stop
            .after
            .map_or(Nanos::NEVER, |after| measured_from.after(after));
        self.shared.begin(start, limit);
        if self.around.interrupted() {
            self.shared.interrupt();
            self.observer.observe(&Event::Interrupted);
        }
        let clocks = clock::both();
        let before = host::cpu_times();
        self.observer.observe(&Event::Measuring {
            length: span.stop.after,
        });
        gate.open(Start::At(start));
        let warms_up = !span.warmup.is_zero() && !virtual_clock;
        let mut schedule = Schedule {
            start: measured_from,
            warmup_ends: warms_up.then_some(measured_from),
            limit,
            interval: self.load.sequence.watch.intervals,
            intervals_told: 0,
            checkpoints: self.load.sequence.watch.checkpoints.clone(),
            told: IntervalsSoFar {
                at: measured_from,
                ..IntervalsSoFar::default()
            },
            carried: IntervalsSoFar::default(),
        };
        let mut watched = Watched {
            opened,
            start: measured_from,
            segments: Vec::new(),
            workers: vec![StreamResult::default(); self.running.len()],
            measured: true,
            left_behind: false,
            cpus: Vec::new(),
        };
        self.follow(&mut schedule, &mut watched, virtual_clock);
        watched.cpus = host::cpu_times().since(&before);
        let end = clock::both();
        let message = clocks_disagree(end.0.since(clocks.0), end.1.since(clocks.1));
        if let Some(message) = message {
            self.observer.observe(&Event::Warning { message: &message });
        }
        watched
    }

    fn follow(&mut self, schedule: &mut Schedule, watched: &mut Watched, virtual_clock: bool) {
        let mut left = self.running.len();
        let grace = self.load.sequence.grace;
        let leave_at = grace.map_or(Nanos::NEVER, |grace| schedule.limit.after(grace));
        let mut interrupted = self.shared.ended().is_some();
        while left > 0 {
            let now = clock::now();
            let next = if virtual_clock {
                Nanos::NEVER
            } else {
                self.what_is_due(schedule, watched, now)
            };
            if !interrupted && self.around.interrupted() {
                interrupted = true;
                self.shared.interrupt();
                self.observer.observe(&Event::Interrupted);
            }
            if now >= leave_at && !virtual_clock {
                watched.left_behind = true;
                return;
            }
            let until = next.min(leave_at).min(now.after(TICK));
            let wait = Duration::from_nanos(until.since(clock::now()));
            match self.messages.recv_timeout(wait) {
                Ok(Message::Done) => left -= 1,
                Ok(Message::Request(asked)) => self.observer.observe(&Event::Request(asked)),
                Ok(Message::Ready(..)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // A thread that died, or whose word found no room, has ended too.
            if self
                .running
                .iter()
                .all(|worker| worker.thread.is_finished())
            {
                break;
            }
        }
        while let Ok(message) = self.messages.try_recv() {
            if let Message::Request(asked) = message {
                self.observer.observe(&Event::Request(asked));
            }
        }
        if schedule.warmup_ends.is_some() {
            self.take_all(|_, _| {});
            end_warmup(schedule, watched, clock::now());
            watched.measured = false;
        }
        // The interval that ends with the time limit is over with it.
        let whole = schedule.next_interval() == Some(schedule.limit);
        if whole && !virtual_clock && clock::now() >= schedule.limit {
            self.interval(schedule, schedule.limit);
        }
    }

    /// Tells what is due; returns when the next thing is.
    fn what_is_due(&mut self, schedule: &mut Schedule, watched: &mut Watched, now: Nanos) -> Nanos {
        if let Some(end) = schedule.warmup_ends {
            if now < end {
                return end;
            }
            let limit = self.load.span.stop.operations;
            self.shared.end_warmup(limit, || self.take_all(|_, _| {}));
            end_warmup(schedule, watched, clock::now());
        }
        loop {
            let interval = schedule.next_interval().unwrap_or(Nanos::NEVER);
            let checkpoint = schedule.next_checkpoint().unwrap_or(Nanos::NEVER);
            let next = interval.min(checkpoint);
            if now < next {
                return next;
            }
            if interval <= checkpoint {
                self.interval(schedule, now);
            } else {
                self.checkpoint(schedule, watched, now);
            }
        }
    }

    /// Tells an interval, which may have become longer than planned.
    fn interval(&mut self, schedule: &mut Schedule, now: Nanos) {
        let mut figures = IntervalFigures {
            at: Duration::from_nanos(now.since(schedule.start)),
            length: Duration::from_nanos(now.since(schedule.told.at)),
            ..IntervalFigures::default()
        };
        let mut so_far = IntervalsSoFar {
            at: now,
            ..IntervalsSoFar::default()
        };
        for worker in self.running {
            let mut spare = tally::window();
            let mut counts = worker.tally.counts();
            so_far.read_bytes += counts.read.bytes;
            so_far.written_bytes += counts.write.bytes;
            so_far.flushes += counts.flushes();
            if let Some(window) = &mut counts.window {
                std::mem::swap(window, &mut spare);
            }
            drop(counts);
            figures.events += &spare;
        }
        let carried = std::mem::take(&mut schedule.carried);
        let seen = so_far.since(&schedule.told);
        figures.read_bytes = carried.read_bytes + seen.read_bytes;
        figures.written_bytes = carried.written_bytes + seen.written_bytes;
        figures.flushes = carried.flushes + seen.flushes;
        schedule.told = so_far;
        schedule.interval_told(now);
        self.observer.observe(&Event::Interval(&figures));
    }

    fn checkpoint(&mut self, schedule: &mut Schedule, watched: &mut Watched, now: Nanos) {
        let at = Duration::from_nanos(now.since(schedule.start));
        let mut segment = Segment {
            from: watched
                .segments
                .last()
                .map_or(Duration::ZERO, |last| last.to),
            to: at,
            ..Segment::default()
        };
        let workers = &mut watched.workers;
        let mut taken = IntervalsSoFar::default();
        self.take_all(|number, counts| {
            counts.add_to(&mut segment);
            taken.read_bytes += counts.read.bytes;
            taken.written_bytes += counts.write.bytes;
            taken.flushes += counts.flushes();
            if let Some(result) = workers.get_mut(number) {
                counts.add_to_worker(result);
            }
        });
        // Counters start anew; the interval that is under way began before.
        let seen = taken.since(&schedule.told);
        schedule.carried.read_bytes += seen.read_bytes;
        schedule.carried.written_bytes += seen.written_bytes;
        schedule.carried.flushes += seen.flushes;
        schedule.told = IntervalsSoFar {
            at: schedule.told.at,
            ..IntervalsSoFar::default()
        };
        schedule.checkpoints.remove(0);
        self.observer.observe(&Event::Checkpoint(&segment));
        watched.segments.push(segment);
    }

    /// Takes the counts of all workers, which start anew.
    fn take_all(&self, mut take: impl FnMut(usize, &Counts)) {
        let intervals = self.load.sequence.watch.intervals.is_some();
        for (number, worker) in self.running.iter().enumerate() {
            let mut taken = Counts::new(intervals);
            let mut counts = worker.tally.counts();
            // What an interval has seen so far stays with the interval.
            std::mem::swap(&mut taken.window, &mut counts.window);
            std::mem::swap(&mut taken, &mut counts);
            drop(counts);
            take(number, &taken);
        }
    }
}

/// The measured time begins now, without what the warm-up counted.
fn end_warmup(schedule: &mut Schedule, watched: &mut Watched, now: Nanos) {
    schedule.warmup_ends = None;
    schedule.start_at(now);
    watched.start = now;
}

impl IntervalsSoFar {
    /// What came after `before`.
    fn since(&self, before: &Self) -> Self {
        Self {
            at: self.at,
            read_bytes: self.read_bytes.saturating_sub(before.read_bytes),
            written_bytes: self.written_bytes.saturating_sub(before.written_bytes),
            flushes: self.flushes.saturating_sub(before.flushes),
        }
    }
}

impl Schedule {
    /// The measured time began later than planned.
    fn start_at(&mut self, now: Nanos) {
        self.start = now;
        self.told.at = now;
    }

    fn next_interval(&self) -> Option<Nanos> {
        let interval = self.interval?;
        let due = interval.checked_mul(self.intervals_told + 1)?;
        Some(self.start.after(due))
    }

    /// Intervals that passed unseen are part of the one that was told.
    fn interval_told(&mut self, now: Nanos) {
        self.intervals_told += 1;
        while self.next_interval().is_some_and(|due| due <= now) {
            self.intervals_told += 1;
        }
    }

    fn next_checkpoint(&self) -> Option<Nanos> {
        self.checkpoints.first().map(|at| self.start.after(*at))
    }
}
