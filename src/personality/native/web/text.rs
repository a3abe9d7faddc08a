//! What `web` prints at the end: what was visited, the answer in sentences, a table of steps, what a
//! reader must know. Plain text of at most 80 columns.

use std::io::{self, Write};

use super::{
    asked::{Asked, Crowd},
    site::Site,
    steps, words,
};
use crate::{
    plan::{Popularity, TimeSpan},
    report::{Renderer, spoken::significant},
    results::{
        EndReason, Outcome, Results, Severity, SpanResult, VisitFigures, failed_alike, knee,
    },
    units::{
        names::{escaped, shown},
        time,
        words::{grouped, plural, size},
    },
};

/// Columns of a line.
const WIDTH: usize = 80;

/// The report of a line of `web`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    /// What was visited, and how.
    heading: String,
    /// Of all files, so far as they were listed.
    bytes: u64,
    /// Of the machine.
    memory: u64,
    cold: bool,
    left_out: Vec<String>,
    /// What became of files that were made.
    kept: Option<String>,
}

impl Report {
    pub(super) fn new(asked: &Asked, site: &Site, memory: u64) -> Self {
        let folder = shown(asked.folder.as_os_str());
        let popularity = match asked.popularity {
            Popularity::Uniform => "each asked for alike often".to_owned(),
            Popularity::Zipf(exponent) => format!("asked for by Zipf's law ({exponent})"),
        };
        let cache = if asked.cold {
            "cold (each file is dropped from the page cache first)"
        } else {
            "warm (the page cache as it is)"
        };
        let each = match asked.crowd {
            Crowd::Fixed(_) => "",
            Crowd::Growing => " a step",
        };
        let heading = format!(
            "{folder}: {}, {} in all, {popularity}; {cache}; {}{each} after {} of warm-up; seed {}",
            plural(site.files.len() as u64, "file"),
            size(site.bytes),
            time::words(asked.duration),
            time::words(asked.warmup),
            asked.seed
        );
        let kept = asked.make.map(|make| {
            let files = plural(make.count, "file");
            if make.keep {
                format!("{files} made and kept: iogauge web {folder} reads them again")
            } else {
                format!("{files} made for this and removed")
            }
        });
        Self {
            heading,
            bytes: site.bytes,
            memory,
            cold: asked.cold,
            left_out: site.left_out.clone(),
            kept,
        }
    }

    /// What the reader must know before the figures.
    fn ends(results: &Results) -> Vec<String> {
        let spans = results.plan.spans().zip(&results.spans);
        let told = |(span, result): (&TimeSpan, &SpanResult)| {
            let (reason, measured) = match result.outcome {
                Outcome::Finished => return None,
                Outcome::EndedEarly(reason) => (reason, true),
                Outcome::NotMeasured(reason) => (reason, false),
            };
            let why = match reason {
                EndReason::Interrupted => "interrupted",
                EndReason::Failed | EndReason::LeftBehind => "failed",
            };
            let when = if measured {
                let seconds = result.measured.as_secs_f64();
                format!("after {seconds:.1} s; the figures cover these")
            } else {
                "before it was measured".to_owned()
            };
            Some(format!("!! the step with {} {why} {when}", span.name))
        };
        spans.filter_map(told).collect()
    }

