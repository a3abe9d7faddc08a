//! A limit that figures are held against: `p99<2ms`, `write.mean>5ms`, `iops<1000`.

use std::{fmt, str::FromStr, time::Duration};

use crate::units::{ByteSize, number, size, time};

/// A figure of a load and the bound that it is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Whose figure.
    pub of: Whom,
    /// Which.
    pub figure: Figure,
    /// On which side of the bound.
    pub side: Side,
    /// Nanoseconds, I/Os a second or bytes a second.
    pub bound: u64,
}

/// The operations that a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whom {
    /// Reads and writes: the slower of both, or their sum a second.
    Any,
    /// Reads.
    Reads,
    /// Writes.
    Writes,
    /// Flushes.
    Flushes,
}

/// A figure of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Figure {
    /// The mean latency.
    Mean,
    /// What a share of the latencies does not exceed.
    Percentile {
        /// The share in parts of 100,000: p99.9 is 99,900.
        parts: u32,
    },
    /// The longest latency.
    Max,
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    Throughput,
}

/// On which side of the bound a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Less than it.
    Below,
    /// More than it.
    Above,
}

/// All of a percentile's parts.
pub const PARTS: u32 = 100_000;

/// More a second than anything does.
const RATE_MAX: u64 = 1_000_000_000_000;

/// What is right, as the end of a sentence.
const RIGHT: &str = "a figure and its bound, as in p99<2ms, mean>5ms, max>1s, read.p99.9<10ms, \
                     iops<1000 or throughput<200MiB/s (percentiles p1 to p99.999; before the \
                     figure read., write. or flush.)";

impl Figure {
    /// True for a latency, whose bound is a time.
    pub fn is_latency(self) -> bool {
        !matches!(self, Self::Iops | Self::Throughput)
    }
}

impl Condition {
    /// The bound of a latency.
    pub fn time(&self) -> Option<Duration> {
        self.figure
            .is_latency()
            .then(|| Duration::from_nanos(self.bound))
    }
}

impl FromStr for Condition {
    type Err = String;

    /// # Errors
    /// What would be right, as the end of a sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        read(text).ok_or_else(|| RIGHT.to_owned())
    }
}

fn read(text: &str) -> Option<Condition> {
    let (left, side, bound) = if let Some((left, bound)) = text.split_once('<') {
        (left, Side::Below, bound)
    } else {
        let (left, bound) = text.split_once('>')?;
        (left, Side::Above, bound)
    };
    let (of, name) = match left.split_once('.') {
        Some(("read", name)) => (Whom::Reads, name),
        Some(("write", name)) => (Whom::Writes, name),
        Some(("flush", name)) => (Whom::Flushes, name),
        _ => (Whom::Any, left),
    };
    let figure = match name {
        "mean" => Figure::Mean,
        "max" => Figure::Max,
        "iops" => Figure::Iops,
        "throughput" => Figure::Throughput,
        _ => Figure::Percentile {
            parts: parts(name.strip_prefix('p')?)?,
        },
    };
    let bound = match figure {
        Figure::Iops => number::within(bound, 1, RATE_MAX).ok()?,
        Figure::Throughput => {
            let bytes = bound.strip_suffix("/s")?;
            size::parse(bytes, 1, size::SIZE_MAX).ok()?.bytes
        }
        _ => {
            let bound = time::parse(bound, Duration::from_micros(1)).ok()?;
            u64::try_from(bound.as_nanos()).ok()?
        }
    };
    Some(Condition {
        of,
        figure,
        side,
        bound,
    })
}

