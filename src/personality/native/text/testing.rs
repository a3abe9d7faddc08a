//! Short ways to build results by hand, and to see what is printed of them.

use std::time::Duration;

use super::{Report, Shape};
use crate::{
    host::{Device, Filesystem, Machine},
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, Distribution, FlushPolicy, OperationMix,
        Step, Stream, Target, TimeSpan, WorkerGroup, fixtures,
    },
    report::{Renderer, text::Form},
    results::{
        IntervalSeries, OperationStats, Outcome, Prepared, Provenance, Results, SpanResult,
        StreamResult, TargetResult, WorkerResult,
    },
};

/// Random I/O of 4 KiB, so many percent of it writes.
pub(super) fn random(write_percent: u32) -> Stream {
    let pattern = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    Stream {
        mix: OperationMix {
            write_percent,
            flush: FlushPolicy::Never,
        },
        ..fixtures::stream(0, pattern, BlockSizes::One(4096))
    }
}

pub(super) fn group(name: &str, workers: u32, stream: Stream) -> WorkerGroup {
    WorkerGroup {
        name: name.into(),
        workers,
        affinity: Affinity::None,
        streams: vec![stream],
        dispatch: Dispatch::PerStream,
    }
}

/// `./t/data.dat`, direct, no durability.
pub(super) fn target() -> Target {
    Target {
        durability: crate::plan::Durability::None,
        ..fixtures::target("./t/data.dat", "t/data.dat")
    }
}

/// 30 s after 5 s.
pub(super) fn planned(name: &str, groups: Vec<WorkerGroup>) -> TimeSpan {
    let mut span = fixtures::span(vec![target()], groups);
    span.name = name.into();
    span.stop.after = Some(Duration::from_secs(30));
    span
}

/// One stream a worker, over 30 s, on a file of 1 GiB on ext4 on a disk that writes through.
pub(super) fn measured(streams: Vec<StreamResult>) -> SpanResult {
    SpanResult {
        outcome: Outcome::Finished,
        failures: Vec::new(),
        measured: Duration::from_secs(30),
        cpus: Vec::new(),
        engine: "io_uring".into(),
        simulated: false,
        engine_notes: Vec::new(),
        targets: vec![TargetResult {
            label: "./t/data.dat".into(),
            size: 1 << 30,
            kind: None,
            filesystem: Some(Filesystem {
                kind: "ext4".into(),
                mount: "/".into(),
                source: "/dev/sda1".into(),
                options: String::new(),
            }),
            device: Some(Device {
                name: "sda1".into(),
                model: Some("Disk 7 ".into()),
                size: 1 << 40,
                scheduler: None,
                rotational: None,
                logical_sector: None,
                physical_sector: None,
                write_cache: Some("write through".into()),
            }),
        }],
        workers: streams
            .into_iter()
            .map(|stream| WorkerResult {
                streams: vec![stream],
                ..WorkerResult::default()
            })
            .collect(),
        prepared: Duration::ZERO,
        opening: Duration::ZERO,
        segments: Vec::new(),
        steady: None,
    }
}

pub(super) fn results(spans: Vec<(TimeSpan, SpanResult)>) -> Results {
    let (planned, spans): (Vec<TimeSpan>, Vec<SpanResult>) = spans.into_iter().unzip();
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan: fixtures::plan("native", "", planned.into_iter().map(Step::Run).collect()),
        spans,
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// For each second, so many operations of 4 KiB and of so many microseconds, over 30 s.
pub(super) fn every_second(counts: &[u64], us: u64) -> OperationStats {
    operations(counts, &[(1, us)], 4096)
}

/// For each second so many operations; of each `share` of them one latency after the other.
pub(super) fn operations(counts: &[u64], latencies: &[(u64, u64)], bytes: u64) -> OperationStats {
    let length = Duration::from_secs(counts.len().max(1) as u64);
    let mut stats = OperationStats::new(IntervalSeries::new(Duration::from_secs(1), length));
    let round: u64 = latencies.iter().map(|(share, _)| share).sum();
    for (second, count) in counts.iter().enumerate() {
        for number in 0..*count {
            let mut place = number % round.max(1);
            let us = latencies.iter().find_map(|(share, us)| {
                let here = place < *share;
                place = place.saturating_sub(*share);
                here.then_some(*us)
            });
            let at = second as u64 * 1_000_000_000 + 1;
            stats.record(at, us.unwrap_or(0) * 1000, bytes);
        }
    }
    stats
}

pub(super) fn read(stats: OperationStats) -> StreamResult {
    StreamResult {
        read: stats,
        ..StreamResult::default()
    }
}

pub(super) fn write(stats: OperationStats) -> StreamResult {
    StreamResult {
        write: stats,
        ..StreamResult::default()
    }
}

pub(super) fn report(shape: Shape) -> Report {
    Report {
        resolved: None,
        db_size: None,
        shape,
        notes: Vec::new(),
        form: Form::default(),
    }
}

/// What is printed: in 80 columns, without a byte that is not ASCII, without a figure that is none.
pub(super) fn rendered(report: &Report, results: &Results) -> String {
    let mut out = Vec::new();
    report.render(results, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.is_ascii(), "{text}");
    for line in text.lines() {
        assert!(line.len() <= 80, "{} columns: {line}", line.len());
        assert!(!line.contains("NaN") && !line.contains("inf "), "{line}");
        assert!(!line.ends_with(' '), "{line:?}");
    }
    text
}
