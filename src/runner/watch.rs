//! Who looks at a load's intervals while it goes on: observers, the fuse, and steadiness.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::windows::{Mail, Streams};
use crate::{
    measure::{Latency, OperationStats},
    plan::{Steady, Stream, TimeSpan, WorkerGroup, steady::WINDOWS},
    results::{
        Apart, Blown, Finding, Settled, Severity, SpanResult, StreamResult, WindowFigures, rate,
        rows_of,
    },
    units::time,
};

/// Streams of all threads at most whose intervals are shown live: each keeps its figures twice.
const SHOWN_MAX: usize = 256;

/// Whether anybody looks at the intervals of `span`; `live` is an observer that does where it may.
pub(super) fn is_wanted(span: &TimeSpan, live: bool) -> bool {
    let streams = span.workers().map(|(group, _)| group.streams.len());
    span.stop.watches() || (live && streams.sum::<usize>() <= SHOWN_MAX)
}

/// Address space that looking takes, about, of a span that ends by its figures.
pub(super) fn bytes(span: &TimeSpan) -> u64 {
    if !span.stop.watches() {
        return 0;
    }
    let streams = span.workers().map(|(group, _)| group.streams.len() as u64);
    // Of reads and of writes: the interval under way, a spare, what is put together; and the windows.
    let kept = match span.stop.steady {
        None => 3,
        Some(_) => 4 + WINDOWS as u64,
    };
    streams.sum::<u64>() * 2 * kept * Latency::BYTES
}

/// All workers' intervals, put together.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    span: &'a TimeSpan,
    mails: Vec<Arc<Mail>>,
    /// What each worker does who does nothing: silence has rows too.
    silence: Vec<Streams>,
    /// Intervals that not all workers have handed over, by number: what each did.
    open: BTreeMap<u64, Vec<Streams>>,
    /// The number of the interval that is closed next.
    next: u64,
    settling: Option<Settling>,
}

/// What an interval that was closed brought.
#[derive(Debug, Default)]
pub(super) struct Closed {
    pub(super) figures: Vec<WindowFigures>,
    /// The first condition that was met.
    pub(super) blown: Option<Blown>,
    /// The load is steady now.
    pub(super) steady: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(span: &'a TimeSpan, mails: Vec<Arc<Mail>>) -> Self {
        Self {
            span,
            mails,
            silence: span.workers().map(|(group, _)| silent(group)).collect(),
            open: BTreeMap::new(),
            next: 0,
            settling: span.stop.steady.map(|bounds| Settling::new(bounds, span)),
        }
    }

    /// What is over at `now`, so long after the measured time began.
    pub(super) fn look(&mut self, now: Duration) -> Closed {
        // An interval is over for all when a worker that is stuck has missed the whole next one.
        let length = self.span.interval.as_nanos().max(1);
        let passed = u64::try_from(now.as_nanos() / length).unwrap_or(u64::MAX);
        if passed <= self.next {
            return Closed::default();
        }
        let handed_over = self.collect();
        self.close(handed_over.max(passed.saturating_sub(1)).min(passed))
    }

    /// The same when all workers are done and the measured time was so long.
    pub(super) fn last_look(&mut self, measured: Duration) -> Closed {
        self.collect();
        let length = self.span.interval.as_nanos().max(1);
        self.close(u64::try_from(measured.as_nanos() / length).unwrap_or(u64::MAX))
    }

    /// Takes what workers left; returns the first interval that is under way somewhere.
    fn collect(&mut self) -> u64 {
        let mut first = u64::MAX;
        for (worker, mail) in self.mails.iter().enumerate() {
            let (open, closed) = mail.take();
            first = first.min(open);
            for (number, streams) in closed {
                // What comes too late counts in the interval that is closed next.
                let workers = self.open.entry(number.max(self.next)).or_default();
                workers.resize_with(self.mails.len(), Vec::new);
                if let Some(place) = workers.get_mut(worker) {
                    add(place, &streams);
                }
                mail.give_back(streams);
            }
        }
        first
    }

    /// Closes all intervals before this one.
    fn close(&mut self, before: u64) -> Closed {
        let mut closed = Closed::default();
        while self.next < before && closed.blown.is_none() && !closed.steady {
            let workers = self.open.remove(&self.next).unwrap_or_default();
            self.next += 1;
            let did = |(number, silent)| {
                let streams: Option<&Streams> = workers.get(number);
                streams
                    .filter(|s| !s.is_empty())
                    .unwrap_or(silent)
                    .as_slice()
            };
            let length = self.span.interval;
            let at = length.saturating_mul(u32::try_from(self.next).unwrap_or(u32::MAX));
            let rows = rows_of(Some(self.span), self.silence.iter().enumerate().map(did));
            closed.blown = Blown::by(&self.span.stop.fuse, &rows, length, at);
            if let Some(settling) = &mut self.settling {
                closed.steady = settling.add(rate(&rows, length), &workers, at);
            }
            closed.figures.push(WindowFigures { at, length, rows });
        }
        closed
    }

