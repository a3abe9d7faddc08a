//! Standard output and standard error: the only place that writes to them directly, but for what
//! observers show while a run goes on.

use std::io::{self, Write};

use crate::exit::ExitCode;

/// Writes a whole report to standard output. When it cannot be written the run was not lost for
/// nothing: the exit code says so, and so does a line on standard error.
pub(super) fn show(bytes: &[u8], code: ExitCode) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => code,
        Err(error) => {
            complain(&format!(
                "iogauge: cannot write the report to standard output: {error}"
            ));
            ExitCode::Failed
        }
    }
}

/// Writes a line to standard error; if that fails there is nobody left to tell.
pub(super) fn complain(line: &str) {
    // In one write, so that lines of several programs do not mix.
    let _ = io::stderr()
        .lock()
        .write_all(format!("{line}\n").as_bytes());
}
