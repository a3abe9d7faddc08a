//! Files in temporary folders, by whole plans.

use std::{
    fs,
    path::Path,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{super::trailer, *};
use crate::{
    host::Machine,
    plan::{
        Cleanup, Content, Plan, Prepare, Step, Whose, WriteRules,
        fixtures::{plan, span, target},
    },
    results::{EndReason, Results, Silent},
    runner,
};

const BUFFERED: Through = Through::As {
    caching: Caching::Buffered,
    durability: Durability::None,
};
const DIRECT: Through = Through::As {
    caching: Caching::Direct,
    durability: Durability::Dsync,
};

fn file(path: &Path, size: u64) -> FilePreparation {
    FilePreparation {
        label: path.file_name().unwrap().to_string_lossy().into_owned(),
        path: path.to_path_buf(),
        size,
        content: Content::Zeros,
        policy: Policy::Extend,
        through: BUFFERED,
        block: Some(16384),
        verify: false,
    }
}

fn files(files: Vec<FilePreparation>) -> Plan {
    plan(
        "sysbench",
        "prepare",
        vec![Step::Prepare(Prepare { files })],
    )
}

/// What was told, in few words; a signal comes with the event that holds `signal`.
struct Told {
    lines: Vec<String>,
    signal: &'static str,
    interrupt: &'static AtomicBool,
}

impl Observer for Told {
    fn observe(&mut self, event: &Event<'_>) {
        let line = match event {
            Event::Preparing { label, size, kept } => format!("preparing {label} {size}+{kept}"),
            Event::Prepared { label, size, .. } => format!("prepared {label} {size}"),
            Event::PrepareProgress { .. } => return,
            other => format!("{other:?}"),
        };
        if !self.signal.is_empty() && line.contains(self.signal) {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        self.lines.push(line);
    }
}

fn carry_out(plan: &Plan, signal: &'static str) -> (Results, Vec<String>) {
    let interrupt: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let mut told = Told {
        lines: Vec::new(),
        signal,
        interrupt,
    };
    let around = Surroundings {
        machine: &Machine::default(),
        interrupt,
    };
    let results = runner::run(plan, around, &mut told);
    (results, told.lines)
}

fn made(plan: &Plan) -> Results {
    let (results, _) = carry_out(plan, "");
    assert_eq!(results.failures, []);
    results
}

#[test]
fn files_are_created_kept_and_extended_by_whole_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("large"), vec![1; 50_000]).unwrap();
    fs::write(at("small"), vec![2; 10]).unwrap();
    // 40000 bytes: three blocks from nothing, three from byte 10.
    let set = ["new", "large", "small"].map(|name| file(&at(name), 40_000));
    let (results, told) = carry_out(&files(set.to_vec()), "");
    assert_eq!(
        told,
        [
            "Begins",
            "PreparationBegins",
            "preparing new 49152+0",
            "prepared new 49152",
            "Kept { label: \"large\" }",
            "preparing small 49152+10",
            "prepared small 49152",
        ]
    );
    assert_eq!(results.prepared.bytes, 2 * 49152);
    assert!(!results.failed() && !results.interrupted() && results.ended.is_none());
    assert!(fs::read(at("new")).unwrap() == vec![0; 49152]);
    assert!(fs::read(at("large")).unwrap() == vec![1; 50_000]);
    let small = fs::read(at("small")).unwrap();
    assert!(small[..10] == [2; 10] && small[10..] == vec![0; 49152]);
}

#[cfg(unix)]
#[test]
fn new_files_are_their_owners_alone_and_replaced_ones_are_other_files() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test_file.0");
    fs::write(&path, vec![9; 100_000]).unwrap();
    let before = fs::metadata(&path).unwrap();
    // Held open, so that its number is not given to the new one.
    let old = fs::File::open(&path).unwrap();
    let mut replaced = file(&path, 16384);
    replaced.policy = Policy::Replace;
    made(&files(vec![replaced]));
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.len(), after.mode() & 0o777), (16384, 0o600));
    assert_ne!(before.ino(), after.ino());
    assert_eq!(old.metadata().unwrap().nlink(), 0);
    assert!(fs::read(&path).unwrap() == vec![0; 16384]);
}

