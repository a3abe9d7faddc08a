//! What one stream does to its target.

use crate::{
    personality::{
        diskspd::profile::{
            Cache, Distribution, DistributionRange, Flush, Pattern, Target, Throughput, TimeSpan,
        },
        express::{Losses, usual_size},
    },
    plan::{
        self, AccessPattern, Assembly, BlockSizes, Caching, Direction, Durability, FlushPolicy,
        MappedFlush, Opening, Pacing, PauseFrom, Payload, Priority, Share, Stream,
    },
};

/// A target under a stream of each of so many threads.
pub(super) fn target(
    span: &plan::TimeSpan,
    threads: u32,
    stream: &Stream,
    target: &plan::Target,
    said_span: &mut TimeSpan,
    losses: &mut Losses,
) -> Target {
    let mut said = opened(target, losses);
    said.write_ratio = stream.mix.write_percent;
    sizes(stream, &mut said, losses);
    aligned(&said, losses);
    said.request_count = stream.queue_depth;
    pattern(span, threads, stream, &mut said, losses);
    pacing(threads, stream, &mut said, losses);
    if stream.mix.write_percent > 0 {
        payload(&stream.payload, &mut said, said_span, losses);
        losses.when(
            stream.mix.flush != FlushPolicy::Never,
            "flushes: DiskSpd never flushes a file",
        );
    }
    losses.when(
        stream.assembly != Assembly::Whole,
        "assembly: blocks that are put together of several pieces of memory",
    );
    losses.when(
        stream.copies.is_some(),
        "copy: writes of what another stream has read; here they are independent",
    );
    said
}

/// How it is opened.
pub(super) fn opened(target: &plan::Target, losses: &mut Losses) -> Target {
    losses.when(
        target.durability == Durability::Sync,
        "durability: O_SYNC, metadata too; here O_DSYNC",
    );
    losses.when(
        matches!(target.opening, Opening::Anew { .. }),
        "opening: the file is removed and made anew before the load",
    );
    Target {
        path: target.label.clone().into(),
        base: target.base,
        max_size: target.end.unwrap_or(0),
        sequential_scan: target.hints.sequential,
        random_access: target.hints.random,
        temporary: target.hints.temporary,
        large_pages: target.huge_pages,
        cache: match target.caching {
            Caching::Buffered => Cache::Cached,
            Caching::Direct if target.remote_only => Cache::NoLocalCache,
            Caching::Direct => Cache::NoOsCache,
        },
        write_through: target.durability != Durability::None,
        memory_mapped: target.mapped.is_some(),
        flush: match target.mapped {
            None | Some(MappedFlush::Never) => None,
            Some(MappedFlush::View) => Some(Flush::View),
            Some(MappedFlush::Persistent) => Some(Flush::NonVolatile),
            Some(MappedFlush::PersistentNoDrain) => Some(Flush::NonVolatileNoDrain),
        },
        priority: match target.priority {
            Priority::Idle => 1,
            Priority::Low => 2,
            Priority::Normal => 3,
        },
        ..Target::default()
    }
}

fn sizes(stream: &Stream, said: &mut Target, losses: &mut Losses) {
    let direction = if stream.mix.write_percent > 50 {
        Direction::Write
    } else {
        Direction::Read
    };
    said.block_size = usual_size(&stream.sizes, direction);
    if let BlockSizes::Weighted { .. } = stream.sizes {
        losses.add(format!(
            "sizes: blocks of several sizes by weight; here all have the usual one, {} bytes",
            said.block_size
        ));
    }
}

