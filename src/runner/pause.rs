//! The pause before a time span.

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use ioengine::{Nanos, clock};

use crate::results::{Event, Observer};

/// How often it is told how long the pause still is, and how late a signal is seen at most.
const TICK: Duration = Duration::from_millis(250);

/// Does nothing for so long, or until a signal comes.
pub(super) fn wait(length: Duration, interrupt: &AtomicBool, observer: &mut dyn Observer) {
    let end = clock::now().after(length);
    while let Some(left) = left(clock::now(), end)
        && !interrupt.load(Relaxed)
    {
        observer.observe(&Event::Pausing { left });
        clock::sleep_until(clock::now().after(left.min(TICK)));
    }
}

/// The time until then; `None` once there is none.
fn left(now: Nanos, end: Nanos) -> Option<Duration> {
    (now < end).then(|| Duration::from_nanos(end.since(now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what it is told, and sends a signal when it was told so often.
    struct Listens<'a> {
        told: Vec<Duration>,
        signal_at: usize,
        interrupt: &'a AtomicBool,
    }

    impl Observer for Listens<'_> {
        fn observe(&mut self, event: &Event<'_>) {
            if let Event::Pausing { left } = event {
                self.told.push(*left);
                let signal = self.told.len() >= self.signal_at;
                self.interrupt.store(signal, Relaxed);
            }
        }
    }

    fn told(length: Duration, signal_at: usize) -> (Vec<Duration>, Duration) {
        let interrupt = AtomicBool::new(false);
        let mut observer = Listens {
            told: Vec::new(),
            signal_at,
            interrupt: &interrupt,
        };
        let begin = clock::now();
        wait(length, &interrupt, &mut observer);
        let took = Duration::from_nanos(clock::now().since(begin));
        (observer.told, took)
    }

    #[test]
    fn a_pause_takes_its_time_and_no_time_is_no_pause() {
        let length = Duration::from_millis(20);
        let (told_of, took) = told(length, usize::MAX);
        assert!(took >= length, "{took:?}");
        assert!(!told_of.is_empty() && told_of.iter().all(|left| *left <= length));
        assert_eq!(told(Duration::ZERO, usize::MAX).0, Vec::<Duration>::new());
    }

    #[test]
    fn a_signal_ends_a_pause_of_a_year() {
        let year = Duration::from_hours(365 * 24);
        let (told_of, took) = told(year, 1);
        assert_eq!(told_of.len(), 1);
        assert!(took < year);
    }
}
