//! The three lines of a published test, byte for byte, in a row in one folder.

use std::{fs, time::Instant};

use super::{case::folder, report::Report};
use crate::util::{self, Dir, Output};

/// The lines of the page's report, in its order, up to what was measured. The page squeezes blanks
/// and writes three dots as one character.
const PAGE: &[&str] = &[
    "sysbench 0.4.12: multi-threaded system evaluation benchmark",
    "Running the test with following options:",
    "Number of threads: 1",
    "Extra file open flags: 0",
    "128 files, 8Mb each",
    "1Gb total file size",
    "Block size 16Kb",
    "Number of random requests for random IO: 0",
    "Read/Write ratio for combined random IO test: 1.50",
    "Periodic FSYNC enabled, calling fsync() each 100 requests.",
    "Calling fsync() at the end of test, Enabled.",
    "Using synchronous I/O mode",
    "Doing random r/w test",
    "Threads started!",
    "Time limit exceeded, exiting\u{2026}",
    "Done.",
    "Operations performed:",
    "Read ",
    "",
    "Test execution summary:",
    "total time:",
    "total number of events:",
    "total time taken by event execution:",
    "per-request statistics:",
    "min:",
    "avg:",
    "max:",
    "approx. 95 percentile:",
    "Threads fairness:",
    "events (avg/stddev):",
    "execution time (avg/stddev):",
];

/// A line with one blank where it has several, as the page shows it.
fn squeezed(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").replace("...", "\u{2026}")
}

#[track_caller]
fn run(dir: &Dir, line: &str) -> Output {
    let words = line.strip_prefix("sysbench ").expect("a line of sysbench");
    assert!(
        words.contains('\u{2013}'),
        "the dashes of the page are gone"
    );
    let output = util::run(&mut dir.sysbench(words));
    output.expect_code(0);
    assert!(output.stderr.contains("dash"), "{output:#?}");
    output
}

#[test]
fn the_lines_of_the_page_run_as_they_stand() {
    let _turn = util::busy();
    let lines = fs::read_to_string(folder().join("seed-lines.txt")).expect("the lines");
    let lines: Vec<&str> = lines.lines().collect();
    let [prepare, load, cleanup] = lines[..] else {
        panic!("three lines: {lines:?}");
    };
    let dir = Dir::new();
    let place = dir.path().display().to_string();
    let space = util::tool("stat", &["-f", "-c", "%a %S", &place]).expect("stat");
    let space: u64 = space
        .split_whitespace()
        .filter_map(|n| n.parse::<u64>().ok())
        .product();
    if space < 3 << 30 {
        return util::skip("a set of 1 GiB needs more room than there is");
    }
    run(&dir, prepare);
    let sizes = super::case::files_in(&dir);
    assert_eq!(sizes.len(), 128);
    assert!(
        sizes.values().all(|file| *file == (8 << 20, 0o600)),
        "{sizes:?}"
    );
    // For a shorter time, nothing else.
    let short = load.replace("max-time=300", "max-time=2");
    assert_ne!(short, load);
    let started = Instant::now();
    let output = run(&dir, &short);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    let shown: Vec<String> = output.stdout.lines().map(squeezed).collect();
    let mut at = 0;
    for label in PAGE.iter().filter(|label| !label.is_empty()) {
        let found = shown[at..].iter().position(|line| {
            let measured = label.ends_with([':', ' ']);
            line == label || measured && line.starts_with(label)
        });
        at += found.unwrap_or_else(|| panic!("{label} is not in order: {}", output.stdout)) + 1;
    }
    figures(&output.stdout);
    run(&dir, cleanup);
    assert_eq!(dir.names(), Vec::<String>::new());
}

/// On the page: 56000 requests make 560 rounds of 128 flushes, of which the time limit cut the last
/// by 45: 71635.
#[track_caller]
fn figures(text: &str) {
    let report = Report::parse(text);
    let problems = report.problems(Some(16_384), report.seconds, 1);
    assert!(problems.is_empty(), "{problems:?}");
    let [reads, writes, others, _] = report.counts.expect("0.4 counts");
    let requests = reads + writes;
    assert!(requests > 0, "{text}");
    // After 5 requests there are 3 reads; which come first of the rest is the ratio's.
    assert!(
        reads.abs_diff(requests * 3 / 5) <= 1,
        "{reads} of {requests}"
    );
    let rounds = requests / 100;
    let whole = rounds * 128;
    if requests.is_multiple_of(100) {
        // The limit may have cut the round, at any place.
        assert!(
            (whole.saturating_sub(128)..=whole).contains(&others),
            "{others} of {whole}"
        );
    } else {
        assert_eq!(others, whole, "{text}");
    }
}
