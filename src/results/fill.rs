//! How fast a target was filled at the beginning, and at the end.

use std::time::Duration;

use super::{Results, mib_per_second};
use crate::measure::IntervalSeries;

/// What filling a target showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filled {
    /// Bytes that were written.
    pub bytes: u64,
    /// The mean over all of it.
    pub mib_per_second: f64,
    /// The means of the first and of the last tenth of its time, in MiB/s; `None` if it was too
    /// short.
    pub ends: Option<(f64, f64)>,
}

impl Filled {
    /// Of writes in so long a time.
    fn of(bytes: u64, writes: &IntervalSeries, measured: Duration) -> Self {
        let length = writes.length();
        let whole = (measured.as_nanos() / length.as_nanos().max(1)) as usize;
        let whole = whole.min(writes.kept());
        let tenth = whole.div_ceil(10);
        let mean = |from: usize| {
            let used = writes.used().iter().skip(from).take(tenth);
            let bytes = used.fold(0, |sum: u64, interval| sum.saturating_add(interval.bytes));
            mib_per_second(bytes, length.saturating_mul(tenth as u32))
        };
        Self {
            bytes,
            mib_per_second: mib_per_second(bytes, measured),
            ends: (whole >= 2).then(|| (mean(0), mean(whole - tenth))),
        }
    }
}

impl Results {
    /// How the time span with this number, from 0, filled its target; `None` without figures.
    pub fn filled(&self, index: usize) -> Option<Filled> {
        let span = self.spans.get(index).filter(|span| span.has_figures())?;
        let writes = span.writes(None);
        Some(Filled::of(writes.bytes, &writes.intervals, span.measured))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Filled;
    use crate::measure::IntervalSeries;

    /// So many MiB in each second.
    fn filled(seconds: &[u64], measured: Duration) -> Filled {
        let mut series = IntervalSeries::new(Duration::from_secs(1), measured);
        for (second, mib) in seconds.iter().enumerate() {
            for _ in 0..*mib {
                series.record(second as u64 * 1_000_000_000, 1, 1 << 20);
            }
        }
        let bytes = seconds.iter().sum::<u64>() << 20;
        Filled::of(bytes, &series, measured)
    }

    #[test]
    fn a_cache_that_fills_up_is_seen_at_the_end() {
        // Twenty seconds: a tenth is two. The last half second is no whole interval.
        let mut seconds = [90_u64; 20].to_vec();
        seconds[0] = 110;
        seconds[18..].copy_from_slice(&[20, 40]);
        seconds.push(7);
        let found = filled(&seconds, Duration::from_millis(20_500));
        assert_eq!(found.ends, Some((100.0, 30.0)));
        assert_eq!(found.bytes, (90 * 17 + 110 + 60 + 7) << 20);
        assert_eq!(
            filled(&[5, 9], Duration::from_secs(2)).ends,
            Some((5.0, 9.0))
        );
        assert_eq!(filled(&[5], Duration::from_millis(1900)).ends, None);
        assert_eq!(filled(&[], Duration::ZERO).ends, None);
    }
}
