//! What the tool itself costs for each I/O: both sides with an engine that completes at once and
//! touches nothing, so that all of the time is the generator's. `cargo bench --bench overhead`,
//! with `-- --quick` for short runs.

mod common;
#[path = "common/fio.rs"]
mod fio;

use common::{Effort, Outcome, Row, Run, Side, Target};

/// Our budget for one I/O, in ns.
const BUDGET: Target = Target {
    bound: 60.0,
    least: false,
    ratio: false,
};

/// At most as much as fio.
const NO_MORE: Target = Target {
    bound: 1.0,
    least: false,
    ratio: true,
};

fn main() -> Outcome<()> {
    let effort = Effort::from_args();
    let folder = common::folder()?;
    let with_fio = common::has("fio");
    if !with_fio {
        common::skip("fio is missing: our cost stands alone");
    }
    let seconds = effort.seconds.to_string();
    let mut rows = Vec::new();
    for depth in ["1", "32"] {
        let line = format!("-b4K -r -d{seconds} -W0 -L -o{depth} -c1G ./none");
        let variables = [("DEPTH", depth), ("RUNTIME", seconds.as_str())];
        let (ours, fio) = common::in_turn(effort, with_fio, |side| match side {
            Side::Ours => fio::ours("null", &line, folder.path()),
            Side::Peer => fio::fio("null.fio", &variables, folder.path()),
        })?;
        // One thread that never waits: its time is the cost.
        let wall = |runs: &[Run]| runs.iter().map(|r| r.seconds * 1e9 / r.ios).collect();
        let cpu = |runs: &[Run]| runs.iter().map(|r| r.cpu * 1e9 / r.ios).collect();
        rows.push(Row {
            case: format!("random 4 KiB, depth {depth}: time"),
            unit: "ns/I/O",
            ours: wall(&ours),
            peer: wall(&fio),
            target: BUDGET,
        });
        let besides = |runs: &[Run]| runs.iter().map(|r| (r.wall - r.seconds) * 1e3).collect();
        let peak = |runs: &[Run]| runs.iter().map(|r| r.memory / 1_048_576.0).collect();
        for (figure, unit, ours, fio) in [
            ("time besides", "ms", besides(&ours), besides(&fio)),
            ("peak memory", "MiB", peak(&ours), peak(&fio)),
        ] {
            rows.push(Row {
                case: format!("random 4 KiB, depth {depth}: {figure}"),
                unit,
                ours,
                peer: fio,
                target: NO_MORE,
            });
        }
        rows.push(Row {
            case: format!("random 4 KiB, depth {depth}: CPU"),
            unit: "ns/I/O",
            ours: cpu(&ours),
            peer: cpu(&fio),
            target: NO_MORE,
        });
    }
    common::print(
        "Our own cost (null engine, latency measured, one thread)",
        "fio",
        &rows,
    )
}
