//! The load of transactions: everything in proportion to the rate.

use std::time::Duration;

use super::*;
use crate::plan::{BlockSizes, Pacing};

/// 1,000 transactions a second on the large machine, for so long.
fn oltp(machine: &Machine, seconds: u64, generation: Generation) -> Resolved {
    resolve(
        "sqlserver/oltp",
        &Wanted {
            rate: Some(rate(1000.0)),
            duration: Duration::from_secs(seconds),
            generation,
            ..Wanted::on(machine)
        },
    )
}

#[test]
fn reads_and_commits_are_in_proportion() {
    let machine = machine(LARGE);
    let resolved = oltp(&machine, 30, Generation::Table);
    let names: Vec<&str> = span(&resolved)
        .groups
        .iter()
        .map(|g| g.name.as_str())
        .collect();
    assert_eq!(names, ["data read", "log write", "checkpoint write"]);
    assert_eq!(span(&resolved).name, "rate 1000");
    // 4 reads a transaction by 16 threads: 250 a second each.
    let reads = group(&resolved, "data read");
    let Pacing::Arrivals {
        per_second,
        poisson,
    } = reads.streams[0].pacing
    else {
        panic!("{reads:?}")
    };
    assert_eq!((reads.workers, poisson), (16, false));
    assert!((per_second - 250.0).abs() < 1e-9);
    // Arrivals of 50 ms are 12.5; at least 32 slots.
    assert_eq!(reads.streams[0].queue_depth, 32);
    // A commit of 2 KiB each, by 4 writers with one write under way.
    let log = group(&resolved, "log write");
    assert_eq!((log.workers, log.streams[0].queue_depth), (4, 1));
    assert_eq!(
        log.streams[0].pacing,
        Pacing::Gathered {
            per_second: 250.0,
            poisson: false,
            record: 2048,
            unit: 512,
        }
    );
    assert_eq!(log.streams[0].sizes, BlockSizes::One(60 << 10));
}

#[test]
fn a_checkpoint_writes_what_became_dirty() {
    let machine = machine(LARGE);
    // 2 pages of 8 KiB a transaction are 16,384,000 bytes a second; a write has
    // 0.7 x 64 + 0.1 x 96 + 0.2 x 128 = 80 KiB in the mean: 200 writes a second, 100 of each thread.
    // A run of 30 s has one checkpoint, 5 + 10 s after the start of the load: 1,500 writes each.
    for (seconds, first, operations) in [(30, 15, 1_500), (90, 35, 3_500), (180, 65, 6_000)] {
        let resolved = oltp(&machine, seconds, Generation::Table);
        let checkpoint = group(&resolved, "checkpoint write");
        assert_eq!(
            (checkpoint.workers, checkpoint.streams[0].queue_depth),
            (2, 100)
        );
        assert_eq!(
            checkpoint.streams[0].pacing,
            Pacing::Waves {
                first: Duration::from_secs(first),
                every: Duration::from_mins(1),
                operations,
                backs_off_above: Some(Duration::from_millis(20)),
            },
            "{seconds} s"
        );
    }
}

#[test]
fn indirect_checkpoints_write_all_the_time() {
    let machine = machine(LARGE);
    let resolved = oltp(&machine, 30, Generation::Sql2016);
    let checkpoint = group(&resolved, "checkpoint write");
    let Pacing::Arrivals { per_second, .. } = checkpoint.streams[0].pacing else {
        panic!("{checkpoint:?}")
    };
    // 16,384,000 bytes a second; 8 x 0.1 + 64 x 0.3 + 128 x 0.2 + 256 x 0.2 + 512 x 0.1 +
    // 1024 x 0.1 = 250.4 KiB a write, so 63.9 writes a second, half of each thread.
    assert!((per_second - 16_384_000.0 / (250.4 * 1024.0) / 2.0).abs() < 1e-6);
}

#[test]
fn its_marks_name_its_groups() {
    let machine = machine(SMALL);
    let resolved = oltp(&machine, 30, Generation::Table);
    let marks: Vec<(&str, f64)> = resolved
        .marks
        .iter()
        .map(|mark| (mark.group.as_str(), mark.acceptable_ms))
        .collect();
    assert_eq!(
        marks,
        [
            ("data read", 10.0),
            ("log write", 5.0),
            ("checkpoint write", 20.0)
        ]
    );
    assert_eq!(
        (resolved.question, resolved.rate_unit.as_str()),
        (Question::Marks, "transactions")
    );
    assert!(
        resolved
            .notes
            .iter()
            .any(|note| note.contains("2 KiB") && note.contains("assumed"))
    );
    assert!(
        resolved
            .notes
            .iter()
            .any(|note| note.starts_with("mix: assumed"))
    );
}

#[test]
fn many_arrivals_have_many_slots() {
    let machine = machine("lp=1");
    let wanted = Wanted {
        rate: Some(rate(4_000.0)),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/data-normal", &wanted);
    // 4,000 a second by one thread: 200 in 50 ms.
    assert_eq!(only_stream(&resolved).queue_depth, 200);
}

#[test]
fn facts_are_those_of_the_plan() {
    let machine = machine(LARGE);
    let groups = oltp(&machine, 30, Generation::Table).groups();
    let seen: Vec<(&str, u32, u64)> = groups
        .iter()
        .map(|group| (group.name.as_str(), group.threads, group.in_flight_in_all()))
        .collect();
    // 16 threads of 32 slots, 4 writers of one, 2 threads of 100.
    assert_eq!(
        seen,
        [
            ("data read", 16, 512),
            ("log write", 4, 4),
            ("checkpoint write", 2, 200)
        ]
    );
    let range = groups[2].range(crate::plan::Direction::Write);
    assert_eq!(range, Some((64 << 10, 128 << 10)));
    assert_eq!(groups[2].range(crate::plan::Direction::Read), None);
    assert_eq!(groups[2].writes[0], (64 << 10, 70.0));
    let rates: Vec<Option<u64>> = groups
        .iter()
        .map(|group| group.per_second.map(|rate| rate.round() as u64))
        .collect();
    assert_eq!(rates, [Some(4_000), Some(1_000), None]);
    // Threads that are dealt to several files are one group.
    let wanted = Wanted {
        data_files: 3,
        ..Wanted::on(&machine)
    };
    let groups = resolve("sqlserver/data-normal", &wanted).groups();
    assert_eq!(
        (groups.len(), groups[0].threads, groups[0].in_flight),
        (1, 16, 4)
    );
}