/// `99.9` in parts of 100,000: at most three digits behind the point, below 100.
fn parts(text: &str) -> Option<u32> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let missing = 3_usize.checked_sub(rest.len())?;
    if text.ends_with('.') {
        return None;
    }
    let thousandths = format!("{whole}{rest}{}", "0".repeat(missing));
    let least = u64::from(PARTS / 100);
    let parts = number::within(&thousandths, least, u64::from(PARTS - 1)).ok()?;
    u32::try_from(parts).ok()
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Max => f.write_str("max"),
            Self::Iops => f.write_str("iops"),
            Self::Throughput => f.write_str("throughput"),
            Self::Percentile { parts } => {
                let digits = format!("{}.{:03}", parts / 1000, parts % 1000);
                write!(f, "p{}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }
}

/// As it would be typed.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.of {
            Whom::Any => "",
            Whom::Reads => "read.",
            Whom::Writes => "write.",
            Whom::Flushes => "flush.",
        })?;
        let side = match self.side {
            Side::Below => '<',
            Side::Above => '>',
        };
        write!(f, "{}{side}", self.figure)?;
        match self.figure {
            Figure::Iops => write!(f, "{}", self.bound),
            Figure::Throughput if ByteSize(self.bound).is_whole() => {
                write!(f, "{}/s", ByteSize(self.bound))
            }
            Figure::Throughput => write!(f, "{}/s", self.bound),
            _ => f.write_str(&time::words(Duration::from_nanos(self.bound))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Figure, RIGHT, Side, Whom};
    use crate::units::number::STRANGE;

    #[test]
    fn conditions_read_what_they_write() {
        let condition = |of, figure, side, bound| Condition {
            of,
            figure,
            side,
            bound,
        };
        let p = |parts| Figure::Percentile { parts };
        for (text, expected) in [
            (
                "p99<2ms",
                condition(Whom::Any, p(99_000), Side::Below, 2_000_000),
            ),
            (
                "p99.9>50ms",
                condition(Whom::Any, p(99_900), Side::Above, 50_000_000),
            ),
            (
                "p99.999<1s",
                condition(Whom::Any, p(99_999), Side::Below, 1_000_000_000),
            ),
            ("p1>1us", condition(Whom::Any, p(1_000), Side::Above, 1_000)),
            (
                "read.p50<500us",
                condition(Whom::Reads, p(50_000), Side::Below, 500_000),
            ),
            (
                "write.mean>5ms",
                condition(Whom::Writes, Figure::Mean, Side::Above, 5_000_000),
            ),
            (
                "flush.max<1m30s",
                condition(Whom::Flushes, Figure::Max, Side::Below, 90_000_000_000),
            ),
            (
                "iops<1000",
                condition(Whom::Any, Figure::Iops, Side::Below, 1000),
            ),
            (
                "write.throughput<200MiB/s",
                condition(Whom::Writes, Figure::Throughput, Side::Below, 200 << 20),
            ),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
            assert_eq!(expected.to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_told() {
        let figures = ["p99", "mean", "max", "iops", "throughput", "read.p99.9"];
        for strange in STRANGE
            .iter()
            .chain(&["2", "-1ms", "0ms", "9223372036854775808s"])
        {
            for figure in figures {
                for side in ["<", ">"] {
                    let text = format!("{figure}{side}{strange}");
                    if text.starts_with("iops") && *strange == "2" {
                        continue;
                    }
                    assert_eq!(text.parse::<Condition>(), Err(RIGHT.to_owned()), "{text}");
                }
            }
        }
        for text in [
            "",
            "<",
            "p99",
            "p99=2ms",
            "p99<=2ms",
            "p<2ms",
            "p0<2ms",
            "p0.5<2ms",
            "p100<2ms",
            "p99.<2ms",
            "p99.9999<2ms",
            "p-1<2ms",
            "p9e1<2ms",
            "P99<2ms",
            "trim.p99<2ms",
            "iops<1k",
            "iops<0",
            "throughput<5",
            "p99<2ms<3ms",
            " p99<2ms",
            "p99 < 2ms",
        ] {
            assert_eq!(text.parse::<Condition>(), Err(RIGHT.to_owned()), "{text}");
        }
    }
}
