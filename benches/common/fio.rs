//! One run of each side where we are compared with fio: a DiskSpd line of ours, a job file of fio.

use std::{path::Path, process::Command};

use crate::common::{Outcome, Run, watched};

/// `iogauge diskspd LINE` under an engine.
pub(crate) fn ours(engine: &str, line: &str, folder: &Path) -> Outcome<Run> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iogauge"));
    command
        .arg("diskspd")
        .args(line.split_whitespace())
        .env("IOGAUGE_ENGINE", engine)
        .env("IOGAUGE_HISTORY", "off")
        .current_dir(folder);
    let (text, mut run) = watched(&mut command)?;
    run.seconds = text
        .lines()
        .find_map(|l| l.strip_prefix("actual test time:"))
        .ok_or("the report has no test time")?
        .trim()
        .trim_end_matches('s')
        .parse()?;
    let total = text.lines().find_map(|l| l.strip_prefix("total:"));
    let ios = total.and_then(|total| total.split('|').nth(1));
    run.ios = ios.ok_or("the report has no total")?.trim().parse()?;
    Ok(run)
}

/// A job file of `benches/fio`, with variables for its `${...}`.
pub(crate) fn fio(job: &str, variables: &[(&str, &str)], folder: &Path) -> Outcome<Run> {
    let jobs = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/fio");
    let mut command = Command::new("fio");
    command
        .args(["--output-format=terse", "--terse-version=3"])
        .arg(jobs.join(job))
        .envs(variables.iter().copied())
        .current_dir(folder);
    let (text, mut run) = watched(&mut command)?;
    // Terse version 3: total KiB, KiB/s, IOPS and run time in ms of reads are fields 6 to 9.
    let line = text.lines().find(|line| line.starts_with("3;"));
    let fields: Vec<&str> = line.ok_or("fio gave no result")?.split(';').collect();
    let field = |at: usize| -> Outcome<f64> {
        let text = fields.get(at).ok_or("fio's line is short")?;
        Ok(text.parse()?)
    };
    run.seconds = field(8)? / 1000.0;
    run.ios = field(7)? * run.seconds;
    Ok(run)
}
