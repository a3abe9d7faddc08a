//! Faults of the line, the media and the machine: each is told with file, position and error
//! number, ends the run, and leaves no report of zeroes.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::FileExt as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{case::files_in, deviations::no_report, report::Report};
use crate::{
    inject::injected,
    util::{self, Dir, Output},
};

/// Four files of 256 KiB.
const SET: &str = "--file-total-size=1M --file-num=4";

/// Ended by a failure that a line on standard output tells.
#[track_caller]
fn fatal(output: &Output, words: &[&str]) {
    output.expect_code(1);
    let told = |line: &str| line.starts_with("FATAL: ") && words.iter().all(|w| line.contains(w));
    assert!(output.stdout.lines().any(told), "{words:?}: {output:#?}");
    no_report(output);
}

#[test]
fn an_error_of_the_device_is_told_and_nothing_is_reported() {
    let _turn = util::busy();
    let dir = Dir::prepared(SET);
    for (mode, call, doing, done) in [
        ("seqrd", "pread64", "Failed to read file!", "29 reads"),
        ("seqrewr", "pwrite64", "Failed to write file!", "29 writes"),
        ("rndwr", "fsync", "Failed to fsync file!", "10 writes"),
    ] {
        for face in ["fileio --time=0 --events=500", "--test=fileio"] {
            let line = format!("{face} {SET} --file-test-mode={mode} --file-fsync-freq=10 run");
            // The program's own loading reads too; flushes begin after 10 writes.
            let when = if call == "fsync" { 1 } else { 30 };
            let fault = format!("{call}:error=EIO:when={when}+");
            let line = if call == "pwrite64" {
                line.replace("freq=10", "freq=0")
            } else {
                line
            };
            let Some(output) = injected(&dir, "sysbench", None, &[&fault], &line) else {
                return;
            };
            let mut words = vec![doing, "test_file.", "errno = 5 (Input/output error)"];
            if call != "fsync" {
                words.push("pos: ");
            }
            fatal(&output, &words);
            // What was done until then is not lost.
            if call != "pread64" {
                assert!(output.stderr.contains(done), "{done}: {output:#?}");
            }
        }
    }
}

/// Where a request failed is where it was asked for: the first fault of a known sequence.
#[test]
fn the_position_of_an_error_is_its_own() {
    let _turn = util::busy();
    let dir = Dir::prepared(SET);
    let line = format!("fileio {SET} --file-test-mode=seqrewr --events=60 --time=0 run");
    // The 20th block: 16 in the first file, and 3 before it in the second.
    let Some(output) = injected(
        &dir,
        "sysbench",
        None,
        &["pwrite64:error=ENOSPC:when=20"],
        &line,
    ) else {
        return;
    };
    fatal(&output, &["file: test_file.1", "pos: 49152", "errno = 28"]);
}

#[test]
fn a_failure_of_preparation_is_told() {
    let _turn = util::busy();
    for fault in ["pwrite64:error=EIO", "fsync:error=EIO"] {
        let dir = Dir::new();
        let Some(output) = injected(
            &dir,
            "sysbench",
            None,
            &[fault],
            &format!("fileio {SET} prepare"),
        ) else {
            return;
        };
        fatal(&output, &["test_file.0"]);
        assert!(!output.stdout.contains("bytes written"), "{output:#?}");
    }
}

#[test]
fn a_set_that_is_not_there_is_told_with_what_to_do() {
    for face in ["fileio", "--test=fileio"] {
        for mode in ["rndrd", "rndwr", "rndrw", "seqrd", "seqrewr"] {
            let dir = Dir::new();
            let line = format!("{face} {SET} --file-test-mode={mode} run");
            let output = util::run(&mut dir.sysbench(&line));
            let words = ["'test_file.0'", "errno = 2 (No such file or directory)"];
            fatal(&output, &words);
            assert!(
                output.stdout.contains("run the prepare step?\n"),
                "{output:#?}"
            );
            assert!(dir.names().is_empty(), "{line}: {:?}", dir.names());
        }
    }
    // One of several.
    let dir = Dir::prepared(SET);
    fs::remove_file(dir.join("test_file.2")).expect("our file");
    let line = format!("fileio {SET} --file-test-mode=rndrw run");
    fatal(
        &util::run(&mut dir.sysbench(&line)),
        &["'test_file.2'", "errno = 2"],
    );
    assert_eq!(files_in(&dir).len(), 3);
}

