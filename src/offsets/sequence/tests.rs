//! The sequences against recorded calls of the originals.

use std::{fs, path::Path};

use super::{Exhausted, SharedRequest, SharedRequests, WorkerDraws};
use crate::plan::{
    AtEnd, Counted, Direction, Draws, Flushes, Operations, Order, Payload, SharedSequence, Verify,
    Watch,
};

/// Calls of a recorded trace on the test files: call, file, offset, size.
fn recorded(name: &str) -> Vec<(String, u32, u64, u64)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/sysbench/traces");
    let text = fs::read_to_string(folder.join(format!("{name}.tsv"))).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with(['#', 'n']));
    rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |cell: &str| cell.parse().unwrap_or(0);
        let file = cells[2].rsplit('.').next().unwrap().parse().unwrap();
        matches!(cells[1], "pread64" | "pwrite64" | "fsync").then(|| {
            (
                cells[1].to_owned(),
                file,
                number(cells[3]),
                number(cells[4]),
            )
        })
    })
    .collect()
}

fn sequence(order: Order, operations: Operations, file_size: u64) -> SharedSequence {
    SharedSequence {
        workers: 1,
        file_size,
        order,
        operations,
        flushes: Flushes {
            data_only: false,
            round_every: Some(10),
            after_write: false,
            at_end: AtEnd::EveryWorker,
            are_events: true,
        },
        backlog: None,
        verify: Verify::Off,
        payload: Payload::Zeros,
        arrivals_per_second: None,
        watch: Watch::default(),
        grace: None,
    }
}

fn xoroshiro(seed: u32, draw_after_event: bool, span: u64) -> Order {
    Order::Random {
        block: 16384,
        span,
        draws: Draws::Xoroshiro {
            seed,
            draw_after_event,
        },
    }
}

fn ratio(counted: Counted) -> Operations {
    Operations::Ratio {
        reads_per_write: 1.5,
        counted,
    }
}

/// The calls of one worker, with the flushes of a 1.0 worker's end.
fn calls(
    sequence: &SharedSequence,
    files: usize,
    limit: Option<u64>,
) -> Vec<(String, u32, u64, u64)> {
    let mut requests = SharedRequests::new(sequence, files, limit, false);
    let mut draws = WorkerDraws::of(sequence).remove(0);
    let mut calls = Vec::new();
    while let Ok(request) = requests.next(&mut draws) {
        calls.push(match request {
            SharedRequest::Transfer {
                direction,
                file,
                offset,
                length,
            } => {
                requests.completed(direction);
                let call = match direction {
                    Direction::Read => "pread64",
                    Direction::Write => "pwrite64",
                };
                (call.to_owned(), file, offset, u64::from(length))
            }
            SharedRequest::Flush { file, .. } => ("fsync".to_owned(), file, 0, 0),
        });
        draws.after_event();
    }
    if sequence.operations.write() && sequence.flushes.at_end == AtEnd::EveryWorker {
        calls.extend((0..files).map(|file| ("fsync".to_owned(), file as u32, 0, 0)));
    }
    calls
}

const FILE: u64 = 256 << 10;
const SET: u64 = 1 << 20;

#[test]
fn random_reads_and_writes_of_1_0_are_those_of_the_record() {
    let of = |after| sequence(xoroshiro(42, after, SET), ratio(Counted::Completed), FILE);
    let expected = recorded("v10-rndrw-seed42");
    assert_eq!(calls(&of(true), 4, Some(150)), expected);
    assert_eq!(expected.len(), 154);
    assert_eq!(
        calls(&of(false), 4, Some(150)),
        recorded("v10-rndrw-seed42-pct0")
    );
}

#[test]
fn requests_are_cut_where_a_file_ends() {
    let size = (100 << 10) / 3;
    let random = sequence(xoroshiro(7, true, 100 << 10), Operations::Reads, size);
    assert_eq!(calls(&random, 3, Some(60)), recorded("v10-rndrd-unaligned"));
    let order = Order::Sequential {
        length: 16384,
        once: false,
    };
    let in_order = sequence(order, Operations::Reads, size);
    assert_eq!(
        calls(&in_order, 3, Some(12)),
        recorded("v10-seqrd-unaligned")
    );
}

#[test]
fn sequential_writes_of_1_0_go_round_and_are_flushed() {
    let order = |length| Order::Sequential {
        length,
        once: false,
    };
    let plain = sequence(order(16384), Operations::Writes, FILE);
    assert_eq!(calls(&plain, 4, Some(150)), recorded("v10-seqwr"));
    let mut merged = sequence(order(5 * 16384), Operations::Writes, FILE);
    merged.flushes.round_every = None;
    assert_eq!(calls(&merged, 4, Some(16)), recorded("v10-seqwr-merged"));
}

