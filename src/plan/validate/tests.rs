//! What a plan must not say, one thing at a time.

use std::time::Duration;

use super::{
    super::{
        fixtures::{plan, span, stream, target},
        *,
    },
    PlanError, validate,
};

fn valid() -> TimeSpan {
    let pattern = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    let group = WorkerGroup {
        name: String::new(),
        workers: 2,
        affinity: Affinity::None,
        streams: vec![stream(0, pattern, BlockSizes::One(4096))],
        dispatch: Dispatch::PerStream,
    };
    span(vec![target("d.dat", "d.dat")], vec![group])
}

/// What validation says to the valid plan after this change.
fn after(change: impl FnOnce(&mut TimeSpan)) -> Result<(), PlanError> {
    let mut span = valid();
    change(&mut span);
    validate(&plan("native", "run", vec![Step::Run(span)]))
}

fn stream_after(change: impl FnOnce(&mut Stream)) -> Result<(), PlanError> {
    after(|span| change(&mut span.groups[0].streams[0]))
}

fn zero(what: &'static str) -> Result<(), PlanError> {
    Err(PlanError::Zero { span: 1, what })
}

fn out_of_range(result: &Result<(), PlanError>) -> Option<(u64, u64, u64)> {
    match result {
        Err(PlanError::OutOfRange {
            value, least, most, ..
        }) => Some((*value, *least, *most)),
        _ => None,
    }
}

fn weighted(read: &[(u32, u32)], write: &[(u32, u32)]) -> BlockSizes {
    let table = |entries: &[(u32, u32)]| {
        let entry = |&(bytes, weight): &(u32, u32)| WeightedSize { bytes, weight };
        entries.iter().map(entry).collect()
    };
    BlockSizes::Weighted {
        read: table(read),
        write: table(write),
    }
}

fn shares(items: &[(u32, u64, u64)]) -> Vec<Share> {
    let share = |&(io_percent, from, length): &(u32, u64, u64)| Share {
        io_percent,
        from,
        length,
    };
    items.iter().map(share).collect()
}

fn with_distribution(distribution: Distribution) -> Result<(), PlanError> {
    stream_after(|stream| {
        stream.pattern = AccessPattern::Random {
            alignment: 4096,
            distribution,
        };
    })
}

#[test]
fn a_plan_needs_load_targets_threads_and_an_end() {
    assert_eq!(after(|_| ()), Ok(()));
    assert_eq!(
        validate(&plan("native", "run", Vec::new())),
        Err(PlanError::Empty)
    );
    let missing = |what| Err(PlanError::Missing { span: 1, what });
    assert_eq!(after(|span| span.targets.clear()), missing("target"));
    assert_eq!(after(|span| span.groups.clear()), missing("worker"));
    assert_eq!(after(|span| span.groups[0].workers = 0), missing("worker"));
    assert_eq!(
        after(|span| span.stop = Stop::default()),
        Err(PlanError::Endless(1))
    );
    assert_eq!(
        after(|span| span.interval = Duration::ZERO),
        zero("the interval")
    );
    assert_eq!(
        after(|span| span.groups[0].streams.clear()),
        missing("stream for a group of threads")
    );
    assert_eq!(
        stream_after(|stream| stream.target = TargetIndex(1)),
        Err(PlanError::NoSuchTarget {
            span: 1,
            target: 1,
            count: 1
        })
    );
    assert_eq!(
        after(|span| {
            span.targets[0].base = 8192;
            span.targets[0].end = Some(8192);
        }),
        Err(PlanError::EmptyRange {
            span: 1,
            label: "d.dat".into(),
            base: 8192,
            end: 8192
        })
    );
}

#[test]
fn absurd_numbers_are_refused() {
    let huge = u64::from(u32::MAX);
    let threads = after(|span| span.groups[0].workers = u32::MAX);
    assert_eq!(out_of_range(&threads), Some((huge, 1, 1 << 16)));
    let depth = stream_after(|stream| stream.queue_depth = u32::MAX);
    assert_eq!(out_of_range(&depth), Some((huge, 1, 1 << 20)));
    let writes = stream_after(|stream| stream.mix.write_percent = 101);
    assert_eq!(out_of_range(&writes), Some((101, 0, 100)));
}

#[test]
fn slots_and_weights_belong_together() {
    assert_eq!(
        stream_after(|stream| stream.queue_depth = 0),
        zero("queue depth")
    );
    let shared = |queue_depth, weights: &[u32]| {
        after(|span| {
            span.groups[0].dispatch = Dispatch::Shared {
                queue_depth,
                weights: weights.to_vec(),
            };
        })
    };
    assert_eq!(shared(4, &[1]), Ok(()));
    assert_eq!(shared(0, &[1]), zero("queue depth"));
    assert_eq!(shared(4, &[0]), zero("the sum of the targets' weights"));
    assert_eq!(
        shared(4, &[1, 1]),
        Err(PlanError::Weights {
            span: 1,
            streams: 1,
            weights: 2
        })
    );
    assert_eq!(
        stream_after(|stream| stream.copies = Some(0)),
        Err(PlanError::Copies {
            span: 1,
            stream: 0,
            source_stream: 0
        })
    );
}

