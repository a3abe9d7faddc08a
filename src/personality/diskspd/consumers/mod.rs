//! Programs that read `DiskSpd`'s reports, as small readers of their kind: what they find must be
//! what can be computed from the list of I/Os without us.

mod text;
mod xml;

use std::time::Duration;

use super::{
    profile::{Profile, Target, TimeSpan},
    testing::{args, around, operations, results, span_result, stream},
};
use crate::{
    host::CpuUse,
    personality::diskspd::line::{Parsed, parse},
    results::{Results, SpanResult},
};

/// An I/O of 4 KiB.
#[derive(Debug, Clone, Copy)]
struct Io {
    write: bool,
    thread: usize,
    target: usize,
    /// Completion, in ms of the measured second.
    at_ms: u64,
    latency_ms: u64,
}

const BLOCK: u64 = 4096;

/// A command line, its results over one second, and the I/Os that these came from.
struct Case {
    line: &'static str,
    profile: Profile,
    results: Results,
    ios: Vec<Io>,
}

/// Lines that differ in what the reports contain: threads, targets, latencies, intervals, sides.
const LINES: &[&str] = &[
    "-b4K -d1 -W0 -r -w40 -o8 -L -D500 a.dat",
    "-b4K -d1 -W0 -t2 -w40 -s -L a.dat b.dat",
    "-b4K -d1 -W0 -F2 -r -o2 -n -L -D500 a.dat b.dat",
    "-b4K -d1 -W0 -t3 -w100 -Sh -r -L a.dat",
    "-b4K -d1 -W0 -w50 -D500 a.dat",
    "-b4K -d1 -W0 a.dat",
];

fn cases() -> impl Iterator<Item = Case> {
    LINES.iter().map(|line| case(line))
}

fn case(line: &'static str) -> Case {
    let Ok(Parsed::Profile(parsed)) = parse(&args(line), &around()) else {
        panic!("{line} is refused");
    };
    let profile = parsed.profile;
    let span = &profile.spans[0];
    let ios = ios(span);
    let labels: Vec<String> = span.targets.iter().map(Target::label).collect();
    let sizes: Vec<(&str, u64)> = labels
        .iter()
        .map(|label| (label.as_str(), 1 << 30))
        .collect();
    let threads = ios.iter().map(|io| io.thread + 1).max().unwrap();
    let of = |thread: usize, target: usize, write: bool| {
        let list: Vec<(u64, u64)> = ios
            .iter()
            .filter(|io| (io.thread, io.target, io.write) == (thread, target, write))
            .map(|io| (io.at_ms, io.latency_ms * 1_000_000))
            .collect();
        operations(&list)
    };
    let workers = (0..threads)
        .map(|thread| {
            targets_of(span, thread)
                .map(|target| stream(target, of(thread, target, false), of(thread, target, true)))
                .collect()
        })
        .collect();
    let mut result: SpanResult = span_result(Duration::from_secs(1), &sizes, workers);
    // 30 % and 50 % of use, of that 10 % and 20 % in programs.
    result.cpus = [(0, 100, 200, 700), (1, 200, 300, 500)]
        .map(|(number, user, kernel, idle)| CpuUse {
            number,
            user: Duration::from_millis(user),
            kernel: Duration::from_millis(kernel),
            idle: Duration::from_millis(idle),
            ..CpuUse::default()
        })
        .to_vec();
    Case {
        line,
        results: results(&format!("diskspd {line}"), vec![result]),
        profile,
        ios,
    }
}

/// Threads of a pool have all targets, others one each, target by target.
fn targets_of(span: &TimeSpan, thread: usize) -> std::ops::Range<usize> {
    if span.thread_count > 0 {
        return 0..span.targets.len();
    }
    let target = thread / span.targets[0].threads as usize;
    target..target + 1
}

/// 200 I/Os of each thread to each of its targets, of 1 to 23 ms, more of them in the first half
/// of the second.
fn ios(span: &TimeSpan) -> Vec<Io> {
    let threads = match span.thread_count {
        0 => span.targets.iter().map(|target| target.threads).sum(),
        threads => threads,
    };
    let mut ios = Vec::new();
    for thread in 0..threads as usize {
        for target in targets_of(span, thread) {
            for i in 0..200 {
                let mixed = (i * 7 + thread + 3 * target) % 100;
                ios.push(Io {
                    write: mixed < span.targets[target].write_ratio as usize,
                    thread,
                    target,
                    at_ms: ((i * 37) % 1000 * 9 / 10) as u64,
                    latency_ms: 1 + ((i * i + 5 * thread + 11 * target) % 23) as u64,
                });
            }
        }
    }
    ios
}

/// One side of the I/Os, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Read,
    Write,
    Both,
}

impl Case {
    fn side(&self, side: Side) -> Vec<Io> {
        let wanted = |io: &&Io| match side {
            Side::Read => !io.write,
            Side::Write => io.write,
            Side::Both => true,
        };
        self.ios.iter().filter(wanted).copied().collect()
    }

    fn count(&self, side: Side) -> u64 {
        self.side(side).len() as u64
    }

    fn mean_ms(&self, side: Side) -> f64 {
        let ios = self.side(side);
        ios.iter().map(|io| io.latency_ms as f64).sum::<f64>() / ios.len() as f64
    }

    /// The smallest latency that at least this share of the I/Os does not exceed.
    fn percentile_ms(&self, side: Side, percent: f64) -> f64 {
        let mut all: Vec<u64> = self.side(side).iter().map(|io| io.latency_ms).collect();
        all.sort_unstable();
        let rank = (percent / 100.0 * all.len() as f64).ceil().max(1.0) as usize;
        all[rank.min(all.len()) - 1] as f64
    }

    /// Population deviation of the I/Os a second in the two halves of the second.
    fn iops_deviation(&self, side: Side) -> f64 {
        let ios = self.side(side);
        let first = ios.iter().filter(|io| io.at_ms < 500).count() as f64;
        let second = ios.len() as f64 - first;
        ((first - second) / 2.0).abs() / 0.5
    }

    fn has(&self, option: &str) -> bool {
        self.line.split(' ').any(|word| word.starts_with(option))
    }
}

/// Equal as far as three decimals and the histogram (a thousandth of the value) can tell.
fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 0.000_51 + expected.abs() * 0.001
}
