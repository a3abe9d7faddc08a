//! What a person at a terminal sees while a load of ours runs: one live line, which is gone at the
//! end. Files and pipes get nothing.

use std::{
    collections::VecDeque,
    io::{self, Write},
    time::Duration,
};

use crate::{
    plan::{BlockSizes, FlushPolicy, Plan, TimeSpan},
    report::text::{Form, Surface, amount, cut, milliseconds, span_of_time, sparkline, whole},
    results::{
        Event, Latency, Observer, Rates, Silent, WindowFigures, mib_per_second, percentile_ms,
        steady_clock,
    },
    units::{names::escaped, words::size},
};

/// The observer of a plan; `form` is that of standard error.
pub fn watch(plan: &Plan, form: Form) -> Box<dyn Observer> {
    match form.surface {
        Surface::Terminal => Box::new(Live::new(plan, form, steady_clock, io::stderr())),
        Surface::File => Box::new(Silent),
    }
}

/// The bytes that end a load.
#[derive(Debug)]
struct Goal {
    bytes: u64,
    /// Bytes of an I/O.
    block: u64,
}

impl Goal {
    /// `None` where bytes cannot be told from completions.
    fn of(span: &TimeSpan) -> Option<Self> {
        let mut sizes = span
            .groups
            .iter()
            .flat_map(|group| &group.streams)
            .map(|stream| match (&stream.sizes, stream.mix.flush) {
                (BlockSizes::One(bytes), FlushPolicy::Never) => Some(u64::from(*bytes)),
                _ => None,
            });
        let block = sizes.next().flatten()?;
        let alike = span.warmup.is_zero() && sizes.all(|size| size == Some(block));
        let bytes = span.stop.bytes.filter(|_| alike)?;
        Some(Self { bytes, block })
    }

    /// `, 1.20 GiB of 4 GiB, 512 MiB/s, 6 s left`.
    fn far(&self, completions: u64, passed: Duration) -> String {
        let done = completions.saturating_mul(self.block).min(self.bytes);
        let rates = Rates::new(completions, done, passed);
        let left = rates
            .time_for(self.bytes - done)
            .filter(|_| passed >= SECOND && done > 0)
            .map_or(String::new(), |left| {
                let left = span_of_time(Duration::from_secs(left.as_secs()));
                format!(", {} MiB/s, {left} left", whole(rates.mib_per_second))
            });
        format!(", {} of {}{left}", size(done), size(self.bytes))
    }
}

/// Takes the line away.
const CLEAR: &str = "\r\x1b[K";
/// The line is drawn again at most this often.
const REDRAWN: Duration = Duration::from_millis(250);
/// What a mark of the curve covers.
const SECOND: Duration = Duration::from_secs(1);
/// Marks that are kept.
const MARKS: usize = 40;

/// Draws the line.
struct Live<W: Write> {
    out: W,
    form: Form,
    now: fn() -> Duration,
    /// What is counted.
    unit: &'static str,
    /// Of the plan's time spans.
    names: Vec<String>,
    /// Of the time span under way: its number, and what it is doing since when for how long.
    number: usize,
    phase: &'static str,
    since: Duration,
    length: Option<Duration>,
    /// Completions when the newest mark began, and when that was.
    mark: Option<(Duration, u64)>,
    /// MiB a second of the last interval; 0 where nobody counts bytes.
    moved: f64,
    /// Where time spans end after so many bytes, in writes or reads of one size: both.
    goals: Vec<Option<Goal>>,
    /// Completions of the time span so far.
    completions: u64,
    /// The 99th percentile of the last interval, in milliseconds.
    p99_ms: Option<f64>,
    /// Completions a second, newest last.
    rates: VecDeque<f64>,
    /// When the line was drawn; `None` while there is none.
    drawn: Option<Duration>,
}

