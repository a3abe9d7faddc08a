//! Reports of 0.4 and 1.0.

use std::time::Duration;

use super::{
    cases_with, labels, load, output, prelude,
    rebuilt::{number, segment_v04, segment_v10},
    until_load,
};
use crate::{
    personality::sysbench::{
        options::{Dialect, Options},
        testing::{counted, histogram_of, options_of, recorded, results, seconds, shares, span},
    },
    results::{EndReason, Event, Latency, Limit, Outcome, Segment, WorkerShare},
};

/// Of percentiles only label and width remain: the other figures do not say how latencies were
/// spread.
fn masked(text: &str) -> Vec<String> {
    let mask = |line: &str| {
        if line.contains("percentile:") {
            let label = &line[..=line.find(':').unwrap()];
            return format!("{label} ({} wide)", line.len());
        }
        line.to_owned()
    };
    text.lines().map(mask).collect()
}

/// The whole output of a recorded run, rebuilt.
fn rebuilt(case: &str) -> (String, String) {
    let options = options_of(case);
    let mut record = recorded(case, "stdout");
    let labels = labels(&options);
    let mut events = until_load(&options, &labels);
    let (requests, intervals, limit) = load(&record);
    events.extend(requests.iter().map(|asked| Event::Request(*asked)));
    events.extend(intervals.iter().map(Event::Interval));
    let (segments, opening) = segments(&options, &mut record);
    let (last, before) = segments.split_last().unwrap();
    events.extend(before.iter().map(Event::Checkpoint));
    if let Some(by) = limit {
        events
            .extend((0..options.threads as usize).map(|worker| Event::WorkerEnded { worker, by }));
    }
    events.push(Event::SpanEnds { number: 1 });
    let mut result = span(segments.clone());
    result.measured = last.length();
    result.opening = opening;
    let shown = output(&options, &prelude(&record), &events, &results(vec![result]));
    (shown, record)
}

fn segments(options: &Options, record: &mut String) -> (Vec<Segment>, Duration) {
    if options.dialect == Dialect::V04 {
        let (segment, opening) = segment_v04(options, record);
        return (vec![segment], opening);
    }
    let text = record.clone();
    let blocks: Vec<&str> = text.split("\nFile operations:").skip(1).collect();
    let mut segments = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let last = index + 1 == blocks.len();
        let (mut segment, exact) = segment_v10(options, block, last);
        if options.debug {
            debugged(&mut segment);
        }
        if !exact {
            // Rates are over a little more than the total time: one figure has to give way.
            let label = "total time:                          ";
            let old = format!("{label}{:.4}s", number(block, "total time:"));
            let new = format!("{label}{:.4}s", segment.to.as_secs_f64());
            *record = record.replace(&old, &new);
        }
        segments.push(segment);
    }
    (segments, Duration::ZERO)
}

/// Smallest and largest of v10-debug's thread; 0.0001 s is all that is printed of the largest.
fn debugged(segment: &mut Segment) {
    segment.shares[0].max = seconds(0.0001);
}

/// Reports of threads whose counts cannot be found from mean and deviation.
const UNKNOWN_SHARES: [&str; 3] = [
    "v04-threads4-rndrw",
    "v04-threads4-time",
    "v10-threads4-rndrw",
];

#[test]
fn reports_of_all_records() {
    let mut cases = cases_with("Operations performed:");
    cases.extend(cases_with("File operations:"));
    // Failures are told in another way, and histograms are a test of their own.
    cases.retain(|case| {
        !recorded(case, "stdout").contains("FATAL")
            && !UNKNOWN_SHARES.contains(&case.as_str())
            && case != "v10-histogram"
    });
    assert!(cases.len() > 50, "{}", cases.len());
    for case in cases {
        let (shown, record) = rebuilt(&case);
        let (shown, record) = (masked(&shown), masked(&record));
        assert_eq!(shown, record, "{case}");
    }
}

#[test]
fn shares_of_threads_have_mean_and_deviation() {
    // 44330 - 500 and + 500, and so on: mean 44330, deviation 500.
    let segment = Segment {
        shares: shares(&[43_830, 44_830, 43_830, 44_830], seconds(1.9767)),
        ..Segment::default()
    };
    let shown = super::super::block::fairness(&segment);
    let record = recorded("v10-threads4-rndrw", "stdout");
    let line = |text: &str| text.lines().rev().nth(1).unwrap().to_owned();
    assert!(shown.contains("    events (avg/stddev):           44330.0000/500.00\n"));
    assert!(record.contains("    events (avg/stddev):           44330.0000/499.74\n"));
    assert_eq!(line(&format!("{shown}\n")), line(&record));
}

#[test]
fn the_limit_of_time_of_four_threads_is_folded() {
    let case = "v04-threads4-time";
    let options = options_of(case);
    let record = recorded(case, "stdout");
    let labels = labels(&options);
    let mut events = until_load(&options, &labels);
    let by = Limit::Time;
    events.extend((0..4).map(|worker| Event::WorkerEnded { worker, by }));
    let shown = output(&options, &[], &events, &results(vec![span(Vec::new())]));
    let until = |text: &str| text[..text.find("Operations").unwrap()].to_owned();
    assert_eq!(until(&shown), until(&record));
}

