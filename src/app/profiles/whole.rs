//! One workload whole: its numbers here, what it is judged by, where all of that comes from.

use super::Shown;
use crate::{plan::Direction, profiles::format::Basis, report::text::Page};

/// Writes it.
pub(super) fn write(page: &mut Page, shown: &Shown) {
    let Shown { profile, resolved } = shown;
    page.wrapped(&format!("{}: {}", profile.name, profile.summary));
    if let Some(row) = &profile.row {
        page.wrapped(&format!(
            "In the operations table: {}, {}; READ {}; WRITE {}; threads: {}; {}",
            row.file, row.operation, row.read, row.write, row.threads, row.io
        ));
    } else if profile.basis == Basis::BeyondTable {
        page.line("Not in the operations table.");
    }
    page.gap();
    page.line("Numbers here");
    let widest = resolved
        .numbers
        .iter()
        .map(|(title, _)| title.chars().count());
    let width = widest.max().unwrap_or(0);
    for (title, text) in &resolved.numbers {
        entry(page, title, text, width);
    }
    if !resolved.marks.is_empty() {
        page.gap();
        page.line("Marks, in milliseconds of the mean at a stated rate");
        for mark in &resolved.marks {
            let direction = match mark.direction {
                Direction::Read => "reads",
                Direction::Write => "writes",
            };
            let limits = match mark.percentile {
                None => format!(
                    "good to {}, acceptable to {}, slow to {}, else bad",
                    mark.good_ms, mark.acceptable_ms, mark.slow_ms
                ),
                Some((fraction, limit)) => {
                    format!("{} of 100 below {limit}, flush by flush", 100.0 * fraction)
                }
            };
            page.wrapped(&format!("  {}, {direction}: {limits}", mark.group));
            page.wrapped(&format!("    {}", mark.source));
        }
    }
    if !resolved.notes.is_empty() {
        page.gap();
        page.line("Notes");
        for note in &resolved.notes {
            page.wrapped(&format!("  {note}"));
        }
    }
    if !profile.sources.is_empty() {
        page.gap();
        page.line("Sources");
        for source in &profile.sources {
            page.wrapped(&format!("  {}: {}", source.title, source.says));
            if let Some(link) = &source.link {
                page.line(&format!("    {link}"));
            }
        }
    }
    page.gap();
    page.line(&format!("To run it: iogauge run {} ./folder", profile.name));
}

/// A title, and its text beside it.
fn entry(page: &mut Page, title: &str, text: &str, width: usize) {
    let room = page.form().width.min(100).saturating_sub(width + 4).max(20);
    let mut line = String::new();
    let mut lines = Vec::new();
    // A size stays with its share: parts between commas are cut only where they are too long.
    for part in text.split_inclusive(", ") {
        let pieces: Vec<&str> = if part.trim_end().chars().count() > room {
            part.split_inclusive(' ').collect()
        } else {
            vec![part]
        };
        for piece in pieces {
            let long = line.chars().count() + piece.trim_end().chars().count() > room;
            if !line.is_empty() && long {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(piece);
        }
    }
    lines.push(line);
    for (number, line) in lines.iter().enumerate() {
        let title = if number == 0 { title } else { "" };
        page.line(&format!("  {title:<width$}  {line}"));
    }
}
