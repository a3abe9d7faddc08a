//! The answer in a sentence: "B answers a commit 6.1 times faster; reads equal within 5 %."

use std::fmt::Write;

use super::numbers::{ratio, times};
use crate::results::compare::{Class, Compared, Comparison, Measure, Side, Verdict};

/// Which side is better at what, and where they are equal.
pub(super) fn sentence(comparison: &Comparison) -> String {
    let classes: Vec<Summary> = [Class::Read, Class::Write, Class::Commit, Class::Flush]
        .iter()
        .filter_map(|class| Summary::of(*class, comparison))
        .collect();
    if classes.is_empty() {
        return "Nothing could be compared.".to_owned();
    }
    let mut parts = Vec::new();
    for side in [Side::A, Side::B] {
        let deeds: Vec<String> = classes.iter().flat_map(|class| class.deeds(side)).collect();
        if !deeds.is_empty() {
            parts.push(format!("{} {}", letter(side), listed(&deeds)));
        }
    }
    let seen = !parts.is_empty();
    let open: Vec<String> = classes.iter().filter_map(Summary::open).collect();
    if !open.is_empty() {
        parts.push(format!("no difference seen in {}", listed(&open)));
    }
    let equal = classes.iter().filter(|class| class.rest == Rest::Equal);
    let equal: Vec<String> = equal.map(|class| noun(class.class).to_owned()).collect();
    if !equal.is_empty() {
        let percent = percent(comparison.rule.threshold);
        parts.push(format!("{} equal within {percent} %", listed(&equal)));
    }
    let text = parts.join("; ");
    match text.strip_prefix("no difference seen") {
        _ if seen => format!("{text}."),
        Some(rest) => format!("No difference seen{rest}."),
        None => format!("No difference seen: {text}."),
    }
}

/// A threshold in percent, with as many digits as it has.
pub(super) fn percent(threshold: f64) -> String {
    let text = format!("{:.2}", threshold * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A side as it is called.
pub(super) fn letter(side: Side) -> char {
    match side {
        Side::A => 'A',
        Side::B => 'B',
    }
}

/// All that was compared of one class of operations.
struct Summary<'a> {
    class: Class,
    /// Figures of speed: throughput, rate or mean latency.
    speed: Vec<&'a Compared>,
    /// Slow operations.
    slow: Vec<&'a Compared>,
    rest: Rest,
}

/// What is to be said where no side is faster.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rest {
    Nothing,
    Equal,
    NotSeen { low: f64, high: f64 },
}

impl<'a> Summary<'a> {
    /// `None` without a figure of that class.
    fn of(class: Class, comparison: &'a Comparison) -> Option<Self> {
        let (slow, speed): (Vec<_>, Vec<_>) = comparison
            .figures
            .iter()
            .filter(|figure| figure.part.class == class && figure.ratio.is_some())
            .partition(|figure| figure.measure == Measure::P99);
        if speed.is_empty() && slow.is_empty() {
            return None;
        }
        let rest = Rest::of(if speed.is_empty() { &slow } else { &speed });
        Some(Self {
            class,
            speed,
            slow,
            rest,
        })
    }

    /// Where nothing was seen, and how large a difference could still hide.
    fn open(&self) -> Option<String> {
        let Rest::NotSeen { low, high } = self.rest else {
            return None;
        };
        let (low, high) = (ratio(low), ratio(high));
        Some(format!("{} (interval {low} to {high})", noun(self.class)))
    }

    /// What a side does better.
    fn deeds(&self, side: Side) -> Vec<String> {
        let verb = match self.class {
            Class::Read => "reads",
            Class::Write => "writes",
            Class::Commit => "answers a commit",
            Class::Flush => "flushes",
        };
        let slowest = format!("has its slowest {} (p99)", noun(self.class));
        let faster = better(&self.speed, side);
        let deed = |all: &[&Compared], factors: &[f64], verb: &str| {
            let (least, most) = (factors.first()?, factors.last()?);
            let mut text = format!("{verb} {} faster", times(*least, *most));
            if factors.len() < all.len() {
                let _ = write!(text, " in {} of {} figures", factors.len(), all.len());
            }
            Some(text)
        };
        match deed(&self.speed, &faster, verb) {
            Some(text) => vec![text],
            None => deed(&self.slow, &better(&self.slow, side), &slowest)
                .into_iter()
                .collect(),
        }
    }
}

