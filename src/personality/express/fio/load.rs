//! What a stream does, as options of a job.

use super::{Job, Losses, pace, ranges};
use crate::plan::{
    AccessPattern, Assembly, BlockSizes, Caching, Durability, FlushPolicy, MappedFlush, Opening,
    Pacing, Payload, Priority, Stream, Target, TimeSpan, WeightedSize, WorkerGroup,
};

pub(super) fn stream(
    span: &TimeSpan,
    group: &WorkerGroup,
    stream: &Stream,
    target: &Target,
    job: &mut Job,
    losses: &mut Losses,
) {
    let shared = |pattern: &AccessPattern| {
        matches!(
            pattern,
            AccessPattern::Interlocked { .. } | AccessPattern::Append
        )
    };
    let cursor = Cursor {
        workers: group.workers,
        shared: shared(&stream.pattern)
            && span
                .groups
                .iter()
                .flat_map(|group| &group.streams)
                .filter(|other| other.target == stream.target && shared(&other.pattern))
                .count()
                > 1,
        depth: stream.queue_depth,
    };
    let gathered = gathered(stream, losses);
    let stream = gathered.as_ref().unwrap_or(stream);
    pattern(stream, &cursor, job, losses);
    sizes(&stream.sizes, job, losses);
    opened(target, job, losses);
    if stream.mix.write_percent > 0 {
        payload(&stream.payload, job, losses);
        // Otherwise a new file would grow under the load.
        job.set("overwrite", 1);
        flush(stream.mix.flush, stream.mix.write_percent, job, losses);
    }
    pace::pacing(stream, job, losses);
    losses.when(
        stream.assembly != Assembly::Whole,
        "assembly: blocks that are put together of several pieces of memory",
    );
    losses.when(
        stream.copies.is_some(),
        "copy: writes of what another stream has read; here they are independent",
    );
}

/// A group commit as writes of one record each, one behind the other.
fn gathered(stream: &Stream, losses: &mut Losses) -> Option<Stream> {
    let Pacing::Gathered { record, unit, .. } = stream.pacing else {
        return None;
    };
    let unit = unit.max(1);
    let bytes = record
        .max(1)
        .checked_next_multiple_of(unit)
        .map_or(stream.sizes.largest(), |bytes| {
            bytes.min(stream.sizes.largest())
        });
    losses.add(format!(
        "commits: records that wait are written together; here each is a write of {bytes} bytes"
    ));
    let mut told = stream.clone();
    told.sizes = BlockSizes::One(bytes);
    if let AccessPattern::Sequential { stride, .. } | AccessPattern::Parallel { stride, .. } =
        &mut told.pattern
    {
        *stride = bytes.into();
    }
    Some(told)
}

/// Who walks.
struct Cursor {
    workers: u32,
    /// Another stream walks by the same cursor.
    shared: bool,
    depth: u32,
}

/// `rw` and what belongs to it.
fn pattern(stream: &Stream, cursor: &Cursor, job: &mut Job, losses: &mut Losses) {
    let writes = stream.mix.write_percent;
    let largest = u64::from(stream.sizes.largest());
    let random = matches!(
        stream.pattern,
        AccessPattern::Random { .. } | AccessPattern::Mixed { .. } | AccessPattern::Shuffled { .. }
    );
    let mut word = match (random, writes) {
        (true, 0) => "randread",
        (true, 100) => "randwrite",
        (true, _) => "randrw",
        (false, 0) => "read",
        (false, 100) => "write",
        (false, _) => "rw",
    }
    .to_owned();
    losses.when(
        !random && !matches!(writes, 0 | 100),
        "order: reads and writes walk as one; in fio each has a place of its own",
    );
    if let AccessPattern::Sequential { stride, .. }
    | AccessPattern::Interlocked { stride }
    | AccessPattern::Parallel { stride, .. } = stream.pattern
        && stride != largest
    {
        match (&stream.sizes, stride.checked_sub(largest)) {
            (BlockSizes::One(_), Some(gap)) => word = format!("{word}:{gap}"),
            (BlockSizes::One(_), None) => {
                losses.add("order: a stride below the block size; here blocks follow each other");
            }
            (BlockSizes::Weighted { .. }, _) => {}
        }
    }
    job.set("rw", word);
    if !matches!(writes, 0 | 100) {
        job.set("rwmixwrite", writes);
    }
    order(&stream.pattern, largest, cursor, job, losses);
}

/// Where the next I/O goes.
fn order(
    pattern: &AccessPattern,
    largest: u64,
    cursor: &Cursor,
    job: &mut Job,
    losses: &mut Losses,
) {
    match pattern {
        AccessPattern::Random {
            alignment,
            distribution,
        } => {
            drawn(*alignment, largest, job);
            ranges::distribution(distribution, job, losses);
        }
        AccessPattern::Mixed {
            alignment,
            random_percent,
            distribution,
        } => {
            drawn(*alignment, largest, job);
            job.set("percentage_random", random_percent);
            ranges::distribution(distribution, job, losses);
        }
        AccessPattern::Shuffled { alignment } => {
            losses.when(
                *alignment != largest,
                "order: places at other distances than a block; here block by block",
            );
            losses.when(
                cursor.workers > 1,
                "order: the threads share the places of a pass; in fio each goes over all of them",
            );
        }
        AccessPattern::Interlocked { .. } | AccessPattern::Append => losses.when(
            cursor.workers > 1 || cursor.shared,
            "order: all threads share one cursor; here each walks on its own",
        ),
        AccessPattern::Parallel { .. } => losses.when(
            cursor.depth > 1,
            "order: each outstanding I/O walks the whole range; here a thread's I/Os walk as one",
        ),
        AccessPattern::Grid { .. } => {
            losses.add("order: the blocks of a grid, column by column; here one after the other");
        }
        AccessPattern::Sequential { .. } | AccessPattern::Regions { .. } => {}
    }
}

