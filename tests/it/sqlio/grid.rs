//! Where I/Os go, as the kernel sees it: the grid of the striped order, the shared cursor of the
//! sequential one, files in turn; and that `explain` says the same.

use std::collections::BTreeMap;

use super::seen::{Moved, each, explained, moved, of_worker, traced};
use crate::util::{self, Dir};

/// Blocks of the default size.
const BLOCK: u64 = 2048;

/// A striped load, and the blocks that its threads visit.
struct Grid {
    rows: u64,
    columns: u64,
    start: u64,
    threads: u64,
    again: bool,
}

const PLAIN: Grid = Grid {
    rows: 64,
    columns: 64,
    start: 0,
    threads: 1,
    again: false,
};

impl Grid {
    fn line(&self) -> String {
        let again = if self.again { " -v1.1.1" } else { "" };
        format!(
            "-kR -s1 -BY -t{} -f{} -i{} -S{}{again} f",
            self.threads, self.columns, self.rows, self.start
        )
    }

    /// The first blocks of a thread: its columns from the left, each from the top, over and over.
    fn blocks(&self, thread: u64, count: usize) -> Vec<u64> {
        let bound = |thread: u64| thread * self.columns / self.threads;
        let last = if self.again {
            bound(thread) + 1
        } else {
            bound(thread + 1)
        };
        let columns: Vec<u64> = (bound(thread)..last).collect();
        let run =
            |column: u64| (0..self.rows).map(move |row| self.start + row * self.columns + column);
        let all = columns.iter().cycle().flat_map(|column| run(*column));
        all.take(count).collect()
    }

    /// Compares a run and its explanation with the grid.
    #[track_caller]
    fn check(&self, least: usize) {
        let dir = Dir::new();
        let blocks = self.start + self.rows * self.columns;
        dir.file("f", (blocks * BLOCK) as usize);
        let line = self.line();
        let Some(trace) = traced(&dir, &line, &[]) else {
            return;
        };
        let seen = moved(&trace);
        let listed = explained(&dir, &line, least);
        for thread in 0..self.threads {
            let offsets = of_worker(&seen, thread as usize);
            assert!(
                offsets.len() >= least,
                "{line}: {} of thread {thread}",
                offsets.len()
            );
            let bytes = |blocks: Vec<u64>| blocks.iter().map(|b| b * BLOCK).collect::<Vec<_>>();
            let wanted = bytes(self.blocks(thread, offsets.len()));
            let wrong = wanted.iter().zip(&offsets).position(|(w, o)| w != o);
            assert_eq!(wrong, None, "{line}: thread {thread}, I/O number");
            let told = listed.iter().filter(|row| row.0 as u64 == thread);
            let told: Vec<u64> = told.map(|row| row.3).collect();
            assert_eq!(told, wanted[..least], "{line}: thread {thread}");
        }
    }
}

/// The table of the documented example, in blocks: `-f64 -i64`.
#[test]
fn the_grid_of_these_tests_is_the_documented_one() {
    let two = Grid {
        threads: 2,
        ..PLAIN
    };
    let one = PLAIN.blocks(0, 4097);
    assert_eq!(one[..3], [0, 64, 128]);
    assert_eq!(one[63..66], [4032, 1, 65]);
    assert_eq!((one[4095], one[4096]), (4095, 0));
    let first = two.blocks(0, 2049);
    assert_eq!(
        (first[63], first[64], first[2047], first[2048]),
        (4032, 1, 4063, 0)
    );
    let second = two.blocks(1, 2049);
    assert_eq!(second[..2], [32, 96]);
    assert_eq!(
        (second[63], second[64], second[2047], second[2048]),
        (4064, 33, 4095, 32)
    );
    let sequential = Grid {
        rows: 5,
        columns: 1,
        ..PLAIN
    };
    assert_eq!(sequential.blocks(0, 7), [0, 1, 2, 3, 4, 0, 1]);
    let again = Grid {
        again: true,
        ..PLAIN
    };
    assert_eq!(again.blocks(0, 66)[62..], [3968, 4032, 0, 64]);
}

#[test]
fn threads_share_the_columns() {
    let _turn = util::busy();
    // More than a whole turn of each thread, but for the documented example's 2048.
    let grids = [
        (
            Grid {
                threads: 2,
                ..PLAIN
            },
            200,
        ),
        (
            Grid {
                rows: 3,
                columns: 4,
                ..PLAIN
            },
            30,
        ),
        // Bounds 0, 2, 5 and 8: three does not divide eight.
        (
            Grid {
                rows: 4,
                columns: 8,
                threads: 3,
                ..PLAIN
            },
            30,
        ),
        (
            Grid {
                rows: 2,
                columns: 64,
                threads: 64,
                ..PLAIN
            },
            5,
        ),
    ];
    each(&grids, |(grid, least)| grid.check(*least));
}

