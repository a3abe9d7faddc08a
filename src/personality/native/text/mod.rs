//! What `run` and `quick` print at the end: one screen that explains itself when it is pasted.
//!
//! Worst things first: how the run ended, findings that spoil the figures, what was measured on
//! what, the answer in a sentence, the table, the course over time, what else was seen, and notes.

mod course;
mod ending;
mod findings;
mod head;
mod load;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::io;

use crate::{
    profiles::Resolved,
    report::{
        Renderer,
        text::{Form, Page},
    },
    results::Results,
};

/// What a report looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A row for each group of workers and kind of operation.
    Rows,
    /// A row for each time span: a disk's corners.
    Corners,
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
        let spoiled = findings::misleading(&mut page, results);
        match self.shape {
            Shape::Rows | Shape::Corners => self.rows(&mut page, results, spoiled),
        }
        findings::others(&mut page, results);
        if !self.notes.is_empty() {
            page.gap();
        }
        for note in &self.notes {
            page.wrapped(note);
        }
        out.write_all(page.finish().as_bytes())
    }
}

impl Report {
    /// A part for each time span: what it was, its table, its course.
    fn rows(&self, page: &mut Page, results: &Results, spoiled: findings::Spoiled) {
        for index in 0..results.spans.len() {
            page.gap();
            head::write(page, results, index, self.resolved.as_deref());
            page.gap();
            table::write(page, results, index, spoiled);
            course::write(page, results, index);
        }
    }
}
