//! What the tests of this folder share: published reports and lines, and short ways to build
//! results by hand.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    line::{Parsed, parse},
    load::Load,
    lost::Lost,
    observer::Watcher,
    planning::to_plan,
    text::TextReport,
};
use crate::{
    host::Machine,
    personality::{Environment, Files},
    plan::Plan,
    report::Renderer,
    results::{
        Event, Observer, OperationStats, Outcome, Prepared, Provenance, Results, SpanResult,
        StreamResult, WholeMilliseconds, WorkerResult,
    },
};

/// The text of a file of this repository's tests.
pub(super) fn reference(file: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/reference/sqlio", file]
        .iter()
        .collect();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words of a line; double quotes group.
pub(super) fn args(line: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 0 {
            words.extend(part.split_whitespace().map(OsString::from));
        } else {
            words.push(part.into());
        }
    }
    words
}

/// Surroundings without drives, with a parameter file of two lines and some files of known size.
pub(super) fn around() -> Environment {
    Environment {
        files: Files::with(|_| false, read).sized(size),
        clock_seed: 7,
        ..Environment::default()
    }
}

/// The same, with every drive and disk that published lines name.
pub(super) fn mapped() -> Environment {
    let mut around = around();
    for letter in 'A'..='Z' {
        let folder = PathBuf::from(format!("/mnt/{}", letter.to_ascii_lowercase()));
        around.settings.drives.insert(letter.to_string(), folder);
    }
    for number in 1..=9 {
        let device = PathBuf::from(format!("/dev/disk{number}"));
        around.settings.drives.insert(number.to_string(), device);
    }
    around
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("param.txt" | "Param.txt" | "params.txt" | "ldf.txt") => {
            Ok(b"c:\\testfile.dat 2 0x0 100\r\n#d:\\testfile.dat 2 0x0 100\r\n".to_vec())
        }
        Some("two.txt") => Ok(b"a.dat 3 0x3 64\nb.dat 1 0x0 32\n".to_vec()),
        Some("bare.txt") => Ok(b"a.dat 2\n".to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn size(path: &Path) -> Option<u64> {
    match path.to_str()? {
        "exists.dat" => Some((24576 << 20) + 5),
        "small.dat" => Some(100_000),
        "empty.dat" => Some(0),
        "/dev/disk1" => Some(1 << 40),
        _ => None,
    }
}

/// The load of a line that is right.
pub(super) fn load(line: &str, around: &Environment) -> Load {
    match parse(&args(line), around) {
        Ok(Parsed::Load(line)) => line.load,
        other => panic!("{line}: {other:?}"),
    }
}

/// The plan of a line that is right.
pub(super) fn plan(line: &str, around: &Environment) -> Plan {
    let planned = to_plan(&load(line, around), &args(line), around);
    planned
        .unwrap_or_else(|messages| panic!("{line}: {messages:?}"))
        .plan
}

/// I/Os of a load: their latencies in milliseconds.
pub(super) fn stats(bytes: u64, latencies_ms: &[f64]) -> OperationStats {
    let mut stats = OperationStats::default();
    let mut whole = WholeMilliseconds::default();
    for ms in latencies_ms {
        let ns = (ms * 1e6) as u64;
        stats.record(0, ns, bytes);
        let cut = ns / 1_000_000;
        whole.min = if stats.count == 1 {
            cut
        } else {
            whole.min.min(cut)
        };
        whole.max = whole.max.max(cut);
        whole.sum += cut;
        whole.bins[cut.min(24) as usize] += 1;
    }
    stats.whole_ms = Some(Box::new(whole));
    stats
}

/// Results of one load with one stream.
pub(super) fn results(
    plan: Plan,
    write: bool,
    measured: Duration,
    stats: OperationStats,
) -> Results {
    let mut stream = StreamResult::default();
    if write {
        stream.write = stats;
    } else {
        stream.read = stats;
    }
    Results {
        provenance: Provenance {
            version: String::new(),
            started: Duration::ZERO,
            machine: Machine::default(),
        },
        plan,
        spans: vec![SpanResult {
            outcome: Outcome::Finished,
            failures: Vec::new(),
            measured,
            cpus: Vec::new(),
            engine: String::new(),
            simulated: false,
            engine_notes: Vec::new(),
            targets: Vec::new(),
            workers: vec![WorkerResult {
                streams: vec![stream],
                ..WorkerResult::default()
            }],
            prepared: Duration::ZERO,
            opening: Duration::ZERO,
            segments: Vec::new(),
            steady: None,
        }],
        failures: Vec::new(),
        ended: None,
        prepared: Prepared::default(),
        findings: Vec::new(),
    }
}

/// The report alone.
pub(super) fn rendered(line: &str, results: &Results) -> String {
    let mut out = Vec::new();
    let load = load(line, &around());
    let lost = Lost::default();
    let report = TextReport { load, lost };
    report
        .render(results, &mut out)
        .expect("a vector takes all");
    String::from_utf8(out).expect("text")
}

/// Everything that a line prints: what the observer shows of these events, then the report.
pub(super) fn printed(
    line: &str,
    around: &Environment,
    preparation: &[Event<'_>],
    results: &Results,
) -> String {
    let load = load(line, around);
    let planned = to_plan(&load, &args(line), around).expect("the line is right");
    let mut out = Vec::new();
    let lost = Lost::default();
    let mut watcher = Watcher::new(&load, planned.heads, lost.clone(), &mut out);
    watcher.observe(&Event::Begins);
    for event in preparation {
        watcher.observe(event);
    }
    watcher.observe(&Event::SpanBegins { number: 1 });
    watcher.observe(&Event::Measuring { length: None });
    drop(watcher);
    TextReport { load, lost }
        .render(results, &mut out)
        .expect("a vector takes all");
    String::from_utf8(out).expect("text")
}
