//! How long a scan, backup, restore or check of a database takes.

use crate::{
    profiles::Resolved,
    report::text::{span_of_time, whole},
    results::{OperationKind, Rates, Results},
    units::words::size,
};

/// What a workload does to a database, by the last part of its name, and which bytes are those of
/// the database.
const DEEDS: &[(&str, &str, Bytes)] = &[
    ("backup", "Full backup", Bytes::Read),
    ("backup-1m", "Backup", Bytes::Read),
    ("restore", "Restore", Bytes::Written),
    ("checkdb", "CHECKDB", Bytes::Read),
    ("index-rebuild", "Index rebuild", Bytes::Read),
    ("bulk-insert", "Bulk insert", Bytes::Written),
    ("read-ahead", "Scan", Bytes::Read),
    ("columnstore-scan", "Scan", Bytes::Read),
    ("log-read", "Log read", Bytes::Read),
    ("file-growth", "File growth", Bytes::Written),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bytes {
    Read,
    Written,
}

/// How long, where the size is known; else how fast, and how to ask.
pub(super) fn answer(
    resolved: &Resolved,
    db_size: Option<u64>,
    results: &Results,
    index: usize,
) -> Vec<String> {
    let rates = |kind| {
        let rows = results.rows(index);
        let of_kind = rows.iter().filter(|row| row.kind == kind);
        let bytes = of_kind.fold(0, |sum: u64, row| sum.saturating_add(row.stats.bytes));
        let measured = results.spans.get(index).map(|span| span.measured);
        Rates::new(0, bytes, measured.unwrap_or_default())
    };
    let (read, written) = (rates(OperationKind::Read), rates(OperationKind::Write));
    let last = resolved.name.rsplit('/').next().unwrap_or_default();
    let known = DEEDS.iter().find(|(name, _, _)| *name == last);
    let (deed, bytes) = known.map_or(("Transfer", Bytes::Read), |(_, deed, bytes)| {
        (*deed, *bytes)
    });
    let rates = match bytes {
        Bytes::Read if read.bytes > 0 => read,
        Bytes::Read | Bytes::Written => written,
    };
    if rates.bytes == 0 {
        return Vec::new();
    }
    let rate = format!("{} MiB/s", whole(rates.mib_per_second));
    vec![
        match db_size.and_then(|size| Some((size, rates.time_for(size)?))) {
            Some((bytes, time)) => format!(
                "{deed} of {}: {} at this rate, {rate} (upper bound: CPU not included).",
                size(bytes),
                span_of_time(time)
            ),
            None => format!("{deed}: {rate}. How long yours takes: --db-size 1T says it."),
        },
    ]
}
