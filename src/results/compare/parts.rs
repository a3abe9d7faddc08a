//! Which parts of a load are compared, and by which figures.

use std::ops::Range;

use super::Measure;
use crate::{
    measure::OperationStats,
    plan::{
        AccessPattern, BlockSizes, Durability, FlushPolicy, Pacing, SharedSequence, Stream,
        TimeSpan, WorkerGroup, sequence,
    },
    results::{SpanResult, StreamResult},
};

/// From this size on, what is asked of a disk is throughput.
const LARGE: u32 = 256 << 10;

/// One kind of operation of a time span, or of a named group of its workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The time span's name; may be empty.
    pub span: String,
    /// The group's name; empty for all workers.
    pub group: String,
    /// What it does.
    pub class: Class,
    /// In which order.
    pub order: Order,
    /// Bytes of the largest operation.
    pub block: u32,
    /// Bytes of the smallest.
    pub least: u32,
    /// Operations in flight, over all workers.
    pub in_flight: u32,
    /// There is no other part in the time span.
    pub alone: bool,
    /// Operations come at a rate of their own, so that only their latency says anything.
    paced: bool,
    /// Its workers.
    workers: Range<usize>,
}

/// What operations do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// They read.
    Read,
    /// They write.
    Write,
    /// They write, and are done once the data is durable.
    Commit,
    /// They make durable what was written before.
    Flush,
}

/// In which order a part goes over its targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Offsets are drawn.
    Random,
    /// One after the other.
    Sequential,
    /// Something else, or several.
    Other,
}

impl Part {
    /// The parts of a time span.
    pub fn of(span: &TimeSpan) -> Vec<Self> {
        let mut parts = if let Some(shared) = &span.sequence {
            of_sequence(span, shared)
        } else {
            of_groups(span)
        };
        let alone = parts.len() == 1;
        for part in &mut parts {
            part.alone = alone;
        }
        parts
    }

    /// What is compared of it. With a fixed number in flight, rate and mean latency say the same, so
    /// that one of them is enough.
    pub fn measures(&self) -> &'static [Measure] {
        if self.class == Class::Flush || self.paced {
            &[Measure::Mean, Measure::P99]
        } else if self.block >= LARGE {
            &[Measure::Throughput]
        } else if self.in_flight == 1 {
            &[Measure::Mean, Measure::P99]
        } else {
            &[Measure::Operations, Measure::P99]
        }
    }

    /// What was counted of it.
    pub(super) fn stats(&self, result: &SpanResult) -> OperationStats {
        let of: fn(&StreamResult) -> &OperationStats = match self.class {
            Class::Read => |stream| &stream.read,
            Class::Write | Class::Commit => |stream| &stream.write,
            Class::Flush => |stream| &stream.flush,
        };
        let workers = result.workers.get(self.workers.clone()).unwrap_or_default();
        let mut sum = OperationStats::default();
        for stream in workers.iter().flat_map(|worker| &worker.streams) {
            sum += of(stream);
        }
        sum
    }
}

/// Named groups apart, others together.
fn of_groups(span: &TimeSpan) -> Vec<Part> {
    let named = span.groups.len() > 1 && span.groups.iter().any(|group| !group.name.is_empty());
    if !named {
        let all = 0..span.worker_count() as usize;
        return of_workers(span, "", &span.groups, &all);
    }
    let mut parts = Vec::new();
    let mut first = 0;
    for group in &span.groups {
        let behind = first + group.workers as usize;
        let of_group = std::slice::from_ref(group);
        parts.extend(of_workers(span, &group.name, of_group, &(first..behind)));
        first = behind;
    }
    parts
}

