//! What the tests of this folder share: recorded outputs of `DiskSpd` 2.2.0, and short ways to
//! build profiles and results by hand.

mod echoes;
mod lines;

use std::{fs, path::PathBuf, time::Duration};

pub(super) use echoes::echoed_as_xml;
pub(super) use lines::{args, around, line, refusal};

use crate::{
    host::{Cpu, Machine},
    personality::diskspd::profile::{
        Events, Format, Pattern, Profile, Target, Throughput, TimeSpan,
    },
    plan::{self, EngineChoice, OnError, Origin, Plan, WriteRules},
    report::Renderer,
    results::{
        IntervalSeries, OperationStats, Outcome, Prepared, Provenance, Results, SpanResult,
        StreamResult, TargetResult, WorkerResult,
    },
};

/// A file of a recorded case, without carriage returns.
pub(super) fn recorded(case: &str, file: &str) -> String {
    let path: PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "tests/reference/diskspd",
        case,
        file,
    ]
    .iter()
    .collect();
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace('\r', "")
}

/// The command line of a recorded case as our report words it.
pub(super) fn command_line(case: &str) -> String {
    as_ours(recorded(case, "cmd").trim_end()).replace('"', "")
}

/// The program is `diskspd`, one word.
pub(super) fn as_ours(text: &str) -> String {
    text.replace("diskspd.exe", "diskspd")
}

pub(super) fn target(path: &str) -> Target {
    Target {
        path: path.into(),
        ..Target::default()
    }
}

/// `-r`: all random, aligned to the block.
pub(super) fn random() -> Pattern {
    Pattern::Random {
        alignment: None,
        percent: 100,
    }
}

/// One time span with these targets.
pub(super) fn span(targets: Vec<Target>) -> TimeSpan {
    TimeSpan {
        targets,
        ..TimeSpan::default()
    }
}

pub(super) fn profile(spans: Vec<TimeSpan>) -> Profile {
    Profile {
        progress: 0,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: None,
        events: Events::default(),
        spans,
    }
}

/// `-b4K -c1G -d30 -W2 -C3 -D250 -L -o8 -t4 -r16K -w25 -Zr -B1M -f512M -g1000 -I2 -l -frst -n
/// -z42 -v x.dat`
pub(super) fn everything() -> Profile {
    let target = Target {
        block_size: 4096,
        create_size: Some(1 << 30),
        request_count: 8,
        threads: 4,
        pattern: Pattern::Random {
            alignment: Some(16 << 10),
            percent: 100,
        },
        write_ratio: 25,
        base: 1 << 20,
        max_size: 512 << 20,
        throughput: Throughput::BytesPerMs(1000),
        priority: 2,
        large_pages: true,
        sequential_scan: true,
        random_access: true,
        temporary: true,
        ..target("x.dat")
    };
    Profile {
        verbose: true,
        ..profile(vec![TimeSpan {
            duration: 30,
            warmup: 2,
            cooldown: 3,
            iops_stddev: true,
            interval_ms: 250,
            measure_latency: true,
            random_write_data: true,
            disable_affinity: true,
            seed: 42,
            ..span(vec![target])
        }])
    }
}

/// What `profile.xml` of several cases says, with `first` for its template.
pub(super) fn two_spans(first: &str) -> Profile {
    let random = Target {
        block_size: 8192,
        source_size: 1 << 20,
        create_size: Some(16 << 20),
        pattern: Pattern::Random {
            alignment: Some(8192),
            percent: 100,
        },
        request_count: 4,
        write_ratio: 30,
        threads: 2,
        ..target(first)
    };
    let sequential = Target {
        pattern: Pattern::Sequential {
            stride: Some(65536),
            interlocked: false,
        },
        create_size: Some(16 << 20),
        request_count: 1,
        ..target(first)
    };
    let second = Target {
        block_size: 4096,
        create_size: Some(4 << 20),
        write_ratio: 100,
        ..target("second.dat")
    };
    let short = |targets| TimeSpan {
        duration: 1,
        warmup: 0,
        ..span(targets)
    };
    profile(vec![
        TimeSpan {
            measure_latency: true,
            iops_stddev: true,
            interval_ms: 500,
            seed: 7,
            ..short(vec![random])
        },
        short(vec![sequential, second]),
    ])
}

/// The machine of the records: two CPUs, nothing special.
pub(super) fn machine() -> Machine {
    Machine {
        name: "vm".to_owned(),
        cpus: [0, 1]
            .map(|number| Cpu {
                number,
                socket: 0,
                node: 0,
                core: number,
                class: 0,
            })
            .to_vec(),
        ..Machine::default()
    }
}

/// Results on that machine, begun at 2026-11-30 19:49:05.
pub(super) fn results(command_line: &str, spans: Vec<SpanResult>) -> Results {
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::from_secs(1_796_068_145),
            machine: machine(),
        },
        plan: Plan {
            steps: Vec::new(),
            origin: Origin {
                personality: "diskspd".to_owned(),
                command_line: command_line.to_owned(),
            },
            engine: EngineChoice::Auto,
            on_error: OnError::Stop,
            consent: Vec::new(),
            rules: WriteRules::Named,
            events: plan::Events::default(),
        },
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// A finished time span; `targets` are labels with sizes.
pub(super) fn span_result(
    measured: Duration,
    targets: &[(&str, u64)],
    workers: Vec<Vec<StreamResult>>,
) -> SpanResult {
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured,
        cpus: Vec::new(),
        engine: String::new(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: targets
            .iter()
            .map(|&(label, size)| TargetResult {
                label: label.to_owned(),
                size,
                kind: None,
                filesystem: None,
                device: None,
            })
            .collect(),
        workers: workers
            .into_iter()
            .map(|streams| WorkerResult {
                streams,
                ..WorkerResult::default()
            })
            .collect(),
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        steady: None,
    }
}

/// Counts and bytes, nothing else.
pub(super) fn counted(count: u64, bytes: u64) -> OperationStats {
    OperationStats {
        count,
        bytes,
        ..OperationStats::default()
    }
}

/// Operations of 4096 bytes as (completion in ms, latency in ns), in intervals of half a second
/// over one second.
pub(super) fn operations(list: &[(u64, u64)]) -> OperationStats {
    let intervals = IntervalSeries::new(Duration::from_millis(500), Duration::from_secs(1));
    let mut stats = OperationStats::new(intervals);
    for (at_ms, latency_ns) in list {
        stats.record(at_ms * 1_000_000, *latency_ns, 4096);
    }
    stats
}

pub(super) fn stream(target: usize, read: OperationStats, write: OperationStats) -> StreamResult {
    StreamResult {
        target,
        read,
        write,
        ..StreamResult::default()
    }
}

pub(super) fn rendered(renderer: &dyn Renderer, results: &Results) -> String {
    let mut out = Vec::new();
    renderer.render(results, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Lines `from` (a part of its text) to `to` (the next with that text), inclusive.
pub(super) fn lines_between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| !line.contains(from));
    let mut found = Vec::new();
    for line in lines.by_ref() {
        found.push(line);
        if line.contains(to) && found.len() > 1 {
            break;
        }
    }
    found
}
