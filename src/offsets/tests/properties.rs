//! What must hold for every plan.

use std::{collections::BTreeSet, sync::Arc};

use proptest::{prelude::*, sample::select};

use super::{GENERATORS, entry, group, random, sequencers, share, stream, try_sequencers, whole};
use crate::{
    offsets::{PayloadUse, Sequencer, SharedCursors, Window},
    plan::{
        AccessPattern, Affinity, BlockSizes, Dispatch, Distribution, Payload, Ranks, Skew, Stream,
        TargetIndex, WorkerGroup,
    },
};

fn any_distribution() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        Just(Distribution::Uniform),
        (0_u32..=100, 1_u64..100, 0_u64..3).prop_map(|(io, border, hole)| {
            Distribution::Percent(vec![
                share(io, 0, border),
                share(100 - io, border + hole, 100 - border),
            ])
        }),
        (0_u32..=100, 1_u64..200_000).prop_map(|(io, border)| {
            Distribution::Absolute(vec![share(io, 0, border), share(100 - io, border, 0)])
        }),
        (any_figure(), any_figure()).prop_map(|(figure, percent)| Distribution::Ranked {
            skew: Skew::Zipf(figure),
            ranks: Ranks::ScatteredFrom(percent),
        }),
        any_figure().prop_map(|h| Distribution::Ranked {
            skew: Skew::Pareto(h),
            ranks: Ranks::Scattered,
        }),
        (any_figure(), any_figure()).prop_map(|(deviation_percent, centre_percent)| {
            Distribution::Normal {
                deviation_percent,
                centre_percent,
            }
        }),
    ]
}

fn any_figure() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..1.0, 0.0..100.0, any::<f64>()]
}

fn any_pattern() -> impl Strategy<Value = AccessPattern> {
    let distance = || select(vec![0_u64, 1, 512, 4096, 5000, 1 << 20, u64::MAX]);
    prop_oneof![
        (distance(), distance()).prop_map(|(stride, worker_offset)| AccessPattern::Sequential {
            stride,
            worker_offset
        }),
        distance().prop_map(|stride| AccessPattern::Interlocked { stride }),
        (distance(), distance()).prop_map(|(stride, worker_offset)| AccessPattern::Parallel {
            stride,
            worker_offset
        }),
        (distance(), any_distribution())
            .prop_map(|(alignment, distribution)| random(alignment, distribution)),
        (distance(), 0_u32..120, any_distribution()).prop_map(
            |(alignment, random_percent, distribution)| AccessPattern::Mixed {
                alignment,
                random_percent,
                distribution
            }
        ),
        distance().prop_map(|alignment| AccessPattern::Shuffled { alignment }),
        distance().prop_map(|alignment| AccessPattern::Regions { alignment }),
        (0_u64..40, 0_u64..40, any::<bool>()).prop_map(|(rows, columns, again)| {
            AccessPattern::Grid {
                rows,
                columns,
                again,
            }
        }),
        Just(AccessPattern::Append),
    ]
}

fn any_sizes() -> impl Strategy<Value = BlockSizes> {
    let entries = || {
        proptest::collection::vec(
            (0_u32..100_000, 0_u32..5).prop_map(|(b, w)| entry(b, w)),
            0..4,
        )
    };
    prop_oneof![
        (0_u32..100_000).prop_map(BlockSizes::One),
        (entries(), entries()).prop_map(|(read, write)| BlockSizes::Weighted { read, write }),
    ]
}

fn any_payload() -> impl Strategy<Value = Payload> {
    prop_oneof![
        Just(Payload::Random),
        Just(Payload::FreshRandom),
        select(vec![0_u64, 4096, 1 << 20, 1 << 40])
            .prop_map(|size| Payload::Source { size, file: None }),
    ]
}

fn any_stream() -> impl Strategy<Value = Stream> {
    let numbers = (0_usize..3, 0_u32..120, 0_u32..4);
    (any_pattern(), any_sizes(), any_payload(), numbers).prop_map(
        |(pattern, sizes, payload, (target, write_percent, queue_depth))| {
            let mut stream = stream(pattern, sizes);
            stream.target = TargetIndex(target);
            stream.mix.write_percent = write_percent;
            stream.queue_depth = queue_depth;
            stream.payload = payload;
            stream
        },
    )
}

fn any_dispatch() -> impl Strategy<Value = Dispatch> {
    prop_oneof![
        Just(Dispatch::PerStream),
        Just(Dispatch::InTurn),
        (0_u32..5, proptest::collection::vec(0_u32..4, 0..4)).prop_map(|(queue_depth, weights)| {
            Dispatch::Shared {
                queue_depth,
                weights,
            }
        }),
    ]
}

fn any_group() -> impl Strategy<Value = WorkerGroup> {
    let streams = proptest::collection::vec(any_stream(), 1..4);
    (1_u32..4, streams, any_dispatch()).prop_map(|(workers, streams, dispatch)| WorkerGroup {
        name: String::new(),
        workers,
        affinity: Affinity::None,
        streams,
        dispatch,
    })
}

