//! Operations up to a number of passes, and operations of a length of their own.

use super::*;

const MIB: u64 = 1 << 20;

fn offsets_within(sequencer: &mut Sequencer, slot: usize, passes: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    while let Some(next) = sequencer.next_within(slot, passes) {
        offsets.push(next.offset);
        assert!(offsets.len() < 10_000, "no end");
    }
    offsets
}

fn sequential() -> AccessPattern {
    AccessPattern::Sequential {
        stride: 65536,
        worker_offset: 0,
    }
}

#[test]
fn a_line_ends_after_its_passes() {
    let group = group(1, vec![stream(sequential(), BlockSizes::One(65536))]);
    let mut workers = sequencers(GENERATORS[1], &group, whole(MIB));
    let offsets = offsets_within(&mut workers[0], 0, 2);
    let once: Vec<u64> = (0..16).map(|block| block * 65536).collect();
    assert_eq!(offsets, [once.clone(), once].concat());
    assert_eq!(workers[0].next_within(0, 2), None, "and stays ended");
}

#[test]
fn each_slot_of_a_parallel_stream_has_passes_of_its_own() {
    let pattern = AccessPattern::Parallel {
        stride: 65536,
        worker_offset: 0,
    };
    let mut two = stream(pattern, BlockSizes::One(65536));
    two.queue_depth = 2;
    let mut workers = sequencers(GENERATORS[1], &group(1, vec![two]), whole(MIB));
    assert_eq!(offsets_within(&mut workers[0], 0, 1).len(), 16);
    assert_eq!(offsets_within(&mut workers[0], 1, 1).len(), 16);
}

#[test]
fn shared_cursors_end_for_all_workers_together() {
    let interlocked = AccessPattern::Interlocked { stride: 65536 };
    for pattern in [interlocked, AccessPattern::Append] {
        let group = group(2, vec![stream(pattern, BlockSizes::One(65536))]);
        let mut workers = sequencers(GENERATORS[1], &group, whole(MIB));
        let mut offsets = Vec::new();
        let mut ended = [false; 2];
        while ended != [true; 2] {
            for (worker, ended) in workers.iter_mut().zip(&mut ended) {
                match worker.next_within(0, 3) {
                    Some(next) => offsets.push(next.offset),
                    None => *ended = true,
                }
            }
        }
        assert_eq!(offsets.len(), 3 * 16);
    }
}

#[test]
fn grids_and_regions_end_and_drawn_patterns_do_not() {
    let grid = AccessPattern::Grid {
        rows: 4,
        columns: 4,
        again: false,
    };
    let regions = AccessPattern::Regions { alignment: 65536 };
    for pattern in [grid, regions] {
        let group = group(1, vec![stream(pattern, BlockSizes::One(65536))]);
        let mut workers = sequencers(GENERATORS[0], &group, whole(MIB));
        assert_eq!(offsets_within(&mut workers[0], 0, 2).len(), 32);
    }
    let drawn = random(4096, Distribution::Uniform);
    let group = group(1, vec![stream(drawn, BlockSizes::One(4096))]);
    let mut workers = sequencers(GENERATORS[0], &group, whole(8192));
    assert!((0..1000).all(|_| workers[0].next_within(0, 1).is_some()));
}

#[test]
fn without_an_end_in_sight_it_is_the_same_sequence() {
    for generator in GENERATORS {
        let mut mixed = stream(
            AccessPattern::Mixed {
                alignment: 4096,
                random_percent: 30,
                distribution: Distribution::Uniform,
            },
            BlockSizes::Weighted {
                read: vec![entry(4096, 3), entry(16384, 1)],
                write: vec![entry(8192, 1)],
            },
        );
        mixed.mix.write_percent = 40;
        let group = group(1, vec![mixed]);
        let mut plain = sequencers(generator, &group, whole(MIB));
        let mut limited = sequencers(generator, &group, whole(MIB));
        for _ in 0..1000 {
            assert_eq!(Some(plain[0].next(0)), limited[0].next_within(0, u64::MAX));
        }
    }
}

#[test]
fn operations_of_their_own_lengths_follow_each_other_without_gaps() {
    let mut log = stream(sequential(), BlockSizes::One(61440));
    log.mix.write_percent = 100;
    log.pacing = Pacing::Gathered {
        per_second: 1.0,
        poisson: false,
        record: 100,
        unit: 512,
    };
    let appending = Stream {
        pattern: AccessPattern::Append,
        ..log.clone()
    };
    for stream in [log, appending] {
        let mut workers = sequencers(GENERATORS[1], &group(1, vec![stream]), whole(65536));
        let mut next = |length| {
            let next = workers[0].next_of(0, length);
            assert_eq!(
                (next.direction, next.length),
                (crate::plan::Direction::Write, length)
            );
            next.offset
        };
        // The third does not fit behind 62,464 bytes.
        assert_eq!([next(1024), next(61440), next(4096)], [0, 1024, 0]);
        assert_eq!(next(512), 4096);
    }
}

#[test]
fn drawn_operations_of_any_length_stay_inside() {
    let mut drawn = stream(random(512, Distribution::Uniform), BlockSizes::One(61440));
    drawn.mix.write_percent = 100;
    let mut workers = sequencers(GENERATORS[1], &group(1, vec![drawn]), whole(65536));
    for blocks in (1..=120).cycle().take(10_000) {
        let next = workers[0].next_of(0, blocks * 512);
        assert!(next.offset + u64::from(next.length) <= 65536);
        assert_eq!(next.offset % 512, 0);
    }
}
