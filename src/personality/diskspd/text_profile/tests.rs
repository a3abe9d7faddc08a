//! Echoes of recorded command lines, from profiles built by hand.

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
