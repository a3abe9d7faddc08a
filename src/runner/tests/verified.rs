//! Verified loads on small files. Faults are put into the file from outside: before the load, or
//! between the load and the reading back.

use std::{
    fs,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use super::*;
use crate::{
    plan::{
        Content, Distribution, FilePreparation, Policy, Prepare, Through, WeightedSize, WriteRules,
    },
    results::{Kind, ReadBack, Verification},
    verify::{Table, Unit},
};

const BLOCK: u64 = 4096;
const SIZE: u64 = 64 * BLOCK;

/// A folder, and a plan that makes a file in it and loads it.
struct Case {
    _folder: tempfile::TempDir,
    path: PathBuf,
    plan: Plan,
}

impl Case {
    fn new(engine: EngineKind, pattern: AccessPattern, write_percent: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut stream = fixtures::stream(0, pattern, BlockSizes::One(BLOCK as u32));
        stream.mix.write_percent = write_percent;
        stream.queue_depth = 8;
        let target = Target {
            caching: Caching::Buffered,
            durability: Durability::None,
            ..fixtures::target("file", path.to_str().unwrap())
        };
        let span = TimeSpan {
            warmup: Duration::ZERO,
            stop: Stop {
                operations: Some(SIZE / BLOCK),
                ..Stop::default()
            },
            counting: Counting::DrainAndCount,
            verify: true,
            ..fixtures::span(
                vec![target],
                vec![group(1, vec![stream], Dispatch::PerStream)],
            )
        };
        let prepare = Prepare {
            files: vec![FilePreparation {
                label: "file".into(),
                path: path.clone(),
                size: SIZE,
                content: Content::Verifiable,
                policy: Policy::Extend,
                through: Through::Past,
                block: None,
                verify: false,
            }],
        };
        let plan = Plan {
            engine: EngineChoice::Named(engine),
            rules: WriteRules::Own,
            ..fixtures::plan("native", "", vec![Step::Prepare(prepare), Step::Run(span)])
        };
        Self {
            _folder: folder,
            path,
            plan,
        }
    }

    /// One write of each block, one behind the other.
    fn writes() -> Self {
        Self::new(EngineKind::Psync, SEQUENTIAL, 100)
    }

    /// One read of each.
    fn reads() -> Self {
        Self::new(EngineKind::Psync, SEQUENTIAL, 0)
    }

    fn span(&mut self) -> &mut TimeSpan {
        let Some(Step::Run(span)) = self.plan.steps.last_mut() else {
            panic!("the load comes last");
        };
        span
    }

    fn stream(&mut self) -> &mut Stream {
        &mut self.span().groups[0].streams[0]
    }

    fn run(&self) -> Verification {
        self.with(Moment::Never, |_, _| ())
    }

    /// Runs with a fault that gets the file and what it held when it was made.
    fn with(&self, moment: Moment, fault: impl FnMut(&fs::File, &[u8])) -> Verification {
        let mut saboteur = Saboteur {
            path: &self.path,
            moment,
            before: Vec::new(),
            fault,
        };
        let results = run_plan(&self.plan, &AtomicBool::new(false), &mut saboteur);
        assert_eq!(results.failures, []);
        let span = finished(results);
        *span.verification.expect("it was verified")
    }
}

const SEQUENTIAL: AccessPattern = AccessPattern::Sequential {
    stride: BLOCK,
    worker_offset: 0,
};

const RANDOM: AccessPattern = AccessPattern::Random {
    alignment: BLOCK,
    distribution: Distribution::Uniform,
};

#[derive(PartialEq, Eq)]
enum Moment {
    Never,
    BeforeTheLoad,
    BehindTheLoad,
}

/// Keeps what the file held when it was made, and harms it once.
struct Saboteur<'a, F> {
    path: &'a Path,
    moment: Moment,
    before: Vec<u8>,
    fault: F,
}

impl<F: FnMut(&fs::File, &[u8])> Observer for Saboteur<'_, F> {
    fn observe(&mut self, event: &Event<'_>) {
        let now = match event {
            Event::SpanBegins { .. } => {
                self.before = fs::read(self.path).unwrap();
                Moment::BeforeTheLoad
            }
            Event::Measured { .. } => Moment::BehindTheLoad,
            _ => return,
        };
        if now == self.moment {
            let open = fs::File::options().read(true).write(true).open(self.path);
            let file = open.unwrap();
            (self.fault)(&file, &self.before);
        }
    }
}

