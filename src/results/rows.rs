//! The rows of a table: what each group of workers did, one row for each kind of operation.

use std::{collections::BTreeMap, time::Duration};

use ioengine::Errno;

use super::{OperationKind, Rates, Results, SpanResult, StreamResult, milliseconds};
use crate::{
    measure::{Latency, OperationStats},
    plan::{FlushPolicy, Pacing, Stream, TimeSpan},
};

/// One kind of operation of one group of workers (or of all groups of one name).
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The group's name; empty where it has none.
    pub group: String,
    /// What was done.
    pub kind: OperationKind,
    /// What became of it.
    pub stats: OperationStats,
    /// Who decided when the next one is issued.
    pub pace: Pace,
}

/// Who decides when an I/O is issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The one before: the next is issued when it is done (or a little later).
    Closed,
    /// A schedule, whether or not those before are done.
    Open,
    /// Such a schedule, whose times are drawn: what is due in a second varies by chance.
    Drawn,
    /// Bursts with a rest between, so that no even course is to be expected.
    Bursts,
}

impl Pace {
    /// True if nobody waits for the operation before.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Drawn)
    }

    fn of(pacing: &Pacing) -> Self {
        match pacing {
            Pacing::Unlimited | Pacing::CapBytes { .. } | Pacing::CapOperations { .. } => {
                Self::Closed
            }
            Pacing::Arrivals { poisson: true, .. } | Pacing::Gathered { poisson: true, .. } => {
                Self::Drawn
            }
            Pacing::Arrivals { .. } | Pacing::Gathered { .. } => Self::Open,
            Pacing::Burst { .. } | Pacing::Waves { .. } => Self::Bursts,
        }
    }
}

impl Row {
    /// How much a second.
    pub fn rates(&self, measured: Duration) -> Rates {
        Rates::new(self.stats.count, self.stats.bytes, measured)
    }

    /// How much a second; `None` without one finished operation, of which there is no speed.
    pub fn finished_rates(&self, measured: Duration) -> Option<Rates> {
        (self.stats.count > 0).then(|| self.rates(measured))
    }

    /// The latency that a user of the target feels: from the due time where there is one, so that a
    /// stalled target cannot hide the I/Os that it kept from being issued.
    pub fn latency(&self) -> &Latency {
        self.response().unwrap_or(&self.stats.latency)
    }

    /// True if no data is transferred.
    pub fn is_flush(&self) -> bool {
        matches!(self.kind, OperationKind::Flush | OperationKind::FlushData)
    }

    /// From the due time, where the pace is open.
    pub fn response(&self) -> Option<&Latency> {
        (self.stats.response.count() > 0).then_some(&self.stats.response)
    }
}

/// Figures of a latency, in milliseconds. `None` is a figure that the samples do not give.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LatencyFigures {
    /// Mean.
    pub mean: Option<f64>,
    /// Half were at most this.
    pub p50: Option<f64>,
    /// 99 in 100 were at most this.
    pub p99: Option<f64>,
    /// 999 in 1,000 were at most this.
    pub p999: Option<f64>,
    /// The longest.
    pub max: Option<f64>,
}

/// A percentile says nothing with fewer samples than this beyond it.
pub(super) const SAMPLES_BEYOND: f64 = 10.0;

impl LatencyFigures {
    /// Of these latencies.
    pub fn of(latency: &Latency) -> Self {
        Self {
            mean: latency.mean_ns().map(milliseconds),
            p50: percentile_ms(latency, 0.5),
            p99: percentile_ms(latency, 0.99),
            p999: percentile_ms(latency, 0.999),
            max: latency.max_ns().map(|ns| milliseconds(ns as f64)),
        }
    }
}

/// What `fraction` of the samples do not exceed, in milliseconds; `None` with fewer than ten
/// samples beyond it.
pub fn percentile_ms(latency: &Latency, fraction: f64) -> Option<f64> {
    // 1 - 0.9 is not quite 0.1.
    let beyond = (1.0 - fraction) * latency.count() as f64 + 1e-6;
    (beyond >= SAMPLES_BEYOND)
        .then(|| latency.quantile_ns(fraction))
        .flatten()
        .map(|ns| milliseconds(ns as f64))
}

/// Operations that failed alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAlike {
    /// What was done.
    pub kind: OperationKind,
    /// Why, in the system's words; `None` where less than asked was transferred.
    pub reason: Option<String>,
    /// How many.
    pub count: u64,
}

impl Results {
    /// The plan of the time span with this number, from 0.
    pub fn planned(&self, index: usize) -> Option<&TimeSpan> {
        self.plan.spans().nth(index)
    }

