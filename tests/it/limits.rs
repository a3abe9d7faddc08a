//! Little of everything: descriptors, memory, an output that takes nothing. Each run works or
//! fails in words.

use std::{
    fs::{self, OpenOptions},
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    time::Instant,
};

use crate::util::{self, Dir, LIMIT, Output};

/// `bash -c SCRIPT` with the executable as `$0`.
fn bash(dir: &Dir, script: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", script, env!("CARGO_BIN_EXE_iogauge")]);
    util::run(
        command
            .current_dir(dir.path())
            .env("IOGAUGE_HISTORY", "off"),
    )
}

#[test]
fn too_few_descriptors_are_enough_or_named() {
    for engine in crate::io::ENGINES {
        let dir = Dir::new();
        dir.file("f", 1 << 20);
        let output = bash(
            &dir,
            &format!(
                "ulimit -n 16; export IOGAUGE_ENGINE={engine}; \
                 exec \"$0\" diskspd -d1 -W0 -b4K -r -o2 -t64 f"
            ),
        );
        if output.code == Some(0) {
            let rows = output.report().total.rows;
            assert_eq!(rows.len(), 64);
            // On a busy machine a thread may not get its CPU within the second.
            assert!(rows.iter().any(|row| row.ios > 0), "{output:#?}");
            continue;
        }
        output.expect_code(1);
        let said = output.stderr.to_lowercase();
        let named = ["ulimit", "descriptor", "open files", "emfile"];
        assert!(named.iter().any(|word| said.contains(word)), "{output:#?}");
        assert!(said.contains("16"), "the limit is not named: {output:#?}");
    }
}

/// Less memory than the buffers of 64 threads need, and hardly enough to start.
#[test]
fn too_little_memory_is_named() {
    if !util::has("prlimit") {
        return util::skip("prlimit is missing: memory cannot be limited");
    }
    let dir = Dir::new();
    dir.file("f", 4 << 20);
    for (bytes, line) in [
        ("200000000", "-b1M -o16 -t64"),
        ("60000000", "-b1M -o1 -t64"),
        ("100000000", "-b64K -o2 -t8 -w100 -Z64M"),
        ("20000000", "-b4K -o1 -t1"),
    ] {
        // Which allocation is the one too many depends on how the threads race.
        for _ in 0..4 {
            enough_or_named(&dir, bytes, line);
        }
    }
}

/// The same through the other faces: a report or a message, never a signal or a hang.
#[test]
fn other_faces_end_in_words_under_a_limit_of_memory() {
    if !util::has("prlimit") {
        return util::skip("prlimit is missing: memory cannot be limited");
    }
    let dir = Dir::new();
    dir.file("f", 8 << 20);
    dir.file("test_file.0", 8 << 20);
    for line in [
        "sqlio -kR -s1 -frandom -t64 -b1024 f",
        "sysbench fileio --file-num=1 --file-total-size=8M --file-block-size=1M --threads=64 \
         --file-test-mode=rndrd --time=1 run",
    ] {
        for bytes in ["100000000", "150000000", "200000000", "400000000"] {
            let mut command = Command::new("prlimit");
            command.arg(format!("--as={bytes}"));
            command.arg(env!("CARGO_BIN_EXE_iogauge"));
            command.args(line.split_whitespace());
            command
                .env("IOGAUGE_HISTORY", "off")
                .env("RUST_BACKTRACE", "1");
            let output = util::run(command.current_dir(dir.path()));
            let ended = matches!(output.code, Some(0 | 1)) && !output.hung;
            assert!(ended, "{line} with {bytes}: {output:#?}");
        }
    }
}

#[track_caller]
fn enough_or_named(dir: &Dir, bytes: &str, line: &str) {
    let mut command = Command::new("prlimit");
    command.arg(format!("--as={bytes}"));
    command.args([env!("CARGO_BIN_EXE_iogauge"), "diskspd", "-d1", "-W0"]);
    command.args(line.split(' ')).arg("f");
    command
        .env("IOGAUGE_HISTORY", "off")
        .env("IOGAUGE_ENGINE", "psync");
    let output = util::run(command.current_dir(dir.path()));
    if output.code == Some(0) {
        assert!(output.report().total.total.ios > 0);
        return;
    }
    output.expect_code(1);
    let said = output.stderr.to_lowercase();
    let named = ["memory", "thread", "resource"];
    assert!(
        named.iter().any(|word| said.contains(word)),
        "{line}: {output:#?}"
    );
}

