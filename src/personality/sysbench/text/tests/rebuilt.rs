//! Results that give the figures of a recorded report, found from these.

use std::time::Duration;

use super::writes;
use crate::{
    personality::sysbench::{
        options::Options,
        testing::{counted, seconds, shares},
    },
    results::{Latency, Segment},
};

/// The number behind a label.
pub(super) fn number(text: &str, label: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(label));
    let line = line.unwrap_or_else(|| panic!("no {label}"));
    let rest = line.trim_start()[label.len()..].trim();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
    rest[..end.unwrap_or(rest.len())].parse().unwrap()
}

/// Values of which these are the printed count, smallest, largest, mean and sum. The sum is the
/// most exact of them, except for few values.
fn latency(count: u64, block: &str, sum_ms: f64) -> Latency {
    let [min_ms, mean_ms, max_ms] = ["min:", "avg:", "max:"].map(|label| number(block, label));
    let n = count as f64;
    let sum_ms = sum_ms.clamp((mean_ms - 0.0049) * n, (mean_ms + 0.0049) * n);
    let ns = |ms: f64| (ms.max(0.0) * 1e6).round() as u64;
    let mut latency = Latency::default();
    if count > 1 {
        latency.record(ns(max_ms));
    }
    if count > 0 {
        latency.record(ns(min_ms));
    }
    let others = count.saturating_sub(2);
    let each = ns((sum_ms - min_ms - max_ms) / others as f64);
    (0..others).for_each(|_| latency.record(each));
    latency
}

/// Numbers of events of each thread that have the printed mean and deviation, as far as the
/// records need it: one thread, or one that did all.
fn events_of_threads(options: &Options, block: &str) -> Vec<u64> {
    let mean = number(block, "events (avg/stddev):");
    let mut events = vec![0; options.threads as usize];
    events[0] = (mean * f64::from(options.threads)).round() as u64;
    events
}

/// A segment of 1.0, and whether its total time is the printed one.
pub(super) fn segment_v10(options: &Options, block: &str, last: bool) -> (Segment, bool) {
    let [reads, writes_a_second, flushes] =
        ["reads/s:", "writes/s:", "fsyncs/s:"].map(|label| number(block, label));
    let events = number(block, "total number of events:") as u64;
    let file = &options.file;
    let at_end = last && writes(options) && file.fsync_end && !file.fsync_all;
    let flushed_at_end = if at_end {
        u64::from(file.count) * u64::from(options.threads)
    } else {
        0
    };
    // Rates are counts over the length: with fsync-all a flush is no event of its own.
    let event_rate = reads + writes_a_second + if file.fsync_all { 0.0 } else { flushes };
    // At a checkpoint the total may miss an event that the threads' own counts have.
    let done: u64 = events_of_threads(options, block).iter().sum();
    let about = (done + flushed_at_end) as f64 / event_rate;
    let rates = [reads, writes_a_second, flushes];
    let counts = rates.map(|rate| (rate * about).round());
    let length = length(rates, counts);
    let total = number(block, "total time:");
    let bytes = |label| (number(block, label) * length * 1_048_576.0).round() as u64;
    let sum = number(block, "sum:");
    let segment = Segment {
        from: seconds((total - length).max(0.0)),
        to: seconds((total - length).max(0.0)) + seconds(length),
        read: counted(counts[0] as u64, bytes("read, MiB/s:")),
        write: counted(counts[1] as u64, bytes("written, MiB/s:")),
        flush: counted(counts[2] as u64 - flushed_at_end, 0),
        final_flush: counted(flushed_at_end, 0),
        events: latency(events, block, sum),
        shares: shares(
            &events_of_threads(options, block),
            seconds(sum / 1000.0 / f64::from(options.threads)),
        ),
        unfinished: 0,
    };
    (segment, length <= total)
}

/// The length over which these counts have these rates, which are rounded to two decimals.
fn length(rates: [f64; 3], counts: [f64; 3]) -> f64 {
    let used = || rates.iter().zip(counts).filter(|(rate, _)| **rate > 0.0);
    let low = used().map(|(rate, count)| count / (rate + 0.005));
    let high = used().map(|(rate, count)| count / (rate - 0.005));
    let (low, high) = (low.fold(0.0, f64::max), high.fold(f64::MAX, f64::min));
    f64::midpoint(low, high)
}

/// A segment of 0.4, and the time before it.
pub(super) fn segment_v04(options: &Options, report: &str) -> (Segment, Duration) {
    let operations = report
        .lines()
        .find(|l| l.starts_with("Operations"))
        .unwrap();
    let counts: Vec<u64> = operations
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let rate = report
        .lines()
        .find(|l| l.ends_with("Requests/sec executed"));
    let rate: f64 = rate
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let file = &options.file;
    let mode = file.mode.unwrap();
    let merged = if mode.sequential() {
        file.merged.max(1)
    } else {
        1
    };
    let length = u64::from(file.block) * u64::from(merged);
    let opening = Duration::from_micros(300);
    let busy = number(report, "total time taken by event execution:");
    let events = counts[0] + counts[1];
    let segment = Segment {
        to: seconds(events as f64 / rate).checked_sub(opening).unwrap(),
        read: counted(counts[0], counts[0] * length),
        write: counted(counts[1], counts[1] * length),
        flush: counted(counts[2], 0),
        events: latency(events, report, busy * 1000.0),
        shares: shares(
            &events_of_threads(options, report),
            seconds(busy / f64::from(options.threads)),
        ),
        ..Segment::default()
    };
    (segment, opening)
}
