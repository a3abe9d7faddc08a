//! Sizes as sysbench prints them: five significant digits and a binary unit.

use super::options::Dialect;

/// Units above the byte. What is larger stays in the last.
const UNITS: [&str; 4] = ["K", "M", "G", "T"];

/// `16KiB`, `3.3333MiB`, `1000B`; in 0.4 `16Kb`, `0b`: bytes and binary units there too.
pub(super) fn size(bytes: f64, dialect: Dialect) -> String {
    let mut value = bytes;
    let mut unit = "";
    for larger in UNITS {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    let byte = match (dialect, unit) {
        (Dialect::V04, _) => "b",
        (Dialect::V10, "") => "B",
        (Dialect::V10, _) => "iB",
    };
    format!("{}{unit}{byte}", significant(value))
}

/// Five significant digits without trailing zeros, as C's `%.5g`.
fn significant(value: f64) -> String {
    const DIGITS: i32 = 5;
    // Rounding comes first: 99999.6 has six digits before the point.
    let scientific = format!("{value:.4e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..DIGITS).contains(&exponent) {
        let decimals = (DIGITS - 1 - exponent) as usize;
        return without_zeros(&format!("{value:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    format!("{}e{sign}{exponent:02}", without_zeros(mantissa))
}

fn without_zeros(number: &str) -> &str {
    if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, size};

    #[test]
    fn sizes_of_the_records() {
        for (bytes, old, new) in [
            (0.0, "0b", "0B"),
            (1000.0, "1000b", "1000B"),
            (16384.0, "16Kb", "16KiB"),
            (983_040.0, "960Kb", "960KiB"),
            (3_495_253.0, "3.3333Mb", "3.3333MiB"),
            (16_777_216.0, "16Mb", "16MiB"),
            // 16980 reads of 16 KiB: 265.3125 MiB.
            (278_200_320.0, "265.31Mb", "265.31MiB"),
            (2_147_483_648.0, "2Gb", "2GiB"),
            // 1135485 reads of 16 KiB.
            (18_603_786_240.0, "17.326Gb", "17.326GiB"),
        ] {
            assert_eq!(size(bytes, Dialect::V04), old);
            assert_eq!(size(bytes, Dialect::V10), new);
        }
    }

    #[test]
    fn numbers_beyond_five_digits_are_as_in_c() {
        // By hand, after printf("%.5g").
        for (bytes, text) in [
            (1023.0 * 1024.0, "1023Kb"),
            (1_048_575.0, "1024Kb"),
            (1.638_44, "1.6384b"),
            (0.000_012_345, "1.2345e-05b"),
            (0.000_123_45, "0.00012345b"),
            (99_999.0 * 1024_f64.powi(4), "99999Tb"),
            (123_456.0 * 1024_f64.powi(4), "1.2346e+05Tb"),
        ] {
            assert_eq!(size(bytes, Dialect::V04), text);
        }
    }
}
