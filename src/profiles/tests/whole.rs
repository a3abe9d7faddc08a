//! What holds for every workload: it is valid on any machine, and has the threads of the table.

use super::*;
use crate::plan::{Caching, Durability, FlushPolicy, validate::validate};

#[test]
fn every_workload_is_valid_on_small_and_large_machines() {
    for text in ["lp=1", "lp=256", "lp=256,numa=8,sock=4", LARGE] {
        let machine = machine(text);
        for name in names() {
            for per_second in [None, Some(0.5), Some(1e8)] {
                for data_files in [1, 3, 40] {
                    let profile = find(name, None).unwrap();
                    let many = profile.resolve(&Wanted {
                        data_files,
                        rate: profile.needs_rate().then(|| rate(9.0)),
                        ..Wanted::on(&machine)
                    });
                    if many.is_err() {
                        assert!(data_files > 1, "{name}: {many:?}");
                        continue;
                    }
                    let resolved = resolve_fitting(
                        name,
                        &Wanted {
                            data_files,
                            rate: per_second.map(rate),
                            ..Wanted::on(&machine)
                        },
                    );
                    assert_eq!(resolved.name, name);
                    assert_eq!(resolved.files.len(), span(&resolved).targets.len());
                    validate(&plan(&resolved)).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
                    let largest = resolved.files.iter().map(|file| file.size_min).max();
                    assert!(largest.is_some_and(|bytes| bytes > 0));
                }
            }
        }
    }
}

#[test]
fn threads_are_those_of_the_table() {
    // Both lists as the patterns have them, and 9 soft-NUMA nodes with the cap of 4.
    let lists: [(&str, [u32; 8]); 3] = [
        (LARGE, [16, 2, 2, 16, 16, 16, 16, 4]),
        (SMALL, [4, 1, 1, 4, 4, 4, 4, 1]),
        ("lp=32,numa=2,sock=2,soft=9", [16, 2, 2, 16, 16, 16, 16, 4]),
    ];
    let operations = [
        "data-normal",
        "checkpoint",
        "lazywriter",
        "bulk-insert",
        "backup",
        "checkdb",
        "read-ahead",
        "log",
    ];
    for (text, threads) in lists {
        let machine = machine(text);
        for (operation, threads) in operations.iter().zip(threads) {
            let name = format!("sqlserver/{operation}");
            let resolved = resolve(&name, &Wanted::on(&machine));
            assert_eq!(span(&resolved).worker_count(), threads, "{name} on {text}");
            let told = resolved
                .numbers
                .iter()
                .find(|(title, _)| title == "threads");
            let told = &told.unwrap().1;
            assert!(told.starts_with(&format!("{threads} (")), "{told}");
        }
    }
}

#[test]
fn depths_and_sizes_of_files_are_those_of_the_table() {
    let machine = machine(LARGE);
    let (data, log) = (10 << 30, 1 << 30);
    for (operation, depth, size) in [
        ("data-normal", 4, data),
        ("checkpoint", 100, data),
        ("lazywriter", 16, data),
        ("bulk-insert", 16, data),
        ("backup", 6, data),
        ("restore", 6, data),
        ("checkdb", 8, data),
        ("read-ahead", 16, data),
        ("log", 1, log),
        ("log-burst", 8, log),
        ("log-read", 8, log),
    ] {
        let resolved = resolve(&format!("sqlserver/{operation}"), &Wanted::on(&machine));
        assert_eq!(only_stream(&resolved).queue_depth, depth, "{operation}");
        assert_eq!(resolved.files[0].size, size, "{operation}");
    }
    // 8 of the worker, dealt to its two streams by weight.
    let rebuild = resolve("sqlserver/index-rebuild", &Wanted::on(&machine));
    assert_eq!(span(&rebuild).groups[0].slots(), 8);
}

