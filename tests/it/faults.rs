//! Faults of the kernel, the media and other programs, on the real engines: strace makes system
//! calls fail, files are cut and filled while they are tested. No fault is counted as an operation,
//! and none ends the run without a word.

use std::{fs, thread, time::Duration};

use crate::{
    inject::injected,
    io::ENGINES,
    reference::shape,
    util::{self, Dir, Loop},
};

/// A delay of 5 ms in front of each read appears as such, neither lost nor doubled.
#[test]
fn an_injected_delay_appears_in_the_latency() {
    let _turn = util::quiet();
    let dir = Dir::new();
    dir.file("target", 4 << 20);
    let mut means = Vec::new();
    for _ in 0..5 {
        let fault = "pread64:delay_enter=5000";
        let line = "-b4K -r -o1 -t1 -d1 -W0 -L target";
        let Some(output) = injected(&dir, "diskspd", Some("psync"), &[fault], line) else {
            return;
        };
        let report = output.expect_code(0).report();
        let [_, _, min] = report.percentile("min");
        assert!(
            min >= Some(5.0),
            "an I/O was faster than its delay: {min:?}"
        );
        means.push(report.total.total.latency_ms.expect("-L"));
    }
    means.sort_by(f64::total_cmp);
    assert!((5.0..=6.5).contains(&means[2]), "means in ms: {means:?}");
}

/// An error ends the run with what it has: the frame and the results on standard output, what
/// failed, where and how on standard error.
#[test]
fn an_error_of_the_device_ends_the_run_with_what_it_has() {
    let _turn = util::busy();
    for (call, errno, mix, word) in [
        ("pread64", "EIO", "-w0", "read of 4096 bytes at offset"),
        (
            "pwrite64",
            "ENOSPC",
            "-w100",
            "write of 4096 bytes at offset",
        ),
    ] {
        let dir = Dir::new();
        dir.file("target", 4 << 20);
        let fault = format!("{call}:error={errno}:when=200+");
        let line = format!("-b4K -r -o1 -d600 -W0 -L {mix} target");
        let Some(output) = injected(&dir, "diskspd", Some("psync"), &[&fault], &line) else {
            return;
        };
        let report = output.expect_code(1).report();
        let ios = report.total.total.ios;
        assert!((100..200).contains(&ios), "{ios} I/Os: {output:#?}");
        let problems = shape::arithmetic(&report, Some(4096));
        assert!(problems.is_empty(), "{problems:?}");
        let named = |line: &str| [word, errno, "target"].iter().all(|w| line.contains(w));
        assert!(output.stderr.lines().any(named), "{output:#?}");
        assert_eq!(dir.names(), ["target"]);
    }
}

/// A call that a signal interrupted is made again; nobody hears of it.
#[test]
fn interrupted_calls_are_no_errors() {
    let _turn = util::busy();
    for (engine, fault) in [
        ("psync", "pread64:error=EINTR:when=60+7"),
        ("io_uring", "io_uring_enter:error=EINTR:when=1+7"),
        ("libaio", "io_getevents:error=EINTR:when=1+7"),
        ("libaio", "io_submit:error=EAGAIN:when=1+7"),
    ] {
        let dir = Dir::new();
        dir.file("target", 4 << 20);
        let line = "-b4K -r -o4 -d1 -W0 -L -Su target";
        let Some(output) = injected(&dir, "diskspd", Some(engine), &[fault], line) else {
            return;
        };
        if output.stderr.contains("is refused") {
            util::skip(&format!("engine {engine} is refused here"));
            continue;
        }
        let report = output.expect_code(0).report();
        assert!(report.total.total.ios > 100, "{engine}: {output:#?}");
    }
}

/// Half an operation is none: it is counted apart, said once with its size, and the run has failed.
#[test]
fn short_transfers_are_counted_apart() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("target", 4 << 20);
    let line = "-b4K -r -o1 -d1 -W0 -g500i target";
    let fault = "pread64:retval=1000:when=60+50";
    let Some(output) = injected(&dir, "diskspd", Some("psync"), &[fault], line) else {
        return;
    };
    let total = output.expect_code(1).report().total.total;
    assert!(total.ios > 50 && total.bytes == total.ios * 4096);
    assert!(output.stderr.contains("1000"), "{output:#?}");
    assert!(output.stderr.lines().count() < 10, "{output:#?}");
}

