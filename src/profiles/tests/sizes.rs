//! Sizes and weights of every workload of the table, as resolved and as drawn.

use std::collections::BTreeMap;

use super::*;
use crate::{
    offsets::preview,
    plan::{AccessPattern, BlockSizes, Direction, WeightedSize},
};

const KIB: u32 = 1024;

/// From the smallest to the largest; `None` where there is nothing.
type Range = Option<(f64, f64)>;

/// Smallest and largest read and write of the table, in KiB; the log's smallest is half a KiB.
const RANGES: &[(&str, Range, Range)] = &[
    ("data-normal", Some((8.0, 128.0)), Some((8.0, 128.0))),
    ("checkpoint", None, Some((64.0, 128.0))),
    ("lazywriter", None, Some((64.0, 128.0))),
    ("bulk-insert", None, Some((8.0, 128.0))),
    ("backup", Some((1024.0, 1024.0)), Some((1024.0, 1024.0))),
    ("restore", Some((64.0, 64.0)), Some((64.0, 64.0))),
    ("checkdb", Some((8.0, 64.0)), None),
    ("index-rebuild", Some((8.0, 512.0)), Some((8.0, 128.0))),
    ("read-ahead", Some((8.0, 512.0)), None),
    ("log", None, Some((0.5, 64.0))),
    ("log-burst", None, Some((0.5, 64.0))),
    ("log-read", Some((0.5, 64.0)), None),
    ("oltp", Some((8.0, 64.0)), Some((0.5, 128.0))),
];

fn used(stream: &Stream) -> (Vec<WeightedSize>, Vec<WeightedSize>) {
    let write = stream.mix.write_percent;
    let (mut reads, mut writes) = match &stream.sizes {
        BlockSizes::One(bytes) => {
            let one = vec![WeightedSize {
                bytes: *bytes,
                weight: 1,
            }];
            (one.clone(), one)
        }
        BlockSizes::Weighted { read, write } => (read.clone(), write.clone()),
    };
    if write == 100 {
        reads.clear();
    }
    if write == 0 {
        writes.clear();
    }
    (reads, writes)
}

#[test]
fn sizes_stay_within_the_table() {
    let machine = machine(LARGE);
    for (operation, reads, writes) in RANGES {
        let name = format!("sqlserver/{operation}");
        let resolved = resolve_fitting(&name, &Wanted::on(&machine));
        let mut seen = (Vec::new(), Vec::new());
        for stream in span(&resolved).groups.iter().flat_map(|g| &g.streams) {
            let (read, write) = used(stream);
            seen.0.extend(read);
            seen.1.extend(write);
        }
        for (seen, range) in [(seen.0, reads), (seen.1, writes)] {
            let Some((least, most)) = range else {
                assert!(seen.is_empty(), "{name}: {seen:?}");
                continue;
            };
            let kib = |size: &WeightedSize| f64::from(size.bytes) / f64::from(KIB);
            assert!(!seen.is_empty(), "{name}");
            for size in &seen {
                assert!((*least..=*most).contains(&kib(size)), "{name}: {size:?}");
            }
        }
    }
}

/// Sizes in KiB and percent, as the proposed profiles have them.
type Column = &'static [(f64, f64)];

