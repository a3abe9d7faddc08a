//! Random without repeats.

use std::collections::BTreeSet;

use super::*;

fn shuffled(workers: u32) -> WorkerGroup {
    let pattern = AccessPattern::Shuffled { alignment: 4096 };
    group(workers, vec![stream(pattern, BlockSizes::One(4096))])
}

fn offsets(sequencer: &mut Sequencer, count: usize) -> Vec<u64> {
    take(sequencer, count)
        .iter()
        .map(|next| next.offset)
        .collect()
}

#[test]
fn each_block_comes_once_a_pass_in_another_order_each_time() {
    for generator in GENERATORS {
        for blocks in [1, 2, 3, 100, 1000] {
            let mut worker =
                sequencers(generator, &shuffled(1), whole(blocks * 4096 + 100)).remove(0);
            assert_eq!(worker.passes(0), Some(0));
            let first = offsets(&mut worker, blocks as usize);
            assert_eq!(worker.passes(0), Some(1));
            let second = offsets(&mut worker, blocks as usize);
            assert_eq!(worker.passes(0), Some(2));
            let every: Vec<u64> = (0..blocks).map(|block| block * 4096).collect();
            for pass in [&first, &second] {
                let sorted: BTreeSet<u64> = pass.iter().copied().collect();
                assert!(sorted.iter().eq(&every), "{pass:?}");
            }
            if blocks >= 100 {
                assert_ne!(first, every);
                assert_ne!(first, second);
            }
        }
    }
}

#[test]
fn workers_share_each_pass() {
    let workers = sequencers(GENERATORS[1], &shuffled(3), whole(100 * 4096));
    let mut seen = BTreeSet::new();
    // Of 100 blocks 34, 33 and 33.
    for (mut worker, own) in workers.into_iter().zip([34, 33, 33]) {
        let pass = offsets(&mut worker, own);
        assert_eq!(worker.passes(0), Some(1));
        assert!(pass.into_iter().all(|offset| seen.insert(offset)));
        assert_eq!(worker.next_within(0, 1), None);
    }
    assert_eq!(seen.len(), 100);
}

#[test]
fn a_limit_of_passes_ends_it() {
    let mut worker = sequencers(GENERATORS[1], &shuffled(1), whole(50 * 4096)).remove(0);
    let within = std::iter::from_fn(|| worker.next_within(0, 3)).take(1000);
    assert_eq!(within.count(), 150);
}

#[test]
fn groups_and_streams_have_orders_of_their_own() {
    let pattern = AccessPattern::Shuffled { alignment: 4096 };
    let one = stream(pattern, BlockSizes::One(4096));
    let two = group(1, vec![one.clone(), one]);
    let cursors = Arc::new(SharedCursors::new(1));
    let windows = [whole(1 << 20); 2];
    let order = |absolute, slot| -> Vec<u64> {
        let sequencer = Sequencer::new(GENERATORS[1], &two, 0, absolute, &windows, &cursors);
        let mut sequencer = sequencer.expect("a sequence");
        (0..256).map(|_| sequencer.next(slot).offset).collect()
    };
    assert_eq!(order(0, 0), order(0, 0));
    assert_ne!(order(0, 0), order(0, 1));
    assert_ne!(order(0, 0), order(1, 0));
}

#[test]
fn more_workers_than_blocks_are_refused() {
    let refused = try_sequencers(GENERATORS[1], &shuffled(3), whole(2 * 4096));
    assert_eq!(
        refused.err(),
        Some(SequenceError::NoPosition {
            stream: 0,
            target: 0,
            worker: 2,
            positions: 2,
            workers: 3
        })
    );
}