#[test]
fn sizes_exist_for_each_direction_in_use() {
    let with = |write_percent, sizes: BlockSizes| {
        stream_after(|stream| {
            stream.mix.write_percent = write_percent;
            stream.sizes = sizes;
        })
    };
    assert_eq!(with(40, BlockSizes::One(0)), zero("block size"));
    assert_eq!(
        with(40, weighted(&[(0, 1)], &[(512, 1)])),
        zero("block size")
    );
    assert_eq!(with(0, weighted(&[(512, 1)], &[])), Ok(()));
    assert_eq!(with(100, weighted(&[], &[(512, 1)])), Ok(()));
    let no_reads = zero("the sum of the weights of read sizes");
    assert_eq!(with(40, weighted(&[(512, 0)], &[(512, 1)])), no_reads);
    let no_writes = zero("the sum of the weights of write sizes");
    assert_eq!(with(40, weighted(&[(512, 1)], &[])), no_writes);
}

#[test]
fn patterns_step_and_distributions_add_up() {
    let with = |pattern| stream_after(|stream| stream.pattern = pattern);
    let mixed = |random_percent| AccessPattern::Mixed {
        alignment: 512,
        random_percent,
        distribution: Distribution::Uniform,
    };
    assert_eq!(
        with(AccessPattern::Interlocked { stride: 0 }),
        zero("stride")
    );
    assert_eq!(
        with(AccessPattern::Regions { alignment: 0 }),
        zero("alignment")
    );
    assert_eq!(with(mixed(80)), Ok(()));
    assert_eq!(out_of_range(&with(mixed(0))), Some((0, 1, 100)));
    let percent = |items: &[_]| with_distribution(Distribution::Percent(shares(items)));
    assert_eq!(percent(&[(90, 0, 10), (0, 10, 10), (10, 20, 80)]), Ok(()));
    assert_eq!(out_of_range(&percent(&[(90, 0, 10)])), Some((90, 100, 100)));
    assert_eq!(
        out_of_range(&percent(&[(100, 50, 60)])),
        Some((110, 1, 100))
    );
    assert_eq!(percent(&[(100, 50, 0)]), zero("the length of a part"));
    let absolute = |items: &[_]| with_distribution(Distribution::Absolute(shares(items)));
    assert_eq!(absolute(&[(90, 0, 8192), (10, 8192, 0)]), Ok(()));
    assert_eq!(
        absolute(&[(90, 0, 0), (10, 8192, 0)]),
        zero("the length of a part before the last")
    );
    assert_eq!(out_of_range(&absolute(&[])), Some((0, 100, 100)));
}

#[test]
fn pace_flushes_and_sources_are_positive() {
    let paced = |pacing| stream_after(|stream| stream.pacing = pacing);
    assert_eq!(
        paced(Pacing::CapOperations {
            per_second: 0,
            shared_by: 1
        }),
        zero("the limit")
    );
    assert_eq!(
        paced(Pacing::Burst {
            from: crate::plan::PauseFrom::Issue,
            operations: 0,
            pause: Duration::ZERO
        }),
        zero("the number of I/Os of a burst")
    );
    for per_second in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let arrivals = Pacing::Arrivals {
            per_second,
            poisson: false,
        };
        assert_eq!(paced(arrivals), Err(PlanError::Rate(1)));
    }
    let flushed = stream_after(|stream| {
        stream.mix.flush = FlushPolicy::Every {
            writes: 0,
            data_only: false,
        };
    });
    assert_eq!(flushed, zero("the number of writes between flushes"));
    let sourced = stream_after(|stream| {
        stream.payload = Payload::Source {
            size: 4095,
            file: None,
        };
    });
    assert_eq!(out_of_range(&sourced), Some((4095, 4096, u64::MAX)));
}

#[test]
fn a_grid_has_a_column_for_each_thread_and_blocks_of_one_size() {
    let grid = |rows, columns| AccessPattern::Grid {
        rows,
        columns,
        again: false,
    };
    assert_eq!(stream_after(|s| s.pattern = grid(64, 2)), Ok(()));
    let narrow = stream_after(|s| s.pattern = grid(64, 1));
    assert_eq!(out_of_range(&narrow), Some((1, 2, u64::MAX)));
    let no_rows = stream_after(|s| s.pattern = grid(0, 64));
    assert_eq!(no_rows, zero("the number of I/Os of a run"));
    let mixed = stream_after(|s| {
        s.pattern = grid(64, 64);
        s.sizes = weighted(&[(4096, 1)], &[(8192, 1)]);
    });
    let one_size = |what| Err(PlanError::OneSize { span: 1, what });
    assert_eq!(mixed, one_size("a grid"));
    let shuffled = |alignment| AccessPattern::Shuffled { alignment };
    assert_eq!(stream_after(|s| s.pattern = shuffled(4096)), Ok(()));
    assert_eq!(stream_after(|s| s.pattern = shuffled(0)), zero("alignment"));
    let mixed = stream_after(|s| {
        s.pattern = shuffled(4096);
        s.sizes = weighted(&[(4096, 1)], &[(8192, 1)]);
    });
    assert_eq!(mixed, one_size("a shuffled order"));
}

