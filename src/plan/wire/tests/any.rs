//! Any plan whatever, valid or not: every variant of every type occurs.

use std::{path::PathBuf, time::Duration};

use ioengine::{
    Errno,
    registry::{Law, Order as Completions, Service},
};
use proptest::{
    collection::vec,
    option::of,
    prelude::{Strategy, any, any_with},
    sample::select,
    strategy::{BoxedStrategy, Just},
};

use super::super::values::SECONDS_MAX;
use crate::plan::*;

/// Any plan; consent and rules are no part of the text.
pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let origin = (text(), text()).prop_map(|(personality, command_line)| Origin {
        personality,
        command_line,
    });
    let on_error = select(vec![OnError::Stop, OnError::Continue]);
    let rules = select(vec![WriteRules::Named, WriteRules::Own]);
    let all = (
        vec(step(), 0..3),
        origin,
        engine(),
        on_error,
        vec(text(), 0..2),
        rules,
        events(),
    );
    all.prop_map(
        |(steps, origin, engine, on_error, consent, rules, events)| Plan {
            steps,
            origin,
            engine,
            on_error,
            consent,
            rules,
            events,
        },
    )
}

/// Text with everything that TOML must escape.
fn text() -> BoxedStrategy<String> {
    let odd = select(vec![
        String::new(),
        "\"quoted\" 'twice' \"\"\" '''".to_owned(),
        "a\nb\r\n\t\\ \u{1b}[31m\u{7f}\u{0}".to_owned(),
        "[[step]]\n# x = 1".to_owned(),
        "größe 😀".to_owned(),
    ]);
    proptest::prop_oneof![odd, "[ -~]{0,12}"].boxed()
}

fn path() -> BoxedStrategy<PathBuf> {
    let odd = select(vec!["./x y.dat", "a\nb", "C:\\x\"y\"", "größe", "/dev/sda"]);
    let odd = odd.prop_map(PathBuf::from);
    proptest::prop_oneof![odd, "[a-z/]{1,12}".prop_map(PathBuf::from)].boxed()
}

fn number() -> BoxedStrategy<u64> {
    let corner = select(vec![
        0,
        1,
        4096,
        65536,
        (1 << 20) + 1,
        u64::from(u32::MAX) + 1,
        i64::MAX as u64,
        1 << 63,
        u64::MAX,
    ]);
    proptest::prop_oneof![corner, any::<u64>()].boxed()
}

fn small() -> BoxedStrategy<u32> {
    let corner = select(vec![0, 1, 512, 65536, u32::MAX]);
    proptest::prop_oneof![corner, any::<u32>()].boxed()
}

fn real() -> BoxedStrategy<f64> {
    let corner = select(vec![
        0.0,
        1.5,
        0.1 + 0.2,
        1e300,
        f64::MIN_POSITIVE,
        f64::INFINITY,
    ]);
    proptest::prop_oneof![
        corner,
        any::<f64>().prop_filter("equal to itself", |x| !x.is_nan())
    ]
    .boxed()
}

fn time() -> BoxedStrategy<Duration> {
    let corner = select(vec![
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_micros(1500),
        Duration::from_millis(250),
        Duration::from_hours(1),
        Duration::from_secs(SECONDS_MAX),
    ]);
    let any =
        (0..SECONDS_MAX, 0..1_000_000_000_u32).prop_map(|(seconds, ns)| Duration::new(seconds, ns));
    proptest::prop_oneof![corner, any].boxed()
}

fn yes() -> proptest::bool::Any {
    any_with::<bool>(())
}

fn engine() -> BoxedStrategy<EngineChoice> {
    let kinds: Vec<EngineKind> = ENGINES.iter().map(|(kind, _)| *kind).collect();
    let law = (any::<u64>(), 1..65536_u32, of(1..u64::MAX), yes()).prop_map(
        |(seed, servers, every, odd)| Law {
            seed,
            servers,
            read: Service::Exponential(seed),
            write: Service::Uniform(1, 1 + u64::from(servers)),
            per_byte_ps: u64::from(servers),
            error_every: every.map(|every| (every, Errno::named("EIO").unwrap_or(Errno(5)))),
            order: if odd {
                Completions::Random
            } else {
                Completions::Time
            },
            size: every,
            ..Law::default()
        },
    );
    proptest::prop_oneof![
        Just(EngineChoice::Auto),
        Just(EngineChoice::Simulated(Law::default())),
        select(kinds).prop_map(EngineChoice::Named),
        law.prop_map(EngineChoice::Simulated),
    ]
    .boxed()
}