#[test]
fn a_file_holds_four_times_what_is_in_flight() {
    let machine = machine(LARGE);
    for (operation, bytes) in [
        // 4 x 128 KiB x 16 threads x 4.
        ("data-normal", 4 * 131_072 * 16 * 4),
        // 4 x 128 KiB x 2 x 100.
        ("checkpoint", 4 * 131_072 * 2 * 100),
        // 4 x 64 KiB x 4 x 1.
        ("log", 4 * 65_536 * 4),
        // 4 x 512 KiB x 16 x 16.
        ("read-ahead", 4 * 524_288 * 16 * 16),
    ] {
        let resolved = resolve(&format!("sqlserver/{operation}"), &Wanted::on(&machine));
        let file = &resolved.files[0];
        assert_eq!(file.size_min, bytes, "{operation}");
        assert_eq!(file.too_small(bytes, "f"), None);
        let refused = file.too_small(bytes - 1, "./f").unwrap();
        assert!(
            refused.starts_with("./f has ") && refused.contains("--size"),
            "{refused}"
        );
    }
}

#[test]
fn sql_server_writes_past_the_cache_and_durably() {
    let machine = machine(LARGE);
    for flush in [SqlFlush::Fua, SqlFlush::FdataSync] {
        for name in [
            "data-normal",
            "checkpoint",
            "bulk-insert",
            "log",
            "log-burst",
            "oltp",
        ] {
            let wanted = Wanted {
                flush,
                ..Wanted::on(&machine)
            };
            let resolved = resolve_fitting(&format!("sqlserver/{name}"), &wanted);
            for target in &span(&resolved).targets {
                assert_eq!(target.caching, Caching::Direct, "{name}");
                let durable = match flush {
                    SqlFlush::Fua => Durability::Dsync,
                    SqlFlush::FdataSync => Durability::None,
                };
                assert_eq!(target.durability, durable, "{name}");
            }
        }
    }
    let wanted = Wanted {
        flush: SqlFlush::FdataSync,
        ..Wanted::on(&machine)
    };
    // A commit is a batch of its own; a checkpoint's batch is what was in flight together.
    for (name, writes) in [("sqlserver/log", 1), ("sqlserver/checkpoint", 100)] {
        let flush = only_stream(&resolve(name, &wanted)).mix.flush;
        assert_eq!(
            flush,
            FlushPolicy::Every {
                writes,
                data_only: true
            }
        );
        let flush = only_stream(&resolve(name, &Wanted::on(&machine))).mix.flush;
        assert_eq!(flush, FlushPolicy::Never);
    }
    // What is only read needs no flag.
    let read = resolve("sqlserver/checkdb", &Wanted::on(&machine));
    assert_eq!(span(&read).targets[0].durability, Durability::None);
    let spill = resolve("sqlserver/tempdb-spill", &Wanted::on(&machine));
    assert!(
        span(&spill)
            .targets
            .iter()
            .all(|t| t.durability == Durability::None)
    );
    assert_eq!(span(&spill).targets.len(), 8);
}

#[test]
fn etcd_is_its_documented_check() {
    // fio --rw=write --ioengine=sync --fdatasync=1 --size=22m --bs=2300
    let machine = machine("lp=2");
    let resolved = resolve("etcd", &Wanted::on(&machine));
    let span = span(&resolved);
    assert_eq!((span.stop.bytes, span.stop.after), (Some(22 << 20), None));
    assert!(span.warmup.is_zero());
    assert_eq!(span.worker_count(), 1);
    let stream = only_stream(&resolved);
    assert_eq!(stream.sizes, crate::plan::BlockSizes::One(2300));
    assert_eq!((stream.mix.write_percent, stream.queue_depth), (100, 1));
    let flush = FlushPolicy::Every {
        writes: 1,
        data_only: true,
    };
    assert_eq!(stream.mix.flush, flush);
    let target = &span.targets[0];
    assert_eq!(target.caching, Caching::Buffered);
    assert_eq!(
        target.opening,
        crate::plan::Opening::Anew { size: 22 << 20 }
    );
    assert_eq!(resolved.question, Question::Limit);
    assert_eq!(resolved.marks[0].percentile, Some((0.99, 10.0)));
}
