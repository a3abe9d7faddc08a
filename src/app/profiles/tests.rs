//! The sizes of the SQL Server workloads, counted through whole runs of 100,000 I/Os.

use std::{sync::atomic::AtomicBool, time::Duration};

use crate::{
    host::parse_machine,
    measure::OperationStats,
    plan::{
        Counting, EngineChoice, EngineKind, Events, OnError, Origin, Plan, Step, Stop, TimeSpan,
        WriteRules,
    },
    profiles::{Wanted, find},
    results::{Outcome, Silent, SpanResult},
    runner::{Surroundings, run},
};

const OPERATIONS: u64 = 100_000;

/// No queue, and a nanosecond for each byte: the time of an I/O is its size.
const TIME_IS_SIZE: &str = "servers=65536,read=fixed:1ns,write=fixed:1ns,per_byte=1ns";

/// Bytes and percent of the I/Os of that direction, as the patterns propose them.
type Column = &'static [(u32, f64)];

const NORMAL_READS: Column = &[
    (8192, 80.0),
    (16384, 5.0),
    (32768, 5.0),
    (65536, 8.0),
    (131_072, 2.0),
];
const NORMAL_WRITES: Column = &[
    (8192, 60.0),
    (16384, 10.0),
    (32768, 10.0),
    (65536, 15.0),
    (131_072, 5.0),
];
const DIRTY_PAGES: Column = &[(65536, 70.0), (98304, 10.0), (131_072, 20.0)];
const BULK: Column = &[
    (8192, 10.0),
    (16384, 5.0),
    (32768, 5.0),
    (65536, 40.0),
    (131_072, 40.0),
];
const CHECK: Column = &[(8192, 30.0), (16384, 10.0), (32768, 10.0), (65536, 50.0)];
const READ_AHEAD: Column = &[
    (65536, 10.0),
    (131_072, 15.0),
    (262_144, 25.0),
    (524_288, 50.0),
];
const INDEX_WRITES: Column = &[(8192, 10.0), (65536, 40.0), (131_072, 50.0)];
const LOG: Column = &[
    (512, 25.0),
    (1024, 10.0),
    (4096, 25.0),
    (8192, 15.0),
    (16384, 5.0),
    (32768, 5.0),
    (61440, 10.0),
    (65536, 5.0),
];
const MIB: Column = &[(1 << 20, 100.0)];
const EXTENT: Column = &[(65536, 100.0)];

/// Reads in percent of all I/Os, sizes of reads, of writes.
const WORKLOADS: &[(&str, f64, Column, Column)] = &[
    ("data-normal", 80.0, NORMAL_READS, NORMAL_WRITES),
    ("checkpoint", 0.0, &[], DIRTY_PAGES),
    ("lazywriter", 0.0, &[], DIRTY_PAGES),
    ("bulk-insert", 0.0, &[], BULK),
    ("backup", 50.0, MIB, MIB),
    ("restore", 50.0, EXTENT, EXTENT),
    ("checkdb", 100.0, CHECK, &[]),
    ("index-rebuild", 21.0, READ_AHEAD, INDEX_WRITES),
    ("read-ahead", 100.0, READ_AHEAD, &[]),
    ("log", 0.0, &[], LOG),
    ("log-burst", 0.0, &[], LOG),
    ("log-read", 100.0, EXTENT, &[]),
];

/// The workload on a machine of four CPUs, ended by its number of I/Os.
fn measured(operation: &str, engine: EngineChoice) -> SpanResult {
    let machine = parse_machine("lp=4,numa=1,sock=1,soft=1").expect("a machine");
    let wanted = Wanted {
        seed: 42,
        ..Wanted::on(&machine)
    };
    let profile = find(&format!("sqlserver/{operation}"), None).expect("a workload");
    let resolved = profile.resolve(&wanted).expect(operation);
    let mut span = TimeSpan {
        warmup: Duration::ZERO,
        stop: Stop {
            operations: Some(OPERATIONS),
            ..Stop::default()
        },
        counting: Counting::DrainAndCount,
        ..resolved.spans.into_iter().next().expect("a time span")
    };
    for (target, file) in span.targets.iter_mut().zip(&resolved.files) {
        target.planned_size = Some(file.size);
    }
    let plan = Plan {
        steps: vec![Step::Run(span)],
        origin: Origin {
            personality: "native".to_owned(),
            command_line: String::new(),
        },
        engine,
        on_error: OnError::Stop,
        consent: Vec::new(),
        rules: WriteRules::Own,
        events: Events::default(),
    };
    let around = Surroundings {
        machine: &machine,
        interrupt: &AtomicBool::new(false),
    };
    let results = run(&plan, around, &mut Silent);
    let span = results.spans.into_iter().next().expect("a result");
    assert_eq!(span.failures, Vec::new(), "{operation}");
    assert_eq!(span.outcome, Outcome::Finished, "{operation}");
    span
}

/// Both directions with what they should be: I/Os, share of all, sizes.
fn directions(
    span: &SpanResult,
    read_share: f64,
    reads: Column,
    writes: Column,
) -> [(OperationStats, f64, Column); 2] {
    [
        (span.reads(None), read_share, reads),
        (span.writes(None), 100.0 - read_share, writes),
    ]
}

#[test]
fn a_whole_run_has_the_sizes_of_the_table_within_one_percent() {
    for (operation, read_share, reads, writes) in WORKLOADS {
        let law = TIME_IS_SIZE.parse().expect("a law");
        let span = measured(operation, EngineChoice::Simulated(law));
        let all = span.reads(None).count + span.writes(None).count;
        assert_eq!(all, OPERATIONS, "{operation}");
        for (seen, share, column) in directions(&span, *read_share, reads, writes) {
            let percent = 100.0 * seen.count as f64 / all as f64;
            assert!((percent - share).abs() < 1.0, "{operation}: {percent} %");
            let mut others = seen.count;
            for (bytes, wanted) in column {
                // A bucket is a thousandth wide, the nearest sizes are 7 % apart.
                let near = f64::from(*bytes) * 0.99..f64::from(*bytes) * 1.01;
                let of_it = seen.latency.used_buckets();
                let of_it = of_it.filter(|(ns, _)| near.contains(&(*ns as f64)));
                let count: u64 = of_it.map(|(_, count)| count).sum();
                others -= count;
                let percent = 100.0 * count as f64 / seen.count as f64;
                let apart = (percent - wanted).abs();
                assert!(apart < 1.0, "{operation}, {bytes} bytes: {percent} %");
            }
            assert_eq!(others, 0, "{operation} has sizes that it should not");
        }
    }
}

#[test]
fn threads_that_race_have_the_shares_and_the_mean_sizes_of_the_table() {
    for (operation, read_share, reads, writes) in WORKLOADS {
        let span = measured(operation, EngineChoice::Named(EngineKind::Null));
        let all = span.reads(None).count + span.writes(None).count;
        assert_eq!(all, OPERATIONS, "{operation}");
        for (seen, share, column) in directions(&span, *read_share, reads, writes) {
            let percent = 100.0 * seen.count as f64 / all as f64;
            assert!((percent - share).abs() < 1.0, "{operation}: {percent} %");
            let weighted = column
                .iter()
                .map(|(bytes, percent)| f64::from(*bytes) * percent);
            let expected = weighted.sum::<f64>() / 100.0 * seen.count as f64;
            // 20,000 draws of the widest mix have a mean that strays by 0.9 %.
            let apart = (seen.bytes as f64 - expected).abs();
            assert!(apart <= 0.05 * expected, "{operation}: {}", seen.bytes);
        }
    }
}
