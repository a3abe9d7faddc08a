//! Numbers and sizes for people: digits in groups, a blank before the unit, one thing and many.

use super::ByteSize;

/// `1,048,576`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1,048,576 bytes (1 MiB)`; below 1 KiB without the unit.
pub fn bytes(number: u64) -> String {
    if number < 1024 {
        return plural(number, "byte");
    }
    format!("{} bytes ({})", grouped(number), size(number))
}

/// `64 KiB`, `1.46 KiB`, `512 bytes`.
pub fn size(number: u64) -> String {
    ByteSize(number).words()
}

/// A time to three digits, in the unit that has few of them: `800 ns`, `12.3 us`, `2.10 ms`, `1,850 s`.
pub fn nanoseconds(ns: u64) -> String {
    let (value, unit) = match ns {
        0..1000 => return format!("{ns} ns"),
        1000..999_500 => (ns as f64 / 1e3, "us"),
        999_500..999_500_000 => (ns as f64 / 1e6, "ms"),
        _ => (ns as f64 / 1e9, "s"),
    };
    match value {
        ..9.995 => format!("{value:.2} {unit}"),
        ..99.95 => format!("{value:.1} {unit}"),
        _ => format!("{} {unit}", grouped(value.round() as u64)),
    }
}

/// `1 byte`, `2 bytes`.
pub fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::{bytes, grouped, nanoseconds, plural, size};

    #[test]
    fn a_time_has_three_digits_and_its_unit() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.00 us"),
            (12_345, "12.3 us"),
            (999_499, "999 us"),
            // A thousand of a unit is one of the next.
            (999_500, "1.00 ms"),
            (2_100_000, "2.10 ms"),
            (999_500_000, "1.00 s"),
            (10_000_000_000, "10.0 s"),
            (1_850_000_000_000, "1,850 s"),
            (u64::MAX, "18,446,744,074 s"),
        ] {
            assert_eq!(nanoseconds(ns), text);
        }
    }

    #[test]
    fn numbers_are_grouped_and_sized() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_073_741_824), "1,073,741,824");
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(1 << 30), "1,073,741,824 bytes (1 GiB)");
        assert_eq!(size(1500), "1.46 KiB");
        assert_eq!(plural(1, "thread"), "1 thread");
    }
}
