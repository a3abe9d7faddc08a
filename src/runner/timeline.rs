//! The phases as points in time that every worker compares its stamps with.
//!
//! The driving thread sets them once before the start signal; an early end moves the last two
//! forward. Workers only load them.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use ioengine::Nanos;

use crate::plan::TimeSpan;

/// Start and end of the measured time and of the load.
#[derive(Debug)]
pub(super) struct Timeline {
    measure_from: AtomicU64,
    measure_to: AtomicU64,
    stop_at: AtomicU64,
    /// The last completion of a load that is waited for; 0 before that.
    drained_at: AtomicU64,
    ended_early: AtomicBool,
    failed: AtomicBool,
    limit_reached: AtomicBool,
}

impl Timeline {
    pub(super) fn new() -> Self {
        let never = || AtomicU64::new(u64::MAX);
        Self {
            measure_from: never(),
            measure_to: never(),
            stop_at: never(),
            drained_at: AtomicU64::new(0),
            ended_early: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            limit_reached: AtomicBool::new(false),
        }
    }

    /// Sets the phases of `span` for a load that begins at `start`.
    pub(super) fn begin(&self, span: &TimeSpan, start: Nanos) {
        let from = start.after(span.warmup);
        let to = span
            .stop
            .after
            .map_or(Nanos::NEVER, |length| from.after(length));
        self.measure_from.store(from.0, Relaxed);
        self.measure_to.store(to.0, Relaxed);
        self.stop_at.store(to.after(span.cooldown).0, Relaxed);
    }

    /// Ends the load now; what completes later does not count.
    pub(super) fn end(&self, now: Nanos) {
        self.measure_to.fetch_min(now.0, Relaxed);
        self.stop_at.fetch_min(now.0, Relaxed);
        self.ended_early.store(true, Relaxed);
    }

    /// Ends the load now because something failed.
    pub(super) fn fail(&self, now: Nanos) {
        self.end(now);
        self.failed.store(true, Relaxed);
    }

    /// A limit other than the time ended the load at `now`: as planned, unless something else ended
    /// it before.
    pub(super) fn reach(&self, now: Nanos) {
        self.measure_to.fetch_min(now.0, Relaxed);
        self.stop_at.fetch_min(now.0, Relaxed);
        if !self.ended_early() {
            self.limit_reached.store(true, Relaxed);
        }
    }

    pub(super) fn limit_reached(&self) -> bool {
        self.limit_reached.load(Relaxed)
    }

    /// True once somebody ended the load before its time.
    pub(super) fn ended_early(&self) -> bool {
        self.ended_early.load(Relaxed)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    #[inline]
    pub(super) fn measure_from(&self) -> Nanos {
        Nanos(self.measure_from.load(Relaxed))
    }

    #[inline]
    pub(super) fn measure_to(&self) -> Nanos {
        Nanos(self.measure_to.load(Relaxed))
    }

    #[inline]
    pub(super) fn stop_at(&self) -> Nanos {
        Nanos(self.stop_at.load(Relaxed))
    }

    /// All I/Os that were waited for are done, the last at `last`: the measured time ends with it.
    pub(super) fn drained(&self, last: Nanos) {
        self.drained_at.store(last.0, Relaxed);
    }

    /// For how long the load of the measured time was kept up; zero if it never began.
    pub(super) fn loaded(&self) -> Duration {
        Duration::from_nanos(self.measure_to().since(self.measure_from()))
    }

    /// Length of the measured time; zero if it never began.
    pub(super) fn measured(&self) -> Duration {
        if self.loaded().is_zero() {
            return Duration::ZERO;
        }
        let drained_at = Nanos(self.drained_at.load(Relaxed));
        let end = self.measure_to().max(drained_at);
        Duration::from_nanos(end.since(self.measure_from()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ioengine::Nanos;

    use super::Timeline;
    use crate::plan::{Counting, Generator, Polling, Stop, ThrottleSleep, TimeSpan};

    fn span() -> TimeSpan {
        TimeSpan {
            warmup: Duration::from_nanos(10),
            stop: Stop {
                after: Some(Duration::from_nanos(100)),
                ..Stop::default()
            },
            cooldown: Duration::from_nanos(5),
            counting: Counting::CompletedInWindow,
            interval: Duration::from_secs(1),
            targets: Vec::new(),
            groups: Vec::new(),
            generator: Generator::DiskSpd { seed: 0 },
            polling: Polling::Interrupt,
            name: String::new(),
            sequence: None,
            visits: None,
            throttle_sleep: ThrottleSleep::Short,
            initiation: false,
            whole_milliseconds: false,
            verify: false,
        }
    }

    #[test]
    fn phases_follow_each_other() {
        let timeline = Timeline::new();
        timeline.begin(&span(), Nanos(1000));
        assert_eq!(timeline.measure_from(), Nanos(1010));
        assert_eq!(timeline.measure_to(), Nanos(1110));
        assert_eq!(timeline.stop_at(), Nanos(1115));
        assert_eq!(timeline.measured(), Duration::from_nanos(100));
    }

    #[test]
    fn an_early_end_shortens_the_measured_time_and_never_lengthens_it() {
        let timeline = Timeline::new();
        timeline.begin(&span(), Nanos(1000));
        timeline.end(Nanos(1050));
        timeline.end(Nanos(2000));
        assert_eq!(timeline.measured(), Duration::from_nanos(40));
        let timeline = Timeline::new();
        timeline.begin(&span(), Nanos(1000));
        timeline.end(Nanos(1005));
        assert_eq!(timeline.measured(), Duration::ZERO);
    }

    #[test]
    fn a_limit_ends_the_load_as_planned_unless_it_had_ended_before() {
        let timeline = Timeline::new();
        let mut endless = span();
        endless.stop.after = None;
        timeline.begin(&endless, Nanos(1000));
        timeline.reach(Nanos(1050));
        timeline.drained(Nanos(1060));
        assert!(timeline.limit_reached() && !timeline.ended_early());
        assert_eq!(timeline.measured(), Duration::from_nanos(50));
        let timeline = Timeline::new();
        timeline.begin(&span(), Nanos(1000));
        timeline.fail(Nanos(1040));
        timeline.reach(Nanos(1050));
        assert!(!timeline.limit_reached());
        assert_eq!(timeline.loaded(), Duration::from_nanos(30));
    }

    #[test]
    fn what_is_waited_for_lengthens_the_measured_time_and_not_the_load() {
        let timeline = Timeline::new();
        timeline.begin(&span(), Nanos(1000));
        timeline.drained(Nanos(1150));
        assert_eq!(timeline.measured(), Duration::from_nanos(140));
        assert_eq!(timeline.loaded(), Duration::from_nanos(100));
        // Nothing was in flight at the end: the load was kept up for its whole time all the same.
        timeline.drained(Nanos(1050));
        assert_eq!(timeline.measured(), Duration::from_nanos(100));
        // Ended in warm-up: what was in flight then was never measured.
        timeline.end(Nanos(1005));
        timeline.drained(Nanos(1150));
        assert_eq!(timeline.measured(), Duration::ZERO);
    }
}
