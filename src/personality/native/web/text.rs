//! What `web` prints at the end: what was visited, the answer in sentences, a table of steps, what a
//! reader must know.

use std::io::{self, Write};

use super::{
    asked::{Asked, Crowd},
    site::Site,
    steps, words,
};
use crate::{
    personality::Environment,
    plan::{Cached, Popularity, TimeSpan},
    report::{
        Renderer,
        spoken::significant,
        text::{Form, Page},
    },
    results::{
        EndReason, Outcome, Results, Severity, SpanResult, VisitFigures, failed_alike, knee,
    },
    units::{
        names::shown,
        time,
        words::{grouped, plural, size},
    },
};

/// Findings of the run at most, the worst first.
const FINDINGS: usize = 3;

/// The report of a line of `web`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    /// What was visited, and how.
    heading: String,
    /// Of all files, so far as they were listed.
    bytes: u64,
    /// Of the machine.
    memory: u64,
    cached: Cached,
    crowd: Crowd,
    left_out: Vec<String>,
    /// What became of files that were made.
    kept: Option<String>,
    keeps: bool,
    form: Form,
}

impl Report {
    pub(super) fn new(asked: &Asked, site: &Site, around: &Environment) -> Self {
        let folder = shown(asked.folder.as_os_str());
        let popularity = match asked.popularity {
            Popularity::Uniform => "each asked for alike often".to_owned(),
            Popularity::Zipf(exponent) => format!("asked for by Zipf's law ({exponent})"),
        };
        let cache = match site.cached {
            Cached::AsItIs => "page cache as it is",
            Cached::Filled => "warm (each was read once before)",
            Cached::Dropped => "cold (each is dropped from the page cache first)",
        };
        let each = match asked.crowd {
            Crowd::Fixed(_) => "",
            Crowd::Growing => " a step",
        };
        let heading = format!(
            "{folder}: {}, {} in all, {popularity}; {cache}; {}{each}, measured after {} of warm-up; seed {}",
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
            memory: around.machine.memory,
            cached: site.cached,
            crowd: asked.crowd,
            left_out: [&site.left_out[..], &asked.notes].concat(),
            kept,
            keeps: asked.make.is_some_and(|make| make.keep),
            form: around.form,
        }
    }

    /// What a figure may be misunderstood without.
    fn notes(&self) -> Vec<(Severity, String)> {
        let (bytes, memory) = (size(self.bytes), size(self.memory));
        let mut notes = match self.cached {
            Cached::Filled => vec![(
                Severity::Note,
                format!(
                    "these files fit into memory ({bytes} of {memory}): this is the speed of the \
                     page cache; --cold asks the disk each time"
                ),
            )],
            Cached::Dropped => vec![(
                Severity::Note,
                "names and sizes of files stay in memory: only their content is read anew".into(),
            )],
            Cached::AsItIs if self.crowd == Crowd::Growing => vec![(
                Severity::Caution,
                format!(
                    "what one step read from the disk ({bytes} in all, {memory} of memory) the next \
                     may find in the page cache: only steps with --cold compare"
                ),
            )],
            Cached::AsItIs => Vec::new(),
        };
        if self.cached == Cached::Filled && self.bytes >= self.memory {
            let text = format!(
                "these files do not fit into memory ({bytes}, {memory} of memory): some come from \
                 the page cache, others from the disk"
            );
            notes = vec![(Severity::Caution, text)];
        }
        let left_out = self.left_out.iter().cloned();
        notes.extend(left_out.map(|text| (Severity::Note, text)));
        notes
    }
}

impl Renderer for Report {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        if refused(results) {
            return Ok(());
        }
        let mut page = Page::new(self.form);
        let figures = steps::figures(results);
        for line in ends(results) {
            page.wrapped(&line);
        }
        page.wrapped(&self.heading);
        if let Some(place) = place(results) {
            page.wrapped(&place);
        }
        if let Some(first) = figures.first() {
            page.gap();
            page.wrapped(&words::at_a_time(first));
            if let Some(text) = knee(&figures).and_then(|knee| words::enough(&knee)) {
                page.wrapped(&text);
            }
            page.gap();
            table(&mut page, &figures);
        }
        page.gap();
        for line in failed(results) {
            page.wrapped(&line);
        }
        let mut findings = results.findings.clone();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        for finding in findings.iter().take(FINDINGS) {
            page.finding(finding.severity, &finding.message);
        }
        if !figures.is_empty() {
            for (severity, text) in self.notes() {
                page.finding(severity, &text);
            }
        }
        match &self.kept {
            Some(kept) if results.ended.is_none() => page.wrapped(kept),
            Some(_) if !self.keeps => page.wrapped("files made for this are removed"),
            _ => {}
        }
        out.write_all(page.finish().as_bytes())
    }
}

/// True if it ended before anything was made or read: then the error says it all.
fn refused(results: &Results) -> bool {
    let idle = |span: &SpanResult| matches!(span.outcome, Outcome::NotMeasured(EndReason::Failed));
    results.prepared.bytes == 0 && results.ended.is_some() && results.spans.iter().all(idle)
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
            EndReason::Failed | EndReason::Fuse(_) | EndReason::LeftBehind => "failed",
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
            let why = alike.reason;
            let why = why.unwrap_or_else(|| "cut while it was read".into());
            lines.push(format!("{}: {files} could not be read: {why}", span.name));
        }
    }
    if results.ended == Some(EndReason::Failed) && !lines.is_empty() {
        lines.push("--on-error continue counts such files and goes on".to_owned());
    }
    lines
}

/// The filesystem and the device that the files are on.
fn place(results: &Results) -> Option<String> {
    let target = results.spans.iter().find_map(|span| span.targets.first())?;
    let filesystem = target.filesystem.as_ref()?;
    Some(format!("on {} ({})", filesystem.kind, filesystem.source))
}

fn table(page: &mut Page, figures: &[VisitFigures]) {
    let mut row = |cells: [String; 7]| {
        let [visitors, cells @ ..] = cells;
        let cells = cells.map(|cell| format!("{cell:>11}")).concat();
        page.line(&format!("{visitors:>8}{cells}"));
    };
    row([
        "visitors", "files/s", "MiB/s", "mean ms", "open ms", "p99 ms", "max ms",
    ]
    .map(str::to_owned));
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
        ]);
    }
}
