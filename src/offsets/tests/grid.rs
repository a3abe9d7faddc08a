//! The order in which SQLIO goes over a striped file, by its specification's table and arithmetic.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{GENERATORS, group, sequencers, span, stream, take, target, try_sequencers, whole};
use crate::{
    offsets::{SequenceError, Sequencer, preview, render_preview},
    plan::{AccessPattern, BlockSizes, Dispatch, WorkerGroup},
};

const BLOCK: u64 = 65536;

fn grid(rows: u64, columns: u64) -> AccessPattern {
    AccessPattern::Grid {
        rows,
        columns,
        again: false,
    }
}

fn workers(count: u32, pattern: AccessPattern) -> WorkerGroup {
    group(count, vec![stream(pattern, BlockSizes::One(BLOCK as u32))])
}

/// `-f64 -i64`: 4096 blocks.
fn sixty_four(count: u32) -> Vec<Sequencer> {
    sequencers(
        GENERATORS[0],
        &workers(count, grid(64, 64)),
        whole(4096 * BLOCK),
    )
}

fn blocks(sequencer: &mut Sequencer, count: usize) -> Vec<u64> {
    let next = take(sequencer, count);
    next.iter().map(|next| next.offset / BLOCK).collect()
}

/// The blocks of these columns of 64 rows of 64, run after run.
fn runs(columns: std::ops::Range<u64>) -> Vec<u64> {
    columns
        .flat_map(|column| (0..64).map(move |row| row * 64 + column))
        .collect()
}

#[test]
fn one_thread_goes_down_every_column() {
    let order = blocks(&mut sixty_four(1)[0], 4098);
    assert_eq!(order[..3], [0, 64, 128]);
    assert_eq!(order[63..66], [4032, 1, 65]);
    assert_eq!(order[127], 4033);
    assert_eq!(order[4032..4034], [63, 127]);
    assert_eq!(order[4095..], [4095, 0, 64]);
    assert_eq!(order[..4096], runs(0..64));
}

#[test]
fn two_threads_own_half_of_the_columns_each() {
    let mut both = sixty_four(2);
    let first = blocks(&mut both[0], 2050);
    assert_eq!(first[63..65], [4032, 1]);
    assert_eq!(first[1984..1986], [31, 95]);
    assert_eq!(first[2047..], [4063, 0, 64]);
    assert_eq!(first[..2048], runs(0..32));
    let second = blocks(&mut both[1], 2049);
    assert_eq!(second[..2], [32, 96]);
    assert_eq!(second[63..65], [4064, 33]);
    assert_eq!(second[2047..], [4095, 32]);
    assert_eq!(second[..2048], runs(32..64));
}

#[test]
fn three_threads_share_at_whole_columns() {
    // 64 / 3 = 21.3 and 2 * 64 / 3 = 42.7, cut.
    let mut three = sixty_four(3);
    for (sequencer, columns) in three.iter_mut().zip([0..21, 21..42, 42..64]) {
        let wanted = runs(columns);
        assert_eq!(blocks(sequencer, wanted.len()), wanted);
        assert_eq!(blocks(sequencer, 1), wanted[..1]);
    }
}

#[test]
fn as_many_threads_as_columns_repeat_their_one_run() {
    for (column, sequencer) in (0..).zip(&mut sixty_four(64)) {
        let run = runs(column..column + 1);
        assert_eq!(blocks(sequencer, 128), [run.clone(), run].concat());
    }
}

#[test]
fn one_column_is_sequential() {
    let workers = workers(1, grid(2_000_000, 1));
    let window = whole(2_000_000 * BLOCK);
    let mut one = sequencers(GENERATORS[0], &workers, window);
    let order = blocks(&mut one[0], 2_000_001);
    assert!(order[..2_000_000].iter().copied().eq(0..2_000_000));
    assert_eq!(order[2_000_000], 0);
}

#[test]
fn the_old_fault_repeats_the_first_run_of_each_part() {
    let pattern = AccessPattern::Grid {
        rows: 64,
        columns: 64,
        again: true,
    };
    let mut both = sequencers(GENERATORS[0], &workers(2, pattern), whole(4096 * BLOCK));
    for (sequencer, column) in both.iter_mut().zip([0, 32]) {
        let run = runs(column..column + 1);
        assert_eq!(blocks(sequencer, 128), [run.clone(), run].concat());
        assert_eq!(sequencer.passes(0), Some(2));
    }
}

