//! SQLIO's arithmetic: whole numbers, cut where others round.

use std::{fmt, time::Duration};

use crate::results::{EndReason, OperationStats, Outcome, Results, SpanResult};

/// Latencies of the histogram: 0 to 23 ms, and more.
const BINS: usize = 25;

/// The figures of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Figures {
    /// Completed I/Os a second.
    pub(super) ios_per_second: Hundredths,
    /// MiB a second.
    pub(super) mibs_per_second: Hundredths,
    /// Smallest, average and largest latency.
    pub(super) latency_ms: [u64; 3],
    /// Smallest, average and largest time that initiating took.
    pub(super) initiation_us: [u64; 3],
    /// Percent of the I/Os by whole milliseconds.
    pub(super) percent: [u64; BINS],
}

impl Figures {
    /// Of a load.
    pub(super) fn of(span: &SpanResult) -> Self {
        let stats = all(span);
        let mut latency_ms = [0; 3];
        let mut percent = [0; BINS];
        if let Some(whole) = &stats.whole_ms {
            let count: u64 = whole.bins.iter().sum();
            latency_ms = [
                whole.min,
                whole.sum.checked_div(count).unwrap_or(0),
                whole.max,
            ];
            percent = whole.bins.map(|bin| rounded_percent(bin, count));
        }
        let initiation = &stats.initiation;
        let mean_us = initiation.mean_ns().unwrap_or(0.0) / 1000.0;
        let us = |ns: Option<u64>| ns.unwrap_or(0) / 1000;
        Self {
            ios_per_second: Hundredths::per_second(u128::from(stats.count), span.measured),
            // Hundredths of MiB are cut once, from bytes.
            mibs_per_second: Hundredths::cut(
                u128::from(stats.bytes) * 100 * NANOS,
                span.measured.as_nanos() << 20,
            ),
            latency_ms,
            initiation_us: [
                us(initiation.min_ns()),
                mean_us as u64,
                us(initiation.max_ns()),
            ],
            percent,
        }
    }
}

/// Reads and writes of all threads.
pub(super) fn all(span: &SpanResult) -> OperationStats {
    let mut all = span.reads(None);
    all += &span.writes(None);
    all
}

/// The load whose figures can be shown: it went on as planned, or until somebody ended it.
pub(super) fn shown(results: &Results) -> Option<&SpanResult> {
    results.spans.iter().find(|span| {
        matches!(
            span.outcome,
            Outcome::Finished | Outcome::EndedEarly(EndReason::Interrupted)
        )
    })
}

/// Nanoseconds of a second.
const NANOS: u128 = 1_000_000_000;

/// A number of two decimals, of which more were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hundredths(u128);

impl Hundredths {
    fn per_second(count: u128, time: Duration) -> Self {
        Self::cut(count * 100 * NANOS, time.as_nanos())
    }

    /// The whole part of a fraction of hundredths; 0 over no time.
    fn cut(numerator: u128, denominator: u128) -> Self {
        Self(numerator.checked_div(denominator).unwrap_or(0))
    }
}

/// Five places before the point, and more where they are needed.
impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// Percent to the nearest whole number.
fn rounded_percent(part: u64, all: u64) -> u64 {
    let (part, all) = (u128::from(part), u128::from(all));
    let percent = (200 * part + all).checked_div(2 * all).unwrap_or(0);
    u64::try_from(percent).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_cut() {
        let rate = |count, ms| Hundredths::per_second(count, Duration::from_millis(ms)).to_string();
        // 1 / 3 s = 0.333 and 2 / 3 s = 0.666: never 0.67.
        assert_eq!(rate(1, 3000), "    0.33");
        assert_eq!(rate(2, 3000), "    0.66");
        assert_eq!(rate(42_105, 300_000), "  140.35");
        assert_eq!(rate(21_975_318, 100_000), "219753.18");
        assert_eq!(rate(5, 0), "    0.00");
    }

    #[test]
    fn percentages_are_rounded_to_the_nearest() {
        for (part, all, percent) in [
            (0, 0, 0),
            (0, 7, 0),
            (1, 200, 1),
            (1, 201, 0),
            (199, 200, 100),
            (1, 3, 33),
            (2, 3, 67),
            (u64::MAX, u64::MAX, 100),
        ] {
            assert_eq!(rounded_percent(part, all), percent, "{part} of {all}");
        }
    }
}