/// Read share in percent of I/Os, reads, writes.
const WEIGHTS: &[(&str, f64, Column, Column)] = &[
    (
        "data-normal",
        80.0,
        &[
            (8.0, 80.0),
            (16.0, 5.0),
            (32.0, 5.0),
            (64.0, 8.0),
            (128.0, 2.0),
        ],
        &[
            (8.0, 60.0),
            (16.0, 10.0),
            (32.0, 10.0),
            (64.0, 15.0),
            (128.0, 5.0),
        ],
    ),
    (
        "checkpoint",
        0.0,
        &[],
        &[(64.0, 70.0), (96.0, 10.0), (128.0, 20.0)],
    ),
    (
        "lazywriter",
        0.0,
        &[],
        &[(64.0, 70.0), (96.0, 10.0), (128.0, 20.0)],
    ),
    (
        "bulk-insert",
        0.0,
        &[],
        &[
            (8.0, 10.0),
            (16.0, 5.0),
            (32.0, 5.0),
            (64.0, 40.0),
            (128.0, 40.0),
        ],
    ),
    (
        "checkdb",
        100.0,
        &[(8.0, 30.0), (16.0, 10.0), (32.0, 10.0), (64.0, 50.0)],
        &[],
    ),
    (
        "index-rebuild",
        21.0,
        &[(64.0, 10.0), (128.0, 15.0), (256.0, 25.0), (512.0, 50.0)],
        &[(8.0, 10.0), (64.0, 40.0), (128.0, 50.0)],
    ),
    (
        "read-ahead",
        100.0,
        &[(64.0, 10.0), (128.0, 15.0), (256.0, 25.0), (512.0, 50.0)],
        &[],
    ),
    (
        "log",
        0.0,
        &[],
        &[
            (0.5, 25.0),
            (1.0, 10.0),
            (4.0, 25.0),
            (8.0, 15.0),
            (16.0, 5.0),
            (32.0, 5.0),
            (60.0, 10.0),
            (64.0, 5.0),
        ],
    ),
];

#[test]
fn drawn_weights_are_within_one_percent() {
    let machine = machine(SMALL);
    for (operation, read_share, reads, writes) in WEIGHTS {
        let name = format!("sqlserver/{operation}");
        let wanted = Wanted {
            seed: 42,
            ..Wanted::on(&machine)
        };
        let resolved = resolve(&name, &wanted);
        let span = span(&resolved);
        let sizes: Vec<u64> = resolved.files.iter().map(|file| file.size).collect();
        let each = 100_000_usize.div_ceil(span.worker_count() as usize);
        let rows = preview(span, &sizes, each).unwrap();
        let mut counts: BTreeMap<(bool, u32), f64> = BTreeMap::new();
        for row in &rows {
            let read = row.direction == Some(Direction::Read);
            *counts.entry((read, row.length)).or_default() += 1.0;
        }
        let all = rows.len() as f64;
        assert!(all >= 100_000.0);
        for (direction, share, column) in [
            (true, *read_share, reads),
            (false, 100.0 - read_share, writes),
        ] {
            let of = |counts: &BTreeMap<(bool, u32), f64>| -> f64 {
                let own = counts.iter().filter(|((read, _), _)| *read == direction);
                own.map(|(_, count)| count).sum()
            };
            let total = of(&counts);
            assert!(
                (100.0 * total / all - share).abs() < 1.0,
                "{name}: {total} of {all}"
            );
            for (kib, percent) in *column {
                let bytes = (kib * 1024.0) as u32;
                let count = counts.remove(&(direction, bytes)).unwrap_or(0.0);
                let seen = 100.0 * count / total;
                assert!((seen - percent).abs() < 1.0, "{name} {kib} KiB: {seen} %");
            }
        }
        assert!(
            counts.is_empty(),
            "{name} has sizes that it should not: {counts:?}"
        );
    }
}