fn block(bytes: &[u8], number: u64) -> &[u8] {
    &bytes[(number * BLOCK) as usize..][..BLOCK as usize]
}

fn copy(file: &fs::File, from: u64, to: u64) {
    let mut bytes = vec![0; BLOCK as usize];
    file.read_exact_at(&mut bytes, from * BLOCK).unwrap();
    file.write_all_at(&bytes, to * BLOCK).unwrap();
}

fn told(seen: &Verification) -> Vec<(Kind, u64, u64)> {
    let told = |bad: &crate::results::Bad| (bad.block.kind, bad.block.offset, bad.block.length);
    let told: Vec<_> = seen.bad.iter().map(told).collect();
    assert_eq!(told.len() as u64, seen.bad_count());
    told
}

#[test]
fn a_good_device_is_called_good() {
    let writes = Case::writes().run();
    assert_eq!(told(&writes), []);
    assert_eq!(writes.read_back, ReadBack::Whole { bytes: SIZE });
    let reads = Case::reads().run();
    assert_eq!((reads.bytes, reads.bad_count()), (SIZE, 0));
    assert_eq!(reads.read_back, ReadBack::Whole { bytes: SIZE });
}

#[test]
fn overlapping_ios_of_several_threads_and_engines_raise_no_alarm() {
    let size = |bytes, weight| WeightedSize { bytes, weight };
    for engine in [
        EngineKind::Psync,
        EngineKind::IoUring,
        EngineKind::Libaio,
        EngineKind::Mmap,
    ] {
        if super::super::engine::probe(engine).is_err() {
            continue;
        }
        let mut case = Case::new(engine, RANDOM, 50);
        case.stream().sizes = BlockSizes::Weighted {
            read: vec![size(4096, 1), size(65536, 1)],
            write: vec![size(4096, 1), size(20480, 1)],
        };
        case.span().groups[0].workers = 3;
        case.span().stop.operations = Some(3000);
        let seen = case.run();
        assert_eq!(told(&seen), [], "{engine}");
        assert_eq!(seen.read_back, ReadBack::Whole { bytes: SIZE }, "{engine}");
        assert!(seen.bytes > 1000 * BLOCK, "{engine}");
    }
}

#[test]
fn each_fault_of_a_write_is_named() {
    let lost = Case::writes().with(Moment::BehindTheLoad, |file, before| {
        file.write_all_at(block(before, 10), 10 * BLOCK).unwrap();
    });
    assert_eq!(told(&lost), [(Kind::Lost, 40960, 4096)]);
    assert_eq!(lost.bad[0].block.detail, "it holds what preparation wrote");

    let torn = Case::writes().with(Moment::BehindTheLoad, |file, before| {
        file.write_all_at(&block(before, 10)[1024..], 10 * BLOCK + 1024)
            .unwrap();
    });
    assert_eq!(told(&torn), [(Kind::Torn, 40960, 4096)]);

    let flipped = Case::writes().with(Moment::BehindTheLoad, |file, _| {
        let mut byte = [0];
        file.read_exact_at(&mut byte, 50_000).unwrap();
        file.write_all_at(&[byte[0] ^ 0x10], 50_000).unwrap();
    });
    // 50,000 is in the sector that begins at 97 times 512.
    assert_eq!(told(&flipped), [(Kind::Flipped, 49664, 512)]);
    let detail = "bit 4 of the byte at offset 50,000 is wrong";
    assert_eq!(flipped.bad[0].block.detail, detail);

    let misdirected = Case::writes().with(Moment::BehindTheLoad, |file, before| {
        copy(file, 10, 20);
        file.write_all_at(block(before, 10), 10 * BLOCK).unwrap();
    });
    let both = [
        (Kind::Misdirected, 40960, 4096),
        (Kind::Misdirected, 81920, 4096),
    ];
    assert_eq!(told(&misdirected), both);

    let foreign = Case::writes().with(Moment::BehindTheLoad, |file, _| {
        file.write_all_at(&[0; 8192], 10 * BLOCK).unwrap();
    });
    assert_eq!(told(&foreign), [(Kind::Foreign, 40960, 8192)]);
}

