//! Documents of results built by hand, beside the records.

use std::time::Duration;

use super::XmlReport;
use crate::{
    host::CpuUse,
    personality::diskspd::{
        profile::{Distribution, DistributionRange, Format, Profile, Target, TimeSpan},
        testing::{
            counted, lines_between, operations, profile, random, recorded, rendered, results, span,
            span_result, stream, target, two_spans,
        },
    },
    results::{EffectiveRange, EndReason, Outcome, SpanResult, StreamResult, Waits},
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
            ..CpuUse::default()
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

/// Reads of 1, 2, 3 ms and a write of 5 ms: all four have mean 2.75 and deviation sqrt(8.75/4); two
/// and one read, none and one write in intervals of half a second.
fn measured_run() -> String {
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
    report(profile, vec![result])
}

#[test]
fn latency_of_the_time_span() {
    let text = measured_run();
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
}

/// Numbers as the attributes of an interval: its end, reads, writes and all a second, then
/// least, largest, mean and deviation of reads and of writes.
fn interval(rates: [u32; 4], read: [&str; 4], write: [&str; 4]) -> String {
    let [end, reads, writes, all] = rates;
    let side = |name: &str, [min, max, mean, deviation]: [&str; 4]| {
        format!(
            "{name}MinLatencyMilliseconds=\"{min}\" {name}MaxLatencyMilliseconds=\"{max}\" \
             {name}AvgLatencyMilliseconds=\"{mean}\" {name}LatencyStdDev=\"{deviation}\""
        )
    };
    format!(
        "          <Bucket SampleMillisecond=\"{end}\" Read=\"{reads}\" Write=\"{writes}\" \
         Total=\"{all}\" {} {}/>",
        side("Read", read),
        side("Write", write)
    )
}

#[test]
fn figures_of_a_thread() {
    let text = measured_run();
    // Reads of 1 and 2 ms first: mean 1.5 and deviation 0.5 ms.
    let silence = ["0.000"; 4];
    let first = interval(
        [500, 4, 0, 4],
        ["1.000", "2.000", "1.500", "0.500"],
        silence,
    );
    let read = ["3.000", "3.000", "3.000", "0.000"];
    let second = interval([1000, 2, 2, 4], read, ["5.000", "5.000", "5.000", "0.000"]);
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
            &first,
            &second,
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

/// Names of the elements from the first time span on, percentiles with their text; any number of
/// neighbours of a name are one, so that there may be any number of intervals.
fn elements(text: &str) -> Vec<String> {
    let part = &text[text.find("</Profile>").unwrap()..];
    let names = part.lines().map(str::trim).map(|line| {
        let is_text = line.starts_with("<Percentile>") || line.starts_with("<Path>");
        let name = line.split([' ', '>']).next().unwrap();
        if is_text { line } else { name }.to_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.dedup();
    names
}

/// What the original lacks by a bug: latency of reads and writes together of a stream.
fn without_stream_totals(mut names: Vec<String>) -> Vec<String> {
    let mut previous_is_mean = false;
    names.retain(|name| {
        let is_mean = name == "<AverageLatencyMilliseconds";
        let is_lacking = is_mean || (previous_is_mean && name == "<LatencyStdev");
        previous_is_mean = is_mean;
        !is_lacking
    });
    names
}

fn reading(target: usize) -> Vec<StreamResult> {
    let reads = operations(&[(10, 1_000_000), (600, 2_000_000)]);
    vec![stream(target, reads, operations(&[]))]
}

fn mixed(target: usize) -> Vec<StreamResult> {
    let side = || operations(&[(10, 1_000_000), (600, 2_000_000)]);
    vec![stream(target, side(), side())]
}

fn two_cpus(mut result: SpanResult) -> SpanResult {
    result.cpus = cpus([(1, 1), (1, 1)]);
    result
}

#[test]
fn elements_and_their_order_are_those_of_the_records() {
    let second = Duration::from_secs(1);
    let files = [("d.dat", MIB16), ("e.dat", MIB16)];
    let measuring = |latency, iops, waits| {
        let mut profile = asked(2, target("d.dat"));
        profile.verbose_stats = waits;
        profile.spans[0].measure_latency = latency;
        profile.spans[0].iops_stddev = iops;
        profile
    };
    let one = |workers| vec![two_cpus(span_result(second, &files, workers))];
    let first = two_cpus(span_result(
        second,
        &[("t1.dat", 0)],
        vec![mixed(0), mixed(0)],
    ));
    let files_of_second = [("t1.dat", 0), ("second.dat", 0)];
    let other = two_cpus(span_result(
        second,
        &files_of_second,
        vec![reading(0), reading(1)],
    ));
    for (case, profile, spans) in [
        (
            "r-xml",
            measuring(true, true, false),
            one(vec![mixed(0), mixed(0)]),
        ),
        (
            "r-xml-LD-read",
            measuring(true, true, false),
            one(vec![reading(0)]),
        ),
        (
            "r-xml-multi",
            measuring(true, false, true),
            one(vec![reading(0), reading(1)]),
        ),
        ("r-X-xml", two_spans("t1.dat"), vec![first, other]),
    ] {
        let text = report(profile, spans);
        assert!(text.starts_with("<Results>\n") && text.ends_with("</Results>"));
        let ours = without_stream_totals(elements(&text));
        assert_eq!(ours, elements(&recorded(case, "stdout")), "{case}");
        assert_eq!(text.matches("<Percentile>").count(), 108);
    }
}

#[test]
fn effective_ranges_add_up_with_their_holes() {
    let asked_ranges =
        [(50, 0, 4), (0, 4, 4), (25, 8, 100), (25, 108, 0)].map(|(io_percent, from, length)| {
            DistributionRange {
                io_percent,
                from,
                length,
            }
        });
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
