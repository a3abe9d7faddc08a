//! What is not ours stays: links, files with further names, databases, folders of others; and what
//! does not fit is told.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use super::{case::files_in, deviations::no_report};
use crate::util::{self, Dir, Loop, Output};

/// One file of 256 KiB.
const SET: &str = "--file-total-size=256K --file-num=1";

/// What a line does to the set, in both dialects.
fn lines(commands: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for command in commands {
        lines.push(format!("fileio {SET} {command}"));
        lines.push(format!("--test=fileio {SET} {command}"));
    }
    lines
}

const RUN_WRITES: &str = "--file-test-mode=rndwr run";
const RUN_ANEW: &str = "--file-test-mode=seqwr run";
const RUN_READS: &str = "--file-test-mode=rndrd --events=10 --time=0 run";

/// Refused before anything was done, in the words of the original's failures.
#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    output.expect_code(1);
    let fatal = |line: &&str| line.starts_with("FATAL: ") && words.iter().all(|w| line.contains(w));
    assert!(
        output.stdout.lines().any(|line| fatal(&line)),
        "{words:?}: {output:#?}"
    );
    no_report(output);
}

#[test]
fn nothing_is_written_made_or_removed_through_a_symbolic_link() {
    let dir = Dir::new();
    let bystander = dir.file("precious", 300_000);
    let before = fs::read(&bystander).expect("our file");
    symlink("precious", dir.join("test_file.0")).expect("a link");
    for line in lines(&["prepare", "cleanup", RUN_WRITES, RUN_ANEW]) {
        if line == format!("fileio {SET} prepare") {
            // Large enough: nothing would be written, and nothing is.
            continue;
        }
        refused(
            &util::run(&mut dir.sysbench(&line)),
            &["test_file.0", "symbolic link"],
        );
    }
    let larger = "fileio --file-total-size=512K --file-num=1 prepare";
    refused(
        &util::run(&mut dir.sysbench(larger)),
        &["test_file.0", "symbolic link"],
    );
    util::run(&mut dir.sysbench(&format!("fileio {SET} {RUN_READS}"))).expect_code(0);
    assert!(
        before == fs::read(&bystander).expect("our file"),
        "it was changed"
    );
    assert_eq!(dir.names(), ["precious", "test_file.0"]);
    assert!(dir.join("test_file.0").is_symlink());
}

#[test]
fn a_link_that_leads_nowhere_makes_no_file() {
    let dir = Dir::new();
    symlink("nowhere", dir.join("test_file.0")).expect("a link");
    for line in lines(&["prepare", RUN_WRITES]) {
        let output = util::run(&mut dir.sysbench(&line));
        output.expect_code(1);
        no_report(&output);
        assert_eq!(dir.names(), ["test_file.0"], "{line}");
    }
}

/// Another set's first files do not pay for the last.
#[test]
fn one_file_that_is_refused_saves_all_others() {
    let dir = Dir::prepared("--file-total-size=1M --file-num=4");
    let read = |n: u32| fs::read(dir.join(&format!("test_file.{n}"))).expect("our file");
    let before = [0, 1, 2].map(read);
    fs::remove_file(dir.join("test_file.3")).expect("our file");
    let bystander = dir.file("precious", 1 << 18);
    symlink("precious", dir.join("test_file.3")).expect("a link");
    for command in ["cleanup", RUN_WRITES, RUN_ANEW] {
        let line = format!("fileio --file-total-size=1M --file-num=4 {command}");
        refused(&util::run(&mut dir.sysbench(&line)), &["test_file.3"]);
        assert!(before == [0, 1, 2].map(read), "{line}: files were changed");
    }
    assert_eq!(fs::metadata(bystander).expect("our file").len(), 1 << 18);
}

#[test]
fn a_file_with_further_names_is_kept_unless_it_is_named() {
    let dir = Dir::prepared(SET);
    fs::hard_link(dir.join("test_file.0"), dir.join("other")).expect("a link");
    let before = fs::read(dir.join("other")).expect("our file");
    for line in lines(&["cleanup", RUN_WRITES, RUN_ANEW]) {
        refused(
            &util::run(&mut dir.sysbench(&line)),
            &["test_file.0", "IOGAUGE_DESTROY"],
        );
    }
    assert!(
        before == fs::read(dir.join("other")).expect("our file"),
        "it was changed"
    );
    let mut command = dir.sysbench(&format!("fileio {SET} cleanup"));
    util::run(command.env("IOGAUGE_DESTROY", "test_file.0")).expect_code(0);
    assert_eq!(dir.names(), ["other"]);
}