#[test]
fn a_file_is_cut_and_written_again_as_the_load_would_write_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, vec![9; 100_000]).unwrap();
    let mut rebuilt = file(&path, 4096);
    rebuilt.policy = Policy::Rebuild;
    rebuilt.block = None;
    made(&files(vec![rebuilt]));
    assert!(fs::read(&path).unwrap() == vec![0; 4096]);
}

/// True if every block from `from` on can be judged.
fn judged(path: &Path, from: usize, block: usize) -> bool {
    let bytes = fs::read(path).unwrap();
    let mut blocks = bytes[from..].chunks(block).enumerate();
    blocks.all(|(index, whole)| {
        let place = (from + index * block) as u64;
        whole.len() == block && trailer::judge(whole, place).is_ok()
    })
}

#[test]
fn blocks_that_are_judged_later_carry_a_checksum_and_their_offset() {
    let folder = tempfile::tempdir().unwrap();
    // Blocks that divide a write, that do not, and one that is longer than a write.
    for (number, block) in [16384_u32, 1000, 13, 3 << 20].into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        fs::write(&path, [7; 5]).unwrap();
        let mut sealed = file(&path, 2_500_000);
        sealed.content = Content::Random;
        sealed.block = Some(block);
        sealed.verify = true;
        made(&files(vec![sealed]));
        assert!(judged(&path, 5, block as usize), "{block}");
    }
}

#[test]
fn direct_preparation_is_direct_or_nothing() {
    // Not in a temporary folder of the system, which may be memory.
    let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let path = folder.path().join("file");
    let mut direct = file(&path, 5_000_000);
    direct.through = DIRECT;
    direct.verify = true;
    direct.content = Content::Random;
    let (results, _) = carry_out(&files(vec![direct.clone()]), "");
    if results.failed() {
        let message = &results.failures[0].message;
        assert!(message.contains("O_DIRECT"), "{message}");
        eprintln!("skipped: {message}");
        return;
    }
    assert_eq!(fs::metadata(&path).unwrap().len(), 306 * 16384);
    assert!(judged(&path, 0, 16384));
    // It goes on from where it ended, in the middle of a write.
    direct.size = 6_000_000;
    made(&files(vec![direct.clone()]));
    assert!(judged(&path, 0, 16384));
    // 1000 bytes are no block of any device, and 10 bytes are no place for one.
    let refused = |change: fn(&mut FilePreparation)| {
        let mut file = direct.clone();
        file.path = folder.path().join("other");
        change(&mut file);
        let (results, _) = carry_out(&files(vec![file.clone()]), "");
        let failure = results.failures[0].clone();
        assert_eq!(failure.errno, Some(22));
        (failure.subject, failure.message, file.path)
    };
    let (subject, message, path) = refused(|file| file.block = Some(1000));
    assert_eq!(subject, Subject::Number(Number::BlockSize));
    assert!(message.contains("block size is 1000"), "{message}");
    assert!(!path.exists());
    fs::write(&path, [1; 10]).unwrap();
    let (subject, message, path) = refused(|_| ());
    let (_, told) = carry_out(
        &files(vec![FilePreparation {
            path: path.clone(),
            ..direct.clone()
        }]),
        "",
    );
    assert!(
        !told.iter().any(|line| line.contains("Warning")),
        "{told:?}"
    );
    assert_eq!(subject, Subject::Number(Number::FileSize));
    assert!(message.contains("is 10"), "{message}");
    assert!(fs::read(path).unwrap() == [1; 10]);
}

#[test]
fn what_was_made_before_a_failure_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let set = ["a", "none/b", "c"].map(|name| file(&at(name), 16384));
    let (results, _) = carry_out(&files(set.to_vec()), "");
    assert!(at("a").exists() && !at("c").exists());
    assert_eq!((results.failures.len(), results.prepared.bytes), (1, 16384));
    assert!(results.failed() && results.ended == Some(EndReason::Failed));
    let failure = &results.failures[0];
    assert_eq!(
        (failure.subject, failure.errno),
        (Subject::Opening, Some(2))
    );
    assert!(failure.message.contains("does not exist"));
}

