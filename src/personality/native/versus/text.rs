//! The page that `versus` prints: what was compared, the answer, a table for each figure. In 80
//! columns and ASCII, so that it can be pasted anywhere.

use std::ffi::OsStr;

use super::{
    numbers::{interval, ratio, value},
    sentence::{letter, percent, sentence},
};
use crate::{
    report::text::{Form, Page},
    results::{
        Severity,
        compare::{Class, Compared, Comparison, Lack, Measure, Order, Part, Verdict},
        statistics::Estimate,
    },
    units::{
        ByteSize,
        names::shown,
        words::{grouped, plural},
    },
};

/// Columns of a row's name.
const NAME: usize = 36;

/// A sentence, and how much it takes from the figures.
pub type Said = (Severity, String);

/// A comparison, and what is to be said around it.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// A and B as typed.
    pub sides: [&'a str; 2],
    /// What both did, in a line.
    pub load: &'a str,
    /// Sentences above the answer: what kept the comparison from being whole.
    pub above: &'a [Said],
    /// Sentences below the tables.
    pub below: &'a [Said],
    /// The last lines.
    pub notes: &'a [String],
    /// What came out.
    pub comparison: &'a Comparison,
}

impl Told<'_> {
    /// The whole page.
    pub fn text(&self, form: Form) -> String {
        let mut page = Page::new(form);
        for (side, name) in ["A", "B"].iter().zip(self.sides) {
            side_of(&mut page, side, &shown(OsStr::new(name)));
        }
        page.wrapped(&shown(OsStr::new(self.load)));
        self.above.iter().for_each(|said| finding(&mut page, said));
        page.gap();
        page.wrapped(&sentence(self.comparison));
        for measure in [
            Measure::Throughput,
            Measure::Operations,
            Measure::Mean,
            Measure::P99,
        ] {
            self.table(&mut page, measure);
        }
        page.gap();
        self.legend().iter().for_each(|line| page.wrapped(line));
        self.below.iter().for_each(|said| finding(&mut page, said));
        let notes = self.notes.iter();
        notes.for_each(|note| page.wrapped(&shown(OsStr::new(note))));
        page.finish()
    }

    /// All rows of one figure; nothing where none could be compared.
    fn table(&self, page: &mut Page, measure: Measure) {
        let of = |figure: &&Compared| figure.measure == measure;
        let rows: Vec<&Compared> = self.comparison.figures.iter().filter(of).collect();
        if rows.iter().all(|figure| figure.ratio.is_none()) {
            return;
        }
        page.gap();
        page.line(&columns(
            heading(measure),
            ["A", "B", "B/A", "interval", "verdict"],
        ));
        for row in rows {
            line(page, row);
        }
    }

    fn any(&self, wanted: impl Fn(&Compared) -> bool) -> bool {
        self.comparison.figures.iter().any(wanted)
    }

    /// What the words of the tables mean, as far as they are there.
    fn legend(&self) -> Vec<String> {
        let rule = self.comparison.rule;
        let mut lines = Vec::new();
        if self.any(|figure| figure.ratio.is_some()) {
            lines.push(format!(
                "The intervals hold together with {} % confidence. Better: the interval excludes 1 \
                 and the ratio is beyond {} %.",
                percent(1.0 - rule.miss),
                percent(rule.threshold)
            ));
        }
        if self.any(|figure| figure.verdict == Verdict::NotSeen) {
            lines.push(
                "Not seen: a difference may hide in the interval; more --rounds narrow it."
                    .to_owned(),
            );
        }
        lines.extend(self.lacks());
        lines
    }

    /// Why figures are not comparable, each reason once.
    fn lacks(&self) -> Vec<String> {
        let mut lacks: Vec<(&Lack, u64)> = Vec::new();
        for figure in &self.comparison.figures {
            let Verdict::NotComparable(lack) = &figure.verdict else {
                continue;
            };
            match lacks.iter_mut().find(|(known, _)| *known == lack) {
                Some((_, count)) => *count += 1,
                None => lacks.push((lack, 1)),
            }
        }
        let line = |(lack, count): (&Lack, u64)| {
            let figures = plural(count, "figure");
            let why = match lack {
                Lack::Failed { side, message } => {
                    format!("{} failed: {}", letter(*side), shown(OsStr::new(message)))
                }
                Lack::Rounds => "fewer than two pairs of rounds were measured".to_owned(),
                Lack::Operations { needed } => format!(
                    "too few operations in a round, {} are needed; a longer --duration has more",
                    grouped(*needed)
                ),
            };
            format!("Not comparable, {figures}: {why}.")
        };
        lacks.into_iter().map(line).collect()
    }
}

/// A side's letter and name; a name that is wider than the page goes on below itself.
fn side_of(page: &mut Page, letter: &str, name: &str) {
    let letters: Vec<char> = name.chars().collect();
    let room = page.form().width.saturating_sub(letter.len() + 2).max(1);
    page.line(&format!(
        "{letter}  {}",
        letters.iter().take(room).collect::<String>()
    ));
    for rest in letters.chunks(room).skip(1) {
        page.line(&format!("   {}", rest.iter().collect::<String>()));
    }
}