fn pattern(
    span: &plan::TimeSpan,
    threads: u32,
    stream: &Stream,
    said: &mut Target,
    losses: &mut Losses,
) {
    let block = u64::from(said.block_size);
    let sequential = |stride: u64, interlocked| Pattern::Sequential {
        stride: (stride != block).then_some(stride),
        interlocked,
    };
    let random = |alignment: u64, percent| Pattern::Random {
        alignment: (alignment != block).then_some(alignment),
        percent,
    };
    let mut distributed = None;
    said.pattern = match &stream.pattern {
        AccessPattern::Sequential {
            stride,
            worker_offset,
        } => {
            said.thread_stride = distance(*worker_offset, threads);
            sequential(*stride, false)
        }
        AccessPattern::Parallel {
            stride,
            worker_offset,
        } => {
            said.thread_stride = distance(*worker_offset, threads);
            said.parallel = true;
            sequential(*stride, false)
        }
        AccessPattern::Interlocked { stride } => {
            shared_cursor(span, stream, losses);
            sequential(*stride, true)
        }
        AccessPattern::Random {
            alignment,
            distribution,
        } => {
            distributed = Some(distribution);
            random(*alignment, 100)
        }
        AccessPattern::Mixed {
            alignment,
            random_percent,
            distribution,
        } => {
            distributed = Some(distribution);
            let none = *random_percent == 0;
            losses.when(none, "order: a mixed pattern without any random I/O");
            random(*alignment, *random_percent)
        }
        AccessPattern::Shuffled { alignment } => {
            losses.add("order: each place once a pass; here drawn, with repeats");
            random(*alignment, 100)
        }
        other => {
            foreign(other, threads, losses);
            sequential(block, *other == AccessPattern::Append)
        }
    };
    if let Some(distribution) = distributed {
        said.distribution = self::distribution(distribution, losses);
    }
}

/// DiskSpd refuses a distance without a second thread, and nothing has it.
fn distance(worker_offset: u64, threads: u32) -> u64 {
    if threads == 1 { 0 } else { worker_offset }
}

/// Orders that DiskSpd does not have.
fn foreign(pattern: &AccessPattern, threads: u32, losses: &mut Losses) {
    match pattern {
        AccessPattern::Regions { .. } => losses.when(
            threads > 1,
            "range: each thread has a part of its own; here all walk the whole",
        ),
        AccessPattern::Grid { .. } => {
            losses.add("order: the blocks of a grid, column by column; here one after the other");
        }
        _ => {
            losses
                .add("order: appends at one cursor; here a sequence that all threads share (-si)");
        }
    }
}

/// Two targets of DiskSpd have two cursors, even where their file is one.
fn shared_cursor(span: &plan::TimeSpan, stream: &Stream, losses: &mut Losses) {
    let all = span.groups.iter().flat_map(|group| &group.streams);
    let same = all.filter(|other| {
        other.target == stream.target && matches!(other.pattern, AccessPattern::Interlocked { .. })
    });
    losses.when(
        span.groups.len() > 1 && same.count() > 1,
        "order: groups of threads share one cursor; here each group has its own",
    );
}

/// What DiskSpd and its system do not carry out.
pub(super) fn aligned(said: &Target, losses: &mut Losses) {
    losses.when(
        said.cache != Cache::Cached && !said.block_size.is_multiple_of(512),
        "alignment: without the system cache blocks must be multiples of 512 bytes, so that this is \
         refused",
    );
}

/// DiskSpd's parts follow each other from the start of the range.
fn distribution(distribution: &plan::Distribution, losses: &mut Losses) -> Option<Distribution> {
    let (shares, percent) = match distribution {
        plan::Distribution::Uniform => return None,
        plan::Distribution::Ranked { .. } | plan::Distribution::Normal { .. } => {
            losses.add("distribution: by a law (zipf, pareto, normal); here all places are alike");
            return None;
        }
        plan::Distribution::Percent(shares) => (shares, true),
        plan::Distribution::Absolute(shares) => (shares, false),
    };
    let mut at = 0_u64;
    for share in shares {
        if share.from != at {
            losses.add("distribution: its parts leave gaps; here all places are alike");
            return None;
        }
        at = at.saturating_add(share.length);
    }
    let range = |share: &Share| DistributionRange {
        io_percent: share.io_percent,
        from: share.from,
        length: share.length,
    };
    let ranges = shares.iter().map(range).collect();
    Some(if percent {
        Distribution::Percent(ranges)
    } else {
        Distribution::Absolute(ranges)
    })
}

