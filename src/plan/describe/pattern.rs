//! Orders and distributions of offsets in words.

use super::sheet::{plural, size};
use crate::plan::{AccessPattern, Distribution, Ranks, Share, Skew};

pub(super) fn pattern(pattern: &AccessPattern) -> String {
    let from = |worker_offset: u64| match worker_offset {
        0 => "from the beginning".to_owned(),
        offset => format!(
            "each thread starting {} behind the one before",
            size(offset)
        ),
    };
    match pattern {
        AccessPattern::Sequential {
            stride,
            worker_offset,
        } => format!(
            "sequential, every {}, {}",
            size(*stride),
            from(*worker_offset)
        ),
        AccessPattern::Interlocked { stride } => format!(
            "sequential, every {}, all threads taking their next place from one shared counter",
            size(*stride)
        ),
        AccessPattern::Parallel {
            stride,
            worker_offset,
        } => format!(
            "sequential, every {}, {}, each outstanding I/O walking the whole range on its own",
            size(*stride),
            from(*worker_offset)
        ),
        AccessPattern::Random { alignment, .. } => {
            format!("random, at multiples of {}", size(*alignment))
        }
        AccessPattern::Mixed {
            alignment,
            random_percent,
            ..
        } => format!(
            "{random_percent} % random, at multiples of {}; the others follow the one before",
            size(*alignment)
        ),
        AccessPattern::Shuffled { alignment } => format!(
            "each multiple of {} once, in a random order that the threads share out; then all again \
             in another order",
            size(*alignment)
        ),
        AccessPattern::Regions { alignment } => format!(
            "sequential, each thread in its own equal part of the range, cut at multiples of {}",
            size(*alignment)
        ),
        AccessPattern::Grid {
            rows,
            columns,
            again,
        } => grid(*rows, *columns, *again),
        AccessPattern::Append => {
            "appended at one end shared by all threads; starts again when the range is full"
                .to_owned()
        }
    }
}

fn grid(rows: u64, columns: u64, again: bool) -> String {
    let part = if again {
        "only the first column of its equal part, again and again"
    } else {
        "the columns of its own equal part one after the other, then again"
    };
    format!(
        "a grid of {} of {}: each thread goes down {part}",
        plural(rows, "row"),
        plural(columns, "block"),
    )
}

pub(super) fn distribution(pattern: &AccessPattern) -> Option<String> {
    let (AccessPattern::Random { distribution, .. } | AccessPattern::Mixed { distribution, .. }) =
        pattern
    else {
        return None;
    };
    let (shares, to_text): (_, fn(&Share) -> String) = match distribution {
        Distribution::Uniform => return None,
        Distribution::Ranked { skew, ranks } => return Some(ranked(*skew, *ranks)),
        Distribution::Normal {
            deviation_percent,
            centre_percent,
        } => {
            return Some(format!(
                "by the normal distribution around {centre_percent} % of the range, standard \
                 deviation {deviation_percent} % of it"
            ));
        }
        Distribution::Percent(shares) => (shares, |share| {
            format!(
                "{} to {} %",
                share.from,
                share.from.saturating_add(share.length)
            )
        }),
        Distribution::Absolute(shares) => (shares, |share| match share.length {
            0 => format!("{} to the end", size(share.from)),
            length => {
                format!(
                    "{} to {}",
                    size(share.from),
                    size(share.from.saturating_add(length))
                )
            }
        }),
    };
    let parts: Vec<String> = shares
        .iter()
        .map(|share| format!("{} % of the I/Os at {}", share.io_percent, to_text(share)))
        .collect();
    Some(parts.join(", "))
}

fn ranked(skew: Skew, ranks: Ranks) -> String {
    let law = match skew {
        Skew::Zipf(exponent) => {
            format!("the position of rank r in proportion to 1 / r^{exponent} (Zipf's law)")
        }
        Skew::Pareto(h) => {
            let most = |share: f64| format!("{} %", (share * 1e6).round() / 1e4);
            format!(
                "{} of the I/Os at {} of the positions, and so on inside of these (Pareto's rule)",
                most(h.max(1.0 - h)),
                most(h.min(1.0 - h))
            )
        }
    };
    match ranks {
        Ranks::Scattered => format!("{law}; ranks are scattered over the range"),
        Ranks::ScatteredFrom(percent) => format!(
            "{law}; ranks are scattered over the range, the first of them at {percent} % of it"
        ),
        Ranks::InOrder => format!("{law}; ranks lie in order from the start of the range"),
    }
}
