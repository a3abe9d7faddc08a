//! Shares, sizes and refusals as a plan states them.

use std::collections::BTreeSet;

use super::{
    GENERATORS, entry, group, random, sequencers, share, span, stream, take, target,
    try_sequencers, whole,
};
use crate::{
    offsets::{Next, PayloadUse, SequenceError, Window, window},
    plan::{AccessPattern, BlockSizes, Direction, Dispatch, Distribution, Payload, TargetIndex},
};

#[test]
fn interlocked_threads_really_share() {
    let pattern = AccessPattern::Interlocked { stride: 512 };
    let group = group(4, vec![stream(pattern, BlockSizes::One(512))]);
    let workers = sequencers(GENERATORS[1], &group, whole(512 * 4000));
    let offsets: Vec<u64> = std::thread::scope(|scope| {
        let handles: Vec<_> = workers
            .into_iter()
            .map(|mut worker| scope.spawn(move || take(&mut worker, 1000)))
            .collect();
        let all = handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("no panic"));
        all.map(|next| next.offset).collect()
    });
    let distinct: BTreeSet<u64> = offsets.iter().copied().collect();
    assert_eq!((offsets.len(), distinct.len()), (4000, 4000));
}

#[test]
fn uniform_random_reaches_every_position_alike() {
    for generator in GENERATORS {
        let pattern = random(4096, Distribution::Uniform);
        let group = group(1, vec![stream(pattern, BlockSizes::One(8192))]);
        let mut worker = sequencers(generator, &group, whole(11 * 4096)).remove(0);
        let mut counts = [0_u32; 10];
        for next in take(&mut worker, 100_000) {
            counts[(next.offset / 4096) as usize] += 1;
        }
        // Standard deviation 95.
        assert!(
            counts.iter().all(|&count| count.abs_diff(10_000) < 500),
            "{counts:?}"
        );
    }
}

#[test]
fn a_distribution_keeps_its_shares() {
    let shares = vec![
        share(70, 0, 10),
        share(0, 10, 20),
        share(25, 30, 30),
        share(5, 60, 40),
    ];
    for generator in GENERATORS {
        let pattern = random(4096, Distribution::Percent(shares.clone()));
        let group = group(1, vec![stream(pattern, BlockSizes::One(4096))]);
        let mut worker = sequencers(generator, &group, whole(1000 * 4096)).remove(0);
        let mut counts = [0_u32; 4];
        for next in take(&mut worker, 100_000) {
            let part = [100, 300, 600].partition_point(|end| end * 4096 <= next.offset);
            counts[part] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, wanted) in counts.iter().zip([70_000, 0, 25_000, 5_000]) {
            assert!(u32::abs_diff(*count, wanted) < 800, "{counts:?}");
        }
        let weights: Vec<u64> = worker.ranges(0).iter().map(|range| range.weight).collect();
        assert_eq!(weights, [70, 25, 5]);
    }
}

#[test]
fn a_mix_keeps_its_share_of_leaps_and_of_writes() {
    for generator in GENERATORS {
        let pattern = AccessPattern::Mixed {
            alignment: 4096,
            random_percent: 30,
            distribution: Distribution::Uniform,
        };
        let mut stream = stream(pattern, BlockSizes::One(4096));
        stream.mix.write_percent = 25;
        let mut worker = sequencers(generator, &group(1, vec![stream]), whole(1 << 40)).remove(0);
        let all = take(&mut worker, 100_000);
        let writes = all
            .iter()
            .filter(|next| next.direction == Direction::Write)
            .count();
        assert!(writes.abs_diff(25_000) < 1500, "{writes}");
        let follows = |pair: &&[Next]| pair[1].offset == pair[0].offset + 4096;
        let sequential: Vec<_> = all.windows(2).filter(follows).collect();
        assert!(
            sequential.len().abs_diff(70_000) < 800,
            "{}",
            sequential.len()
        );
        // What goes on does what was done before.
        assert!(
            sequential
                .iter()
                .all(|pair| pair[0].direction == pair[1].direction)
        );
    }
}

