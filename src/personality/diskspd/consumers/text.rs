//! Readers of the text report: one that splits at blank lines and bars as `VirtualClient` does,
//! and the few lines that home-made scripts look at.

#![expect(
    clippy::float_cmp,
    reason = "counts and printed constants are exact in a float"
)]

use std::collections::BTreeMap;

use super::{BLOCK, Case, Side, cases, near};
use crate::personality::{
    DiskSpdVersion,
    diskspd::{
        testing::rendered,
        text::{Form, TextReport},
    },
};

fn report(case: &Case, version: DiskSpdVersion) -> String {
    let report = TextReport {
        profile: case.profile.clone(),
        form: Form(version),
    };
    rendered(&report, &case.results)
}

/// Sections by name: lines apart at blank ones, without rules, cells apart at bars.
fn sections(report: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let report = &report[report.find("actual test time").unwrap()..];
    let text = report
        .replace("\nCPU |", "\nCPU\nCPU |")
        .replace("\ntotal:\n", "\nLatency\n")
        .replace("\nTotal latency distribution:\n", "\nLatency\n")
        .replace("total:", "total|")
        .replace("avg.", "average");
    let mut sections = BTreeMap::new();
    for block in text.split("\n\n") {
        let mut lines = block
            .lines()
            .filter(|line| !line.is_empty() && !line.bytes().all(|byte| byte == b'-'));
        let Some(name) = lines.next() else { continue };
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
        sections.insert(name.to_owned(), lines.map(cells).collect());
    }
    sections
}

/// The value in the row that begins with `row`, in the column of this heading.
fn cell(table: &[Vec<String>], row: &str, heading: &str) -> f64 {
    let column = table[0].iter().position(|name| name == heading);
    let column = column.unwrap_or_else(|| panic!("no column {heading}: {table:?}"));
    let row = table.iter().find(|cells| cells[0] == row).unwrap();
    row[column].trim_end_matches('%').parse().unwrap()
}

const TABLES: [(Side, &str); 3] = [
    (Side::Both, "Total IO"),
    (Side::Read, "Read IO"),
    (Side::Write, "Write IO"),
];

#[test]
fn sections_and_cells_hold_the_figures() {
    for (case, version) in cases().flat_map(|case| {
        // The heading of latencies that the reader was written for, and today's.
        [DiskSpdVersion::V2_1, DiskSpdVersion::V2_2].map(|v| (super::case(case.line), v))
    }) {
        let sections = sections(&report(&case, version));
        let cpu = &sections["CPU"];
        assert_eq!(cell(cpu, "1", "Usage"), 50.0);
        assert_eq!(cell(cpu, "average", "Kernel"), 25.0);
        for (side, name) in TABLES {
            let table = &sections[name];
            let count = case.count(side) as f64;
            assert_eq!(
                cell(table, "total", "bytes"),
                count * BLOCK as f64,
                "{}",
                case.line
            );
            assert_eq!(cell(table, "total", "I/Os"), count);
            assert_eq!(cell(table, "total", "I/O per s"), count);
            let mib = count * BLOCK as f64 / 1_048_576.0;
            assert!((cell(table, "total", "MiB/s") - mib).abs() < 0.0051);
            if case.has("-L") && count > 0.0 {
                assert!(near(cell(table, "total", "AvgLat"), case.mean_ms(side)));
            }
            if case.has("-D") {
                let deviation = cell(table, "total", "IopsStdDev");
                assert!((deviation - case.iops_deviation(side)).abs() < 0.0051);
            }
        }
        assert_eq!(
            sections.contains_key("Latency"),
            case.has("-L"),
            "{}",
            case.line
        );
        if case.has("-L") {
            percentiles(&case, &sections["Latency"]);
        }
    }
}

fn percentiles(case: &Case, table: &[Vec<String>]) {
    for (side, column) in [
        (Side::Both, "Total (ms)"),
        (Side::Read, "Read (ms)"),
        (Side::Write, "Write (ms)"),
    ] {
        if case.count(side) == 0 {
            continue;
        }
        for (row, percent) in [
            ("min", 0.0),
            ("50th", 50.0),
            ("99th", 99.0),
            ("3-nines", 99.9),
            ("max", 100.0),
        ] {
            let found = cell(table, row, column);
            let expected = case.percentile_ms(side, percent);
            assert!(
                near(found, expected),
                "{}: {row} {column}: {found}",
                case.line
            );
        }
    }
}

#[test]
fn scripts_find_the_first_total_and_the_parameters() {
    for case in cases() {
        for version in [
            DiskSpdVersion::V2_0,
            DiskSpdVersion::V2_1,
            DiskSpdVersion::V2_2,
        ] {
            let text = report(&case, version);
            let total = text.lines().find(|line| line.contains("total:")).unwrap();
            let fields: Vec<&str> = total.split('|').map(str::trim).collect();
            let count = case.count(Side::Both) as f64;
            let number = |field: usize| fields[field - 1].parse::<f64>().unwrap();
            let mib = count * BLOCK as f64 / 1_048_576.0;
            assert!((number(3) - mib).abs() < 0.0051, "{total}");
            assert_eq!(number(4), count, "{total}");
            if case.has("-L") {
                assert!(near(number(5), case.mean_ms(Side::Both)), "{total}");
            }
            let value = |label: &str| {
                let line = text.lines().find(|line| line.contains(label)).unwrap();
                line.rsplit(": ").next().unwrap().to_owned()
            };
            let old = version == DiskSpdVersion::V2_0;
            assert_eq!(value("block size"), if old { "4096" } else { "4KiB" });
            assert_eq!(value("duration"), "1s");
            let requests = case.profile.spans[0].targets[0].request_count;
            assert!(text.contains("outstanding I/O operations"));
            if case.profile.spans[0].thread_count == 0 {
                assert_eq!(value("outstanding"), requests.to_string());
            }
            assert!(text.contains("\t\tperforming "));
        }
    }
}
