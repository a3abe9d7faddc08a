//! What the users of a load felt, group by group, and whether an open loop kept up with its schedule.

use super::{OperationKind, Results, StreamResult, milliseconds};
use crate::{
    measure::Latency,
    plan::{Direction, FlushPolicy, Pacing, Stream, TimeSpan},
};

/// Latency of one direction of a group, as its users felt it: from the due time in an open loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Felt {
    io: Latency,
    /// Of the flush that follows each write, where the group flushes so.
    flush: Option<Latency>,
}

impl Felt {
    /// Mean; a write that is followed by its flush takes both.
    pub fn mean_ms(&self) -> f64 {
        let mean = |latency: &Latency| latency.mean_ns().unwrap_or(0.0);
        milliseconds(mean(&self.io) + self.flush.as_ref().map_or(0.0, mean))
    }

    /// The longest; of a write and its flush at most this.
    pub fn max_ms(&self) -> f64 {
        let longest = |latency: &Latency| latency.max_ns().unwrap_or(0) as f64;
        milliseconds(longest(&self.io) + self.flush.as_ref().map_or(0.0, longest))
    }

    /// What `fraction` of them do not exceed; of a write and its flush at most this.
    pub fn percentile_ms(&self, fraction: f64) -> f64 {
        let reached = |latency: &Latency| latency.quantile_ns(fraction).unwrap_or(0) as f64;
        milliseconds(reached(&self.io) + self.flush.as_ref().map_or(0.0, reached))
    }
}

/// What a group's schedule asked for, and what was done of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The group.
    pub group: String,
    /// I/Os (or records) that were due in the measured time; `None` where that is not known beforehand.
    pub due: Option<f64>,
    /// How far the number of those that were due may be from that by chance.
    pub spread: f64,
    /// Done in it.
    pub done: u64,
    /// Due in it, and not issued at its end.
    pub behind: u64,
}

impl Demand {
    /// Share of what was due that was done, at most 1.
    pub fn share(&self) -> f64 {
        let asked = self.done.saturating_add(self.behind);
        let issued = if asked == 0 {
            1.0
        } else {
            self.done as f64 / asked as f64
        };
        let scheduled = self
            .due
            .filter(|due| *due > 0.0)
            .map_or(1.0, |due| (self.done as f64 + self.spread) / due);
        issued.min(scheduled).min(1.0)
    }
}

/// Deviations by which a number of random arrivals may be off.
const DEVIATIONS: f64 = 3.0;

impl Results {
    /// What users of a group felt in the time span with this number, from 0; `None` without I/Os.
    pub fn felt(&self, index: usize, group: &str, direction: Direction) -> Option<Felt> {
        let rows = self.rows(index);
        let own = || rows.iter().filter(|row| row.group == group);
        let kind = match direction {
            Direction::Read => OperationKind::Read,
            Direction::Write => OperationKind::Write,
        };
        let row = own().find(|row| row.kind == kind && row.latency().count() > 0)?;
        let flushed = direction == Direction::Write
            && streams(self.planned(index)?, group)
                .any(|stream| matches!(stream.mix.flush, FlushPolicy::Every { writes: 1, .. }));
        let flush = own().find(|row| flushed && row.is_flush() && row.stats.latency.count() > 0);
        Some(Felt {
            io: row.latency().clone(),
            flush: flush.map(|row| row.stats.latency.clone()),
        })
    }

    /// What each group with a schedule was asked for in the time span with this number, from 0.
    pub fn demands(&self, index: usize) -> Vec<Demand> {
        let (Some(planned), Some(span)) = (self.planned(index), self.spans.get(index)) else {
            return Vec::new();
        };
        let seconds = span.measured.as_secs_f64();
        let mut demands: Vec<Demand> = Vec::new();
        for ((group, _), worker) in planned.workers().zip(&span.workers) {
            for (stream, result) in group.streams.iter().zip(&worker.streams) {
                let Some(one) = demand(&group.name, stream, result, seconds) else {
                    continue;
                };
                match demands.iter_mut().find(|known| known.group == one.group) {
                    Some(known) => known.add(&one),
                    None => demands.push(one),
                }
            }
        }
        demands
    }
}

impl Demand {
    fn add(&mut self, other: &Self) {
        self.due = self.due.zip(other.due).map(|(ours, theirs)| ours + theirs);
        // Deviations of independent schedules add by their squares.
        self.spread = self.spread.hypot(other.spread);
        self.done = self.done.saturating_add(other.done);
        self.behind = self.behind.saturating_add(other.behind);
    }
}

fn demand(group: &str, stream: &Stream, result: &StreamResult, seconds: f64) -> Option<Demand> {
    let ios = result.read.count.saturating_add(result.write.count);
    let (due, poisson, done) = match stream.pacing {
        Pacing::Arrivals {
            per_second,
            poisson,
        } => (Some(per_second * seconds), poisson, ios),
        Pacing::Gathered {
            per_second,
            poisson,
            ..
        } => (
            Some(per_second * seconds),
            poisson,
            result.write.response.count(),
        ),
        Pacing::Waves { .. } => (None, false, ios),
        Pacing::Unlimited
        | Pacing::CapBytes { .. }
        | Pacing::CapOperations { .. }
        | Pacing::Burst { .. } => return None,
    };
    // Equal distances are off by the first and the last.
    let chance = if poisson {
        DEVIATIONS * due.unwrap_or(0.0).sqrt()
    } else {
        0.0
    };
    Some(Demand {
        group: group.to_owned(),
        due,
        spread: chance.max(1.0),
        done,
        behind: result.behind,
    })
}

fn streams<'a>(span: &'a TimeSpan, group: &'a str) -> impl Iterator<Item = &'a Stream> {
    let named = span.groups.iter().filter(move |known| known.name == group);
    named.flat_map(|known| &known.streams)
}

#[cfg(test)]
mod tests;