#[test]
fn a_signal_ends_preparation_with_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut set = ["a", "b", "c"].map(|name| file(&at(name), 16384)).to_vec();
    let (results, told) = carry_out(&files(set.clone()), "preparing b");
    assert!(results.interrupted() && !results.failed());
    assert!(at("a").exists() && !at("b").exists() && !at("c").exists());
    assert_eq!(told.last().map(String::as_str), Some("Interrupted"));
    // Between two files, and before one that needs nothing.
    set.pop();
    fs::write(at("b"), vec![0; 16384]).unwrap();
    let (results, told) = carry_out(&files(set), "Kept { label: \"a\"");
    assert!(results.interrupted());
    assert!(!told.iter().any(|line| line.contains("\"b\"")), "{told:?}");
}

/// A file that is not there yet, and is no test file of ours.
fn making(file: &FilePreparation) -> Making<'_, '_> {
    static MACHINE: LazyLock<Machine> = LazyLock::new(Machine::default);
    static NO_SIGNAL: AtomicBool = AtomicBool::new(false);
    Making {
        table: (1, 1),
        file,
        around: Surroundings {
            machine: &MACHINE,
            interrupt: &NO_SIGNAL,
        },
        observer: Box::leak(Box::new(Silent)),
        told: Nanos(0),
        from: 0,
        to: file.size,
        whole: 0,
        own: true,
        begun: false,
        marking: Marking::Not,
    }
}

#[test]
fn what_was_there_and_is_not_finished_ends_with_a_whole_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, [3; 10]).unwrap();
    let unfinished = file(&path, 1 << 20);
    let mut making = Making {
        from: 10,
        whole: 10 + 16384 + 500,
        own: false,
        begun: true,
        ..making(&unfinished)
    };
    fs::write(&path, vec![3; 60_000]).unwrap();
    making.leave_only_what_was_written();
    assert_eq!(fs::metadata(&path).unwrap().len(), 10 + 16384);
}

#[test]
fn what_this_run_did_not_open_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let wanted = file(&path, 16384);
    let mut making = making(&wanted);
    // It was not there a moment ago.
    fs::write(&path, b"somebody's").unwrap();
    assert!(matches!(making.make(), Err(Stopped::Failed(_))));
    making.leave_only_what_was_written();
    assert_eq!(fs::read(&path).unwrap(), b"somebody's");
}

#[test]
fn named_files_are_removed_and_missing_ones_are_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("test_file.0"), vec![0; 100]).unwrap();
    fs::write(at("other"), b"x").unwrap();
    let cleanup = |names: &[&str]| {
        let paths = names.iter().map(|name| at(name)).collect();
        let whose = Whose::Named;
        let steps = vec![Step::Cleanup(Cleanup { paths, whose })];
        carry_out(&plan("sysbench", "cleanup", steps), "")
    };
    let (results, told) = cleanup(&["test_file.0", "test_file.1"]);
    assert_eq!(told, ["Begins", "CleanupBegins"]);
    assert!(!results.failed() && !at("test_file.0").exists() && at("other").exists());
    // What the guard refuses keeps everything in its place.
    fs::write(at("mail.db"), b"SQLite format 3\0 and more").unwrap();
    let (results, told) = cleanup(&["other", "mail.db"]);
    assert_eq!(told, ["Begins"]);
    assert!(at("other").exists() && at("mail.db").exists());
    assert_eq!(results.failures[0].stage, Stage::Guard);
    assert!(
        results.failures[0]
            .message
            .contains("removing it would destroy")
    );
}

#[test]
fn a_failure_before_a_time_span_is_the_spans_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/b");
    let mut both = files(vec![file(&path, 16384)]);
    let load = target("b", &path.to_string_lossy());
    let mut load = span(vec![load], Vec::new());
    load.groups.push(crate::plan::WorkerGroup {
        name: String::new(),
        workers: 1,
        affinity: crate::plan::Affinity::None,
        streams: vec![crate::plan::fixtures::stream(
            0,
            crate::plan::AccessPattern::Append,
            crate::plan::BlockSizes::One(4096),
        )],
        dispatch: crate::plan::Dispatch::PerStream,
    });
    both.steps.push(Step::Run(load));
    let (results, _) = carry_out(&both, "");
    assert_eq!(results.failures, []);
    assert_eq!(results.spans[0].failures.len(), 1);
    assert!(results.failed() && results.ended == Some(EndReason::Failed));
}

