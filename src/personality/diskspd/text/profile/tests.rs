//! Echoes of recorded command lines, from profiles built by hand.

use super::{Form, render};
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
    assert_eq!(
        render(profile, &command_line(case), Form::default()),
        expected,
        "{case}"
    );
}

/// Each case changes something about the only target.
fn check_targets<const N: usize>(cases: [(&str, Target); N]) {
    for (case, target) in cases {
        check(case, &one(target));
    }
}

#[test]
fn pace_and_depth() {
    let x = x();
    check_targets([
        (
            "p-burst",
            Target {
                burst_size: Some(8),
                think_time: Some(10),
                ..x.clone()
            },
        ),
        (
            "p-giops",
            Target {
                block_size: 8192,
                throughput: Throughput::Iops(500),
                ..x.clone()
            },
        ),
        (
            "p-gbpms",
            Target {
                throughput: Throughput::BytesPerMs(500),
                ..x.clone()
            },
        ),
        (
            "p-p",
            Target {
                parallel: true,
                request_count: 4,
                ..x.clone()
            },
        ),
        (
            "p-o1",
            Target {
                request_count: 1,
                ..x.clone()
            },
        ),
        (
            "p-w50junk",
            Target {
                write_ratio: 50,
                ..x
            },
        ),
    ]);
}

#[test]
fn caching_and_mapping() {
    let x = x();
    let mapped = Target {
        memory_mapped: true,
        ..x.clone()
    };
    check_targets([
        ("p-Sm", mapped.clone()),
        (
            "p-Smw",
            Target {
                write_through: true,
                ..mapped.clone()
            },
        ),
        (
            "p-NvSm",
            Target {
                flush: Some(Flush::View),
                ..mapped.clone()
            },
        ),
        (
            "p-NiSm",
            Target {
                flush: Some(Flush::NonVolatileNoDrain),
                ..mapped
            },
        ),
        (
            "p-Sr",
            Target {
                cache: Cache::NoLocalCache,
                ..x.clone()
            },
        ),
        (
            "p-Sh",
            Target {
                cache: Cache::NoOsCache,
                write_through: true,
                ..x.clone()
            },
        ),
        (
            "p-Sw",
            Target {
                write_through: true,
                ..x
            },
        ),
    ]);
}

#[test]
fn write_buffers() {
    let write = Target {
        write_ratio: 100,
        ..x()
    };
    let source = Target {
        source_size: 1 << 20,
        ..write.clone()
    };
    check_targets([
        (
            "p-Z",
            Target {
                zero_buffers: true,
                ..write
            },
        ),
        ("p-Z1M", source.clone()),
        (
            "p-Z1Mfile",
            Target {
                source_path: Some("src.bin".into()),
                ..source
            },
        ),
    ]);
}

#[test]
fn patterns_and_ranges() {
    let x = x();
    let sequential = |stride, interlocked| Pattern::Sequential {
        stride,
        interlocked,
    };
    let mixed = Pattern::Random {
        alignment: Some(8192),
        percent: 40,
    };
    check_targets([
        (
            "p-si",
            Target {
                pattern: sequential(None, true),
                threads: 4,
                ..x.clone()
            },
        ),
        (
            "p-T",
            Target {
                threads: 2,
                thread_stride: 1 << 20,
                ..x.clone()
            },
        ),
        (
            "p-rs",
            Target {
                pattern: mixed,
                write_ratio: 50,
                ..x.clone()
            },
        ),
        (
            "p-rs100",
            Target {
                pattern: random(),
                ..x.clone()
            },
        ),
        (
            "p-B-len",
            Target {
                base: 1 << 20,
                max_size: 11 << 20,
                ..x.clone()
            },
        ),
        (
            "p-bsizes",
            Target {
                block_size: 3 << 20,
                pattern: sequential(Some(1536 << 10), false),
                max_size: 5 << 30,
                ..x
            },
        ),
    ]);
}

#[test]
fn distributions() {
    let random = Target {
        pattern: random(),
        ..x()
    };
    let percent = ranges([(90, 0, 10), (0, 10, 10), (5, 20, 20), (5, 40, 60)]);
    let gib = 1 << 30;
    let absolute = ranges([
        (90, 0, 10 * gib),
        (0, 10 * gib, 10 * gib),
        (5, 20 * gib, 20 * gib),
        (5, 40 * gib, 0),
    ]);
    check_targets([
        (
            "p-rdpct",
            Target {
                distribution: Some(Distribution::Percent(percent)),
                ..random.clone()
            },
        ),
        (
            "p-rdabs",
            Target {
                distribution: Some(Distribution::Absolute(absolute)),
                ..random
            },
        ),
    ]);
}

fn ranges(list: [(u32, u64, u64); 4]) -> Vec<DistributionRange> {
    let range = |(io_percent, from, length)| DistributionRange {
        io_percent,
        from,
        length,
    };
    list.map(range).to_vec()
}

#[test]
fn switches_of_a_time_span() {
    check("p-all", &everything());
    let intervals = TimeSpan {
        iops_stddev: true,
        ..span(vec![x()])
    };
    check("p-D0", &profile(vec![intervals]));
    let deep = Target {
        request_count: 4,
        ..x()
    };
    let routines = TimeSpan {
        completion_routines: true,
        ..span(vec![deep])
    };
    check("p-x", &profile(vec![routines]));
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
