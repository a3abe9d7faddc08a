//! The rows of the consent table for our own commands.

use std::path::{Path, PathBuf};

use super::{
    super::{Refusal, check, warnings},
    fake::{Entry, Fake, GIB, cleanup, plan, prepare, run, target},
    holding,
};
use crate::{
    host::{Contents, DeviceUse, Family, PathKind, Process},
    plan::{Opening, Policy, Step, WriteRules, target::Access},
};

/// What our own rules say to these steps.
fn refusals(steps: Vec<Step>, consent: &[&str], fake: &Fake) -> Vec<Refusal> {
    let mut plan = plan(steps, consent);
    plan.rules = WriteRules::Own;
    check(&plan, fake)
}

/// The one reason, or nothing.
fn reason(step: Step, consent: &[&str], fake: &Fake) -> String {
    let refusals = refusals(vec![step], consent, fake);
    assert!(refusals.len() <= 1, "{refusals:?}");
    let mut messages = refusals.into_iter().map(|refusal| refusal.message);
    messages.next().unwrap_or_default()
}

fn load(path: &str, access: Access) -> Step {
    run(vec![target(path, Path::new(path), access)])
}

/// Everything that changes a file of 1 GiB or takes its place.
fn changes(path: &str) -> Vec<(&'static str, Step)> {
    let at = Path::new(path);
    let mut anew = target(path, at, Access::Write);
    anew.opening = Opening::Anew { size: 0 };
    vec![
        ("writes", load(path, Access::Write)),
        ("reads and writes", load(path, Access::ReadWrite)),
        ("growth", prepare(at, 2 * GIB, Policy::Extend)),
        ("cut", prepare(at, GIB, Policy::Rebuild)),
        ("replaced", prepare(at, GIB, Policy::Replace)),
        ("anew", run(vec![anew])),
        ("removed", cleanup(&[at])),
    ]
}

fn with(change: impl FnOnce(&mut Entry)) -> Fake {
    Fake::with(PathKind::Regular, "/x", change)
}

#[test]
fn a_file_that_the_run_makes_is_free_within_the_room() {
    let fake = with(|_| {});
    let make = |gib| prepare(Path::new("/new"), gib * GIB, Policy::Extend);
    let both = vec![make(40), load("/new", Access::ReadWrite)];
    assert_eq!(refusals(both, &[], &fake), []);
    // 50 of 100 GiB are free and a tenth of all stays so: 40 fit and 41 do not, consent or not.
    let message = reason(make(41), &["/new"], &fake);
    assert!(message.contains("are left free"), "{message}");
}

#[test]
fn an_existing_file_needs_consent_by_its_name_and_reading_is_free() {
    for contents in [Contents::Blank, holding(Family::Unknown, "data")] {
        let fake = with(|entry| entry.contents = contents);
        assert_eq!(reason(load("/x", Access::Read), &[], &fake), "");
        // Large enough: nothing is changed.
        let kept = prepare(Path::new("/x"), GIB, Policy::Extend);
        assert_eq!(reason(kept, &[], &fake), "");
        for (what, step) in changes("/x") {
            for other in [&[][..], &["/y"]] {
                let message = reason(step.clone(), other, &fake);
                assert!(
                    message.starts_with("/x was not made by iogauge"),
                    "{what}: {message}"
                );
                assert!(
                    message.ends_with("to allow it, add --destroy /x"),
                    "{what}: {message}"
                );
            }
            assert_eq!(reason(step, &["/x"], &fake), "", "{what}");
        }
    }
}

#[test]
fn a_marked_test_file_is_free() {
    let fake = with(|entry| entry.marked = true);
    assert_eq!(reason(load("/x", Access::Read), &[], &fake), "");
    for (what, step) in changes("/x") {
        assert_eq!(reason(step, &[], &fake), "", "{what}");
    }
}

#[test]
fn a_marked_file_that_became_something_else_needs_consent_still() {
    type Change = fn(&mut Entry);
    let changed: [(&str, Change); 3] = [
        ("has 2 names", |entry| entry.look.links = 2),
        ("open for writing by vi (process 4)", |entry| {
            entry.file_use.writers.push(Process {
                pid: 4,
                name: "vi".into(),
            });
        }),
        ("holds an ext4 filesystem", |entry| {
            entry.contents = holding(Family::Filesystem, "an ext4 filesystem");
        }),
    ];
    for (words, change) in changed {
        let fake = with(|entry| {
            entry.marked = true;
            change(entry);
        });
        for (what, step) in changes("/x") {
            let message = reason(step.clone(), &[], &fake);
            assert!(message.contains(words), "{what}: {message}");
            assert!(message.ends_with("add --destroy /x"), "{what}: {message}");
            assert_eq!(reason(step, &["/x"], &fake), "", "{what}");
        }
    }
    let forbidden: [(&str, Change); 3] = [
        ("symbolic link", |entry| entry.look.symlink = true),
        ("swap space", |entry| entry.file_use.swap = true),
        ("/dev/loop7 is made of", |entry| {
            entry.file_use.loops.push("loop7".into());
        }),
    ];
    for (words, change) in forbidden {
        let fake = with(|entry| {
            entry.marked = true;
            change(entry);
        });
        for (what, step) in changes("/x") {
            let message = reason(step, &["/x"], &fake);
            assert!(message.contains(words), "{what}: {message}");
            assert!(!message.contains("--destroy"), "{what}: {message}");
        }
    }
}