#[test]
fn weighted_sizes_keep_to_their_direction_and_weights() {
    for generator in GENERATORS {
        let sizes = BlockSizes::Weighted {
            read: vec![entry(8192, 80), entry(65_536, 20)],
            write: vec![entry(16_384, 1)],
        };
        let mut stream = stream(random(8192, Distribution::Uniform), sizes);
        stream.mix.write_percent = 50;
        let mut worker = sequencers(generator, &group(1, vec![stream]), whole(80 << 10)).remove(0);
        let all = take(&mut worker, 100_000);
        let count = |bytes, direction| {
            let fits = |next: &&Next| next.length == bytes && next.direction == direction;
            all.iter().filter(fits).count()
        };
        assert!(count(8192, Direction::Read).abs_diff(40_000) < 1000);
        assert!(count(65_536, Direction::Read).abs_diff(10_000) < 1000);
        assert!(count(16_384, Direction::Write).abs_diff(50_000) < 1000);
        // Each size reaches the end of the range: the last of 10, 3 and 9 places.
        for (bytes, last) in [(8192, 9), (65_536, 2), (16_384, 8)] {
            let of_size = all.iter().filter(|next| next.length == bytes);
            assert_eq!(of_size.map(|next| next.offset / 8192).max(), Some(last));
        }
    }
}

#[test]
fn sequential_sizes_leave_no_gaps() {
    let sizes = BlockSizes::Weighted {
        read: vec![entry(512, 1), entry(8192, 1)],
        write: Vec::new(),
    };
    let pattern = AccessPattern::Sequential {
        stride: 4096,
        worker_offset: 0,
    };
    let mut worker = sequencers(
        GENERATORS[1],
        &group(1, vec![stream(pattern, sizes)]),
        whole(1 << 30),
    )
    .remove(0);
    let mut end = 0;
    for next in take(&mut worker, 1000) {
        assert_eq!(next.offset, end);
        end += u64::from(next.length);
    }
}

#[test]
fn regions_share_the_range() {
    let pattern = AccessPattern::Regions { alignment: 1 << 20 };
    let group = group(3, vec![stream(pattern, BlockSizes::One(1 << 20))]);
    let workers = sequencers(GENERATORS[1], &group, whole(10 << 20));
    // 10 MiB by three, cut at whole MiB: 3, 3 and 4.
    let walked: Vec<Vec<u64>> = workers
        .into_iter()
        .map(|mut worker| {
            take(&mut worker, 5)
                .iter()
                .map(|next| next.offset >> 20)
                .collect()
        })
        .collect();
    assert_eq!(walked, [[0, 1, 2, 0, 1], [3, 4, 5, 3, 4], [6, 7, 8, 9, 6]]);
    assert!(matches!(
        try_sequencers(GENERATORS[1], &group, whole(5 << 19)),
        Err(SequenceError::RegionTooSmall {
            region: 0,
            workers: 3,
            ..
        })
    ));
}

#[test]
fn passes_end_when_nothing_more_fits() {
    let pattern = AccessPattern::Sequential {
        stride: 4096,
        worker_offset: 0,
    };
    let group_of = |pattern| group(1, vec![stream(pattern, BlockSizes::One(4096))]);
    let mut worker = sequencers(GENERATORS[1], &group_of(pattern), whole(3 * 4096)).remove(0);
    let passes: Vec<_> = (0..7)
        .map(|_| {
            worker.next(0);
            worker.passes(0)
        })
        .collect();
    assert_eq!(passes, [0, 0, 1, 1, 1, 2, 2].map(Some));
    let drawn = group_of(random(4096, Distribution::Uniform));
    assert_eq!(
        sequencers(GENERATORS[1], &drawn, whole(4096))[0].passes(0),
        None
    );
}