    /// Puts the figures of the steady windows in place of those of all of it; what a reader must
    /// know where there are none.
    pub(super) fn settle(self, result: &mut SpanResult) -> Option<Finding> {
        let settling = self.settling?;
        match settling.reached {
            Some(settled) => {
                settling.put(result, settled);
                None
            }
            None => Some(settling.not_steady()),
        }
    }
}

/// The streams of a worker of `group` that did nothing.
fn silent(group: &WorkerGroup) -> Streams {
    let stream = |stream: &Stream| StreamResult {
        target: stream.target.0,
        ..StreamResult::default()
    };
    group.streams.iter().map(stream).collect()
}

/// Windows of a load that shall become steady.
#[derive(Debug)]
struct Settling {
    bounds: Steady,
    /// Intervals of a window.
    intervals: u64,
    /// Of the window under way: how many there are, the sum of their rates, what each worker did.
    parts: u64,
    rates_sum: f64,
    under_way: Vec<Streams>,
    /// The last windows: I/Os a second, and what each worker did.
    rates: VecDeque<f64>,
    windows: VecDeque<Vec<Streams>>,
    seen: u64,
    reached: Option<Settled>,
}

impl Settling {
    fn new(bounds: Steady, span: &TimeSpan) -> Self {
        let intervals = bounds.window.as_nanos() / span.interval.as_nanos().max(1);
        Self {
            bounds,
            intervals: u64::try_from(intervals).unwrap_or(u64::MAX).max(1),
            parts: 0,
            rates_sum: 0.0,
            under_way: Vec::new(),
            rates: VecDeque::new(),
            windows: VecDeque::new(),
            seen: 0,
            reached: None,
        }
    }

    /// An interval that ended at `at`; true once the last windows are steady.
    fn add(&mut self, rate: f64, workers: &[Streams], at: Duration) -> bool {
        if self.reached.is_some() {
            return false;
        }
        self.parts += 1;
        self.rates_sum += rate;
        add_workers(&mut self.under_way, workers);
        if self.parts < self.intervals {
            return false;
        }
        self.rates.push_back(self.rates_sum / self.intervals as f64);
        self.windows.push_back(std::mem::take(&mut self.under_way));
        (self.parts, self.rates_sum) = (0, 0.0);
        self.seen += 1;
        if self.rates.len() > WINDOWS {
            self.rates.pop_front();
            self.windows.pop_front();
        }
        let settled = self.apart().filter(|apart| apart.is_within(&self.bounds));
        self.reached = settled.map(|apart| Settled {
            after: at,
            window: self.bounds.window,
            apart,
        });
        self.reached.is_some()
    }

    fn apart(&self) -> Option<Apart> {
        let rates: Vec<f64> = self.rates.iter().copied().collect();
        Apart::of(&rates)
    }

    fn put(self, result: &mut SpanResult, settled: Settled) {
        let mut sums = Vec::new();
        for window in self.windows {
            add_workers(&mut sums, &window);
        }
        for (number, worker) in result.workers.iter_mut().enumerate() {
            for (place, stream) in worker.streams.iter_mut().enumerate() {
                let sum = sums.get(number).and_then(|streams| streams.get(place));
                let nothing = StreamResult::default();
                let sum = sum.unwrap_or(&nothing);
                put(&mut stream.read, &sum.read);
                put(&mut stream.write, &sum.write);
                put(&mut stream.flush, &sum.flush);
            }
        }
        result.measured = settled.length();
        result.steady = Some(settled);
    }

    fn not_steady(&self) -> Finding {
        let Steady {
            window,
            range_percent,
            slope_percent,
        } = self.bounds;
        let window = time::words(window);
        let message = match self.apart() {
            Some(apart) => format!(
                "it did not become steady: over the last {WINDOWS} windows of {window} the range \
                 was {:.1} % of the mean (at most {range_percent} %), the slope {:+.1} % (at most \
                 {slope_percent} %); the figures are of the whole run: give it longer \
                 (--duration) or wider bounds (--until-steady)",
                apart.range_percent, apart.slope_percent
            ),
            None if self.seen < WINDOWS as u64 => format!(
                "it did not become steady: that takes {WINDOWS} windows of {window}, and the \
                 measured time had {}; the figures are of the whole run: give it longer \
                 (--duration) or shorter windows (--until-steady)",
                self.seen
            ),
            None => format!(
                "it did not become steady: nothing was done in the last {WINDOWS} windows of \
                 {window}; the figures are of the whole run"
            ),
        };
        Finding {
            severity: Severity::Caution,
            code: "not-steady",
            message,
        }
    }
}

/// The figures of a part. What failed is told of all of it, and so are the intervals.
fn put(stats: &mut OperationStats, part: &OperationStats) {
    stats.count = part.count;
    stats.bytes = part.bytes;
    stats.latency = part.latency.clone();
    stats.response = part.response.clone();
}

fn add_workers(sums: &mut Vec<Streams>, workers: &[Streams]) {
    if sums.len() < workers.len() {
        sums.resize_with(workers.len(), Vec::new);
    }
    for (sum, streams) in sums.iter_mut().zip(workers) {
        add(sum, streams);
    }
}

