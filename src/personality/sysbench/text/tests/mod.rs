//! Whole outputs built from events and results by hand, beside the records.

mod failures;
mod rebuilt;
mod reports;

use std::fs;

use super::TextReport;
use crate::{
    personality::sysbench::{
        console::Console,
        observer::Watcher,
        options::{Action, Mode, Options},
        testing::{options_of, recorded, results, seconds, span},
    },
    report::Renderer,
    results::{
        Asked, Event, IntervalFigures, Latency, Limit, Observer, OperationKind, Prepared, Results,
    },
};

/// Everything on standard output: what is said of events, and the report.
fn output(options: &Options, prelude: &[&str], events: &[Event<'_>], results: &Results) -> String {
    let console = Console::new(options.verbosity);
    let mut out = Vec::new();
    let prelude = prelude.iter().map(|line| (*line).to_owned()).collect();
    let mut watcher = Watcher::new(options, prelude, console.clone(), &mut out);
    for event in events {
        watcher.observe(event);
    }
    drop(watcher);
    let report = TextReport {
        options: options.clone(),
        console,
    };
    report.render(results, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The names of records whose output has this text.
fn cases_with(text: &str) -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference/sysbench");
    let mut cases: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().join("stdout").is_file())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|case| recorded(case, "stdout").contains(text))
        .collect();
    cases.sort();
    cases
}

/// Lines before the program's own first one.
fn prelude(output: &str) -> Vec<&str> {
    let own = |line: &&str| !line.starts_with("sysbench ");
    output.lines().take_while(own).collect()
}

/// Events from the beginning to the load.
fn until_load<'a>(options: &Options, labels: &'a [String]) -> Vec<Event<'a>> {
    let mut events = vec![Event::Begins, Event::SpanBegins { number: 1 }];
    events.extend(labels.iter().map(|label| Event::Opening { label }));
    events.push(Event::TargetsOpen);
    for worker in 0..options.threads as usize {
        events.extend([
            Event::WorkerCreated { worker },
            Event::WorkerReady { worker },
        ]);
    }
    events.push(Event::Measuring { length: None });
    events
}

fn labels(options: &Options) -> Vec<String> {
    let numbers = 0..options.file.count;
    numbers.map(|i| format!("test_file.{i}")).collect()
}

#[test]
fn start_texts_of_all_records() {
    let cases = cases_with("Doing ");
    assert!(cases.len() > 70);
    for case in cases {
        let options = options_of(&case);
        let record = recorded(&case, "stdout");
        // Options and files are told before anything can fail.
        let end = record.find("Doing ").unwrap();
        let end = end + record[end..].find('\n').unwrap() + 1;
        let events = [Event::Begins, Event::SpanBegins { number: 1 }];
        let shown = output(&options, &prelude(&record), &events, &results(Vec::new()));
        assert_eq!(shown, record[..end], "{case}");
    }
}

#[test]
fn lines_up_to_the_load() {
    for case in cases_with("Threads started!\n") {
        let options = options_of(&case);
        let labels = labels(&options);
        let record = recorded(&case, "stdout");
        let shown = output(
            &options,
            &prelude(&record),
            &until_load(&options, &labels),
            &results(Vec::new()),
        );
        assert!(record.starts_with(&shown), "{case}: {shown}");
        assert!(shown.contains("Threads started!\n"));
    }
}

#[test]
fn a_warm_up_is_told_and_starts_the_threads() {
    let mut options = options_of("v10-run-rndrd");
    options.warmup = 3;
    let length = seconds(3.0);
    let events = [
        Event::SpanBegins { number: 1 },
        Event::Warmup { length },
        Event::Measuring { length: None },
    ];
    let shown = output(&options, &[], &events, &results(Vec::new()));
    assert!(shown.contains("Number of threads: 1\nWarmup time: 3s\n"));
    assert_eq!(shown.matches("Threads started!").count(), 1);
}

/// A request as a DEBUG line of the record has it.
fn asked(line: &str) -> Asked {
    let numbers: Vec<u64> = line
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect();
    Asked {
        operation: if numbers[0] == 1 {
            OperationKind::Read
        } else {
            OperationKind::Write
        },
        target: numbers[1] as u32,
        offset: numbers[2],
        length: numbers[3] as u32,
    }
}