#[test]
fn what_is_older_than_the_write_before_is_stale() {
    let mut case = Case::writes();
    case.span().stop.operations = Some(3 * SIZE / BLOCK);
    let stale = case.with(Moment::BehindTheLoad, |file, before| {
        file.write_all_at(block(before, 10), 10 * BLOCK).unwrap();
    });
    assert_eq!(told(&stale), [(Kind::Stale, 40960, 4096)]);
}

#[test]
fn reads_of_the_load_are_judged_and_told_once() {
    let mut case = Case::reads();
    case.span().stop.operations = Some(5 * SIZE / BLOCK);
    let seen = case.with(Moment::BeforeTheLoad, |file, _| copy(file, 3, 7));
    assert_eq!(told(&seen), [(Kind::Misdirected, 28672, 4096)]);
    assert!(seen.bad[0].block.detail.contains("at offset 12,288"));
}

#[test]
fn repetitions_know_what_the_ones_before_wrote() {
    let mut case = Case::writes();
    let again = case.span().clone();
    case.plan.steps.push(Step::Run(TimeSpan {
        name: "again".into(),
        ..again
    }));
    // Between the two: only the first one is read back before.
    let mut saboteur = Saboteur {
        path: &case.path,
        moment: Moment::Never,
        before: Vec::new(),
        fault: |_: &fs::File, _: &[u8]| (),
    };
    let results = run_plan(&case.plan, &AtomicBool::new(false), &mut saboteur);
    assert_eq!(results.spans.len(), 2);
    for span in results.spans {
        let seen = span.verification.unwrap();
        assert_eq!(told(&seen), []);
        assert_eq!(seen.read_back, ReadBack::Whole { bytes: SIZE });
    }
}

#[test]
fn what_was_there_before_is_not_judged_until_it_is_written() {
    let mut case = Case::writes();
    case.plan.steps.remove(0);
    case.plan.rules = WriteRules::Named;
    fs::write(&case.path, vec![1; SIZE as usize]).unwrap();
    case.span().stop.operations = Some(16);
    case.stream().mix.write_percent = 100;
    let seen = case.run();
    assert_eq!(told(&seen), []);
    assert_eq!(seen.read_back, ReadBack::Whole { bytes: 16 * BLOCK });
    let mut reads = Case::reads();
    reads.plan.steps.remove(0);
    reads.plan.rules = WriteRules::Named;
    fs::write(&reads.path, vec![1; SIZE as usize]).unwrap();
    // Reads alone would never be held against anything.
    let results = run_plan(&reads.plan, &AtomicBool::new(false), &mut Silent);
    let failure = &results.spans[0].failures[0].message;
    assert!(failure.contains("nothing to verify"), "{failure}");
}

#[test]
fn what_a_load_did_not_read_of_a_file_that_the_run_made_is_read_back() {
    let mut case = Case::reads();
    case.span().stop.operations = Some(4);
    let seen = case.with(Moment::BehindTheLoad, |file, _| copy(file, 3, 60));
    assert_eq!(seen.bytes, 4 * BLOCK);
    assert_eq!(told(&seen), [(Kind::Misdirected, 60 * BLOCK, BLOCK)]);
}

#[test]
fn a_part_of_a_target_is_verified_with_a_table_of_that_part() {
    // Units of 512 bytes: the part has 128 of the file's 512, which are kept by 64.
    let mut case = Case::writes();
    case.stream().sizes = BlockSizes::One(512);
    let target = &mut case.span().targets[0];
    (target.base, target.end) = (16 * BLOCK, Some(32 * BLOCK));
    case.span().stop.operations = Some(16);
    let part = Table::memory(Unit::SECTOR, 16 * BLOCK);
    let machine = Machine {
        memory: 4 * part,
        ..Machine::default()
    };
    let around = Surroundings {
        machine: &machine,
        interrupt: &AtomicBool::new(false),
    };
    let results = run(&case.plan, around, &mut Silent);
    assert_eq!(results.spans[0].failures, []);
    // What is kept would not be known.
    fs::remove_file(&case.path).unwrap();
    let seen = case.with(Moment::BehindTheLoad, |file, before| {
        file.write_all_at(block(before, 20), 20 * BLOCK).unwrap();
        // Outside of what is used: nobody's.
        file.write_all_at(&[0; BLOCK as usize], 40 * BLOCK).unwrap();
    });
    assert_eq!(told(&seen), [(Kind::Lost, 20 * BLOCK, 512)]);
    assert_eq!(seen.read_back, ReadBack::Whole { bytes: 16 * BLOCK });
}