#[test]
fn a_database_is_kept_unless_it_is_named() {
    let dir = Dir::prepared(SET);
    let path = dir.join("test_file.0");
    let mut bytes = fs::read(&path).expect("our file");
    bytes[..16].copy_from_slice(b"SQLite format 3\0");
    fs::write(&path, &bytes).expect("our file");
    for line in lines(&["cleanup", RUN_WRITES, RUN_ANEW]) {
        refused(
            &util::run(&mut dir.sysbench(&line)),
            &["test_file.0", "SQLite"],
        );
    }
    refused(
        &util::run(&mut dir.sysbench(&format!("--test=fileio {SET} prepare"))),
        &["test_file.0", "SQLite"],
    );
    // What is large enough stays as it is in 1.0.
    util::run(&mut dir.sysbench(&format!("fileio {SET} prepare"))).expect_code(0);
    assert!(
        bytes == fs::read(&path).expect("our file"),
        "it was changed"
    );
}

#[test]
fn what_is_no_file_is_refused_without_blocking() {
    let dir = Dir::new();
    let fifo = dir.join("test_file.0").display().to_string();
    if util::tool("mkfifo", &[&fifo]).is_none() {
        return util::skip("mkfifo is missing");
    }
    for line in lines(&["prepare", "cleanup", RUN_WRITES, RUN_ANEW, RUN_READS]) {
        let output = util::run(&mut dir.sysbench(&line));
        output.expect_code(1);
        no_report(&output);
        assert_eq!(dir.names(), ["test_file.0"], "{line}");
    }
    fs::remove_file(dir.join("test_file.0")).expect("our pipe");
    fs::create_dir(dir.join("test_file.0")).expect("a folder");
    for line in lines(&["prepare", "cleanup", RUN_WRITES, RUN_ANEW]) {
        let output = util::run(&mut dir.sysbench(&line));
        output.expect_code(1);
        assert!(dir.join("test_file.0").is_dir(), "{line}");
    }
}

#[test]
fn a_set_that_does_not_fit_is_told_before_a_byte_is_written() {
    let dir = Dir::new();
    let Some((_disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    for face in ["fileio", "--test=fileio"] {
        let line = format!("{face} --file-total-size=64M --file-num=4 prepare");
        let output = util::run(dir.sysbench(&line).current_dir(&place));
        refused(&output, &["test_file."]);
        let numbers: Vec<u64> = output
            .stdout
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        assert!(
            numbers.contains(&(64 << 20)),
            "the need is not named: {output:#?}"
        );
        let left = fs::read_dir(&place).expect("our disk").flatten();
        let left = left.filter(|e| e.file_name().to_string_lossy().starts_with("test_file"));
        assert_eq!(left.count(), 0, "a part of the set was left");
    }
}

/// A sequential write that creates: the disk is full in the middle of it.
#[test]
fn a_disk_that_fills_under_a_run_is_named() {
    let _turn = util::busy();
    let dir = Dir::new();
    let Some((_disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    let line = "fileio --file-total-size=64M --file-num=4 --file-test-mode=seqwr run";
    let output = util::run(dir.sysbench(line).current_dir(&place));
    output.expect_code(1);
    no_report(&output);
    let words = [
        "FATAL: Failed to write file! file: test_file.",
        "pos: ",
        "errno = 28",
    ];
    let said = |line: &str| words.iter().all(|word| line.contains(word));
    assert!(output.stdout.lines().any(said), "{output:#?}");
}

#[test]
fn a_folder_of_others_is_read_and_not_written() {
    if !util::is_root() || !util::has("setpriv") {
        return util::skip("another user needs root and setpriv");
    }
    let dir = Dir::prepared(SET);
    let place = dir.path().display().to_string();
    let file = dir.join("test_file.0").display().to_string();
    assert!(util::tool("chmod", &["755", &place]).is_some());
    assert!(util::tool("chmod", &["644", &file]).is_some());
    let user = |line: &str| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args([env!("CARGO_BIN_EXE_iogauge"), "sysbench"])
            .args(line.split_whitespace())
            .env("IOGAUGE_HISTORY", "off")
            .current_dir(dir.path());
        util::run(&mut command)
    };
    if user("--version").code != Some(0) {
        return util::skip("an ordinary user cannot reach the executable");
    }
    user(&format!("fileio {SET} {RUN_READS}")).expect_code(0);
    let before = files_in(&dir);
    for command in [RUN_WRITES, RUN_ANEW] {
        let output = user(&format!("fileio {SET} {command}"));
        refused(&output, &["test_file.0", "errno = 13 (Permission denied)"]);
    }
    let more = user("fileio --file-total-size=1M --file-num=2 prepare");
    refused(&more, &["errno = 13 (Permission denied)"]);
    let output = user(&format!("fileio {SET} cleanup"));
    refused(&output, &["test_file.0"]);
    assert_eq!(before, files_in(&dir));
    assert!(Path::new(&file).exists());
}