/// A limit on the size of files is an error of a write, not the end of the process.
#[test]
fn a_limit_on_file_sizes_is_an_error_in_words() {
    let dir = Dir::new();
    let output = bash(
        &dir,
        "ulimit -f 2048; exec \"$0\" diskspd -c8M -b4K -d1 -W0 new",
    );
    output.expect_code(1);
    assert!(output.stderr.contains("new"), "{output:#?}");
    assert!(dir.names().is_empty(), "a part of the file was left");
    for engine in crate::io::ENGINES {
        let path = dir.join("f");
        let file = fs::File::create(&path).expect("a file");
        file.set_len(8 << 20).expect("a sparse file");
        // A file that somebody holds open for writing is not written.
        drop(file);
        let output = bash(
            &dir,
            &format!(
                "ulimit -f 2048; export IOGAUGE_ENGINE={engine}; \
                 exec \"$0\" diskspd -w100 -b4K -o1 -d5 -W0 f"
            ),
        );
        // The blocks below the limit were written and are reported.
        let report = output.expect_code(1).report();
        assert_eq!(report.write.total.ios, 512, "{engine}: {output:#?}");
        assert!(output.stderr.contains("EFBIG"), "{engine}: {output:#?}");
    }
}

/// The report must not go into whatever gets descriptor 1 next.
#[test]
fn a_closed_output_harms_no_file() {
    for closed in [">&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let dir = Dir::new();
        let path = dir.file("f", 1 << 20);
        let before = fs::read(&path).expect("our file");
        let script = format!("exec \"$0\" diskspd -b4K -d1 -W0 -r -o2 -t2 f {closed}");
        let output = bash(&dir, &script);
        assert!(!output.hung, "{closed}");
        assert!(matches!(output.code, Some(0 | 1)), "{closed}: {output:#?}");
        assert!(!output.stderr.contains("panicked"), "{output:#?}");
        assert!(before == fs::read(&path).expect("our file"), "{closed}");
        let script = format!("exec \"$0\" diskspd -c1M -b4K -d1 -W0 new {closed}");
        bash(&dir, &script);
        let made = fs::read(dir.join("new")).unwrap_or_default();
        let has = |word: &[u8]| made.windows(word.len()).any(|part| part == word);
        assert!(!has(b"Command Line"), "the report is in the file");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let full = || OpenOptions::new().write(true).open("/dev/full");
    if full().is_err() {
        return util::skip("there is no /dev/full");
    }
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    for line in [
        "-b4K -d1 -W0 -o1 f",
        "-b4K -d1 -W0 -o1 -Rxml f",
        "-b4K -d1 -W0 -o1 -Rp f",
        "-?",
    ] {
        let output = dir
            .diskspd(line)
            .stdin(Stdio::null())
            .stdout(full().expect("it was there"))
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{line}: {said}");
        assert_eq!(output.status.signal(), None, "{line}: {said}");
        assert!(
            !said.contains("panicked") && !said.trim().is_empty(),
            "{line}: {said}"
        );
    }
}

/// `iogauge ... | head -1`: a reader that leaves is no reason to crash or hang, and the files of
/// the run are as they would be.
#[test]
fn a_reader_that_leaves_does_no_harm() {
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    for line in ["-b4K -d1 -W0 -o1 f", "-b4K -d1 -W0 -o1 -Rxml f", "-?"] {
        let mut child = dir
            .diskspd(line)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let start = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < LIMIT, "hangs without a reader");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("a child");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("panicked"), "{line}: {said}");
        assert_ne!(output.status.code(), None, "{line}: {:?}", output.status);
    }
    assert_eq!(dir.names(), ["f"]);
}
