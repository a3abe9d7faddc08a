//! Against fio on the same device in the same minutes: IOPS of each engine on a disk in memory
//! (zram, made and removed here), peak memory with many threads, and what a run costs besides its
//! measured time. `cargo bench --bench peers`, with `-- --quick` for short runs.

mod common;
#[path = "common/fio.rs"]
mod fio;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use common::{Effort, Outcome, Row, Run, Side, Target};

/// Bytes of the disk in memory.
const DISK: usize = 256 << 20;

/// At least so many times what fio does.
const fn times_fio(bound: f64) -> Target {
    Target {
        bound,
        least: true,
        ratio: true,
    }
}

/// At most so much, whatever fio does.
const fn at_most(bound: f64) -> Target {
    Target {
        bound,
        least: false,
        ratio: false,
    }
}

/// A zram device of our own; removed when dropped.
struct Zram {
    number: String,
}

impl Zram {
    /// Makes one and leaves it empty: a read clears a page, so that the device answers as fast as
    /// it can and the program in front of it shows.
    fn new() -> Outcome<Self> {
        let number = fs::read_to_string("/sys/class/zram-control/hot_add")?;
        let disk = Self {
            number: number.trim().to_owned(),
        };
        fs::write(disk.attribute("disksize"), DISK.to_string())?;
        Ok(disk)
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(format!("/dev/zram{}", self.number))
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let _ = fs::write(self.attribute("reset"), "1");
        let _ = fs::write("/sys/class/zram-control/hot_remove", &self.number);
    }
}

/// Makes a file of bytes that do not compress.
fn fill(path: &Path, size: usize) -> Outcome<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut block = Vec::with_capacity(1 << 20);
    for _ in 0..size >> 20 {
        block.clear();
        while block.len() < 1 << 20 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            block.extend_from_slice(&state.to_le_bytes());
        }
        file.write_all(&block)?;
    }
    file.sync_all()?;
    Ok(())
}

fn main() -> Outcome<()> {
    let effort = Effort::from_args();
    let folder = common::folder()?;
    let with_fio = common::has("fio");
    if !with_fio {
        common::skip("fio is missing: our figures stand alone");
    }
    let mut rows = Vec::new();
    match Zram::new() {
        Ok(disk) => {
            let target = disk.path().display().to_string();
            rows.extend(engines(effort, with_fio, &target, folder.path())?);
            rows.push(memory(effort, with_fio, &target, folder.path())?);
        }
        Err(error) => common::skip(&format!("a zram device cannot be made (root?): {error}")),
    }
    rows.extend(start_to_end(effort, with_fio, folder.path())?);
    common::print("Against fio (4 KiB random reads, O_DIRECT)", "fio", &rows)
}

/// IOPS of each engine, one thread.
fn engines(effort: Effort, with_fio: bool, target: &str, folder: &Path) -> Outcome<Vec<Row>> {
    let seconds = effort.seconds.to_string();
    let mut rows = Vec::new();
    let cases = [
        ("psync", "1", 1.5),
        ("io_uring", "32", 1.05),
        ("libaio", "32", 1.05),
    ];
    for (engine, depth, bound) in cases {
        // Not bound to a CPU, as fio is not: workers of the kernel would share that CPU.
        let line = format!("-b4K -r -d{seconds} -W0 -Su -L -n -o{depth} {target}");
        let variables = [
            ("ENGINE", engine),
            ("DEPTH", depth),
            ("RUNTIME", &seconds),
            ("TARGET", target),
        ];
        let (ours, fio) = common::in_turn(effort, with_fio, |side| match side {
            Side::Ours => fio::ours(engine, &line, folder),
            Side::Peer => fio::fio("randread.fio", &variables, folder),
        })?;
        let iops = |runs: &[Run]| runs.iter().map(|r| r.ios / r.seconds / 1000.0).collect();
        rows.push(Row {
            case: format!("zram, {engine}, depth {depth}"),
            unit: "k IOPS",
            ours: iops(&ours),
            peer: iops(&fio),
            target: times_fio(bound),
        });
    }
    Ok(rows)
}

/// Peak memory of 64 threads with 32 I/Os each.
fn memory(effort: Effort, with_fio: bool, target: &str, folder: &Path) -> Outcome<Row> {
    let line = format!("-b4K -r -d1 -W0 -Su -L -o32 -t64 {target}");
    let variables = [("TARGET", target)];
    let (ours, fio) = common::in_turn(effort, with_fio, |side| match side {
        Side::Ours => fio::ours("io_uring", &line, folder),
        Side::Peer => fio::fio("memory.fio", &variables, folder),
    })?;
    let peak = |runs: &[Run]| runs.iter().map(|r| r.memory / 1_048_576.0).collect();
    Ok(Row {
        case: "64 threads x 32: peak memory".to_owned(),
        unit: "MiB",
        ours: peak(&ours),
        peer: peak(&fio),
        target: at_most(24.0),
    })
}

/// What a run takes besides its measured time: one thread, one existing file.
fn start_to_end(effort: Effort, with_fio: bool, folder: &Path) -> Outcome<Vec<Row>> {
    let file = folder.join("file");
    fill(&file, 16 << 20)?;
    let target = file.display().to_string();
    let line = format!("-b4K -r -d1 -W0 -Su -L -o1 {target}");
    let variables = [
        ("ENGINE", "psync"),
        ("DEPTH", "1"),
        ("RUNTIME", "1"),
        ("TARGET", &target),
    ];
    let (ours, fio) = common::in_turn(effort, with_fio, |side| match side {
        Side::Ours => fio::ours("psync", &line, folder),
        Side::Peer => fio::fio("randread.fio", &variables, folder),
    })?;
    let besides = |runs: &[Run]| {
        let over = |r: &Run| ((r.wall - r.seconds) * 1000.0).max(0.0);
        runs.iter().map(over).collect()
    };
    let cpu = |runs: &[Run]| runs.iter().map(|r| r.cpu * 1e6 / r.ios).collect();
    Ok(vec![
        Row {
            case: "file, psync: time besides the run".to_owned(),
            unit: "ms",
            ours: besides(&ours),
            peer: besides(&fio),
            target: at_most(60.0),
        },
        Row {
            case: "file, psync: CPU of the process".to_owned(),
            unit: "us/I/O",
            ours: cpu(&ours),
            peer: cpu(&fio),
            target: Target {
                bound: 1.0,
                least: false,
                ratio: true,
            },
        },
    ])
}
