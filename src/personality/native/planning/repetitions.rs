//! Independent repetitions of a time span.

use std::time::Duration;

use super::asked::Settled;
use crate::plan::{Generator, TimeSpan};

/// A span as often as was asked for, each time with chance of its own, and a pause between two.
///
/// # Errors
/// A pause without repetitions.
pub(super) fn repeated(span: &TimeSpan, settled: &Settled) -> Result<Vec<TimeSpan>, String> {
    let times = settled.asked.repeat.unwrap_or(1);
    match settled.asked.pause {
        Some(pause) if times == 1 && !pause.is_zero() => Err(
            "--pause is the time between two repetitions: say how many there are, as in --repeat 3"
                .to_owned(),
        ),
        pause => Ok(spans(span, times, settled.seed, pause.unwrap_or_default())),
    }
}

fn spans(span: &TimeSpan, times: u32, seed: u64, pause: Duration) -> Vec<TimeSpan> {
    if times == 1 {
        return vec![span.clone()];
    }
    let repetition = |number: u32| TimeSpan {
        name: if span.name.is_empty() {
            format!("repetition {number}")
        } else {
            format!("{}, repetition {number}", span.name)
        },
        pause_before: if number == 1 { Duration::ZERO } else { pause },
        generator: Generator::Xoshiro {
            seed: seed.wrapping_add(u64::from(number) - 1),
        },
        ..span.clone()
    };
    (1..=times).map(repetition).collect()
}
