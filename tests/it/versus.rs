//! `iogauge versus` from outside: two targets in turn, a table and a sentence.

use std::fs;

use crate::util::{self, Dir, Output};

/// A short comparison of random reads of 4 KiB, four in flight.
const SHORT: [&str; 13] = [
    "versus",
    "--rounds",
    "2",
    "--rw",
    "randread",
    "--qd",
    "4",
    "--size",
    "8M",
    "--duration",
    "200ms",
    "--warmup",
    "20ms",
];

fn versus(dir: &Dir, more: &[&str]) -> Output {
    util::run(&mut dir.iogauge(&[&SHORT, more].concat()))
}

/// The row of a figure: what stands behind the row's name under this heading.
#[track_caller]
fn row(page: &str, heading: &str, name: &str) -> Vec<String> {
    let mut lines = page.lines().skip_while(|line| !line.starts_with(heading));
    let found = lines.find(|line| line.starts_with(name));
    let Some(line) = found else {
        panic!("no row {name:?} under {heading:?}: {page}")
    };
    let columns = line[name.len()..].split_whitespace();
    columns.map(str::to_owned).collect()
}

/// Nothing wider than 80 columns, no number that is none.
#[track_caller]
fn looks_right(page: &str) {
    assert!(page.is_ascii(), "{page}");
    for line in page.lines() {
        assert!(line.len() <= 80, "{line}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf\n"), "{page}");
}

#[test]
fn two_folders_are_compared_and_left_as_they_were() {
    let dir = Dir::new();
    let _turn = util::busy();
    fs::create_dir(dir.join("a")).expect("a folder");
    fs::create_dir(dir.join("b")).expect("a folder");
    let output = versus(&dir, &["./a", "./b"]);
    output.expect_code(0);
    let page = &output.stdout;
    looks_right(page);
    assert!(
        page.starts_with("A  ./a\nB  ./b\ndirect, 8 MiB, 200 ms a round"),
        "{page}"
    );
    // A percentile is there only where the disk gave it enough operations.
    assert!(row(page, "IOPS", "random read 4 KiB, 4 in flight").len() >= 5);
    assert!(
        page.contains("The intervals hold together with 99 % confidence."),
        "{page}"
    );
    assert!(
        output.told().contains("1 row, 8 rounds each, about 1.8 s"),
        "{output:?}"
    );
    for folder in ["a", "b"] {
        let left = fs::read_dir(dir.join(folder)).expect("the folder is there");
        assert_eq!(left.count(), 0);
    }
}

#[test]
fn a_target_against_itself_is_allowed_and_told() {
    let dir = Dir::new();
    let _turn = util::busy();
    fs::create_dir(dir.join("a")).expect("a folder");
    let output = versus(&dir, &["-q", "./a", "./a"]);
    output.expect_code(0);
    let told = "- note: A and B are one and the same: only chance can tell them apart\n";
    assert!(output.stdout.contains(told), "{}", output.stdout);
    assert_eq!(output.stderr, "");
    assert_eq!(dir.names(), ["a"]);
    assert_eq!(fs::read_dir(dir.join("a")).expect("a folder").count(), 0);
}

#[test]
fn the_simulated_device_is_equal_to_itself() {
    let dir = Dir::new();
    let output = util::run(&mut dir.iogauge(&[
        "versus",
        "--engine",
        "sim:read=fixed:1ms,size=1GiB",
        "--rw",
        "randread",
        "--qd",
        "1",
        "--size",
        "64M",
        "./a.dat",
        "./b.dat",
    ]));
    output.expect_code(0);
    let page = &output.stdout;
    looks_right(page);
    assert!(
        page.contains("\nNo difference seen: reads equal within 5 %.\n"),
        "{page}"
    );
    // The law says 1 ms for each read.
    let row = row(page, "mean latency", "random read 4 KiB, 1 in flight");
    assert_eq!(
        row,
        ["1.00", "ms", "1.00", "ms", "1.00", "1.00-1.00", "equal"]
    );
    assert!(dir.names().is_empty());
}

#[test]
fn lines_of_all_faces_are_run_in_each_folder() {
    let dir = Dir::new();
    let _turn = util::busy();
    for side in ["a", "b"] {
        fs::create_dir(dir.join(side)).expect("a folder");
        dir.file(&format!("{side}/t.dat"), 4 << 20);
    }
    for (line, name) in [
        (
            "diskspd -b8K -d1 -W0 -o2 -r -w30 t.dat",
            "random write 8 KiB, 2 in flight",
        ),
        (
            "sqlio -kR -s1 -frandom -o2 -b8 t.dat",
            "random read 8 KiB, 2 in flight",
        ),
    ] {
        let mut args = vec!["-q", "versus", "--rounds", "2", "a", "b", "--"];
        args.extend(line.split(' '));
        let output = util::run(&mut dir.iogauge(&args));
        output.expect_code(0);
        looks_right(&output.stdout);
        let told = format!("A  a\nB  b\n{line}: A B B A, 2 times\n");
        assert!(output.stdout.starts_with(&told), "{output:?}");
        assert!(row(&output.stdout, "IOPS", name).len() >= 5);
        assert_eq!(output.stderr, "");
    }
}

