//! Exit codes of iogauge's own commands; the faces use their original's.

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// Finished, results whole.
    Ok,
    /// Failed, or finished with failed operations.
    Failed,
    /// Usage, or refused before any write.
    Usage,
    /// A code of a face's original.
    Face(u8),
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(match code {
            ExitCode::Ok => 0,
            ExitCode::Failed => 1,
            ExitCode::Usage => 2,
            ExitCode::Face(code) => code,
        })
    }
}
