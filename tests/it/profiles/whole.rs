//! One workload whole, as text and as JSON.

use serde_json::Value;

use super::{LARGE, command, names, profiles};
use crate::util::run;

#[track_caller]
fn json(args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.push("--json");
    let output = run(&mut command(&all));
    output.expect_code(0);
    serde_json::from_str(&output.stdout).expect("valid JSON")
}

#[test]
fn every_workload_is_shown_on_any_machine() {
    for name in names() {
        for machine in ["lp=1", "lp=256", LARGE] {
            let text = profiles(&[&name, "--machine", machine]);
            assert!(text.starts_with(&format!("{name}: ")), "{text}");
            for part in ["Numbers here", "Sources", "iogauge run"] {
                assert!(text.contains(part), "{name}: no {part}");
            }
        }
    }
}

#[test]
fn a_workload_says_its_numbers_marks_and_sources() {
    let text = profiles(&["sqlserver/log", "--machine", LARGE]);
    for part in [
        "threads     4 (one a soft-NUMA node, at most 4)",
        "512 bytes 25 %, 1 KiB 10 %, 4 KiB 25 %, 8 KiB 15 %, 16 KiB 5 %,",
        "log write, writes: good to 1, acceptable to 5, slow to 15, else bad",
        "mix: assumed",
        "O_DIRECT, O_DSYNC",
        "https://",
    ] {
        assert!(text.contains(part), "no {part} in:\n{text}");
    }
    let flushed = profiles(&["sqlserver/log", "--sql-flush", "fdatasync"]);
    assert!(flushed.contains("fdatasync after each batch"), "{flushed}");
    let beyond = profiles(&["sqlserver/tempdb-spill"]);
    assert!(beyond.contains("Not in the operations table."), "{beyond}");
    let etcd = profiles(&["etcd"]);
    for part in ["2,300 bytes", "22 MiB", "99 of 100 below 10", "page cache"] {
        assert!(etcd.contains(part), "no {part} in:\n{etcd}");
    }
}

#[test]
fn json_tells_reads_and_writes_in_flight_apart() {
    let of = |name: &str| {
        let all = json(&[name, "--machine", LARGE]);
        let streams = all["profiles"][0]["groups"][0]["streams"].clone();
        let each = streams.as_array().expect("streams").iter();
        each.map(|stream| {
            let number = |key: &str| stream[key].as_u64().expect("a number");
            (number("write_percent"), number("in_flight_per_thread"))
        })
        .collect::<Vec<_>>()
    };
    // Six buffers are read into while six are written.
    assert_eq!(of("sqlserver/backup"), [(0, 6), (100, 6)]);
    assert_eq!(of("sqlserver/restore"), [(0, 6), (100, 6)]);
    // Eight of a thread, drawn for reads and writes by weight.
    assert_eq!(of("sqlserver/index-rebuild"), []);
}

#[test]
fn json_has_the_same_facts() {
    let log = json(&["sqlserver/log", "--machine", LARGE]);
    assert_eq!(log["iogauge_profiles"], 1);
    assert_eq!(log["machine"]["logical_cpus"], 32);
    let profile = &log["profiles"][0];
    assert_eq!(profile["name"], "sqlserver/log");
    assert_eq!(
        profile["operations_table"]["write_pattern"],
        "512 bytes - 64KiB"
    );
    let group = &profile["groups"][0];
    assert_eq!(
        (
            group["threads"].as_u64(),
            group["in_flight_per_thread"].as_u64()
        ),
        (Some(4), Some(1))
    );
    let writes: Vec<(u64, f64)> = group["writes"]
        .as_array()
        .expect("sizes")
        .iter()
        .map(|size| {
            (
                size["bytes"].as_u64().expect("bytes"),
                size["share_percent"].as_f64().expect("percent"),
            )
        })
        .collect();
    assert_eq!(
        writes,
        [
            (512, 25.0),
            (1024, 10.0),
            (4096, 25.0),
            (8192, 15.0),
            (16384, 5.0),
            (32768, 5.0),
            (61440, 10.0),
            (65536, 5.0),
        ]
    );
    assert_eq!(profile["marks"][0]["acceptable_ms"], 5.0);
    assert_eq!(profile["files"][0]["size_bytes"], 1_u64 << 30);
    // Of a file whose halves are used apart there is one.
    let rebuild = json(&["sqlserver/index-rebuild"]);
    assert_eq!(
        rebuild["profiles"][0]["files"].as_array().map(Vec::len),
        Some(1)
    );
    let oltp = json(&["sqlserver/oltp", "--rate", "500,poisson"]);
    assert_eq!(oltp["profiles"][0]["groups"][0]["due_per_second"], 2000.0);
    let all = json(&[]);
    assert_eq!(
        all["profiles"].as_array().map(Vec::len),
        Some(names().len())
    );
    let sql = json(&["sqlserver"]);
    assert_eq!(sql["profiles"].as_array().map(Vec::len), Some(17));
}