fn events() -> impl Strategy<Value = Events> {
    (of(path()), of(path()), of(path()), of(path())).prop_map(|(wait, stop, started, finished)| {
        Events {
            wait_before_start: wait,
            stop_when: stop,
            signal_started: started,
            signal_finished: finished,
        }
    })
}

fn step() -> BoxedStrategy<Step> {
    let whose = select(vec![Whose::Own, Whose::Named]);
    let cleanup = (vec(path(), 0..3), whose)
        .prop_map(|(paths, whose)| Step::Cleanup(Cleanup { paths, whose }));
    let prepare = vec(file(), 0..3).prop_map(|files| Step::Prepare(Prepare { files }));
    proptest::prop_oneof![cleanup, prepare, span().prop_map(Step::Run)].boxed()
}

fn caching() -> impl Strategy<Value = Caching> {
    select(vec![Caching::Buffered, Caching::Direct])
}

fn durability() -> impl Strategy<Value = Durability> {
    select(vec![Durability::None, Durability::Dsync, Durability::Sync])
}

fn file() -> impl Strategy<Value = FilePreparation> {
    let through = proptest::prop_oneof![
        Just(Through::Past),
        (caching(), durability()).prop_map(|(caching, durability)| Through::As {
            caching,
            durability
        }),
    ];
    let content = select(vec![Content::Random, Content::Zeros, Content::BytePattern]);
    let policy = select(vec![Policy::Rebuild, Policy::Extend, Policy::Replace]);
    let all = (
        text(),
        path(),
        number(),
        content,
        policy,
        through,
        of(small()),
        yes(),
    );
    all.prop_map(
        |(label, path, size, content, policy, through, block, verify)| FilePreparation {
            label,
            path,
            size,
            content,
            policy,
            through,
            block,
            verify,
        },
    )
}

fn span() -> impl Strategy<Value = TimeSpan> {
    let stop = (of(time()), of(number()), of(number()), of(number())).prop_map(
        |(after, bytes, operations, passes)| Stop {
            after,
            bytes,
            operations,
            passes,
        },
    );
    let generator = proptest::prop_oneof![
        number().prop_map(|seed| Generator::Xoshiro { seed }),
        small().prop_map(|seed| Generator::DiskSpd { seed }),
    ];
    let counting = select(vec![Counting::CompletedInWindow, Counting::DrainAndCount]);
    let polling = select(vec![
        Polling::Interrupt,
        Polling::Device,
        Polling::Submission,
    ]);
    let sleep = select(vec![ThrottleSleep::Short, ThrottleSleep::UntilDue]);
    let load = (
        vec(target(), 0..3),
        vec(group(), 0..3),
        of(sequence()),
        of(visits()),
    );
    let times = (time(), time(), time());
    let rest = (text(), generator, counting, polling, sleep, yes(), yes());
    (times, stop, load, rest).prop_map(|(times, stop, load, rest)| TimeSpan {
        name: rest.0,
        warmup: times.0,
        stop,
        cooldown: times.1,
        counting: rest.2,
        interval: times.2,
        targets: load.0,
        groups: load.1,
        sequence: load.2.map(Box::new),
        visits: load.3.map(Box::new),
        generator: rest.1,
        polling: rest.3,
        throttle_sleep: rest.4,
        initiation: rest.5,
        whole_milliseconds: rest.6,
    })
}

fn target() -> impl Strategy<Value = Target> {
    let mapped = of(select(vec![
        MappedFlush::Never,
        MappedFlush::View,
        MappedFlush::Persistent,
        MappedFlush::PersistentNoDrain,
    ]));
    let opening = proptest::prop_oneof![
        number().prop_map(Opening::AtLeast),
        number().prop_map(|size| Opening::Anew { size }),
    ];
    let hints = (yes(), yes(), yes()).prop_map(|(random, sequential, temporary)| Hints {
        random,
        sequential,
        temporary,
    });
    let access = select(vec![Access::Read, Access::Write, Access::ReadWrite]);
    let priority = select(vec![Priority::Idle, Priority::Low, Priority::Normal]);
    let range = (text(), path(), number(), of(number()), of(number()));
    let way = (access, caching(), durability(), mapped, priority, opening);
    (range, way, hints, yes(), yes()).prop_map(|(range, way, hints, remote_only, huge_pages)| {
        Target {
            label: range.0,
            path: range.1,
            base: range.2,
            end: range.3,
            planned_size: range.4,
            access: way.0,
            caching: way.1,
            durability: way.2,
            remote_only,
            mapped: way.3,
            hints,
            priority: way.4,
            huge_pages,
            opening: way.5,
        }
    })
}