#[test]
fn a_pass_is_over_with_its_last_block() {
    let mut both = sixty_four(2);
    take(&mut both[1], 2047);
    assert_eq!(both[1].passes(0), Some(0));
    take(&mut both[1], 1);
    assert_eq!(both[1].passes(0), Some(1));
    take(&mut both[1], 2047);
    assert_eq!(both[1].passes(0), Some(1));
    take(&mut both[1], 1);
    assert_eq!(both[1].passes(0), Some(2));
}

#[test]
fn all_slots_of_a_worker_share_its_walk() {
    let mut group = workers(2, grid(4, 4));
    group.streams[0].queue_depth = 3;
    let mut both = sequencers(GENERATORS[0], &group, whole(16 * BLOCK));
    let mut order = |slots: [usize; 5]| slots.map(|slot| both[1].next(slot).offset / BLOCK);
    assert_eq!(order([0, 1, 2, 2, 0]), [2, 6, 10, 14, 3]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let made = |count, rows, columns, length| {
        let group = workers(count, grid(rows, columns));
        try_sequencers(GENERATORS[0], &group, whole(length)).map(|_| ())
    };
    assert!(made(4, 4, 4, 16 * BLOCK).is_ok());
    assert!(matches!(
        made(4, 4, 4, 16 * BLOCK - 1),
        Err(SequenceError::GridTooLarge { .. })
    ));
    assert!(matches!(
        made(1, u64::MAX, u64::MAX, u64::MAX),
        Err(SequenceError::GridTooLarge { .. })
    ));
    assert!(matches!(
        made(5, 4, 4, 16 * BLOCK),
        Err(SequenceError::NoColumn { worker: 0, .. })
    ));
}

#[test]
fn streams_in_turn_are_previewed_in_turn() {
    let first = stream(grid(2, 2), BlockSizes::One(4096));
    let mut second = first.clone();
    second.target = crate::plan::TargetIndex(1);
    second.queue_depth = 7;
    let mut group = group(1, vec![first, second]);
    group.dispatch = Dispatch::InTurn;
    assert_eq!(group.slots(), 1);
    let span = span(
        vec![target(0, None), target(8192, None)],
        group,
        GENERATORS[0],
    );
    let rows = preview(&span, &[16384, 24576], 5).expect("a sequence");
    assert_eq!(
        render_preview(&rows),
        "thread\ttarget\top\toffset\n\
         0\t0\tread\t0\n\
         0\t1\tread\t8192\n\
         0\t0\tread\t8192\n\
         0\t1\tread\t16384\n\
         0\t0\tread\t4096\n"
    );
}

proptest! {
    /// Each worker covers its own part once a pass, and all of them the grid.
    #[test]
    fn every_block_is_visited_once_a_pass(
        rows in 1_u64..20,
        columns in 1_u64..20,
        count in 1_u32..20,
        passes in 1_usize..4,
    ) {
        let group = workers(count, grid(rows, columns));
        let made = try_sequencers(GENERATORS[1], &group, whole(rows * columns * BLOCK));
        prop_assert_eq!(made.is_ok(), u64::from(count) <= columns);
        let mut seen = BTreeMap::new();
        for (worker, sequencer) in (0..).zip(&mut made.unwrap_or_default()) {
            let border = |worker: u64| worker * columns / u64::from(count);
            let part = (border(worker + 1) - border(worker)) * rows;
            for pass in 0..passes {
                prop_assert_eq!(sequencer.passes(0), Some(pass as u64));
                let mut once = blocks(sequencer, part as usize);
                for block in &once {
                    *seen.entry(*block).or_insert(0) += 1;
                }
                once.sort_unstable();
                once.dedup();
                prop_assert_eq!(once.len() as u64, part);
            }
            prop_assert_eq!(sequencer.passes(0), Some(passes as u64));
        }
        if u64::from(count) <= columns {
            prop_assert!(seen.keys().copied().eq(0..rows * columns));
            prop_assert!(seen.values().all(|times| *times == passes));
        }
    }
}
