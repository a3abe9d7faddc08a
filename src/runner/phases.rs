//! The driving thread while the workers work: waits for the phases, watches for signals, tells
//! observers.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use ioengine::{Nanos, clock};

use super::{
    Surroundings,
    allowance::Allowance,
    events,
    gate::{Gate, Start},
    span::{Running, SIMULATED_START},
    timeline::Timeline,
    watch::Watch,
};
use crate::{
    host::{self, CpuUse},
    plan::{Counting, Events, TimeSpan},
    results::{Blown, Event, Observer},
};

/// How often signals are looked at and observers are told how far the run is.
const TICK: Duration = Duration::from_millis(20);

/// The driving thread while the workers work.
pub(super) struct Phases<'a, 'o, 'w> {
    pub(super) span: &'a TimeSpan,
    pub(super) events: &'a Events,
    /// The workers run on clocks of their own.
    pub(super) virtual_clock: bool,
    pub(super) timeline: &'a Timeline,
    pub(super) around: Surroundings<'a>,
    pub(super) observer: &'o mut dyn Observer,
    pub(super) running: &'a [Running],
    /// What limits other than a time leave to the workers; empty without such limits.
    pub(super) allowances: &'a [Arc<Allowance>],
    /// Who looks at the intervals, if anybody does.
    pub(super) watch: Option<Watch<'w>>,
    /// The condition that ended the load.
    pub(super) blown: Option<Blown>,
}

impl Phases<'_, '_, '_> {
    /// Starts the load, once the event for it is there, and follows the phases to their end;
    /// returns CPU times of the measured one.
    pub(super) fn keep(&mut self, gate: &Gate) -> Vec<CpuUse> {
        let begin = clock::both();
        let cpus = self.follow(gate);
        let end = clock::both();
        let message = clocks_disagree(end.0.since(begin.0), end.1.since(begin.1));
        if let Some(message) = message {
            self.observer.observe(&Event::Warning { message: &message });
        }
        cpus
    }

    fn follow(&mut self, gate: &Gate) -> Vec<CpuUse> {
        let span = self.span;
        self.wait_for_start();
        let start = if self.virtual_clock {
            SIMULATED_START
        } else {
            clock::now()
        };
        self.timeline.begin(span, start);
        if self.asked_to_end() {
            // No load at all: nothing may be taken for a measured time.
            self.timeline.end(start);
            self.observer.observe(&Event::Interrupted);
        }
        gate.open(Start::At(start));
        if span.warmup > Duration::ZERO {
            self.observer.observe(&Event::Warmup {
                length: span.warmup,
            });
        }
        if self.virtual_clock {
            // Workers run through their own time as fast as they can; only its end is seen.
            self.observer.observe(&Event::Measuring {
                length: span.stop.after,
            });
            self.wait_for_the_last();
            self.observer.observe(&Event::Measured {
                length: self.timeline.measured(),
            });
            return Vec::new();
        }
        self.wait_until(Timeline::measure_from);
        if self.timeline.ended_early() && self.timeline.measured() == Duration::ZERO {
            return Vec::new();
        }
        let before = host::cpu_times();
        self.signal(self.events.signal_started.as_deref());
        self.observer.observe(&Event::Measuring {
            length: span.stop.after,
        });
        self.wait_until(Timeline::measure_to);
        if self.limit_reached() {
            self.timeline.reach(clock::now());
        }
        if self.span.counting == Counting::DrainAndCount {
            self.wait_for_the_last();
        }
        let cpus = host::cpu_times().since(&before);
        self.observer.observe(&Event::Measured {
            length: self.timeline.measured(),
        });
        self.signal(self.events.signal_finished.as_deref());
        if self.timeline.stop_at() > self.timeline.measure_to() {
            self.observer.observe(&Event::Cooldown {
                length: span.cooldown,
            });
            self.wait_until(Timeline::stop_at);
        }
        cpus
    }

    /// Waits until all threads are done. Where what was issued is waited for, the measured time
    /// ends with the last completion.
    fn wait_for_the_last(&mut self) {
        self.wait_for_threads();
        if self.limit_reached() {
            self.timeline.reach(self.latest());
        }
        if self.span.counting == Counting::DrainAndCount {
            self.timeline.drained(self.latest());
        }
    }

    /// A limit other than the time has ended the load of all workers.
    fn limit_reached(&self) -> bool {
        !self.allowances.is_empty() && self.allowances.iter().all(|a| a.is_over())
    }

    fn wait_for_start(&mut self) {
        let path = self.events.wait_before_start.as_deref();
        while path.is_some() && !events::signalled(path) && !self.asked_to_end() {
            clock::sleep_until(clock::now().after(TICK));
        }
    }

    fn signal(&mut self, path: Option<&std::path::Path>) {
        if let Err(message) = events::signal(path) {
            self.observer.observe(&Event::Warning { message: &message });
        }
    }

    fn asked_to_end(&self) -> bool {
        self.around.interrupted() || events::signalled(self.events.stop_when.as_deref())
    }

    /// Ends the load for a signal or an event; told once.
    fn end_if_asked(&mut self) {
        if self.timeline.ended_early() || !self.asked_to_end() {
            return;
        }
        let now = if self.virtual_clock {
            self.latest()
        } else {
            clock::now()
        };
        if now < self.timeline.stop_at() {
            self.timeline.end(now);
            self.observer.observe(&Event::Interrupted);
        }
    }

    /// The latest completion, on any worker's own clock.
    fn latest(&self) -> Nanos {
        let times = self
            .running
            .iter()
            .map(|worker| Nanos(worker.progress.time.load(Relaxed)));
        times.max().unwrap_or_default()
    }

    /// Waits for a point of the timeline, which an early end may move.
    fn wait_until(&mut self, point: fn(&Timeline) -> Nanos) {
        loop {
            self.tick();
            let now = clock::now();
            let until = point(self.timeline).min(self.timeline.stop_at());
            if now >= until || self.limit_reached() {
                return;
            }
            clock::sleep_until(until.min(now.after(TICK)));
        }
    }

    fn wait_for_threads(&mut self) {
        while self
            .running
            .iter()
            .any(|worker| !worker.thread.is_finished())
        {
            self.tick();
            clock::sleep_until(clock::now().after(Duration::from_millis(1)));
        }
    }

    fn tick(&mut self) {
        self.end_if_asked();
        let completions: Vec<u64> = self
            .running
            .iter()
            .map(|worker| worker.progress.completions.load(Relaxed))
            .collect();
        self.observer.observe(&Event::Progress {
            completions: &completions,
        });
        self.look();
    }
}