#[test]
fn a_pool_draws_its_targets_by_weight() {
    let pattern = random(4096, Distribution::Uniform);
    let streams = vec![stream(pattern, BlockSizes::One(4096)); 3];
    for generator in GENERATORS {
        for (weights, wanted) in [
            (vec![1, 1, 1], [33_333, 33_333, 33_333]),
            (vec![6, 0, 2], [75_000, 0, 25_000]),
            (vec![0, 0, 0], [33_333, 33_333, 33_333]),
        ] {
            let mut group = group(1, streams.clone());
            group.dispatch = Dispatch::Shared {
                queue_depth: 4,
                weights,
            };
            let mut worker = sequencers(generator, &group, whole(1 << 30)).remove(0);
            assert_eq!(worker.stream_of(0), None);
            let mut counts = [0_u32; 3];
            for next in take(&mut worker, 100_000) {
                counts[next.stream as usize] += 1;
            }
            let near = |(count, wanted): (&u32, u32)| count.abs_diff(wanted) < 800;
            assert!(counts.iter().zip(wanted).all(near), "{counts:?}");
        }
    }
}

#[test]
fn a_pool_with_one_target_draws_nothing_for_it() {
    let alone = group(
        1,
        vec![stream(
            random(4096, Distribution::Uniform),
            BlockSizes::One(4096),
        )],
    );
    let mut pool = alone.clone();
    pool.dispatch = Dispatch::Shared {
        queue_depth: 1,
        weights: vec![1],
    };
    let [mut alone, mut pool] =
        [alone, pool].map(|group| sequencers(GENERATORS[0], &group, whole(1 << 30)).remove(0));
    assert_eq!(pool.stream_of(0), Some(0));
    assert_eq!(take(&mut alone, 100), take(&mut pool, 100));
}

#[test]
fn a_source_is_used_at_whole_sectors_when_direct() {
    let mut stream = stream(random(4096, Distribution::Uniform), BlockSizes::One(4096));
    stream.mix.write_percent = 100;
    stream.payload = Payload::Source {
        size: 1 << 20,
        file: None,
    };
    let group = group(1, vec![stream]);
    for direct in [false, true] {
        let window = Window {
            direct,
            ..whole(1 << 30)
        };
        let mut worker = sequencers(GENERATORS[0], &group, window).remove(0);
        let offsets: Vec<u32> = take(&mut worker, 1000)
            .iter()
            .map(|next| match next.payload {
                PayloadUse::Source { offset } => offset,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(offsets.iter().all(|&offset| offset <= (1 << 20) - 4096));
        assert_eq!(offsets.iter().all(|offset| offset % 512 == 0), direct);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_numbers() {
    // As the recorded case e-T-toosmall has it: the second worker starts too late.
    let pattern = AccessPattern::Sequential {
        stride: 65_536,
        worker_offset: 1 << 20,
    };
    let group = group(2, vec![stream(pattern, BlockSizes::One(65_536))]);
    assert_eq!(
        try_sequencers(GENERATORS[0], &group, whole(1 << 20)).expect_err("too small"),
        SequenceError::TooSmall {
            stream: 0,
            target: 0,
            worker: 1,
            start: 1 << 20,
            block: 65_536,
            length: 1 << 20,
        }
    );
}

#[test]
fn a_window_ends_at_the_target_or_before() {
    let length = |base, end, size| window(&target(base, end), size).map(|window| window.length);
    assert_eq!(length(0, None, 1000), Ok(1000));
    assert_eq!(length(100, Some(300), 1000), Ok(200));
    assert_eq!(length(100, Some(3000), 1000), Ok(900));
    for (base, end, size) in [
        (1000, None, 1000),
        (2000, None, 1000),
        (0, None, 0),
        (5, Some(5), 9),
    ] {
        assert!(matches!(
            length(base, end, size),
            Err(SequenceError::BaseBeyondEnd { .. })
        ));
    }
}

#[test]
fn slots_are_numbered_stream_by_stream() {
    let mut streams = vec![stream(AccessPattern::Append, BlockSizes::One(512)); 2];
    streams[0].queue_depth = 2;
    streams[1].target = TargetIndex(1);
    let plan = span(
        vec![target(0, None), target(0, None)],
        group(1, streams),
        GENERATORS[0],
    );
    let worker = sequencers(plan.generator, &plan.groups[0], whole(4096)).remove(0);
    let streams: Vec<_> = (0..4).map(|slot| worker.stream_of(slot)).collect();
    assert_eq!(streams, [Some(0), Some(0), Some(1), None]);
}
