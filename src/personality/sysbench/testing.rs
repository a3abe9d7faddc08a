//! What the tests of this folder share: recorded cases of sysbench 0.4.12 and 1.0.20, their
//! options, and short ways to build results by hand.

use std::{fs, path::PathBuf, time::Duration};

use super::line::defaults;
use super::options::{Action, Dialect, ExtraFlags, FileOptions, IoMode, Mode, Options, Seed};
use crate::{
    host::Machine,
    plan::fixtures::plan,
    results::{
        OperationStats, Outcome, Prepared, Provenance, Results, Segment, SpanResult, WorkerShare,
    },
};

/// A file of a recorded case.
pub(super) fn recorded(case: &str, file: &str) -> String {
    let path: PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "tests/reference/sysbench",
        case,
        file,
    ]
    .iter()
    .collect();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The options of a line that says nothing.
pub(super) fn options(dialect: Dialect) -> Options {
    Options {
        seed: match dialect {
            Dialect::V04 => Seed::Fixed,
            Dialect::V10 => Seed::Clock { seed: 1 },
        },
        ..defaults(dialect)
    }
}

/// The options of a recorded case: as much of the grammar as the records need.
pub(super) fn options_of(case: &str) -> Options {
    let dialect = if case.starts_with("v04") {
        Dialect::V04
    } else {
        Dialect::V10
    };
    let mut options = options(dialect);
    let line = recorded(case, "cmd");
    for word in line.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, "on"));
        match name.replace('_', "-").as_str() {
            "run" => options.action = Action::Run,
            "prepare" => options.action = Action::Prepare,
            "cleanup" => options.action = Action::Cleanup,
            name if name.starts_with("--file-") => file_option(&mut options.file, name, value),
            name => general_option(&mut options, name, value),
        }
    }
    // To 0.4 only "on" means on.
    if dialect == Dialect::V04 && line.contains("--file-fsync-all=true") {
        options.file.fsync_all = false;
    }
    options
}

fn general_option(options: &mut Options, name: &str, value: &str) {
    let number = || value.parse::<u32>().unwrap();
    match name {
        "--threads" | "--num-threads" => options.threads = number(),
        "--events" => options.events = number(),
        "--time" => options.time = number(),
        // 1.0 takes no notice of an old name with 0.
        "--max-requests" | "--max-time" if options.dialect == Dialect::V10 && value == "0" => {}
        "--max-requests" => options.events = number(),
        "--max-time" => options.time = number(),
        "--rate" => options.rate = number(),
        "--report-interval" => options.report_interval = number(),
        "--report-checkpoints" => {
            options.checkpoints = value.split(',').map(|at| at.parse().unwrap()).collect();
        }
        "--percentile" => options.percentile = number(),
        "--histogram" => options.histogram = true,
        "--rand-seed" => options.seed = Seed::Given { seed: number() },
        "--init-rng" => options.seed = Seed::Clock { seed: 1 },
        "--forced-shutdown" => options.grace = Some(number()),
        "--validate" => options.validate = true,
        "--verbosity" => options.verbosity = value.parse().unwrap(),
        "--debug" => {
            options.debug = true;
            options.verbosity = 5;
        }
        _ => {}
    }
}

fn file_option(file: &mut FileOptions, name: &str, value: &str) {
    let on = ["on", "true", "1"].contains(&value);
    let bytes = || {
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        let letter = value[digits.len()..].to_uppercase();
        let shift = match letter.chars().next() {
            Some('K') => 10,
            Some('M') => 20,
            Some('G') => 30,
            _ => 0,
        };
        digits.parse::<u64>().unwrap() << shift
    };
    match name {
        "--file-num" => file.count = value.parse().unwrap(),
        "--file-total-size" => file.total = bytes(),
        "--file-block-size" => file.block = bytes() as u32,
        "--file-test-mode" => {
            file.mode = Some(match value {
                "seqwr" => Mode::SeqWr,
                "seqrewr" => Mode::SeqRewr,
                "seqrd" => Mode::SeqRd,
                "rndrd" => Mode::RndRd,
                "rndwr" => Mode::RndWr,
                _ => Mode::RndRw,
            });
        }
        "--file-io-mode" => {
            file.io_mode = match value {
                "async" => IoMode::Async,
                "mmap" => IoMode::Mmap,
                _ => IoMode::Sync,
            };
        }
        "--file-extra-flags" => {
            let has = |flag| value.split(',').any(|word| word == flag);
            file.flags = ExtraFlags {
                sync: has("sync"),
                dsync: has("dsync"),
                direct: has("direct"),
            };
        }
        "--file-fsync-freq" => file.fsync_freq = value.parse().unwrap(),
        "--file-fsync-all" => file.fsync_all = on,
        "--file-fsync-end" => file.fsync_end = on,
        "--file-fsync-mode" => file.fdatasync = value == "fdatasync",
        "--file-merged-requests" => file.merged = value.parse().unwrap(),
        "--file-rw-ratio" => file.rw_ratio = value.parse().unwrap(),
        _ => {}
    }
}

/// Rows of a printed histogram: value in ms and count.
pub(super) fn histogram_of(text: &str) -> Vec<(f64, u64)> {
    let rows = text.lines().filter_map(|line| line.split_once(" |"));
    rows.map(|(value, bar)| {
        let count = bar.rsplit(' ').next().unwrap();
        (value.trim().parse().unwrap(), count.parse().unwrap())
    })
    .collect()
}

pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// Counts and bytes, nothing else.
pub(super) fn counted(count: u64, bytes: u64) -> OperationStats {
    OperationStats {
        count,
        bytes,
        ..OperationStats::default()
    }
}

/// Shares of these numbers of events, of a busy time that is the same for each.
pub(super) fn shares(events: &[u64], busy: Duration) -> Vec<WorkerShare> {
    let share = |events: &u64| WorkerShare {
        events: *events,
        busy,
        ..WorkerShare::default()
    };
    events.iter().map(share).collect()
}

/// A finished time span.
pub(super) fn span(segments: Vec<Segment>) -> SpanResult {
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: segments.last().map_or(Duration::ZERO, |last| last.to),
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: Vec::new(),
        workers: Vec::new(),
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments,
        steady: None,
    }
}

pub(super) fn results(spans: Vec<SpanResult>) -> Results {
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: plan("sysbench", "", Vec::new()),
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}