/// What was made by halves goes when making it fails.
#[test]
fn a_file_whose_sync_fails_is_not_left() {
    let dir = Dir::new();
    let fault = "fsync,fdatasync:error=EIO";
    let Some(output) = injected(
        &dir,
        "diskspd",
        Some("psync"),
        &[fault],
        "-b4K -d1 -W0 -c2M new",
    ) else {
        return;
    };
    output.expect_code(1);
    for word in ["new", "sync"] {
        assert!(output.stderr.contains(word), "{output:#?}");
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

/// An engine that the kernel refuses is named, with what forbids it and what does without it; no
/// other is taken in silence.
#[test]
fn a_refused_engine_says_why_and_what_to_take() {
    for (engine, fault, why, other) in [
        (
            "io_uring",
            "io_uring_setup:error=EPERM",
            "seccomp",
            "libaio",
        ),
        ("io_uring", "io_uring_setup:error=ENOSYS", "kernel", "psync"),
        (
            "libaio",
            "io_setup:error=EAGAIN",
            "fs.aio-max-nr",
            "io_uring",
        ),
    ] {
        let dir = Dir::new();
        dir.file("target", 1 << 20);
        let Some(output) = injected(
            &dir,
            "diskspd",
            Some(engine),
            &[fault],
            "-b4K -o4 -d1 -W0 target",
        ) else {
            return;
        };
        output.expect_code(1);
        for word in [engine, why, other] {
            assert!(output.stderr.contains(word), "{word}: {output:#?}");
        }
        assert!(!output.stdout.contains("Total IO"), "{output:#?}");
    }
}

/// A file that is cut while it is read, by every engine: the run ends soon, in words, and what was
/// read before is reported. A mapping would have died of it.
#[test]
fn a_file_cut_under_a_run_ends_it_in_words() {
    let _turn = util::busy();
    let engines = ENGINES.iter().map(|engine| (Some(*engine), "-o4 -t2"));
    for (engine, line) in engines.chain([(None, "-o1 -t2 -Sm"), (None, "-o4 -t2 -Sm -w50")]) {
        let dir = Dir::new();
        let path = dir.file("target", 4 << 20);
        let mut command = dir.diskspd(&format!("-b4K -r -d600 -W0 {line} target"));
        if let Some(engine) = engine {
            command.env("IOGAUGE_ENGINE", engine);
        }
        let mut running = util::start(&mut command);
        let at_work = running.until(|id| util::threads(id) > 2);
        assert!(at_work, "no worker was seen");
        thread::sleep(Duration::from_millis(400));
        let file = fs::File::options().write(true).open(&path);
        file.expect("our file").set_len(0).expect("it can be cut");
        let output = running.finish();
        if output.stderr.contains("is refused") {
            util::skip(&format!("engine {engine:?} is refused here"));
            continue;
        }
        let report = output.expect_code(1).report();
        assert!(report.seconds < 300.0 && report.total.total.ios > 0);
        let problems = shape::arithmetic(&report, Some(4096));
        assert!(problems.is_empty(), "{engine:?}: {problems:?}");
        let named = |line: &str| line.contains("target") && line.contains("offset");
        assert!(output.stderr.lines().any(named), "{output:#?}");
    }
}

/// A sparse file that grows into its holes until the disk is full: what was written is reported,
/// and the file that was there stays.
#[test]
fn a_disk_that_fills_under_a_run_is_named() {
    let _turn = util::busy();
    for engine in ENGINES {
        let dir = Dir::new();
        let Some((_disk, place)) = Loop::small_ext4(&dir) else {
            return;
        };
        let path = place.join("f");
        let file = fs::File::create(&path).expect("a file");
        file.set_len(64 << 20).expect("a sparse file");
        drop(file);
        let line = format!("-b64K -w100 -o1 -d600 -W0 -Su {}", path.display());
        let output = util::run(dir.diskspd(&line).env("IOGAUGE_ENGINE", engine));
        if output.stderr.contains("is refused") {
            util::skip(&format!("engine {engine} is refused here"));
            continue;
        }
        let total = output.expect_code(1).report().write.total;
        // What there was room for: most of 16 MiB, at least half.
        assert!((8 << 20..16 << 20).contains(&total.bytes), "{output:#?}");
        for word in ["ENOSPC", "offset", "mnt/f"] {
            assert!(output.stderr.contains(word), "{word}: {output:#?}");
        }
        assert!(path.exists(), "{engine}: the file is gone");
    }
}

/// Time that the process was stopped is time of the run, and no error.
#[test]
fn a_stopped_process_goes_on() {
    let dir = Dir::new();
    dir.file("target", 1 << 20);
    let mut command = dir.diskspd("-b4K -r -o1 -d2 -W0 -L target");
    let mut running = util::start(command.env("IOGAUGE_ENGINE", "psync"));
    assert!(running.until(|id| { util::threads(id) > 1 }));
    thread::sleep(Duration::from_millis(300));
    running.signal("STOP");
    thread::sleep(Duration::from_millis(700));
    running.signal("CONT");
    let report = running.finish().expect_code(0).report();
    assert!(report.seconds >= 1.99, "{}", report.seconds);
    assert!(report.total.total.ios > 0);
}
