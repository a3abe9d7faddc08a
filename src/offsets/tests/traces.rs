//! DiskSpd 2.2.0's own I/O, logged by the original, against our sequences.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use super::{group, random, share, span, stream, target};
use crate::{
    offsets::{Sequencer, SharedCursors, preview, render_preview, window},
    plan::{
        AccessPattern, BlockSizes, Direction, Distribution, Generator, Payload, Share, Stream,
        TargetIndex, TimeSpan,
    },
};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// A case as its command line has it.
#[derive(Clone)]
struct Case {
    name: &'static str,
    pattern: AccessPattern,
    block: u32,
    size: u64,
    base: u64,
    end: Option<u64>,
    threads: u32,
    depth: u32,
    write_percent: u32,
    seed: u32,
    payload: Payload,
}

impl Case {
    fn new(name: &'static str, block: u64, size: u64, pattern: AccessPattern) -> Self {
        Self {
            name,
            pattern,
            block: block as u32,
            size,
            base: 0,
            end: None,
            threads: 1,
            depth: 1,
            write_percent: 0,
            seed: 0,
            payload: Payload::BytePattern,
        }
    }

    fn random(name: &'static str) -> Self {
        Self::new(
            name,
            4 * KIB,
            16 * MIB,
            random(4 * KIB, Distribution::Uniform),
        )
    }

    fn sequential(name: &'static str) -> Self {
        Self::new(name, 64 * KIB, MIB, sequential(64 * KIB))
    }

    fn span(&self) -> TimeSpan {
        let mut stream = stream(self.pattern.clone(), BlockSizes::One(self.block));
        stream.mix.write_percent = self.write_percent;
        stream.queue_depth = self.depth;
        stream.payload = self.payload.clone();
        span(
            vec![target(self.base, self.end)],
            group(self.threads, vec![stream]),
            Generator::DiskSpd { seed: self.seed },
        )
    }
}

fn sequential(stride: u64) -> AccessPattern {
    AccessPattern::Sequential {
        stride,
        worker_offset: 0,
    }
}

fn shares(items: &[(u32, u64, u64)]) -> Vec<Share> {
    items
        .iter()
        .map(|&(io, from, length)| share(io, from, length))
        .collect()
}

fn recorded(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/reference/diskspd")
        .join(name)
        .join("offsets.tsv");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

/// Uniform random offsets.
fn random_cases() -> Vec<Case> {
    vec![
        Case {
            base: MIB,
            end: Some(3 * MIB),
            ..Case::random("t-rand-B-f")
        },
        Case {
            write_percent: 50,
            payload: Payload::FreshRandom,
            ..Case::random("t-rand-Zr")
        },
        Case {
            block: 8192,
            ..Case::random("t-rand-align")
        },
        Case {
            depth: 4,
            ..Case::random("t-rand-o4")
        },
        Case {
            write_percent: 40,
            ..Case::random("t-rand-w40-z0")
        },
        Case::random("t-rand-z0"),
        Case {
            seed: 1,
            ..Case::random("t-rand-z1")
        },
        Case {
            seed: 42,
            ..Case::random("t-rand-z42")
        },
    ]
}

/// Other ways to draw offsets.
fn drawn_cases() -> Vec<Case> {
    let percent = shares(&[(90, 0, 10), (0, 10, 10), (5, 20, 20), (5, 40, 60)]);
    let absolute = shares(&[
        (50, 0, 4 * MIB),
        (30, 4 * MIB, 4 * MIB),
        (20, 8 * MIB, 100 * MIB),
    ]);
    let with = |name, pattern| Case {
        pattern,
        ..Case::random(name)
    };
    vec![
        with("t-rdabs", random(4 * KIB, Distribution::Absolute(absolute))),
        with("t-rdpct", random(4 * KIB, Distribution::Percent(percent))),
        with(
            "t-rs80",
            AccessPattern::Mixed {
                alignment: 4 * KIB,
                random_percent: 80,
                distribution: Distribution::Uniform,
            },
        ),
    ]
}

fn sequential_cases() -> Vec<Case> {
    vec![
        Case {
            depth: 4,
            ..Case::new(
                "t-p-o4",
                64 * KIB,
                MIB,
                AccessPattern::Parallel {
                    stride: 64 * KIB,
                    worker_offset: 0,
                },
            )
        },
        Case::sequential("t-seq"),
        Case {
            size: 4 * MIB,
            base: 100 * KIB,
            end: Some(MIB),
            ..Case::sequential("t-seq-B-f")
        },
        Case {
            depth: 2,
            ..Case::sequential("t-seq-o2")
        },
        Case {
            size: 1_000_000,
            ..Case::sequential("t-seq-odd")
        },
        Case::new("t-seq-stride", 64 * KIB, MIB, sequential(96 * KIB)),
        Case {
            threads: 2,
            ..Case::sequential("t-seq-t2")
        },
        Case {
            write_percent: 50,
            ..Case::sequential("t-seq-w50")
        },
    ]
}

#[test]
fn every_recorded_sequence_is_repeated() {
    let cases = [random_cases(), drawn_cases(), sequential_cases()].concat();
    assert_eq!(cases.len(), 19);
    for case in cases {
        let rows = preview(&case.span(), &[case.size], 120).expect("a sequence");
        assert_eq!(render_preview(&rows), recorded(case.name), "{}", case.name);
    }
}

/// The offsets that a thread of a record went to.
fn offsets_of(record: &str, thread: u32) -> Vec<u64> {
    let offset = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        (columns[0] == thread.to_string()).then(|| columns[3].parse().expect("a number"))
    };
    record.lines().skip(1).filter_map(offset).collect()
}