    /// Files that could not be read, by reason.
    fn failed(results: &Results) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, span) in results.plan.spans().enumerate() {
            for alike in failed_alike(&results.rows(index)) {
                let files = plural(alike.count, "file");
                let why = alike
                    .reason
                    .unwrap_or_else(|| "cut while it was read".into());
                lines.push(format!("{}: {files} could not be read: {why}", span.name));
            }
        }
        let ended = results.ended == Some(EndReason::Failed);
        if ended && !lines.is_empty() {
            let hint = "--on-error continue counts such files and goes on";
            lines.push(hint.to_owned());
        }
        lines
    }

    /// What a figure may be misunderstood without.
    fn notes(&self, results: &Results) -> Vec<String> {
        let mut notes = Vec::new();
        let measured = results.spans.iter().any(SpanResult::has_figures);
        if measured && !self.cold && self.memory > 0 && self.bytes < self.memory {
            notes.push(format!(
                "these files fit into memory ({} of {}): what was read once comes from the page \
                 cache; --cold asks the disk each time",
                size(self.bytes),
                size(self.memory)
            ));
        }
        if measured && self.cold {
            let text = "names and sizes of files stay in memory: only their content is read anew";
            notes.push(text.to_owned());
        }
        let sign = |severity| match severity {
            Severity::Misleading => "!! misleading: ",
            Severity::Caution => "! caution: ",
            Severity::Note => "- note: ",
        };
        let found = results.findings.iter();
        let mut lines: Vec<String> = found
            .map(|finding| format!("{}{}", sign(finding.severity), finding.message))
            .collect();
        notes.extend(self.left_out.iter().cloned());
        lines.extend(notes.into_iter().map(|note| format!("- note: {note}")));
        lines.extend(self.kept.clone());
        lines
    }
}

impl Renderer for Report {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let figures = steps::figures(results);
        for line in Self::ends(results) {
            wrapped(out, &line)?;
        }
        wrapped(out, &self.heading)?;
        if let Some(place) = place(results) {
            wrapped(out, &place)?;
        }
        if let Some(first) = figures.first() {
            writeln!(out)?;
            wrapped(out, &words::at_a_time(first))?;
            if let Some(text) = knee(&figures).and_then(|knee| words::enough(&knee)) {
                wrapped(out, &text)?;
            }
            writeln!(out)?;
            table(out, &figures)?;
        }
        let lines = [Self::failed(results), self.notes(results)].concat();
        if !lines.is_empty() {
            writeln!(out)?;
        }
        lines.iter().try_for_each(|line| wrapped(out, line))
    }
}

/// The filesystem and the device that the files are on.
fn place(results: &Results) -> Option<String> {
    let target = results.spans.iter().find_map(|span| span.targets.first())?;
    let filesystem = target.filesystem.as_ref()?;
    Some(format!("on {} ({})", filesystem.kind, filesystem.source))
}

fn table(out: &mut dyn Write, figures: &[VisitFigures]) -> io::Result<()> {
    let mut row = |cells: [String; 7]| {
        let [visitors, cells @ ..] = cells;
        write!(out, "{visitors:>8}")?;
        cells
            .iter()
            .try_for_each(|cell| write!(out, "{cell:>11}"))?;
        writeln!(out)
    };
    row([
        "visitors", "files/s", "MiB/s", "mean ms", "open ms", "p99 ms", "max ms",
    ]
    .map(str::to_owned))?;
    let ms = |ms: Option<f64>| ms.map_or("-".to_owned(), |ms| significant(ms, 3));
    for step in figures {
        row([
            grouped(step.visitors.into()),
            significant(step.rates.per_second, 3),
            significant(step.rates.mib_per_second, 3),
            ms(step.mean_ms),
            ms(step.open_ms),
            ms(step.p99_ms),
            ms(step.max_ms),
        ])?;
    }
    Ok(())
}

/// A text as lines of at most 80 columns, those that follow set in; a word is never cut, and a unit
/// stays with its number.
fn wrapped(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let text = escaped(text);
    let mut line = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        if word.ends_with(|last: char| last.is_ascii_digit())
            && let Some(unit) = words.next_if(|next| is_unit(next))
        {
            word.push(' ');
            word.push_str(unit);
        }
        let wide = line.chars().count() + 1 + word.chars().count() > WIDTH;
        if wide && !line.trim().is_empty() {
            writeln!(out, "{line}")?;
            line.clear();
            line.push(' ');
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    writeln!(out, "{line}")
}

/// True for a unit, with what may stand behind one.
fn is_unit(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', '.', ')', ':']);
    matches!(word, "ms" | "s" | "bytes" | "KiB" | "MiB" | "GiB" | "TiB")
}