/// What `-g` says of a limit, which is that of each thread in whole numbers.
fn cap(pacing: &Pacing, losses: &mut Losses) -> Throughput {
    let mut part = |limit: u64, parts: u64, loss: &str| {
        let whole = limit / parts.max(1);
        let exact = limit.is_multiple_of(parts.max(1)) && i32::try_from(whole).is_ok();
        losses.when(!exact, loss);
        whole.clamp(1, i32::MAX as u64) as u32
    };
    match *pacing {
        Pacing::CapBytes {
            per_second,
            shared_by,
        } => Throughput::BytesPerMs(part(
            per_second,
            u64::from(shared_by) * 1000,
            "limit: it is cut to whole bytes a millisecond",
        )),
        Pacing::CapOperations {
            per_second,
            shared_by,
        } => Throughput::Iops(part(
            per_second,
            shared_by.into(),
            "limit: the part of each thread is cut to whole I/Os",
        )),
        _ => Throughput::Unlimited,
    }
}

fn pacing(threads: u32, stream: &Stream, said: &mut Target, losses: &mut Losses) {
    // C integers.
    let int = |value: u64| value.clamp(1, i32::MAX as u64) as u32;
    match &stream.pacing {
        Pacing::Unlimited => {}
        Pacing::CapBytes { .. } | Pacing::CapOperations { .. } => {
            said.throughput = cap(&stream.pacing, losses);
        }
        Pacing::Burst {
            operations,
            pause,
            from,
        } => {
            losses.when(
                *from == PauseFrom::Completion,
                "bursts: the pause begins when all I/Os have completed; here when the last is \
                 issued",
            );
            let ms = pause.as_millis().min(u128::from(u64::MAX)) as u64;
            losses.when(
                std::time::Duration::from_millis(ms) != *pause || ms == 0,
                "bursts: the pause is rounded to whole milliseconds",
            );
            // Shared out to the threads.
            said.burst_size = Some(int(operations.saturating_mul(u64::from(threads))));
            said.think_time = Some(int(ms));
        }
        Pacing::Arrivals { per_second, .. } => {
            losses.add(
                "arrivals: I/Os are due at times of their own and their wait counts; here a limit \
                 (-g), counted from the start of each I/O",
            );
            said.throughput = Throughput::Iops(int(per_second.round() as u64));
        }
        Pacing::Gathered { per_second, .. } => {
            losses.add(
                "commits: records that wait are written together; here a limit (-g) of single \
                 writes",
            );
            said.throughput = Throughput::Iops(int(per_second.round() as u64));
        }
        Pacing::Waves {
            first,
            every,
            operations,
            backs_off_above,
        } => {
            losses.add(
                "waves: each is due at a time of its own; here the pause (-j) begins when a burst \
                 (-i) is done",
            );
            losses.when(!first.is_zero(), "waves: when the first is due");
            losses.when(
                backs_off_above.is_some(),
                "waves: fewer I/Os in flight while they are slow",
            );
            said.burst_size = Some(int(operations.saturating_mul(u64::from(threads))));
            said.think_time = Some(int(every.as_millis().min(u128::from(u64::MAX)) as u64));
        }
    }
}

/// What writes send. DiskSpd's own default is the pattern of bytes.
pub(super) fn payload(
    payload: &Payload,
    said: &mut Target,
    span: &mut TimeSpan,
    losses: &mut Losses,
) {
    match payload {
        Payload::Zeros => said.zero_buffers = true,
        Payload::BytePattern => {}
        Payload::Random => losses.add(
            "data: random bytes, drawn once; DiskSpd writes the bytes 0 to 255 again and again \
             (iogauge diskspd writes random bytes)",
        ),
        Payload::Stamped => {
            losses.add(
                "data: random bytes, no two writes alike; here all are drawn anew (-Zr), which \
                 takes more time",
            );
            span.random_write_data = true;
        }
        Payload::FreshRandom => span.random_write_data = true,
        Payload::Source { size, file } => {
            said.source_size = *size;
            said.source_path = file.as_ref().map(|path| path.clone().into_os_string());
        }
    }
}