#[test]
fn the_histogram_of_the_record() {
    let case = "v10-histogram";
    let options = options_of(case);
    let record = recorded(case, "stdout");
    // Every row stands for a bucket above that of the row before.
    let buckets: Vec<f64> = (0..1024)
        .map(|i| 1e3 * (1e8_f64).powf(f64::from(i) / 1023.0))
        .collect();
    let mut events = Latency::default();
    let mut next = 0;
    for (ms, count) in histogram_of(&record) {
        let printed = |ns: f64| format!("{:.3}", ns / 1e6) == format!("{ms:.3}");
        next += buckets[next..].iter().position(|ns| printed(*ns)).unwrap();
        (0..count).for_each(|_| events.record(buckets[next].round() as u64));
        next += 1;
    }
    let segment = Segment {
        to: seconds(1.0),
        events,
        ..Segment::default()
    };
    let shown = output(&options, &[], &[], &results(vec![span(vec![segment])]));
    let histogram = |text: &str| {
        let from = text.find("Latency histogram").unwrap();
        text[from..text.find("    reads/s").unwrap()].to_owned()
    };
    assert_eq!(histogram(&shown), histogram(&record));
    let percentile = |text: &str| {
        text.lines()
            .find(|l| l.contains("95th"))
            .unwrap()
            .to_owned()
    };
    assert_eq!(percentile(&shown), percentile(&record));
}

#[test]
fn the_histogram_comes_once_and_checkpoints_have_none() {
    let mut options = options_of("v10-histogram");
    options.checkpoints = vec![1, 2];
    let part = |from, to| {
        let mut events = Latency::default();
        events.record(1_000_000);
        Segment {
            from: seconds(from),
            to: seconds(to),
            events,
            ..Segment::default()
        }
    };
    let segments = vec![part(0.0, 1.0), part(1.0, 2.0), part(2.0, 3.0)];
    let events: Vec<Event<'_>> = segments[..2].iter().map(Event::Checkpoint).collect();
    let shown = output(
        &options,
        &[],
        &events,
        &results(vec![span(segments.clone())]),
    );
    assert_eq!(shown.matches("File operations:").count(), 3, "{shown}");
    assert_eq!(shown.matches("Latency histogram").count(), 1, "{shown}");
    let (before, _) = shown.split_once("Latency histogram").unwrap();
    assert_eq!(before.matches("File operations:").count(), 2, "{shown}");
}

#[test]
fn after_checkpoints_the_last_segment_is_shown_with_the_time_since_the_start() {
    let part = |from, to, count| Segment {
        from: seconds(from),
        to: seconds(to),
        read: counted(count, count << 14),
        ..Segment::default()
    };
    let segments = vec![part(0.0, 1.0, 7), part(1.0, 3.0, 40)];
    let mut result = span(segments);
    result.opening = seconds(0.5);
    let new = output(
        &options_of("v10-run-rndrd"),
        &[],
        &[],
        &results(vec![result.clone()]),
    );
    assert!(new.contains("reads/s:                      20.00\n"));
    assert!(new.contains("total time:                          3.0000s\n"));
    let old = output(
        &options_of("v04-run-rndrd"),
        &[],
        &[],
        &results(vec![result]),
    );
    assert!(old.contains("   20.00 Requests/sec executed\n"));
    assert!(old.contains("total time:                          3.5000s\n"));
}

#[test]
fn an_interrupted_run_shows_what_there_is() {
    let segment = Segment {
        to: seconds(2.0),
        read: counted(10, 163_840),
        ..Segment::default()
    };
    let mut result = span(vec![segment]);
    result.outcome = Outcome::EndedEarly(EndReason::Interrupted);
    let shown = output(
        &options_of("v10-run-rndrd"),
        &[],
        &[],
        &results(vec![result.clone()]),
    );
    assert!(shown.contains("reads/s:                      5.00\n"));
    result.outcome = Outcome::NotMeasured(EndReason::Interrupted);
    assert_eq!(
        output(
            &options_of("v10-run-rndrd"),
            &[],
            &[],
            &results(vec![result])
        ),
        ""
    );
}

#[test]
fn a_forced_shutdown_names_its_option_and_what_is_missing() {
    let segment = Segment {
        to: seconds(6.0),
        unfinished: 3,
        shares: vec![WorkerShare::default(); 4],
        ..Segment::default()
    };
    let mut result = span(vec![segment]);
    result.outcome = Outcome::EndedEarly(EndReason::LeftBehind);
    let shown = |case| {
        let mut options = options_of(case);
        options.grace = Some(5);
        output(&options, &[], &[], &results(vec![result.clone()]))
    };
    let new = shown("v10-forced-shutdown");
    assert!(
        new.starts_with("FATAL: ") && new.contains(" --time limit"),
        "{new}"
    );
    assert!(new.contains("not finished: 3\n\nFile operations:"));
    let old = shown("v04-run-rndrd");
    assert!(old.contains(" --max-time limit") && !old.contains("not finished"));
    assert!(old.contains("Operations performed:  0 Read"));
}

#[test]
fn a_run_without_an_event_has_no_absurd_figures() {
    // The original prints 18446744073709.55ms as the smallest.
    let shown = output(
        &options_of("v04-run-rndrd"),
        &[],
        &[],
        &results(vec![span(Vec::new())]),
    );
    assert!(shown.contains("         min:                                  0.00ms\n"));
    assert!(!shown.contains("percentile"));
    assert!(shown.contains("    0.00 Requests/sec executed"));
}
