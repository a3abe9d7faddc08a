//! The report of 1.0.

use std::fmt::Write as _;

use super::block::fairness;
use crate::{
    personality::sysbench::{
        console::Message,
        options::{Dialect, Options},
        percentile::{self, percentile_ms},
    },
    results::{Segment, mib_per_second, milliseconds, per_second},
};

/// Widest bar of the histogram.
const BAR: f64 = 40.0;

/// Rates, times, latencies.
pub(super) fn figures(options: &Options, segment: &Segment) -> Message {
    let length = segment.length();
    Message::figures(format!(
        "\nFile operations:\n    \
         reads/s:                      {:.2}\n    \
         writes/s:                     {:.2}\n    \
         fsyncs/s:                     {:.2}\n\
         \n\
         Throughput:\n    \
         read, MiB/s:                  {:.2}\n    \
         written, MiB/s:               {:.2}\n\
         \n\
         General statistics:\n    \
         total time:                          {:.4}s\n    \
         total number of events:              {}\n\
         \n\
         {}\n\
         {}",
        per_second(segment.read.count, length),
        per_second(segment.write.count, length),
        per_second(segment.flushes(), length),
        mib_per_second(segment.read.bytes, length),
        mib_per_second(segment.write.bytes, length),
        segment.to.as_secs_f64(),
        segment.events.count(),
        latency(options, segment),
        fairness(segment)
    ))
}

fn latency(options: &Options, segment: &Segment) -> String {
    let events = &segment.events;
    let ms = |ns: Option<u64>| milliseconds(ns.unwrap_or_default() as f64);
    let percentile = match options.percentile {
        0 => "         percentile stats:               disabled".to_owned(),
        percent => format!(
            "        {percent:3}th percentile: {:27.2}",
            percentile_ms(Dialect::V10, events, percent)
        ),
    };
    format!(
        "Latency (ms):\n         \
         min: {:39.2}\n         \
         avg: {:39.2}\n         \
         max: {:39.2}\n\
         {percentile}\n         \
         sum: {:39.2}\n",
        ms(events.min_ns()),
        milliseconds(events.mean_ns().unwrap_or_default()),
        ms(events.max_ns()),
        milliseconds(segment.busy().as_nanos() as f64)
    )
}

/// A line for each bucket in use, and a line of one blank.
pub(super) fn histogram(segment: &Segment) -> Message {
    let rows = percentile::histogram(&segment.events);
    let fullest = rows.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let mut text = "Latency histogram (values are in milliseconds)\n       \
                    value  ------------- distribution ------------- count\n"
        .to_owned();
    for (ms, count) in rows {
        let stars = (count as f64 / fullest as f64 * BAR).round() as usize;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{ms:12.3} |{:<40} {count}", "*".repeat(stars));
    }
    text.push(' ');
    Message::figures(text)
}
