//! What DiskSpd cannot say is named, and what it can is its line.

use std::time::Duration;

use super::*;
use crate::plan::{
    AccessPattern, Assembly, BlockSizes, Distribution, FlushPolicy, Pacing, PauseFrom, Payload,
    Ranks, Share, Skew, Step, Stream, WeightedSize, fixtures,
};

fn random() -> AccessPattern {
    AccessPattern::Random {
        alignment: 8192,
        distribution: Distribution::Uniform,
    }
}

fn group(workers: u32, streams: Vec<Stream>, dispatch: Dispatch) -> WorkerGroup {
    WorkerGroup {
        name: String::new(),
        workers,
        affinity: Affinity::None,
        streams,
        dispatch,
    }
}

/// Two threads with this change of a stream, and what is lost.
fn with(change: impl FnOnce(&mut Stream, &mut plan::TimeSpan)) -> Expressed {
    let mut stream = fixtures::stream(0, random(), BlockSizes::One(8192));
    stream.payload = Payload::BytePattern;
    let mut span = fixtures::span(vec![fixtures::target("./d.dat", "./d.dat")], Vec::new());
    change(&mut stream, &mut span);
    span.groups = vec![group(2, vec![stream], Dispatch::PerStream)];
    express(&fixtures::plan("x", "", vec![Step::Run(span)]))
}

#[test]
fn a_load_of_its_own_kind_is_one_line_without_loss() {
    let expressed = with(|_, _| ());
    assert_eq!(expressed.lost, Vec::<String>::new());
    // Options by the specification of DiskSpd 2.2.
    assert_eq!(
        expressed.text,
        "diskspd -b8K -r -w40 -t2 -o32 -Sh -d60 -W5 -L -z0 -n ./d.dat\n"
    );
    assert_eq!(expressed.annotated(), expressed.text);
}

#[track_caller]
fn assert_lost(expressed: &Expressed, what: &str) {
    let said = expressed
        .lost
        .iter()
        .any(|lost| lost.starts_with(&format!("{what}: ")));
    assert!(said, "{what} is not among {:?}", expressed.lost);
}

#[test]
fn laws_and_orders_without_repeats_become_plain_chance() {
    let laws = [
        Distribution::Ranked {
            skew: Skew::Zipf(0.99),
            ranks: Ranks::Scattered,
        },
        Distribution::Normal {
            deviation_percent: 10.0,
            centre_percent: 50.0,
        },
    ];
    for distribution in laws {
        let expressed = with(|stream, _| {
            stream.pattern = AccessPattern::Random {
                alignment: 8192,
                distribution,
            };
        });
        assert_lost(&expressed, "distribution");
        assert!(expressed.text.contains(" -r "), "{}", expressed.text);
    }
    let expressed = with(|stream, _| {
        stream.pattern = AccessPattern::Shuffled { alignment: 8192 };
    });
    assert_lost(&expressed, "order");
    assert!(expressed.text.contains(" -r "), "{}", expressed.text);
}

#[test]
fn what_cannot_be_said_is_named() {
    let sizes = vec![
        WeightedSize {
            bytes: 8192,
            weight: 1,
        },
        WeightedSize {
            bytes: 65536,
            weight: 3,
        },
    ];
    let weighted = with(|stream, _| {
        stream.sizes = BlockSizes::Weighted {
            read: sizes.clone(),
            write: sizes,
        };
    });
    assert_lost(&weighted, "sizes");
    assert!(weighted.text.contains(" -b64K -r8K "), "{}", weighted.text);
    all_lose([
        (
            "range",
            with(|stream, _| stream.pattern = AccessPattern::Regions { alignment: 1 }),
        ),
        (
            "order",
            with(|stream, _| stream.pattern = AccessPattern::Append),
        ),
        ("copy", with(|stream, _| stream.copies = Some(0))),
        (
            "assembly",
            with(|stream, _| stream.assembly = Assembly::Copied { pieces: 2 }),
        ),
        (
            "flushes",
            with(|stream, _| stream.mix.flush = FlushPolicy::AtEnd { data_only: true }),
        ),
        ("data", with(|stream, _| stream.payload = Payload::Random)),
        ("data", with(|stream, _| stream.payload = Payload::Stamped)),
        ("limits", with(|_, span| span.stop.bytes = Some(1))),
        ("limits", with(|_, span| span.stop.after = None)),
        (
            "limit",
            with(|stream, _| {
                stream.pacing = Pacing::CapBytes {
                    per_second: 1500,
                    shared_by: 1,
                }
            }),
        ),
        (
            "counting",
            with(|_, span| span.counting = Counting::DrainAndCount),
        ),
        (
            "chance",
            with(|_, span| span.generator = Generator::Xoshiro { seed: 1 }),
        ),
        (
            "duration",
            with(|_, span| span.stop.after = Some(Duration::from_millis(1500))),
        ),
        (
            "durability",
            with(|_, span| span.targets[0].durability = plan::Durability::Sync),
        ),
        (
            "alignment",
            with(|stream, _| stream.sizes = BlockSizes::One(1000)),
        ),
    ]);
}

