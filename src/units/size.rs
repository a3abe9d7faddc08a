//! Byte sizes.

use std::fmt;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(pub u64);

const UNITS: [(u64, &str); 4] = [
    (1 << 40, "TiB"),
    (1 << 30, "GiB"),
    (1 << 20, "MiB"),
    (1 << 10, "KiB"),
];

impl ByteSize {
    /// The largest binary unit that is not above the value, and the value in it.
    pub fn in_unit(self) -> (f64, &'static str) {
        UNITS
            .iter()
            .find(|(unit, _)| self.0 >= *unit)
            .map_or((self.0 as f64, ""), |(unit, name)| {
                (self.0 as f64 / *unit as f64, name)
            })
    }

    /// True if the value is a whole number of its largest binary unit.
    pub fn is_whole(self) -> bool {
        UNITS
            .iter()
            .find(|(unit, _)| self.0 >= *unit)
            .is_none_or(|(unit, _)| self.0.is_multiple_of(*unit))
    }
}

/// `512`, `64KiB`, `1.46KiB`: the largest binary unit, whole or with two decimals.
impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = self.in_unit();
        if self.is_whole() {
            write!(f, "{value:.0}{unit}")
        } else {
            write!(f, "{value:.2}{unit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByteSize;

    #[test]
    fn prints_the_largest_unit_whole_or_with_two_decimals() {
        // Expected values from recorded DiskSpd reports.
        for (bytes, text) in [
            (0, "0"),
            (512, "512"),
            (1500, "1.46KiB"),
            (65536, "64KiB"),
            (1 << 20, "1MiB"),
            (1_572_864, "1.50MiB"),
            (5 << 30, "5GiB"),
            (3 << 40, "3TiB"),
        ] {
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
    }
}