/// Any place, whether or not it was drawn before.
fn drawn(alignment: u64, largest: u64, job: &mut Job) {
    job.set("norandommap", 1);
    if alignment != largest {
        job.set("blockalign", alignment);
    }
}

fn sizes(sizes: &BlockSizes, job: &mut Job, losses: &mut Losses) {
    let (read, write) = match sizes {
        BlockSizes::One(bytes) => {
            job.set("bs", bytes);
            return;
        }
        BlockSizes::Weighted { read, write } => (read, write),
    };
    // fio wants a size for both directions.
    let table = |own: &[WeightedSize], other: &[WeightedSize], losses: &mut Losses| {
        split(if own.is_empty() { other } else { own }, losses)
    };
    let (reads, writes) = (table(read, write, losses), table(write, read, losses));
    job.set("bssplit", format!("{reads},{writes}"));
}

/// Weights as percentages that come to 100.
fn split(entries: &[WeightedSize], losses: &mut Losses) -> String {
    let sum: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    let sum = sum.max(1);
    let scaled = |entry: &WeightedSize| u64::from(entry.weight) * 100;
    let mut percent: Vec<u64> = entries.iter().map(|entry| scaled(entry) / sum).collect();
    losses.when(
        entries
            .iter()
            .any(|entry| !scaled(entry).is_multiple_of(sum)),
        "sizes: their shares are rounded to whole percents",
    );
    // What rounding took goes to the largest remainders.
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(scaled(&entries[at]) % sum));
    let missing = 100_u64.saturating_sub(percent.iter().sum());
    for at in order.into_iter().take(missing as usize) {
        percent[at] += 1;
    }
    let parts: Vec<String> = entries
        .iter()
        .zip(percent)
        .map(|(entry, percent)| format!("{}/{percent}", entry.bytes))
        .collect();
    parts.join(":")
}

/// How the target is opened.
pub(super) fn opened(target: &Target, job: &mut Job, losses: &mut Losses) {
    job.set("direct", u8::from(target.caching == Caching::Direct));
    match target.durability {
        Durability::None => {}
        Durability::Dsync => job.set("sync", "dsync"),
        Durability::Sync => job.set("sync", "sync"),
    }
    losses.when(
        target.remote_only,
        "cache: bypassed on a network filesystem only",
    );
    losses.when(
        target
            .mapped
            .is_some_and(|flush| flush != MappedFlush::Never),
        "mapping: what flushes after a write through it",
    );
    // Without a word fio advises the kernel by the kind of load.
    let advice = match (target.hints.random, target.hints.sequential) {
        (false, false) => "0",
        (true, false) => "random",
        (false, true) => "sequential",
        (true, true) => {
            losses.add("hints: random and sequential at once; here random");
            "random"
        }
    };
    job.set("fadvise_hint", advice);
    match target.priority {
        Priority::Idle => job.set("prioclass", 3),
        Priority::Low => {
            job.set("prioclass", 2);
            job.set("prio", 7);
        }
        Priority::Normal => {}
    }
    if target.huge_pages {
        job.set("iomem", "mmaphuge");
    }
    losses.when(
        matches!(target.opening, Opening::Anew { .. }),
        "opening: the file is removed and made anew before the load",
    );
}

pub(super) fn payload(payload: &Payload, job: &mut Job, losses: &mut Losses) {
    match payload {
        Payload::Zeros => job.lines.push("zero_buffers".to_owned()),
        Payload::BytePattern => {
            let bytes: Vec<String> = (0..=u8::MAX).map(|byte| format!("{byte:02x}")).collect();
            job.set("buffer_pattern", format!("0x{}", bytes.concat()));
        }
        Payload::Random => job.set("scramble_buffers", 0),
        // fio's default: little changes with each write.
        Payload::Stamped => job.set("scramble_buffers", 1),
        Payload::FreshRandom => job.lines.push("refill_buffers".to_owned()),
        Payload::Source { .. } => {
            losses.add("data: places of one large source; here random bytes, drawn anew each time");
            job.lines.push("refill_buffers".to_owned());
        }
    }
}

fn flush(flush: FlushPolicy, write_percent: u32, job: &mut Job, losses: &mut Losses) {
    match flush {
        FlushPolicy::Never => {}
        FlushPolicy::Every { writes, data_only } => {
            flush_every(writes, data_only, write_percent < 100, job, losses);
        }
        FlushPolicy::AtEnd { data_only } => {
            losses.when(data_only, "flushes: fdatasync at the end; here fsync");
            job.set("end_fsync", 1);
        }
    }
}

/// fio asks before each I/O whether the number of writes is a multiple; only an I/O that was a flush
/// itself keeps it from flushing again.
pub(super) fn flush_every(
    writes: impl std::fmt::Display,
    data_only: bool,
    mixed: bool,
    job: &mut Job,
    losses: &mut Losses,
) {
    job.set(if data_only { "fdatasync" } else { "fsync" }, writes);
    losses.when(
        mixed,
        "flushes: fio flushes again after each read that follows a flush, until the next write, \
         so that there are more",
    );
}
