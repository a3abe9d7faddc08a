//! The results as XML: the system, the profile, results by time span.

use std::io::{self, Write};

use super::{profile, system, write::XmlWriter};
use crate::{
    personality::diskspd::{
        profile::{Profile, TimeSpan},
        system::Topology,
        text::{INTERRUPTED, kept_share},
    },
    report::Renderer,
    results::{
        CpuPercent, IntervalSeries, Latency, OperationStats, Results, SeriesPoint, SpanResult,
        StreamResult, Summary, Waits, milliseconds, series,
    },
};

/// Percentiles beyond 99, as programs look them up.
const TAIL: [(&str, f64); 8] = [
    ("99.9", 0.999),
    ("99.99", 0.9999),
    ("99.999", 0.99999),
    ("99.9999", 0.999_999),
    ("99.99999", 0.999_999_9),
    ("99.999999", 0.999_999_99),
    ("99.9999999", 0.999_999_999),
    ("100", 1.0),
];

/// `DiskSpd`'s XML results.
#[derive(Debug, Clone)]
pub(crate) struct XmlReport {
    pub(crate) profile: Profile,
}

impl Renderer for XmlReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let topology = Topology::of(&results.provenance.machine);
        let mut xml = XmlWriter::default();
        xml.open("Results");
        system::write(&results.provenance, &mut xml);
        profile::write(&self.profile, &mut xml);
        for (asked, span) in self.profile.spans.iter().zip(&results.spans) {
            xml.open("TimeSpan");
            if span.has_figures() {
                self.write_span(asked, span, &topology, &mut xml);
            } else {
                xml.text("Error", &INTERRUPTED);
            }
            xml.close("TimeSpan");
        }
        xml.close("Results");
        // The original ends without a line feed, and programs compare.
        out.write_all(xml.finish().trim_end().as_bytes())
    }
}

impl XmlReport {
    fn write_span(
        &self,
        asked: &TimeSpan,
        span: &SpanResult,
        topology: &Topology<'_>,
        xml: &mut XmlWriter,
    ) {
        let pooled = asked.thread_count > 0;
        let requests = if pooled { asked.request_count } else { 0 };
        xml.text(
            "TestTimeSeconds",
            &format_args!("{:.2}", span.measured.as_secs_f64()),
        );
        xml.text("ThreadCount", &span.workers.len());
        xml.text("RequestCount", &requests);
        xml.text("ProcCount", &span.cpus.len());
        xml.open("CpuUtilization");
        for cpu in &span.cpus {
            xml.open("CPU");
            system::write_placement(topology, cpu.number, xml);
            write_percents(&CpuPercent::of(cpu), xml);
            xml.close("CPU");
        }
        xml.open("Average");
        write_percents(&CpuPercent::mean(&span.cpus), xml);
        xml.close("Average");
        xml.close("CpuUtilization");
        let (read, write) = (span.reads(None), span.writes(None));
        if asked.measure_latency {
            write_latency(&read.latency, &write.latency, xml);
        }
        if asked.iops_stddev {
            write_iops(&read, &write, xml);
        }
        for (number, worker) in span.workers.iter().enumerate() {
            xml.open("Thread");
            xml.text("Id", &number);
            for stream in &worker.streams {
                write_stream(asked, span, stream, xml);
            }
            if self.profile.verbose_stats {
                write_waits(&worker.waits, xml);
            }
            xml.close("Thread");
        }
    }
}

fn write_percents(percent: &CpuPercent, xml: &mut XmlWriter) {
    for (name, value) in [
        ("UsagePercent", percent.usage),
        ("UserPercent", percent.user),
        ("KernelPercent", percent.kernel),
        ("IdlePercent", percent.idle),
    ] {
        xml.text(name, &format_args!("{value:.2}"));
    }
}

/// An element with three decimals, where there is a value.
fn write_decimal(name: &str, value: Option<f64>, xml: &mut XmlWriter) {
    if let Some(value) = value {
        xml.text(name, &format_args!("{value:.3}"));
    }
}

fn write_latency(read: &Latency, write: &Latency, xml: &mut XmlWriter) {
    let mut total = read.clone();
    total += write;
    xml.open_with(
        "Latency",
        &[
            ("ReadHistoBuckets", &read.bucket_count()),
            ("WriteHistoBuckets", &write.bucket_count()),
            ("TotalHistoBuckets", &total.bucket_count()),
        ],
    );
    for (average, deviation, latency) in [
        ("AverageReadMilliseconds", "ReadLatencyStdev", read),
        ("AverageWriteMilliseconds", "WriteLatencyStdev", write),
        ("AverageTotalMilliseconds", "LatencyStdev", &total),
    ] {
        write_decimal(average, latency.mean_ns().map(milliseconds), xml);
        write_decimal(deviation, latency.stddev_ns().map(milliseconds), xml);
    }
    let whole = (0..100_u32).map(|p| (p.to_string(), f64::from(p) / 100.0));
    let tail = TAIL.iter().map(|(text, p)| ((*text).to_owned(), *p));
    for (percentile, fraction) in whole.chain(tail) {
        xml.open("Bucket");
        xml.text("Percentile", &percentile);
        for (name, latency) in [
            ("ReadMilliseconds", read),
            ("WriteMilliseconds", write),
            ("TotalMilliseconds", &total),
        ] {
            let value = latency.quantile_ns(fraction);
            write_decimal(name, value.map(|ns| milliseconds(ns as f64)), xml);
        }
        xml.close("Bucket");
    }
    xml.close("Latency");
}