fn group() -> impl Strategy<Value = WorkerGroup> {
    let affinity = proptest::prop_oneof![
        Just(Affinity::None),
        Just(Affinity::RoundRobin),
        vec(small(), 0..3).prop_map(Affinity::List),
    ];
    let dispatch = proptest::prop_oneof![
        Just(Dispatch::PerStream),
        Just(Dispatch::InTurn),
        (small(), vec(small(), 0..3)).prop_map(|(queue_depth, weights)| Dispatch::Shared {
            queue_depth,
            weights
        }),
    ];
    (text(), small(), affinity, vec(stream(), 0..3), dispatch).prop_map(
        |(name, workers, affinity, streams, dispatch)| WorkerGroup {
            name,
            workers,
            affinity,
            streams,
            dispatch,
        },
    )
}

fn stream() -> impl Strategy<Value = Stream> {
    let flush = proptest::prop_oneof![
        Just(FlushPolicy::Never),
        (small(), yes()).prop_map(|(writes, data_only)| FlushPolicy::Every { writes, data_only }),
        yes().prop_map(|data_only| FlushPolicy::AtEnd { data_only }),
    ];
    let assembly = proptest::prop_oneof![
        Just(Assembly::Whole),
        small().prop_map(|pieces| Assembly::Copied { pieces }),
        small().prop_map(|pieces| Assembly::Scattered { pieces }),
    ];
    let index = || (0..u32::MAX).prop_map(|index| index as usize);
    let mix = (small(), flush).prop_map(|(write_percent, flush)| OperationMix {
        write_percent,
        flush,
    });
    let rest = (index(), small(), assembly, of(index()));
    (pattern(), mix, sizes(), pacing(), payload(), rest).prop_map(
        |(pattern, mix, sizes, pacing, payload, rest)| Stream {
            target: TargetIndex(rest.0),
            pattern,
            mix,
            sizes,
            queue_depth: rest.1,
            pacing,
            payload,
            assembly: rest.2,
            copies: rest.3,
        },
    )
}

fn sizes() -> BoxedStrategy<BlockSizes> {
    let table = || {
        let entry = (small(), small()).prop_map(|(bytes, weight)| WeightedSize { bytes, weight });
        vec(entry, 0..3)
    };
    proptest::prop_oneof![
        small().prop_map(BlockSizes::One),
        (table(), table()).prop_map(|(read, write)| BlockSizes::Weighted { read, write }),
    ]
    .boxed()
}

fn distribution() -> BoxedStrategy<Distribution> {
    let shares = || {
        let share = (small(), number(), number()).prop_map(|(io_percent, from, length)| Share {
            io_percent,
            from,
            length,
        });
        vec(share, 0..3)
    };
    proptest::prop_oneof![
        Just(Distribution::Uniform),
        shares().prop_map(Distribution::Percent),
        shares().prop_map(Distribution::Absolute),
    ]
    .boxed()
}

fn pattern() -> BoxedStrategy<AccessPattern> {
    proptest::prop_oneof![
        (number(), number()).prop_map(|(stride, worker_offset)| AccessPattern::Sequential {
            stride,
            worker_offset
        }),
        number().prop_map(|stride| AccessPattern::Interlocked { stride }),
        (number(), number()).prop_map(|(stride, worker_offset)| AccessPattern::Parallel {
            stride,
            worker_offset
        }),
        (number(), distribution()).prop_map(|(alignment, distribution)| AccessPattern::Random {
            alignment,
            distribution
        }),
        (number(), small(), distribution()).prop_map(
            |(alignment, random_percent, distribution)| AccessPattern::Mixed {
                alignment,
                random_percent,
                distribution
            }
        ),
        number().prop_map(|alignment| AccessPattern::Regions { alignment }),
        (number(), number(), yes()).prop_map(|(rows, columns, again)| AccessPattern::Grid {
            rows,
            columns,
            again
        }),
        Just(AccessPattern::Append),
    ]
    .boxed()
}

