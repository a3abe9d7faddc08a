//! Latency distributions of the text report.

use std::io::{self, Write};

use crate::results::{Latency, SpanResult, milliseconds};

/// Labels and fractions of the rows; the first is the minimum, the last the maximum.
const ROWS: [(&str, f64); 15] = [
    ("min", 0.0),
    ("25th", 0.25),
    ("50th", 0.5),
    ("75th", 0.75),
    ("90th", 0.9),
    ("95th", 0.95),
    ("99th", 0.99),
    ("3-nines", 0.999),
    ("4-nines", 0.9999),
    ("5-nines", 0.99999),
    ("6-nines", 0.999_999),
    ("7-nines", 0.999_999_9),
    ("8-nines", 0.999_999_99),
    ("9-nines", 0.999_999_999),
    ("max", 1.0),
];

/// A chart for each path if there are several, in command line order, and one for all.
pub(super) fn charts(span: &SpanResult, out: &mut dyn Write) -> io::Result<()> {
    let paths = span.distinct_labels();
    if paths.len() > 1 {
        for path in paths {
            writeln!(out, "\nLatency distribution: {path}")?;
            let (read, write) = span.reads_and_writes_of(path);
            chart(&read.latency, &write.latency, out)?;
        }
    }
    writeln!(out, "\nTotal latency distribution:")?;
    chart(&span.reads(None).latency, &span.writes(None).latency, out)
}

fn chart(read: &Latency, write: &Latency, out: &mut dyn Write) -> io::Result<()> {
    let mut total = read.clone();
    total += write;
    writeln!(
        out,
        "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n\
         ----------------------------------------------"
    )?;
    for (label, fraction) in ROWS {
        // The total of nothing is 0.000, not N/A.
        let total = total.quantile_ns(fraction).unwrap_or_default();
        writeln!(
            out,
            "{label:>7} | {} | {} | {:>10.3}",
            cell(read.quantile_ns(fraction)),
            cell(write.quantile_ns(fraction)),
            milliseconds(total as f64)
        )?;
    }
    Ok(())
}

fn cell(ns: Option<u64>) -> String {
    ns.map_or_else(
        || format!("{:>10}", "N/A"),
        |ns| format!("{:>10.3}", milliseconds(ns as f64)),
    )
}
