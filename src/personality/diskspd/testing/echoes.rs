//! The recorded cases that echo XML, with what their command lines say.

use super::{everything, profile, random, span, target, two_spans};
use crate::personality::diskspd::profile::{
    Cache, Distribution, DistributionRange, Etw, Flush, Format, Pattern, Profile, Target,
    Throughput, TimeSpan,
};

/// Case and profile; all print XML.
pub(in crate::personality::diskspd) fn echoed_as_xml() -> Vec<(&'static str, Profile)> {
    let x = || target("x.dat");
    let cases = [
        ("px-FO", thread_pool()),
        (
            "px-Sm",
            one(Target {
                memory_mapped: true,
                write_through: true,
                flush: Some(Flush::View),
                write_ratio: 50,
                ..x()
            }),
        ),
        ("px-X", two_spans("t1.dat")),
        ("px-all", everything()),
        ("px-defaults", one(x())),
        (
            "px-etw",
            traced(Etw {
                disk_io: true,
                use_paged_memory: true,
                ..Etw::default()
            }),
        ),
        ("p-ETW-all", traced(all_events())),
        ("px-rdpct", distributed()),
        (
            "px-rs",
            one(Target {
                pattern: Pattern::Random {
                    alignment: Some(8192),
                    percent: 40,
                },
                write_ratio: 50,
                source_size: 1 << 20,
                throughput: Throughput::Iops(500),
                ..x()
            }),
        ),
        ("px-seed", mixed_load()),
    ];
    let as_xml = |profile| Profile {
        format: Format::Xml,
        ..profile
    };
    cases.map(|(case, profile)| (case, as_xml(profile))).into()
}

fn one(target: Target) -> Profile {
    profile(vec![span(vec![target])])
}

fn direct(path: &str) -> Target {
    Target {
        cache: Cache::NoOsCache,
        write_through: true,
        ..target(path)
    }
}

/// `-F4 -O8 -a0,1 -Sh x.dat y.dat`
fn thread_pool() -> Profile {
    profile(vec![TimeSpan {
        thread_count: 4,
        request_count: 8,
        affinity: vec![(0, 0), (0, 1)],
        ..span(vec![direct("x.dat"), direct("y.dat")])
    }])
}

fn traced(events: Etw) -> Profile {
    Profile {
        etw: Some(events),
        ..one(target("x.dat"))
    }
}

/// All that have a word, and the system timer.
fn all_events() -> Etw {
    Etw {
        process: true,
        thread: true,
        image_load: true,
        disk_io: true,
        memory_page_faults: true,
        memory_hard_faults: true,
        network: true,
        registry: true,
        use_system_timer: true,
        ..Etw::default()
    }
}

/// `-r -rdpct90/10:0/10:5/20 x.dat`
fn distributed() -> Profile {
    let ranges =
        [(90, 0, 10), (0, 10, 10), (5, 20, 20), (5, 40, 60)].map(|(io_percent, from, length)| {
            DistributionRange {
                io_percent,
                from,
                length,
            }
        });
    one(Target {
        pattern: random(),
        distribution: Some(Distribution::Percent(ranges.to_vec())),
        ..target("x.dat")
    })
}

/// `-b8K -d300 -h -L -o32 -r -w40 -t8 -c1G .\\datafile.dat`
fn mixed_load() -> Profile {
    profile(vec![TimeSpan {
        duration: 300,
        measure_latency: true,
        ..span(vec![Target {
            block_size: 8192,
            request_count: 32,
            pattern: random(),
            write_ratio: 40,
            threads: 8,
            create_size: Some(1 << 30),
            ..direct(".\\datafile.dat")
        }])
    }])
}