fn finding(page: &mut Page, (severity, text): &Said) {
    page.finding(*severity, &shown(OsStr::new(text)));
}

/// A line of a table: the name, the figures of both sides, their ratio and what it says.
fn columns(name: &str, [a, b, of, interval, verdict]: [&str; 5]) -> String {
    format!("{name:<NAME$}{a:>8}{b:>8}{of:>7} {interval:<11} {verdict}")
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
fn line(page: &mut Page, figure: &Compared) {
    let mut name = name(&figure.part);
    if name.chars().count() >= NAME {
        page.line(&name);
        name.clear();
    }
    let none = || "-".to_owned();
    let side = |of: Option<f64>| of.map_or_else(none, |v| value(figure.measure, v));
    let (of, ends) = match figure.ratio {
        Some(Estimate { mean, low, high }) => (ratio(mean), interval(low, high)),
        None => (none(), none()),
    };
    let verdict = match &figure.verdict {
        Verdict::Better { side, .. } => format!("{} better", letter(*side)),
        Verdict::Equal => "equal".to_owned(),
        Verdict::NotSeen => "not seen".to_owned(),
        Verdict::NotComparable(_) => none(),
    };
    let (a, b) = (side(figure.a), side(figure.b));
    page.line(&columns(&name, [&a, &b, &of, &ends, &verdict]));
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
        _ if part.least < part.block => {
            format!("{order}{deed} {} to {}", size(part.least), size(part.block))
        }
        _ => format!("{order}{deed} {}", size(part.block)),
    };
    if span.is_empty() {
        let in_flight = match part.class {
            Class::Flush => String::new(),
            _ => format!(", {} in flight", grouped(u64::from(part.in_flight))),
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

#[cfg(test)]
mod tests {
    use super::super::testing::{Figure, comparison, part};
    use super::*;
    use crate::results::compare::Side;

    const WIDTH: usize = 80;

    fn page(told: &[Figure], above: &[Said]) -> String {
        Told {
            sides: ["/mnt/old", "/mnt/new"],
            load: "quick, A B B A 3 times, 2 s each, seed 42",
            above,
            below: &[(Severity::Note, "one round was odd".to_owned())],
            notes: &["Kept: nothing.".to_owned()],
            comparison: &comparison(told),
        }
        .text(Form::default())
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
            &[(Severity::Caution, "interrupted".to_owned())],
        );
        // A's figure is 1,000 in each row of the made-up comparison; the interval is the ratio times
        // and over 1.25.
        let expected = "\
A  /mnt/old
B  /mnt/new
quick, A B B A 3 times, 2 s each, seed 42
! caution: interrupted

B answers a commit 6.1 times faster; reads equal within 5 %.

IOPS                                       A       B    B/A interval    verdict
random read 4 KiB, 8 in flight         1,000   1,000   1.00 0.80-1.25   equal

mean latency                               A       B    B/A interval    verdict
random write 4 KiB, 8 in flight      1.00 us  160 ns   0.16 0.13-0.20   B better

The intervals hold together with 99 % confidence. Better: the interval excludes
  1 and the ratio is beyond 5 %.
Not comparable, 1 figure: too few operations in a round, 1,000 are needed; a
  longer --duration has more.
- note: one round was odd
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
        let long = "a caution of many words ".repeat(9);
        let text = page(&told, &[(Severity::Misleading, long)]);
        assert!(text.is_ascii());
        for line in text.lines() {
            assert!(line.len() <= WIDTH, "{line}");
            assert!(!line.contains("NaN") && !line.contains("inf "), "{line}");
        }
        let empty = page(&[], &[]);
        assert!(empty.contains("Nothing could be compared."), "{empty}");
    }

    #[test]
    fn long_sides_go_on_below_themselves() {
        let long = format!("/mnt/{}", "a".repeat(100));
        let told = Told {
            sides: [&long, "/mnt/b"],
            load: "quick",
            above: &[],
            below: &[],
            notes: &[],
            comparison: &comparison(&[]),
        };
        let text = told.text(Form::default());
        let lines: Vec<&str> = text.lines().take(3).collect();
        // 77 of 105 letters fit behind the side's.
        assert_eq!(lines[0], format!("A  /mnt/{}", "a".repeat(72)));
        assert_eq!(lines[1], format!("   {}", "a".repeat(28)));
        assert_eq!(lines[2], "B  /mnt/b");
    }

    #[test]
    fn a_part_is_called_by_what_tells_it_apart() {
        let mut part = part(Class::Write);
        assert_eq!(name(&part), "random write 4 KiB, 8 in flight");
        part.least = 512;
        part.block = 64 << 10;
        let mixed = "random write 512 bytes to 64 KiB, 8 in flight";
        assert_eq!(name(&part), mixed);
        (part.least, part.block) = (4096, 4096);
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
