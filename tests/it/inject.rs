//! Faults of system calls, made by strace.

use std::process::Command;

use crate::util::{self, Dir, Output};

/// Runs a face's line with faults in some kinds of system calls, as strace words them; on `engine`,
/// or on what the face takes. `None`, said, where nothing can be injected.
pub(crate) fn injected(
    dir: &Dir,
    face: &str,
    engine: Option<&str>,
    faults: &[&str],
    line: &str,
) -> Option<Output> {
    if !util::has("strace") {
        util::skip("strace is missing: no fault can be injected");
        return None;
    }
    let calls = faults.iter().filter_map(|fault| fault.split(':').next());
    let calls = calls.collect::<Vec<_>>().join(",");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
    command.arg(format!("trace={calls}"));
    for fault in faults {
        command.args(["-e", &format!("inject={fault}")]);
    }
    command
        .args([env!("CARGO_BIN_EXE_iogauge"), face])
        .args(line.split_whitespace())
        .env("IOGAUGE_HISTORY", "off")
        .envs(engine.map(|engine| ("IOGAUGE_ENGINE", engine)))
        .current_dir(dir.path());
    let output = util::run(&mut command);
    if output.code != Some(0) && output.stderr.contains("ptrace") {
        util::skip("strace may not trace here");
        return None;
    }
    if let Some(engine) = engine
        && output.stderr.contains("is refused")
    {
        util::skip(&format!("engine {engine} is refused here"));
        return None;
    }
    Some(output)
}