/// Each is a line that names what is lost.
fn all_lose<const N: usize>(expressed: [(&str, Expressed); N]) {
    for (what, expressed) in expressed {
        assert_lost(&expressed, what);
        assert!(
            expressed.text.starts_with("diskspd -b"),
            "{}",
            expressed.text
        );
        assert!(expressed.annotated().starts_with("# lost: "));
    }
}

#[test]
fn paces_and_places_that_cannot_be_said_are_named() {
    all_lose([
        (
            "arrivals",
            with(|stream, _| {
                stream.pacing = Pacing::Arrivals {
                    per_second: 10.5,
                    poisson: true,
                };
            }),
        ),
        (
            "waves",
            with(|stream, _| {
                stream.pacing = Pacing::Waves {
                    first: Duration::ZERO,
                    every: Duration::from_secs(1),
                    operations: 64,
                    backs_off_above: None,
                };
            }),
        ),
        (
            "distribution",
            with(|stream, _| {
                let share = Share {
                    io_percent: 100,
                    from: 50,
                    length: 50,
                };
                stream.pattern = AccessPattern::Random {
                    alignment: 8192,
                    distribution: Distribution::Percent(vec![share]),
                };
            }),
        ),
    ]);
}

#[test]
fn bursts_are_shared_out_to_threads() {
    let expressed = with(|stream, _| {
        stream.pacing = Pacing::Burst {
            from: PauseFrom::Issue,
            operations: 5,
            pause: Duration::from_millis(20),
        };
    });
    // 5 of each of two threads.
    assert!(expressed.text.contains(" -i10 -j20 "), "{}", expressed.text);
    assert!(expressed.lost.is_empty());
    let expressed = with(|stream, _| {
        stream.pacing = Pacing::Burst {
            from: PauseFrom::Completion,
            operations: 5,
            pause: Duration::from_millis(20),
        };
    });
    assert!(expressed.text.contains(" -i10 -j20 "), "{}", expressed.text);
    assert!(
        expressed
            .lost
            .iter()
            .any(|lost| lost.contains("have completed"))
    );
}

#[test]
fn what_needs_more_than_a_line_is_a_profile() {
    let stream = |target: usize, block: u32| {
        let mut stream = fixtures::stream(target, random(), BlockSizes::One(block));
        stream.payload = Payload::Zeros;
        stream
    };
    let targets = || vec![fixtures::target("a", "a"), fixtures::target("b--c", "b--c")];
    let unlike = fixtures::span(
        targets(),
        vec![
            group(1, vec![stream(0, 8192)], Dispatch::PerStream),
            group(3, vec![stream(1, 65536)], Dispatch::PerStream),
        ],
    );
    let weighted = fixtures::span(
        targets(),
        vec![group(
            4,
            vec![stream(0, 8192), stream(1, 8192)],
            Dispatch::Shared {
                queue_depth: 16,
                weights: vec![1, 3],
            },
        )],
    );
    for (span, parts) in [
        (
            unlike,
            [
                "<BlockSize>65536</BlockSize>",
                "<ThreadsPerFile>3</ThreadsPerFile>",
            ],
        ),
        (
            weighted,
            ["<RequestCount>16</RequestCount>", "<Weight>3</Weight>"],
        ),
    ] {
        let mut plan = fixtures::plan("x", "", vec![Step::Run(span)]);
        assert_eq!(express(&plan).lost, Vec::<String>::new());
        plan.on_error = OnError::Continue;
        let expressed = express(&plan);
        for part in parts {
            assert!(expressed.text.contains(part), "{part}\n{}", expressed.text);
        }
        let text = expressed.annotated();
        assert!(
            text.starts_with("<!-- lost: errors: ") && text.contains("-->\n<Profile>"),
            "{text}"
        );
    }
}

#[test]
fn threads_that_do_several_things_are_told() {
    let other = fixtures::stream(0, random(), BlockSizes::One(65536));
    let span = fixtures::span(
        vec![fixtures::target("a", "a")],
        vec![group(
            2,
            vec![fixtures::stream(0, random(), BlockSizes::One(8192)), other],
            Dispatch::InTurn,
        )],
    );
    let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)]));
    assert_lost(&expressed, "threads");
    assert_eq!(expressed.text.matches("<Target>").count(), 2);
}

#[test]
fn a_target_that_looks_like_an_option_or_needs_quotes() {
    let expressed = with(|_, span| {
        span.targets = vec![fixtures::target("-b4K", "-b4K")];
    });
    assert!(expressed.text.ends_with(" ./-b4K\n"), "{}", expressed.text);
    let expressed = with(|_, span| {
        span.targets = vec![fixtures::target("it's here", "it's here")];
    });
    assert!(
        expressed.text.ends_with(" 'it'\\''s here'\n"),
        "{}",
        expressed.text
    );
}

#[test]
fn a_plan_without_load_has_no_line() {
    let expressed = express(&fixtures::plan("x", "", Vec::new()));
    assert!(expressed.text.is_empty());
    assert_lost(&expressed, "files");
}
