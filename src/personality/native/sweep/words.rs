//! What a sweep found, in sentences.

use super::{
    axis::{Axis, Varied},
    measured::{self, Point, got},
};
use crate::{
    plan::{Pacing, TimeSpan},
    report::text::{amount, milliseconds, percent, whole},
    results::{Results, Spread, curve},
    units::words::grouped,
};

/// Below this share of what was asked the rest did not come to fly.
const REACHED: f64 = 0.9;
/// Measurements of one load that are further apart than this show a drift.
const DRIFT: f64 = 0.10;
/// Falls that are told.
const FALLS: usize = 2;

/// The answer of an axis.
pub(super) fn answer(axis: &Axis, points: &[Point]) -> Option<String> {
    match axis.what {
        Varied::Depth | Varied::Threads | Varied::Block => knee(axis.what, points),
        Varied::Region => regions(points),
        Varied::Rate { .. } => rates(axis.what, points),
    }
}

/// `depth 16`, `4 threads`, `blocks of 64 KiB`.
pub(super) fn load(what: Varied, value: u64) -> String {
    match what {
        Varied::Block => format!("blocks of {}", what.words(value)),
        Varied::Region => format!("a region of {}", what.words(value)),
        _ => what.words(value),
    }
}

/// `12,300 IOPS`, `480 MiB/s`.
pub(super) fn rate(what: Varied, point: &Point) -> String {
    match what {
        Varied::Block => format!("{} MiB/s", amount(point.figures.mib_per_second)),
        _ => format!("{} IOPS", amount(point.figures.per_second)),
    }
}

fn mean(point: &Point) -> String {
    let mean = point.figures.mean_ms;
    mean.map_or("no mean".to_owned(), milliseconds)
}

/// `a third of`, `twice`: one time in terms of another.
fn share(part: f64, whole: f64) -> String {
    let ratio = part / whole;
    let names = [
        (1.0, "the same"),
        (1.0 / 2.0, "half the"),
        (1.0 / 3.0, "a third of the"),
        (1.0 / 4.0, "a quarter of the"),
        (1.0 / 5.0, "a fifth of the"),
        (1.0 / 8.0, "an eighth of the"),
        (1.0 / 10.0, "a tenth of the"),
    ];
    let near = names
        .into_iter()
        .find(|(known, _)| (ratio / known - 1.0).abs() < 0.05);
    match near {
        Some((_, name)) => name.to_owned(),
        None if ratio > 1.0 => format!("{} times the", amount(ratio)),
        None => format!("{} of the", percent(100.0 * ratio)),
    }
}

fn knee(what: Varied, points: &[Point]) -> Option<String> {
    let knee = measured::knee(points, what)?;
    let (at, peak, last) = (points.get(knee.at)?, points.get(knee.peak)?, points.last()?);
    let use_it = load(what, at.load());
    let of_peak = |point: &Point| percent(100.0 * got(point, what) / got(peak, what));
    let times = |a: &Point, b: &Point| {
        let (a, b) = (a.figures.mean_ms?, b.figures.mean_ms?);
        (a > 0.0 && b > 0.0).then(|| share(a, b))
    };
    Some(if at.load() == last.load() {
        format!(
            "No knee up to {use_it}: what is got still grows there ({}, mean {}), so that more may \
             bring more.",
            rate(what, at),
            mean(at)
        )
    } else if knee.at == knee.peak {
        let than = times(last, at).map_or(String::new(), |times| format!(" at {times} latency"));
        format!(
            "Use {use_it}: {} at a mean of {} is the most that is got; {} gets {} of it{than}.",
            rate(what, at),
            mean(at),
            load(what, last.load()),
            of_peak(last)
        )
    } else {
        let than = times(at, peak).map_or(String::new(), |times| format!(" at {times} latency"));
        format!(
            "Use {use_it}: {} of the peak{than} ({} at a mean of {}; the peak is {} at {} with {}).",
            of_peak(at),
            rate(what, at),
            mean(at),
            rate(what, peak),
            mean(peak),
            load(what, peak.load())
        )
    })
}