impl<W: Write> Live<W> {
    fn new(plan: &Plan, form: Form, now: fn() -> Duration, out: W) -> Self {
        Self {
            out,
            form,
            now,
            unit: if plan.spans().any(|span| span.visits.is_some()) {
                "files/s"
            } else {
                "IOPS"
            },
            names: plan.spans().map(|span| escaped(&span.name)).collect(),
            number: 0,
            phase: "",
            since: Duration::ZERO,
            length: None,
            goals: plan.spans().map(Goal::of).collect(),
            completions: 0,
            mark: None,
            moved: 0.0,
            p99_ms: None,
            rates: VecDeque::new(),
            drawn: None,
        }
    }

    fn begin(&mut self, phase: &'static str, length: Option<Duration>) {
        self.phase = phase;
        self.length = length;
        self.since = (self.now)();
        self.drawn = None;
    }

    /// Nothing can be done when standard error is gone; the run goes on.
    fn write(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        let _ = written.and_then(|()| self.out.flush());
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.write(CLEAR);
        }
    }

    fn progress(&mut self, completions: u64) {
        if self.phase.is_empty() {
            return;
        }
        let now = (self.now)();
        self.completions = completions;
        let mark = (now, completions);
        let (begin, before) = *self.mark.get_or_insert(mark);
        let passed = now.saturating_sub(begin);
        if passed >= SECOND {
            let done = completions.saturating_sub(before) as f64;
            self.rates.push_back(done / passed.as_secs_f64());
            if self.rates.len() > MARKS {
                self.rates.pop_front();
            }
            self.mark = Some(mark);
        }
        if self.due(now) {
            let line = self.line(now);
            self.draw(&line, now);
        }
    }

    /// Between two time spans.
    fn pausing(&mut self, left: Duration) {
        let now = (self.now)();
        if self.due(now) {
            let left = span_of_time(Duration::from_secs(left.as_secs()));
            self.draw(&format!("pause, {left} left"), now);
        }
    }

    fn due(&self, now: Duration) -> bool {
        self.drawn
            .is_none_or(|drawn| now.saturating_sub(drawn) >= REDRAWN)
    }

    fn draw(&mut self, line: &str, now: Duration) {
        self.drawn = Some(now);
        self.write(&format!("{CLEAR}{line}"));
    }

    /// `[3/9] random read: measuring, 12 s left   92,310 IOPS  361 MiB/s  ▅▆▆▇`, in one line.
    fn line(&self, now: Duration) -> String {
        let passed = now.saturating_sub(self.since);
        let seconds = |time: Duration| span_of_time(Duration::from_secs(time.as_secs()));
        let goal = self
            .goals
            .get(self.number.saturating_sub(1))
            .and_then(Option::as_ref)
            .map(|goal| goal.far(self.completions, passed));
        let aimed = goal.is_some();
        let time = match self.length.map(|length| length.saturating_sub(passed)) {
            _ if goal.is_some() => goal.unwrap_or_default(),
            _ if passed < SECOND && self.length.is_none() => String::new(),
            None => format!(", {}", seconds(passed)),
            Some(left) if left < SECOND => String::new(),
            Some(left) => format!(", {} left", seconds(left)),
        };
        let which = match (
            self.names.len(),
            self.names.get(self.number.saturating_sub(1)),
        ) {
            (0 | 1, Some(_)) => String::new(),
            (all, Some(name)) if !name.is_empty() => format!("[{}/{all}] {name}: ", self.number),
            // Time spans that nobody knew of before the run have a number only.
            _ => format!("[{}] ", self.number),
        };
        // The last column stays free: some terminals go to the next line when it is written.
        let room = self.form.columns.saturating_sub(1);
        let rate = self.rates.back().map_or(String::new(), |rate| {
            let moved = match self.moved {
                // How far a goal is says it, too.
                moved if moved > 0.0 && !aimed => format!("  {} MiB/s", amount(moved)),
                _ => String::new(),
            };
            format!("   {} {}{moved}", whole(*rate), self.unit)
        });
        let slowest = self
            .p99_ms
            .map_or(String::new(), |ms| format!("  p99 {}", milliseconds(ms)));
        let text = format!("{which}{}{time}{rate}{slowest}", self.phase);
        let text = cut(&text, room, self.form.charset);
        let left = room.saturating_sub(text.chars().count() + 2);
        let marks = self.rates.len().saturating_sub(left);
        let curve: Vec<f64> = self.rates.iter().skip(marks).copied().collect();
        if curve.len() < 2 {
            return text;
        }
        format!("{text}  {}", sparkline(&curve, self.form.charset))
    }
}

