//! What filling a target showed: how much, how fast at the beginning and at the end, and what comes
//! next.

use std::ffi::OsStr;

use crate::{
    report::text::{amount, percent},
    results::{Filled, Results},
    units::{names::shown, words::size},
};

/// Ends that are closer are as fast, in percent.
const ALIKE: f64 = 10.0;

/// The sentences about a time span.
pub(super) fn lines(results: &Results, index: usize) -> Vec<String> {
    let Some(filled) = results.filled(index) else {
        return Vec::new();
    };
    let planned = results
        .planned(index)
        .and_then(|planned| planned.stop.bytes);
    let of = match planned {
        Some(planned) if planned != filled.bytes => format!(" of {}", size(planned)),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "Written: {}{of}, at {} MiB/s. {}",
        size(filled.bytes),
        amount(filled.mib_per_second),
        ends(&filled)
    )];
    if planned == Some(filled.bytes) {
        lines.push(next(results, index));
    }
    lines
}

fn ends(filled: &Filled) -> String {
    let Some((begin, end)) = filled.ends else {
        return "It was too short to tell its beginning from its end.".to_owned();
    };
    let change = if begin > 0.0 {
        100.0 * (end - begin) / begin
    } else {
        0.0
    };
    let figures = format!(
        "The first tenth went at {} MiB/s, the last at {}",
        amount(begin),
        amount(end)
    );
    if change < -ALIKE {
        format!(
            "{figures}: {} slower, as where a cache in front has filled up.",
            percent(-change)
        )
    } else if change > ALIKE {
        format!("{figures}: {} faster.", percent(change))
    } else {
        format!("{figures}: as fast at the end as at the beginning.")
    }
}

/// What to type now.
fn next(results: &Results, index: usize) -> String {
    let target = results
        .planned(index)
        .and_then(|planned| planned.targets.first())
        .map_or(String::new(), |target| shown(OsStr::new(&target.label)));
    format!("Next: iogauge run --rw randwrite --until-steady {target}")
}

#[cfg(test)]
mod tests {
    use super::{Filled, ends};

    #[test]
    fn the_end_is_held_against_the_beginning() {
        let said = |begin, end| {
            ends(&Filled {
                bytes: 1,
                mib_per_second: 1.0,
                ends: Some((begin, end)),
            })
        };
        assert_eq!(
            said(1000.0, 300.0),
            "The first tenth went at 1,000 MiB/s, the last at 300: 70 % slower, as where a cache \
             in front has filled up."
        );
        assert!(said(100.0, 90.0).ends_with("as fast at the end as at the beginning."));
        assert!(said(100.0, 150.0).ends_with(": 50 % faster."));
        assert!(said(0.0, 150.0).ends_with("as fast at the end as at the beginning."));
    }
}
