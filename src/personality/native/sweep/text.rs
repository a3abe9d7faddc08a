//! What `sweep` prints at the end: what was varied, the answer in sentences, a table with its curve,
//! what a reader must know.

use std::io::{self, Write};

use super::{
    super::{
        planning::Planned,
        text::{
            findings::{self, Spoiled},
            head, load, table as failures,
        },
    },
    asked::Asked,
    axis::{Axis, Varied},
    limit, measured,
    measured::Point,
    table::{self, Mark},
    words,
};
use crate::{
    plan::TimeSpan,
    report::{
        Renderer,
        text::{Form, Page, span_of_time},
    },
    results::{EndReason, Failure, Outcome, Results, Severity, failed_alike},
    units::words::plural,
};

/// Failures that are told.
const FAILURES: usize = 2;

/// The report of a line of `sweep`.
#[derive(Debug, Clone)]
pub(super) struct Report {
    asked: Asked,
    /// The workload's name, where it has one.
    profile: Option<String>,
    notes: Vec<String>,
    form: Form,
}

impl Report {
    pub(super) fn new(asked: Asked, planned: &Planned, form: Form) -> Self {
        Self {
            asked,
            profile: planned.resolved.as_ref().map(|known| known.name.clone()),
            notes: planned.notes.clone(),
            form,
        }
    }
}

impl Renderer for Report {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let mut page = Page::new(self.form);
        let points = measured::points(results, &self.asked);
        ends(&mut page, results, &points);
        let first = points.first().and_then(|point| point.spans.first());
        if let Some(first) = first {
            let spoiled = findings::misleading(&mut page, results);
            page.gap();
            self.head(&mut page, results, *first);
            page.gap();
            match self.asked.axes.as_slice() {
                [axis] => self.line(&mut page, results, axis, &points, spoiled),
                [columns, rows] => self.grid(&mut page, results, (columns, rows), &points),
                _ => {}
            }
            failed(&mut page, results, &points);
            findings::others(&mut page, results);
            page.gap();
            for note in &self.notes {
                page.wrapped(note);
            }
        }
        out.write_all(page.finish().as_bytes())
    }
}

impl Report {
    /// What was varied, what stayed, on what.
    fn head(&self, page: &mut Page, results: &Results, index: usize) {
        let (Some(span), Some(planned)) = (results.spans.get(index), results.planned(index)) else {
            return;
        };
        let profile = self.profile.as_ref();
        let profile = profile.map_or(String::new(), |name| format!("{name}: "));
        let axes: Vec<String> = self.asked.axes.iter().map(Axis::range).collect();
        let axes = axes.join(" x ");
        let kinds = load::kinds(&planned.groups);
        let sized = self
            .asked
            .axes
            .iter()
            .all(|axis| axis.what != Varied::Block);
        let kinds = if sized {
            kinds.as_str()
        } else {
            // The size of the first point is not that of all.
            kinds.split(" of ").next().unwrap_or(&kinds)
        };
        let fixed = self.fixed(planned);
        let each = span_of_time(span.measured);
        let warmup = if planned.warmup.is_zero() {
            String::new()
        } else {
            format!(" after {} of warm-up", span_of_time(planned.warmup))
        };
        let text = format!("{profile}{kinds}, {axes}{fixed}; {each} a point{warmup}");
        page.wrapped(&text);
        page.wrapped(&head::place(span, Some(planned)));
    }

    /// Depth and threads of a load of one group, where they are not varied.
    fn fixed(&self, planned: &TimeSpan) -> String {
        let [group] = planned.groups.as_slice() else {
            return String::new();
        };
        let varied = |what| self.asked.axes.iter().any(|axis| axis.what == what);
        let depth = format!("{} in flight", group.slots());
        let threads = plural(group.workers.into(), "thread");
        match (varied(Varied::Depth), varied(Varied::Threads)) {
            (true, true) => String::new(),
            (true, false) => format!(", {threads}"),
            (false, true) => format!(", {depth} in each"),
            (false, false) => format!(", {depth} x {threads}"),
        }
    }