    /// The rows of the time span with this number, from 0; in the order of the groups, reads before
    /// writes before flushes. Operations that were neither planned nor done have none.
    pub fn rows(&self, index: usize) -> Vec<Row> {
        let Some(span) = self.spans.get(index) else {
            return Vec::new();
        };
        if !span.segments.is_empty() {
            return of_segments(span);
        }
        rows_of(
            self.planned(index),
            span.workers.iter().map(|w| &w.streams[..]),
        )
    }
}

/// The rows of workers that did this, in the order of the plan's workers.
pub fn rows_of<'a>(
    planned: Option<&TimeSpan>,
    workers: impl Iterator<Item = &'a [StreamResult]>,
) -> Vec<Row> {
    let mut groups = planned
        .into_iter()
        .flat_map(TimeSpan::workers)
        .map(|(group, _)| group);
    let mut rows = Vec::new();
    for worker in workers {
        let group = groups.next();
        for (place, stream) in worker.iter().enumerate() {
            let planned = group.and_then(|group| group.streams.get(place));
            let name = group.map_or("", |group| &group.name);
            add(&mut rows, name, planned, stream);
        }
    }
    let mut names: Vec<String> = Vec::new();
    for row in &rows {
        if !names.contains(&row.group) {
            names.push(row.group.clone());
        }
    }
    rows.sort_by_key(|row| (names.iter().position(|name| *name == row.group), rank(row)));
    rows
}

fn rank(row: &Row) -> u8 {
    match row.kind {
        OperationKind::Read => 0,
        OperationKind::Write => 1,
        OperationKind::Flush | OperationKind::FlushData => 2,
    }
}

/// Adds a stream's figures to the rows of its group.
fn add(rows: &mut Vec<Row>, group: &str, planned: Option<&Stream>, stream: &StreamResult) {
    let mix = planned.map(|planned| planned.mix);
    let reads = mix.is_some_and(|mix| mix.write_percent < 100);
    let writes = mix.is_some_and(|mix| mix.write_percent > 0);
    let flush = mix.map_or(FlushPolicy::Never, |mix| mix.flush);
    let flush_kind = match flush {
        FlushPolicy::Never
        | FlushPolicy::Every {
            data_only: false, ..
        }
        | FlushPolicy::AtEnd { data_only: false } => OperationKind::Flush,
        FlushPolicy::Every { .. } | FlushPolicy::AtEnd { .. } => OperationKind::FlushData,
    };
    let pace = planned.map_or(Pace::Closed, |planned| Pace::of(&planned.pacing));
    for (kind, stats, wanted) in [
        (OperationKind::Read, &stream.read, reads),
        (OperationKind::Write, &stream.write, writes),
        (flush_kind, &stream.flush, flush != FlushPolicy::Never),
    ] {
        let happened = stats.count + stats.error_count() + stats.short > 0;
        if !wanted && !happened {
            continue;
        }
        let known = rows
            .iter_mut()
            .find(|row| row.group == group && row.kind == kind);
        if let Some(row) = known {
            row.stats += stats;
        } else {
            rows.push(Row {
                group: group.to_owned(),
                kind,
                stats: stats.clone(),
                pace,
            });
        }
    }
}

/// A shared sequence counts by segment.
fn of_segments(span: &SpanResult) -> Vec<Row> {
    let row = |kind| Row {
        group: String::new(),
        kind,
        stats: OperationStats::default(),
        pace: Pace::Closed,
    };
    let mut rows = [
        row(OperationKind::Read),
        row(OperationKind::Write),
        row(OperationKind::Flush),
    ];
    for segment in &span.segments {
        rows[0].stats += &segment.read;
        rows[1].stats += &segment.write;
        rows[2].stats += &segment.flush;
        rows[2].stats += &segment.final_flush;
    }
    rows.into_iter()
        .filter(|row| row.stats.count + row.stats.error_count() > 0)
        .collect()
}

/// Failed operations of these rows, the most frequent first.
pub fn failed_alike(rows: &[Row]) -> Vec<FailedAlike> {
    let mut failed = Vec::new();
    let mut kinds: Vec<OperationKind> = rows.iter().map(|row| row.kind).collect();
    kinds.dedup();
    for (at, kind) in kinds.iter().enumerate() {
        if kinds[..at].contains(kind) {
            continue;
        }
        let (mut errors, mut short) = (BTreeMap::<i32, u64>::new(), 0_u64);
        for row in rows.iter().filter(|row| row.kind == *kind) {
            short = short.saturating_add(row.stats.short);
            for (errno, count) in &row.stats.errors {
                let sum = errors.entry(*errno).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        let counts = errors
            .into_iter()
            .map(|(errno, count)| (Some(Errno(errno).to_string()), count));
        failed.extend(
            counts
                .chain([(None, short)])
                .filter(|(_, count)| *count > 0)
                .map(|(reason, count)| FailedAlike {
                    kind: *kind,
                    reason,
                    count,
                }),
        );
    }
    failed.sort_by_key(|failed| std::cmp::Reverse(failed.count));
    failed
}

#[cfg(test)]
mod tests;
