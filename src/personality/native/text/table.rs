//! The table: what each group of workers did, a row for each kind of operation.

use std::iter;

use super::{findings::Spoiled, named};
use crate::{
    plan::Stop,
    report::text::{LatencyUnit, Page, Table, amount, percent, span_of_time, whole},
    results::{
        Demand, FailedAlike, Latency, LatencyFigures, OperationKind, Results, Row, failed_alike,
        percentile_ms,
    },
    units::words::{bytes, grouped, plural},
};

/// Columns of numbers before those of latencies.
const RATES: usize = 2;
/// Columns of a number at least.
const COLUMN: usize = 7;
/// Kinds of failures that are told.
const FAILURES: usize = 4;

/// Writes the table of a time span, and what failed or fell behind in it.
pub(super) fn write(page: &mut Page, results: &Results, index: usize, spoiled: Spoiled) {
    let Some(span) = results.spans.get(index).filter(|span| span.has_figures()) else {
        page.line("No figures.");
        return;
    };
    let rows = results.rows(index);
    if rows.is_empty() {
        page.line("No operation was done.");
        return;
    }
    let means = rows
        .iter()
        .filter_map(|row| LatencyFigures::of(row.latency()).mean);
    let unit = LatencyUnit::for_means(means);
    let percentiles = percentiles(page.form().width);
    let mut heads = vec!["IOPS", "MiB/s", "mean"];
    heads.extend(percentiles.iter().map(|(head, _)| *head));
    heads.push("max");
    let mut table = Table::new(&heads, COLUMN);
    let mut open = false;
    for row in &rows {
        let rates = row.finished_rates(span.measured);
        let moved = rates.filter(|_| !row.is_flush());
        let mut cells = amounts([
            rates.map(|rates| rates.per_second),
            moved.map(|rates| rates.mib_per_second),
        ]);
        cells.extend(latencies(unit, row.latency(), &percentiles));
        let label = label(row, &rows);
        table.row(
            match spoiled {
                Spoiled::Yes => format!("!! {label}"),
                Spoiled::No => label,
            },
            cells,
        );
        if row.response().is_some() {
            open = true;
            let mut cells = vec![String::new(), String::new()];
            cells.extend(latencies(unit, &row.stats.latency, &percentiles));
            table.row("  service", cells);
        }
    }
    let over = format!("latency, {}", unit.name());
    for line in table.lines(page.form(), &over, RATES) {
        page.line(&line);
    }
    if open {
        page.wrapped("Latency is from when an I/O was due; service is from when it was issued.");
    }
    if let Some(planned) = results.planned(index) {
        done(page, &planned.stop, &rows);
    }
    behind(page, &results.demands(index));
    failed(page, &failed_alike(&rows));
}

/// How much was done, of a load that ends with an amount.
fn done(page: &mut Page, stop: &Stop, rows: &[Row]) {
    let passes = stop.passes.map(|passes| match passes {
        1 => "1 pass".to_owned(),
        more => format!("{} passes", grouped(more)),
    });
    let limits = [
        stop.operations.map(|count| plural(count, "I/O")),
        stop.bytes.map(bytes),
        passes,
    ];
    let mut asked: Vec<String> = limits.into_iter().flatten().collect();
    if asked.is_empty() {
        return;
    }
    asked.extend(stop.after.map(span_of_time));
    let moved = || rows.iter().filter(|row| !row.is_flush());
    let sum = |of: fn(&Row) -> u64| moved().map(of).fold(0_u64, u64::saturating_add);
    page.wrapped(&format!(
        "Done: {}, {}; asked: {}.",
        plural(sum(|row| row.stats.count), "I/O"),
        bytes(sum(|row| row.stats.bytes)),
        asked.join(" or ")
    ));
}

/// Cells of rates; of what there is none they say so.
pub(super) fn amounts(figures: [Option<f64>; 2]) -> Vec<String> {
    let cell = |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), amount);
    figures.into_iter().map(cell).collect()
}

/// A percentile: its head, and the share of the samples.
type Percentile = (&'static str, f64);

/// Those that have room: each with the width from which on it is shown.
const PERCENTILES: [(usize, Percentile); 6] = [
    (0, ("p50", 0.5)),
    (100, ("p90", 0.9)),
    (120, ("p95", 0.95)),
    (0, ("p99", 0.99)),
    (0, ("p99.9", 0.999)),
    (100, ("p99.99", 0.9999)),
];

fn percentiles(width: usize) -> Vec<Percentile> {
    let fitting = PERCENTILES.iter().filter(|(from, _)| *from <= width);
    fitting.map(|(_, percentile)| *percentile).collect()
}

fn latencies(unit: LatencyUnit, latency: &Latency, percentiles: &[Percentile]) -> Vec<String> {
    let figures = LatencyFigures::of(latency);
    let between = percentiles
        .iter()
        .map(|(_, share)| percentile_ms(latency, *share));
    let all = iter::once(figures.mean).chain(between).chain([figures.max]);
    all.map(|figure| unit.show(figure)).collect()
}

/// The group's name, with the kind of operation where it has several.
pub(super) fn label(row: &Row, rows: &[Row]) -> String {
    let kind = kind(row.kind);
    if row.group.is_empty() {
        return kind.to_owned();
    }
    let alone = rows.iter().filter(|other| other.group == row.group).count() == 1;
    let group = named(&row.group);
    if alone || row.group.ends_with(kind) {
        group
    } else {
        format!("{group} {kind}")
    }
}

/// An operation in a word.
pub(super) fn kind(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Read => "read",
        OperationKind::Write => "write",
        OperationKind::Flush => "fsync",
        OperationKind::FlushData => "fdatasync",
    }
}

/// Less of a schedule that was done is a load that its target does not carry. Some I/Os always are
/// not issued at the end.
const KEEPS_UP: f64 = 0.99;

/// Schedules that were not kept.
fn behind(page: &mut Page, demands: &[Demand]) {
    for demand in demands {
        let name = match demand.group.as_str() {
            "" => "The load".to_owned(),
            group => named(group),
        };
        let count = plural(demand.behind, "I/O");
        if demand.due.is_none() {
            if demand.behind > 0 {
                page.wrapped(&format!(
                    "{name}: at the end {count} of the bursts were still to come."
                ));
            }
        } else if demand.share() < KEEPS_UP {
            page.wrapped(&format!(
                "{name} FELL BEHIND by {count}, {} of what was due were done: the rate is more than \
                 the target carries.",
                percent(100.0 * demand.share())
            ));
        }
    }
}

/// Operations that are in no figure above.
pub(in crate::personality::native) fn failed(page: &mut Page, failed: &[FailedAlike]) {
    if failed.is_empty() {
        return;
    }
    let words = |failed: &FailedAlike| {
        let count = whole(failed.count as f64);
        let kind = kind(failed.kind);
        match &failed.reason {
            Some(reason) => format!("{count} x {kind}: {reason}"),
            None => format!("{count} x {kind}: fewer bytes than asked"),
        }
    };
    let mut told: Vec<String> = failed.iter().take(FAILURES).map(words).collect();
    if let Some(more @ 1..) = failed.len().checked_sub(FAILURES) {
        told.push(format!("{} more kinds", grouped(more as u64)));
    }
    page.wrapped(&format!("FAILED, in no figure: {}", told.join("; ")));
}