    fn line(
        &self,
        page: &mut Page,
        results: &Results,
        axis: &Axis,
        points: &[Point],
        spoiled: Spoiled,
    ) {
        let mut marks = Vec::new();
        let said = if self.asked.limits.is_empty() {
            limit::Said::default()
        } else {
            limit::said(results, &self.asked, axis, points)
        };
        for line in said.lines {
            page.wrapped(&line);
        }
        if let Some(row) = points
            .iter()
            .position(|point| Some(point.load()) == said.load)
        {
            marks.push(Mark { row, word: "limit" });
        }
        if let Some(text) = words::answer(axis, points) {
            page.wrapped(&text);
        }
        if let Some(knee) = measured::knee(points, axis.what).filter(|k| k.at + 1 < points.len()) {
            let row = knee.at;
            marks.push(Mark { row, word: "knee" });
        }
        page.gap();
        let spoiled = spoiled == Spoiled::Yes;
        table::rows(page, results, &self.asked, axis, points, &marks, spoiled);
        if let Some(text) = words::not_reached(results, axis, points) {
            page.wrapped(&text);
        }
        if let Some(text) = words::drift(results, axis, points) {
            page.gap();
            page.finding(Severity::Caution, &text);
        }
    }

    fn grid(&self, page: &mut Page, results: &Results, axes: (&Axis, &Axis), points: &[Point]) {
        if !self.asked.limits.is_empty()
            && let Some(text) = limit::of_grid(results, &self.asked, points)
        {
            page.wrapped(&text);
            page.gap();
        }
        table::grid(page, results, &self.asked, axes, points);
        for text in words::rows(axes.0, axes.1, points) {
            page.wrapped(&text);
        }
    }
}

/// Operations that are in no figure, of all points.
fn failed(page: &mut Page, results: &Results, points: &[Point]) {
    let spans = points.iter().flat_map(|point| &point.spans);
    let rows: Vec<_> = spans.flat_map(|span| results.rows(*span)).collect();
    failures::failed(page, &failed_alike(&rows));
}

/// How the run ended, where it did not end as planned.
fn ends(page: &mut Page, results: &Results, points: &[Point]) {
    let failures: Vec<&Failure> = results
        .spans
        .iter()
        .flat_map(|span| &span.failures)
        .chain(&results.failures)
        .collect();
    // That is a message for standard error alone.
    if points.is_empty() && !failures.is_empty() {
        return;
    }
    let spans = || results.plan.spans().zip(&results.spans);
    let cut = spans().find(|(_, span)| span.outcome != Outcome::Finished);
    let reason = results
        .ended
        .or(cut.and_then(|(_, span)| match span.outcome {
            Outcome::Finished => None,
            Outcome::EndedEarly(reason) | Outcome::NotMeasured(reason) => Some(reason),
        }));
    let Some(reason) = reason else {
        return;
    };
    let word = match reason {
        EndReason::Interrupted => "INTERRUPTED".to_owned(),
        EndReason::Failed => "FAILED".to_owned(),
        EndReason::Fuse(blown) => format!("ENDED EARLY by {}", blown.condition),
        EndReason::LeftBehind => "ENDED WITH THREADS LEFT BEHIND".to_owned(),
    };
    let whole = spans()
        .filter(|(_, span)| span.outcome == Outcome::Finished)
        .count();
    let at = cut.map_or(String::new(), |(planned, _)| {
        format!(" at {}", planned.name)
    });
    page.wrapped(&match whole {
        0 => format!("{word}{at}: no point was finished."),
        whole => format!(
            "{word}{at}: what follows is of the {} before it.",
            plural(whole as u64, "measurement")
        ),
    });
    for failure in failures.iter().take(FAILURES) {
        page.wrapped(&format!("  {}", failure.message));
    }
}