#[test]
fn a_file_that_was_removed_or_replaced_is_read_back_all_the_same() {
    for replaced in [false, true] {
        let case = Case::writes();
        let path = case.path.clone();
        let seen = case.with(Moment::BehindTheLoad, |_, before| {
            fs::remove_file(&path).unwrap();
            if replaced {
                fs::write(&path, before).unwrap();
            }
        });
        assert_eq!(told(&seen), [], "{replaced}");
        assert_eq!(seen.read_back, ReadBack::Whole { bytes: SIZE });
    }
}

#[test]
fn a_file_that_was_cut_is_said_to_end() {
    let case = Case::writes();
    let mut saboteur = Saboteur {
        path: &case.path,
        moment: Moment::BehindTheLoad,
        before: Vec::new(),
        fault: |file: &fs::File, _: &[u8]| file.set_len(10 * BLOCK).unwrap(),
    };
    let results = run_plan(&case.plan, &AtomicBool::new(false), &mut saboteur);
    let failure = &results.spans[0].failures[0].message;
    // 64 blocks of 4096 bytes.
    assert!(failure.contains("ends before byte 262,144"), "{failure}");
    assert!(!failure.contains("EIO"), "{failure}");
}

#[test]
fn two_targets_that_are_one_file_are_verified_together() {
    let mut case = Case::new(EngineKind::Psync, RANDOM, 50);
    let span = case.span();
    span.targets.push(span.targets[0].clone());
    let mut other = span.groups[0].streams[0].clone();
    other.target.0 = 1;
    other.sizes = BlockSizes::One(8192);
    other.pattern = AccessPattern::Random {
        alignment: 8192,
        distribution: Distribution::Uniform,
    };
    span.groups.push(group(2, vec![other], Dispatch::PerStream));
    span.stop.operations = Some(2000);
    let seen = case.run();
    assert_eq!(told(&seen), []);
    assert_eq!(seen.read_back, ReadBack::Whole { bytes: SIZE });
}

#[test]
fn an_interruption_is_told_with_what_was_covered() {
    let case = Case::writes();
    let interrupt = AtomicBool::new(false);
    let mut observer = |event: &Event<'_>| {
        if matches!(event, Event::ReadBack { .. } | Event::Measured { .. }) {
            interrupt.store(true, Relaxed);
        }
    };
    let results = run_plan(&case.plan, &interrupt, &mut Told(&mut observer));
    assert_eq!(results.ended, Some(EndReason::Interrupted));
    let seen = results.spans[0].verification.as_ref().unwrap();
    let why = "it was interrupted".to_owned();
    let partly = ReadBack::Partly {
        bytes: 0,
        of: SIZE,
        why,
    };
    assert_eq!(seen.read_back, partly);
}

struct Told<'a>(&'a mut dyn FnMut(&Event<'_>));

impl Observer for Told<'_> {
    fn observe(&mut self, event: &Event<'_>) {
        (self.0)(event);
    }
}

#[test]
fn what_keeps_no_data_is_refused() {
    let mut case = Case::writes();
    case.plan.engine = EngineChoice::Named(EngineKind::Null);
    let results = run_plan(&case.plan, &AtomicBool::new(false), &mut Silent);
    let failure = &results.spans[0].failures[0].message;
    assert!(failure.contains("needs a real target"), "{failure}");
    assert!(!case.path.exists());
}

#[test]
fn tables_too_large_for_memory_are_refused_by_name() {
    let case = Case::writes();
    let machine = Machine {
        memory: 1000,
        ..Machine::default()
    };
    let around = Surroundings {
        machine: &machine,
        interrupt: &AtomicBool::new(false),
    };
    let results = run(&case.plan, around, &mut Silent);
    let failure = &results.spans[0].failures[0].message;
    assert!(failure.contains("a quarter of what there is"), "{failure}");
    assert!(failure.contains("--bs"), "{failure}");
}
