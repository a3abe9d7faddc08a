//! A DiskSpd text report, read back: figures by table, thread and percentile.

/// One row of an I/O table; columns that the report does not have are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    /// Thread number; `None` for the total.
    pub(crate) thread: Option<u32>,
    /// Bytes.
    pub(crate) bytes: u64,
    /// I/Os.
    pub(crate) ios: u64,
    /// MiB a second.
    pub(crate) mib_s: f64,
    /// I/Os a second.
    pub(crate) iops: f64,
    /// Mean latency in ms.
    pub(crate) latency_ms: Option<f64>,
    /// The file, with its size in parentheses.
    pub(crate) file: String,
}

/// One of the tables Total, Read, Write.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// One a thread and target.
    pub(crate) rows: Vec<Row>,
    /// Their sum.
    pub(crate) total: Row,
}

/// A DiskSpd text report of one time span.
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    /// "actual test time" in seconds.
    pub(crate) seconds: f64,
    /// Reads and writes.
    pub(crate) total: Table,
    /// Reads.
    pub(crate) read: Table,
    /// Writes.
    pub(crate) write: Table,
    /// Label, then read, write and total in ms.
    pub(crate) latency: Vec<(String, [Option<f64>; 3])>,
}

impl Report {
    /// Reads a report; fails on one without results.
    #[track_caller]
    pub(crate) fn parse(text: &str) -> Self {
        let mut report = Self::default();
        let mut section = "";
        for line in text.lines() {
            if let Some(time) = line.strip_prefix("actual test time:") {
                let time = time.trim().trim_end_matches('s');
                report.seconds = time.parse().expect("seconds");
            } else if let "Total IO" | "Read IO" | "Write IO" | "Total latency distribution:" = line
            {
                section = line;
            } else if line.is_empty() {
                section = "";
            } else if section == "Total latency distribution:" {
                report.latency.extend(percentile(line));
            } else if !section.is_empty() {
                let latency = text.contains("|  AvgLat");
                let table = match section {
                    "Total IO" => &mut report.total,
                    "Read IO" => &mut report.read,
                    _ => &mut report.write,
                };
                match row(line, latency) {
                    Some(row) if row.thread.is_none() => table.total = row,
                    Some(row) => table.rows.push(row),
                    None => {}
                }
            }
        }
        assert!(!report.total.rows.is_empty(), "no results in:\n{text}");
        report
    }

    /// A latency by its label: `50th`, `max`; of reads, writes and both.
    #[track_caller]
    pub(crate) fn percentile(&self, label: &str) -> [Option<f64>; 3] {
        let found = self.latency.iter().find(|(name, _)| name == label);
        found.expect("the label is in the report").1
    }
}

/// `50th | 0.016 | N/A | 0.016`
fn percentile(line: &str) -> Option<(String, [Option<f64>; 3])> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [label, read, write, total] = cells[..] else {
        return None;
    };
    (!label.starts_with('%')).then(|| {
        let values = [read, write, total].map(|cell| cell.parse().ok());
        (label.to_owned(), values)
    })
}

/// A row or the total of an I/O table.
fn row(line: &str, latency: bool) -> Option<Row> {
    let (thread, rest) = if let Some(rest) = line.strip_prefix("total:") {
        (None, rest)
    } else {
        let (thread, rest) = line.split_once('|')?;
        (Some(thread.trim().parse().ok()?), rest)
    };
    let cells: Vec<&str> = rest.split('|').map(str::trim).collect();
    Some(Row {
        thread,
        bytes: cells.first()?.parse().ok()?,
        ios: cells.get(1)?.parse().ok()?,
        mib_s: cells.get(2)?.parse().ok()?,
        iops: cells.get(3)?.parse().ok()?,
        latency_ms: latency.then(|| cells.get(4)?.parse().ok()).flatten(),
        file: thread.map_or_else(String::new, |_| (*cells.last().unwrap_or(&"")).to_owned()),
    })
}

#[test]
fn a_report_of_the_original_is_read() {
    let text = include_str!("../reference/diskspd/r-LD/stdout").replace("\r\n", "\n");
    let report = Report::parse(&text);
    assert!((report.seconds - 2.0).abs() < 1e-9);
    assert_eq!(report.total.total.ios, 85_776);
    assert_eq!(report.total.rows[0].bytes, 5_621_415_936);
    assert_eq!(report.total.rows[0].thread, Some(0));
    assert_eq!(report.total.rows[0].file, "d.dat (16MiB)");
    assert_eq!(report.read.total.latency_ms, Some(0.023));
    assert_eq!(report.write.total.ios, 0);
    assert_eq!(report.percentile("95th"), [Some(0.020), None, Some(0.020)]);
    assert_eq!(report.latency.len(), 15);
}
