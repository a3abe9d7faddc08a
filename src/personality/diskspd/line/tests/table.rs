//! Command lines and the profiles they come to: a table with every option.

use crate::personality::{
    diskspd::{
        flags,
        profile::{
            Cache, Distribution, DistributionRange, Etw, Events, Flush, Format, Pattern, Profile,
            Target, Throughput, TimeSpan,
        },
        testing::{line, refusal},
    },
    flags::Support,
};

fn default_profile() -> Profile {
    Profile {
        progress: 0,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: None,
        events: Events::default(),
        spans: vec![TimeSpan {
            targets: vec![Target {
                path: "x.dat".into(),
                ..Target::default()
            }],
            ..TimeSpan::default()
        }],
    }
}

fn target(profile: &mut Profile) -> &mut Target {
    &mut profile.spans[0].targets[0]
}

fn span(profile: &mut Profile) -> &mut TimeSpan {
    &mut profile.spans[0]
}

fn random(alignment: Option<u64>, percent: u32) -> Pattern {
    Pattern::Random { alignment, percent }
}

fn sequential(stride: Option<u64>, interlocked: bool) -> Pattern {
    Pattern::Sequential {
        stride,
        interlocked,
    }
}

fn range(io_percent: u32, from: u64, length: u64) -> DistributionRange {
    DistributionRange {
        io_percent,
        from,
        length,
    }
}