impl<W: Write> Observer for Live<W> {
    fn observe(&mut self, event: &Event<'_>) {
        match *event {
            Event::SpanBegins { number } => {
                self.number = number;
                self.mark = None;
                self.moved = 0.0;
                self.completions = 0;
                self.p99_ms = None;
                self.rates.clear();
            }
            Event::Pausing { left } => self.pausing(left),
            Event::Warmup { length } => self.begin("warm-up", Some(length)),
            Event::Measuring { length } => self.begin("measuring", length),
            Event::Cooldown { length } => self.begin("cool-down", Some(length)),
            Event::Progress { completions } => {
                let sum = completions
                    .iter()
                    .fold(0, |sum: u64, count| sum.saturating_add(*count));
                self.progress(sum);
            }
            Event::Window(figures) => {
                self.p99_ms = p99_ms(figures);
                self.moved = mib_a_second(figures);
            }
            Event::SpanEnds { .. } => {
                self.phase = "";
                self.clear();
            }
            Event::Interrupted => {
                self.phase = "";
                self.clear();
            }
            _ => {}
        }
    }

    fn looks_at_windows(&self) -> bool {
        true
    }
}

/// What all reads and writes of an interval moved.
fn mib_a_second(figures: &WindowFigures) -> f64 {
    let bytes = figures.rows.iter().map(|row| row.stats.bytes);
    mib_per_second(bytes.fold(0, u64::saturating_add), figures.length)
}

/// The 99th percentile of all reads and writes of an interval, if there are enough.
fn p99_ms(figures: &WindowFigures) -> Option<f64> {
    let mut all = Latency::default();
    for row in figures.rows.iter().filter(|row| !row.is_flush()) {
        all += row.latency();
    }
    percentile_ms(&all, 0.99)
}

