//! The page that `versus` prints: what was compared, the answer, a table for each figure. In 80
//! columns and ASCII, so that it can be pasted anywhere.

use std::{ffi::OsStr, fmt::Write};

use super::{
    numbers::{grouped, interval, ratio, value},
    sentence::{letter, percent, sentence},
};
use crate::{
    results::{
        compare::{Class, Compared, Comparison, Lack, Measure, Order, Part, Verdict},
        statistics::Estimate,
    },
    units::{ByteSize, names::shown},
};

/// Columns of a page.
const WIDTH: usize = 80;
/// Columns of a row's name.
const NAME: usize = 34;

/// A comparison, and what is to be said around it.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// A as typed.
    pub a: &'a str,
    /// B as typed.
    pub b: &'a str,
    /// What both did, in a line.
    pub load: &'a str,
    /// Sentences above the answer: what kept the comparison from being whole.
    pub cautions: &'a [String],
    /// Sentences below the table.
    pub notes: &'a [String],
    /// What came out.
    pub comparison: &'a Comparison,
}

impl Page<'_> {
    /// The whole page.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (side, name) in [("A", self.a), ("B", self.b)] {
            let _ = writeln!(out, "{side}  {}", shown(OsStr::new(name)));
        }
        paragraph(&mut out, &shown(OsStr::new(self.load)));
        for caution in self.cautions {
            paragraph(&mut out, &shown(OsStr::new(caution)));
        }
        out.push('\n');
        paragraph(&mut out, &sentence(self.comparison));
        let measures = [
            Measure::Throughput,
            Measure::Operations,
            Measure::Mean,
            Measure::P99,
        ];
        for measure in measures {
            self.table(&mut out, measure);
        }
        out.push('\n');
        for note in self.footer() {
            paragraph(&mut out, &note);
        }
        out
    }

    /// All rows of one figure.
    fn table(&self, out: &mut String, measure: Measure) {
        let mut rows = self.figures(|figure| figure.measure == measure).peekable();
        if rows.peek().is_none() {
            return;
        }
        let (a, b, of, interval) = ("A", "B", "B/A", "interval");
        let heading = heading(measure);
        let _ = writeln!(
            out,
            "\n{heading:<NAME$}{a:>9}{b:>9}{of:>7} {interval:<11} verdict"
        );
        for row in rows {
            line(out, row);
        }
    }

    fn figures(&self, wanted: impl Fn(&Compared) -> bool) -> impl Iterator<Item = &Compared> {
        let figures = self.comparison.figures.iter();
        figures.filter(move |figure| wanted(figure))
    }

    /// What the words of the table mean, as far as they are there, and the notes.
    fn footer(&self) -> Vec<String> {
        let rule = self.comparison.rule;
        let mut lines = Vec::new();
        if self
            .figures(|figure| figure.ratio.is_some())
            .next()
            .is_some()
        {
            lines.push(format!(
                "The intervals hold together with {} % confidence. Better: the interval excludes 1 \
                 and the ratio is beyond {} %.",
                percent(1.0 - rule.miss),
                percent(rule.threshold)
            ));
        }
        if self
            .figures(|f| f.verdict == Verdict::NotSeen)
            .next()
            .is_some()
        {
            lines.push(
                "Not seen: a difference may hide in the interval; more --rounds narrow it."
                    .to_owned(),
            );
        }
        lines.extend(self.lacks());
        lines.extend(self.notes.iter().map(|note| shown(OsStr::new(note))));
        lines
    }

    /// Why figures are not comparable, each reason once.
    fn lacks(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for figure in &self.comparison.figures {
            let Verdict::NotComparable(lack) = &figure.verdict else {
                continue;
            };
            let line = match lack {
                Lack::Failed { side, message } => {
                    let message = shown(OsStr::new(message));
                    format!("Not comparable (-): {} failed: {message}", letter(*side))
                }
                Lack::Rounds => "Not comparable (-): fewer than two pairs of rounds were \
                                 measured."
                    .to_owned(),
                Lack::Operations { needed } => format!(
                    "Not comparable (-): {} operations are needed in each round; a longer \
                     --duration has more.",
                    grouped(*needed as f64)
                ),
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}

fn heading(measure: Measure) -> &'static str {
    match measure {
        Measure::Throughput => "MiB/s",
        Measure::Operations => "IOPS",
        Measure::Mean => "mean latency",
        Measure::P99 => "p99 latency",
    }
}

/// One row; a name that is too long has a line of its own.
fn line(out: &mut String, figure: &Compared) {
    let mut name = name(&figure.part);
    if name.chars().count() >= NAME {
        let _ = writeln!(out, "{name}");
        name.clear();
    }
    let side = |of: Option<f64>| of.map_or_else(|| "-".to_owned(), |v| value(figure.measure, v));
    let (a, b) = (side(figure.a), side(figure.b));
    let (of, interval) = match figure.ratio {
        Some(Estimate { mean, low, high }) => (ratio(mean), interval(low, high)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    let verdict = match &figure.verdict {
        Verdict::Better { side, .. } => format!("{} better", letter(*side)),
        Verdict::Equal => "equal".to_owned(),
        Verdict::NotSeen => "not seen".to_owned(),
        Verdict::NotComparable(_) => "-".to_owned(),
    };
    let _ = writeln!(
        out,
        "{name:<NAME$}{a:>9}{b:>9}{of:>7} {interval:<11} {verdict}"
    );
}

/// A part of the load as a row is called.
pub(super) fn name(part: &Part) -> String {
    let span = shown(OsStr::new(&part.span));
    let group = shown(OsStr::new(&part.group));
    if !group.is_empty() {
        return group_name(&span, &group, part.class);
    }
    if part.alone && !span.is_empty() {
        return span;
    }
    let order = match part.order {
        Order::Random => "random ",
        Order::Sequential => "sequential ",
        Order::Other => "",
    };
    let deed = deed(part.class);
    let what = match part.class {
        Class::Flush => deed.to_owned(),
        _ => format!("{order}{deed} {}", size(part.block)),
    };
    if span.is_empty() {
        let in_flight = match part.class {
            Class::Flush => String::new(),
            _ => format!(", {} in flight", grouped(f64::from(part.in_flight))),
        };
        format!("{what}{in_flight}")
    } else {
        format!("{span}: {what}")
    }
}

/// A named group says what it does, but where it does two things.
fn group_name(span: &str, group: &str, class: Class) -> String {
    let deed = deed(class);
    let group = if group.contains(deed) {
        group.to_owned()
    } else {
        format!("{group} {deed}")
    };
    if span.is_empty() {
        group
    } else {
        format!("{span}: {group}")
    }
}

fn deed(class: Class) -> &'static str {
    match class {
        Class::Read => "read",
        Class::Write | Class::Commit => "write",
        Class::Flush => "flush",
    }
}

/// `4 KiB`.
fn size(bytes: u32) -> String {
    let text = ByteSize(u64::from(bytes)).to_string();
    match text.find(|c: char| c.is_alphabetic()) {
        Some(at) => format!("{} {}", &text[..at], &text[at..]),
        None => format!("{text} bytes"),
    }
}

/// Adds text in lines of at most 80 columns; what follows the first is set in under it.
fn paragraph(out: &mut String, text: &str) {
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push_str("\n  ");
            column = 2;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Told, comparison, part};
    use super::*;
    use crate::results::compare::Side;

    fn page(told: &[Told], cautions: &[String]) -> String {
        Page {
            a: "/mnt/old",
            b: "/mnt/new",
            load: "quick, A B B A 3 times, 2 s each, seed 42",
            cautions,
            notes: &["Kept: nothing.".to_owned()],
            comparison: &comparison(told),
        }
        .text()
    }

    #[test]
    fn the_whole_page() {
        let better = Verdict::Better {
            side: Side::B,
            factor: 6.1,
        };
        let lack = Verdict::NotComparable(Lack::Operations { needed: 1000 });
        let text = page(
            &[
                (Class::Read, Measure::Operations, 1.0, Verdict::Equal),
                (Class::Commit, Measure::Mean, 0.16, better),
                (Class::Commit, Measure::P99, 0.0, lack),
            ],
            &[],
        );
        // A's figure is 1,000 in each row of the made-up comparison; the interval is the ratio times
        // and over 1.25.
        let expected = "\
A  /mnt/old
B  /mnt/new
quick, A B B A 3 times, 2 s each, seed 42

B answers a commit 6.1 times faster; reads equal within 5 %.

IOPS                                      A        B    B/A interval    verdict
random read 4 KiB, 8 in flight        1,000    1,000   1.00 0.80-1.25   equal

mean latency                              A        B    B/A interval    verdict
random write 4 KiB, 8 in flight     1.00 us   160 ns   0.16 0.13-0.20   B better

p99 latency                               A        B    B/A interval    verdict
random write 4 KiB, 8 in flight           -        -      - -           -

The intervals hold together with 99 % confidence. Better: the interval excludes
  1 and the ratio is beyond 5 %.
Not comparable (-): 1,000 operations are needed in each round; a longer
  --duration has more.
Kept: nothing.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn extremes_keep_the_columns() {
        let mut told = vec![(Class::Read, Measure::Mean, 1.0, Verdict::NotSeen)];
        for ratio in [1e-9, 0.0123, 0.5, 12.3, 99.94, 12_345.0, 1e12] {
            told.push((Class::Write, Measure::Operations, ratio, Verdict::NotSeen));
        }
        let text = page(
            &told,
            &["a caution of many words ".repeat(9).trim().to_owned()],
        );
        assert!(text.is_ascii());
        for line in text.lines() {
            assert!(line.len() <= WIDTH, "{line}");
            assert!(!line.contains("NaN") && !line.contains("inf "), "{line}");
        }
        let empty = page(&[], &[]);
        assert!(empty.contains("Nothing could be compared."), "{empty}");
    }

    #[test]
    fn a_part_is_called_by_what_tells_it_apart() {
        let mut part = part(Class::Write);
        assert_eq!(name(&part), "random write 4 KiB, 8 in flight");
        part.span = "rate 2000".to_owned();
        assert_eq!(name(&part), "rate 2000: random write 4 KiB");
        part.alone = true;
        assert_eq!(name(&part), "rate 2000");
        part.group = "log write".to_owned();
        assert_eq!(name(&part), "rate 2000: log write");
        part.span = String::new();
        part.class = Class::Flush;
        assert_eq!(name(&part), "log write flush");
        part.group = String::new();
        assert_eq!(name(&part), "flush");
        part.span = "a\nb\x1b[2J".to_owned();
        assert_eq!(name(&part), "a\\nb\\u{1b}[2J");
    }
}
