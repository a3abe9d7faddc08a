//! Latency distributions of the text report.

use std::io::{self, Write};

use super::form::Form;
use crate::{
    personality::DiskSpdVersion,
    results::{Latency, SpanResult, milliseconds},
};

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

/// A chart for each path if there are several, in command line order, and one for all. 2.0 has only
/// that, under no heading.
pub(super) fn charts(span: &SpanResult, form: Form, out: &mut dyn Write) -> io::Result<()> {
    let (of_path, of_all) = match form.0 {
        DiskSpdVersion::V2_0 => (None, ""),
        DiskSpdVersion::V2_1 => (Some(""), "\ntotal:\n"),
        DiskSpdVersion::V2_2 => (
            Some("Latency distribution: "),
            "\nTotal latency distribution:\n",
        ),
    };
    if form.is_before_2_2() {
        write!(out, "\n\n")?;
    }
    let paths = span.distinct_labels();
    if let Some(title) = of_path.filter(|_| paths.len() > 1) {
        for path in paths {
            writeln!(out, "\n{title}{path}")?;
            let (read, write) = span.reads_and_writes_of(path);
            chart(form, &read.latency, &write.latency, out)?;
        }
    }
    write!(out, "{of_all}")?;
    chart(
        form,
        &span.reads(None).latency,
        &span.writes(None).latency,
        out,
    )
}

fn chart(form: Form, read: &Latency, write: &Latency, out: &mut dyn Write) -> io::Result<()> {
    let mut total = read.clone();
    total += write;
    writeln!(
        out,
        "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n\
         ----------------------------------------------"
    )?;
    // 2.0 ends at eight nines.
    let rows = ROWS
        .iter()
        .filter(|(label, _)| !form.is_2_0() || *label != "9-nines");
    for &(label, fraction) in rows {
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