#[test]
fn a_plan_of_files_alone_needs_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut plan = files(vec![file(&path, 16384)]);
    plan.engine = crate::plan::EngineChoice::Named(crate::plan::EngineKind::Null);
    made(&plan);
    assert!(path.exists());
}

/// By our own rules.
fn ours(steps: Vec<Step>) -> Plan {
    Plan {
        rules: WriteRules::Own,
        ..plan("iogauge", "run", steps)
    }
}

/// In the build's folder: a temporary folder of the system may be memory, with little room.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn files_of_our_own_rules_are_marked_and_others_never() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let probe = fs::File::create(at("probe")).unwrap();
    if host::mark(&probe).is_err() {
        eprintln!("skipped: no extended attributes here");
        return;
    }
    let past = |name: &str| FilePreparation {
        through: Through::Past,
        block: None,
        ..file(&at(name), 16384)
    };
    made(&files(vec![past("named")]));
    assert!(!host::is_marked(&at("named")));
    let (results, told) = carry_out(
        &ours(vec![Step::Prepare(Prepare {
            files: vec![past("own"), file(&at("as the load"), 16384)],
        })]),
        "",
    );
    assert_eq!(results.failures, []);
    assert!(
        !told.iter().any(|line| line.contains("Warning")),
        "{told:?}"
    );
    for name in ["own", "as the load"] {
        assert!(host::is_marked(&at(name)), "{name}");
        assert_eq!(fs::read(at(name)).unwrap().len(), 16384);
    }
    // What somebody gave away by its name is still not ours.
    fs::write(at("given"), b"x").unwrap();
    let mut given = ours(vec![Step::Prepare(Prepare {
        files: vec![past("given")],
    })]);
    given.consent = vec![at("given").display().to_string()];
    made(&given);
    assert_eq!(fs::metadata(at("given")).unwrap().len(), 16384);
    assert!(!host::is_marked(&at("given")));
}

#[test]
fn a_file_is_marked_before_its_first_byte_is_written() {
    let folder = folder();
    let path = folder.path().join("own");
    let wanted = file(&path, 16384);
    let mut making = Making {
        marking: Marking::Told,
        ..making(&wanted)
    };
    making.create().map_err(|_| ()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    assert_eq!(host::is_marked(&path), making.marking == Marking::Told);
}

#[test]
fn only_the_file_that_this_run_made_is_removed_behind_it() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("there"), vec![5; 16384]).unwrap();
    let prepared = |name: &str| file(&at(name), 16384);
    let plan = ours(vec![
        Step::Prepare(Prepare {
            files: vec![prepared("there"), prepared("new"), prepared("swapped")],
        }),
        Step::Cleanup(Cleanup {
            paths: ["there", "new", "swapped"].map(at).to_vec(),
            whose: Whose::Own,
        }),
    ]);
    let mut made = Made::by(&plan);
    let interrupt = AtomicBool::new(false);
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => {
                for file in &prepare.files {
                    let around = Surroundings {
                        machine: &Machine::default(),
                        interrupt: &interrupt,
                    };
                    let result = make(
                        file,
                        around,
                        &mut crate::results::Silent,
                        (&mut made, &mut Tables::new()),
                    );
                    assert!(result.is_ok());
                }
                // Kept open, so that its number is not given to the other.
                let held = fs::File::open(at("swapped")).unwrap();
                fs::remove_file(at("swapped")).unwrap();
                fs::write(at("swapped"), b"somebody's").unwrap();
                drop(held);
            }
            Step::Cleanup(cleanup) => made.remove(&cleanup.paths),
            Step::Run(_) => {}
        }
    }
    assert!(at("there").exists() && !at("new").exists());
    assert_eq!(fs::read(at("swapped")).unwrap(), b"somebody's");
}
