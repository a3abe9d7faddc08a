//! What the figures of a workload are judged by.

use serde::Deserialize;

use crate::plan::Direction;

/// An I/O that takes this long is reported by SQL Server itself (error 833), and is never good.
const STALLED_MS: f64 = 15_000.0;

/// What a latency is judged by, in milliseconds of the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The group of workers that it judges, by [`crate::plan::WorkerGroup::name`].
    pub group: String,
    /// Reads or writes of it; of a [`Question::Limit`] its flushes, where the group flushes.
    pub direction: Direction,
    /// At most this is good.
    pub good_ms: f64,
    /// At most this is acceptable.
    pub acceptable_ms: f64,
    /// At most this is slow; more is bad.
    pub slow_ms: f64,
    /// A percentile that must stay below a limit, where the workload has one: fraction and
    /// milliseconds.
    pub percentile: Option<(f64, f64)>,
    /// Where the numbers come from.
    pub source: String,
}

/// How good a latency is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing to complain of.
    Good,
    /// The mark is kept.
    Acceptable,
    /// The mark is broken.
    Slow,
    /// Far beyond the mark.
    Bad,
}

impl Verdict {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Acceptable => "acceptable",
            Self::Slow => "slow",
            Self::Bad => "bad",
        }
    }

    /// True if the mark is kept.
    pub fn keeps(self) -> bool {
        self <= Self::Acceptable
    }
}

impl Mark {
    /// Judges a mean, and the longest I/O.
    pub fn judge(&self, mean_ms: f64, max_ms: f64) -> Verdict {
        if max_ms >= STALLED_MS || mean_ms > self.slow_ms {
            Verdict::Bad
        } else if mean_ms > self.acceptable_ms {
            Verdict::Slow
        } else if mean_ms > self.good_ms {
            Verdict::Acceptable
        } else {
            Verdict::Good
        }
    }
}

/// What the figures of a workload answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Nothing but figures.
    #[default]
    None,
    /// How long a scan, backup, restore or check of a database of some size takes.
    Throughput,
    /// Whether latencies keep the marks at the rate that was asked, or the highest rate that does.
    Marks,
    /// Yes or no: is a percentile of the flush (or write) below its limit?
    Limit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_at_a_mark_keeps_it() {
        // "Log write: at most 1 ms good, 5 acceptable, 15 slow, more is bad; 15 s always bad."
        let mark = Mark {
            group: "log write".into(),
            direction: Direction::Write,
            good_ms: 1.0,
            acceptable_ms: 5.0,
            slow_ms: 15.0,
            percentile: None,
            source: String::new(),
        };
        for (mean, max, verdict) in [
            (1.0, 9.0, Verdict::Good),
            (1.01, 9.0, Verdict::Acceptable),
            (5.0, 9.0, Verdict::Acceptable),
            (5.01, 9.0, Verdict::Slow),
            (15.0, 20.0, Verdict::Slow),
            (15.01, 20.0, Verdict::Bad),
            (0.5, 15_000.0, Verdict::Bad),
        ] {
            assert_eq!(mark.judge(mean, max), verdict, "{mean} {max}");
        }
        assert!(Verdict::Acceptable.keeps() && !Verdict::Slow.keeps());
    }
}
