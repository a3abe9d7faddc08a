//! The I/O itself, seen from outside: by the block device's counters, by the system calls, by the
//! extents and bytes of the files made.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use crate::util::{self, Dir, Loop, Output};

const ENGINES: &[&str] = &["psync", "io_uring", "libaio"];

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

/// One traced transfer.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    write: bool,
    thread: u32,
    address: u64,
    length: u64,
    offset: u64,
}

/// Opens of the target as written by strace, and every transfer on the descriptors they gave.
fn traced(dir: &Dir, line: &str) -> Option<(Vec<String>, Vec<Transfer>)> {
    if !util::has("strace") {
        util::skip("strace is missing: the system calls are not seen");
        return None;
    }
    let log = dir.join("trace");
    let mut command = Command::new("strace");
    command
        .args(["-f", "-e", "trace=openat,pread64,pwrite64"])
        .args(["-e", "raw=pread64,pwrite64", "-o"])
        .arg(&log)
        .args([env!("CARGO_BIN_EXE_iogauge"), "diskspd"])
        .args(line.split_whitespace())
        .env("IOGAUGE_ENGINE", "psync")
        .env("IOGAUGE_HISTORY", "off")
        .current_dir(dir.path());
    let output = util::run(&mut command);
    if output.code != Some(0) && output.stderr.contains("ptrace") {
        util::skip("strace may not trace here");
        return None;
    }
    output.expect_code(0);
    let text = fs::read_to_string(&log).expect("the trace");
    let (opens, transfers) = parse_trace(&text);
    assert!(!opens.is_empty(), "the target was never opened");
    Some((opens, transfers))
}

/// Opens of a file named `target`, and the transfers on the descriptors that they gave. A call
/// during which another thread made one is split in two lines.
fn parse_trace(text: &str) -> (Vec<String>, Vec<Transfer>) {
    let (mut opens, mut pending) = (BTreeMap::<u64, String>::new(), BTreeMap::new());
    let mut transfers = Vec::new();
    for line in text.lines() {
        let thread = line.split_whitespace().next().unwrap_or_default();
        let resumed = line.contains("<... openat resumed>");
        let call = if line.contains("openat(") && line.contains("target\"") {
            Some(line)
        } else if resumed {
            pending.remove(thread)
        } else {
            None
        };
        if let Some(call) = call {
            if !resumed && line.contains("<unfinished") {
                pending.insert(thread, line);
            } else if let Some(file) = line.rsplit("= ").next().and_then(|fd| fd.parse().ok()) {
                opens.insert(file, call.to_owned());
            }
        } else if let Some((file, transfer)) = transfer(line)
            && opens.contains_key(&file)
        {
            transfers.push(transfer);
        }
    }
    (opens.into_values().collect(), transfers)
}

/// `1234 pread64(0x3, 0x7f.., 0x1000, 0x2000) = 0x1000`
fn transfer(line: &str) -> Option<(u64, Transfer)> {
    let thread = line.split_whitespace().next()?.parse().ok()?;
    let write = line.contains(" pwrite64(");
    let rest = line
        .split_once(" pread64(")
        .or_else(|| line.split_once(" pwrite64("))?
        .1;
    let numbers: Vec<u64> = rest
        .split([',', ')', '<', ' '])
        .filter(|word| !word.is_empty())
        .take(4)
        .map_while(|word| match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        })
        .collect();
    let [file, address, length, offset] = numbers[..] else {
        return None;
    };
    let transfer = Transfer {
        write,
        thread,
        address,
        length,
        offset,
    };
    Some((file, transfer))
}

#[test]
fn sizes_offsets_share_and_alignment_are_as_asked() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("target", 8 << 20);
    let Some((opens, transfers)) = traced(&dir, "-b8K -r -w40 -o1 -t2 -d1 -W0 -h target") else {
        return;
    };
    assert!(
        opens.iter().any(|open| open.contains("O_RDWR")),
        "{opens:?}"
    );
    for flag in ["O_DIRECT", "O_DSYNC", "O_CLOEXEC"] {
        let set = opens.iter().any(|open| open.contains(flag));
        assert!(set, "no {flag}: {opens:?}");
    }
    assert!(transfers.len() > 200, "{} transfers", transfers.len());
    for t in &transfers {
        assert_eq!(t.length, 8192, "{t:?}");
        assert_eq!(t.offset % 8192, 0, "{t:?}");
        assert!(t.offset + t.length <= 8 << 20, "{t:?}");
        assert_eq!(t.address % 4096, 0, "{t:?}");
    }
    let writes = transfers.iter().filter(|t| t.write).count();
    let share = writes as f64 / transfers.len() as f64;
    let deviation = (0.24 / transfers.len() as f64).sqrt();
    assert!(
        (share - 0.4).abs() < 5.0 * deviation + 0.005,
        "{share} writes"
    );
    let threads: BTreeSet<u32> = transfers.iter().map(|t| t.thread).collect();
    assert_eq!(threads.len(), 2);
    // Uniform: each eighth of the file gets about an eighth.
    let expected = transfers.len() as f64 / 8.0;
    for part in 0..8 {
        let seen = transfers.iter().filter(|t| t.offset >> 20 == part).count();
        let apart = (seen as f64 - expected).abs();
        assert!(
            apart < 6.0 * expected.sqrt(),
            "part {part}: {seen}, not {expected}"
        );
    }
}

#[test]
fn sequential_io_goes_block_after_block_and_wraps() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("target", 1_000_000);
    let Some((_, transfers)) = traced(&dir, "-b64K -o1 -t1 -d1 -W0 target") else {
        return;
    };
    // 15 whole blocks; the tail of 16,960 bytes is never touched.
    assert!(transfers.len() > 30);
    for (i, t) in transfers.iter().enumerate() {
        assert_eq!(t.offset, (i as u64 % 15) * 65_536);
        assert!(!t.write);
    }
}

