//! The device's arithmetic, by hand.

use super::*;
use crate::{Buffer, PageSize, Region};

const START: Nanos = Nanos(1_000_000);

/// A device by its law, with buffers of 4 KiB.
fn device(law: &str, depth: u32) -> (Sim, Vec<Buffer>) {
    let (buffers, region) = Region::allocate(4096 * depth as usize, PageSize::Base)
        .unwrap()
        .split(4096, 0);
    let sim = Sim::new(Setup {
        depth,
        regions: vec![region],
        law: law.parse().unwrap(),
        start: START,
        ..Setup::default()
    });
    (sim, buffers)
}

fn request(operation: Operation, tag: u32, buffer: Buffer) -> Request {
    Request {
        operation,
        file: 0,
        length: 4096,
        tag,
        offset: u64::from(tag) * 4096,
        buffer,
        source: None,
    }
}

/// Submits `count` reads at once and gives (tag, result, completion after the start), all reaped.
fn run(law: &str, count: u32) -> Vec<(u32, Result<u32, Errno>, u64)> {
    let (mut sim, buffers) = device(law, count);
    for (tag, buffer) in (1..).zip(buffers) {
        sim.submit(request(Operation::Read, tag, buffer)).unwrap();
    }
    let mut out = Vec::new();
    while sim.in_flight() > 0 {
        sim.reap(Wait::ONE, &mut out).unwrap();
    }
    out.iter()
        .map(|done| (done.request.tag, done.result, done.completed.since(START)))
        .collect()
}

#[test]
fn what_finds_no_free_channel_queues() {
    let times: Vec<u64> = run("servers=2,read=fixed:10us", 5)
        .iter()
        .map(|(_, _, time)| *time)
        .collect();
    assert_eq!(times, [10_000, 10_000, 20_000, 20_000, 30_000]);
}

#[test]
fn bytes_and_submissions_take_their_time() {
    // 4096 bytes at 0.5 ns are 2048 ns; the second is submitted 100 ns later.
    let times: Vec<u64> = run("servers=2,read=fixed:10us,per_byte=0.5ns,submit=100ns", 2)
        .iter()
        .map(|(_, _, time)| *time)
        .collect();
    assert_eq!(times, [12_048, 12_148]);
}

#[test]
fn operations_have_their_own_laws() {
    let (mut sim, mut buffers) = device("read=fixed:1us,write=fixed:20us,flush=fixed:3ms", 1);
    let mut out = Vec::new();
    for (operation, service) in [
        (Operation::Read, 1000),
        (Operation::Write, 20_000),
        (Operation::Flush, 3_000_000),
        (Operation::FlushData, 3_000_000),
    ] {
        let before = sim.now();
        let buffer = buffers.pop().unwrap();
        sim.submit(request(operation, 0, buffer)).unwrap();
        assert_eq!(sim.now(), before);
        sim.reap(Wait::ONE, &mut out).unwrap();
        let done = out.pop().unwrap();
        assert_eq!(done.issued, before);
        assert_eq!(done.completed.since(before), service);
        assert_eq!(sim.now(), done.completed);
        buffers.push(done.request.buffer);
    }
}

#[test]
fn errors_and_short_transfers_come_at_their_numbers() {
    let done = run("error_every=3:ENOSPC,short_every=2", 6);
    let results: Vec<_> = done.iter().map(|(_, result, _)| *result).collect();
    let failed = Err(Errno::ENOSPC);
    assert_eq!(
        results,
        [Ok(4096), Ok(2048), failed, Ok(2048), Ok(4096), failed]
    );
}

#[test]
fn the_device_ends_at_its_size() {
    // The second read, at 8192, finds 100 bytes, the third none.
    let done = run("size=8292B", 3);
    let results: Vec<_> = done.iter().map(|(_, result, _)| *result).collect();
    assert_eq!(results, [Ok(4096), Ok(100), Ok(0)]);
    let (mut sim, mut buffers) = device("size=4KiB", 1);
    let write = request(Operation::Write, 1, buffers.pop().unwrap());
    sim.submit(write).unwrap();
    let mut out = Vec::new();
    sim.reap(Wait::ONE, &mut out).unwrap();
    assert_eq!(out[0].result, Err(Errno::ENOSPC));
}

#[test]
fn nothing_moves_while_the_device_stands_still() {
    // 10 us each, one at a time; it stands from 15 us to 65 us, so the second takes 50 us more.
    let times: Vec<u64> = run("read=fixed:10us,stall=15us..65us", 3)
        .iter()
        .map(|(_, _, time)| *time)
        .collect();
    assert_eq!(times, [10_000, 70_000, 80_000]);
    assert_eq!(through_stall(20, 5, 0, Some((10, 40))), 45, "starts inside");
    assert_eq!(through_stall(5, 5, 0, Some((10, 40))), 10, "ends before");
    assert_eq!(through_stall(40, 5, 0, Some((10, 40))), 45, "starts after");
}

#[test]
fn the_order_of_submission_holds_everything_up() {
    let law = "servers=8,read=uniform:1us..90us,order=submission";
    let tags: Vec<u32> = run(law, 64).iter().map(|(tag, ..)| *tag).collect();
    assert_eq!(tags, (1..=64).collect::<Vec<_>>());
    let by_time = run("servers=8,read=uniform:1us..90us", 64);
    assert!(by_time.is_sorted_by_key(|(_, _, time)| *time));
    assert!(!by_time.is_sorted_by_key(|(tag, ..)| *tag));
}

#[test]
fn a_shuffle_loses_nothing() {
    let mut tags: Vec<u32> = run("servers=64,order=random", 64)
        .iter()
        .map(|(tag, ..)| *tag)
        .collect();
    assert!(!tags.is_sorted());
    tags.sort_unstable();
    assert_eq!(tags, (1..=64).collect::<Vec<_>>());
}

#[test]
fn the_same_seed_gives_the_same_stamps() {
    let law = "seed=7,servers=3,read=exp:100us,order=random";
    assert_eq!(run(law, 100), run(law, 100));
    assert_ne!(run(law, 100), run(&law.replace("seed=7", "seed=8"), 100));
}

#[test]
fn a_hang_ends_at_the_limit_and_never_without_a_word() {
    let (mut sim, buffers) = device("hang_after=1,read=fixed:10us", 3);
    for (tag, buffer) in (0..).zip(buffers) {
        sim.submit(request(Operation::Read, tag, buffer)).unwrap();
    }
    let mut out = Vec::new();
    let all = Wait {
        at_least: 3,
        until: None,
    };
    sim.reap(all, &mut out).unwrap();
    assert_eq!(out.len(), 1, "what there is");
    let error = sim.reap(Wait::ONE, &mut out).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    let until = Nanos(START.0 + 5_000_000);
    sim.reap(Wait::one_until(until), &mut out).unwrap();
    assert_eq!((out.len(), sim.now(), sim.in_flight()), (1, until, 2));
}

#[test]
fn a_poll_takes_what_is_due_and_moves_no_time() {
    let (mut sim, mut buffers) = device("read=fixed:10us", 2);
    let mut out = Vec::new();
    let first = request(Operation::Read, 0, buffers.pop().unwrap());
    sim.submit(first).unwrap();
    sim.reap(Wait::POLL, &mut out).unwrap();
    assert!(out.is_empty() && sim.now() == START);
    let until = Nanos(START.0 + 4000);
    sim.reap(Wait::one_until(until), &mut out).unwrap();
    assert!(out.is_empty() && sim.now() == until);
    sim.reap(Wait::ONE, &mut out).unwrap();
    assert_eq!(out[0].completed, Nanos(START.0 + 10_000));
}