/// Events of the load, as the record's lines tell them.
fn load(record: &str) -> (Vec<Asked>, Vec<IntervalFigures>, Option<Limit>) {
    let lines = |start: &'static str| record.lines().filter(move |line| line.starts_with(start));
    let requests = lines("DEBUG: Executing").map(asked).collect();
    let intervals = lines("[ ").filter(|line| line.contains("reads:"));
    let limit = if record.contains("Event limit") {
        Some(Limit::Operations)
    } else {
        record.contains("Time limit").then_some(Limit::Time)
    };
    (requests, intervals.map(interval).collect(), limit)
}

/// Figures that give the numbers of a line.
fn interval(line: &str) -> IntervalFigures {
    let numbers: Vec<f64> = line
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|word| word.parse().ok())
        .collect();
    // Over a hundred seconds two decimals are whole counts.
    let bytes = |mib: f64| (mib * 100.0 * 1_048_576.0).round() as u64;
    let mut events = Latency::default();
    events.record((numbers[5] * 1e6).round() as u64);
    IntervalFigures {
        at: seconds(numbers[0]),
        length: seconds(100.0),
        read_bytes: bytes(numbers[1]),
        written_bytes: bytes(numbers[2]),
        flushes: (numbers[3] * 100.0).round() as u64,
        events,
    }
}

#[test]
fn intervals_of_0_4_have_its_last_releases_form() {
    let figures = IntervalFigures {
        at: seconds(5.0),
        length: seconds(2.0),
        read_bytes: 3 << 20,
        written_bytes: 1 << 20,
        flushes: 5,
        events: Latency::default(),
    };
    let shown = super::interval(&figures, &options_of("v04-run-rndrw"));
    let shown = format!("{shown:?}");
    let form = "[   5s] reads: 1.50 MB/s writes: 0.50 MB/s fsyncs: 2.50/s response time: ";
    assert!(shown.contains(form), "{shown}");
}

#[test]
fn intervals_without_a_percentile_have_the_lowest_value_of_the_scale() {
    let mut options = options_of("v10-percentile-0");
    options.report_interval = 1;
    let mut events = Latency::default();
    events.record(5_000_000);
    let figures = IntervalFigures {
        at: seconds(1.0),
        length: seconds(1.0),
        read_bytes: 0,
        written_bytes: 0,
        flushes: 0,
        events,
    };
    // The scale begins at 0.001 ms.
    let shown = format!("{:?}", super::interval(&figures, &options));
    assert!(shown.contains("latency (ms,0%): 0.001"), "{shown}");
}

#[test]
fn nothing_is_shown_at_verbosity_0() {
    let options = options_of("v10-verbosity-0");
    let labels = labels(&options);
    let shown = output(
        &options,
        &["WARNING: x"],
        &until_load(&options, &labels),
        &results(vec![span(Vec::new())]),
    );
    assert_eq!(shown, recorded("v10-verbosity-0", "stdout"));
}

/// Events of a preparation as the record's lines tell them.
fn preparation(record: &str) -> Vec<Event<'_>> {
    let mut events = vec![Event::Begins, Event::PreparationBegins];
    for line in record.lines() {
        let label = line.rsplit(' ').next().unwrap();
        let kept = u64::from(line.starts_with("Extending"));
        if line.starts_with("Creating file ") || kept > 0 {
            let size = 1;
            events.push(Event::Preparing { label, size, kept });
        } else if line.starts_with("Reusing") {
            events.push(Event::Kept { label });
        }
    }
    events
}

#[test]
fn preparations_to_the_letter() {
    for case in cases_with("Creating files") {
        let record = recorded(&case, "stdout");
        let options = options_of(&case);
        assert_eq!(options.action, Action::Prepare);
        let mut results = results(Vec::new());
        if let Some(last) = record
            .lines()
            .find(|line| line.contains(" bytes written in"))
        {
            let bytes: u64 = last.split(' ').next().unwrap().parse().unwrap();
            let rate = last.split(['(', ' ']).rev().nth(1).unwrap();
            let rate: f64 = rate.parse().unwrap();
            results.prepared = Prepared {
                bytes,
                took: seconds(bytes as f64 / rate / 1_048_576.0),
            };
        }
        let shown = output(&options, &[], &preparation(&record), &results);
        assert_eq!(shown, record, "{case}");
    }
}

#[test]
fn cleanups_to_the_letter() {
    let cases = cases_with("Removing");
    assert!(cases.len() > 3);
    for case in cases {
        let events = [Event::Begins, Event::CleanupBegins];
        let shown = output(&options_of(&case), &[], &events, &results(Vec::new()));
        assert_eq!(shown, recorded(&case, "stdout"), "{case}");
    }
}

/// What the records' modes write, for counting flushes at the end.
fn writes(options: &Options) -> bool {
    options.file.mode.is_some_and(Mode::writes)
}
