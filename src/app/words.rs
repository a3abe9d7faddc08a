//! Sizes, ages and names as people read them, for the commands that tell about this machine.

use std::time::Duration;

/// `512 B`, `64.0 KiB`, `1.50 GiB`: three digits and the unit.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in UNITS {
        // 999.5 would be printed with four digits.
        if value < 999.5 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    let digits = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// `12 s`, `5 min`, `3 h`, `2 days`: whole, and rounded down.
pub(super) fn age(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// "1 file", "3 files".
pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A path or name in a column: its end says more than its beginning.
pub(super) fn fit(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let end = text.chars().skip(length + 2 - width);
    format!("..{}", end.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits_and_a_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            // 1000 bytes are 0.977 KiB.
            (1000, "0.98 KiB"),
            (1024, "1.00 KiB"),
            (65_536, "64.0 KiB"),
            (1_572_864, "1.50 MiB"),
            (1 << 30, "1.00 GiB"),
            // 999.9 MiB is no four-digit number of them.
            (1_048_471_142, "0.98 GiB"),
            (100 << 30, "100 GiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(size(bytes), text, "{bytes}");
        }
    }

    #[test]
    fn ages_are_whole() {
        for (seconds, text) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (7_199, "1 h"),
            (172_799, "47 h"),
            (172_800, "2 days"),
        ] {
            assert_eq!(age(Duration::from_secs(seconds)), text);
        }
        assert_eq!(
            (count(1, "file"), count(0, "file")),
            ("1 file".into(), "0 files".into())
        );
    }

    #[test]
    fn long_names_lose_their_beginning() {
        assert_eq!(fit("/mnt/data", 9), "/mnt/data");
        assert_eq!(fit("/mnt/data/x", 9), "../data/x");
    }
}