/// What options before `x.dat` change in the default profile.
type Row = (&'static str, fn(&mut Profile));

const TABLE: &[Row] = &[
    ("", |_| {}),
    ("-:1", |p| p.experiment_flags = 1),
    ("-a0,1,0", |p| {
        span(p).affinity = vec![(0, 0), (0, 1), (0, 0)];
    }),
    ("-a0 -a1", |p| span(p).affinity = vec![(0, 0), (0, 1)]),
    ("-ag0,1", |p| span(p).affinity = vec![(0, 1)]),
    ("-ag", |_| {}),
    ("-a", |_| {}),
    ("-b4K", |p| target(p).block_size = 4096),
    ("-b4K -b8K", |p| target(p).block_size = 8192),
    ("-b2b", |p| target(p).block_size = 131_072),
    ("-B1M", |p| target(p).base = 1 << 20),
    ("-B1M:10M", |p| {
        target(p).base = 1 << 20;
        target(p).max_size = 11 << 20;
    }),
    ("-c1G", |p| target(p).create_size = Some(1 << 30)),
    ("-c0", |p| target(p).create_size = Some(0)),
    ("-c100b -b4K", |p| {
        target(p).create_size = Some(409_600);
        target(p).block_size = 4096;
    }),
    ("-C3", |p| span(p).cooldown = 3),
    ("-d30", |p| span(p).duration = 30),
    ("-dabc", |p| span(p).duration = 0),
    ("-D", |p| span(p).iops_stddev = true),
    ("-D250", |p| {
        span(p).iops_stddev = true;
        span(p).interval_ms = 250;
    }),
    ("-D0", |p| span(p).iops_stddev = true),
    ("-Dabc", |p| span(p).iops_stddev = true),
    ("-eDISK_IO -ep -es", |p| {
        p.etw = Some(Etw {
            disk_io: true,
            use_paged_memory: true,
            use_system_timer: true,
            ..Etw::default()
        });
    }),
    ("-f512M", |p| target(p).max_size = 512 << 20),
    ("-b4K -f1000b", |p| {
        target(p).block_size = 4096;
        target(p).max_size = 4_096_000;
    }),
    ("-fr", |p| target(p).random_access = true),
    ("-fs", |p| target(p).sequential_scan = true),
    ("-ft", |p| target(p).temporary = true),
    ("-frst -fr", |p| {
        target(p).random_access = true;
        target(p).sequential_scan = true;
        target(p).temporary = true;
    }),
    ("-F4 -r", |p| {
        span(p).thread_count = 4;
        target(p).pattern = random(None, 100);
    }),
    ("-g1000", |p| {
        target(p).throughput = Throughput::BytesPerMs(1000);
    }),
    ("-g500i", |p| target(p).throughput = Throughput::Iops(500)),
    ("-h", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-i8 -j10", |p| {
        target(p).burst_size = Some(8);
        target(p).think_time = Some(10);
    }),
    ("-I2", |p| target(p).priority = 2),
    ("-l", |p| target(p).large_pages = true),
    ("-L", |p| span(p).measure_latency = true),
    ("-n", |p| span(p).disable_affinity = true),
    ("-Sm -Nv", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::View);
    }),
    ("-Sm -NN", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::NonVolatile);
    }),
    ("-Sm -Ni", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::NonVolatileNoDrain);
    }),
    ("-o32", |p| target(p).request_count = 32),
    ("-o4 -o8", |p| target(p).request_count = 8),
    ("-o4xyz", |p| target(p).request_count = 4),
    ("-F2 -O8 -r", |p| {
        span(p).thread_count = 2;
        span(p).request_count = 8;
        target(p).pattern = random(None, 100);
    }),
    ("-p -o4", |p| {
        target(p).parallel = true;
        target(p).request_count = 4;
    }),
    ("-P", |p| p.progress = 65536),
    ("-P0", |p| p.progress = 65536),
    ("-P100", |p| p.progress = 100),
    ("-r", |p| target(p).pattern = random(None, 100)),
    ("-r1b", |p| target(p).pattern = random(Some(65536), 100)),
    ("-r2b -b4K", |p| {
        target(p).pattern = random(Some(8192), 100);
        target(p).block_size = 4096;
    }),
    ("-rs40 -r8K", |p| target(p).pattern = random(Some(8192), 40)),
    ("-rs100", |p| target(p).pattern = random(None, 100)),
    ("-r -rdpct90/10:0/10:5/20", |p| {
        target(p).pattern = random(None, 100);
        target(p).distribution = Some(Distribution::Percent(vec![
            range(90, 0, 10),
            range(0, 10, 10),
            range(5, 20, 20),
            range(5, 40, 60),
        ]));
    }),
    ("-r -rdabs100/1G", |p| {
        target(p).pattern = random(None, 100);
        target(p).distribution = Some(Distribution::Absolute(vec![range(100, 0, 1 << 30)]));
    }),
    ("-Rtext", |_| {}),
    ("-Rxml", |p| p.format = Format::Xml),
    ("-Rp", |p| p.profile_only = true),
    ("-Rptext -Rxml", |p| {
        p.profile_only = true;
        p.format = Format::Xml;
    }),
    ("-Rpxml", |p| {
        p.profile_only = true;
        p.format = Format::Xml;
    }),
    ("-s", |_| {}),
    ("-s0", |_| {}),
    ("-s128K", |p| {
        target(p).pattern = sequential(Some(131_072), false);
    }),
    ("-si -t4", |p| {
        target(p).pattern = sequential(None, true);
        target(p).threads = 4;
    }),
    ("-si32k -t2", |p| {
        target(p).pattern = sequential(Some(32768), true);
        target(p).threads = 2;
    }),
    ("-S", |p| target(p).cache = Cache::NoOsCache),
    ("-Su", |p| target(p).cache = Cache::NoOsCache),
    ("-Sb", |_| {}),
    ("-Sr", |p| target(p).cache = Cache::NoLocalCache),
    ("-Sw", |p| target(p).write_through = true),
    ("-Sh", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-Swu", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-Sw -Sr", |p| {
        target(p).cache = Cache::NoLocalCache;
        target(p).write_through = true;
    }),
    ("-Smw", |p| {
        target(p).memory_mapped = true;
        target(p).write_through = true;
    }),
    ("-Sbw", |p| target(p).write_through = true),
    ("-t8", |p| target(p).threads = 8),
    ("-t2 -T1M", |p| {
        target(p).threads = 2;
        target(p).thread_stride = 1 << 20;
    }),
    ("-v", |p| p.verbose = true),
    ("-vs", |p| p.verbose_stats = true),
    ("-w25", |p| target(p).write_ratio = 25),
    ("-w50%", |p| target(p).write_ratio = 50),
    ("-W10s", |p| span(p).warmup = 10),
    ("-x", |p| span(p).completion_routines = true),
    ("-ysa -yfb -yrc -ypd", |p| {
        p.events.started = Some("a".to_owned());
        p.events.finished = Some("b".to_owned());
        p.events.ready = Some("c".to_owned());
        p.events.stop = Some("d".to_owned());
    }),
    ("-yee", |p| p.events.signal_and_quit = Some("e".to_owned())),
    ("-z42", |p| span(p).seed = 42),
    ("-z4294967295", |p| span(p).seed = u32::MAX),
    ("-z", |p| span(p).seed = 1_668_597),
    ("-Z", |p| target(p).zero_buffers = true),
    ("-Zr", |p| span(p).random_write_data = true),
    ("-Z1M", |p| target(p).source_size = 1 << 20),
    ("-Z1M,src.bin", |p| {
        target(p).source_size = 1 << 20;
        target(p).source_path = Some("src.bin".into());
    }),
    ("/b4K /o4 /r", |p| {
        target(p).block_size = 4096;
        target(p).request_count = 4;
        target(p).pattern = random(None, 100);
    }),
    ("\u{2013}b8K \u{2014}L \u{2212}W10s", |p| {
        target(p).block_size = 8192;
        span(p).measure_latency = true;
        span(p).warmup = 10;
    }),
];

#[test]
fn every_line_of_the_table_has_its_profile() {
    for (options, change) in TABLE {
        let mut expected = default_profile();
        change(&mut expected);
        assert_eq!(
            line(&format!("{options} x.dat")).profile,
            expected,
            "{options}"
        );
    }
}

#[test]
fn every_option_is_in_a_table() {
    for flag in flags::FLAGS {
        if flag.support == Support::Refused {
            let message = refusal(&format!("{}1 x.dat", flag.name)).join("\n");
            assert!(
                message.contains("2.3") && message.contains(flag.name),
                "{message}"
            );
            continue;
        }
        // Help and XML profiles have tests of their own.
        if matches!(flag.name, "-?" | "-X") {
            continue;
        }
        let tested = TABLE.iter().any(|(options, _)| {
            options.split(' ').any(|option| {
                option.starts_with(flag.name)
                    && flags::find(&option[1..]).is_some_and(|found| found.name == flag.name)
            })
        });
        assert!(tested, "{} is in no line", flag.name);
    }
}