impl Phases<'_, '_, '_> {
    /// Looks at the intervals that are over: they may end the load.
    fn look(&mut self) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        let now = clock::now().min(self.timeline.measure_to());
        let closed = watch.look(Duration::from_nanos(
            now.since(self.timeline.measure_from()),
        ));
        for figures in &closed.figures {
            self.observer.observe(&Event::Window(figures));
        }
        if self.timeline.ended_early() {
            return;
        }
        if closed.steady {
            self.timeline.reach(clock::now());
        } else if closed.blown.is_some() {
            self.blown = closed.blown;
            self.timeline.end(clock::now());
        }
    }
}

/// The clock of all stamps is held against the kernel's over the whole load. Under a
/// millisecond nothing is said: the scheduler may put that between two reads.
pub(super) fn clocks_disagree(ours_ns: u64, kernels_ns: u64) -> Option<String> {
    let apart = ours_ns.abs_diff(kernels_ns);
    (apart > 1_000_000 && apart > kernels_ns / 1000).then(|| {
        format!(
            "WARNING: the clock of the latencies ({}) measured {ours_ns} ns where the kernel's \
             clock measured {kernels_ns}: no figure of this run can be trusted",
            clock::source()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::clocks_disagree;

    #[test]
    fn clocks_may_differ_by_a_thousandth() {
        assert_eq!(clocks_disagree(10_000_000_000, 10_009_000_000), None);
        assert_eq!(clocks_disagree(500_000, 1_400_000), None);
        assert!(clocks_disagree(10_000_000_000, 10_011_000_000).is_some());
        assert!(
            clocks_disagree(9_000_000_000, 10_000_000_000)
                .unwrap()
                .contains("clock")
        );
    }
}