/// Caches show as steps.
fn regions(points: &[Point]) -> Option<String> {
    let rates: Vec<f64> = points
        .iter()
        .map(|point| got(point, Varied::Region))
        .collect();
    let falls = curve::falls(&rates);
    let words = |index: usize| {
        let point = points.get(index)?;
        Some((
            Varied::Region.words(point.load()),
            rate(Varied::Region, point),
        ))
    };
    if falls.is_empty() {
        let ((from, _), (to, rate)) = (words(0)?, words(points.len().checked_sub(1)?)?);
        return Some(format!(
            "No step from {from} to {to}: no cache of a size between shows ({rate} at the end)."
        ));
    }
    let told = falls.iter().take(FALLS).filter_map(|fall| {
        let ((from, fast), (to, slow)) = (words(fall.from)?, words(fall.to)?);
        Some(format!(
            "Up to {from} {} times as fast as from {to} on ({fast}, then {slow}): a cache of about \
             {from}.",
            amount(fall.times)
        ))
    });
    Some(told.collect::<Vec<_>>().join(" "))
}

/// What was carried of what was due.
fn rates(what: Varied, points: &[Point]) -> Option<String> {
    let (first, last) = (points.first()?, points.last()?);
    let behind = |point: &Point| {
        format!(
            "at {} it fell behind, {} of what was due was done",
            what.words(point.load()),
            percent(100.0 * point.figures.share)
        )
    };
    Some(match measured::carried(points) {
        None => format!("None of these rates is carried: {}.", behind(first)),
        Some(at) => {
            let point = points.get(at)?;
            let carries = format!(
                "Carries {}, at a mean of {}",
                what.words(point.load()),
                mean(point)
            );
            match points.get(at + 1) {
                Some(next) => format!("{carries}; {}.", behind(next)),
                None => format!(
                    "{carries}: the highest that was tried, so that more may be carried ({} done).",
                    rate(what, last)
                ),
            }
        }
    })
}

/// Where fewer I/Os were under way than were asked for.
pub(super) fn not_reached(results: &Results, axis: &Axis, points: &[Point]) -> Option<String> {
    if matches!(axis.what, Varied::Rate { .. }) {
        return None;
    }
    let mut short = points.iter().filter_map(|point| {
        let planned = results.planned(*point.spans.first()?)?;
        let asked = in_flight(planned)?;
        (point.figures.in_flight < REACHED * asked as f64).then_some((point, asked))
    });
    let (point, asked) = short.next_back()?;
    Some(format!(
        "At {} only {} I/Os were under way of {} that were asked for: figures there are those of \
         fewer.",
        load(axis.what, point.load()),
        amount(point.figures.in_flight),
        grouped(asked)
    ))
}

/// I/Os that are to be under way all the time; `None` where something else paces them.
fn in_flight(span: &TimeSpan) -> Option<u64> {
    let mut sum: u64 = 0;
    for group in &span.groups {
        let paced = |stream: &crate::plan::Stream| stream.pacing != Pacing::Unlimited;
        if group.streams.iter().any(paced) {
            return None;
        }
        sum = sum.saturating_add(u64::from(group.workers).saturating_mul(group.slots().into()));
    }
    Some(sum)
}

/// Measurements of one load that do not agree.
pub(super) fn drift(results: &Results, axis: &Axis, points: &[Point]) -> Option<String> {
    let apart = |point: &&Point| -> Option<(u64, usize, Spread)> {
        let each = point.spans.iter();
        let each: Vec<f64> = each
            .filter_map(|span| Some(results.load_figures(*span)?.per_second))
            .collect();
        let spread = Spread::of(&each)?;
        let far = spread.max - spread.min > DRIFT * spread.mean;
        far.then_some((point.load(), each.len(), spread))
    };
    let (value, times, spread) = points.iter().find_map(|point| apart(&point))?;
    Some(format!(
        "{} was measured {times} times, with {} to {} IOPS: the speed changes with time, so that \
         points are not quite comparable",
        load(axis.what, value),
        whole(spread.min),
        whole(spread.max)
    ))
}

/// The knee of each row of a grid.
pub(super) fn rows(columns: &Axis, rows: &Axis, points: &[Point]) -> Vec<String> {
    let mut told = Vec::new();
    for row in &rows.values {
        let of_row: Vec<Point> = points
            .iter()
            .filter(|point| point.values.get(1) == Some(row))
            .cloned()
            .collect();
        if let Some(text) = answer(columns, &of_row) {
            told.push(format!("{}: {text}", load(rows.what, *row)));
        }
    }
    told
}
