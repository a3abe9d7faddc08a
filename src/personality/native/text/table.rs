//! The table: what each group of workers did, a row for each kind of operation.

use super::findings::Spoiled;
use crate::{
    report::text::{LatencyUnit, Page, Table, amount, percent, whole},
    results::{Demand, FailedAlike, LatencyFigures, OperationKind, Results, Row, failed_alike},
    units::words::{grouped, plural},
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
    let mut table = Table::new(
        &["IOPS", "MiB/s", "mean", "p50", "p99", "p99.9", "max"],
        COLUMN,
    );
    let mut open = false;
    for row in &rows {
        let rates = row.rates(span.measured);
        let mut cells = vec![amount(rates.per_second)];
        cells.push(if row.is_flush() {
            "-".to_owned()
        } else {
            amount(rates.mib_per_second)
        });
        cells.extend(latencies(unit, LatencyFigures::of(row.latency())));
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
            cells.extend(latencies(unit, LatencyFigures::of(&row.stats.latency)));
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
    behind(page, &results.demands(index));
    failed(page, &failed_alike(&rows));
}

fn latencies(unit: LatencyUnit, figures: LatencyFigures) -> [String; 5] {
    [
        figures.mean,
        figures.p50,
        figures.p99,
        figures.p999,
        figures.max,
    ]
    .map(|figure| unit.show(figure))
}

/// The group's name, with the kind of operation where it has several.
pub(super) fn label(row: &Row, rows: &[Row]) -> String {
    let kind = kind(row.kind);
    if row.group.is_empty() {
        return kind.to_owned();
    }
    let alone = rows.iter().filter(|other| other.group == row.group).count() == 1;
    if alone || row.group.ends_with(kind) {
        row.group.clone()
    } else {
        format!("{} {kind}", row.group)
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
            "" => "The load",
            group => group,
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
