//! Standard output and standard error: the only place that writes to them directly, but for what
//! observers show while a run goes on.

use std::{
    fs::File,
    io::{self, Write},
};

use crate::{
    exit::ExitCode, personality::native::NATIVE, report::text::message, units::names::escaped,
};

/// Writes a whole report to standard output.
pub(super) fn show(bytes: &[u8], code: ExitCode) -> ExitCode {
    show_in(None, bytes, code)
}

/// Writes a whole report to standard output, or to the file in its place. When it cannot be written
/// the run was not lost for nothing: the exit code says so, and so does a line on standard error.
pub(super) fn show_in(file: Option<&File>, bytes: &[u8], code: ExitCode) -> ExitCode {
    let (written, place) = if let Some(mut file) = file {
        (file.write_all(bytes), "its file")
    } else {
        let mut out = io::stdout().lock();
        let written = out.write_all(bytes).and_then(|()| out.flush());
        (written, "standard output")
    };
    match written {
        Ok(()) => code,
        Err(error) => {
            complain(&format!(
                "iogauge: cannot write the report to {place}: {error}"
            ));
            ExitCode::Failed
        }
    }
}

/// Writes a message of our own to standard error, in lines of 80 columns; if that fails there is
/// nobody left to tell.
pub(super) fn complain(text: &str) {
    write(&message(&escaped(text)));
}

/// Writes a line as it is: a face keeps its original's, which scripts may read.
pub(super) fn pass_on(line: &str) {
    write(&escaped(line));
}

/// Names in it cannot steer the terminal: whoever calls has made them harmless. In one write, so that
/// lines of several programs do not mix.
fn write(text: &str) {
    let _ = io::stderr()
        .lock()
        .write_all(format!("{text}\n").as_bytes());
}

/// Writes messages to standard error: those of our own commands in lines of 80 columns, those of a
/// face as they are.
pub(super) fn tell(face: &str, messages: &[String]) {
    let write = if face == NATIVE { complain } else { pass_on };
    for text in messages {
        write(text);
    }
}
