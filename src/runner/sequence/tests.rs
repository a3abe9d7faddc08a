//! Whole loads on small files: counts by arithmetic, failures, ends.

use std::{fs, path::Path, sync::atomic::AtomicBool, time::Duration};

use crate::{
    host::Machine,
    plan::{
        Access, AtEnd, Caching, Counted, Counting, Draws, Durability, EngineChoice, Flushes,
        MappedFlush, Opening, Operations, Order, Payload, Plan, SharedSequence, Step, Stop, Target,
        TimeSpan, Verify, Watch, fixtures,
    },
    results::{EndReason, Outcome, Results, Segment, Silent, Subject},
    runner::{self, Surroundings, trailer},
};

const FILE: u64 = 256 << 10;
const BLOCK: u32 = 16384;

/// Files of a set, and a plan for them.
struct Set {
    folder: tempfile::TempDir,
    files: usize,
    sequence: SharedSequence,
    after: Option<Duration>,
    warmup: Duration,
    events: Option<u64>,
    mapped: bool,
    engine: EngineChoice,
}

fn set(files: usize) -> Set {
    let folder = tempfile::tempdir().unwrap();
    for file in 0..files {
        fs::write(path(folder.path(), file), vec![0; FILE as usize]).unwrap();
    }
    Set {
        folder,
        files,
        sequence: SharedSequence {
            workers: 1,
            file_size: FILE,
            order: Order::Random {
                block: BLOCK,
                span: FILE * files as u64,
                draws: Draws::Xoroshiro {
                    seed: 42,
                    draw_after_event: true,
                },
            },
            operations: Operations::Writes,
            flushes: Flushes {
                data_only: false,
                round_every: Some(10),
                after_write: false,
                at_end: AtEnd::EveryWorker,
                are_events: true,
            },
            backlog: None,
            verify: Verify::Off,
            payload: Payload::Stamped,
            arrivals_per_second: None,
            watch: Watch::default(),
            grace: None,
        },
        after: None,
        warmup: Duration::ZERO,
        events: Some(100),
        mapped: false,
        engine: EngineChoice::Auto,
    }
}

fn path(folder: &Path, file: usize) -> std::path::PathBuf {
    folder.join(format!("test_file.{file}"))
}

impl Set {
    fn plan(&self) -> Plan {
        let target = |file| {
            let path = path(self.folder.path(), file);
            Target {
                path,
                label: format!("test_file.{file}"),
                access: if self.sequence.operations.write() {
                    Access::ReadWrite
                } else {
                    Access::Read
                },
                caching: Caching::Buffered,
                durability: Durability::None,
                mapped: self.mapped.then_some(MappedFlush::Never),
                opening: Opening::AtLeast(FILE),
                ..fixtures::target("", "")
            }
        };
        let span = TimeSpan {
            warmup: self.warmup,
            stop: Stop {
                after: self.after,
                operations: self.events,
                ..Stop::default()
            },
            counting: Counting::DrainAndCount,
            sequence: Some(Box::new(self.sequence.clone())),
            ..fixtures::span((0..self.files).map(target).collect(), Vec::new())
        };
        Plan {
            engine: self.engine.clone(),
            ..fixtures::plan("sysbench", "", vec![Step::Run(span)])
        }
    }

    fn run(&self) -> Results {
        let interrupt = AtomicBool::new(false);
        let machine = Machine::default();
        let around = Surroundings {
            machine: &machine,
            interrupt: &interrupt,
        };
        runner::run(&self.plan(), around, &mut Silent)
    }

    fn segment(&self) -> Segment {
        let results = self.run();
        let span = &results.spans[0];
        assert_eq!(span.failures, Vec::new());
        assert_eq!(span.outcome, Outcome::Finished);
        span.segments.last().unwrap().clone()
    }
}

#[test]
fn flushes_of_rounds_use_up_the_events() {
    // 100 events with a round after each 10 writes over 4 files: 72 writes and 28 flushes, and four
    // more at the end (recorded of 1.0.20).
    let segment = set(4).segment();
    assert_eq!((segment.write.count, segment.flush.count), (72, 28));
    assert_eq!(segment.final_flush.count, 4);
    assert_eq!(segment.events.count(), 100);
    assert_eq!(segment.write.bytes, 72 * u64::from(BLOCK));
}

#[test]
fn every_worker_flushes_every_file_at_the_end() {
    let mut set = set(4);
    set.sequence.workers = 4;
    set.sequence.flushes.round_every = None;
    set.events = Some(400);
    let segment = set.segment();
    assert_eq!((segment.write.count, segment.final_flush.count), (400, 16));
    assert_eq!(segment.shares.len(), 4);
    assert_eq!(segment.shares.iter().map(|s| s.events).sum::<u64>(), 400);
}