fn of_0_4(mut sequence: SharedSequence) -> SharedSequence {
    sequence.flushes.at_end = AtEnd::OnceAtLimit;
    sequence.flushes.are_events = false;
    sequence
}

#[test]
fn sequences_of_0_4_are_those_of_the_record() {
    let order = Order::Random {
        block: 16384,
        span: SET,
        draws: Draws::Lrand48 { seed: None },
    };
    let random = of_0_4(sequence(order, ratio(Counted::HandedOut), FILE));
    assert_eq!(calls(&random, 4, Some(100)), recorded("v04-rndrw"));
    let order = Order::Sequential {
        length: 16384,
        once: true,
    };
    let mut once = of_0_4(sequence(order, Operations::Writes, FILE));
    once.flushes.round_every = None;
    assert_eq!(calls(&once, 4, None), recorded("v04-seqwr"));
}

/// Reads and writes as letters.
fn letters(reads_per_write: f64, count: u64) -> String {
    let operations = Operations::Ratio {
        reads_per_write,
        counted: Counted::Completed,
    };
    let mut sequence = sequence(xoroshiro(1, true, SET), operations, FILE);
    sequence.flushes.round_every = None;
    sequence.flushes.at_end = AtEnd::Never;
    let letter = |(call, ..): &(String, u32, u64, u64)| if call == "pread64" { 'R' } else { 'W' };
    calls(&sequence, 4, Some(count))
        .iter()
        .map(letter)
        .collect()
}

#[test]
fn the_ratio_decides_by_what_was_done() {
    // By the rule, by hand: 1.5: 1/1 < 1.5 R, 2/1 W, 2/2 R, 3/2 W, 3/3 R; then again.
    assert_eq!(letters(1.5, 10), "RWRWRRWRWR");
    assert_eq!(letters(3.0, 11), "RRWRRRWRRRW");
    assert_eq!(letters(1.0, 4), "WRWR");
    assert_eq!(letters(0.4, 8), "WWRWWWRW");
    // As a C float 0.4 is a little more than 0.4, which changes who is next: seen of 1.0.20.
    assert_eq!(letters(f64::from(0.4_f32), 14), "WWRWWRWWWRWWRW");
    assert_eq!(letters(0.0, 3), "WWW");
}

#[test]
fn unfinished_requests_do_not_count_for_the_ratio() {
    let sequence = sequence(xoroshiro(1, true, SET), ratio(Counted::Completed), FILE);
    let mut requests = SharedRequests::new(&sequence, 4, Some(128), false);
    let mut draws = WorkerDraws::of(&sequence).remove(0);
    while let Ok(request) = requests.next(&mut draws) {
        assert!(matches!(
            request,
            SharedRequest::Transfer {
                direction: Direction::Read,
                ..
            }
        ));
    }
}

#[test]
fn a_limit_in_the_middle_of_a_round_drops_the_rest() {
    // 300 s of the seed document: 560 rounds of 128 files were due, 45 flushes were missing.
    let mut random = sequence(xoroshiro(1, true, SET), Operations::Writes, FILE);
    random.flushes.at_end = AtEnd::Never;
    // Ten writes, four flushes, ten writes, then the limit after two of four.
    let calls = calls(&random, 4, Some(26));
    let flushes = calls.iter().filter(|(call, ..)| call == "fsync").count();
    assert_eq!((calls.len(), flushes), (26, 6));
}

#[test]
fn no_block_is_handed_out_twice_at_a_time_where_that_is_asked() {
    let sequence = sequence(xoroshiro(1, true, SET), Operations::Reads, FILE);
    let mut requests = SharedRequests::new(&sequence, 4, None, true);
    let mut draws = WorkerDraws::of(&sequence).remove(0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..32 {
        let Ok(SharedRequest::Transfer { file, offset, .. }) = requests.next(&mut draws) else {
            panic!("a read was expected");
        };
        assert!(seen.insert((file, offset)));
    }
    for (file, offset) in seen {
        requests.release(file, offset);
    }
    assert_eq!(requests.held, Some(Vec::new()));
}

#[test]
fn what_ended_is_told() {
    let mut draws =
        WorkerDraws::of(&sequence(xoroshiro(1, true, SET), Operations::Reads, FILE)).remove(0);
    let order = |once| Order::Sequential {
        length: 1 << 18,
        once,
    };
    let mut pass = SharedRequests::new(
        &sequence(order(true), Operations::Reads, FILE),
        1,
        None,
        false,
    );
    assert!(pass.next(&mut draws).is_ok());
    assert_eq!(pass.next(&mut draws), Err(Exhausted::Pass));
    let mut limit = SharedRequests::new(
        &sequence(order(false), Operations::Reads, FILE),
        1,
        Some(1),
        false,
    );
    assert!(limit.next(&mut draws).is_ok());
    assert_eq!(limit.next(&mut draws), Err(Exhausted::Limit));
}
