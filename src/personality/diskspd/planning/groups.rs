//! Workers and their streams.

use std::time::Duration;

use super::{Places, place};
use crate::{
    personality::{
        diskspd::profile::{
            Distribution, DistributionRange, Pattern, Target, Throughput, TimeSpan,
        },
        settings::DataChoice,
    },
    plan::{
        self, AccessPattern, Affinity, Assembly, BlockSizes, Dispatch, FlushPolicy, OperationMix,
        Pacing, PauseFrom, Payload, Share, Stream, TargetIndex, WorkerGroup,
    },
};

/// The groups of a time span, in the order in which DiskSpd numbers threads.
///
/// # Errors
/// A sentence, if a thread would have nothing to do.
pub(super) fn groups(
    span: &TimeSpan,
    places: &Places,
    affinity: &Affinity,
    data: DataChoice,
) -> Result<Vec<WorkerGroup>, String> {
    let stream = |index: usize, target: &Target| stream(span, index, target, places, data);
    if span.thread_count == 0 {
        let group = |(i, target): (usize, &Target)| WorkerGroup {
            name: String::new(),
            workers: target.threads,
            affinity: affinity.clone(),
            streams: vec![stream(i, target)],
            dispatch: Dispatch::PerStream,
        };
        return Ok(span.targets.iter().enumerate().map(group).collect());
    }
    let mut groups: Vec<WorkerGroup> = Vec::new();
    let mut last: Option<Vec<(usize, u32)>> = None;
    let restricted = span.targets.iter().any(|t| !t.thread_targets.is_empty());
    if restricted && span.targets.iter().any(|t| t.thread_stride > 0) {
        return Err("ThreadStride and ThreadTargets cannot be used together here".to_owned());
    }
    for thread in 0..span.thread_count {
        let chosen = chosen(span, thread);
        if chosen.is_empty() {
            return Err(format!("thread {thread} has no target (ThreadTargets)"));
        }
        if last.as_ref() == Some(&chosen)
            && let Some(group) = groups.last_mut()
        {
            group.workers += 1;
            continue;
        }
        groups.push(WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: affinity.clone(),
            streams: chosen
                .iter()
                .map(|(i, _)| stream(*i, &span.targets[*i]))
                .collect(),
            dispatch: match span.request_count {
                0 => Dispatch::PerStream,
                queue_depth => Dispatch::Shared {
                    queue_depth,
                    weights: chosen.iter().map(|(_, weight)| *weight).collect(),
                },
            },
        });
        last = Some(chosen);
    }
    Ok(groups)
}

/// The targets of a thread in the pool, with their weights.
fn chosen(span: &TimeSpan, thread: u32) -> Vec<(usize, u32)> {
    let weight = |target: &Target| {
        if target.thread_targets.is_empty() {
            return Some(target.weight);
        }
        let entry = target.thread_targets.iter().find(|t| t.thread == thread)?;
        Some(match entry.weight {
            0 => target.weight,
            weight => weight,
        })
    };
    span.targets
        .iter()
        .enumerate()
        .filter_map(|(i, target)| Some((i, weight(target)?)))
        .collect()
}

fn stream(
    span: &TimeSpan,
    index: usize,
    target: &Target,
    places: &Places,
    data: DataChoice,
) -> Stream {
    Stream {
        target: TargetIndex(index),
        pattern: pattern(target),
        mix: OperationMix {
            write_percent: target.write_ratio,
            flush: FlushPolicy::Never,
        },
        sizes: BlockSizes::One(target.block_size),
        queue_depth: target.request_count,
        pacing: pacing(span, target),
        payload: payload(span, target, places, data),
        assembly: Assembly::Whole,
        copies: None,
    }
}

fn pattern(target: &Target) -> AccessPattern {
    let worker_offset = target.thread_stride;
    match target.pattern {
        Pattern::Sequential {
            interlocked: true, ..
        } => AccessPattern::Interlocked {
            stride: target.alignment(),
        },
        Pattern::Sequential { .. } if target.parallel => AccessPattern::Parallel {
            stride: target.alignment(),
            worker_offset,
        },
        Pattern::Sequential { .. } => AccessPattern::Sequential {
            stride: target.alignment(),
            worker_offset,
        },
        Pattern::Random { percent, .. } if percent < 100 => AccessPattern::Mixed {
            alignment: target.alignment(),
            random_percent: percent,
            distribution: distribution(target),
        },
        Pattern::Random { .. } => AccessPattern::Random {
            alignment: target.alignment(),
            distribution: distribution(target),
        },
    }
}

fn distribution(target: &Target) -> plan::Distribution {
    let share = |range: &DistributionRange| Share {
        io_percent: range.io_percent,
        from: range.from,
        length: range.length,
    };
    match &target.distribution {
        None => plan::Distribution::Uniform,
        Some(Distribution::Percent(ranges)) => {
            plan::Distribution::Percent(ranges.iter().map(share).collect())
        }
        Some(Distribution::Absolute(ranges)) => {
            plan::Distribution::Absolute(ranges.iter().map(share).collect())
        }
    }
}

/// A limit wins over bursts, as in the original.
fn pacing(span: &TimeSpan, target: &Target) -> Pacing {
    match target.throughput {
        Throughput::BytesPerMs(bytes) => Pacing::CapBytes {
            per_second: u64::from(bytes) * 1000,
            shared_by: 1,
        },
        Throughput::Iops(operations) => Pacing::CapOperations {
            per_second: u64::from(operations),
            shared_by: 1,
        },
        Throughput::Unlimited => match (target.burst_size, target.think_time) {
            (Some(burst), Some(pause)) => {
                let threads = match span.thread_count {
                    0 => target.threads,
                    threads => threads,
                };
                Pacing::Burst {
                    // The original blocks after every I/O where this comes to 0.
                    operations: u64::from(burst / threads.max(1)).max(1),
                    pause: Duration::from_millis(u64::from(pause)),
                    from: PauseFrom::Issue,
                }
            }
            _ => Pacing::Unlimited,
        },
    }
}

/// `-Z<size>` wins over `-Z`, and both over `-Zr`.
fn payload(span: &TimeSpan, target: &Target, places: &Places, data: DataChoice) -> Payload {
    if target.source_size > 0 {
        let file = target.source_path.as_ref();
        return Payload::Source {
            size: target.source_size,
            file: file
                .and_then(|name| place(places, name))
                .map(|p| p.path.clone()),
        };
    }
    if target.zero_buffers {
        return Payload::Zeros;
    }
    if span.random_write_data {
        return Payload::FreshRandom;
    }
    match data {
        DataChoice::Default | DataChoice::Random => Payload::Random,
        DataChoice::Zeros => Payload::Zeros,
        DataChoice::Original => Payload::BytePattern,
    }
}
