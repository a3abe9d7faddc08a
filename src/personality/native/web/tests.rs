//! Lines of `web` as plans, and results as text. Expected figures are the seed's or by hand.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    asked::{Asked, Crowd},
    job,
    site::Site,
    steps::Steps,
    text::Report,
    words,
};
use crate::{
    host::{Below, Machine, PathKind},
    measure::Latency,
    personality::{Environment, Files, Job, native::commands::web::WebArgs},
    plan::{Cached, Content, Generator, OnError, Popularity, Step, TimeSpan, Whose, WriteRules},
    report::Renderer,
    results::{
        EndReason, OperationStats, Outcome, Prepared, Provenance, Rates, Results, SpanResult,
        StreamResult, VisitFigures, WorkerResult,
    },
    units::number::STRANGE,
};

const MIB: u64 = 1 << 20;

/// Three pages, and what is not visited.
fn below(folder: &Path, most: usize) -> io::Result<Below> {
    match folder.to_str() {
        Some("site") => Ok(Below {
            files: ["a", "b", "c"].map(|name| folder.join(name))[..most.min(3)].to_vec(),
            bytes: 3 * MIB,
            unreadable: 2,
            empty: 1,
            ..Below::default()
        }),
        Some("empty") => Ok(Below {
            empty: 4,
            ..Below::default()
        }),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn around() -> Environment {
    let kind = |path: &Path| match path.to_str() {
        Some("pipe") => Some(PathKind::Fifo),
        _ => None,
    };
    Environment {
        machine: Machine {
            memory: 1 << 30,
            ..Machine::default()
        },
        clock_seed: 77,
        files: Files::default().listing(below).looked(kind, |_| false),
        ..Environment::default()
    }
}

fn args(folder: &str) -> WebArgs {
    WebArgs {
        folder: folder.into(),
        ..WebArgs::default()
    }
}

#[track_caller]
fn job_of(args: &WebArgs) -> Job {
    job(args, &around(), "iogauge web site")
        .map_err(|error| error.messages)
        .unwrap()
}

#[track_caller]
fn refusal(args: &WebArgs) -> String {
    let Err(error) = job(args, &around(), "iogauge web x") else {
        panic!("{args:?} is accepted")
    };
    assert_eq!(error.exit, 2);
    error.messages.concat()
}

fn spans(job: &Job) -> Vec<&TimeSpan> {
    job.plan.spans().collect()
}

#[test]
fn a_bare_line_reads_what_is_there_with_one_visitor_first() {
    let job = job_of(&args("site"));
    assert_eq!(job.plan.steps.len(), 1);
    assert_eq!(job.plan.rules, WriteRules::Own);
    assert_eq!(job.plan.on_error, OnError::Stop);
    let span = spans(&job)[0];
    assert_eq!(span.name, "1 visitor");
    assert_eq!(span.warmup, Duration::from_secs(2));
    assert_eq!(span.stop.after, Some(Duration::from_secs(10)));
    assert_eq!(span.generator, Generator::Xoshiro { seed: 77 });
    let visits = span.visits.as_ref().unwrap();
    assert_eq!((visits.visitors, visits.chunk), (1, 262_144));
    // 3 MiB fit into half of 1 GiB.
    assert_eq!(visits.cached, Cached::Filled);
    let pages = ["site/a", "site/b", "site/c"].map(PathBuf::from);
    assert_eq!(*visits.files, pages);
    assert_eq!(visits.popularity, Popularity::Uniform);
    assert_eq!(crate::plan::validate::validate(&job.plan), Ok(()));
}

#[test]
fn options_become_the_plan() {
    let typed = WebArgs {
        visitors: Some("12".into()),
        dist: Some("zipf:0.99".into()),
        cold: true,
        duration: Some("1m30s".into()),
        warmup: Some("0s".into()),
        seed: Some("5".into()),
        ..args("site")
    };
    let mut job = job_of(&typed);
    let span = spans(&job)[0].clone();
    assert_eq!(span.name, "12 visitors");
    assert_eq!(
        (span.warmup, span.stop.after),
        (Duration::ZERO, Some(Duration::from_secs(90)))
    );
    assert_eq!(span.generator, Generator::Xoshiro { seed: 5 });
    let visits = span.visits.unwrap();
    assert_eq!(visits.cached, Cached::Dropped);
    assert_eq!(visits.popularity, Popularity::Zipf(0.99));
    // Which file is popular is a matter of the seed alone.
    let again = job_of(&typed);
    assert_eq!(
        spans(&again)[0].visits.as_ref().unwrap().files,
        visits.files
    );
    let mut sorted = visits.files.to_vec();
    sorted.sort();
    assert_eq!(sorted, ["site/a", "site/b", "site/c"].map(PathBuf::from));
    // A number that was named is the only one.
    let results = results(&job, vec![step(&span_of(&job), 10, &[7; 20])]);
    assert_eq!((job.next)(&results), None);
}

#[test]
fn files_are_made_and_removed_by_the_plan() {
    let typed = WebArgs {
        make: Some("12x64k".into()),
        ..args("site")
    };
    let job = job_of(&typed);
    let [
        Step::Prepare(prepare),
        Step::Run(span),
        Step::Cleanup(cleanup),
    ] = &job.plan.steps[..]
    else {
        panic!("{:?}", job.plan.steps)
    };
    assert_eq!(prepare.files.len(), 12);
    assert_eq!(prepare.files[0].path, Path::new("site/iogauge-web-01.bin"));
    assert_eq!(prepare.files[11].path, Path::new("site/iogauge-web-12.bin"));
    assert!(prepare.files.iter().all(|file| file.size == 65536));
    assert_eq!(prepare.files[0].content, Content::Random);
    assert_eq!(span.visits.as_ref().unwrap().files.len(), 12);
    assert_eq!((cleanup.paths.len(), cleanup.whose), (12, Whose::Own));
    let kept = job_of(&WebArgs {
        keep: true,
        ..typed
    });
    assert_eq!(kept.plan.steps.len(), 2);
}

#[test]
fn a_folder_without_files_is_refused_with_the_line_to_type() {
    let told = refusal(&args("empty"));
    assert!(
        told.contains("empty has no files to read (4 files are empty)"),
        "{told}"
    );
    assert!(told.contains("iogauge web empty --make 4096x64k"), "{told}");
    assert!(refusal(&args("none")).contains("none does not exist"));
    assert!(refusal(&args("pipe")).contains("pipe is a named pipe: name the folder"));
}

#[test]
fn numbers_that_mean_nothing_are_refused_by_name() {
    for value in STRANGE.iter().chain(&["0", "9223372036854775808"]) {
        let value = (*value).to_owned();
        let with = |set: fn(&mut WebArgs, String)| {
            let mut args = args("site");
            set(&mut args, value.clone());
            refusal(&args)
        };
        let told = with(|args, value| args.visitors = Some(value));
        assert!(
            told.contains("--visitors") && told.contains("from 1 to 65536"),
            "{told}"
        );
        let told = with(|args, value| args.make = Some(value));
        assert!(
            told.contains("--make") && told.contains("4096x64k"),
            "{told}"
        );
        let told = with(|args, value| args.make = Some(format!("{value}x64k")));
        assert!(told.contains("from 1 to 100000"), "{told}");
        let told = with(|args, value| args.make = Some(format!("4x{value}")));
        assert!(told.contains("--make"), "{told}");
        let told = with(|args, value| args.duration = Some(value));
        assert!(
            told.contains("--duration") && told.contains("from 1ms to 366d"),
            "{told}"
        );
        let told = with(|args, value| args.warmup = Some(value));
        assert!(
            told.contains("--warmup") && told.contains("from 0s"),
            "{told}"
        );
        let told = with(|args, value| args.dist = Some(format!("zipf:{value}")));
        assert!(
            told.contains("--dist") && told.contains("from 0.01 to 10"),
            "{told}"
        );
    }
    for value in STRANGE {
        let told = refusal(&WebArgs {
            seed: Some((*value).to_owned()),
            ..args("site")
        });
        assert!(
            told.contains("--seed") && told.contains("from 0 to"),
            "{told}"
        );
    }
    for dist in [
        "pareto", "zipf", "zipf:inf", "zipf:nan", "zipf:+1", "zipf:11",
    ] {
        let told = refusal(&WebArgs {
            dist: Some(dist.to_owned()),
            ..args("site")
        });
        assert!(told.contains(dist) && told.contains("zipf:0.99"), "{told}");
    }
}

/// A step in which files of 1 MiB took these milliseconds.
fn step(span: &TimeSpan, seconds: u64, latencies_ms: &[u64]) -> SpanResult {
    let mut read = OperationStats::default();
    for ms in latencies_ms {
        read.record(0, ms * 1_000_000, MIB);
        read.initiation.record(500_000);
    }
    let worker = WorkerResult {
        streams: vec![StreamResult {
            read,
            ..StreamResult::default()
        }],
        ..WorkerResult::default()
    };
    assert!(span.visits.is_some());
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: Duration::from_secs(seconds),
        cpus: Vec::new(),
        engine: "files".to_owned(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: Vec::new(),
        workers: vec![worker],
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        steady: None,
    }
}

fn span_of(job: &Job) -> TimeSpan {
    spans(job)[0].clone()
}

fn results(job: &Job, spans: Vec<SpanResult>) -> Results {
    Results {
        provenance: Provenance {
            version: "0".to_owned(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: job.plan.clone(),
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// All steps of a bare line, where so many visitors get so many files in 10 s.
fn grown(files: &[(u32, usize)]) -> (Job, Results) {
    let mut job = job_of(&args("site"));
    let first = span_of(&job);
    let mut results = results(&job, vec![step(&first, 10, &vec![8; files[0].1])]);
    for (visitors, count) in &files[1..] {
        let span = (job.next)(&results).expect("another step");
        assert_eq!(span.visits.as_ref().unwrap().visitors, *visitors);
        results.spans.push(step(&span, 10, &vec![8; *count]));
        results.plan.steps.push(Step::Run(span));
    }
    assert_eq!((job.next)(&results), None);
    (job, results)
}

#[test]
fn visitors_double_until_more_of_them_bring_nothing() {
    // 2,080 are less than a twentieth more than 2,000.
    let (_, results) = grown(&[(1, 600), (2, 1100), (4, 2000), (8, 2080)]);
    let seeds: Vec<_> = results.plan.spans().map(|span| span.generator).collect();
    let expected = [77, 78, 79, 80].map(|seed| Generator::Xoshiro { seed });
    assert_eq!(seeds, expected);
    let names: Vec<_> = results
        .plan
        .spans()
        .map(|span| span.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["1 visitor", "2 visitors", "4 visitors", "8 visitors"]
    );
    // However well it goes on, 256 are enough.
    let doubling: Vec<(u32, usize)> = (0..9).map(|n| (1 << n, 10 << n)).collect();
    grown(&doubling);
}

#[test]
fn what_the_cache_has_is_said_and_never_mixed_up() {
    let small = |typed: &WebArgs| spans(&job_of(typed))[0].visits.as_ref().unwrap().cached;
    let warm = WebArgs {
        warm: true,
        ..args("site")
    };
    assert_eq!(small(&warm), Cached::Filled);
    // Half of 6 MiB holds 3 MiB, half of what is a byte less does not.
    for (memory, cached, told) in [
        (
            6 * MIB,
            Cached::Filled,
            "- note: these files fit into memory (3 MiB of 6 MiB)",
        ),
        (
            6 * MIB - 1,
            Cached::AsItIs,
            "! caution: what one step read from the disk (3 MiB in",
        ),
        (0, Cached::AsItIs, "! caution: "),
    ] {
        let mut around = around();
        around.machine.memory = memory;
        let job = job(&args("site"), &around, "")
            .map_err(|error| error.messages)
            .unwrap();
        let span = span_of(&job);
        assert_eq!(span.visits.as_ref().unwrap().cached, cached);
        let text = rendered(&job, &results(&job, vec![step(&span, 1, &[1])]));
        assert!(text.contains(told), "{text}");
    }
    let mut around = around();
    around.machine.memory = MIB;
    let job = job(&warm, &around, "")
        .map_err(|error| error.messages)
        .unwrap();
    let text = rendered(&job, &results(&job, vec![step(&span_of(&job), 1, &[1])]));
    assert!(
        text.contains("! caution: these files do not fit into memory"),
        "{text}"
    );
}

fn rendered(job: &Job, results: &Results) -> String {
    let mut text = Vec::new();
    job.report.render(results, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.is_ascii(), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
    text
}

#[test]
fn the_report_answers_in_sentences_and_a_table() {
    let (job, results) = grown(&[(1, 600), (2, 1100), (4, 2000), (8, 2080)]);
    let expected = "\
site: 3 files, 3 MiB in all, each asked for alike often; warm (each was read
  once before); 10s a step, measured after 2s of warm-up; seed 77

One visitor at a time: 60.0 files a second, 8.0 ms each; the slowest 8.00 ms.
With 4 visitors 200 files a second at 8.0 ms; more visitors only wait longer.

visitors    files/s      MiB/s    mean ms    open ms     p99 ms     max ms
       1       60.0       60.0       8.00      0.500          -       8.00
       2        110        110       8.00      0.500       8.00       8.00
       4        200        200       8.00      0.500       8.00       8.00
       8        208        208       8.00      0.500       8.00       8.00

- note: these files fit into memory (3 MiB of 1 GiB): this is the speed of the
  page cache; --cold asks the disk each time
- note: 2 files or folders may not be read
- note: 1 file is empty
";
    assert_eq!(rendered(&job, &results), expected);
}

#[test]
fn an_end_before_its_time_is_told_first() {
    let job = job_of(&args("site"));
    let span = span_of(&job);
    let mut early = step(&span, 3, &[8; 30]);
    early.outcome = Outcome::EndedEarly(EndReason::Failed);
    early.workers[0].streams[0].read.errors.insert(2, 4);
    let mut results = results(&job, vec![early]);
    results.ended = Some(EndReason::Failed);
    let text = rendered(&job, &results);
    let first = "!! the step with 1 visitor failed after 3.0 s; the figures cover these\n";
    assert!(text.starts_with(first), "{text}");
    let told = "1 visitor: 4 files could not be read: No such file or directory (ENOENT)\n\
                --on-error continue counts such files and goes on\n";
    assert!(text.contains(told), "{text}");
    results.spans[0].outcome = Outcome::NotMeasured(EndReason::Interrupted);
    results.spans[0].workers.clear();
    let text = rendered(&job, &results);
    let first = "!! the step with 1 visitor interrupted before it was measured\n";
    assert!(text.starts_with(first) && !text.contains("NaN"), "{text}");
}

/// The histogram of the seed's run: 140.35 files a second over 300 s, mean by 1/140.35, in whole
/// milliseconds: percent of 0, 1, ... 23, and of 24 and more, which is told as 2. The shares are cut
/// to whole percents there, and two are missing: 1.95 go to the milliseconds that have none, 0.05 to
/// the slowest.
const SEED: [u32; 25] = [
    7, 0, 1, 0, 1, 29, 34, 18, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2,
];

fn of_the_seed() -> Latency {
    let mut latency = Latency::default();
    let all = 42_105_u64; // 140.35 * 300
    let mut record = |count: u64, us: u64| (0..count).for_each(|_| latency.record(us * 1000));
    let missing = SEED[..24].iter().filter(|percent| **percent == 0).count() as u64;
    let mut body = 0;
    for (ms, percent) in SEED[..24].iter().enumerate() {
        let count = match percent {
            0 => all * 195 / 10_000 / missing,
            percent => all * u64::from(*percent) / 100,
        };
        record(count, ms as u64 * 1000 + 500);
        body += count;
    }
    record(1, 1_847_000);
    // What the others of 24 ms and more took, so that all together took 300 s.
    let tail = all - body - 1;
    let so_far = latency.sum().as_micros() as u64;
    let each = (300_000_000 - so_far) / tail;
    assert!(each > 24_000);
    (0..tail).for_each(|place| {
        // From 24.1 ms up to as far above their mean.
        let spread = each - 24_100;
        latency.record((24_100 + 2 * spread * place / (tail - 1)) * 1000);
    });
    latency
}

#[test]
fn the_seeds_own_question_is_answered_in_its_words() {
    let latency = of_the_seed();
    assert_eq!(latency.count(), 42_105);
    let mut span = crate::plan::fixtures::visits_span(4096);
    span.visits.as_mut().unwrap().visitors = 1;
    let mut result = step(&span, 300, &[]);
    let read = &mut result.workers[0].streams[0].read;
    read.count = latency.count();
    read.bytes = latency.count() * 65536;
    read.latency = latency;
    let figures = VisitFigures::of(&span, &result).unwrap();
    assert_eq!(
        words::at_a_time(&figures),
        "One visitor at a time: 140 files a second, 7.1 ms each; 2 in 100 took over 24 ms, the \
         slowest 1.85 s."
    );
    // The seed's MBs/sec.
    assert_eq!(format!("{:.2}", figures.rates.mib_per_second), "8.77");
}

#[test]
fn too_few_files_and_none_are_told_without_percentiles() {
    let mut figures = VisitFigures {
        visitors: 8,
        rates: Rates::new(6100, 0, Duration::from_secs(10)),
        mean_ms: Some(13.04),
        open_ms: None,
        p99_ms: None,
        max_ms: Some(24.25),
        slow: None,
    };
    assert_eq!(
        words::at_a_time(&figures),
        "8 visitors at a time: 610 files a second, 13 ms each; the slowest 24.2 ms."
    );
    figures.mean_ms = None;
    assert_eq!(
        words::at_a_time(&figures),
        "8 visitors at a time: no file was read to its end in the measured time."
    );
}

#[test]
fn huge_figures_keep_their_columns() {
    let asked = Asked::read(&args("site"), &around()).unwrap();
    assert_eq!(asked.crowd, Crowd::Growing);
    let site = Site::find(&asked, &around()).unwrap();
    let job = job_of(&args("site"));
    let report = Report::new(&asked, &site, &around());
    let mut span = step(&span_of(&job), 1, &[3_600_000]);
    let read = &mut span.workers[0].streams[0].read;
    (read.count, read.bytes) = (9_999_999, 9_999_999 << 20);
    let mut text = Vec::new();
    report
        .render(&results(&job, vec![span]), &mut text)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let row = "       1  9,999,999  9,999,999  3,600,000      0.500          -  3,600,000";
    assert!(text.lines().any(|line| line == row), "{text}");
    let _ = Steps::new(&asked, &site);
}