/// The kinds of operations of some groups.
fn of_workers(
    span: &TimeSpan,
    name: &str,
    groups: &[WorkerGroup],
    workers: &Range<usize>,
) -> Vec<Part> {
    let streams: Vec<&Stream> = groups.iter().flat_map(|group| &group.streams).collect();
    let in_flight = groups.iter().fold(0_u32, |sum, group| {
        sum.saturating_add(group.slots().saturating_mul(group.workers))
    });
    let part = |class, of: &[&Stream]| {
        let (least, block) = extent(of, class);
        Part {
            span: span.name.clone(),
            group: name.to_owned(),
            class,
            order: order(of),
            block,
            least,
            in_flight,
            alone: false,
            paced: of.iter().all(|stream| paced(&stream.pacing)),
            workers: workers.clone(),
        }
    };
    let doing = |wanted: fn(&Stream) -> bool| -> Vec<&Stream> {
        let streams = streams.iter().copied();
        streams.filter(|stream| wanted(stream)).collect()
    };
    let read = doing(|stream| stream.copies.is_none() && stream.mix.write_percent < 100);
    let write = doing(|stream| stream.copies.is_some() || stream.mix.write_percent > 0);
    let flush = doing(|stream| stream.mix.flush != FlushPolicy::Never);
    let durable = write.iter().all(|stream| {
        let target = span.targets.get(stream.target.0);
        target.is_some_and(|target| target.durability != Durability::None)
    });
    let written = if durable { Class::Commit } else { Class::Write };
    let kinds = [(Class::Read, read), (written, write), (Class::Flush, flush)];
    let there = kinds.iter().filter(|(_, of)| !of.is_empty());
    there.map(|(class, of)| part(*class, of)).collect()
}

/// The smallest and the largest operation of a class; a weight of 0 is no size.
fn extent(streams: &[&Stream], class: Class) -> (u32, u32) {
    let sizes = streams.iter().flat_map(|stream| match &stream.sizes {
        BlockSizes::One(bytes) => vec![*bytes],
        BlockSizes::Weighted { read, write } => {
            let list = if class == Class::Read { read } else { write };
            let used = list.iter().filter(|size| size.weight > 0);
            used.map(|size| size.bytes).collect()
        }
    });
    let extent = sizes.fold(None, |seen: Option<(u32, u32)>, bytes| {
        let (least, most) = seen.unwrap_or((bytes, bytes));
        Some((least.min(bytes), most.max(bytes)))
    });
    extent.unwrap_or((0, 0))
}

fn order(streams: &[&Stream]) -> Order {
    let of = |stream: &&Stream| match stream.pattern {
        AccessPattern::Random { .. } | AccessPattern::Shuffled { .. } => Order::Random,
        AccessPattern::Sequential { .. }
        | AccessPattern::Interlocked { .. }
        | AccessPattern::Parallel { .. }
        | AccessPattern::Regions { .. }
        | AccessPattern::Append => Order::Sequential,
        AccessPattern::Mixed { .. } | AccessPattern::Grid { .. } => Order::Other,
    };
    let first = streams.first().map_or(Order::Other, of);
    if streams.iter().all(|stream| of(stream) == first) {
        first
    } else {
        Order::Other
    }
}

fn paced(pacing: &Pacing) -> bool {
    *pacing != Pacing::Unlimited
}

