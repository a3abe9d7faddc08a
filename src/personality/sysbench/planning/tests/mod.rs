//! Lines and the plans that they become.

use std::time::Duration;

use super::to_plan;
use crate::{
    personality::{
        DataChoice,
        sysbench::lines::{args, around, line},
    },
    plan::{
        Access, AtEnd, Caching, Content, Counted, Draws, Durability, Flushes, MappedFlush, Opening,
        Operations, Order, Payload, Plan, Policy, SharedSequence, Step, Through, TimeSpan, Verify,
        Whose,
    },
};

fn plan(text: &str) -> Plan {
    to_plan(&line(text).options, &args(text), &around(None))
        .unwrap()
        .plan
}

fn span(text: &str) -> TimeSpan {
    match plan(text).steps.pop() {
        Some(Step::Run(span)) => span,
        other => panic!("{text}: {other:?}"),
    }
}

fn sequence(text: &str) -> SharedSequence {
    *span(text).sequence.unwrap()
}

const SET: &str = "--file-total-size=16M --file-num=4";

fn new(options: &str) -> String {
    format!("fileio {SET} {options} run")
}

fn old(options: &str) -> String {
    format!("--test=fileio {SET} {options} run")
}

#[test]
fn files_are_made_as_either_version_makes_them() {
    let plan = plan(&format!(
        "fileio {SET} --file-extra-flags=direct,dsync --validate prepare"
    ));
    let [Step::Prepare(prepare)] = &plan.steps[..] else {
        panic!("{plan:?}")
    };
    assert_eq!(prepare.files.len(), 4);
    let file = &prepare.files[3];
    assert_eq!((file.label.as_str(), file.size), ("test_file.3", 4 << 20));
    assert_eq!((file.policy, file.block), (Policy::Extend, Some(16384)));
    assert_eq!((file.content, file.verify), (Content::Random, true));
    let through = Through::As {
        caching: Caching::Direct,
        durability: Durability::Dsync,
    };
    assert_eq!(file.through, through);
    assert_eq!(
        plan.origin.command_line,
        format!("sysbench fileio {SET} --file-extra-flags=direct,dsync --validate prepare")
    );

    let plan = self::plan(&format!(
        "--test=fileio {SET} --file-extra-flags=direct prepare"
    ));
    let [Step::Prepare(prepare)] = &plan.steps[..] else {
        panic!("{plan:?}")
    };
    let file = &prepare.files[0];
    let through = Through::As {
        caching: Caching::Buffered,
        durability: Durability::None,
    };
    assert_eq!((file.policy, file.through), (Policy::Replace, through));
}

#[test]
fn files_are_removed_by_name() {
    let plan = plan("fileio --file-num=2 cleanup");
    let [Step::Cleanup(cleanup)] = &plan.steps[..] else {
        panic!("{plan:?}")
    };
    assert_eq!(cleanup.whose, Whose::Named);
    let names: Vec<_> = cleanup
        .paths
        .iter()
        .map(|path| path.to_str().unwrap())
        .collect();
    assert_eq!(names, ["test_file.0", "test_file.1"]);
}

#[test]
fn limits_are_those_of_the_version() {
    let stop = span(&new("--file-test-mode=rndrd")).stop;
    assert_eq!(
        (stop.after, stop.operations),
        (Some(Duration::from_secs(10)), None)
    );
    let stop = span(&old("--file-test-mode=rndrd")).stop;
    assert_eq!((stop.after, stop.operations), (None, Some(10_000)));
    // One pass, whatever --max-requests says.
    let once = span(&old("--file-test-mode=seqrd --max-requests=50"));
    assert_eq!((once.stop.after, once.stop.operations), (None, None));
    let order = once.sequence.unwrap().order;
    assert_eq!(
        order,
        Order::Sequential {
            length: 16384,
            once: true
        }
    );
    let merged = sequence(&new("--file-test-mode=seqwr --file-merged-requests=16")).order;
    assert_eq!(
        merged,
        Order::Sequential {
            length: 262_144,
            once: false
        }
    );
    let warm = span(&new("--file-test-mode=rndrd --warmup-time=3"));
    assert_eq!(warm.warmup, Duration::from_secs(3));
}

#[test]
fn chance_is_that_of_the_version() {
    let random = |text: &str| match sequence(text).order {
        Order::Random { block, span, draws } => (block, span, draws),
        other @ Order::Sequential { .. } => panic!("{other:?}"),
    };
    let xoroshiro = |seed, draw_after_event| Draws::Xoroshiro {
        seed,
        draw_after_event,
    };
    assert_eq!(
        random(&new("--file-test-mode=rndrd --rand-seed=42")),
        (16384, 16 << 20, xoroshiro(42, true))
    );
    assert_eq!(
        random(&new("--file-test-mode=rndrd --percentile=0")).2,
        xoroshiro(1_700_000_000, false)
    );
    let lrand = |seed| Draws::Lrand48 { seed };
    assert_eq!(random(&old("--file-test-mode=rndrd")).2, lrand(None));
    assert_eq!(
        random(&old("--file-test-mode=rndrd --init-rng=on")).2,
        lrand(Some(1_700_000_000))
    );
    // 10 MiB in 3 files: 3495253 bytes each, one byte is left.
    let odd = "--file-total-size=10M --file-num=3 --file-test-mode=rndrd";
    assert_eq!(random(&format!("fileio {odd} run")).1, 10_485_760);
    assert_eq!(random(&format!("--test=fileio {odd} run")).1, 10_485_759);
    // 13 bytes in 4 files of 3: by blocks of 4 the byte at 12 would be in a fifth file.
    let tiny = "fileio --file-total-size=13 --file-num=4 --file-block-size=4 \
                --file-test-mode=rndrd run";
    assert_eq!(random(tiny).1, 12);
}

