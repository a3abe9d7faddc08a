//! The end of a run.

use crate::{personality::Verdict, results::Results};

/// Complaints and exit code.
pub(super) fn verdict(_results: &Results) -> Verdict {
    Verdict {
        complaints: Vec::new(),
        exit: 0,
    }
}
