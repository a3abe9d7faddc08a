//! Backup and restore: who reads what, who writes what, in which sizes.

use super::*;
use crate::plan::{AccessPattern, BlockSizes, Dispatch};

#[test]
fn a_backup_writes_what_it_read() {
    let machine = machine(LARGE);
    for (name, from, to, bytes) in [
        ("sqlserver/backup", Role::Data, Role::Backup, 1 << 20),
        ("sqlserver/restore", Role::Backup, Role::Data, 64 << 10),
    ] {
        let resolved = resolve(name, &Wanted::on(&machine));
        let group = &span(&resolved).groups[0];
        assert_eq!((span(&resolved).groups.len(), group.workers), (1, 16));
        assert_eq!(group.dispatch, Dispatch::PerStream);
        let [read, write] = &group.streams[..] else {
            panic!("two streams")
        };
        assert_eq!((read.copies, write.copies), (None, Some(0)));
        assert_eq!((read.mix.write_percent, write.mix.write_percent), (0, 100));
        for (stream, role) in [(read, from), (write, to)] {
            assert_eq!(resolved.files[stream.target.0].role, role, "{name}");
            assert_eq!(stream.sizes, BlockSizes::One(bytes));
            assert_eq!(stream.queue_depth, 6);
            assert_eq!(
                stream.pattern,
                AccessPattern::Regions { alignment: 1 << 20 }
            );
        }
    }
}

#[test]
fn transfer_stripes_and_compression() {
    let machine = machine(SMALL);
    let wanted = Wanted {
        transfer: Some(4 << 20),
        stripes: Some(6),
        compression: 0.3,
        data_size: Some(8 << 30),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/backup", &wanted);
    let span = span(&resolved);
    // Each stripe has a writer of its own, so four threads are not enough.
    assert_eq!(span.worker_count(), 6);
    let stripes = resolved
        .files
        .iter()
        .filter(|file| file.role == Role::Backup);
    assert_eq!(stripes.clone().count(), 6);
    // The backup is as large as the data: a sixth of 8 GiB each, rounded up.
    assert!(
        stripes
            .clone()
            .all(|file| file.size == (8_u64 << 30).div_ceil(6))
    );
    for group in &span.groups {
        assert_eq!(group.streams[0].sizes, BlockSizes::One(4 << 20));
        // 0.3 x 4194304 = 1258291.2, up to a multiple of 4096: 308 x 4096.
        assert_eq!(group.streams[1].sizes, BlockSizes::One(308 * 4096));
    }
    // The six readers share one data file without overlap: their parts meet, and end with the file.
    let mut parts: Vec<(u64, Option<u64>)> = span
        .targets
        .iter()
        .zip(&resolved.files)
        .filter(|(_, file)| file.role == Role::Data)
        .map(|(target, _)| (target.base, target.end))
        .collect();
    parts.sort_unstable();
    assert_eq!(parts.len(), 6);
    assert_eq!((parts[0].0, parts[5].1), (0, None));
    for pair in parts.windows(2) {
        assert_eq!(pair[0].1, Some(pair[1].0));
    }
    // A restore reads the small blocks and writes the large ones.
    let wanted = Wanted {
        stripes: None,
        ..wanted
    };
    let resolved = resolve("sqlserver/restore", &wanted);
    let streams = &self::span(&resolved).groups[0].streams;
    assert_eq!(streams[0].sizes, BlockSizes::One(308 * 4096));
    assert_eq!(streams[1].sizes, BlockSizes::One(4 << 20));
}

#[test]
fn each_thread_belongs_to_one_file() {
    let machine = machine("lp=5");
    let wanted = Wanted {
        data_files: 2,
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/data-normal", &wanted);
    let groups = &span(&resolved).groups;
    let dealt: Vec<(u32, usize)> = groups
        .iter()
        .map(|g| (g.workers, g.streams[0].target.0))
        .collect();
    assert_eq!(dealt, [(3, 0), (2, 1)]);
    assert!(groups.iter().all(|group| group.name == "data"));
    // One thread and three files: it loads all of them, with what it has in flight dealt out.
    let wanted = Wanted {
        data_files: 3,
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/checkpoint", &wanted);
    let groups = &span(&resolved).groups;
    assert_eq!((groups.len(), groups[0].streams.len()), (1, 3));
    assert!(
        groups[0]
            .streams
            .iter()
            .all(|stream| stream.queue_depth == 34)
    );
    assert!(
        resolved
            .notes
            .iter()
            .any(|note| note.contains("more files than threads"))
    );
}