/// What the offsets of a stream are multiples of, where the plan says so.
fn alignment_of(stream: &Stream) -> u64 {
    match (&stream.pattern, &stream.sizes) {
        (AccessPattern::Random { alignment, .. } | AccessPattern::Shuffled { alignment }, _)
        | (AccessPattern::Mixed { alignment, .. }, BlockSizes::One(_)) => (*alignment).max(1),
        (AccessPattern::Interlocked { stride }, _) => (*stride).max(1),
        _ => 1,
    }
}

proptest! {
    /// Whatever a plan says, valid or not: nothing panics, and no I/O leaves its window.
    #[test]
    fn offsets_stay_in_their_window_and_aligned(
        group in any_group(),
        base in 0_u64..10_000,
        length in prop_oneof![1_u64..400_000, Just(1 << 62)],
        direct: bool,
        which in 0_usize..2,
    ) {
        let window = Window { base, length, direct };
        if let Ok(mut workers) = try_sequencers(GENERATORS[which], &group, window) {
            for worker in &mut workers {
                for operation in 0..60_usize {
                    let next = worker.next(operation % group.slots().max(1) as usize);
                    let stream = &group.streams[next.stream as usize];
                    prop_assert!(next.offset >= base);
                    prop_assert!(next.offset - base + u64::from(next.length) <= length);
                    prop_assert_eq!((next.offset - base) % alignment_of(stream), 0);
                    match (next.payload, &stream.payload) {
                        (PayloadUse::Own, _) => {}
                        (PayloadUse::Fresh, Payload::FreshRandom) => worker.fill(None, next.length),
                        (PayloadUse::Source { offset }, Payload::Source { size, .. }) => {
                            let room = size.saturating_sub(u64::from(next.length));
                            prop_assert!(u64::from(offset) <= room);
                            prop_assert!(!direct || offset % 512 == 0);
                        }
                        (other, payload) => prop_assert!(false, "{other:?} for {payload:?}"),
                    }
                }
                for stream in 0..group.streams.len() {
                    let _ = (worker.passes(stream), worker.ranges(stream));
                }
            }
        }
    }

    /// The sequential rule as the specification words it, computed with plain numbers.
    #[test]
    fn sequential_wraps_as_specified(
        block in 1_u64..5000,
        stride in 1_u64..9000,
        offset in 0_u64..20_000,
        worker in 0_u32..4,
        length in 5000_u64..100_000,
    ) {
        let pattern = AccessPattern::Sequential { stride, worker_offset: offset };
        let group = group(4, vec![stream(pattern, BlockSizes::One(block as u32))]);
        let start = u64::from(worker) * offset;
        let cursors = Arc::new(SharedCursors::new(1));
        let made = Sequencer::new(GENERATORS[0], &group, worker, worker, &[whole(length)], &cursors);
        prop_assert_eq!(made.is_ok(), start + block <= length);
        if let Ok(mut sequencer) = made {
            let mut expected = start;
            for _ in 0..100 {
                prop_assert_eq!(sequencer.next(0).offset, expected);
                expected += stride;
                if expected + block > length {
                    expected = start % stride;
                }
            }
        }
    }

    /// The workers take every position once in each pass, whoever comes first.
    #[test]
    fn interlocked_covers_every_position_once(
        turns in proptest::collection::vec(0_usize..3, 0..300),
        blocks in 1_u64..40,
    ) {
        let pattern = AccessPattern::Interlocked { stride: 4096 };
        let group = group(3, vec![stream(pattern, BlockSizes::One(4096))]);
        let mut workers = sequencers(GENERATORS[1], &group, whole(blocks * 4096 + 100));
        let offsets: Vec<u64> = turns.iter().map(|&who| workers[who].next(0).offset).collect();
        for pass in offsets.chunks_exact(blocks as usize) {
            let seen: BTreeSet<u64> = pass.iter().copied().collect();
            prop_assert_eq!(seen.len() as u64, blocks);
        }
        prop_assert_eq!(workers[0].passes(0), Some(turns.len() as u64 / blocks));
    }

    /// Between two laps no byte of a log is written twice.
    #[test]
    fn appends_never_overlap_in_a_lap(turns in proptest::collection::vec(0_usize..3, 1..300)) {
        let sizes = BlockSizes::Weighted {
            read: Vec::new(),
            write: vec![entry(512, 3), entry(4096, 2), entry(61_440, 1)],
        };
        let group = group(3, vec![stream(AccessPattern::Append, sizes)]);
        let mut workers = sequencers(GENERATORS[1], &group, whole(200_000));
        let mut end = 0;
        for who in turns {
            let next = workers[who].next(0);
            prop_assert!(next.offset == end || next.offset == 0);
            prop_assert!(next.offset == end || end + u64::from(next.length) > 200_000);
            end = next.offset + u64::from(next.length);
        }
    }
}
