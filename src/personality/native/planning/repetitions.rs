//! Independent repetitions of a time span.

use crate::plan::{Generator, TimeSpan};

/// A span so many times, each with chance of its own.
pub(super) fn repeated(span: &TimeSpan, times: u32, seed: u64) -> Vec<TimeSpan> {
    if times == 1 {
        return vec![span.clone()];
    }
    let repetition = |number: u32| TimeSpan {
        name: if span.name.is_empty() {
            format!("repetition {number}")
        } else {
            format!("{}, repetition {number}", span.name)
        },
        generator: Generator::Xoshiro {
            seed: seed.wrapping_add(u64::from(number) - 1),
        },
        ..span.clone()
    };
    (1..=times).map(repetition).collect()
}