/// How many times a side is better where it is, ascending.
fn better(figures: &[&Compared], wanted: Side) -> Vec<f64> {
    let mut factors: Vec<f64> = figures
        .iter()
        .filter_map(|figure| match figure.verdict {
            Verdict::Better { side, factor } if side == wanted => Some(factor),
            _ => None,
        })
        .collect();
    factors.sort_by(f64::total_cmp);
    factors
}

impl Rest {
    fn of(figures: &[&Compared]) -> Self {
        let differs = |figure: &&&Compared| matches!(figure.verdict, Verdict::Better { .. });
        if figures.iter().any(|figure| differs(&figure)) {
            return Self::Nothing;
        }
        let open = figures.iter().filter(|f| f.verdict == Verdict::NotSeen);
        let ratios = open.filter_map(|figure| figure.ratio);
        let ends = ratios.map(|ratio| (ratio.low, ratio.high));
        match ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
            Some((low, high)) => Self::NotSeen { low, high },
            None => Self::Equal,
        }
    }
}

fn noun(class: Class) -> &'static str {
    match class {
        Class::Read => "reads",
        Class::Write => "writes",
        Class::Commit => "commits",
        Class::Flush => "flushes",
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Figure, comparison};
    use super::*;

    fn said(told: &[Figure]) -> String {
        sentence(&comparison(told))
    }

    const BETTER_B: fn(f64) -> Verdict = |factor| Verdict::Better {
        side: Side::B,
        factor,
    };
    const BETTER_A: fn(f64) -> Verdict = |factor| Verdict::Better {
        side: Side::A,
        factor,
    };

    #[test]
    fn the_answer_names_who_is_better_at_what() {
        use Class::{Commit, Read, Write};
        use Measure::{Mean, Operations, P99, Throughput};
        let cases: &[(&[Figure], &str)] = &[
            (
                &[
                    (Commit, Mean, 0.164, BETTER_B(6.1)),
                    (Commit, P99, 0.1, BETTER_B(10.0)),
                    (Read, Operations, 1.0, Verdict::Equal),
                ],
                "B answers a commit 6.1 times faster; reads equal within 5 %.",
            ),
            (
                &[
                    (Read, Throughput, 0.34, BETTER_A(2.94)),
                    (Read, Operations, 0.33, BETTER_A(3.03)),
                    (Write, Throughput, 0.33, BETTER_A(3.0)),
                    (Commit, Mean, 1.0, Verdict::NotSeen),
                ],
                "A reads 3.0 times faster and writes 3.0 times faster; no difference seen in commits \
                 (interval 0.80 to 1.25).",
            ),
            (
                &[
                    (Read, Throughput, 1.4, BETTER_B(1.4)),
                    (Read, Operations, 1.0, Verdict::Equal),
                    (Write, Operations, 0.5, BETTER_A(2.0)),
                ],
                "A writes 2.0 times faster; B reads 40 % faster in 1 of 2 figures.",
            ),
            (
                &[
                    (Read, Operations, 1.0, Verdict::Equal),
                    (Read, P99, 0.625, BETTER_B(1.6)),
                ],
                "B has its slowest reads (p99) 60 % faster; reads equal within 5 %.",
            ),
            (
                &[
                    (Read, Mean, 1.0, Verdict::Equal),
                    (Write, Mean, 1.0, Verdict::Equal),
                ],
                "No difference seen: reads and writes equal within 5 %.",
            ),
            (
                &[
                    (Read, Mean, 1.0, Verdict::NotSeen),
                    (Write, Mean, 1.0, Verdict::Equal),
                ],
                "No difference seen in reads (interval 0.80 to 1.25); writes equal within 5 %.",
            ),
            (&[], "Nothing could be compared."),
        ];
        for (told, expected) in cases {
            assert_eq!(said(told), *expected);
        }
    }

    #[test]
    fn a_threshold_keeps_its_digits() {
        assert_eq!(percent(0.05), "5");
        assert_eq!(percent(0.025), "2.5");
        assert_eq!(percent(1.0), "100");
    }
}
