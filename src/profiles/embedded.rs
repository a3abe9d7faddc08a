//! The workloads that are built in, in the order in which they are listed.

/// Name and text of each.
pub(super) const EMBEDDED: &[(&str, &str)] = &[
    (
        "sqlserver/data-normal",
        include_str!("sqlserver/data-normal.toml"),
    ),
    (
        "sqlserver/checkpoint",
        include_str!("sqlserver/checkpoint.toml"),
    ),
    (
        "sqlserver/lazywriter",
        include_str!("sqlserver/lazywriter.toml"),
    ),
    (
        "sqlserver/bulk-insert",
        include_str!("sqlserver/bulk-insert.toml"),
    ),
    ("sqlserver/backup", include_str!("sqlserver/backup.toml")),
    ("sqlserver/restore", include_str!("sqlserver/restore.toml")),
    ("sqlserver/checkdb", include_str!("sqlserver/checkdb.toml")),
    (
        "sqlserver/index-rebuild",
        include_str!("sqlserver/index-rebuild.toml"),
    ),
    (
        "sqlserver/read-ahead",
        include_str!("sqlserver/read-ahead.toml"),
    ),
    ("sqlserver/log", include_str!("sqlserver/log.toml")),
    (
        "sqlserver/log-burst",
        include_str!("sqlserver/log-burst.toml"),
    ),
    (
        "sqlserver/log-read",
        include_str!("sqlserver/log-read.toml"),
    ),
    ("sqlserver/oltp", include_str!("sqlserver/oltp.toml")),
    (
        "sqlserver/tempdb-spill",
        include_str!("sqlserver/tempdb-spill.toml"),
    ),
    (
        "sqlserver/columnstore-scan",
        include_str!("sqlserver/columnstore-scan.toml"),
    ),
    (
        "sqlserver/file-growth",
        include_str!("sqlserver/file-growth.toml"),
    ),
    (
        "sqlserver/ag-secondary",
        include_str!("sqlserver/ag-secondary.toml"),
    ),
    ("etcd", include_str!("etcd.toml")),
    ("mysql-innodb", include_str!("mysql-innodb.toml")),
    ("postgres", include_str!("postgres.toml")),
    ("backup-1m", include_str!("backup-1m.toml")),
];