#[test]
fn files_that_sysbench_needs_are_asked_for() {
    let dir = Dir::new();
    for side in ["a", "b"] {
        fs::create_dir(dir.join(side)).expect("a folder");
    }
    let line = "fileio --file-total-size=4M --file-num=2 --file-test-mode=rndrd --time=1";
    let compare = |dir: &Dir| {
        let mut args = vec!["-q", "versus", "--rounds", "2", "a", "b", "--", "sysbench"];
        args.extend(line.split(' '));
        args.push("run");
        util::run(&mut dir.iogauge(&args))
    };
    let output = compare(&dir);
    output.expect_code(1);
    assert!(
        output.told().contains("iogauge: A failed: test_file.0"),
        "{output:?}"
    );
    let remedy = format!("/a && iogauge sysbench {line} prepare)");
    assert!(output.told().contains(&remedy), "{output:?}");
    assert_eq!(output.stdout, "");
    let _turn = util::busy();
    for side in ["a", "b"] {
        let mut prepare = dir.sysbench(&format!("{line} prepare"));
        util::run(prepare.current_dir(dir.join(side))).expect_code(0);
    }
    let output = compare(&dir);
    output.expect_code(0);
    assert!(
        row(
            &output.stdout,
            "mean latency",
            "random read 16 KiB, 1 in flight"
        )
        .len()
            >= 5
    );
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_is_touched() {
    let dir = Dir::new();
    dir.file("f", 4096);
    fs::create_dir(dir.join("a")).expect("a folder");
    for (args, told) in [
        (
            &["versus"][..],
            "versus compares two targets, and none was named",
        ),
        (
            &["versus", "quick", "a"],
            "versus compares two targets, and 'quick' 'a'",
        ),
        (&["versus", "a", "nothere"], "'nothere'"),
        (&["versus", "--rounds", "1", "a", "a"], "--rounds '1'"),
        (&["versus", "--threshold", "5", "a", "a"], "--threshold '5'"),
        (
            &["versus", "sqlserver/oltp", "a", "a"],
            "versus compares two targets at one load: this profile needs a rate",
        ),
        (
            &["versus", "--repeat", "2", "a", "a"],
            "--repeat is for run",
        ),
        (
            &["versus", "quick", "--qd", "2", "a", "a"],
            "'quick' has rows of its own",
        ),
        (
            &["versus", "a", "f", "--", "sqlio", "f"],
            "B is 'f', which is no folder",
        ),
        (
            &["versus", "a", "none", "--", "sqlio", "f"],
            "B is 'none': No such file",
        ),
        (
            &["versus", "a", "a", "--", "fio", "x"],
            "'fio' behind -- is no face",
        ),
        (
            &["versus", "a", "a", "--", "sysbench", "fileio", "prepare"],
            "measures nothing",
        ),
        (&["versus", "a", "a", "--", "diskspd", "-b0", "f"], "-b"),
        (
            &["versus", "--qd", "2", "a", "a", "--", "sqlio", "f"],
            "the whole load",
        ),
    ] {
        let output = util::run(&mut dir.iogauge(args));
        output.expect_code(2);
        assert!(output.told().contains(told), "{args:?}: {output:?}");
        assert_eq!(output.stdout, "", "{args:?}");
    }
    assert_eq!(dir.names(), ["a", "f"]);
    assert_eq!(fs::read_dir(dir.join("a")).expect("a folder").count(), 0);
}

#[test]
fn an_interrupt_keeps_the_rounds_done_and_removes_the_files() {
    let dir = Dir::new();
    let _turn = util::busy();
    fs::create_dir(dir.join("a")).expect("a folder");
    fs::create_dir(dir.join("b")).expect("a folder");
    let mut command = dir.iogauge(&[
        "versus",
        "--rounds",
        "100",
        "--size",
        "4M",
        "--duration",
        "50ms",
        "--warmup",
        "0s",
        "./a",
        "./b",
    ]);
    let mut running = util::start(&mut command);
    let made = dir.join("b/iogauge.dat");
    assert!(running.until(|_| made.exists()), "the files are made");
    running.signal("INT");
    let output = running.finish();
    output.expect_code(130);
    if !output.stdout.is_empty() {
        let told = "! caution: interrupted: the figures are those of the rounds done";
        assert!(output.stdout.contains(told), "{output:?}");
    }
    for folder in ["a", "b"] {
        assert_eq!(fs::read_dir(dir.join(folder)).expect("a folder").count(), 0);
    }
}
