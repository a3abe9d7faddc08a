//! When a load is steady: five windows that stay within bounds, as in the SNIA's Solid State Storage
//! Performance Test Specification.

use std::{fmt, str::FromStr, time::Duration};

use crate::units::{number, time};

/// How many windows are looked at together: the last so many.
pub const WINDOWS: usize = 5;

/// When a load is steady.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Steady {
    /// Length of a window; a multiple of the time span's interval.
    pub window: Duration,
    /// Percent of the windows' mean that the busiest may lie above the idlest at most.
    pub range_percent: u32,
    /// Percent of the windows' mean that the line fitted to them may rise or fall at most.
    pub slope_percent: u32,
}

impl Default for Steady {
    /// The bounds are the specification's.
    fn default() -> Self {
        Self {
            window: Duration::from_secs(10),
            range_percent: 20,
            slope_percent: 10,
        }
    }
}

/// A window at least.
pub const WINDOW_MIN: Duration = Duration::from_millis(10);
/// A window at most.
pub const WINDOW_MAX: Duration = Duration::from_hours(24);
/// Percent at most; five windows cannot be further apart than half of that.
pub const PERCENT_MAX: u32 = 1000;

/// What is right, as the end of a sentence.
const RIGHT: &str = "a window from 10ms to 1d and bounds from 1% to 1000%, each of which may be \
                     left out, as in 10s, 30s,range=20%,slope=10% or range=5%";

impl FromStr for Steady {
    type Err = String;

    /// # Errors
    /// What would be right, as the end of a sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        read(text).ok_or_else(|| RIGHT.to_owned())
    }
}

fn read(text: &str) -> Option<Steady> {
    let (mut window, mut range, mut slope) = (None, None, None);
    for (place, part) in text.split(',').enumerate() {
        if let Some(percent) = part.strip_prefix("range=") {
            set(&mut range, percents(percent)?)?;
        } else if let Some(percent) = part.strip_prefix("slope=") {
            set(&mut slope, percents(percent)?)?;
        } else if place == 0 {
            let length = time::parse(part, WINDOW_MIN).ok()?;
            set(&mut window, Some(length).filter(|l| *l <= WINDOW_MAX)?)?;
        } else {
            return None;
        }
    }
    let usual = Steady::default();
    Some(Steady {
        window: window.unwrap_or(usual.window),
        range_percent: range.unwrap_or(usual.range_percent),
        slope_percent: slope.unwrap_or(usual.slope_percent),
    })
}

/// Each part once.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// `20%` or `20`.
fn percents(text: &str) -> Option<u32> {
    let digits = text.strip_suffix('%').unwrap_or(text);
    let percent = number::within(digits, 1, PERCENT_MAX.into()).ok()?;
    u32::try_from(percent).ok()
}

/// As it would be typed.
impl fmt::Display for Steady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{},range={}%,slope={}%",
            time::words(self.window),
            self.range_percent,
            self.slope_percent
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{RIGHT, Steady};
    use crate::units::number::STRANGE;

    #[test]
    fn each_part_may_be_left_out() {
        for (text, seconds, range_percent, slope_percent) in [
            ("30s", 30, 20, 10),
            ("range=5%", 10, 5, 10),
            ("slope=3,range=7", 10, 7, 3),
            ("1m30s,range=1000%,slope=1%", 90, 1000, 1),
        ] {
            let expected = Steady {
                window: Duration::from_secs(seconds),
                range_percent,
                slope_percent,
            };
            assert_eq!(text.parse(), Ok(expected), "{text}");
            assert_eq!(expected.to_string().parse(), Ok(expected));
        }
        assert_eq!(Steady::default().to_string(), "10s,range=20%,slope=10%");
    }

    #[test]
    fn anything_else_is_told() {
        for strange in STRANGE {
            for text in [
                (*strange).to_owned(),
                format!("range={strange}"),
                format!("10s,slope={strange}"),
            ] {
                assert_eq!(text.parse::<Steady>(), Err(RIGHT.to_owned()), "{text}");
            }
        }
        for text in [
            "",
            "10",
            "9ms",
            "2d",
            "0s",
            "range=0",
            "range=1001%",
            "range=5%%",
            "range=5,range=5",
            "5s,10s",
            "range=5,10s",
            "10s,",
            "10s,width=5",
            "10s range=5",
        ] {
            assert_eq!(text.parse::<Steady>(), Err(RIGHT.to_owned()), "{text}");
        }
    }
}
