//! Wishes that cannot be, and wishes that would change nothing.

use super::*;

#[track_caller]
fn refused(name: &str, wanted: &Wanted<'_>, says: &[&str]) {
    let error = try_resolve(name, wanted).unwrap_err();
    for part in says {
        assert!(error.contains(part), "{error} / {part}");
    }
}

#[test]
fn numbers_out_of_range_name_option_value_and_range() {
    let machine = machine(LARGE);
    let on = || Wanted::on(&machine);
    let data = "sqlserver/data-normal";
    for max_dop in [0, 32_768, u32::MAX] {
        let says = ["--maxdop", &max_dop.to_string(), "1 to 32767"];
        refused(
            data,
            &Wanted {
                max_dop: Some(max_dop),
                ..on()
            },
            &says,
        );
    }
    for threads in [0, 65_537] {
        let says = ["--threads", &threads.to_string(), "1 to 65536"];
        refused(
            data,
            &Wanted {
                threads: Some(threads),
                ..on()
            },
            &says,
        );
    }
    for queue_depth in [0, 1025] {
        let says = ["--qd", &queue_depth.to_string(), "1 to 1024"];
        refused(
            data,
            &Wanted {
                queue_depth: Some(queue_depth),
                ..on()
            },
            &says,
        );
    }
    let burst = "sqlserver/log-burst";
    refused(
        burst,
        &Wanted {
            queue_depth: Some(113),
            ..on()
        },
        &["--qd 113", "1 to 112"],
    );
    resolve(
        burst,
        &Wanted {
            queue_depth: Some(112),
            ..on()
        },
    );
    for per_second in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        refused(
            data,
            &Wanted {
                rate: Some(rate(per_second)),
                ..on()
            },
            &["--rate", "above 0"],
        );
    }
}

#[test]
fn numbers_of_a_backup_name_option_value_and_range() {
    let machine = machine(LARGE);
    let on = || Wanted::on(&machine);
    let backup = "sqlserver/backup";
    for transfer in [0, 1, 65_535, 100_000, (4 << 20) + 65_536, u32::MAX] {
        let says = ["--transfer", &transfer.to_string(), "64KiB", "4MiB"];
        refused(
            backup,
            &Wanted {
                transfer: Some(transfer),
                ..on()
            },
            &says,
        );
    }
    for stripes in [0, 65] {
        let says = ["--stripes", &stripes.to_string(), "1 to 64"];
        refused(
            backup,
            &Wanted {
                stripes: Some(stripes),
                ..on()
            },
            &says,
        );
    }
    for compression in [0.0, -0.5, 1.01, f64::NAN] {
        refused(
            backup,
            &Wanted {
                compression,
                ..on()
            },
            &["--compression", "at most 1"],
        );
    }
}

#[test]
fn files_and_sectors_are_checked() {
    let machine = machine(LARGE);
    let on = || Wanted::on(&machine);
    let data = "sqlserver/data-normal";
    for log_sector in [0, 100, 131_072] {
        refused(
            "sqlserver/log",
            &Wanted { log_sector, ..on() },
            &[&log_sector.to_string()],
        );
    }
    refused(
        data,
        &Wanted {
            data_files: 0,
            ..on()
        },
        &["0", "1 to 4096"],
    );
}

#[test]
fn what_would_change_nothing_is_refused() {
    let machine = machine(LARGE);
    let on = || Wanted::on(&machine);
    let nothing = "changes nothing";
    let log = "sqlserver/log";
    refused(
        log,
        &Wanted {
            max_dop: Some(4),
            ..on()
        },
        &["--maxdop", nothing, log],
    );
    refused(
        log,
        &Wanted {
            transfer: Some(65_536),
            ..on()
        },
        &["--transfer", nothing],
    );
    refused(
        log,
        &Wanted {
            stripes: Some(2),
            ..on()
        },
        &["--stripes", nothing],
    );
    refused(
        log,
        &Wanted {
            compression: 0.5,
            ..on()
        },
        &["--compression", nothing],
    );
    let generation = Generation::Sql2016;
    refused(
        log,
        &Wanted { generation, ..on() },
        &["--generation 2016", nothing],
    );
    let flush = SqlFlush::FdataSync;
    for name in [
        "sqlserver/checkdb",
        "sqlserver/tempdb-spill",
        "etcd",
        "postgres",
    ] {
        refused(
            name,
            &Wanted { flush, ..on() },
            &["--sql-flush fdatasync", nothing],
        );
    }
}

#[test]
fn rates_and_depths_that_say_nothing_are_refused() {
    let machine = machine(LARGE);
    let on = || Wanted::on(&machine);
    let (log, nothing) = ("sqlserver/log", "changes nothing");
    for name in ["etcd", "mysql-innodb", "sqlserver/backup"] {
        refused(
            name,
            &Wanted {
                rate: Some(rate(10.0)),
                ..on()
            },
            &["--rate", nothing],
        );
    }
    for name in ["sqlserver/oltp", "postgres"] {
        let rate = (name == "sqlserver/oltp").then(|| rate(10.0));
        refused(
            name,
            &Wanted {
                rate,
                threads: Some(1),
                ..on()
            },
            &["--threads", nothing],
        );
        refused(
            name,
            &Wanted {
                rate,
                queue_depth: Some(1),
                ..on()
            },
            &["--qd", nothing],
        );
    }
    refused(
        log,
        &Wanted {
            data_files: 2,
            ..on()
        },
        &[log, "2 were named"],
    );
    let both = Wanted {
        max_dop: Some(2),
        threads: Some(2),
        ..on()
    };
    refused("sqlserver/data-normal", &both, &["--maxdop", "--threads"]);
    let deep = Wanted {
        queue_depth: Some(8),
        rate: Some(rate(10.0)),
        ..on()
    };
    refused(log, &deep, &["--qd 8", "--rate"]);
    refused("sqlserver/oltp", &on(), &["--rate 1000", "transactions"]);
}

#[test]
fn wishes_are_carried_out() {
    let machine = machine(LARGE);
    let wanted = Wanted {
        max_dop: Some(3),
        queue_depth: Some(7),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/read-ahead", &wanted);
    assert_eq!(span(&resolved).worker_count(), 3);
    assert_eq!(only_stream(&resolved).queue_depth, 7);
    let wanted = Wanted {
        threads: Some(5),
        ..Wanted::on(&machine)
    };
    assert_eq!(
        span(&resolve("sqlserver/checkpoint", &wanted)).worker_count(),
        5
    );
    let wanted = Wanted {
        rate: Some(rate(1600.0)),
        ..Wanted::on(&machine)
    };
    let resolved = resolve("sqlserver/data-normal", &wanted);
    let crate::plan::Pacing::Arrivals { per_second, .. } = only_stream(&resolved).pacing else {
        panic!("an open loop")
    };
    assert!((per_second - 100.0).abs() < 1e-9, "1,600 by 16 threads");
}
