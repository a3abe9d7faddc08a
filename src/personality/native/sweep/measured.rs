//! What the time spans of a sweep say, point by point. Their names carry the values (`qd=16 bs=4KiB`).

use super::{asked::Asked, axis::Varied, edge::Kept};
use crate::results::{
    LoadFigures, Results,
    curve::{self, Knee},
};

/// Less of a schedule that was done is a load that its target does not carry.
pub(super) const KEEPS_UP: f64 = 0.99;

/// A point of the grid, or one between.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    /// A value for each axis.
    pub(super) values: Vec<u64>,
    /// The time spans that measured it, from 0.
    pub(super) spans: Vec<usize>,
    /// The mean of what they say.
    pub(super) figures: LoadFigures,
}

impl Point {
    /// The value on the axis of the load.
    pub(super) fn load(&self) -> u64 {
        self.values.first().copied().unwrap_or(0)
    }
}

/// The finished points, ascending by row and then by load.
pub(super) fn points(results: &Results, asked: &Asked) -> Vec<Point> {
    let mut points: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
    for (index, span) in results.plan.spans().enumerate() {
        let Some(values) = values(asked, &span.name) else {
            continue;
        };
        if results.load_figures(index).is_none() {
            continue;
        }
        match points.iter_mut().find(|(known, _)| *known == values) {
            Some((_, spans)) => spans.push(index),
            None => points.push((values, vec![index])),
        }
    }
    points.sort_by(|(a, _), (b, _)| a.iter().rev().cmp(b.iter().rev()));
    let whole = |(values, spans): (Vec<u64>, Vec<usize>)| {
        let each = spans
            .iter()
            .filter_map(|index| results.load_figures(*index));
        let figures = LoadFigures::mean(&each.collect::<Vec<_>>())?;
        Some(Point {
            values,
            spans,
            figures,
        })
    };
    points.into_iter().filter_map(whole).collect()
}

/// The values that a name carries.
fn values(asked: &Asked, name: &str) -> Option<Vec<u64>> {
    let mut parts = name.split(' ');
    let values: Option<Vec<u64>> = asked
        .axes
        .iter()
        .map(|axis| {
            axis.what.read_typed(
                parts
                    .next()?
                    .strip_prefix(axis.what.name())?
                    .strip_prefix('=')?,
            )
        })
        .collect();
    values.filter(|_| parts.next().is_none())
}

/// A measurement held against the limits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    /// The value on the axis of the load.
    pub(super) load: u64,
    /// The time span, from 0.
    pub(super) span: usize,
    /// What it says.
    pub(super) kept: Kept,
}

/// All finished measurements in order.
pub(super) fn judged(results: &Results, asked: &Asked) -> Vec<Judged> {
    let spans = results.plan.spans().enumerate();
    spans
        .filter_map(|(span, planned)| {
            let load = *values(asked, &planned.name)?.first()?;
            let kept = kept(results, span, asked)?;
            Some(Judged { load, span, kept })
        })
        .collect()
}

/// Whether a time span kept all limits; `None` if it did not finish.
pub(super) fn kept(results: &Results, span: usize, asked: &Asked) -> Option<Kept> {
    let figures = results.load_figures(span)?;
    let said: Vec<Kept> = asked
        .limits
        .iter()
        .map(|limit| match results.figure_of(span, limit) {
            None => Kept::Unknown,
            Some(value) if limit.is_met(value) => Kept::Yes,
            Some(_) => Kept::No,
        })
        .collect();
    let any = |kept| said.contains(&kept);
    Some(if any(Kept::No) || figures.share < KEEPS_UP {
        Kept::No
    } else if any(Kept::Unknown) {
        Kept::Unknown
    } else {
        Kept::Yes
    })
}

/// How much a point got, of what counts on this axis: bytes where blocks grow, else I/Os.
pub(super) fn got(point: &Point, what: Varied) -> f64 {
    match what {
        Varied::Block => point.figures.mib_per_second,
        _ => point.figures.per_second,
    }
}

/// Where more brings no more, on an axis where it might.
pub(super) fn knee(points: &[Point], what: Varied) -> Option<Knee> {
    match what {
        Varied::Depth | Varied::Threads | Varied::Block => {
            let rates: Vec<f64> = points.iter().map(|point| got(point, what)).collect();
            curve::knee(&rates)
        }
        Varied::Region | Varied::Rate { .. } => None,
    }
}

/// The highest rate that was carried, below all that were not.
pub(super) fn carried(points: &[Point]) -> Option<usize> {
    let behind = points
        .iter()
        .position(|point| point.figures.share < KEEPS_UP);
    behind.unwrap_or(points.len()).checked_sub(1)
}

/// The point whose figure matters most, which is measured again at the end: what drifts shows there.
pub(super) fn looked_at_again(points: &[Point], what: Varied) -> Option<usize> {
    match what {
        Varied::Region => (!points.is_empty()).then_some(0),
        Varied::Rate { .. } => Some(carried(points).unwrap_or(0)).filter(|_| !points.is_empty()),
        Varied::Depth | Varied::Threads | Varied::Block => knee(points, what).map(|knee| knee.at),
    }
}
