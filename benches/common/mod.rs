//! What the benchmarks share: running a side, medians of interleaved runs, the table.

use std::{
    error::Error,
    fs,
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// How long and how often, by `--quick` on the command line.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Seconds of each run.
    pub(crate) seconds: u32,
    /// Runs of each side.
    pub(crate) rounds: usize,
}

impl Effort {
    /// As the command line says.
    pub(crate) fn from_args() -> Self {
        if std::env::args().any(|argument| argument == "--quick") {
            Self {
                seconds: 1,
                rounds: 3,
            }
        } else {
            Self {
                seconds: 3,
                rounds: 7,
            }
        }
    }
}

/// What one run of a program showed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// I/Os in the measured time.
    pub(crate) ios: f64,
    /// The measured time in seconds, as the program says.
    pub(crate) seconds: f64,
    /// From start to end in seconds.
    pub(crate) wall: f64,
    /// CPU time of the whole process in seconds.
    pub(crate) cpu: f64,
    /// Peak resident memory in bytes, as seen every few milliseconds.
    pub(crate) memory: f64,
}

/// One of the two programs compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// iogauge.
    Ours,
    /// The other: fio, sysbench, dd.
    Peer,
}

/// Runs a program, watching its memory; its standard output and what was seen.
pub(crate) fn watched(command: &mut Command) -> Outcome<(String, Run)> {
    let before = children_cpu()?;
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let watcher = thread::spawn(move || {
        let mut peak = 0.0_f64;
        while let Some(now) = peak_memory(&status) {
            peak = peak.max(now);
            thread::sleep(Duration::from_millis(5));
        }
        peak
    });
    let mut text = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        io::Read::read_to_string(&mut stdout, &mut text)?;
    }
    let output = child.wait_with_output()?;
    let wall = start.elapsed().as_secs_f64();
    let memory = watcher.join().map_err(|_| "the watcher failed")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{command:?}: {}: {}", output.status, said.trim()).into());
    }
    let run = Run {
        ios: 0.0,
        seconds: 0.0,
        wall,
        cpu: children_cpu()? - before,
        memory,
    };
    Ok((text, run))
}

/// `VmHWM` of a process; `None` once it has ended.
fn peak_memory(status: &str) -> Option<f64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024.0)
}

/// CPU seconds of all children that have ended. The kernel counts them in hundredths.
fn children_cpu() -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text
        .rsplit_once(") ")
        .ok_or("/proc/self/stat has another form")?
        .1
        .split_whitespace()
        .collect();
    let ticks = |at: usize| -> Outcome<f64> { Ok(fields.get(at).ok_or("too short")?.parse()?) };
    Ok((ticks(13)? + ticks(14)?) / 100.0)
}

/// True if a program can be started.
pub(crate) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    command.stderr(Stdio::null()).stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A folder for the files of a benchmark, gone with it.
pub(crate) fn folder() -> Outcome<tempfile::TempDir> {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    Ok(tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(parent)?)
}

/// Values of one figure, both sides.
pub(crate) struct Row {
    /// What is compared.
    pub(crate) case: String,
    /// The unit.
    pub(crate) unit: &'static str,
    /// Ours, one a round.
    pub(crate) ours: Vec<f64>,
    /// The other's, one a round; empty without it.
    pub(crate) peer: Vec<f64>,
    /// What we want.
    pub(crate) target: Target,
}

/// What we want of a figure, or of its ratio to the other's.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The bound.
    pub(crate) bound: f64,
    /// True if it is a lower bound.
    pub(crate) least: bool,
    /// True if it is a bound of the ratio.
    pub(crate) ratio: bool,
}

/// Runs both sides in turn, so that what the machine does meanwhile meets both.
pub(crate) fn in_turn(
    effort: Effort,
    with_peer: bool,
    mut run: impl FnMut(Side) -> Outcome<Run>,
) -> Outcome<(Vec<Run>, Vec<Run>)> {
    let (mut ours, mut peer) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        ours.push(run(Side::Ours)?);
        if with_peer {
            peer.push(run(Side::Peer)?);
        }
    }
    Ok((ours, peer))
}

/// Median, least and greatest.
fn spread(values: &[f64]) -> Option<(f64, f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = *sorted.last()?;
    Some((sorted[sorted.len() / 2], sorted[0], last))
}

/// Prints the table: medians with their range, the ratio, the target and whether it is met.
pub(crate) fn print(title: &str, peer: &str, rows: &[Row]) -> Outcome<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "\n{title}")?;
    writeln!(
        out,
        "{:<34} {:>8}  {:>28}  {:>28}  {:>6}  target",
        "case",
        "unit",
        "iogauge median (min-max)",
        format!("{peer} median (min-max)"),
        "ratio"
    )?;
    for row in rows {
        let (ours, other) = (spread(&row.ours), spread(&row.peer));
        let show = |spread: Option<(f64, f64, f64)>| {
            spread.map_or_else(
                || "-".to_owned(),
                |(median, least, most)| format!("{median:.1} ({least:.1}-{most:.1})"),
            )
        };
        let ratio = ours.zip(other).map(|(ours, other)| ours.0 / other.0);
        let ratio_text = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let Target {
            bound,
            least,
            ratio: of_ratio,
        } = row.target;
        let judged = if of_ratio {
            ratio
        } else {
            ours.map(|ours| ours.0)
        };
        let met = judged.map(|value| {
            if least {
                value >= bound
            } else {
                value <= bound
            }
        });
        let what = if of_ratio { "ratio " } else { "" };
        let wanted = format!("{what}at {} {bound}", if least { "least" } else { "most" });
        let verdict = match met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "not judged",
        };
        let (ours, other) = (show(ours), show(other));
        let (case, unit) = (&row.case, row.unit);
        writeln!(
            out,
            "{case:<34} {unit:>8}  {ours:>28}  {other:>28}  {ratio_text:>6}  {wanted}: {verdict}"
        )?;
    }
    Ok(())
}

/// Says what is not measured.
pub(crate) fn skip(reason: &str) {
    let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
}
