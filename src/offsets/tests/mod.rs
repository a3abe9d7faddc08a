//! The sequences against the original's record ([`traces`]), against the rules ([`properties`])
//! against the figures that a plan promises ([`figures`]), against theory ([`laws`]) and up to limits
//! ([`limits`]).

mod any;
mod figures;
mod grid;
mod laws;
mod limits;
mod properties;
mod shuffled;
mod traces;

use std::sync::Arc;

use super::{Next, SequenceError, Sequencer, SharedCursors, Window};
use crate::plan::{
    AccessPattern, Affinity, BlockSizes, Dispatch, Distribution, Generator, Pacing, Share, Stream,
    Target, TimeSpan, WeightedSize, WorkerGroup, fixtures,
};

const GENERATORS: [Generator; 2] = [
    Generator::DiskSpd { seed: 11 },
    Generator::Xoshiro { seed: 11 },
];

fn target(base: u64, end: Option<u64>) -> Target {
    Target {
        base,
        end,
        ..fixtures::target("d.dat", "d.dat")
    }
}

fn span(targets: Vec<Target>, group: WorkerGroup, generator: Generator) -> TimeSpan {
    TimeSpan {
        generator,
        ..fixtures::span(targets, vec![group])
    }
}

fn stream(pattern: AccessPattern, sizes: BlockSizes) -> Stream {
    let mut stream = fixtures::stream(0, pattern, sizes);
    stream.mix.write_percent = 0;
    stream.queue_depth = 1;
    stream
}

fn group(workers: u32, streams: Vec<Stream>) -> WorkerGroup {
    WorkerGroup {
        name: String::new(),
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
