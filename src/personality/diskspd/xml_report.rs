//! The results as XML: the system, the profile, results by time span.

use std::io::{self, Write};

use super::{
    profile::{Profile, TimeSpan},
    text_distribution::kept_share,
    text_report::INTERRUPTED,
    xml_profile, xml_system,
    xml_write::XmlWriter,
};
use crate::{
    host::Machine,
    measure::{IntervalSeries, Latency, OperationStats},
    report::Renderer,
    results::{
        CpuPercent, Results, SeriesPoint, SpanResult, StreamResult, Summary, Waits, milliseconds,
        series,
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
pub struct XmlReport {
    pub(super) profile: Profile,
}

impl Renderer for XmlReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let mut xml = XmlWriter::default();
        xml.open("Results");
        xml_system::write(&results.provenance, &mut xml);
        xml_profile::write(&self.profile, &mut xml);
        for (asked, span) in self.profile.spans.iter().zip(&results.spans) {
            xml.open("TimeSpan");
            if span.has_figures() {
                self.write_span(asked, span, &results.provenance.machine, &mut xml);
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
        machine: &Machine,
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
            xml_system::write_placement(machine, cpu.number, xml);
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
mod tests {
    use std::time::Duration;

    use super::XmlReport;
    use crate::{
        host::CpuUse,
        personality::diskspd::{
            profile::{Distribution, DistributionRange, Format, Profile, Target, TimeSpan},
            testing::{
                counted, lines_between, operations, profile, random, recorded, rendered, results,
                span, span_result, stream, target,
            },
        },
        results::{EffectiveRange, EndReason, Outcome, SpanResult, Waits},
    };

    const MIB16: u64 = 16 << 20;

    fn asked(duration: u32, target: Target) -> Profile {
        Profile {
            format: Format::Xml,
            ..profile(vec![TimeSpan {
                duration,
                warmup: 0,
                ..span(vec![target])
            }])
        }
    }

    fn report(profile: Profile, spans: Vec<SpanResult>) -> String {
        rendered(&XmlReport { profile }, &results("", spans))
    }

    /// The record with the start time of the test's results, escaped as we do.
    fn expected(case: &str) -> String {
        let text = recorded(case, "stdout").replace("\"<unknown>\"", "\"&lt;unknown&gt;\"");
        let start = text.find("<RunTime>").unwrap();
        let end = start + text[start..].find(" UTC").unwrap();
        text.replace(&text[start..end], "<RunTime>2026/11/30 19:49:05")
    }

    /// CPU time of which the recorded percentages follow.
    fn cpus(of: [(u64, u64); 2]) -> Vec<CpuUse> {
        of.into_iter()
            .zip(0..)
            .map(|((user, kernel), number)| CpuUse {
                number,
                user: Duration::from_millis(user),
                kernel: Duration::from_millis(kernel),
                idle: Duration::ZERO,
            })
            .collect()
    }

    #[test]
    fn the_smallest_document_byte_for_byte() {
        let created = Target {
            create_size: Some(MIB16),
            ..target("d.dat")
        };
        let expected = expected("r-xml-min");
        let number = |name: &str, nth: usize| -> u64 {
            let text = expected.split(&format!("<{name}>")).nth(nth).unwrap();
            text[..text.find('<').unwrap()]
                .replace('.', "")
                .parse()
                .unwrap()
        };
        let mut result = span_result(
            Duration::from_secs(2),
            &[("d.dat", MIB16)],
            vec![vec![stream(
                0,
                counted(117_110, 7_674_920_960),
                counted(0, 0),
            )]],
        );
        result.cpus = cpus([1, 2].map(|n| (number("UserPercent", n), number("KernelPercent", n))));
        assert_eq!(report(asked(2, created), vec![result]), expected);
    }

    #[test]
    fn without_a_measured_time_there_is_an_error() {
        let mut result = span_result(Duration::ZERO, &[("nosuch.dat", 0)], Vec::new());
        result.outcome = Outcome::NotMeasured(EndReason::Failed);
        assert_eq!(
            report(asked(1, target("nosuch.dat")), vec![result]),
            expected("e-missing-xml")
        );
    }

    #[test]
    fn latency_intervals_and_waits() {
        let mut profile = asked(1, target("d.dat"));
        profile.verbose_stats = true;
        profile.spans[0].measure_latency = true;
        profile.spans[0].iops_stddev = true;
        let measured = stream(
            0,
            operations(&[(10, 1_000_000), (20, 2_000_000), (600, 3_000_000)]),
            operations(&[(700, 5_000_000)]),
        );
        let mut result = span_result(
            Duration::from_secs(1),
            &[("d.dat", MIB16)],
            vec![vec![measured]],
        );
        result.workers[0].waits = Waits {
            completion: 1,
            throttle: 2,
            throttle_sleep: 3,
            polls: 4,
            found: [0, 4, 0, 0, 0, 0, 0, 0],
        };
        let text = report(profile, vec![result]);
        // Reads of 1, 2, 3 ms and a write of 5 ms: all four have mean 2.75 and deviation
        // sqrt(8.75/4); two and one read, none and one write in intervals of half a second. The
        // first interval's reads have mean 1.5 and deviation 0.5 ms.
        assert_eq!(
            lines_between(&text, "<Latency ", "</Bucket>"),
            [
                r#"    <Latency ReadHistoBuckets="3" WriteHistoBuckets="1" TotalHistoBuckets="4">"#,
                "      <AverageReadMilliseconds>2.000</AverageReadMilliseconds>",
                "      <ReadLatencyStdev>0.816</ReadLatencyStdev>",
                "      <AverageWriteMilliseconds>5.000</AverageWriteMilliseconds>",
                "      <WriteLatencyStdev>0.000</WriteLatencyStdev>",
                "      <AverageTotalMilliseconds>2.750</AverageTotalMilliseconds>",
                "      <LatencyStdev>1.479</LatencyStdev>",
                "      <Bucket>",
                "        <Percentile>0</Percentile>",
                "        <ReadMilliseconds>1.000</ReadMilliseconds>",
                "        <WriteMilliseconds>5.000</WriteMilliseconds>",
                "        <TotalMilliseconds>1.000</TotalMilliseconds>",
                "      </Bucket>",
            ]
        );
        let first = r#"Bucket SampleMillisecond="500" Read="4" Write="0" Total="4" ReadMinLatencyMilliseconds="1.000" ReadMaxLatencyMilliseconds="2.000" ReadAvgLatencyMilliseconds="1.500" ReadLatencyStdDev="0.500" WriteMinLatencyMilliseconds="0.000" WriteMaxLatencyMilliseconds="0.000" WriteAvgLatencyMilliseconds="0.000" WriteLatencyStdDev="0.000"/>"#;
        let second = r#"Bucket SampleMillisecond="1000" Read="2" Write="2" Total="4" ReadMinLatencyMilliseconds="3.000" ReadMaxLatencyMilliseconds="3.000" ReadAvgLatencyMilliseconds="3.000" ReadLatencyStdDev="0.000" WriteMinLatencyMilliseconds="5.000" WriteMaxLatencyMilliseconds="5.000" WriteAvgLatencyMilliseconds="5.000" WriteLatencyStdDev="0.000"/>"#;
        assert_eq!(
            lines_between(&text, "<Thread>", "</TimeSpan>"),
            [
                "    <Thread>",
                "      <Id>0</Id>",
                "      <Target>",
                "        <Path>d.dat</Path>",
                "        <BytesCount>16384</BytesCount>",
                "        <FileSize>16777216</FileSize>",
                "        <IOCount>4</IOCount>",
                "        <ReadBytes>12288</ReadBytes>",
                "        <ReadCount>3</ReadCount>",
                "        <WriteBytes>4096</WriteBytes>",
                "        <WriteCount>1</WriteCount>",
                "        <AverageReadLatencyMilliseconds>2.000</AverageReadLatencyMilliseconds>",
                "        <ReadLatencyStdev>0.816</ReadLatencyStdev>",
                "        <AverageWriteLatencyMilliseconds>5.000</AverageWriteLatencyMilliseconds>",
                "        <WriteLatencyStdev>0.000</WriteLatencyStdev>",
                "        <AverageLatencyMilliseconds>2.750</AverageLatencyMilliseconds>",
                "        <LatencyStdev>1.479</LatencyStdev>",
                "        <Iops>",
                "          <ReadIopsStdDev>1.000</ReadIopsStdDev>",
                "          <WriteIopsStdDev>1.000</WriteIopsStdDev>",
                "          <IopsStdDev>0.000</IopsStdDev>",
                &format!("          <{first}"),
                &format!("          <{second}"),
                "        </Iops>",
                "      </Target>",
                "      <WaitStatistics>",
                "        <CompletionWait>1</CompletionWait>",
                "        <ThrottleWait>2</ThrottleWait>",
                "        <ThrottleSleep>3</ThrottleSleep>",
                "        <Lookaside>4</Lookaside>",
                "        <LookasideCompletion>0 4 0 0 0 0 0 0</LookasideCompletion>",
                "      </WaitStatistics>",
                "    </Thread>",
                "  </TimeSpan>",
            ]
        );
    }

    #[test]
    fn percentiles_are_those_of_the_record_and_silent_sides_vanish() {
        let mut profile = asked(2, target("d.dat"));
        profile.spans[0].measure_latency = true;
        profile.spans[0].iops_stddev = true;
        let reads = stream(0, operations(&[(10, 1_000_000)]), operations(&[]));
        let result = span_result(
            Duration::from_secs(2),
            &[("d.dat", MIB16)],
            vec![vec![reads]],
        );
        let text = report(profile, vec![result]);
        // Names of the elements from the latencies on; intervals may be any number.
        let names = |text: &str| -> Vec<String> {
            let part = &text[text.find("<Latency ").unwrap()..];
            let lines = part.lines().map(str::trim);
            let mut names: Vec<String> = lines
                .map(|line| match line.strip_prefix("<Percentile>") {
                    Some(_) => line.to_owned(),
                    None => line.split([' ', '>']).next().unwrap().to_owned(),
                })
                .collect();
            names.dedup();
            names
        };
        let mut ours = names(&text);
        // The original lacks these by a bug.
        ours.retain(|name| name != "<AverageLatencyMilliseconds");
        let last = ours
            .iter()
            .rposition(|name| name == "<LatencyStdev")
            .unwrap();
        ours.remove(last);
        assert_eq!(ours, names(&recorded("r-xml-LD-read", "stdout")));
        assert_eq!(text.matches("<Percentile>").count(), 108);
    }

    #[test]
    fn effective_ranges_add_up_with_their_holes() {
        let asked_ranges = [(50, 0, 4), (0, 4, 4), (25, 8, 100), (25, 108, 0)].map(
            |(io_percent, from, length)| DistributionRange {
                io_percent,
                from,
                length,
            },
        );
        let profile = asked(
            1,
            Target {
                pattern: random(),
                distribution: Some(Distribution::Absolute(asked_ranges.to_vec())),
                ..target("d.dat")
            },
        );
        let mut reads = stream(0, counted(0, 0), counted(0, 0));
        reads.ranges = [(200.0 / 3.0, 0, 4), (100.0 / 3.0, 8, 16)]
            .map(|(io_percent, from, to)| EffectiveRange {
                io_percent,
                from,
                to,
            })
            .to_vec();
        let result = span_result(Duration::from_secs(1), &[("d.dat", 16)], vec![vec![reads]]);
        let text = report(profile, vec![result]);
        let thread = &text[text.find("<Thread>").unwrap()..];
        assert_eq!(
            lines_between(thread, "<Distribution>", "</Distribution>"),
            [
                "        <Distribution>",
                "          <Absolute>",
                "            <Range IO=\"50\">4</Range>",
                "            <Range IO=\"0\">4</Range>",
                "            <Range IO=\"25\">8</Range>",
                "          </Absolute>",
                "        </Distribution>",
            ]
        );
    }
}