#[test]
fn a_set_of_another_size_is_told_with_both_sizes() {
    let dir = Dir::prepared(SET);
    let line = "fileio --file-total-size=2M --file-num=4 --file-test-mode=rndrd run";
    let output = util::run(&mut dir.sysbench(line));
    fatal(&output, &["'test_file.0'", "256KiB", "512KiB"]);
    assert!(
        output.stdout.contains("different --file-total-size"),
        "{output:#?}"
    );
}

#[test]
fn a_file_that_is_cut_under_a_run_ends_it() {
    let _turn = util::busy();
    for mode in ["sync", "async", "mmap"] {
        let dir = Dir::prepared(SET);
        let line =
            format!("fileio {SET} --file-test-mode=rndrd --file-io-mode={mode} --time=60 run");
        let mut running = util::start(&mut dir.sysbench(&line));
        assert!(running.until(|id| { util::threads(id) > 1 }));
        thread::sleep(Duration::from_millis(300));
        let file = File::options().write(true).open(dir.join("test_file.2"));
        file.expect("our file").set_len(0).expect("it can be cut");
        let output = running.finish();
        if output.stdout.contains("is refused") {
            util::skip(&format!("I/O mode {mode} is refused here"));
            continue;
        }
        fatal(&output, &["Failed to read file!", "test_file.2", "pos: "]);
        assert!(output.stderr.contains("until then:"), "{output:#?}");
    }
}

/// The command of a shell, with ours in place of `iogauge`.
fn shell(dir: &Dir, script: &str) -> Output {
    let ours = format!("'{}'", env!("CARGO_BIN_EXE_iogauge"));
    let mut command = Command::new("sh");
    command
        .args(["-c", &script.replace("iogauge", &ours)])
        .env("IOGAUGE_HISTORY", "off")
        .current_dir(dir.path());
    util::run(&mut command)
}

#[test]
fn a_limit_of_open_files_is_named_before_the_run() {
    let dir = Dir::prepared("--file-total-size=1M --file-num=64");
    for face in ["fileio", "--test=fileio"] {
        let set = "--file-total-size=1M --file-num=64 --file-test-mode=seqwr";
        let before = files_in(&dir);
        let output = shell(
            &dir,
            &format!("ulimit -n 20; iogauge sysbench {face} {set} run"),
        );
        fatal(&output, &["64", "20", "ulimit -n"]);
        assert_eq!(before, files_in(&dir), "files were removed");
    }
    // Files are made and removed one by one.
    let output = shell(
        &dir,
        "ulimit -n 20; iogauge sysbench fileio --file-total-size=1M --file-num=64 cleanup",
    );
    output.expect_code(0);
    assert!(dir.names().is_empty());
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let dir = Dir::prepared(SET);
    for command in [
        "--file-test-mode=rndrd --events=100 --time=0 run",
        "prepare",
        "cleanup",
    ] {
        let full = File::options().write(true).open("/dev/full");
        let Ok(full) = full else {
            return util::skip("there is no /dev/full");
        };
        let mut command = dir.sysbench(&format!("fileio {SET} {command}"));
        command
            .stdout(full)
            .stderr(Stdio::piped())
            .stdin(Stdio::null());
        let output = command.output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("No space left"), "{told}");
        assert!(!told.contains("panicked"), "{told}");
    }
}

#[test]
fn a_reader_who_leaves_is_not_missed() {
    let dir = Dir::prepared(SET);
    let line =
        format!("iogauge sysbench fileio {SET} --file-test-mode=rndrd --events=100 --time=0");
    let output = shell(&dir, &format!("{line} run | head -n 1"));
    output.expect_code(0);
    assert_eq!(output.stdout.lines().count(), 1, "{output:#?}");
}

