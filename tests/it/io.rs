//! The I/O itself, seen from outside: by the block device's counters and by the bytes that change.

use std::fs;

use crate::util::{self, Dir, Loop, Output};

/// Engines that move data.
pub(crate) const ENGINES: &[&str] = &["psync", "io_uring", "libaio"];

/// Runs a line under an engine; `None`, said, where the kernel refuses the engine.
fn under(engine: &str, dir: &Dir, line: &str) -> Option<Output> {
    let mut command = dir.diskspd(line);
    let output = util::run(command.env("IOGAUGE_ENGINE", engine));
    if output.code != Some(0) && output.stderr.contains("is refused") {
        util::skip(&format!("engine {engine} is refused here"));
        return None;
    }
    Some(output)
}

/// Reads completed and merged, sectors read; the same for writes.
fn counters(device: &str) -> [u64; 6] {
    let text = fs::read_to_string(format!("/sys/block/{device}/stat")).expect("a block device");
    let fields: Vec<u64> = text
        .split_whitespace()
        .map(|field| field.parse().expect("a number"))
        .collect();
    [
        fields[0], fields[1], fields[2], fields[4], fields[5], fields[6],
    ]
}

/// What we count is what the device saw, for reads and for writes, in number and in bytes.
#[test]
fn totals_agree_with_the_devices_own_counters() {
    let dir = Dir::new();
    let image = dir.file("image", 64 << 20);
    let Some(disk) = Loop::over(&image) else {
        return;
    };
    let _turn = util::quiet();
    for engine in ENGINES {
        let depth = if *engine == "psync" { 1 } else { 8 };
        for (mix, first) in [("-w0", 0), ("-w100", 3)] {
            let line = format!("-b4K -r -o{depth} -t2 -d2 -W0 -Su {mix} {}", disk.device);
            let before = counters(disk.name());
            let mut command = dir.diskspd(&line);
            command.env("IOGAUGE_DESTROY", &disk.device);
            let output = util::run(command.env("IOGAUGE_ENGINE", engine));
            let after = counters(disk.name());
            let total = output.expect_code(0).report().total.total;
            let seen = |field: usize| after[first + field] - before[first + field];
            let (ios, bytes) = (seen(0) + seen(1), seen(2) * 512);
            close(ios, total.ios, &format!("{engine} {mix}: I/Os"));
            close(bytes, total.bytes, &format!("{engine} {mix}: bytes"));
        }
    }
}

/// Within one percent, which also covers what opening the device and ending the run cost.
#[track_caller]
fn close(device: u64, ours: u64, what: &str) {
    let apart = device.abs_diff(ours) as f64 / ours.max(1) as f64;
    assert!(ours > 500, "{what}: only {ours}");
    assert!(
        apart <= 0.01,
        "{what}: the device saw {device}, we report {ours}"
    );
}

#[test]
fn an_existing_file_is_made_anew_by_c_and_only_by_c() {
    let dir = Dir::new();
    let path = dir.file("f", 3 << 20);
    util::run(&mut dir.diskspd("-b4K -d1 -W0 -o1 f")).expect_code(0);
    assert!(fs::read(&path).expect("the file") == util::noise(3 << 20));
    util::run(&mut dir.diskspd("-c1M -b4K -d1 -W0 -o1 f")).expect_code(0);
    let content = fs::read(&path).expect("the file");
    assert_eq!(content.len(), 1 << 20);
    assert!(
        content != util::noise(1 << 20),
        "the old content is still there"
    );
}

/// A write test reaches the file, everywhere in its range and nowhere else.
#[test]
fn writes_reach_their_range_and_no_byte_more() {
    let _turn = util::busy();
    for engine in ENGINES {
        let dir = Dir::new();
        let path = dir.file("f", 4 << 20);
        let before = fs::read(&path).expect("the file");
        let line = "-b64K -w100 -o2 -t1 -d1 -W0 -Su -B1M -f2M f";
        let Some(output) = under(engine, &dir, line) else {
            continue;
        };
        let total = output.expect_code(0).report().write.total.ios;
        let after = fs::read(&path).expect("the file");
        assert_eq!(after.len(), 4 << 20, "{engine}");
        assert!(
            after[..1 << 20] == before[..1 << 20],
            "{engine}: below the base"
        );
        assert!(
            after[2 << 20..] == before[2 << 20..],
            "{engine}: beyond the end"
        );
        let touched = (16..32)
            .filter(|block| {
                let at = block << 16;
                after[at..at + 65_536] != before[at..at + 65_536]
            })
            .count();
        assert_eq!(touched.min(16) as u64, total.min(16), "{engine}");
    }
}

#[test]
fn every_engine_runs_direct_and_buffered() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("f", 8 << 20);
    for engine in ENGINES {
        for cache in ["-Sb", "-Su", "-Suw"] {
            let line = format!("-b4K -r -w30 -o8 -t2 -d1 -W0 -L {cache} f");
            let Some(output) = under(engine, &dir, &line) else {
                continue;
            };
            let report = output.expect_code(0).report();
            let problems = crate::reference::shape::arithmetic(&report, Some(4096));
            assert!(problems.is_empty(), "{engine} {cache}: {problems:?}");
            assert!(report.read.total.ios > 0 && report.write.total.ios > 0);
        }
    }
    let mapped = util::run(&mut dir.diskspd("-b4K -r -w30 -o1 -t2 -d1 -W0 -L -Sm f"));
    let report = mapped.expect_code(0).report();
    assert!(report.read.total.ios > 0 && report.write.total.ios > 0);
}
