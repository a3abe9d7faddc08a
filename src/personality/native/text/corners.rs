//! A disk's corners: one table, a row a time span, and what it means in three sentences.

use super::{findings::Spoiled, head, load::listed, named, table};
use crate::{
    plan::{AccessPattern, Durability, TimeSpan},
    report::text::{LatencyUnit, Page, Table, milliseconds, whole},
    results::{LatencyFigures, Rates, Results, Row, failed_alike},
    units::words::size,
};

/// Columns of a number at least.
const COLUMN: usize = 7;
/// Width from which on there is room for more percentiles.
const WIDE: usize = 100;
/// Columns of numbers before those of latencies.
const RATES: usize = 2;

/// Writes all time spans.
pub(super) fn write(page: &mut Page, results: &Results, spoiled: Spoiled) {
    if results.spans.is_empty() {
        return;
    }
    page.gap();
    head::corners(page, results);
    page.gap();
    let corners = corners(results);
    table_of(page, results, &corners, spoiled);
    let rows: Vec<Row> = corners.iter().map(|corner| corner.row.clone()).collect();
    table::failed(page, &failed_alike(&rows));
    page.gap();
    let sentences = [durable(&corners), random(&corners), sequential(&corners)];
    for sentence in sentences.into_iter().flatten() {
        page.wrapped(&sentence);
    }
}

/// One row of the table.
struct Corner<'a> {
    index: usize,
    label: String,
    planned: Option<&'a TimeSpan>,
    row: Row,
    /// `None` without one finished I/O.
    rates: Option<Rates>,
    latency: LatencyFigures,
}

impl Corner<'_> {
    /// The first stream says what a corner is.
    fn is(&self, order: Order, write: bool, durability: Durability) -> bool {
        let Some(planned) = self.planned else {
            return false;
        };
        let stream = planned
            .groups
            .first()
            .and_then(|group| group.streams.first());
        let target = planned.targets.first();
        stream.is_some_and(|stream| {
            let random = matches!(
                stream.pattern,
                AccessPattern::Random { .. } | AccessPattern::Shuffled { .. }
            );
            random == (order == Order::Random) && (stream.mix.write_percent > 0) == write
        }) && target.is_some_and(|target| target.durability == durability)
    }

    /// I/Os in flight.
    fn depth(&self) -> u64 {
        let groups = self.planned.map_or(&[][..], |planned| &planned.groups);
        groups.iter().fold(0, |sum: u64, group| {
            let all = u64::from(group.workers).saturating_mul(u64::from(group.slots()));
            sum.saturating_add(all)
        })
    }

    fn block(&self) -> u64 {
        let groups = self.planned.map_or(&[][..], |planned| &planned.groups);
        let streams = groups.iter().flat_map(|group| &group.streams);
        let sizes = streams.map(|stream| u64::from(stream.sizes.largest()));
        sizes.max().unwrap_or(0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Random,
    Sequential,
}

fn corners(results: &Results) -> Vec<Corner<'_>> {
    let mut corners = Vec::new();
    for (index, span) in results.spans.iter().enumerate() {
        if !span.has_figures() {
            continue;
        }
        let planned = results.planned(index);
        let name = planned.map_or("", |planned| &planned.name);
        let rows = results.rows(index);
        for row in &rows {
            let kind = table::label(row, &rows);
            corners.push(Corner {
                index,
                label: match (name, rows.len()) {
                    ("", _) => kind,
                    (name, 1) => named(name),
                    (name, _) => format!("{}, {kind}", named(name)),
                },
                planned,
                rates: row.finished_rates(span.measured),
                latency: LatencyFigures::of(row.latency()),
                row: row.clone(),
            });
        }
    }
    corners
}

