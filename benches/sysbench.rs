//! Against the real sysbench in the same minutes: 4 KiB random reads from the page cache with one
//! thread and with four, preparation of files, peak memory; and direct preparation against `dd`.
//! `cargo bench --bench sysbench`, with `-- --quick` for short runs.

mod common;

use std::{path::Path, process::Command};

use common::{Effort, Outcome, Row, Run, Side, Target};

/// Files of the set that is read: small enough to stay in the page cache of any machine.
const READ_SET: &str = "--file-num=16 --file-total-size=256M";

/// Files of the set that is prepared.
const MADE_SET: &str = "--file-num=16 --file-total-size=2G";

const fn least(bound: f64) -> Target {
    Target {
        bound,
        least: true,
        ratio: true,
    }
}

const fn most(bound: f64, ratio: bool) -> Target {
    Target {
        bound,
        least: false,
        ratio,
    }
}

fn main() -> Outcome<()> {
    let effort = Effort::from_args();
    let folder = common::folder()?;
    let with_peer = common::has("sysbench");
    if !with_peer {
        common::skip("sysbench is missing: our figures stand alone");
    }
    let mut rows = Vec::new();
    run(Side::Ours, &format!("{READ_SET} prepare"), folder.path())?;
    for (threads, bound) in [(1_u32, 1.12), (4, 1.12)] {
        rows.extend(reads(effort, with_peer, threads, bound, folder.path())?);
    }
    run(Side::Ours, &format!("{READ_SET} cleanup"), folder.path())?;
    rows.push(preparation(effort, with_peer, folder.path())?);
    common::print("Against sysbench fileio", "sysbench", &rows)?;
    let rows = [direct_preparation(effort, folder.path())?];
    common::print("Against dd oflag=direct bs=1M conv=fsync", "dd", &rows)
}

/// `sysbench fileio LINE`, ours or the real one.
fn run(side: Side, line: &str, folder: &Path) -> Outcome<(String, Run)> {
    let mut command = match side {
        Side::Ours => {
            let mut command = Command::new(env!("CARGO_BIN_EXE_iogauge"));
            command.arg("sysbench");
            command
        }
        Side::Peer => Command::new("sysbench"),
    };
    command
        .arg("fileio")
        .args(line.split_whitespace())
        .env("IOGAUGE_HISTORY", "off")
        .current_dir(folder);
    common::watched(&mut command)
}

/// The number behind a label of a report.
fn figure(text: &str, label: &str) -> Outcome<f64> {
    let line = text.lines().find_map(|l| l.trim().strip_prefix(label));
    let line = line.ok_or_else(|| format!("the report has no {label}"))?;
    Ok(line.trim().trim_end_matches('s').parse()?)
}

/// Reads a second and peak memory.
fn reads(
    effort: Effort,
    with_peer: bool,
    threads: u32,
    bound: f64,
    folder: &Path,
) -> Outcome<Vec<Row>> {
    let line = format!(
        "{READ_SET} --file-block-size=4K --file-test-mode=rndrd --threads={threads} --time={} run",
        effort.seconds
    );
    let (ours, peer) = common::in_turn(effort, with_peer, |side| {
        let (text, mut seen) = run(side, &line, folder)?;
        seen.seconds = figure(&text, "total time:")?;
        seen.ios = figure(&text, "reads/s:")? * seen.seconds;
        Ok(seen)
    })?;
    let rate = |runs: &[Run]| runs.iter().map(|r| r.ios / r.seconds / 1000.0).collect();
    let cpu = |runs: &[Run]| runs.iter().map(|r| r.cpu * 1e6 / r.ios).collect();
    // What a thread may take besides seven tenths of the other's is taken off first.
    let allowed = f64::from(threads) * 1_048_576.0;
    let mib = |bytes: f64| bytes / 1_048_576.0;
    Ok(vec![
        Row {
            case: format!("page cache, 4 KiB reads, {threads} threads"),
            unit: "k reads/s",
            ours: rate(&ours),
            peer: rate(&peer),
            target: least(bound),
        },
        Row {
            case: format!("peak memory less 1 MiB x {threads}"),
            unit: "MiB",
            ours: ours.iter().map(|r| mib(r.memory - allowed)).collect(),
            peer: peer.iter().map(|r| mib(r.memory)).collect(),
            target: most(0.7, true),
        },
        Row {
            case: format!("CPU of the process, {threads} threads"),
            unit: "us/read",
            ours: cpu(&ours),
            peer: cpu(&peer),
            target: most(1.0, true),
        },
    ])
}

/// Seconds that 2 GiB in 16 files take through the page cache, with what makes them durable.
fn preparation(effort: Effort, with_peer: bool, folder: &Path) -> Outcome<Row> {
    let (ours, peer) = common::in_turn(effort, with_peer, |side| {
        let (_, seen) = run(side, &format!("{MADE_SET} prepare"), folder)?;
        run(side, &format!("{MADE_SET} cleanup"), folder)?;
        Ok(seen)
    })?;
    let wall = |runs: &[Run]| runs.iter().map(|r| r.wall).collect();
    Ok(Row {
        case: "prepare 2 GiB in 16 files".to_owned(),
        unit: "s",
        ours: wall(&ours),
        peer: wall(&peer),
        target: most(1.0, true),
    })
}

/// Seconds that 2 GiB in one file take past the page cache.
fn direct_preparation(effort: Effort, folder: &Path) -> Outcome<Row> {
    let set = "--file-num=1 --file-total-size=2G --file-extra-flags=direct";
    let file = folder.join("dd");
    let (ours, peer) = common::in_turn(effort, common::has("dd"), |side| {
        if side == Side::Ours {
            let (_, seen) = run(side, &format!("{set} prepare"), folder)?;
            run(side, &format!("{set} cleanup"), folder)?;
            return Ok(seen);
        }
        let mut command = Command::new("dd");
        command
            .args(["if=/dev/zero", "bs=1M", "count=2048", "oflag=direct"])
            .args(["conv=fsync", "status=none"])
            .arg(format!("of={}", file.display()));
        let (_, seen) = common::watched(&mut command)?;
        std::fs::remove_file(&file)?;
        Ok(seen)
    })?;
    let wall = |runs: &[Run]| runs.iter().map(|r| r.wall).collect();
    Ok(Row {
        case: "direct prepare 2 GiB in one file".to_owned(),
        unit: "s",
        ours: wall(&ours),
        peer: wall(&peer),
        target: most(1.1, true),
    })
}