#[test]
fn a_rate_that_cannot_be_is_told() {
    let _turn = util::busy();
    let dir = Dir::prepared(SET);
    let line = format!("fileio {SET} --file-test-mode=rndrd --rate=1000000000 --time=60 run");
    let started = Instant::now();
    let output = util::run(&mut dir.sysbench(&line));
    fatal(&output, &["queue is full", "131072"]);
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_thousand_threads_run_and_share() {
    let _turn = util::busy();
    let dir = Dir::prepared(SET);
    let line =
        format!("fileio {SET} --file-test-mode=rndrd --threads=1000 --events=20000 --time=0 run");
    let output = util::run(&mut dir.sysbench(&line));
    if output.code == Some(1) && output.stdout.contains("thread") {
        return util::skip("a thousand threads are not allowed here");
    }
    let report = Report::parse(&output.expect_code(0).stdout);
    assert_eq!(report.events, 20_000);
    let problems = report.problems(Some(16_384), report.seconds, 1000);
    assert!(problems.is_empty(), "{problems:?}");
}

/// Flushing each file of a set that large takes a disk its time, so the files are made here.
#[test]
fn ten_thousand_files_are_no_matter() {
    let _turn = util::busy();
    let dir = Dir::new();
    for n in 0..10_000 {
        let file = File::create(dir.join(&format!("test_file.{n}"))).expect("a file");
        file.set_len(4096).expect("a sparse file");
    }
    let set = "fileio --file-total-size=40960000 --file-num=10000 --file-block-size=4K";
    let run = "--file-test-mode=rndrd --events=20000 --time=0 run";
    let output = shell(
        &dir,
        &format!("ulimit -n 12000; iogauge sysbench {set} {run}"),
    );
    if output.stdout.contains("ulimit") || output.stderr.contains("ulimit") {
        util::skip("12000 open files are not allowed here");
    } else {
        let report = Report::parse(&output.expect_code(0).stdout);
        assert_eq!(report.events, 20_000);
        assert!(
            output.stdout.contains("\n10000 files, 4KiB each\n"),
            "{}",
            output.stdout
        );
    }
    let started = Instant::now();
    util::run(&mut dir.sysbench(&format!("{set} cleanup"))).expect_code(0);
    assert!(dir.names().is_empty());
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

/// Changes one bit of a byte.
fn flip(path: &Path, offset: u64) {
    let mut file = File::options()
        .read(true)
        .write(true)
        .open(path)
        .expect("our file");
    let mut byte = [0];
    file.seek(SeekFrom::Start(offset)).expect("a file");
    file.read_exact(&mut byte).expect("it is that long");
    file.seek(SeekFrom::Start(offset)).expect("a file");
    file.write_all(&[byte[0] ^ 1]).expect("our file");
}

#[test]
fn a_changed_bit_is_found_where_it_is() {
    let _turn = util::busy();
    let dir = Dir::prepared(&format!("{SET} --validate"));
    // In the data, in the checksum, in the offset behind it.
    for (file, offset, block) in [
        (1, 16_384 + 1000, 16_384),
        (2, 16_384 - 12, 0),
        (3, 65_535, 49_152),
    ] {
        let path = dir.join(&format!("test_file.{file}"));
        for face in ["fileio --time=0 --events=64", "--test=fileio"] {
            let line = format!("{face} {SET} --validate --file-test-mode=seqrd run");
            util::run(&mut dir.sysbench(&line)).expect_code(0);
            flip(&path, offset);
            let output = util::run(&mut dir.sysbench(&line));
            let place = format!("file {file}, block offset {block}");
            fatal(&output, &["Validation failed", &place]);
            flip(&path, offset);
        }
    }
}

/// A block from elsewhere has a right checksum and a wrong place.
#[test]
fn a_block_from_elsewhere_is_found() {
    let _turn = util::busy();
    let dir = Dir::prepared(&format!("{SET} --validate"));
    let file = File::options()
        .read(true)
        .write(true)
        .open(dir.join("test_file.0"));
    let file = file.expect("our file");
    let mut block = vec![0; 16_384];
    file.read_exact_at(&mut block, 32_768).expect("a block");
    file.write_all_at(&block, 65_536).expect("our file");
    let line = format!("fileio {SET} --validate --file-test-mode=seqrd --time=0 --events=64 run");
    fatal(
        &util::run(&mut dir.sysbench(&line)),
        &["file 0, block offset 65536"],
    );
}
