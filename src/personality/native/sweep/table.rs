//! The figures of a sweep: a row a point with its bar, or a grid for two axes.

use super::{
    asked::{Asked, figure_name, is_shown_anyway},
    axis::{Axis, Varied},
    measured::{self, Point},
};
use crate::{
    plan::Condition,
    report::text::{Charset, LatencyUnit, Page, Table, amount},
    results::{Results, milliseconds, statistics},
};

/// Columns of a number at least.
const COLUMN: usize = 6;
/// Columns of numbers before those of latencies.
const RATES: usize = 3;
/// Columns of a bar, and of the word behind it.
const BAR: (usize, usize) = (16, 9);
/// What stands where there is no figure.
const NONE: &str = "-";

/// A word behind a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// The row, from 0.
    pub(super) row: usize,
    /// The word.
    pub(super) word: &'static str,
}

/// Writes a row a point; the bar is what the point got.
pub(super) fn rows(
    page: &mut Page,
    results: &Results,
    asked: &Asked,
    axis: &Axis,
    points: &[Point],
    marks: &[Mark],
    spoiled: bool,
) {
    let means = points.iter().filter_map(|point| point.figures.mean_ms);
    let unit = LatencyUnit::for_means(means);
    let limits: Vec<&Condition> = asked
        .limits
        .iter()
        .filter(|l| !is_shown_anyway(l))
        .collect();
    let names: Vec<String> = limits.iter().map(|limit| figure_name(limit)).collect();
    let mut heads = vec!["IOPS", "MiB/s", "in flight", "mean", "p99"];
    heads.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&heads, COLUMN);
    for point in points {
        let figures = &point.figures;
        let mut cells = vec![
            amount(figures.per_second),
            amount(figures.mib_per_second),
            amount(figures.in_flight),
            unit.show(figures.mean_ms),
            unit.show(figures.p99_ms),
        ];
        cells.extend(
            limits
                .iter()
                .map(|limit| unit.show(of(results, point, limit))),
        );
        let sign = if spoiled { "!! " } else { "" };
        table.row(format!("{sign}{}", label(axis.what, point.load())), cells);
    }
    let lines = table.lines(page.form(), unit.name(), RATES);
    let before = lines.len().saturating_sub(points.len());
    let used = lines.iter().map(|line| line.chars().count()).max();
    let room = page.form().width.saturating_sub(used.unwrap_or(0) + 2);
    let width = room.saturating_sub(BAR.1).min(BAR.0);
    let most = points.iter().map(|point| measured::got(point, axis.what));
    let most = most.fold(0.0, f64::max);
    for (number, line) in lines.iter().enumerate() {
        let Some(row) = number.checked_sub(before) else {
            page.line(line);
            continue;
        };
        let got = points
            .get(row)
            .map_or(0.0, |point| measured::got(point, axis.what));
        let bar = bar(got / most, width, page.form().charset);
        let words = marks.iter().filter(|mark| mark.row == row);
        let words: Vec<&str> = words.map(|mark| mark.word).collect();
        let end = if words.is_empty() {
            bar
        } else {
            format!("{bar} {}", words.join("+"))
        };
        page.line(&format!("{line}  {end}"));
    }
}

/// The figure of a limit at a point, in milliseconds: the mean of all its measurements.
fn of(results: &Results, point: &Point, limit: &Condition) -> Option<f64> {
    let each = point.spans.iter();
    let each: Vec<f64> = each
        .filter_map(|span| results.figure_of(*span, limit))
        .collect();
    statistics::mean(&each).map(milliseconds)
}

/// A value as the label of a row or a column.
fn label(what: Varied, value: u64) -> String {
    match what {
        Varied::Depth => format!("qd {value}"),
        Varied::Rate { .. } => format!("{value}/s"),
        Varied::Threads | Varied::Block | Varied::Region => what.words(value),
    }
}

fn bar(share: f64, width: usize, charset: Charset) -> String {
    let mark = match charset {
        Charset::Unicode => "█",
        Charset::Ascii => "#",
    };
    let share = if share.is_finite() { share } else { 0.0 };
    mark.repeat((share * width as f64).round() as usize)
}

/// Writes two axes: what was got, a row for each value of the second, then the latency.
pub(super) fn grid(
    page: &mut Page,
    results: &Results,
    asked: &Asked,
    (columns, rows): (&Axis, &Axis),
    points: &[Point],
) {
    let blocks = [columns.what, rows.what].contains(&Varied::Block);
    let unit = LatencyUnit::for_means(points.iter().filter_map(|point| point.figures.mean_ms));
    let first = asked.limits.first();
    let latency = |point: &Point| match first {
        Some(limit) => of(results, point, limit),
        None => point.figures.p99_ms,
    };
    let name = first.map_or("p99".to_owned(), figure_name);
    let mut tables: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    let cells = |show: &dyn Fn(&Point) -> String| -> Vec<Vec<String>> {
        let row = |row: &u64| {
            let cell = |column: &u64| {
                let found = points.iter().find(|point| point.values == [*column, *row]);
                found.map_or(NONE.to_owned(), show)
            };
            columns.values.iter().map(cell).collect()
        };
        rows.values.iter().map(row).collect()
    };
    tables.push((
        "IOPS".to_owned(),
        cells(&|point| amount(point.figures.per_second)),
    ));
    if blocks {
        let show = |point: &Point| amount(point.figures.mib_per_second);
        tables.push(("MiB/s".to_owned(), cells(&show)));
    }
    let shown = |point: &Point| unit.show(latency(point));
    tables.push((format!("{name}, {}", unit.name()), cells(&shown)));
    for (name, cells) in tables {
        let heads: Vec<String> = columns
            .values
            .iter()
            .map(|value| columns.what.typed(*value))
            .collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut table = Table::new(&heads, COLUMN);
        for (row, cells) in rows.values.iter().zip(cells) {
            table.row(label(rows.what, *row), cells);
        }
        let over = format!("{name} at {}", columns.what.name());
        for line in table.lines(page.form(), &over, 0) {
            page.line(&line);
        }
        page.gap();
    }
}
