//! The figures of a run, or of the time between two checkpoints.

use std::time::Duration;

use super::{v04, v10};
use crate::{
    personality::sysbench::{
        console::Message,
        options::{Dialect, Options},
    },
    results::Segment,
};

/// All figures of a segment. `opening` is the time from before the files were opened to the
/// beginning of the load, which 0.4 counts.
pub(crate) fn block(options: &Options, segment: &Segment, opening: Duration) -> Message {
    match options.dialect {
        Dialect::V04 => v04::figures(options, segment, opening),
        Dialect::V10 => v10::figures(options, segment),
    }
}

/// Events and their time over the threads.
pub(super) fn fairness(segment: &Segment) -> String {
    let (events, events_deviation) = segment.over_workers(|share| share.events as f64);
    let (busy, busy_deviation) = segment.over_workers(|share| share.busy.as_secs_f64());
    format!(
        "Threads fairness:\n    \
         events (avg/stddev):           {events:.4}/{events_deviation:3.2}\n    \
         execution time (avg/stddev):   {busy:.4}/{busy_deviation:3.2}\n"
    )
}
