//! Loads that end by their figures, and who sees these while they run.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::{
    plan::Steady,
    results::{Finding, Severity},
};

const NULL: EngineChoice = EngineChoice::Named(EngineKind::Null);

/// A load without I/O that is counted by completion, in intervals of 10 ms.
fn null(after: Duration, streams: Vec<Stream>) -> TimeSpan {
    let mut load = span(after, group(2, streams, Dispatch::PerStream));
    load.counting = Counting::CompletedInWindow;
    load.interval = MS * 10;
    load
}

/// Adds up all intervals.
#[derive(Default)]
struct Sum {
    intervals: u64,
    count: u64,
    bytes: u64,
    latencies: u64,
    responses: u64,
}

impl Observer for Sum {
    fn observe(&mut self, event: &Event<'_>) {
        if let Event::Window(figures) = event {
            self.intervals += 1;
            for row in &figures.rows {
                self.count += row.stats.count;
                self.bytes += row.stats.bytes;
                self.latencies += row.stats.latency.count();
                self.responses += row.stats.response.count();
            }
        }
    }

    fn looks_at_windows(&self) -> bool {
        true
    }
}

fn seen(load: TimeSpan) -> (SpanResult, Sum) {
    let plan = Plan {
        engine: NULL,
        ..fixtures::plan("native", "", vec![Step::Run(load)])
    };
    let mut sum = Sum::default();
    let results = run_plan(&plan, &AtomicBool::new(false), &mut sum);
    (finished(results), sum)
}

#[test]
fn intervals_add_up_to_the_whole() {
    let (result, sum) = seen(null(MS * 200, vec![reads(0, 4), writes(1, 2)]));
    let (reads, writes) = (result.reads(None), result.writes(None));
    assert_eq!(sum.intervals, 20);
    assert_eq!(sum.count, reads.count + writes.count);
    assert_eq!(sum.bytes, reads.bytes + writes.bytes);
    assert_eq!(sum.latencies, sum.count);
    assert_eq!(sum.responses, 0);
}

#[test]
fn responses_of_an_open_loop_are_among_them() {
    let mut stream = reads(0, 4);
    stream.pacing = Pacing::Arrivals {
        per_second: 2000.0,
        poisson: false,
    };
    let (result, sum) = seen(null(MS * 200, vec![stream]));
    let reads = result.reads(None);
    assert_eq!(
        (sum.count, sum.responses),
        (reads.count, reads.response.count())
    );
    assert!(sum.responses > 0);
}

#[test]
fn a_condition_that_is_met_ends_the_load_early() {
    let mut load = null(Duration::from_mins(10), vec![reads(0, 1)]);
    load.stop.fuse = ["read.mean>1h", "iops>1"]
        .map(|text| text.parse().unwrap())
        .to_vec();
    let results = carry_out(NULL, load.clone(), OnError::Stop);
    let Some(EndReason::Fuse(blown)) = results.ended else {
        panic!("{:?}", results.ended)
    };
    assert_eq!(blown.condition, load.stop.fuse[1]);
    assert!(blown.value > 1 && blown.at >= MS * 10);
    let result = &results.spans[0];
    assert_eq!(result.outcome, Outcome::EndedEarly(EndReason::Fuse(blown)));
    assert!(result.measured >= blown.at && result.reads(None).count > 0);
    assert!(result.failures.is_empty());
}

#[test]
fn a_condition_that_is_never_met_changes_nothing() {
    let mut load = null(MS * 100, vec![reads(0, 1)]);
    load.stop.fuse = vec!["mean>1h".parse().unwrap()];
    let result = finished(carry_out(NULL, load, OnError::Stop));
    assert_eq!(result.measured, MS * 100);
}

fn not_steady(results: &Results) -> Option<&Finding> {
    results.findings.iter().find(|f| f.code == "not-steady")
}

/// Bounds that any five windows keep in which something was done.
fn any(window: Duration) -> Steady {
    Steady {
        window,
        range_percent: 500,
        slope_percent: 1000,
    }
}

#[test]
fn a_steady_load_ends_with_the_figures_of_its_windows() {
    let mut load = null(Duration::from_mins(10), vec![reads(0, 1), writes(1, 1)]);
    load.stop.steady = Some(any(MS * 20));
    let results = carry_out(NULL, load, OnError::Stop);
    assert_eq!(not_steady(&results), None);
    let course = results.course(0);
    let result = finished(results);
    let steady = result.steady.unwrap();
    assert!(steady.after >= MS * 100, "{steady:?}");
    assert_eq!((result.measured, steady.length()), (MS * 100, MS * 100));
    // The course is that of the whole time.
    assert!(course.rates.len() as u32 >= 10);
    for stats in [result.reads(None), result.writes(None)] {
        assert!(stats.count > 0);
        assert_eq!(stats.latency.count(), stats.count);
        assert_eq!(stats.bytes, stats.count * 16384);
        let all: u64 = stats.intervals.used().iter().map(|i| i.count).sum();
        assert!(all >= stats.count);
    }
}

#[test]
fn a_load_that_is_too_short_to_be_steady_says_so() {
    let mut load = null(MS * 90, vec![reads(0, 1)]);
    load.stop.steady = Some(any(MS * 20));
    let results = carry_out(NULL, load, OnError::Stop);
    let finding = not_steady(&results).unwrap();
    assert_eq!(finding.severity, Severity::Caution);
    assert!(finding.message.contains("had 4"), "{finding:?}");
    let result = finished(results);
    assert_eq!((result.steady, result.measured), (None, MS * 90));
}

#[test]
fn clocks_of_simulated_devices_have_no_intervals_in_common() {
    for change in [
        (|stop: &mut Stop| stop.steady = Some(Steady::default())) as fn(&mut Stop),
        |stop| stop.fuse = vec!["p99>1ms".parse().unwrap()],
    ] {
        let mut load = span(MS, group(1, vec![reads(0, 1)], Dispatch::PerStream));
        change(&mut load.stop);
        let results = carry_out(simulated("read=fixed:1ms"), load, OnError::Stop);
        let said = &results.spans[0].failures[0].message;
        assert!(said.contains("simulated device"), "{said}");
    }
}