fn add(sums: &mut Streams, streams: &[StreamResult]) {
    if sums.len() < streams.len() {
        sums.resize_with(streams.len(), StreamResult::default);
    }
    for (sum, stream) in sums.iter_mut().zip(streams) {
        sum.target = stream.target;
        sum.read += &stream.read;
        sum.write += &stream.write;
        sum.flush += &stream.flush;
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use ioengine::{Nanos, Operation};

    use super::Watch;
    use crate::{
        plan::{AccessPattern, Affinity, BlockSizes, Dispatch, TimeSpan, WorkerGroup, fixtures},
        results::StreamResult,
        runner::windows::{Mail, Windows},
    };

    /// Two workers that read, with intervals of 100 ns.
    fn span() -> TimeSpan {
        let mut stream = fixtures::stream(0, AccessPattern::Append, BlockSizes::One(10));
        stream.mix.write_percent = 0;
        let group = WorkerGroup {
            name: String::new(),
            workers: 2,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        };
        TimeSpan {
            interval: Duration::from_nanos(100),
            ..fixtures::span(vec![fixtures::target("d", "d")], vec![group])
        }
    }

    fn workers() -> ([Windows; 2], Vec<Arc<Mail>>) {
        let mails: Vec<Arc<Mail>> = vec![Arc::default(), Arc::default()];
        let windows = [0, 1].map(|worker: usize| {
            let mail = Some(Arc::clone(&mails[worker]));
            let streams = [StreamResult::default()];
            let mut windows = Windows::new(mail, &streams, Duration::from_nanos(100));
            windows.begin(Nanos(1000));
            windows
        });
        (windows, mails)
    }

    /// A read that took so long.
    fn read(windows: &mut Windows, completed: u64, latency: u64) {
        windows.record(0, Operation::Read, Nanos(completed), latency, 10);
    }

    /// How many reads each interval had that is over at `now`.
    fn counts(watch: &mut Watch<'_>, now: u64) -> Vec<u64> {
        let closed = watch.look(Duration::from_nanos(now));
        let count = |row: &crate::results::Row| row.stats.count;
        let figures = closed.figures.iter();
        figures.map(|f| f.rows.iter().map(count).sum()).collect()
    }

    #[test]
    fn an_interval_is_that_of_all_workers() {
        let ([mut one, mut two], mails) = workers();
        let span = span();
        let mut watch = Watch::new(&span, mails);
        read(&mut one, 1000, 5);
        read(&mut one, 1099, 5);
        read(&mut one, 1100, 5);
        read(&mut two, 1050, 5);
        // One has passed its end, the other not yet.
        assert!(counts(&mut watch, 150).is_empty());
        two.turn(Nanos(1150));
        assert_eq!(counts(&mut watch, 150), [3]);
        // Two is silent in the next two, one in the second of them.
        two.turn(Nanos(1300));
        one.turn(Nanos(1310));
        assert_eq!(counts(&mut watch, 310), [1, 0]);
        // One ends; what it did is in its last interval.
        read(&mut one, 1320, 5);
        one.close();
        read(&mut one, 1330, 5);
        read(&mut two, 1390, 5);
        two.turn(Nanos(1400));
        assert_eq!(counts(&mut watch, 400), [2]);
    }

    #[test]
    fn a_worker_that_is_stuck_is_not_waited_for_and_counts_later() {
        let ([mut one, mut two], mails) = workers();
        let span = span();
        let mut watch = Watch::new(&span, mails);
        read(&mut one, 1050, 5);
        read(&mut two, 1060, 5);
        one.turn(Nanos(1200));
        assert!(counts(&mut watch, 199).is_empty());
        assert_eq!(counts(&mut watch, 200), [1]);
        two.turn(Nanos(1200));
        assert_eq!(counts(&mut watch, 200), [1]);
    }

    #[test]
    fn silence_blows_a_fuse_and_the_first_interval_that_does_is_named() {
        let ([mut one, mut two], mails) = workers();
        let mut span = span();
        span.stop.fuse = ["max>1s", "iops<1"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        let mut watch = Watch::new(&span, mails);
        read(&mut one, 1050, 5);
        one.turn(Nanos(1400));
        two.turn(Nanos(1400));
        let closed = watch.look(Duration::from_nanos(400));
        let blown = closed.blown.unwrap();
        assert_eq!(blown.condition, span.stop.fuse[1]);
        assert_eq!((blown.value, blown.at), (0, Duration::from_nanos(200)));
        assert_eq!(closed.figures.len(), 2);
    }

    #[test]
    fn the_last_intervals_are_looked_at_when_all_is_done() {
        let ([mut one, mut two], mails) = workers();
        let span = span();
        let mut watch = Watch::new(&span, mails);
        for at in [1010, 1110, 1210] {
            read(&mut one, at, 5);
        }
        one.close();
        two.close();
        // Half of the third interval was measured.
        let closed = watch.last_look(Duration::from_nanos(250));
        assert_eq!(closed.figures.len(), 2);
    }
}
