//! The driving thread while the workers work: waits for the phases, watches for signals, tells
//! observers.

use std::time::Duration;

use ioengine::{Nanos, clock};

use super::{Surroundings, span::Running, timeline::Timeline};
use crate::{
    host::{self, CpuUse},
    plan::TimeSpan,
    results::{Event, Observer},
};

/// How often signals are looked at and observers are told how far the run is.
const TICK: Duration = Duration::from_millis(20);

/// The driving thread while the workers work.
pub(super) struct Phases<'a, 'o> {
    pub(super) span: &'a TimeSpan,
    pub(super) timeline: &'a Timeline,
    pub(super) around: Surroundings<'a>,
    pub(super) observer: &'o mut dyn Observer,
    pub(super) running: &'a [Running],
}

impl Phases<'_, '_> {
    /// Follows the phases to their end; returns CPU times of the measured one.
    pub(super) fn keep(&mut self, virtual_clock: bool) -> Vec<CpuUse> {
        let span = self.span;
        if span.warmup > Duration::ZERO {
            self.observer.observe(&Event::Warmup {
                length: span.warmup,
            });
        }
        if virtual_clock {
            // Workers run through their own time as fast as they can; only its end is seen.
            self.observer.observe(&Event::Measuring {
                length: span.stop.after,
            });
            self.wait_for_threads();
            self.observer.observe(&Event::Measured {
                length: self.timeline.measured(),
            });
            return Vec::new();
        }
        self.wait_until(Timeline::measure_from);
        if self.timeline.stop_at() <= self.timeline.measure_from() && !self.timeline_is_whole() {
            return Vec::new();
        }
        let before = host::cpu_times();
        self.observer.observe(&Event::Measuring {
            length: span.stop.after,
        });
        self.wait_until(Timeline::measure_to);
        let cpus = host::cpu_times().since(&before);
        self.observer.observe(&Event::Measured {
            length: self.timeline.measured(),
        });
        if self.timeline.stop_at() > self.timeline.measure_to() {
            self.observer.observe(&Event::Cooldown {
                length: span.cooldown,
            });
            self.wait_until(Timeline::stop_at);
        }
        cpus
    }

    /// False once somebody ended the span early.
    fn timeline_is_whole(&self) -> bool {
        !self.timeline.has_failed() && !self.around.interrupted()
    }

    /// Waits for a point of the timeline, which an early end may move.
    fn wait_until(&mut self, point: fn(&Timeline) -> Nanos) {
        loop {
            self.tick();
            let now = clock::now();
            let until = point(self.timeline).min(self.timeline.stop_at());
            if now >= until {
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
        use std::sync::atomic::Ordering::Relaxed;
        if self.around.interrupted() && self.timeline.stop_at() > Nanos(0) {
            let now = clock::now();
            if self.timeline.stop_at() > now {
                self.timeline.end(now);
                self.observer.observe(&Event::Interrupted);
            }
        }
        let completions: Vec<u64> = self
            .running
            .iter()
            .map(|worker| worker.progress.0.load(Relaxed))
            .collect();
        self.observer.observe(&Event::Progress {
            completions: &completions,
        });
    }
}
