//! Profiles of the records, round trips, and what must be refused.

use proptest::prelude::*;

use super::{XmlError, read};
use crate::personality::diskspd::{
    profile::{
        Cache, Distribution, DistributionRange, Flush, Pattern, Precreate, Profile, Target,
        ThreadTarget, Throughput, TimeSpan,
    },
    testing::{echoed_as_xml, profile, recorded, span, target, two_spans},
    xml::profile::render,
};

/// A target's step is always written: "as large as a block" is lost.
fn with_steps(mut profile: Profile) -> Profile {
    for target in profile.spans.iter_mut().flat_map(|span| &mut span.targets) {
        let step = Some(target.alignment());
        match &mut target.pattern {
            Pattern::Sequential { stride, .. } => *stride = step,
            Pattern::Random { alignment, .. } => *alignment = step,
        }
    }
    profile
}

#[test]
fn the_recorded_inputs() {
    assert_eq!(
        read(&recorded("p-X", "profile.xml")),
        Ok({
            let mut profile = two_spans("*1");
            // Written without a stride: second.dat's is its block.
            profile.spans[1].targets[1].pattern = Pattern::Sequential {
                stride: None,
                interlocked: false,
            };
            profile
        })
    );
    let weighted = |path, weight| Target {
        block_size: 4096,
        create_size: Some(4 << 20),
        pattern: Pattern::Random {
            alignment: Some(4096),
            percent: 100,
        },
        weight,
        ..target(path)
    };
    assert_eq!(
        read(&recorded("p-X-weighted", "weighted.xml")),
        Ok(profile(vec![TimeSpan {
            duration: 1,
            warmup: 0,
            thread_count: 2,
            request_count: 4,
            ..span(vec![weighted("a.dat", 3), weighted("b.dat", 1)])
        }]))
    );
}

#[test]
fn what_the_original_writes_is_read() {
    for (case, mut profile) in echoed_as_xml() {
        // The original loses -Zr.
        for span in &mut profile.spans {
            span.random_write_data = false;
        }
        assert_eq!(
            read(&recorded(case, "stdout")),
            Ok(with_steps(profile)),
            "{case}"
        );
    }
}

fn wrap(target: &str) -> String {
    format!(
        "<Profile>\n<TimeSpans><TimeSpan><Targets>\n  <Target><Path>x</Path>{target}</Target>\
         </Targets></TimeSpan></TimeSpans></Profile>"
    )
}

fn first_target(text: &str) -> Result<Target, XmlError> {
    read(&wrap(text)).map(|profile| profile.spans[0].targets[0].clone())
}

#[test]
fn old_and_rare_forms() {
    let all_off = first_target("<DisableAllCache>TRUE</DisableAllCache>").unwrap();
    assert!(all_off.write_through && all_off.cache == Cache::NoOsCache);
    let one = first_target("<WriteThrough>1</WriteThrough>").unwrap();
    assert!(!one.write_through, "only the word counts");
    let ratio = first_target("<RandomRatio>30</RandomRatio>").unwrap();
    let expected = Pattern::Random {
        alignment: None,
        percent: 30,
    };
    assert_eq!(ratio.pattern, expected);
    assert_eq!(
        first_target("<IOPriority>0</IOPriority>").unwrap().priority,
        3
    );
    let bpms = first_target("<Throughput unit=\"BPMS\"> 7 </Throughput>").unwrap();
    assert_eq!(bpms.throughput, Throughput::BytesPerMs(7));
    let old = read(
        "<?xml version=\"1.0\"?>\n<!-- old --><Profile><TimeSpans><TimeSpan><GroupAffinity>true</GroupAffinity>\
         <Affinity><AffinityAssignment>3</AffinityAssignment></Affinity>\
         <Targets><Target><Path>a&amp;b</Path></Target></Targets></TimeSpan></TimeSpans></Profile>",
    )
    .unwrap();
    assert_eq!(old.spans[0].affinity, [(0, 3)]);
    assert_eq!(old.spans[0].targets[0].label(), "a&b");
}

#[test]
fn an_open_distribution_gets_its_tail() {
    let text = "<Distribution><Percent><Range IO=\"95\">5</Range><Range IO=\"4\">10</Range></Percent></Distribution>";
    let range = |io_percent, from, length| DistributionRange {
        io_percent,
        from,
        length,
    };
    assert_eq!(
        first_target(text).unwrap().distribution,
        Some(Distribution::Percent(vec![
            range(95, 0, 5),
            range(4, 5, 10),
            range(1, 15, 85)
        ]))
    );
    let text = "<Distribution><Absolute><Range IO=\"60\">4096</Range></Absolute></Distribution>";
    assert_eq!(
        first_target(text).unwrap().distribution,
        Some(Distribution::Absolute(vec![
            range(60, 0, 4096),
            range(40, 4096, 0)
        ]))
    );
}

