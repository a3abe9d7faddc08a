//! The numbers of a resolved workload, group by group, for those who lay them out.

use super::Resolved;
use crate::plan::{BlockSizes, Direction, Dispatch, Pacing, Stream, WeightedSize, WorkerGroup};

/// The workers of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupFacts {
    /// Their name.
    pub name: String,
    /// How many.
    pub threads: u32,
    /// I/Os in flight of one of them at most.
    pub in_flight: u32,
    /// What that is made of, where each stream has I/Os in flight of its own: percent of writes, and
    /// how many of one worker; empty where its streams share them.
    pub apart: Vec<(u32, u32)>,
    /// Sizes of reads, with their share of the reads in percent.
    pub reads: Vec<(u32, f64)>,
    /// Sizes of writes, with their share of the writes in percent.
    pub writes: Vec<(u32, f64)>,
    /// What becomes due in a second over all of them, where that is asked for: I/Os, or records of
    /// a group commit.
    pub per_second: Option<f64>,
}

impl GroupFacts {
    /// I/Os in flight of all of them at most.
    pub fn in_flight_in_all(&self) -> u64 {
        u64::from(self.threads) * u64::from(self.in_flight)
    }

    /// Smallest and largest size of a direction; `None` where it has none.
    pub fn range(&self, direction: Direction) -> Option<(u32, u32)> {
        let sizes = match direction {
            Direction::Read => &self.reads,
            Direction::Write => &self.writes,
        };
        let bytes = || sizes.iter().map(|(bytes, _)| *bytes);
        bytes().min().zip(bytes().max())
    }
}

impl Resolved {
    /// Each group of workers once, in order.
    pub fn groups(&self) -> Vec<GroupFacts> {
        let mut facts: Vec<GroupFacts> = Vec::new();
        for group in self.spans.first().iter().flat_map(|span| &span.groups) {
            match facts.iter_mut().find(|known| known.name == group.name) {
                Some(known) => known.add(group),
                None => facts.push(GroupFacts::of(group)),
            }
        }
        facts
    }
}

impl GroupFacts {
    fn of(group: &WorkerGroup) -> Self {
        let mut facts = Self {
            name: group.name.clone(),
            threads: 0,
            in_flight: 0,
            apart: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            per_second: None,
        };
        for stream in &group.streams {
            // Streams to several files have the same sizes.
            if facts.reads.is_empty() && stream.mix.write_percent < 100 {
                facts.reads = shares(stream, Direction::Read);
            }
            if facts.writes.is_empty() && stream.mix.write_percent > 0 {
                facts.writes = shares(stream, Direction::Write);
            }
        }
        facts.add(group);
        facts
    }

    fn add(&mut self, group: &WorkerGroup) {
        self.threads = self.threads.saturating_add(group.workers);
        if group.slots() > self.in_flight {
            self.in_flight = group.slots();
            self.apart = match group.dispatch {
                Dispatch::PerStream => by_mix(&group.streams),
                Dispatch::Shared { .. } | Dispatch::InTurn => Vec::new(),
            };
        }
        for stream in &group.streams {
            if let Pacing::Arrivals { per_second, .. } | Pacing::Gathered { per_second, .. } =
                stream.pacing
            {
                let all = per_second * f64::from(group.workers);
                self.per_second = Some(self.per_second.unwrap_or(0.0) + all);
            }
        }
    }
}

/// Streams of one mix together: their percent of writes, and their I/Os in flight.
fn by_mix(streams: &[Stream]) -> Vec<(u32, u32)> {
    let mut apart: Vec<(u32, u32)> = Vec::new();
    for stream in streams {
        let writes = stream.mix.write_percent;
        match apart.iter_mut().find(|(known, _)| *known == writes) {
            Some((_, depth)) => *depth = depth.saturating_add(stream.queue_depth),
            None => apart.push((writes, stream.queue_depth)),
        }
    }
    apart
}

fn shares(stream: &Stream, direction: Direction) -> Vec<(u32, f64)> {
    let sizes: &[WeightedSize] = match (&stream.sizes, direction) {
        (BlockSizes::One(bytes), _) => return vec![(*bytes, 100.0)],
        (BlockSizes::Weighted { read, .. }, Direction::Read) => read,
        (BlockSizes::Weighted { write, .. }, Direction::Write) => write,
    };
    let all: f64 = sizes.iter().map(|size| f64::from(size.weight)).sum();
    sizes
        .iter()
        .map(|size| (size.bytes, 100.0 * f64::from(size.weight) / all.max(1.0)))
        .collect()
}