#[test]
fn a_block_device_needs_consent_by_its_name_and_one_in_use_is_not_written() {
    for (contents, words) in [
        (Contents::Blank, "looks blank"),
        (
            holding(Family::Partitions, "a GPT partition table"),
            "holds a GPT partition table",
        ),
    ] {
        let fake = Fake::with(PathKind::BlockDevice, "/dev/sdb", |e| e.contents = contents);
        assert_eq!(reason(load("/dev/sdb", Access::Read), &[], &fake), "");
        let message = reason(load("/dev/sdb", Access::Write), &["/dev/sda"], &fake);
        assert!(message.contains(words), "{message}");
        assert!(
            message.ends_with("to allow it, add --destroy /dev/sdb"),
            "{message}"
        );
        assert_eq!(
            reason(load("/dev/sdb", Access::Write), &["/dev/sdb"], &fake),
            ""
        );
    }
    let fake = Fake::with(PathKind::BlockDevice, "/dev/sda", |entry| {
        entry.uses.push(DeviceUse::Mounted {
            device: "sda1".into(),
            mount: "/".into(),
        });
    });
    assert_eq!(reason(load("/dev/sda", Access::Read), &[], &fake), "");
    let message = reason(load("/dev/sda", Access::Write), &["/dev/sda"], &fake);
    assert!(message.contains("sda1 is mounted on /"), "{message}");
    assert!(!message.contains("--destroy"), "{message}");
}

#[test]
fn what_is_no_file_and_no_device_is_refused() {
    for kind in [
        PathKind::Folder,
        PathKind::Fifo,
        PathKind::Socket,
        PathKind::CharacterDevice,
    ] {
        let fake = Fake::with(kind, "/x", |entry| entry.marked = true);
        assert_ne!(
            reason(load("/x", Access::Read), &["/x"], &fake),
            "",
            "{kind}"
        );
        for (what, step) in changes("/x") {
            assert_ne!(reason(step, &["/x"], &fake), "", "{kind}, {what}");
        }
    }
}

#[test]
fn beside_a_database_servers_files_a_load_of_writes_needs_consent() {
    let mut fake = Fake::with(PathKind::Regular, "/srv/old", |entry| entry.marked = true);
    let server = Process {
        pid: 81,
        name: "postgres".into(),
    };
    fake.database = Some((
        PathBuf::from("/srv"),
        server,
        PathBuf::from("/srv/pg/base/1"),
    ));
    fake.put(PathKind::Folder, "/srv", |_| {});
    let make = |path: &str| prepare(Path::new(path), GIB, Policy::Extend);
    for (path, step) in [
        ("/srv/old", load("/srv/old", Access::Write)),
        ("/srv/new", make("/srv/new")),
    ] {
        let message = reason(step.clone(), &["/srv/other"], &fake);
        assert!(
            message.contains("postgres (process 81) has /srv/pg/base/1 open"),
            "{message}"
        );
        assert!(
            message.ends_with(&format!("add --destroy {path}")),
            "{message}"
        );
        assert_eq!(reason(step, &[path], &fake), "");
    }
    assert_eq!(reason(load("/srv/old", Access::Read), &[], &fake), "");
    assert_eq!(reason(make("/elsewhere/new"), &[], &fake), "");
    // A face's line is run as its original would run it.
    let named = plan(vec![load("/srv/old", Access::Write)], &[]);
    assert_eq!(check(&named, &fake), []);
}

#[test]
fn a_server_whose_files_are_not_seen_is_told_once_there_are_writes() {
    let mut fake = with(|entry| entry.marked = true);
    fake.unseen.push(Process {
        pid: 5,
        name: "mysqld".into(),
    });
    let told = |step: Step, rules| {
        let mut plan = plan(vec![step], &[]);
        plan.rules = rules;
        warnings(&plan, &fake)
    };
    let lines = told(load("/x", Access::Write), WriteRules::Own);
    assert!(
        lines[0].starts_with("mysqld (process 5) is a database server"),
        "{lines:?}"
    );
    assert_eq!(told(load("/x", Access::Read), WriteRules::Own), [""; 0]);
    assert_eq!(told(load("/x", Access::Write), WriteRules::Named), [""; 0]);
}