#[test]
fn flushes_are_those_of_the_version() {
    let flushes = |text: &str| sequence(text).flushes;
    let never = Flushes {
        data_only: false,
        round_every: None,
        after_write: false,
        at_end: AtEnd::Never,
        are_events: true,
    };
    let rounds = Flushes {
        round_every: Some(100),
        at_end: AtEnd::EveryWorker,
        ..never
    };
    assert_eq!(flushes(&new("--file-test-mode=rndrd")), never);
    for mode in ["rndwr", "rndrw", "seqwr", "seqrewr"] {
        assert_eq!(
            flushes(&new(&format!("--file-test-mode={mode}"))),
            rounds,
            "{mode}"
        );
    }
    let once = Flushes {
        round_every: Some(100),
        at_end: AtEnd::OnceAtLimit,
        are_events: false,
        ..never
    };
    assert_eq!(flushes(&old("--file-test-mode=rndrw")), once);
    let pass = Flushes {
        round_every: None,
        ..once
    };
    assert_eq!(flushes(&old("--file-test-mode=seqrewr")), pass);
    let all = Flushes {
        after_write: true,
        data_only: true,
        ..never
    };
    let text = new("--file-test-mode=rndwr --file-fsync-all --file-fsync-mode=fdatasync");
    assert_eq!(flushes(&text), all);
    let none = new("--file-test-mode=rndwr --file-fsync-freq=0 --file-fsync-end=off");
    assert_eq!(flushes(&none), never);
}

#[test]
fn targets_are_opened_as_the_line_says() {
    let first = |text: &str| span(text).targets.remove(0);
    let read = first(&new("--file-test-mode=rndrd --file-extra-flags=direct"));
    assert_eq!((read.access, read.caching), (Access::Read, Caching::Direct));
    assert_eq!(read.opening, Opening::AtLeast(4 << 20));
    assert_eq!(
        (read.label.as_str(), read.path.to_str()),
        ("test_file.0", Some("test_file.0"))
    );
    let write = first(&new("--file-test-mode=rndrw --file-extra-flags=dsync,sync"));
    assert_eq!(write.access, Access::ReadWrite);
    assert_eq!(
        (write.caching, write.durability),
        (Caching::Buffered, Durability::Sync)
    );
    let made = first(&new("--file-test-mode=seqwr"));
    assert_eq!(made.opening, Opening::Anew { size: 0 });
    let text = new("--file-test-mode=seqwr --file-io-mode=mmap --file-extra-flags=direct,sync");
    let mapped = first(&text);
    assert_eq!(mapped.opening, Opening::Anew { size: 4 << 20 });
    assert_eq!(mapped.mapped, Some(MappedFlush::Never));
    assert_eq!(
        (mapped.caching, mapped.durability),
        (Caching::Buffered, Durability::None)
    );
    let notes = to_plan(&line(&text).options, &args(&text), &around(None))
        .unwrap()
        .notes;
    assert!(
        notes[0].contains("--file-extra-flags has no effect"),
        "{notes:?}"
    );
}

#[test]
fn the_rest_of_a_sequence() {
    let text = new(
        "--file-test-mode=rndrw --threads=3 --file-io-mode=async --file-async-backlog=32 \
         --rate=50 --report-interval=2 --report-checkpoints=4,6 --debug --validate \
         --forced-shutdown=7 --file-rw-ratio=3",
    );
    let made = sequence(&text);
    assert_eq!(
        (made.workers, made.file_size, made.backlog),
        (3, 4 << 20, Some(32))
    );
    assert_eq!(made.arrivals_per_second, Some(50));
    assert_eq!(made.verify, Verify::InsideLatency);
    assert_eq!(made.grace, Some(Duration::from_secs(7)));
    assert_eq!(made.watch.intervals, Some(Duration::from_secs(2)));
    assert_eq!(made.watch.checkpoints, [4, 6].map(Duration::from_secs));
    assert!(made.watch.requests);
    let ratio = |counted| Operations::Ratio {
        reads_per_write: 3.0,
        counted,
    };
    assert_eq!(made.operations, ratio(Counted::Completed));
    let old = sequence(&old(
        "--file-test-mode=rndrw --file-rw-ratio=3 --file-io-mode=async --validate --verbosity=5",
    ));
    assert_eq!(old.operations, ratio(Counted::HandedOut));
    assert_eq!(old.verify, Verify::OutsideLatency);
    assert!(!old.watch.requests, "only --debug tells requests");
}

#[test]
fn data_is_what_is_asked_for() {
    let text = new("--file-test-mode=rndwr");
    let options = line(&text).options;
    for (data, payload, content, noted) in [
        (DataChoice::Default, Payload::Stamped, Content::Random, true),
        (DataChoice::Random, Payload::Stamped, Content::Random, false),
        (DataChoice::Zeros, Payload::Zeros, Content::Zeros, false),
        (DataChoice::Original, Payload::Zeros, Content::Zeros, false),
    ] {
        let mut around = around(None);
        around.settings.data = data;
        let planned = to_plan(&options, &args(&text), &around).unwrap();
        let Some(Step::Run(span)) = planned.plan.steps.first() else {
            panic!()
        };
        assert_eq!(span.sequence.as_ref().unwrap().payload, payload);
        assert_eq!(
            planned
                .notes
                .iter()
                .any(|note| note.contains("random bytes")),
            noted
        );
        assert_eq!(data.content(Content::Zeros), content);
    }
}
