//! SQL Server's I/O: the six columns of the operations table in its own words, then what they come to
//! on this machine.

use super::Shown;
use crate::{
    plan::Direction,
    profiles::{
        GroupFacts,
        format::{Basis, Row},
    },
    report::text::{Charset, Page, Table},
    units::words,
};

/// Heads and widths of the six columns: 75, and a bar between two of them.
const COLUMNS: [(&str, usize); 6] = [
    ("File type", 4),
    ("Operation", 10),
    ("READ pattern", 17),
    ("WRITE pattern", 19),
    ("Threads used", 15),
    ("I/O type", 10),
];

/// Writes both tables.
pub(super) fn write(page: &mut Page, all: &[Shown]) {
    page.wrapped(
        "SQL Server's I/O, as \"Using DiskSpd in SQL Server environments\" has it. Where other \
         sources disagree, this table is followed.",
    );
    page.gap();
    row(page, COLUMNS.map(|(head, _)| head.to_owned()));
    let mut file = "";
    for shown in all {
        let Some(cells) = &shown.profile.row else {
            continue;
        };
        // The kind of file stands once, at the first of its operations.
        let first = if cells.file == file { "" } else { &cells.file };
        if !first.is_empty() {
            rule(page);
        }
        file = &cells.file;
        row(page, columns(first, cells));
    }
    page.gap();
    if let Some((_, machine)) = all
        .iter()
        .flat_map(|shown| &shown.resolved.numbers)
        .find(|(title, _)| title == "machine")
    {
        page.wrapped(&format!("What that comes to here, on {machine}:"));
    }
    numbers(page, all, Basis::Table);
    page.gap();
    page.line("Beyond the table (sizes and threads are assumed):");
    numbers(page, all, Basis::BeyondTable);
    page.gap();
    for shown in all.iter().filter(|shown| shown.profile.needs_rate()) {
        let rate = shown.resolved.spans.first().and_then(|span| {
            let rate = span.name.strip_prefix("rate ")?;
            rate.parse::<f64>().ok()
        });
        page.wrapped(&format!(
            "{} is shown at {} {} a second; without --rate a run searches the highest that keeps \
             the marks.",
            short(&shown.profile.name),
            words::grouped(rate.unwrap_or(0.0).round() as u64),
            shown.resolved.rate_unit
        ));
    }
    page.wrapped(
        "Mix of sizes: assumed, no source gives any. Its weights, marks and sources: iogauge \
         profiles sqlserver/data-normal",
    );
}

fn columns(file: &str, row: &Row) -> [String; 6] {
    [
        file.to_owned(),
        row.operation.clone(),
        row.read.clone(),
        row.write.clone(),
        row.threads.clone(),
        row.io.clone(),
    ]
}

/// A row whose cells are wrapped.
fn row(page: &mut Page, cells: [String; 6]) {
    let cells: Vec<Vec<String>> = cells
        .into_iter()
        .zip(COLUMNS)
        .map(|(cell, (_, width))| wrapped(&plain(page, &cell), width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(1);
    for line in 0..height {
        let parts: Vec<String> = cells
            .iter()
            .zip(COLUMNS)
            .map(|(cell, (_, width))| {
                let text = cell.get(line).map_or("", String::as_str);
                format!("{text:<width$}")
            })
            .collect();
        page.line(&parts.join("|"));
    }
}

/// The table has a dash that not every terminal has.
fn plain(page: &Page, cell: &str) -> String {
    match page.form().charset {
        Charset::Unicode => cell.to_owned(),
        Charset::Ascii => cell.replace('\u{2013}', "-"),
    }
}

fn rule(page: &mut Page) {
    let parts = COLUMNS.map(|(_, width)| "-".repeat(width));
    page.line(&parts.join("+"));
}

/// Whole words, as many as fit on a line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Threads, I/Os in flight and sizes of each group.
fn numbers(page: &mut Page, all: &[Shown], basis: Basis) {
    let mut table = Table::new(&["threads", "in flight", "in all", "reads", "writes"], 6);
    for shown in all.iter().filter(|shown| shown.profile.basis == basis) {
        let groups = shown.resolved.groups();
        let name = short(&shown.profile.name);
        for group in &groups {
            let label = if groups.len() == 1 {
                name.to_owned()
            } else {
                format!("{name}: {}", group.name)
            };
            table.row(
                label,
                vec![
                    group.threads.to_string(),
                    group.in_flight.to_string(),
                    words::grouped(group.in_flight_in_all()),
                    range(group, Direction::Read),
                    range(group, Direction::Write),
                ],
            );
        }
    }
    for line in table.lines(page.form(), "", 0) {
        page.line(&line);
    }
}

/// `8-128 KiB`, `0.5-64 KiB`, `1 MiB`, `-`.
fn range(group: &GroupFacts, direction: Direction) -> String {
    let Some((least, most)) = group.range(direction) else {
        return "-".to_owned();
    };
    let least = words::size(least.into());
    let most = words::size(most.into());
    if least == most {
        return most;
    }
    match (least.split_once(' '), most.split_once(' ')) {
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number}-{most}"),
        (Some((number, "bytes")), _) => format!("{number} B-{most}"),
        _ => format!("{least}-{most}"),
    }
}

fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_columns_take_a_line_of_80() {
        let widths: usize = COLUMNS.iter().map(|(_, width)| width).sum();
        assert_eq!(widths + COLUMNS.len() - 1, 80);
    }

    #[test]
    fn cells_keep_their_words() {
        assert_eq!(wrapped("Based on MaxDOP", 15), ["Based on MaxDOP"]);
        assert_eq!(wrapped("Normal Activity", 10), ["Normal", "Activity"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