fn table_of(page: &mut Page, results: &Results, corners: &[Corner<'_>], spoiled: Spoiled) {
    let means = corners.iter().filter_map(|corner| corner.latency.mean);
    let unit = LatencyUnit::for_means(means);
    let wide = page.form().width >= WIDE;
    let heads: &[&str] = if wide {
        &["IOPS", "MiB/s", "mean", "p50", "p99", "p99.9", "max"]
    } else {
        &["IOPS", "MiB/s", "mean", "p99", "max"]
    };
    let mut table = Table::new(heads, COLUMN);
    for (index, _) in results.spans.iter().enumerate() {
        let mut here = corners
            .iter()
            .filter(|corner| corner.index == index)
            .peekable();
        if here.peek().is_none() {
            let name = results.planned(index).map_or("", |planned| &planned.name);
            table.row(named(name), vec!["-".to_owned(); heads.len()]);
        }
        for corner in here {
            let rates = corner.rates;
            let mut cells = table::amounts([
                rates.map(|rates| rates.per_second),
                rates.map(|rates| rates.mib_per_second),
            ]);
            let latency = corner.latency;
            let figures = if wide {
                vec![
                    latency.mean,
                    latency.p50,
                    latency.p99,
                    latency.p999,
                    latency.max,
                ]
            } else {
                vec![latency.mean, latency.p99, latency.max]
            };
            cells.extend(figures.into_iter().map(|ms| unit.show(ms)));
            table.row(
                match spoiled {
                    Spoiled::Yes => format!("!! {}", corner.label),
                    Spoiled::No => corner.label.clone(),
                },
                cells,
            );
        }
    }
    let over = format!("latency, {}", unit.name());
    for line in table.lines(page.form(), &over, RATES) {
        page.line(&line);
    }
}

/// `A durable write of 4 KiB takes 2.10 ms: 470 commits a second.`
fn durable(corners: &[Corner<'_>]) -> Option<String> {
    let of = |durability| {
        let mut all = corners.iter();
        all.find(|corner| corner.is(Order::Random, true, durability) && corner.depth() == 1)
    };
    let corner = of(Durability::Dsync).or_else(|| of(Durability::Sync))?;
    Some(format!(
        "A durable write of {} takes {}: {} commits a second, one after the other.",
        size(corner.block()),
        milliseconds(corner.latency.mean?),
        whole(corner.rates?.per_second)
    ))
}

/// `Random reads: 92,000 IOPS with 32 in flight, 58 us each one at a time.`
fn random(corners: &[Corner<'_>]) -> Option<String> {
    let of = |write: bool| {
        let all = || {
            corners
                .iter()
                .filter(move |corner| corner.is(Order::Random, write, Durability::None))
        };
        let deep = all()
            .filter(|corner| corner.depth() > 1)
            .filter_map(|corner| Some((corner.depth(), corner.rates?.per_second)))
            .max_by_key(|(depth, _)| *depth)
            .map(|(depth, rate)| format!("{} IOPS with {depth} in flight", whole(rate)));
        let alone = all()
            .find(|corner| corner.depth() == 1)
            .and_then(|corner| corner.latency.mean)
            .map(|mean| format!("{} each one at a time", milliseconds(mean)));
        let parts: Vec<String> = deep.into_iter().chain(alone).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    };
    let reads = of(false).map(|text| format!("random reads: {text}"));
    let writes = of(true).map(|text| format!("random writes: {text}"));
    sentence(&[reads, writes], "; ")
}

/// `Sequential: reads 3,200 MiB/s, writes 2,100 MiB/s.`
fn sequential(corners: &[Corner<'_>]) -> Option<String> {
    let best = |write| {
        let rates = corners
            .iter()
            .filter(|corner| corner.is(Order::Sequential, write, Durability::None))
            .filter_map(|corner| Some(corner.rates?.mib_per_second));
        rates.max_by(f64::total_cmp)
    };
    let reads = best(false).map(|rate| format!("reads {} MiB/s", whole(rate)));
    let writes = best(true).map(|rate| format!("writes {} MiB/s", whole(rate)));
    let parts: Vec<String> = reads.into_iter().chain(writes).collect();
    (!parts.is_empty()).then(|| format!("Sequential, at best: {}.", listed(&parts)))
}

/// Parts with a capital letter and a full stop.
fn sentence(parts: &[Option<String>], between: &str) -> Option<String> {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    let text = parts.join(between);
    let mut letters = text.chars();
    let first = letters.next()?;
    Some(format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