#[test]
fn offsets_keep_to_the_grid_and_to_their_regions() {
    let machine = machine(SMALL);
    for operation in ["data-normal", "checkpoint", "lazywriter"] {
        let resolved = resolve(&format!("sqlserver/{operation}"), &Wanted::on(&machine));
        let rows = preview(span(&resolved), &[10 << 30], 5_000).unwrap();
        for row in rows {
            assert!(row.offset.is_multiple_of(8192));
            assert!(row.offset + u64::from(row.length) <= 10 << 30);
        }
    }
    // Four threads, each in its quarter of the file, one I/O behind the other.
    let resolved = resolve("sqlserver/read-ahead", &Wanted::on(&machine));
    let rows = preview(span(&resolved), &[10 << 30], 500).unwrap();
    for (thread, rows) in rows.chunk_by(|a, b| a.thread == b.thread).enumerate() {
        let mut expected = thread as u64 * (10 << 30) / 4;
        for row in rows {
            assert_eq!(row.offset, expected);
            expected += u64::from(row.length);
        }
    }
    // All writers append at one cursor.
    let wanted = Wanted {
        machine: &crate::host::parse_machine(LARGE).unwrap(),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/log", &wanted);
    let mut rows = preview(span(&resolved), &[1 << 30], 500).unwrap();
    rows.sort_by_key(|row| row.offset);
    let mut expected = 0;
    for row in rows {
        assert_eq!(row.offset, expected);
        expected += u64::from(row.length);
    }
}

#[test]
fn an_index_is_read_in_one_half_and_written_in_the_other() {
    let machine = machine(SMALL);
    let size = 1 << 30;
    let wanted = Wanted {
        data_size: Some(size),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/index-rebuild", &wanted);
    assert_eq!(resolved.files.len(), 2);
    assert!(
        resolved
            .files
            .iter()
            .all(|file| file.size == size && file.number == 0)
    );
    for row in preview(span(&resolved), &[size, size], 2_000).unwrap() {
        let read = row.direction == Some(Direction::Read);
        assert_eq!(read, row.offset < size / 2, "{row:?}");
        assert!(row.offset + u64::from(row.length) <= size);
    }
}

#[test]
fn generations_raise_the_largest_write() {
    let machine = machine(LARGE);
    for operation in [
        "checkpoint",
        "lazywriter",
        "bulk-insert",
        "index-rebuild",
        "oltp",
    ] {
        for (generation, smallest, largest) in [
            (Generation::Sql2008, None, 256 * KIB),
            (Generation::Sql2016, Some(8 * KIB), 1024 * KIB),
        ] {
            let wanted = Wanted {
                generation,
                ..Wanted::on(&machine)
            };
            let resolved = resolve_fitting(&format!("sqlserver/{operation}"), &wanted);
            let group = span(&resolved).groups.last().unwrap();
            let (_, writes) = used(group.streams.last().unwrap());
            let bytes = |size: &WeightedSize| size.bytes;
            assert_eq!(writes.iter().map(bytes).max(), Some(largest), "{operation}");
            if let Some(smallest) = smallest {
                assert_eq!(
                    writes.iter().map(bytes).min(),
                    Some(smallest),
                    "{operation}"
                );
            }
        }
    }
}

#[test]
fn log_sizes_are_whole_sectors() {
    let machine = machine(SMALL);
    let wanted = Wanted {
        log_sector: 4096,
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/log", &wanted);
    let (_, writes) = used(only_stream(&resolved));
    // 0.5, 1 and 4 KiB become one size with 25 + 10 + 25 of 100.
    assert_eq!(
        writes[0],
        WeightedSize {
            bytes: 4096,
            weight: 60
        }
    );
    assert_eq!(writes.len(), 6);
    assert!(writes.iter().all(|size| size.bytes.is_multiple_of(4096)));
    assert!(
        resolved
            .notes
            .iter()
            .any(|note| note.contains("4096 bytes"))
    );
    assert_eq!(only_stream(&resolved).pattern, AccessPattern::Append);
    let plain = resolve("sqlserver/log", &Wanted::on(&machine));
    assert!(!plain.notes.iter().any(|note| note.contains("rounded")));
    // At a rate the unit of a gathered write is the sector.
    let wanted = Wanted {
        rate: Some(rate(100.0)),
        ..wanted
    };
    let resolved = resolve("sqlserver/log", &wanted);
    let crate::plan::Pacing::Gathered { unit, record, .. } = only_stream(&resolved).pacing else {
        panic!("a group commit")
    };
    assert_eq!((unit, record), (4096, 2048));
}
