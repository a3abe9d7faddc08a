//! Figures of a comparison as people read them: few digits, a unit always, ASCII only.

use crate::{results::compare::Measure, units::words::grouped};

/// A value of a figure.
pub(super) fn value(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Throughput | Measure::Operations => rate(value),
        Measure::Mean | Measure::P99 => latency(value),
    }
}

/// Nanoseconds in the unit that leaves one to three digits before the point.
fn latency(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    // What would be rounded up to a thousand is one of the next unit.
    let unit = units.iter().find(|(unit, _)| ns >= unit * 0.9995);
    match unit {
        Some((unit, name)) => format!("{} {name}", three_digits(ns / unit)),
        None => format!("{ns:.0} ns"),
    }
}

/// Operations or MiB a second.
fn rate(value: f64) -> String {
    if value >= 999.5e9 {
        ">999G".to_owned()
    } else if value >= 999.5e6 {
        format!("{}G", three_digits(value / 1e9))
    } else if value >= 999_999.5 {
        format!("{}M", three_digits(value / 1e6))
    } else if value >= 99.95 {
        grouped(value.round() as u64)
    } else {
        three_digits(value)
    }
}

/// `1.23`, `12.3`, `123`, `1,234`.
fn three_digits(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else if value < 99.95 {
        format!("{value:.1}")
    } else {
        grouped(value.round() as u64)
    }
}

/// A ratio: two digits that say something.
pub(super) fn ratio(value: f64) -> String {
    if value < 0.0005 {
        "<0.001".to_owned()
    } else if value < 0.0995 {
        format!("{value:.3}")
    } else if value < 99.95 {
        three_digits(value)
    } else if value < 99_999.5 {
        grouped(value.round() as u64)
    } else {
        ">99,999".to_owned()
    }
}

/// The ends of an interval of ratios, in at most 11 columns.
pub(super) fn interval(low: f64, high: f64) -> String {
    let end = |value: f64| {
        if value < 0.0005 {
            "0".to_owned()
        } else if value < 9_999.5 {
            ratio(value)
        } else if value < 999_500.0 {
            format!("{:.0}k", value / 1000.0)
        } else {
            ">999k".to_owned()
        }
    };
    format!("{}-{}", end(low), end(high))
}

/// How much better: `3.0 times`, `40 %`; the larger of two where they differ, both.
pub(super) fn times(least: f64, most: f64) -> String {
    let alike = most / least < 1.1;
    if most < 1.95 {
        let percent = |factor: f64| format!("{:.0}", (factor - 1.0) * 100.0);
        let (low, high) = (percent(least), percent(most));
        if low == high {
            format!("{high} %")
        } else {
            format!("{low} to {high} %")
        }
    } else if alike {
        // In the middle of what is alike.
        format!("{} times", factor((least * most).sqrt()))
    } else {
        format!("{} to {} times", factor(least), factor(most))
    }
}

fn factor(value: f64) -> String {
    if value < 9.95 {
        format!("{value:.1}")
    } else if value < 99_999.5 {
        grouped(value.round() as u64)
    } else {
        "more than 99,999".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_three_digits_and_a_unit() {
        for (ns, text) in [
            (0.0, "0 ns"),
            (999.0, "999 ns"),
            (999.9, "1.00 us"),
            (1234.0, "1.23 us"),
            (51_260.0, "51.3 us"),
            (999_400.0, "999 us"),
            (999_600.0, "1.00 ms"),
            (2e9, "2.00 s"),
            (5e12, "5,000 s"),
        ] {
            assert_eq!(value(Measure::Mean, ns), text);
        }
    }

    #[test]
    fn rates_are_grouped_and_keep_their_column() {
        for (number, text) in [
            (0.5, "0.50"),
            (12.34, "12.3"),
            (123.4, "123"),
            (91_204.4, "91,204"),
            (999_999.0, "999,999"),
            (1_234_567.0, "1.23M"),
            (45_000_000.0, "45.0M"),
            (2.5e9, "2.50G"),
            (1e15, ">999G"),
        ] {
            assert_eq!(value(Measure::Operations, number), text);
        }
    }

    #[test]
    fn ratios_and_factors() {
        let ratios = [0.0001, 0.0123, 0.333, 1.0, 6.1, 12.34, 1234.0, 1e9];
        let texts = ratios.map(ratio);
        let expected = [
            "<0.001", "0.012", "0.33", "1.00", "6.10", "12.3", "1,234", ">99,999",
        ];
        assert_eq!(texts, expected);
        assert_eq!(interval(0.0001, 0.0123), "0-0.012");
        assert_eq!(interval(1234.0, 12_345.0), "1,234-12k");
        assert_eq!(interval(1e6, f64::INFINITY), ">999k->999k");
        assert_eq!(times(6.1, 6.1), "6.1 times");
        assert_eq!(times(2.9, 3.1), "3.0 times");
        assert_eq!(times(2.0, 3.1), "2.0 to 3.1 times");
        assert_eq!(times(1.4, 1.4), "40 %");
        assert_eq!(times(1.1, 1.4), "10 to 40 %");
        assert_eq!(times(1.4, 3.0), "1.4 to 3.0 times");
        assert_eq!(times(1e9, 1e9), "more than 99,999 times");
    }
}
