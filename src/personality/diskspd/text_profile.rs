//! The profile as text: the first part of every text report, and all that `-Rp` prints.

use std::fmt::{self, Write};

use super::{
    profile::{Cache, Flush, Pattern, Profile, Target, Throughput, TimeSpan},
    text_distribution,
};
use crate::units::ByteSize;

/// The echo of a profile up to the end of its last time span. `command_line` begins with the
/// program's name.
pub(super) fn render(profile: &Profile, command_line: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_profile(&mut out, profile, command_line);
    out
}

fn write_profile(out: &mut String, profile: &Profile, command_line: &str) -> fmt::Result {
    writeln!(out, "\nCommand Line: {command_line}\n")?;
    if profile.experiment_flags != 0 {
        let flags = profile.experiment_flags;
        writeln!(out, "Experiment Flags: 0x{flags:x} ({flags})\n")?;
    }
    writeln!(out, "Input parameters:\n")?;
    if profile.verbose {
        writeln!(out, "\tusing verbose mode")?;
    }
    for (index, span) in profile.spans.iter().enumerate() {
        write_span(out, index + 1, span)?;
        for target in &span.targets {
            write_target(out, span, target)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_span(out: &mut String, number: usize, span: &TimeSpan) -> fmt::Result {
    writeln!(out, "\ttimespan: {number:>3}\n\t-------------")?;
    writeln!(out, "\tduration: {}s", span.duration)?;
    writeln!(out, "\twarm up time: {}s", span.warmup)?;
    writeln!(out, "\tcool down time: {}s", span.cooldown)?;
    if span.disable_affinity {
        writeln!(out, "\taffinity disabled")?;
    }
    if span.measure_latency {
        writeln!(out, "\tmeasuring latency")?;
    }
    if span.iops_stddev {
        writeln!(
            out,
            "\tgathering IOPS at intervals of {}ms",
            span.interval_ms
        )?;
    }
    writeln!(out, "\trandom seed: {}", span.seed)?;
    if span.thread_count > 0 {
        writeln!(out, "\tthread pool with {} threads", span.thread_count)?;
        writeln!(
            out,
            "\tnumber of outstanding I/O operations per thread: {}",
            span.request_count
        )?;
    }
    if !span.affinity.is_empty() {
        let list: Vec<String> = span
            .affinity
            .iter()
            .map(|(group, cpu)| format!("{group}/{cpu}"))
            .collect();
        writeln!(
            out,
            "\tadvanced affinity round robin (group/core): {}",
            list.join(", ")
        )?;
    }
    if span.random_write_data {
        writeln!(out, "\tgenerating random data for each write IO")?;
        writeln!(
            out,
            "\t  WARNING: this increases the CPU cost of issuing writes and should only"
        )?;
        writeln!(
            out,
            "\t           be compared to other results using the -Zr flag"
        )?;
    }
    Ok(())
}

fn write_target(out: &mut String, span: &TimeSpan, target: &Target) -> fmt::Result {
    let label = target.label();
    match label.strip_prefix('*') {
        Some(number) => writeln!(out, "\tpath: template target '{number}'")?,
        None => writeln!(out, "\tpath: '{label}'")?,
    }
    writeln!(
        out,
        "\t\tthink time: {}ms",
        target.think_time.unwrap_or_default()
    )?;
    writeln!(
        out,
        "\t\tburst size: {}",
        target.burst_size.unwrap_or_default()
    )?;
    write_caching(out, target)?;
    write_buffers(out, target)?;
    if target.parallel {
        writeln!(out, "\t\tusing parallel async I/O")?;
    }
    match target.write_ratio {
        0 => writeln!(out, "\t\tperforming read test")?,
        100 => writeln!(out, "\t\tperforming write test")?,
        writes => writeln!(
            out,
            "\t\tperforming mix test (read/write ratio: {}/{writes})",
            100_u32.saturating_sub(writes)
        )?,
    }
    let block = ByteSize(u64::from(target.block_size));
    writeln!(out, "\t\tblock size: {block}")?;
    write_pattern(out, target)?;
    if span.thread_count > 0 && span.request_count > 0 {
        writeln!(
            out,
            "\t\trelative IO weight in thread pool: {}",
            target.weight
        )?;
    } else {
        writeln!(
            out,
            "\t\tnumber of outstanding I/O operations per thread: {}",
            target.request_count
        )?;
    }
    write_range(out, target)?;
    write_hints(out, target)?;
    write_threads(out, span, target)?;
    if let Some(distribution) = &target.distribution {
        writeln!(out, "\t\tIO Distribution:")?;
        out.push_str(&text_distribution::as_asked(distribution, "\t\t"));
    }
    Ok(())
}

fn write_caching(out: &mut String, target: &Target) -> fmt::Result {
    let cache = match target.cache {
        Cache::Cached => "using software cache",
        Cache::NoLocalCache => "local software cache disabled, remote cache enabled",
        Cache::NoOsCache => "software cache disabled",
    };
    writeln!(out, "\t\t{cache}")?;
    let through = match (target.write_through, target.cache) {
        (false, _) => "using hardware write cache, writethrough off",
        (true, Cache::NoOsCache) => "hardware write cache disabled, writethrough on",
        (true, Cache::Cached | Cache::NoLocalCache) => {
            "hardware and software write caches disabled, writethrough on"
        }
    };
    writeln!(out, "\t\t{through}")?;
    if target.memory_mapped {
        let flush = match target.flush {
            None => "",
            Some(Flush::View) => ", flush mode: FlushViewOfFile",
            Some(Flush::NonVolatile) => ", flush mode: FlushNonVolatileMemory",
            Some(Flush::NonVolatileNoDrain) => ", flush mode: FlushNonVolatileMemory with no drain",
        };
        writeln!(out, "\t\tmemory mapped I/O enabled{flush}")?;
    }
    Ok(())
}

fn write_buffers(out: &mut String, target: &Target) -> fmt::Result {
    if target.zero_buffers {
        writeln!(out, "\t\tzeroing write buffers")?;
    }
    if target.source_size > 0 {
        let size = ByteSize(target.source_size);
        writeln!(out, "\t\twrite buffer size: {size}")?;
        match &target.source_path {
            Some(path) => writeln!(out, "\t\twrite buffer source: '{}'", path.to_string_lossy())?,
            None => writeln!(out, "\t\twrite buffer source: random fill")?,
        }
    }
    Ok(())
}

fn write_pattern(out: &mut String, target: &Target) -> fmt::Result {
    let step = ByteSize(target.alignment());
    match target.pattern {
        Pattern::Random { percent: 100.., .. } => {
            writeln!(out, "\t\tusing random I/O (alignment: {step})")
        }
        Pattern::Random { percent, .. } => writeln!(
            out,
            "\t\tusing mixed random/sequential I/O ({percent}% random) (alignment/stride: {step})"
        ),
        Pattern::Sequential {
            interlocked: true, ..
        } => writeln!(out, "\t\tusing interlocked sequential I/O (stride: {step})"),
        Pattern::Sequential { .. } => {
            writeln!(out, "\t\tusing sequential I/O (stride: {step})")
        }
    }
}

fn write_range(out: &mut String, target: &Target) -> fmt::Result {
    for (label, bytes) in [
        ("base file offset", target.base),
        ("max file size", target.max_size),
        ("thread stride size", target.thread_stride),
    ] {
        if bytes > 0 {
            writeln!(out, "\t\t{label}: {}", ByteSize(bytes))?;
        }
    }
    Ok(())
}

fn write_hints(out: &mut String, target: &Target) -> fmt::Result {
    for (given, hint) in [
        (target.sequential_scan, "FILE_FLAG_SEQUENTIAL_SCAN"),
        (target.random_access, "FILE_FLAG_RANDOM_ACCESS"),
        (target.temporary, "FILE_ATTRIBUTE_TEMPORARY"),
    ] {
        if given {
            writeln!(out, "\t\tusing {hint} hint")?;
        }
    }
    Ok(())
}

fn write_threads(out: &mut String, span: &TimeSpan, target: &Target) -> fmt::Result {
    if span.thread_count == 0 {
        writeln!(out, "\t\tthreads per file: {}", target.threads)?;
        if target.request_count > 1 {
            let means = if span.completion_routines {
                "completion routines (ReadFileEx/WriteFileEx)"
            } else {
                "I/O Completion Ports"
            };
            writeln!(out, "\t\tusing {means}")?;
        }
    }
    let priority = match target.priority {
        1 => "very low",
        2 => "low",
        _ => "normal",
    };
    writeln!(out, "\t\tIO priority: {priority}")?;
    match target.throughput {
        Throughput::Unlimited => Ok(()),
        Throughput::BytesPerMs(rate) => {
            writeln!(out, "\t\tthroughput rate-limited to {rate} B/ms")
        }
        Throughput::Iops(rate) => writeln!(out, "\t\tthroughput rate-limited to {rate} IOPS"),
    }
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::personality::diskspd::{
        profile::{
            Cache, Distribution, DistributionRange, Flush, Pattern, Profile, Target, Throughput,
            TimeSpan,
        },
        testing::{
            as_ours, command_line, everything, profile, random, recorded, span, target, two_spans,
        },
    };

    fn one(target: Target) -> Profile {
        profile(vec![span(vec![target])])
    }

    fn x() -> Target {
        target("x.dat")
    }

    fn check(case: &str, profile: &Profile) {
        let expected = as_ours(&recorded(case, "stdout"));
        assert_eq!(render(profile, &command_line(case)), expected, "{case}");
    }

    /// Cases that change one thing about the only target.
    #[test]
    fn options_of_a_target() {
        let cases: [(&str, Target); 27] = [
            (
                "p-burst",
                Target {
                    burst_size: Some(8),
                    think_time: Some(10),
                    ..x()
                },
            ),
            (
                "p-giops",
                Target {
                    block_size: 8192,
                    throughput: Throughput::Iops(500),
                    ..x()
                },
            ),
            (
                "p-gbpms",
                Target {
                    throughput: Throughput::BytesPerMs(500),
                    ..x()
                },
            ),
            (
                "p-Sm",
                Target {
                    memory_mapped: true,
                    ..x()
                },
            ),
            (
                "p-Smw",
                Target {
                    memory_mapped: true,
                    write_through: true,
                    ..x()
                },
            ),
            (
                "p-NvSm",
                Target {
                    memory_mapped: true,
                    flush: Some(Flush::View),
                    ..x()
                },
            ),
            (
                "p-NiSm",
                Target {
                    memory_mapped: true,
                    flush: Some(Flush::NonVolatileNoDrain),
                    ..x()
                },
            ),
            (
                "p-Sr",
                Target {
                    cache: Cache::NoLocalCache,
                    ..x()
                },
            ),
            (
                "p-Sh",
                Target {
                    cache: Cache::NoOsCache,
                    write_through: true,
                    ..x()
                },
            ),
            (
                "p-Sw",
                Target {
                    write_through: true,
                    ..x()
                },
            ),
            (
                "p-Z",
                Target {
                    zero_buffers: true,
                    write_ratio: 100,
                    ..x()
                },
            ),
            (
                "p-Z1M",
                Target {
                    source_size: 1 << 20,
                    write_ratio: 100,
                    ..x()
                },
            ),
            (
                "p-Z1Mfile",
                Target {
                    source_size: 1 << 20,
                    source_path: Some("src.bin".into()),
                    write_ratio: 100,
                    ..x()
                },
            ),
            (
                "p-p",
                Target {
                    parallel: true,
                    request_count: 4,
                    ..x()
                },
            ),
            (
                "p-si",
                Target {
                    pattern: Pattern::Sequential {
                        stride: None,
                        interlocked: true,
                    },
                    threads: 4,
                    ..x()
                },
            ),
            (
                "p-T",
                Target {
                    threads: 2,
                    thread_stride: 1 << 20,
                    ..x()
                },
            ),
            (
                "p-rs",
                Target {
                    pattern: Pattern::Random {
                        alignment: Some(8192),
                        percent: 40,
                    },
                    write_ratio: 50,
                    ..x()
                },
            ),
            (
                "p-rs100",
                Target {
                    pattern: random(),
                    ..x()
                },
            ),
            (
                "p-o1",
                Target {
                    request_count: 1,
                    ..x()
                },
            ),
            (
                "p-B-len",
                Target {
                    base: 1 << 20,
                    max_size: 11 << 20,
                    ..x()
                },
            ),
            (
                "p-bsizes",
                Target {
                    block_size: 3 << 20,
                    pattern: Pattern::Sequential {
                        stride: Some(1536 << 10),
                        interlocked: false,
                    },
                    max_size: 5 << 30,
                    ..x()
                },
            ),
            (
                "p-w50junk",
                Target {
                    write_ratio: 50,
                    ..x()
                },
            ),
            (
                "p-rdpct",
                Target {
                    pattern: random(),
                    distribution: Some(Distribution::Percent(ranges([
                        (90, 0, 10),
                        (0, 10, 10),
                        (5, 20, 20),
                        (5, 40, 60),
                    ]))),
                    ..x()
                },
            ),
            (
                "p-rdabs",
                Target {
                    pattern: random(),
                    distribution: Some(Distribution::Absolute(ranges([
                        (90, 0, 10 << 30),
                        (0, 10 << 30, 10 << 30),
                        (5, 20 << 30, 20 << 30),
                        (5, 40 << 30, 0),
                    ]))),
                    ..x()
                },
            ),
            ("p-all", everything().spans[0].targets[0].clone()),
            ("p-D0", x()),
            (
                "p-x",
                Target {
                    request_count: 4,
                    ..x()
                },
            ),
        ];
        for (case, target) in cases {
            let profile = match case {
                "p-all" => everything(),
                "p-D0" => profile(vec![TimeSpan {
                    iops_stddev: true,
                    ..span(vec![target])
                }]),
                "p-x" => profile(vec![TimeSpan {
                    completion_routines: true,
                    ..span(vec![target])
                }]),
                _ => one(target),
            };
            check(case, &profile);
        }
    }

    fn ranges(list: [(u32, u64, u64); 4]) -> Vec<DistributionRange> {
        list.map(|(io_percent, from, length)| DistributionRange {
            io_percent,
            from,
            length,
        })
        .to_vec()
    }

    #[test]
    fn options_of_a_time_span_and_of_the_profile() {
        let pool = |threads, requests, targets| {
            profile(vec![TimeSpan {
                thread_count: threads,
                request_count: requests,
                ..span(targets)
            }])
        };
        check("p-F", &pool(4, 0, vec![x(), target("y.dat")]));
        check("p-FO", &pool(4, 8, vec![x(), target("y.dat")]));
        let strided = Target {
            block_size: 4096,
            pattern: Pattern::Sequential {
                stride: Some(32 << 10),
                interlocked: false,
            },
            thread_stride: 4096,
            request_count: 32,
            ..x()
        };
        check("p-F-T", &pool(8, 0, vec![strided]));
        let affinity = vec![(0, 0), (0, 1), (0, 0)];
        check(
            "p-affinity",
            &profile(vec![TimeSpan {
                affinity,
                ..span(vec![x()])
            }]),
        );
        check(
            "p-experiment",
            &Profile {
                experiment_flags: 1,
                ..one(Target {
                    throughput: Throughput::BytesPerMs(100),
                    ..x()
                })
            },
        );
        let small = |path| Target {
            block_size: 4096,
            ..target(path)
        };
        let many = ["x.dat", "y.dat", "#1", "C:"].map(small).to_vec();
        check("p-multi", &profile(vec![span(many)]));
        check("p-template", &profile(vec![span(vec![target("*1"), x()])]));
    }

    #[test]
    fn profiles_from_xml() {
        check("p-X", &two_spans("t1.dat"));
        let mut overridden = two_spans("t1.dat");
        overridden.verbose = true;
        for span in &mut overridden.spans {
            (span.duration, span.warmup, span.cooldown, span.seed) = (9, 8, 7, 5);
        }
        check("p-X-override", &overridden);
        let weighted = |path, weight| Target {
            block_size: 4096,
            pattern: random(),
            weight,
            ..target(path)
        };
        check(
            "p-X-weighted",
            &profile(vec![TimeSpan {
                duration: 1,
                warmup: 0,
                thread_count: 2,
                request_count: 4,
                ..span(vec![weighted("a.dat", 3), weighted("b.dat", 1)])
            }]),
        );
    }
}
