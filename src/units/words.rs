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

/// `1 byte`, `2 bytes`.
pub fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::{bytes, grouped, plural, size};

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