fn write_iops(read: &OperationStats, write: &OperationStats, xml: &mut XmlWriter) {
    let (read, write) = (&read.intervals, &write.intervals);
    let mut total = read.clone();
    total += write;
    let deviation =
        |series: &IntervalSeries| (!series.used().is_empty()).then(|| series.iops_stddev());
    xml.open("Iops");
    write_decimal("ReadIopsStdDev", deviation(read), xml);
    write_decimal("WriteIopsStdDev", deviation(write), xml);
    write_decimal("IopsStdDev", deviation(&total), xml);
    for point in series(read, write) {
        write_point(&point, xml);
    }
    xml.close("Iops");
}

fn write_point(point: &SeriesPoint, xml: &mut XmlWriter) {
    let (read, write) = (&point.read, &point.write);
    xml.empty(
        "Bucket",
        &[
            ("SampleMillisecond", &point.end.as_millis()),
            ("Read", &format_args!("{:.0}", read.per_second)),
            ("Write", &format_args!("{:.0}", write.per_second)),
            ("Total", &format_args!("{:.0}", point.per_second)),
            (
                "ReadMinLatencyMilliseconds",
                &format_args!("{:.3}", read.min_ms),
            ),
            (
                "ReadMaxLatencyMilliseconds",
                &format_args!("{:.3}", read.max_ms),
            ),
            (
                "ReadAvgLatencyMilliseconds",
                &format_args!("{:.3}", read.mean_ms),
            ),
            ("ReadLatencyStdDev", &format_args!("{:.3}", read.stddev_ms)),
            (
                "WriteMinLatencyMilliseconds",
                &format_args!("{:.3}", write.min_ms),
            ),
            (
                "WriteMaxLatencyMilliseconds",
                &format_args!("{:.3}", write.max_ms),
            ),
            (
                "WriteAvgLatencyMilliseconds",
                &format_args!("{:.3}", write.mean_ms),
            ),
            (
                "WriteLatencyStdDev",
                &format_args!("{:.3}", write.stddev_ms),
            ),
        ],
    );
}

fn write_stream(asked: &TimeSpan, span: &SpanResult, stream: &StreamResult, xml: &mut XmlWriter) {
    let total = Summary::of(&stream.total(), span.measured);
    let read = Summary::of(&stream.read, span.measured);
    let write = Summary::of(&stream.write, span.measured);
    let (label, size) = span.target_label_and_size(stream.target);
    xml.open("Target");
    xml.text("Path", &label);
    xml.text("BytesCount", &total.rates.bytes);
    xml.text("FileSize", &size.0);
    xml.text("IOCount", &total.rates.count);
    xml.text("ReadBytes", &read.rates.bytes);
    xml.text("ReadCount", &read.rates.count);
    xml.text("WriteBytes", &write.rates.bytes);
    xml.text("WriteCount", &write.rates.count);
    if !stream.ranges.is_empty() {
        write_ranges(asked, stream, xml);
    }
    if asked.measure_latency {
        for (average, deviation, summary) in [
            ("AverageReadLatencyMilliseconds", "ReadLatencyStdev", &read),
            (
                "AverageWriteLatencyMilliseconds",
                "WriteLatencyStdev",
                &write,
            ),
            ("AverageLatencyMilliseconds", "LatencyStdev", &total),
        ] {
            write_decimal(average, summary.latency_mean_ms, xml);
            write_decimal(deviation, summary.latency_stddev_ms, xml);
        }
    }
    if asked.iops_stddev {
        write_iops(&stream.read, &stream.write, xml);
    }
    xml.close("Target");
}

/// The effective ranges by length; holes between them are ranges without I/O, so that a reader can
/// add the lengths up. Shares are those asked for, before ranges behind the end were dropped.
fn write_ranges(asked: &TimeSpan, stream: &StreamResult, xml: &mut XmlWriter) {
    let kept = asked
        .targets
        .get(stream.target)
        .and_then(|target| target.distribution.as_ref())
        .map_or(100, |distribution| kept_share(distribution, &stream.ranges));
    xml.open("Distribution");
    xml.open("Absolute");
    let mut end = 0;
    for range in &stream.ranges {
        if range.from > end {
            xml.text_with("Range", &[("IO", &0)], &(range.from - end));
        }
        let share = range.io_percent * f64::from(kept) / 100.0;
        xml.text_with(
            "Range",
            &[("IO", &format_args!("{share:.0}"))],
            &range.to.saturating_sub(range.from),
        );
        end = range.to;
    }
    xml.close("Absolute");
    xml.close("Distribution");
}

fn write_waits(waits: &Waits, xml: &mut XmlWriter) {
    xml.open("WaitStatistics");
    xml.text("CompletionWait", &waits.completion);
    xml.text("ThrottleWait", &waits.throttle);
    xml.text("ThrottleSleep", &waits.throttle_sleep);
    xml.text("Lookaside", &waits.polls);
    let found: Vec<String> = waits.found.iter().map(u64::to_string).collect();
    xml.text("LookasideCompletion", &found.join(" "));
    xml.close("WaitStatistics");
}

#[cfg(test)]
mod tests;