#[test]
fn cache_options_become_open_flags() {
    let _turn = util::busy();
    for (option, direct, dsync) in [
        ("-Sb", false, false),
        ("-Su", true, false),
        ("-Sw", false, true),
        ("-Sh", true, true),
        ("-Suw", true, true),
    ] {
        let dir = Dir::new();
        dir.file("target", 1 << 20);
        let line = format!("-b4K -r -w50 -o1 -d1 -W0 -g100i {option} target");
        let Some((opens, transfers)) = traced(&dir, &line) else {
            return;
        };
        let set = |flag: &str| opens.iter().any(|open| open.contains(flag));
        assert_eq!(set("O_DIRECT"), direct, "{option}: {opens:?}");
        assert_eq!(set("O_DSYNC"), dsync, "{option}: {opens:?}");
        assert!(!set("O_TRUNC") && !set("O_CREAT"), "{option}: {opens:?}");
        assert!(!transfers.is_empty());
    }
}

/// A delay of 5 ms in front of each read appears as such, neither lost nor doubled.
#[test]
fn an_injected_delay_appears_in_the_latency() {
    if !util::has("strace") {
        return util::skip("strace is missing: no delay can be injected");
    }
    let _turn = util::quiet();
    let dir = Dir::new();
    dir.file("target", 4 << 20);
    let mut means = Vec::new();
    for _ in 0..5 {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-e", "trace=pread64", "-e"])
            .args(["inject=pread64:delay_enter=5000", "-o", "/dev/null"])
            .args([env!("CARGO_BIN_EXE_iogauge"), "diskspd"])
            .args("-b4K -r -o1 -t1 -d1 -W0 -L target".split(' '))
            .env("IOGAUGE_ENGINE", "psync")
            .env("IOGAUGE_HISTORY", "off")
            .current_dir(dir.path());
        let output = util::run(&mut command);
        if output.code != Some(0) && output.stderr.contains("ptrace") {
            return util::skip("strace may not trace here");
        }
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

/// A file that `-c` makes has its size, its blocks and data in them, or a read test would measure
/// a filesystem that invents zeros.
#[test]
fn created_files_hold_real_data() {
    let _turn = util::busy();
    for (size, bytes) in [("1M", 1 << 20), ("5000K", 5_120_000), ("64M", 64 << 20)] {
        let dir = Dir::new();
        util::run(&mut dir.diskspd(&format!("-c{size} -b4K -d1 -W0 -o1 f"))).expect_code(0);
        let path = dir.join("f");
        let content = fs::read(&path).expect("the file");
        assert_eq!(content.len(), bytes);
        no_holes(&path, bytes as u64);
        let blocks: BTreeSet<&[u8]> = content.chunks_exact(4096).collect();
        assert_eq!(blocks.len(), bytes / 4096, "blocks of {size} repeat");
    }
}

fn no_holes(path: &Path, size: u64) {
    use std::os::unix::fs::MetadataExt;
    let allocated = fs::metadata(path).expect("the file").blocks() * 512;
    assert!(
        allocated >= size,
        "{allocated} bytes of {size} are allocated"
    );
    let name = path.to_string_lossy();
    match util::tool("filefrag", &["-v", &name]) {
        Some(map) => {
            for word in ["unwritten", "delalloc", "unknown_loc"] {
                assert!(!map.contains(word), "{map}");
            }
        }
        None => util::skip("filefrag is missing or the filesystem has no extents to show"),
    }
}

/// `IOGAUGE_DATA` says what is in them: the original wrote 0 to 255 over and over, from 0 in each
/// MiB; zeros with `-Z`.
#[test]
fn the_content_of_created_files_can_be_chosen() {
    let _turn = util::busy();
    for (data, line, wanted) in [
        ("original", "-c3M", [0_u8, 1, 255, 0]),
        ("original", "-c3M -Z", [0; 4]),
        ("zeros", "-c3M", [0; 4]),
    ] {
        let dir = Dir::new();
        let mut command = dir.diskspd(&format!("{line} -b4K -d1 -W0 -o1 f"));
        util::run(command.env("IOGAUGE_DATA", data)).expect_code(0);
        let content = fs::read(dir.join("f")).expect("the file");
        let seen = [0, 1, 255, 1 << 20].map(|at| content[at]);
        assert_eq!(seen, wanted, "{data} {line}");
        no_holes(&dir.join("f"), 3 << 20);
    }
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

#[test]
fn a_trace_is_read_split_calls_included() {
    let trace = "\
11 openat(AT_FDCWD, \"target\", O_RDWR|O_DIRECT <unfinished ...>
12 openat(AT_FDCWD, \"/etc/x\", O_RDONLY|O_CLOEXEC) = 4
11 <... openat resumed>)           = 3
11 pread64(0x3, 0x7f3030000000, 0x1000, 0) = 0x1000
12 pwrite64(0x3, 0x55dfdac7a200, 0x200, 0x400 <unfinished ...>
12 <... pwrite64 resumed>)           = 0x200
12 pread64(0x4, 0x7f3028000bc0, 0x1000, 0x1000) = 0x1000
";
    let (opens, transfers) = parse_trace(trace);
    assert_eq!(opens.len(), 1);
    assert!(opens[0].contains("O_DIRECT"));
    assert_eq!(transfers.len(), 2);
    let [read, write] = transfers[..] else {
        panic!("{transfers:?}")
    };
    assert_eq!((read.write, read.thread, read.offset), (false, 11, 0));
    assert_eq!((write.write, write.thread), (true, 12));
    assert_eq!(
        (write.address, write.length, write.offset),
        (0x55df_dac7_a200, 512, 1024)
    );
}
