//! The pace of a load, shared out to its threads.

use crate::{
    personality::native::line::{Pace, Per},
    plan::{Pacing, PauseFrom},
};

/// The pace of each worker's stream.
pub(super) fn pacing(pace: Option<Pace>, workers: u64) -> Pacing {
    let shared_by = |per: Per| match per {
        Per::Thread => 1,
        Per::Run => u32::try_from(workers).unwrap_or(u32::MAX),
    };
    match pace {
        None => Pacing::Unlimited,
        Some(Pace::Arrivals {
            per_second,
            poisson,
        }) => Pacing::Arrivals {
            per_second: per_second as f64 / workers as f64,
            poisson,
        },
        Some(Pace::CapOperations { per_second, per }) => Pacing::CapOperations {
            per_second,
            shared_by: shared_by(per),
        },
        Some(Pace::CapBytes { per_second, per }) => Pacing::CapBytes {
            per_second,
            shared_by: shared_by(per),
        },
        Some(Pace::Pauses { operations, pause }) => Pacing::Burst {
            operations,
            pause,
            from: PauseFrom::Completion,
        },
    }
}
