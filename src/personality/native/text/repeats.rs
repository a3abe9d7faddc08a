//! Repetitions: each figure as a mean with its spread.

use std::time::Duration;

use super::{
    findings::Spoiled,
    head, named,
    table::{kind, label},
};
use crate::{
    profiles::Resolved,
    report::text::{LatencyUnit, Page, Table, amount, milliseconds, span_of_time},
    results::{
        LatencyFigures, Repeated, RepeatedRow, Results, Row, Spread, Steadiness, failed_alike,
    },
    units::words::plural,
};

/// Columns of a number at least.
const COLUMN: usize = 9;

/// Writes time spans that repeat each other.
pub(super) fn write(
    page: &mut Page,
    results: &Results,
    repeated: &Repeated,
    resolved: Option<&Resolved>,
    spoiled: Spoiled,
) {
    let Some(first) = repeated.spans.first() else {
        return;
    };
    page.gap();
    head::write(page, results, *first, &repeated.name, resolved);
    page.gap();
    let count = plural(repeated.spans.len() as u64, "repetition");
    page.line(&format!(
        "Of {count}, with where the true mean lies with 95 % confidence:"
    ));
    let rows = results.repeated_rows(&repeated.spans);
    let means = rows.iter().filter_map(|row| row.mean_ms);
    let unit = LatencyUnit::for_means(means.map(|spread| spread.mean));
    let mut table = Table::new(&["mean", "min", "max", "95 % from", "to"], COLUMN);
    for row in &rows {
        add(&mut table, row, unit, spoiled);
    }
    for line in table.lines(page.form(), "", 0) {
        page.line(&line);
    }
    each(page, results, repeated);
    left_out(page, results, repeated);
    steadiness(page, results, repeated);
    let rows: Vec<_> = repeated
        .spans
        .iter()
        .flat_map(|index| results.rows(*index))
        .collect();
    super::table::failed(page, &failed_alike(&rows));
}

/// Repetitions and rows that are told one by one: more are not on a screen.
const EACH: (usize, usize) = (5, 2);

/// What each repetition came to.
fn each(page: &mut Page, results: &Results, repeated: &Repeated) {
    if repeated.spans.len() > EACH.0 {
        return;
    }
    for index in &repeated.spans {
        let Some(span) = results.spans.get(*index) else {
            continue;
        };
        let rows = results.rows(*index);
        if rows.len() > EACH.1 {
            return;
        }
        let name = results.planned(*index).map_or("", |planned| &planned.name);
        let number = name.rsplit(' ').next().unwrap_or_default();
        let told: Vec<String> = rows
            .iter()
            .map(|row| one(row, &rows, span.measured))
            .collect();
        page.wrapped(&format!("  {}: {}", named(number), told.join("; ")));
    }
}

/// `read 960 IOPS, 3.75 MiB/s, mean 500 us, p99 1.20 ms`.
fn one(row: &Row, rows: &[Row], measured: Duration) -> String {
    let name = label(row, rows);
    let Some(rates) = row.finished_rates(measured) else {
        return format!("{name} none");
    };
    let mut told = vec![format!("{name} {} IOPS", amount(rates.per_second))];
    if !row.is_flush() {
        told.push(format!("{} MiB/s", amount(rates.mib_per_second)));
    }
    let latency = LatencyFigures::of(row.latency());
    told.extend(latency.mean.map(|ms| format!("mean {}", milliseconds(ms))));
    told.extend(latency.p99.map(|ms| format!("p99 {}", milliseconds(ms))));
    told.join(", ")
}

/// Repetitions that are in no figure.
pub(super) fn left_out(page: &mut Page, results: &Results, repeated: &Repeated) {
    for index in &repeated.cut {
        let Some(span) = results.spans.get(*index) else {
            continue;
        };
        let name = results.planned(*index).map_or("", |planned| &planned.name);
        let why = if span.has_figures() {
            format!("cut short after {}", span_of_time(span.measured))
        } else {
            "not measured".to_owned()
        };
        page.wrapped(&format!("NOT COUNTED: {}, {why}.", named(name)));
    }
}

/// How a figure is written.
type Show<'a> = &'a dyn Fn(f64) -> String;

fn add(table: &mut Table, row: &RepeatedRow, unit: LatencyUnit, spoiled: Spoiled) {
    let name = match row.group.as_str() {
        "" => kind(row.kind).to_owned(),
        group if group.ends_with(kind(row.kind)) => named(group),
        group => format!("{} {}", named(group), kind(row.kind)),
    };
    let name = match spoiled {
        Spoiled::Yes => format!("!! {name}"),
        Spoiled::No => name,
    };
    let latency = |ms: f64| unit.show(Some(ms));
    let figures: [(String, Option<Spread>, Show<'_>); 5] = [
        (format!("{name} IOPS"), row.per_second, &amount),
        (format!("{name} MiB/s"), row.mib_per_second, &amount),
        (
            format!("{name} mean {}", unit.name()),
            row.mean_ms,
            &latency,
        ),
        (format!("{name} p99 {}", unit.name()), row.p99_ms, &latency),
        (format!("{name} max {}", unit.name()), row.max_ms, &latency),
    ];
    for (label, spread, show) in figures {
        let Some(spread) = spread else {
            table.row(label, vec!["-".to_owned(); 5]);
            continue;
        };
        let ends = spread.interval.map_or([None; 2], |interval| {
            // Neither a rate nor a latency is below 0, wherever the arithmetic ends.
            [Some(interval.low.max(0.0)), Some(interval.high)]
        });
        let mut cells = [spread.mean, spread.min, spread.max].map(show).to_vec();
        cells.extend(ends.map(|end| end.map_or("-".to_owned(), show)));
        table.row(label, cells);
    }
}

/// How many of them were not steady in themselves.
fn steadiness(page: &mut Page, results: &Results, repeated: &Repeated) {
    let settled = repeated.spans.iter().filter(|index| {
        let span = results.spans.get(**index);
        span.is_some_and(|span| span.steady.is_some())
    });
    if let Some(settled @ 1..) = Some(settled.count()) {
        page.wrapped(&format!(
            "Steady in {settled} of {}; the figures of these are of their steady windows.",
            plural(repeated.spans.len() as u64, "repetition")
        ));
    }
    let unsteady = repeated
        .spans
        .iter()
        .filter(|index| {
            let settled = results
                .spans
                .get(**index)
                .is_some_and(|s| s.steady.is_some());
            !settled
                && matches!(
                    results.course(**index).steadiness(),
                    Steadiness::Drifting(_) | Steadiness::Uneven(_)
                )
        })
        .count();
    if unsteady > 0 {
        page.line(&format!(
            "NOT STEADY within {} of {}.",
            unsteady,
            plural(repeated.spans.len() as u64, "repetition")
        ));
    }
}