fn pacing() -> BoxedStrategy<Pacing> {
    proptest::prop_oneof![
        Just(Pacing::Unlimited),
        number().prop_map(|per_second| Pacing::CapBytes { per_second }),
        number().prop_map(|per_second| Pacing::CapOperations { per_second }),
        (number(), time()).prop_map(|(operations, pause)| Pacing::Burst { operations, pause }),
        (real(), yes()).prop_map(|(per_second, poisson)| Pacing::Arrivals {
            per_second,
            poisson
        }),
        (time(), time(), number(), of(time())).prop_map(
            |(first, every, operations, backs_off_above)| Pacing::Waves {
                first,
                every,
                operations,
                backs_off_above
            }
        ),
        (real(), yes(), small(), small()).prop_map(|(per_second, poisson, record, unit)| {
            Pacing::Gathered {
                per_second,
                poisson,
                record,
                unit,
            }
        }),
    ]
    .boxed()
}

fn payload() -> BoxedStrategy<Payload> {
    proptest::prop_oneof![
        select(vec![
            Payload::Zeros,
            Payload::BytePattern,
            Payload::Random,
            Payload::Stamped,
            Payload::FreshRandom,
        ]),
        (number(), of(path())).prop_map(|(size, file)| Payload::Source { size, file }),
    ]
    .boxed()
}

fn sequence() -> impl Strategy<Value = SharedSequence> {
    let draws = proptest::prop_oneof![
        of(small()).prop_map(|seed| Draws::Lrand48 { seed }),
        (small(), yes()).prop_map(|(seed, draw_after_event)| Draws::Xoroshiro {
            seed,
            draw_after_event
        }),
    ];
    let order = proptest::prop_oneof![
        (small(), yes()).prop_map(|(length, once)| Order::Sequential { length, once }),
        (small(), number(), draws).prop_map(|(block, span, draws)| Order::Random {
            block,
            span,
            draws
        }),
    ];
    let counted = select(vec![Counted::HandedOut, Counted::Completed]);
    let operations = proptest::prop_oneof![
        Just(Operations::Reads),
        Just(Operations::Writes),
        (real(), counted).prop_map(|(reads_per_write, counted)| Operations::Ratio {
            reads_per_write,
            counted
        }),
    ];
    let at_end = select(vec![AtEnd::Never, AtEnd::OnceAtLimit, AtEnd::EveryWorker]);
    let flushes = (yes(), of(number()), yes(), at_end, yes()).prop_map(
        |(data_only, round_every, after_write, at_end, are_events)| Flushes {
            data_only,
            round_every,
            after_write,
            at_end,
            are_events,
        },
    );
    let watch =
        (of(time()), vec(time(), 0..3), yes()).prop_map(|(intervals, checkpoints, requests)| {
            Watch {
                intervals,
                checkpoints,
                requests,
            }
        });
    let verify = select(vec![
        Verify::Off,
        Verify::OutsideLatency,
        Verify::InsideLatency,
    ]);
    let limits = (small(), number(), of(small()), of(number()), of(time()));
    (order, operations, flushes, watch, verify, payload(), limits).prop_map(
        |(order, operations, flushes, watch, verify, payload, limits)| SharedSequence {
            workers: limits.0,
            file_size: limits.1,
            order,
            operations,
            flushes,
            backlog: limits.2,
            verify,
            payload,
            arrivals_per_second: limits.3,
            watch,
            grace: limits.4,
        },
    )
}

fn visits() -> impl Strategy<Value = Visits> {
    let popularity =
        proptest::prop_oneof![Just(Popularity::Uniform), real().prop_map(Popularity::Zipf),];
    let cached = select(vec![Cached::AsItIs, Cached::Filled, Cached::Dropped]);
    (small(), vec(path(), 0..3), popularity, cached, small()).prop_map(
        |(visitors, files, popularity, cached, chunk)| Visits {
            visitors,
            files: files.into(),
            popularity,
            cached,
            chunk,
        },
    )
}
