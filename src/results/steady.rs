//! Windows of a load that goes on: how far apart they are, and the ones that were steady.

use std::time::Duration;

use super::Row;
use crate::plan::{Steady, steady::WINDOWS};

/// What all workers did in one interval of the measured time.
#[derive(Debug, Clone)]
pub struct WindowFigures {
    /// Its end, since the measured time began.
    pub at: Duration,
    /// Its length.
    pub length: Duration,
    /// A row for each group and kind of operation.
    pub rows: Vec<Row>,
}

/// How far apart the rates of windows are that follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apart {
    /// The largest less the smallest, in percent of their mean.
    pub range_percent: f64,
    /// How much the straight line that fits them best (least squares) rises from the first to the
    /// last, in percent of their mean; below 0 where it falls.
    pub slope_percent: f64,
}

impl Apart {
    /// The last windows of these, of which there must be enough. `None` also if nothing was done in
    /// them.
    pub fn of(rates: &[f64]) -> Option<Self> {
        let last = rates.len().checked_sub(WINDOWS)?;
        let rates = &rates[last..];
        let mean = rates.iter().sum::<f64>() / WINDOWS as f64;
        if mean <= 0.0 {
            return None;
        }
        let largest = rates.iter().copied().fold(f64::MIN, f64::max);
        let smallest = rates.iter().copied().fold(f64::MAX, f64::min);
        let middle = (WINDOWS - 1) as f64 / 2.0;
        let (mut products, mut squares) = (0.0, 0.0);
        for (place, rate) in rates.iter().enumerate() {
            let x = place as f64 - middle;
            products += x * (rate - mean);
            squares += x * x;
        }
        let rise = products / squares * (WINDOWS - 1) as f64;
        Some(Self {
            range_percent: 100.0 * (largest - smallest) / mean,
            slope_percent: 100.0 * rise / mean,
        })
    }

    /// Whether both are within the bounds.
    pub fn is_within(&self, bounds: &Steady) -> bool {
        // What is on the bound in arithmetic may be a little beyond it in floating point.
        let within = |value: f64, bound: u32| value.abs() <= f64::from(bound) * (1.0 + 1e-9);
        within(self.range_percent, bounds.range_percent)
            && within(self.slope_percent, bounds.slope_percent)
    }
}

/// The windows in which a load was steady.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// The end of the last of them, since the measured time began.
    pub after: Duration,
    /// Length of a window.
    pub window: Duration,
    /// How far apart they are.
    pub apart: Apart,
}

impl Settled {
    /// The length of all of them.
    pub fn length(&self) -> Duration {
        self.window * WINDOWS as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Apart;
    use crate::plan::Steady;

    fn apart(rates: &[f64]) -> (f64, f64) {
        let apart = Apart::of(rates).unwrap();
        let round = |value: f64| (value * 1e9).round() / 1e9;
        (round(apart.range_percent), round(apart.slope_percent))
    }

    #[test]
    fn range_and_slope_of_known_series() {
        assert_eq!(apart(&[100.0; 5]), (0.0, 0.0));
        // A line from 80 to 120: mean 100, range 40, rise 40.
        assert_eq!(apart(&[80.0, 90.0, 100.0, 110.0, 120.0]), (40.0, 40.0));
        assert_eq!(apart(&[120.0, 110.0, 100.0, 90.0, 80.0]), (40.0, -40.0));
        // Deviations 10, -10, 0, -10, 10: range 20, and as much left of the middle as right.
        assert_eq!(apart(&[110.0, 90.0, 100.0, 90.0, 110.0]), (20.0, 0.0));
        // One that is 50 higher than four of 90 (mean 100): the sum of products is 2 x 40 + 10 x
        // (2 + 1 - 1) = 100, of squares 10, so that the line rises by 10 a window.
        assert_eq!(apart(&[90.0, 90.0, 90.0, 90.0, 140.0]), (50.0, 40.0));
        // Only the last five count.
        assert_eq!(apart(&[900.0, 1.0, 5.0, 5.0, 5.0, 5.0, 5.0]), (0.0, 0.0));
        // The furthest apart that they can be: all in one window.
        assert_eq!(apart(&[0.0, 0.0, 7.0, 0.0, 0.0]), (500.0, 0.0));
    }

    #[test]
    fn too_few_windows_and_silence_say_nothing() {
        assert_eq!(Apart::of(&[]), None);
        assert_eq!(Apart::of(&[100.0; 4]), None);
        assert_eq!(Apart::of(&[0.0; 5]), None);
    }

    #[test]
    fn both_bounds_hold_and_belong_to_what_is_steady() {
        let bounds = Steady::default();
        let steady = |rates: &[f64]| Apart::of(rates).unwrap().is_within(&bounds);
        assert!(steady(&[100.0; 5]));
        // A range of 20 and no slope; a slope of 10 either way.
        assert!(steady(&[110.0, 90.0, 100.0, 90.0, 110.0]));
        assert!(steady(&[95.0, 97.5, 100.0, 102.5, 105.0]));
        assert!(steady(&[105.0, 102.5, 100.0, 97.5, 95.0]));
        // A range of 22; a slope of 12 with a range of 12.
        assert!(!steady(&[111.0, 89.0, 100.0, 89.0, 111.0]));
        assert!(!steady(&[94.0, 97.0, 100.0, 103.0, 106.0]));
        assert!(!steady(&[106.0, 103.0, 100.0, 97.0, 94.0]));
    }
}