/// In which order two threads must have taken steps 0, 1, 2 ... of a cursor over 16 blocks of
/// 64 KiB to arrive at these offsets: true is the second thread. Ends when the record of one does.
fn schedule(first: &[u64], second: &[u64]) -> Vec<bool> {
    let wanted = |step: usize| (step as u64 % 16) * 64 * KIB;
    let mut reached = BTreeMap::from([((0, 0), Vec::new())]);
    for step in 0.. {
        let mut following = BTreeMap::new();
        for ((i, j), path) in reached {
            if i == first.len() || j == second.len() {
                return path;
            }
            for (place, offset, taken) in
                [((i + 1, j), first[i], false), ((i, j + 1), second[j], true)]
            {
                if offset == wanted(step) {
                    let longer: Vec<bool> = path.iter().copied().chain([taken]).collect();
                    following.insert(place, longer);
                }
            }
        }
        assert!(
            !following.is_empty(),
            "no order of the threads explains step {step}"
        );
        reached = following;
    }
    unreachable!("the records end")
}

#[test]
fn interlocked_threads_share_one_cursor_as_recorded() {
    // Which thread took which step depended on timing: the order is found from the record, then
    // ours take the steps in that order.
    let case = Case {
        threads: 2,
        ..Case::new(
            "t-si-t2",
            64 * KIB,
            MIB,
            AccessPattern::Interlocked { stride: 64 * KIB },
        )
    };
    let span = case.span();
    let record = recorded(case.name);
    let theirs = [0, 1].map(|thread| offsets_of(&record, thread));
    let order = schedule(&theirs[0], &theirs[1]);
    assert!(
        order.len() > 200,
        "only {} steps are explained",
        order.len()
    );
    let cursors = Arc::new(SharedCursors::new(1));
    let window = window(&span.targets[0], MIB).expect("a window");
    let mut workers = [0, 1].map(|worker| {
        let group = &span.groups[0];
        Sequencer::new(span.generator, group, worker, worker, &[window], &cursors)
            .expect("a sequence")
    });
    let mut ours = [Vec::new(), Vec::new()];
    for second in order {
        let worker = usize::from(second);
        ours[worker].push(workers[worker].next(0).offset);
    }
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours[..], theirs[..ours.len()]);
    }
}

/// `-F2` with two targets: the original sends everything to the first (a bug of its own), ours
/// gives each slot its own target.
#[test]
fn a_pool_uses_all_its_targets_unlike_the_record() {
    let case = Case {
        threads: 2,
        depth: 4,
        ..Case::new(
            "t-F2-multi",
            4 * KIB,
            MIB,
            random(4 * KIB, Distribution::Uniform),
        )
    };
    let record = recorded(case.name);
    let theirs = [0, 1].map(|thread| offsets_of(&record, thread));
    let mut span = case.span();
    let rows = preview(&span, &[MIB], 120).expect("a sequence");
    for (thread, theirs) in (0..).zip(&theirs) {
        let ours = offsets_of(&render_preview(&rows), thread);
        assert_eq!(ours[..theirs.len()], theirs[..]);
    }

    span.targets.push(target(0, None));
    let group = &mut span.groups[0];
    group.streams[0].queue_depth = 2;
    let second = Stream {
        target: TargetIndex(1),
        ..group.streams[0].clone()
    };
    group.streams.push(second);
    let rows = preview(&span, &[MIB, MIB], 8).expect("a sequence");
    let targets: Vec<u32> = rows.iter().map(|row| row.target).collect();
    assert_eq!(targets, [0, 0, 1, 1, 0, 0, 1, 1].repeat(2));
    assert!(
        rows.iter()
            .all(|row| row.direction == Some(Direction::Read))
    );
}