/// What comes after a run that failed begins on a clean line.
impl<W: Write> Drop for Live<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };

    use super::{CLEAR, Live};
    use crate::{
        plan::{AccessPattern, Affinity, BlockSizes, Dispatch, Plan, Step, WorkerGroup, fixtures},
        report::text::{Form, Surface},
        results::{Event, Observer, OperationKind, OperationStats, Pace, Row, WindowFigures},
    };

    /// Milliseconds of the clock of [`on_80_columns`] alone.
    static NOW: AtomicU64 = AtomicU64::new(0);

    fn now() -> Duration {
        Duration::from_millis(NOW.load(Ordering::Relaxed))
    }

    fn plan(names: &[&str]) -> Plan {
        let step = |name: &&str| {
            let mut span = fixtures::span(Vec::new(), Vec::new());
            span.name = (*name).to_owned();
            Step::Run(span)
        };
        fixtures::plan("native", "", names.iter().map(step).collect())
    }

    fn live(plan: &Plan, columns: usize, now: fn() -> Duration) -> Live<Vec<u8>> {
        let form = Form {
            columns,
            surface: Surface::Terminal,
            ..Form::default()
        };
        Live::new(plan, form, now, Vec::new())
    }

    /// What was drawn, line after line.
    fn drawn(live: &Live<Vec<u8>>) -> Vec<String> {
        let text = String::from_utf8(live.out.clone()).unwrap();
        text.split(CLEAR).skip(1).map(str::to_owned).collect()
    }

    /// A second with so many writes of 2 ms.
    fn window(count: u64, bytes: u64) -> WindowFigures {
        let mut stats = OperationStats::default();
        for _ in 0..count {
            stats.record(0, 2_000_000, bytes);
        }
        WindowFigures {
            at: Duration::from_secs(1),
            length: Duration::from_secs(1),
            rows: vec![Row {
                group: String::new(),
                kind: OperationKind::Write,
                stats,
                pace: Pace::Closed,
            }],
        }
    }

    #[test]
    fn on_80_columns() {
        let mut live = live(&plan(&["random read", "random write"]), 80, now);
        live.observe(&Event::SpanBegins { number: 2 });
        let length = Duration::from_secs(5);
        live.observe(&Event::Measuring {
            length: Some(length),
        });
        for (at, done) in [(0, 0), (100, 500), (1000, 500), (2000, 1000), (3000, 1250)] {
            NOW.store(at, Ordering::Relaxed);
            if at >= 1000 {
                let bytes = if at < 3000 { 8192 } else { 4096 };
                live.observe(&Event::Window(&window(500, bytes)));
            }
            live.observe(&Event::Progress {
                completions: &[done, done],
            });
        }
        live.observe(&Event::SpanEnds { number: 2 });
        // 1,000 in the first second, 1,000 in the second, 500 in the third; the draw at 100 ms
        // is too soon. 500 of 8 KiB are 3.91 MiB, 500 of 4 KiB are 1.95.
        assert_eq!(
            drawn(&live),
            [
                "[2/2] random write: measuring, 5 s left",
                "[2/2] random write: measuring, 4 s left   1,000 IOPS  3.91 MiB/s",
                "[2/2] random write: measuring, 3 s left   1,000 IOPS  3.91 MiB/s  ##",
                "[2/2] random write: measuring, 2 s left   500 IOPS  1.95 MiB/s  ##-",
                "",
            ]
        );
    }

    #[test]
    fn the_last_interval_and_what_is_left_of_a_number_of_bytes() {
        fn second() -> Duration {
            static TICKS: AtomicU64 = AtomicU64::new(0);
            Duration::from_secs(TICKS.fetch_add(1, Ordering::Relaxed))
        }
        let mut plan = plan(&["fill"]);
        let Some(Step::Run(span)) = plan.steps.first_mut() else {
            panic!("a time span")
        };
        let stream = fixtures::stream(0, AccessPattern::Append, BlockSizes::One(1 << 20));
        span.groups.push(WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        });
        span.warmup = Duration::ZERO;
        span.stop.bytes = Some(100 << 20);
        let mut live = live(&plan, 100, second);
        live.observe(&Event::SpanBegins { number: 1 });
        live.observe(&Event::Measuring { length: None });
        live.observe(&Event::Window(&window(1000, 1)));
        // Two seconds after the beginning 40 of 100 MiB: 20 a second, three seconds left.
        for done in [0, 40] {
            live.observe(&Event::Progress {
                completions: &[done],
            });
        }
        let lines = drawn(&live);
        let shown = "measuring, 40 MiB of 100 MiB, 20 MiB/s, 3 s left   40 IOPS  p99 2.00 ms";
        assert_eq!(lines.last().map(String::as_str), Some(shown));
    }

    #[test]
    fn a_line_is_never_broken_and_nothing_is_left_over() {
        fn tick() -> Duration {
            static TICKS: AtomicU64 = AtomicU64::new(0);
            Duration::from_secs(TICKS.fetch_add(1, Ordering::Relaxed))
        }
        for columns in [0, 1, 10, 40, 200] {
            let mut live = live(&plan(&["a\x1b[2J", &"x".repeat(60)]), columns, tick);
            live.observe(&Event::SpanBegins { number: 2 });
            live.observe(&Event::Measuring { length: None });
            for done in 0..90 {
                live.observe(&Event::Progress {
                    completions: &[done * 1_000_000_000],
                });
            }
            live.observe(&Event::Interrupted);
            live.observe(&Event::Progress { completions: &[0] });
            let lines = drawn(&live);
            assert_eq!(lines.last().map(String::as_str), Some(""));
            assert!(
                lines
                    .iter()
                    .all(|line| line.chars().count() < columns.max(1))
            );
        }
    }
}
