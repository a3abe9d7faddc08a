//! What `run` and `quick` print at the end: one screen that explains itself when it is pasted.
//!
//! Worst things first: how the run ended, findings that spoil the figures, what was measured on
//! what, the answer in a sentence, the table, the course over time, what else was seen, and notes.

mod answer;
mod corners;
mod course;
mod ending;
mod filled;
pub(super) mod findings;
pub(super) mod head;
pub(super) mod load;
mod repeats;
pub(super) mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod verification;

use std::{ffi::OsStr, io};

use crate::{
    profiles::Resolved,
    report::{
        Renderer,
        text::{Form, Page},
    },
    results::{Results, SpanResult},
    units::names::shown,
};

/// What a report looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A row for each group of workers and kind of operation.
    Rows,
    /// A row for each time span: a disk's corners.
    Corners,
    /// A target that was filled.
    Filled,
}

/// The report of `run` and `quick` for standard output.
#[derive(Debug, Clone)]
pub struct Report {
    /// The workload, where it has a name.
    pub resolved: Option<Box<Resolved>>,
    /// `--db-size`: bytes of the database that a scan or backup stands for.
    pub db_size: Option<u64>,
    /// What it looks like.
    pub shape: Shape,
    /// What else is to be said, a sentence each: files kept or removed, the seed.
    pub notes: Vec<String>,
    /// Width, characters, colours.
    pub form: Form,
}

impl Renderer for Report {
    fn render(&self, results: &Results, out: &mut dyn io::Write) -> io::Result<()> {
        let mut page = Page::new(self.form);
        ending::write(&mut page, results);
        verification::bad(&mut page, results);
        if !results.spans.iter().any(SpanResult::has_figures) {
            return out.write_all(page.finish().as_bytes());
        }
        let spoiled = findings::misleading(&mut page, results);
        match self.shape {
            Shape::Rows => self.rows(&mut page, results, spoiled),
            Shape::Filled => self.one(&mut page, results, 0, &filled::lines(results, 0), spoiled),
            Shape::Corners => corners::write(&mut page, results, spoiled),
        }
        findings::others(&mut page, results);
        verification::done(&mut page, results);
        self.end(&mut page);
        out.write_all(page.finish().as_bytes())
    }
}

/// A name of somebody's plan, in one line.
fn named(name: &str) -> String {
    shown(OsStr::new(name))
}

impl Report {
    /// What else is to be said. Assumptions of a workload have a page of their own, which is named.
    fn end(&self, page: &mut Page) {
        page.gap();
        let known = self.resolved.as_deref();
        let assumed = known.map_or(&[][..], |resolved| &resolved.notes);
        for note in self.notes.iter().filter(|note| !assumed.contains(note)) {
            page.wrapped(note);
        }
        if let Some(resolved) = known {
            let name = &resolved.name;
            page.wrapped(&format!(
                "Assumptions, sources, marks: iogauge profiles {name}"
            ));
        }
    }

    /// A part for each time span, or for those together that repeat each other; of rates that were
    /// searched only the one that was found.
    fn rows(&self, page: &mut Page, results: &Results, spoiled: findings::Spoiled) {
        if let Some(search) = answer::Search::of(results, self.resolved.as_deref()) {
            let lines = [search.sentence(results)];
            return self.one(page, results, search.index(), &lines, spoiled);
        }
        for part in results.repeated() {
            match part.spans[..] {
                [index] => {
                    let lines = answer::of(self, results, index);
                    self.one(page, results, index, &lines, spoiled);
                    repeats::left_out(page, results, &part);
                }
                _ => repeats::write(page, results, &part, self.resolved.as_deref(), spoiled),
            }
        }
    }

    /// What a time span was, the answer, its table, its course.
    fn one(
        &self,
        page: &mut Page,
        results: &Results,
        index: usize,
        answer: &[String],
        spoiled: findings::Spoiled,
    ) {
        let name = results.planned(index).map_or("", |planned| &planned.name);
        page.gap();
        head::write(page, results, index, name, self.resolved.as_deref());
        page.gap();
        for line in answer {
            page.wrapped(line);
        }
        if let Some(line) = course::settled(results, index) {
            page.wrapped(&line);
        }
        page.gap();
        table::write(page, results, index, spoiled);
        course::write(page, results, index);
    }
}