#[test]
fn flushes_are_no_events_where_the_rules_of_0_4_hold() {
    let mut set = set(4);
    set.sequence.flushes.are_events = false;
    set.sequence.flushes.at_end = AtEnd::OnceAtLimit;
    set.sequence.operations = Operations::Ratio {
        reads_per_write: 1.5,
        counted: Counted::HandedOut,
    };
    // 100 requests: nine rounds and the last flush over four files.
    let segment = set.segment();
    assert_eq!((segment.read.count, segment.write.count), (60, 40));
    assert_eq!((segment.flush.count, segment.final_flush.count), (36, 4));
    assert_eq!(segment.events.count(), 100);
}

#[test]
fn a_flush_after_each_write_belongs_to_its_event() {
    let mut set = set(2);
    set.sequence.flushes = Flushes {
        round_every: None,
        after_write: true,
        at_end: AtEnd::Never,
        ..set.sequence.flushes
    };
    set.events = Some(20);
    let segment = set.segment();
    assert_eq!((segment.write.count, segment.flush.count), (20, 20));
    assert_eq!(segment.final_flush.count, 0);
    let parts = segment.write.latency.sum() + segment.flush.latency.sum();
    assert!(segment.events.sum() >= parts && segment.events.count() == 20);
}

#[test]
fn asynchronous_loads_count_the_same() {
    for workers in [1, 3] {
        let mut set = set(4);
        set.sequence.backlog = Some(16);
        set.sequence.workers = workers;
        set.sequence.operations = Operations::Ratio {
            reads_per_write: 1.5,
            counted: Counted::Completed,
        };
        set.sequence.flushes.round_every = None;
        set.events = Some(1000);
        let segment = set.segment();
        assert_eq!(segment.read.count + segment.write.count, 1000);
        assert_eq!(segment.final_flush.count, 4 * u64::from(workers));
        assert_eq!(segment.events.count(), 1000);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn mappings_are_read_written_and_flushed() {
    let mut set = set(2);
    set.mapped = true;
    set.events = Some(50);
    let results = set.run();
    assert_eq!(results.spans[0].engine, "mmap");
    let segment = set.segment();
    assert_eq!(segment.write.count + segment.flush.count, 50);
    assert_eq!(segment.final_flush.count, 2);
    let bytes = fs::read(path(set.folder.path(), 0)).unwrap();
    assert!(bytes.iter().any(|byte| *byte != 0));
}

#[test]
fn what_was_written_is_judged_and_what_was_not_is_found() {
    for verify in [Verify::InsideLatency, Verify::OutsideLatency] {
        for backlog in [None, Some(8)] {
            let mut set = set(2);
            set.sequence.verify = verify;
            set.sequence.backlog = backlog;
            set.sequence.workers = 2;
            set.events = Some(400);
            // Sequential writes first, so that every block is sealed.
            set.sequence.order = Order::Sequential {
                length: BLOCK,
                once: true,
            };
            set.sequence.flushes.round_every = None;
            assert_eq!(set.segment().write.count, 32);
            set.sequence.order = Order::Random {
                block: BLOCK,
                span: 2 * FILE,
                draws: Draws::Lrand48 { seed: None },
            };
            set.sequence.operations = Operations::Ratio {
                reads_per_write: 1.5,
                counted: Counted::Completed,
            };
            let segment = set.segment();
            assert_eq!(segment.read.count + segment.write.count, 400);
        }
    }
    let mut set = set(1);
    set.sequence.verify = Verify::InsideLatency;
    set.sequence.operations = Operations::Reads;
    let results = set.run();
    let span = &results.spans[0];
    assert_eq!(span.outcome, Outcome::EndedEarly(EndReason::Failed));
    let subject = span.failures[0].subject;
    assert!(
        matches!(subject, Subject::Checksum { stored: 0, .. }),
        "{subject:?}"
    );
    assert!(trailer::judge(&[0; 16384], 0).is_err());
}

#[test]
fn a_short_file_is_refused_with_both_sizes() {
    let set = set(2);
    fs::OpenOptions::new()
        .write(true)
        .open(path(set.folder.path(), 1))
        .unwrap()
        .set_len(5)
        .unwrap();
    let results = set.run();
    let failure = &results.spans[0].failures[0];
    let needed = FILE;
    assert_eq!(failure.subject, Subject::SmallTarget { size: 5, needed });
    assert_eq!(failure.target.as_deref(), Some("test_file.1"));
}

#[test]
fn a_time_limit_ends_reads_and_rates_are_kept() {
    let mut set = set(2);
    set.sequence.operations = Operations::Reads;
    set.sequence.arrivals_per_second = Some(200);
    set.sequence.workers = 2;
    set.events = None;
    set.after = Some(Duration::from_millis(500));
    let segment = set.segment();
    // 100 are due in half a second, with a deviation of 10.
    assert!(
        (50..=150).contains(&segment.events.count()),
        "{}",
        segment.events.count()
    );
    assert!(segment.to >= Duration::from_millis(400));
}

#[test]
fn checkpoints_divide_all_that_was_done() {
    let mut set = set(2);
    set.sequence.operations = Operations::Reads;
    set.sequence.watch.checkpoints = vec![Duration::from_millis(100), Duration::from_millis(200)];
    set.sequence.watch.intervals = Some(Duration::from_millis(50));
    set.events = None;
    set.after = Some(Duration::from_millis(300));
    let results = set.run();
    let span = &results.spans[0];
    assert_eq!(span.segments.len(), 3);
    let parts: u64 = span.segments.iter().map(|segment| segment.read.count).sum();
    assert_eq!(parts, span.reads(None).count);
    assert_eq!(span.segments[0].to, span.segments[1].from);
    assert_eq!(span.segments[2].to, span.measured);
}

#[test]
fn a_simulated_device_gives_the_same_figures_each_time() {
    let mut set = set(2);
    set.engine = EngineChoice::Simulated(
        "read=fixed:100us,write=fixed:50us,flush=fixed:1ms"
            .parse()
            .unwrap(),
    );
    set.events = None;
    set.after = Some(Duration::from_secs(10));
    set.sequence.operations = Operations::Ratio {
        reads_per_write: 1.5,
        counted: Counted::Completed,
    };
    let (first, second) = (set.segment(), set.segment());
    assert_eq!(first.events, second.events);
    // By hand: ten requests take 6 * 100 + 4 * 50 us, the round two more milliseconds: 2.8 ms.
    let rounds = first.flush.count / 2;
    assert!((3570..=3573).contains(&rounds), "{rounds}");
}

#[test]
fn a_warm_up_counts_nothing_and_uses_up_nothing() {
    let mut set = set(2);
    set.sequence.operations = Operations::Reads;
    set.warmup = Duration::from_millis(100);
    set.events = Some(50);
    // One may have begun in the warm-up and ended after it.
    let count = set.segment().events.count();
    assert!((50..=51).contains(&count), "{count}");
    // Over before the warm-up is: there are no figures, and it is told.
    set.warmup = Duration::from_mins(1);
    set.sequence.order = Order::Sequential {
        length: BLOCK,
        once: true,
    };
    let results = set.run();
    let span = &results.spans[0];
    assert_eq!(span.outcome, Outcome::NotMeasured(EndReason::Failed));
    assert!(span.failures[0].message.contains("warm-up"));
    assert!(span.segments.is_empty() && span.reads(None).count == 0);
}

#[test]
fn an_interval_keeps_what_a_checkpoint_took() {
    struct Sum(u64, u64);
    impl crate::results::Observer for Sum {
        fn observe(&mut self, event: &crate::results::Event<'_>) {
            match event {
                crate::results::Event::Interval(figures) => self.0 += figures.read_bytes,
                crate::results::Event::Checkpoint(segment) => self.1 += segment.read.bytes,
                _ => {}
            }
        }
    }
    let mut set = set(2);
    set.sequence.operations = Operations::Reads;
    set.sequence.watch.intervals = Some(Duration::from_millis(100));
    set.sequence.watch.checkpoints = vec![Duration::from_millis(150)];
    set.events = None;
    set.after = Some(Duration::from_millis(200));
    let mut sum = Sum(0, 0);
    let interrupt = AtomicBool::new(false);
    let machine = Machine::default();
    let around = Surroundings {
        machine: &machine,
        interrupt: &interrupt,
    };
    let results = runner::run(&set.plan(), around, &mut sum);
    let all = results.spans[0].reads(None).bytes;
    // The second interval ends with the time limit; what came after it is a request or two.
    assert!(
        sum.1 > 0 && sum.0 > sum.1 && sum.0 <= all,
        "{} {} {all}",
        sum.0,
        sum.1
    );
    assert!(all - sum.0 < all / 10, "{} of {all}", sum.0);
}

#[cfg(target_os = "linux")]
#[test]
fn more_threads_than_mappings_are_refused() {
    let mut set = set(1);
    set.sequence.workers = 65536;
    let results = set.run();
    let failures = &results.spans[0].failures;
    if let Some(failure) = failures.first() {
        assert!(failure.message.contains("max_map_count"), "{failure:?}");
    }
    // Each thread maps each file.
    let mut set = crate::runner::sequence::tests::set(64);
    set.mapped = true;
    set.sequence.workers = 2000;
    let results = set.run();
    if let Some(failure) = results.spans[0].failures.first() {
        assert!(failure.message.contains("64 mapped files"), "{failure:?}");
    }
}