fn of_sequence(span: &TimeSpan, shared: &SharedSequence) -> Vec<Part> {
    let durable = shared.flushes.after_write
        || (!span.targets.is_empty())
            && span
                .targets
                .iter()
                .all(|t| t.durability != Durability::None);
    let written = if durable { Class::Commit } else { Class::Write };
    let kinds = [
        (Class::Read, shared.operations.read()),
        (written, shared.operations.write()),
        (
            Class::Flush,
            shared.flushes.round_every.is_some() && shared.operations.write(),
        ),
    ];
    let part = |class| Part {
        span: span.name.clone(),
        group: String::new(),
        class,
        order: match shared.order {
            sequence::Order::Random { .. } => Order::Random,
            sequence::Order::Sequential { .. } => Order::Sequential,
        },
        block: shared.order.length(),
        least: shared.order.length(),
        in_flight: shared.workers.saturating_mul(shared.backlog.unwrap_or(1)),
        alone: false,
        paced: shared.arrivals_per_second.is_some(),
        workers: 0..shared.workers as usize,
    };
    let there = kinds.iter().filter(|(_, there)| *there);
    there.map(|(class, _)| part(*class)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Affinity, Dispatch};
    use crate::plan::{
        BlockSizes, Distribution, WeightedSize,
        fixtures::{shared_span, span, stream, target},
    };

    fn group(name: &str, workers: u32, write_percent: u32, block: u32, depth: u32) -> WorkerGroup {
        let pattern = AccessPattern::Random {
            alignment: 4096,
            distribution: Distribution::Uniform,
        };
        let mut stream = stream(0, pattern, BlockSizes::One(block));
        stream.mix.write_percent = write_percent;
        stream.queue_depth = depth;
        WorkerGroup {
            name: name.to_owned(),
            workers,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        }
    }

    fn parts(groups: Vec<WorkerGroup>, durability: Durability) -> Vec<Part> {
        let mut target = target("f", "f");
        target.durability = durability;
        Part::of(&span(vec![target], groups))
    }

    #[test]
    fn sizes_are_those_of_the_direction() {
        let mut mixed = group("", 1, 30, 4096, 1);
        let size = |bytes, weight| WeightedSize { bytes, weight };
        mixed.streams[0].sizes = BlockSizes::Weighted {
            read: vec![size(8192, 1)],
            write: vec![size(512, 25), size(65_536, 5), size(1 << 20, 0)],
        };
        let parts = parts(vec![mixed], Durability::None);
        let extents: Vec<(u32, u32)> = parts.iter().map(|part| (part.least, part.block)).collect();
        assert_eq!(extents, [(8192, 8192), (512, 65_536)]);
    }

    #[test]
    fn reads_and_writes_are_parts_and_so_are_named_groups() {
        let both = parts(vec![group("", 2, 30, 4096, 16)], Durability::None);
        let classes: Vec<Class> = both.iter().map(|part| part.class).collect();
        assert_eq!(classes, [Class::Read, Class::Write]);
        assert!(both.iter().all(|part| part.in_flight == 32 && !part.alone));
        assert_eq!(both[0].measures(), [Measure::Operations, Measure::P99]);

        let named = vec![
            group("log write", 1, 100, 4096, 1),
            group("data read", 3, 0, 8192, 1),
        ];
        let named = parts(named, Durability::Dsync);
        assert_eq!(named[0].class, Class::Commit);
        assert_eq!(named[0].group, "log write");
        assert_eq!(named[0].workers, 0..1);
        assert_eq!(named[0].measures(), [Measure::Mean, Measure::P99]);
        assert_eq!(named[1].class, Class::Read);
        assert_eq!(named[1].workers, 1..4);
    }

    #[test]
    fn large_blocks_are_about_throughput() {
        let large = parts(vec![group("", 1, 0, 1 << 20, 1)], Durability::None);
        assert!(large[0].alone);
        assert_eq!(large[0].measures(), [Measure::Throughput]);
    }

    #[test]
    fn a_rate_that_is_asked_for_is_no_figure() {
        let mut paced = group("", 4, 0, 4096, 8);
        paced.streams[0].pacing = Pacing::CapOperations {
            per_second: 100,
            shared_by: 1,
        };
        let paced = parts(vec![paced], Durability::None);
        assert_eq!(paced[0].measures(), [Measure::Mean, Measure::P99]);
    }

    #[test]
    fn a_shared_sequence_has_reads_writes_and_flushes() {
        let parts = Part::of(&shared_span());
        let classes: Vec<Class> = parts.iter().map(|part| part.class).collect();
        assert_eq!(classes, [Class::Read, Class::Write, Class::Flush]);
        assert_eq!((parts[0].block, parts[0].in_flight), (16384, 2));
    }
}
