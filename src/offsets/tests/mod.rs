//! The sequences against the original's record ([`traces`]), against the rules ([`properties`])
//! and against the figures that a plan promises ([`figures`]).

mod figures;
mod properties;
mod traces;

use std::{sync::Arc, time::Duration};

use ioengine::{Access, Caching, Durability, registry::Polling};

use super::{Next, SequenceError, Sequencer, SharedCursors, Window};
use crate::plan::{
    AccessPattern, Affinity, BlockSizes, Counting, Dispatch, Distribution, FlushPolicy, Generator,
    Hints, OperationMix, Pacing, Payload, Priority, Share, Stop, Stream, Target, TargetIndex,
    ThrottleSleep, TimeSpan, WeightedSize, WorkerGroup,
};

const GENERATORS: [Generator; 2] = [
    Generator::DiskSpd { seed: 11 },
    Generator::Xoshiro { seed: 11 },
];

fn target(base: u64, end: Option<u64>) -> Target {
    Target {
        label: "d.dat".into(),
        path: "d.dat".into(),
        base,
        end,
        planned_size: None,
        access: Access::ReadWrite,
        caching: Caching::Buffered,
        durability: Durability::None,
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
    }
}

fn span(targets: Vec<Target>, group: WorkerGroup, generator: Generator) -> TimeSpan {
    TimeSpan {
        warmup: Duration::ZERO,
        stop: Stop {
            after: Some(Duration::from_secs(1)),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::CompletedInWindow,
        interval: Duration::from_secs(1),
        targets,
        groups: vec![group],
        generator,
        polling: Polling::default(),
        throttle_sleep: ThrottleSleep::Short,
    }
}

fn stream(pattern: AccessPattern, sizes: BlockSizes) -> Stream {
    Stream {
        target: TargetIndex(0),
        pattern,
        mix: OperationMix {
            write_percent: 0,
            flush: FlushPolicy::Never,
        },
        sizes,
        queue_depth: 1,
        pacing: Pacing::Unlimited,
        payload: Payload::Random,
        copies: None,
    }
}

fn group(workers: u32, streams: Vec<Stream>) -> WorkerGroup {
    WorkerGroup {
        workers,
        affinity: Affinity::None,
        streams,
        dispatch: Dispatch::PerStream,
    }
}

fn whole(length: u64) -> Window {
    Window {
        base: 0,
        length,
        direct: false,
    }
}

/// All workers of a group whose streams all have this window.
fn sequencers(generator: Generator, group: &WorkerGroup, window: Window) -> Vec<Sequencer> {
    try_sequencers(generator, group, window).expect("a sequence")
}

fn try_sequencers(
    generator: Generator,
    group: &WorkerGroup,
    window: Window,
) -> Result<Vec<Sequencer>, SequenceError> {
    let cursors = Arc::new(SharedCursors::new(3));
    let windows = vec![window; group.streams.len()];
    (0..group.workers)
        .map(|worker| Sequencer::new(generator, group, worker, worker, &windows, &cursors))
        .collect()
}

fn take(sequencer: &mut Sequencer, count: usize) -> Vec<Next> {
    (0..count).map(|_| sequencer.next(0)).collect()
}

fn random(alignment: u64, distribution: Distribution) -> AccessPattern {
    AccessPattern::Random {
        alignment,
        distribution,
    }
}

fn share(io_percent: u32, from: u64, length: u64) -> Share {
    Share {
        io_percent,
        from,
        length,
    }
}

fn entry(bytes: u32, weight: u32) -> WeightedSize {
    WeightedSize { bytes, weight }
}
