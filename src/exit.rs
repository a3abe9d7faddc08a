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

impl ExitCode {
    /// The number that the system is told.
    pub fn number(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Face(code) => code,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}
