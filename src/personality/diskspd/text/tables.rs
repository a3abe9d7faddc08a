//! Tables of the text report: I/O by thread and target, waits, grand totals.

use std::io::{self, Write};

use super::form::Form;
use crate::{
    personality::diskspd::profile::TimeSpan,
    results::{OperationStats, Rates, Results, SpanResult, StreamResult, Summary},
};

/// Which columns stand between the rates and the file.
#[derive(Debug, Clone, Copy)]
struct Columns {
    form: Form,
    latency: bool,
    intervals: bool,
}

impl Columns {
    fn heading(self) -> String {
        let mut line = format!(
            "thread |       bytes     |     I/Os     |{}|  I/O per s |",
            self.form.bandwidth()
        );
        if self.latency {
            line.push_str("  AvgLat  |");
        }
        if self.intervals {
            line.push_str(" IopsStdDev |");
        }
        if self.latency {
            line.push_str(" LatStdDev |");
        }
        line.push_str("  file");
        line
    }

    fn rule(self) -> String {
        let latency = if self.latency { 11 + 12 } else { 0 };
        let intervals = if self.intervals { 13 } else { 0 };
        "-".repeat(78 + latency + intervals)
    }

    /// Everything behind the bytes.
    fn figures(self, summary: &Summary) -> String {
        let rates = &summary.rates;
        let cells = [
            self.latency.then(|| {
                let mean = summary.latency_mean_ms.unwrap_or_default();
                format!(" | {mean:>8.3}")
            }),
            self.intervals
                .then(|| format!(" | {:>10.2}", summary.iops_stddev)),
            self.latency.then(|| {
                summary.latency_stddev_ms.map_or_else(
                    || " |       N/A".to_owned(),
                    |deviation| format!(" |  {deviation:>8.3}"),
                )
            }),
        ];
        let mut line = format!(
            " | {:>12} | {:>10.2} | {:>10.2}",
            rates.count, rates.mib_per_second, rates.per_second
        );
        line.extend(cells.into_iter().flatten());
        line
    }
}

/// The tables of all I/O, of reads and of writes: always all three.
pub(super) fn operations(
    asked: &TimeSpan,
    span: &SpanResult,
    form: Form,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = Columns {
        form,
        latency: asked.measure_latency,
        intervals: asked.iops_stddev,
    };
    let (read, write) = (span.reads(None), span.writes(None));
    let mut total = read.clone();
    total += &write;
    table("Total IO", columns, span, &total, &StreamResult::total, out)?;
    table("Read IO", columns, span, &read, &|s| s.read.clone(), out)?;
    table("Write IO", columns, span, &write, &|s| s.write.clone(), out)
}

fn table(
    title: &str,
    columns: Columns,
    span: &SpanResult,
    total: &OperationStats,
    of: &dyn Fn(&StreamResult) -> OperationStats,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rule = columns.rule();
    writeln!(out, "\n{title}\n{}\n{rule}", columns.heading())?;
    for (thread, worker) in span.workers.iter().enumerate() {
        for stream in &worker.streams {
            let summary = Summary::of(&of(stream), span.measured);
            let (label, size) = span.target_label_and_size(stream.target);
            writeln!(
                out,
                "{thread:>6} | {:>15}{} | {label} ({})",
                summary.rates.bytes,
                columns.figures(&summary),
                columns.form.file_size(size.0)
            )?;
        }
    }
    let summary = Summary::of(total, span.measured);
    writeln!(
        out,
        "{rule}\n{:<9}{:>15}{}",
        "total:",
        summary.rates.bytes,
        columns.figures(&summary)
    )
}

/// How the threads waited (`-vs`).
pub(super) fn waits(span: &SpanResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nWait Statistics\n\
         thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside\n\
         {}",
        "-".repeat(95)
    )?;
    for (thread, worker) in span.workers.iter().enumerate() {
        let waits = &worker.waits;
        write!(
            out,
            "{thread:>6} | {:>15} | {:>13}  - {:>6} | {:>9} |",
            waits.completion, waits.throttle, waits.throttle_sleep, waits.polls
        )?;
        for found in waits.found {
            write!(out, " {found}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Sums over all time spans that have figures.
pub(super) fn grand_totals(results: &Results, form: Form, out: &mut dyn Write) -> io::Result<()> {
    let totals = results.grand_totals();
    let rule = "-".repeat(79);
    writeln!(
        out,
        "type   |       bytes     |     I/Os     |{}|  I/O per s\n{rule}",
        form.bandwidth()
    )?;
    grand_row("write", &totals.write, out)?;
    grand_row("read", &totals.read, out)?;
    writeln!(out, "{rule}")?;
    grand_row("total", &totals.total, out)?;
    writeln!(
        out,
        "\ntotal test time:\t{:.2}s",
        totals.measured.as_secs_f64()
    )
}

fn grand_row(label: &str, rates: &Rates, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{label:<6} | {:>15} | {:>12} | {:>10.2} | {:>10.2}",
        rates.bytes, rates.count, rates.mib_per_second, rates.per_second
    )
}

#[cfg(test)]
mod tests {
    use super::{Columns, Form, Summary};
    use crate::{personality::diskspd::testing::recorded, results::Rates};

    #[test]
    fn headings_rules_and_rows_fit_the_records() {
        for (case, latency, intervals) in [
            ("r-d0", false, false),
            ("r-vs", true, false),
            ("r-LD", true, true),
        ] {
            let columns = Columns {
                form: Form::default(),
                latency,
                intervals,
            };
            let head = format!("{}\n{}\n", columns.heading(), columns.rule());
            let record = recorded(case, "stdout");
            assert_eq!(record.matches(&head).count(), 3, "{case}");
            // An empty row is as in the table of writes.
            let empty = format!("     0 |               0{} | d", columns.figures(&empty()));
            assert!(record.contains(&empty), "{case}: {empty}");
        }
    }

    #[test]
    fn intervals_alone_have_one_column() {
        let columns = Columns {
            form: Form::default(),
            latency: false,
            intervals: true,
        };
        assert!(
            columns
                .heading()
                .ends_with("|  I/O per s | IopsStdDev |  file")
        );
        assert_eq!(columns.rule().len(), 91);
    }

    #[test]
    fn figures_wider_than_their_columns_stay_whole() {
        let columns = Columns {
            form: Form::default(),
            latency: false,
            intervals: false,
        };
        let summary = Summary {
            rates: Rates {
                count: 12_345_678_901_234,
                mib_per_second: 123_456_789.5,
                per_second: 0.005,
                bytes: 0,
            },
            ..Summary::default()
        };
        assert_eq!(
            columns.figures(&summary),
            " | 12345678901234 | 123456789.50 |       0.01"
        );
    }

    fn empty() -> Summary {
        Summary::default()
    }
}