#[test]
fn one_column_is_sequential_and_the_start_moves_all_of_it() {
    let _turn = util::busy();
    let grids = [
        Grid {
            rows: 50,
            columns: 1,
            ..PLAIN
        },
        Grid {
            rows: 3,
            columns: 4,
            start: 5,
            threads: 2,
            ..PLAIN
        },
        Grid {
            rows: 3,
            columns: 4,
            threads: 2,
            again: true,
            ..PLAIN
        },
    ];
    each(&grids, |grid| grid.check(60));
}

#[test]
fn more_threads_than_columns_are_refused() {
    let dir = Dir::new();
    let output = util::run(&mut dir.sqlio("-kR -s1 -f2 -t3 f"));
    output.expect_code(1);
    assert!(
        output.stderr.contains("-f2") && output.stderr.contains("-t3"),
        "{output:#?}"
    );
    assert!(
        output.stdout.is_empty() && dir.names().is_empty(),
        "{output:#?}"
    );
}

/// A file of 40 blocks and some bytes that are no whole one.
fn odd_file() -> Dir {
    let dir = Dir::new();
    dir.file("f", 40 * 2048 + 100);
    dir
}

/// A thread alone shows the order; of several, each block is still visited as often as any other.
#[test]
fn sequential_threads_share_a_cursor_on_each_file() {
    let _turn = util::busy();
    let cases = [
        ("-kR -s1 -BY -fsequential f", 0),
        ("-kR -s1 -BY -fsequential -S7 f", 7),
    ];
    each(&cases, |&(line, first)| {
        let dir = odd_file();
        let Some(trace) = traced(&dir, line, &[]) else {
            return;
        };
        let offsets = of_worker(&moved(&trace), 0);
        assert!(offsets.len() > 100, "{line}");
        let blocks = (first..40).cycle().map(|block| block * BLOCK);
        let wanted: Vec<u64> = blocks.take(offsets.len()).collect();
        assert!(wanted == offsets, "{line}: {:?}", &offsets[..50]);
        let told = explained(&dir, line, 100);
        let told: Vec<u64> = told.iter().map(|row| row.3).collect();
        assert_eq!(told, wanted[..100], "{line}");
    });
    let dir = odd_file();
    let Some(trace) = traced(&dir, "-kR -s1 -BY -t3 -fsequential f", &[]) else {
        return;
    };
    let seen = moved(&trace);
    let mut visits: BTreeMap<u64, usize> = (0..40).map(|block| (block * BLOCK, 0)).collect();
    for moved in &seen {
        *visits.get_mut(&moved.offset).expect("a whole block") += 1;
    }
    let (least, most) = (visits.values().min(), visits.values().max());
    // A thread may have taken a block that it had no time for.
    assert!(
        most.zip(least).is_some_and(|(m, l)| m - l <= 2),
        "{visits:?}"
    );
    let own = of_worker(&seen, 0);
    assert!(own.len() < seen.len(), "one thread did everything");
}

#[test]
fn random_blocks_are_whole_within_and_everywhere() {
    let _turn = util::busy();
    let cases = [
        ("-kR -s1 -BY -frandom -t2 f", 0),
        ("-kR -s1 -BY -frandom -S30 f", 30),
    ];
    each(&cases, |&(line, first)| {
        let dir = odd_file();
        let Some(trace) = traced(&dir, line, &[]) else {
            return;
        };
        let mut offsets: Vec<u64> = moved(&trace).iter().map(|moved| moved.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let wanted: Vec<u64> = (first..40).map(|block| block * BLOCK).collect();
        // Thousands of draws miss none of 40.
        assert_eq!(offsets, wanted, "{line}");
    });
}

#[test]
fn a_thread_takes_its_files_in_turn() {
    let _turn = util::busy();
    let cases = [
        ("-kR -s1 -BY -t2 -fsequential a b c", false),
        ("-kR -s1 -BY -t2 -f4 -i10 a b c", true),
    ];
    each(&cases, |&(line, own)| {
        let dir = Dir::new();
        for name in ["a", "b", "c"] {
            dir.file(name, 40 * 2048);
        }
        let Some(trace) = traced(&dir, line, &[]) else {
            return;
        };
        let seen = moved(&trace);
        for worker in 0..2 {
            let mine: Vec<&Moved> = seen.iter().filter(|moved| moved.worker == worker).collect();
            assert!(mine.len() > 60, "{line}: {}", mine.len());
            let turn = ["a", "b", "c"].into_iter().cycle();
            let wrong = mine
                .iter()
                .zip(turn)
                .position(|(moved, file)| moved.file != file);
            assert_eq!(wrong, None, "{line}: thread {worker}");
            // On the grid each file has the same place in its own order.
            let rounds = mine.chunks_exact(3);
            assert!(
                !own || { rounds }.all(|round| round.iter().all(|m| m.offset == round[0].offset)),
                "{line}: thread {worker}"
            );
        }
    });
}