#[test]
fn faults_have_a_place() {
    // The target begins on line 3 after two blanks; its child 23 characters later.
    let error = first_target("<Colour>red</Colour>").unwrap_err();
    assert_eq!((error.line, error.column), (3, 25));
    assert_eq!(error.message, "<Colour> does not belong into <Target>");
}

#[test]
fn what_the_schema_refuses() {
    for target in [
        "<BlockSize>64K</BlockSize>",
        "<BlockSize>4294967296</BlockSize>",
        "<BlockSize>0</BlockSize>",
        "<BlockSize>-1</BlockSize>",
        "<BlockSize/>",
        "<BlockSize><Path>x</Path></BlockSize>",
        "<BlockSize unit=\"KiB\">4</BlockSize>",
        "<Random>4096</Random><StrideSize>4096</StrideSize>",
        "<RandomRatio>50</RandomRatio><StrideSize>4096</StrideSize>",
        "<Random>0</Random>",
        "<RandomRatio>100</RandomRatio>",
        "<Random>1</Random><InterlockedSequential>true</InterlockedSequential>",
        "<WriteRatio>101</WriteRatio>",
        "<IOPriority>4</IOPriority>",
        "<Throughput unit=\"MBPS\">4</Throughput>",
        "<WriteThrough>yes</WriteThrough>",
        "<Path>again</Path>",
        "<FlushType>Never</FlushType>",
        "<WriteBufferContent><Pattern>random</Pattern></WriteBufferContent>",
        "<Distribution/>",
        "<Distribution><Percent/></Distribution>",
        "<Distribution><Percent><Range>5</Range></Percent></Distribution>",
        "<Distribution><Percent><Range IO=\"101\">5</Range></Percent></Distribution>",
        "<ThreadTargets/>",
        "stray text",
    ] {
        assert!(first_target(target).is_err(), "{target}");
    }
    for text in [
        "<Results/>",
        "<Profile/>",
        "<Profile><TimeSpans/></Profile>",
        "<Profile><TimeSpans><TimeSpan/></TimeSpans></Profile>",
        "<Profile><TimeSpans><TimeSpan><Targets/></TimeSpan></TimeSpans></Profile>",
        "<Profile><TimeSpans><TimeSpan><Targets><Target/></Targets></TimeSpan></TimeSpans></Profile>",
        "<Profile><TimeSpan/></Profile>",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

fn a_pattern() -> impl Strategy<Value = (Pattern, Option<Distribution>)> {
    let range = (0_u32..=100, 0_u64..=1 << 40);
    let list = prop::collection::vec(range, 1..6).prop_map(|items| {
        let mut from = 0;
        let mut ranges = Vec::new();
        for (io_percent, length) in items {
            ranges.push(DistributionRange {
                io_percent,
                from,
                length,
            });
            from += length;
        }
        // Complete, so that no tail is added.
        ranges.push(DistributionRange {
            io_percent: 100,
            from,
            length: 0,
        });
        ranges
    });
    let distribution = prop_oneof![
        Just(None),
        list.clone()
            .prop_map(|list| Some(Distribution::Percent(list))),
        list.prop_map(|list| Some(Distribution::Absolute(list))),
    ];
    prop_oneof![
        (1_u64.., any::<bool>()).prop_map(|(stride, interlocked)| {
            let stride = Some(stride);
            (
                Pattern::Sequential {
                    stride,
                    interlocked,
                },
                None,
            )
        }),
        (1_u64.., 1_u32..=100, distribution).prop_map(|(alignment, percent, distribution)| {
            let alignment = Some(alignment);
            (Pattern::Random { alignment, percent }, distribution)
        }),
    ]
}

/// Paths without control characters and without blanks at the ends.
const PATH: &str = "[!-~\u{a1}-\u{fffd}]([ -~\u{a1}-\u{fffd}]{0,20}[!-~\u{a1}-\u{fffd}])?";

/// How a target is opened, in an otherwise plain one.
fn an_access() -> impl Strategy<Value = Target> {
    let cache = prop_oneof![
        Just(Cache::Cached),
        Just(Cache::NoOsCache),
        Just(Cache::NoLocalCache)
    ];
    let flush = prop_oneof![
        Just(None),
        Just(Some(Flush::View)),
        Just(Some(Flush::NonVolatile)),
        Just(Some(Flush::NonVolatileNoDrain))
    ];
    (PATH, any::<[bool; 7]>(), cache, flush, 1_u32..=3).prop_map(
        |(path, on, cache, flush, priority)| Target {
            path: path.into(),
            sequential_scan: on[0],
            random_access: on[1],
            temporary: on[2],
            large_pages: on[3],
            write_through: on[4],
            memory_mapped: on[5],
            parallel: on[6],
            cache,
            flush,
            priority,
            ..Target::default()
        },
    )
}

/// How fast and with what, in an otherwise plain target.
fn a_load() -> impl Strategy<Value = Target> {
    let rate = prop_oneof![
        Just(Throughput::Unlimited),
        (1_u32..).prop_map(Throughput::BytesPerMs),
        (1_u32..).prop_map(Throughput::Iops)
    ];
    let buffer = prop_oneof![
        Just((false, 0, None)),
        Just((true, 0, None)),
        (1_u64.., prop::option::of(PATH)).prop_map(|(size, file)| (false, size, file))
    ];
    let pauses = prop::option::of((1_u32.., 1_u32..));
    let pool = any::<Vec<(u32, u32)>>();
    (rate, buffer, pauses, any::<[u32; 3]>(), 0_u32..=100, pool).prop_map(
        |(throughput, buffer, pauses, counts, write_ratio, pool)| {
            let thread_target = |(thread, weight)| ThreadTarget { thread, weight };
            Target {
                throughput,
                zero_buffers: buffer.0,
                source_size: buffer.1,
                source_path: buffer.2.map(Into::into),
                burst_size: pauses.map(|(burst, _)| burst),
                think_time: pauses.map(|(_, pause)| pause),
                threads: counts[0],
                request_count: counts[1],
                weight: counts[2],
                write_ratio,
                thread_targets: pool.into_iter().map(thread_target).collect(),
                ..Target::default()
            }
        },
    )
}

fn a_target() -> impl Strategy<Value = Target> {
    let sizes = (1_u32.., any::<[u64; 3]>(), any::<Option<u64>>());
    (an_access(), a_load(), sizes, a_pattern()).prop_map(|(access, load, sizes, pattern)| Target {
        block_size: sizes.0,
        base: sizes.1[0],
        max_size: sizes.1[1],
        thread_stride: sizes.1[2],
        create_size: sizes.2,
        pattern: pattern.0,
        distribution: pattern.1,
        path: access.path,
        sequential_scan: access.sequential_scan,
        random_access: access.random_access,
        temporary: access.temporary,
        large_pages: access.large_pages,
        write_through: access.write_through,
        memory_mapped: access.memory_mapped,
        parallel: access.parallel,
        cache: access.cache,
        flush: access.flush,
        priority: access.priority,
        ..load
    })
}

fn a_span() -> impl Strategy<Value = TimeSpan> {
    let affinity = prop::collection::vec(any::<(u16, u8)>(), 0..4);
    let targets = prop::collection::vec(a_target(), 1..4);
    (
        any::<[bool; 5]>(),
        any::<[u32; 6]>(),
        1_u32..,
        affinity,
        targets,
    )
        .prop_map(|(on, n, interval_ms, affinity, targets)| TimeSpan {
            completion_routines: on[0],
            measure_latency: on[1],
            iops_stddev: on[2],
            disable_affinity: on[3],
            random_write_data: on[4],
            duration: n[0],
            warmup: n[1],
            cooldown: n[2],
            thread_count: n[3],
            request_count: n[4],
            seed: n[5],
            interval_ms,
            affinity,
            targets,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reading_undoes_writing(
        spans in prop::collection::vec(a_span(), 1..3),
        numbers in any::<[u32; 2]>(),
        on in any::<[bool; 3]>(),
    ) {
        let profile = Profile {
            progress: numbers[0],
            experiment_flags: numbers[1],
            verbose: on[0],
            verbose_stats: on[1],
            precreate: on[2].then_some(Precreate::OnlyConstantOrZeroSizes),
            ..profile(spans)
        };
        prop_assert_eq!(read(&render(&profile)), Ok(profile));
    }

    #[test]
    fn nothing_makes_it_panic(text in "(<|>|/|&|;|#|!|\\[|\\]|\"|=| |Profile|TimeSpans|Target|Path|é|1){0,60}") {
        let _ = read(&text);
    }
}
