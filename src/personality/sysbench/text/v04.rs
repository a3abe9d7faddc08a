//! The report of 0.4.

use std::time::Duration;

use super::block::fairness;
use crate::{
    personality::sysbench::{
        amount::size,
        console::Message,
        options::{Dialect, Options},
        percentile::percentile_ms,
    },
    results::{Segment, milliseconds, per_second},
};

/// Operations, rates, times.
pub(super) fn figures(options: &Options, segment: &Segment, opening: Duration) -> Message {
    // The clock of 0.4 starts before the files are opened.
    let total = opening + segment.to;
    let counted = if segment.from.is_zero() {
        total
    } else {
        segment.length()
    };
    let size = |bytes: f64| size(bytes, Dialect::V04);
    let (read, write, other) = (segment.read.count, segment.write.count, segment.flushes());
    Message::figures(format!(
        "Operations performed:  {read} Read, {write} Write, {other} Other = {} Total\n\
         Read {}  Written {}  Total transferred {}  ({}/sec)\n\
         {:8.2} Requests/sec executed\n\
         \n\
         Test execution summary:\n    \
         total time:                          {:.4}s\n    \
         total number of events:              {}\n    \
         total time taken by event execution: {:.4}\n    \
         per-request statistics:\n\
         {}\n\
         {}",
        segment.requests() + other,
        size(segment.read.bytes as f64),
        size(segment.write.bytes as f64),
        size(segment.bytes() as f64),
        size(per_second(segment.bytes(), counted)),
        per_second(segment.requests(), counted),
        total.as_secs_f64(),
        segment.events.count(),
        segment.busy().as_secs_f64(),
        latency(options, segment),
        fairness(segment)
    ))
}

/// Without events there is no percentile.
fn latency(options: &Options, segment: &Segment) -> String {
    let events = &segment.events;
    let ms = |ns: Option<u64>| milliseconds(ns.unwrap_or_default() as f64);
    let percentile = if events.count() > 0 {
        let percent = options.percentile;
        let value = percentile_ms(Dialect::V04, events, percent);
        format!("         approx. {percent:3} percentile:         {value:10.2}ms\n")
    } else {
        String::new()
    };
    format!(
        "         min:                            {:10.2}ms\n         \
         avg:                            {:10.2}ms\n         \
         max:                            {:10.2}ms\n\
         {percentile}",
        ms(events.min_ns()),
        milliseconds(events.mean_ns().unwrap_or_default()),
        ms(events.max_ns())
    )
}
