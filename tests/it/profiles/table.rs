//! SQL Server's table: its six columns in its own words, and what they come to on a machine.

use super::{LARGE, command, profiles, refused};
use crate::util::run;

/// The rows of the paper, cell for cell; its dash is a hyphen where there is no other.
const PAPER: [[&str; 6]; 10] = [
    [
        "Data File",
        "Normal Activity",
        "8KiB up to 128KiB",
        "8KiB up to 128KiB",
        "Based on MaxDOP",
        "Random",
    ],
    [
        "",
        "Checkpoint",
        "N/A",
        "64KiB up to 128 KiB",
        "# of Sockets in Computer",
        "Random",
    ],
    [
        "",
        "LazyWriter",
        "N/A",
        "64KiB up to 128 KiB",
        "1 per NUMA Node",
        "Random",
    ],
    [
        "",
        "Bulk Insert",
        "N/A",
        "8KiB up to 128 KiB",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "",
        "Backup",
        "1 MB",
        "1 MB",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "",
        "Restore",
        "64KiB",
        "64KiB",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "",
        "DBCC Checkdb w/ no repair option",
        "8KiB up to 64KiB",
        "N/A",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "",
        "Rebuild Index",
        "See Read Ahead",
        "8KiB - 128 KiB",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "",
        "ReadAhead",
        "Up to 512 KiB",
        "N/A",
        "Based on MaxDOP",
        "Sequential",
    ],
    [
        "Log File",
        "Normal Activity",
        "512 bytes - 64KiB",
        "512 bytes - 64KiB",
        "one log writer thread per soft NUMA node with a cap of 4",
        "Sequential",
    ],
];

/// The rows of a table with bars; a line without an I/O type goes on with the one above.
fn rows(text: &str) -> Vec<[String; 6]> {
    let mut rows: Vec<[String; 6]> = Vec::new();
    for line in text.lines().filter(|line| line.contains('|')) {
        let mut cells: Vec<&str> = line.split('|').map(str::trim).collect();
        cells.resize(6, "");
        if !cells[5].is_empty() || rows.is_empty() {
            rows.push(std::array::from_fn(|column| cells[column].to_owned()));
            continue;
        }
        let last = rows.last_mut().expect("a row above");
        for (cell, more) in last.iter_mut().zip(cells) {
            if !more.is_empty() {
                format!("{cell} {more}").trim().clone_into(cell);
            }
        }
    }
    rows
}

#[test]
fn the_six_columns_are_those_of_the_paper() {
    let text = profiles(&["sqlserver"]);
    let rows = rows(&text);
    let heads = [
        "File type",
        "Operation",
        "READ pattern",
        "WRITE pattern",
        "Threads used",
        "I/O type",
    ];
    assert_eq!(rows[0], heads);
    assert_eq!(rows[1..], PAPER);
    // The paper's own dash, where there is one.
    let mut unicode = command(&["sqlserver"]);
    unicode.env("LC_ALL", "C.UTF-8");
    assert!(run(&mut unicode).stdout.contains("8KiB \u{2013} 128 KiB"));
}

/// Threads, in flight, in all, reads, writes of a row of the numbers.
fn numbers(text: &str, name: &str) -> Vec<String> {
    let line = text
        .lines()
        .find(|line| {
            !line.contains('|')
                && line
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with("  "))
        })
        .unwrap_or_else(|| panic!("no {name} in:\n{text}"));
    let cells = line[name.len()..].split("  ").map(str::trim);
    cells
        .filter(|cell| !cell.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_numbers_are_those_of_the_machine() {
    let small = profiles(&["sqlserver", "--machine", "lp=4,numa=1,sock=1,soft=1"]);
    let large = profiles(&["sqlserver", "--machine", LARGE]);
    // lp=32,numa=2,sock=2,soft=4, then lp=4: threads; in flight of each; sizes.
    for (name, threads, in_flight, reads, writes) in [
        ("data-normal", [16, 4], "4", "8-128 KiB", "8-128 KiB"),
        ("checkpoint", [2, 1], "100", "-", "64-128 KiB"),
        ("lazywriter", [2, 1], "16", "-", "64-128 KiB"),
        ("bulk-insert", [16, 4], "16", "-", "8-128 KiB"),
        ("checkdb", [16, 4], "8", "8-64 KiB", "-"),
        ("read-ahead", [16, 4], "16", "64-512 KiB", "-"),
        ("log", [4, 1], "1", "-", "512 B-64 KiB"),
    ] {
        for (text, threads) in [(&large, threads[0]), (&small, threads[1])] {
            let row = numbers(text, name);
            assert_eq!(
                row[..2],
                [threads.to_string(), in_flight.to_owned()],
                "{name}"
            );
            assert_eq!(row[3..], [reads, writes], "{name}");
        }
    }
    assert_eq!(numbers(&large, "backup")[0], "16");
    assert!(large.contains("32 logical CPUs, 2 NUMA nodes"));
    // Nine soft-NUMA nodes: still four writers.
    let nine = profiles(&["sqlserver", "--machine", "lp=32,numa=2,sock=2,soft=9"]);
    assert_eq!(numbers(&nine, "log")[0], "4");
}

#[test]
fn options_change_the_numbers() {
    let text = profiles(&[
        "sqlserver",
        "--machine",
        LARGE,
        "--maxdop",
        "3",
        "--generation",
        "2016",
    ]);
    assert_eq!(numbers(&text, "read-ahead")[0], "3");
    assert_eq!(numbers(&text, "checkpoint")[4], "8 KiB-1 MiB");
    let text = profiles(&[
        "sqlserver",
        "--machine",
        LARGE,
        "--transfer",
        "4M",
        "--compression",
        "0.5",
    ]);
    assert_eq!(numbers(&text, "backup")[3..], ["4 MiB", "2 MiB"]);
    assert_eq!(numbers(&text, "restore")[3..], ["2 MiB", "4 MiB"]);
}

#[test]
fn the_machine_may_be_a_variable() {
    let mut from_variable = command(&["sqlserver"]);
    from_variable.env("IOGAUGE_MACHINE", LARGE);
    assert_eq!(
        run(&mut from_variable).stdout,
        profiles(&["sqlserver", "--machine", LARGE])
    );
    // The option wins.
    let mut both = command(&["sqlserver", "--machine", "lp=4"]);
    both.env("IOGAUGE_MACHINE", LARGE);
    assert_eq!(
        run(&mut both).stdout,
        profiles(&["sqlserver", "--machine", "lp=4"])
    );
    let mut wrong = command(&["sqlserver"]);
    wrong.env("IOGAUGE_MACHINE", "lp=0");
    let output = run(&mut wrong);
    output.expect_code(2);
    assert!(
        output.told().contains("IOGAUGE_MACHINE") && output.told().contains("lp=0"),
        "{output:?}"
    );
    refused(
        &["sqlserver", "--machine", "cpus=4"],
        &["--machine", "cpus=4", "lp="],
    );
}
