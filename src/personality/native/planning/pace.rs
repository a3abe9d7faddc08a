//! The pace of a load, shared out to its threads.

use crate::{
    personality::native::line::{Pace, Per},
    plan::{Pacing, PauseFrom},
};

/// The pace of each worker's stream.
pub(super) fn pacing(pace: Option<Pace>, workers: u64) -> Result<Pacing, String> {
    let share = |all: u64, per: Per| match per {
        Per::Thread => Ok(all),
        Per::Run if all >= workers => Ok(all / workers),
        Per::Run => Err(format!(
            "--cap {all} is less than one a second for each of {workers} threads: use fewer \
             threads"
        )),
    };
    Ok(match pace {
        None => Pacing::Unlimited,
        Some(Pace::Arrivals {
            per_second,
            poisson,
        }) => Pacing::Arrivals {
            per_second: per_second as f64 / workers as f64,
            poisson,
        },
        Some(Pace::CapOperations { per_second, per }) => Pacing::CapOperations {
            per_second: share(per_second, per)?,
        },
        Some(Pace::CapBytes { per_second, per }) => Pacing::CapBytes {
            per_second: share(per_second, per)?,
        },
        Some(Pace::Pauses { operations, pause }) => Pacing::Burst {
            operations,
            pause,
            from: PauseFrom::Completion,
        },
    })
}