#[test]
fn blocks_come_apart_into_equal_pieces_alike_for_a_group() {
    let scattered = |pieces| Assembly::Scattered { pieces };
    let copied = |pieces| Assembly::Copied { pieces };
    assert_eq!(stream_after(|s| s.assembly = scattered(1024)), Ok(()));
    assert_eq!(stream_after(|s| s.assembly = copied(2048)), Ok(()));
    let many = stream_after(|s| s.assembly = scattered(2048));
    assert_eq!(out_of_range(&many), Some((2048, 1, 1024)));
    let none = stream_after(|s| s.assembly = copied(0));
    assert_eq!(out_of_range(&none), Some((0, 1, u64::from(u32::MAX))));
    let uneven = PlanError::Pieces {
        span: 1,
        block: 4096,
        pieces: 3,
    };
    assert_eq!(
        stream_after(|s| s.assembly = copied(3)),
        Err(uneven.clone())
    );
    let drawn = stream_after(|s| {
        s.assembly = scattered(3);
        s.sizes = weighted(&[(6144, 1)], &[(4096, 1)]);
    });
    assert_eq!(drawn, Err(uneven));
    let unlike = after(|span| {
        let mut other = span.groups[0].streams[0].clone();
        other.assembly = copied(2);
        span.groups[0].streams.push(other);
    });
    assert_eq!(unlike, Err(PlanError::Assemblies(1)));
}

#[test]
fn streams_in_turn_need_no_queue_depth() {
    let changed = after(|span| {
        span.groups[0].dispatch = Dispatch::InTurn;
        span.groups[0].streams[0].queue_depth = 0;
    });
    assert_eq!(changed, Ok(()));
}

#[test]
fn files_grow_by_blocks_that_can_be_judged() {
    let file = |block, verify| {
        let file = FilePreparation {
            label: "f".into(),
            path: "f".into(),
            size: 100,
            content: Content::Random,
            policy: Policy::Extend,
            through: Through::Past,
            block,
            verify,
        };
        let files = vec![file];
        let step = Step::Prepare(Prepare { files });
        validate(&plan("sysbench", "prepare", vec![step])).map_err(|error| error.to_string())
    };
    assert_eq!(file(None, false), Ok(()));
    assert_eq!(file(Some(1), false), Ok(()));
    assert_eq!(
        file(Some(0), false),
        Err("f cannot grow by blocks of 0 bytes".to_owned())
    );
    assert_eq!(file(Some(13), true), Ok(()));
    let needs = "f: blocks that are to be judged by a checksum need 13 bytes at least";
    assert_eq!(file(Some(12), true), Err(format!("{needs}, and not 12")));
    assert_eq!(
        file(None, true),
        Err(format!("{needs}, but the file has no blocks"))
    );
}

#[test]
fn laws_have_numbers_that_mean_something() {
    let refused = |distribution| match with_distribution(distribution) {
        Ok(()) => None,
        Err(PlanError::Distribution { right, .. }) => Some(right),
        Err(other) => panic!("{other}"),
    };
    let ranked = |skew, ranks| Distribution::Ranked { skew, ranks };
    let normal = |deviation_percent, centre_percent| Distribution::Normal {
        deviation_percent,
        centre_percent,
    };
    for exponent in [0.01, 0.99, 1.0, 10.0] {
        assert_eq!(
            refused(ranked(Skew::Zipf(exponent), Ranks::Scattered)),
            None
        );
    }
    for exponent in [0.0, -1.0, 0.009, 10.1, f64::INFINITY, f64::NAN] {
        let right = refused(ranked(Skew::Zipf(exponent), Ranks::Scattered));
        assert_eq!(right.as_deref(), Some("from 0.01 to 10"), "{exponent}");
    }
    assert_eq!(refused(ranked(Skew::Pareto(0.2), Ranks::InOrder)), None);
    for h in [0.0, 1.0, -0.2, f64::NAN] {
        let right = refused(ranked(Skew::Pareto(h), Ranks::InOrder));
        assert_eq!(right.as_deref(), Some("above 0 and below 1"), "{h}");
    }
    for percent in [0.0, 50.0, 100.0] {
        let ranks = Ranks::ScatteredFrom(percent);
        assert_eq!(refused(ranked(Skew::Zipf(1.0), ranks)), None);
        assert_eq!(refused(normal(10.0, percent)), None);
    }
    for percent in [-0.1, 100.1, f64::NAN] {
        let ranks = Ranks::ScatteredFrom(percent);
        let right = Some("from 0 to 100".to_owned());
        assert_eq!(refused(ranked(Skew::Zipf(1.0), ranks)), right);
        assert_eq!(refused(normal(10.0, percent)), right);
    }
    for deviation in [0.0, -1.0, 100.5, f64::NAN] {
        let right = refused(normal(deviation, 50.0));
        assert_eq!(
            right.as_deref(),
            Some("above 0 and up to 100"),
            "{deviation}"
        );
    }
}
