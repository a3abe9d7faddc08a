//! Every cell of the table with a system that says what the test wants; then the real one.

mod fake;
mod own;
#[cfg(unix)]
mod real;

use std::path::Path;

use fake::{Entry, Fake, GIB, cleanup, plan, prepare, reading, removing, run, target, writing};

use super::*;
use crate::{
    host::{Contents, DeviceUse, Family, PathKind, Process, Signature},
    plan::{Cleanup, EngineKind, Whose, target::Access},
};

fn holding(family: Family, name: &str) -> Contents {
    Contents::Holds(Signature {
        family,
        name: name.to_owned(),
    })
}

/// What makes a file special.
type Change = fn(&mut Entry);

#[test]
fn what_is_neither_file_nor_block_device_is_refused_for_reads_too() {
    for (kind, word) in [
        (PathKind::Folder, "a folder"),
        (PathKind::Fifo, "a named pipe"),
        (PathKind::Socket, "a socket"),
        (PathKind::CharacterDevice, "a character device"),
        (PathKind::Other, "neither a file nor a block device"),
    ] {
        let fake = Fake::with(kind, "/x", |_| {});
        for message in [reading(&fake, "/x"), writing(&fake, "/x", &["/x"])] {
            assert!(message.starts_with(&format!("/x is {word}")), "{message}");
        }
    }
    let fake = Fake::with(PathKind::Folder, "/data", |_| {});
    assert!(reading(&fake, "/data").contains("/data/iogauge.dat"));
}

#[test]
fn a_device_in_use_is_read_but_never_written() {
    let mounted = DeviceUse::Mounted {
        device: "sda1".into(),
        mount: "/srv".into(),
    };
    let holder = DeviceUse::Holder {
        device: "sda2".into(),
        holder: "md0".into(),
    };
    let swap = DeviceUse::Swap {
        device: "sda3".into(),
    };
    for (used, words) in [
        (mounted, "sda1 is mounted on /srv"),
        (holder, "md0 is built on sda2"),
        (swap, "sda3 is swap space in use"),
        (DeviceUse::Claimed, "another part of the system"),
    ] {
        let fake = Fake::with(PathKind::BlockDevice, "/dev/sda", |e| e.uses.push(used));
        assert_eq!(reading(&fake, "/dev/sda"), "");
        for consent in [&[][..], &["/dev/sda"]] {
            let message = writing(&fake, "/dev/sda", consent);
            assert!(message.contains(words), "{message}");
            assert!(!message.contains("IOGAUGE_DESTROY"), "{message}");
        }
    }
}

#[test]
fn an_idle_device_is_written_by_consent_and_the_refusal_says_what_would_be_lost() {
    let contents = [
        (Contents::Blank, "looks blank"),
        (
            holding(Family::Filesystem, "an XFS filesystem"),
            "holds an XFS filesystem",
        ),
        (
            holding(Family::Unknown, "data of an unknown kind"),
            "holds data of an unknown kind",
        ),
        (
            Contents::Unreadable("no access".into()),
            "cannot be read (no access)",
        ),
    ];
    for (held, words) in contents {
        let fake = Fake::with(PathKind::BlockDevice, "/dev/sdb", |e| e.contents = held);
        assert_eq!(reading(&fake, "/dev/sdb"), "");
        let message = writing(&fake, "/dev/sdb", &["/dev/sdc"]);
        assert!(message.contains(words), "{message}");
        assert!(
            message.contains("set IOGAUGE_DESTROY=/dev/sdb or give"),
            "{message}"
        );
        assert_eq!(writing(&fake, "/dev/sdb", &["/dev/sdb"]), "");
    }
    let writer = DeviceUse::Writer(Process {
        pid: 5,
        name: "qemu".into(),
    });
    let fake = Fake::with(PathKind::BlockDevice, "/dev/sdb", |e| e.uses.push(writer));
    let message = writing(&fake, "/dev/sdb", &[]);
    assert!(
        message.contains("qemu (process 5) has it open"),
        "{message}"
    );
    assert_eq!(writing(&fake, "/dev/sdb", &["/dev/sdb"]), "");
}

#[test]
fn consent_is_matched_by_place_and_by_number() {
    let mut fake = Fake::with(PathKind::BlockDevice, "/dev/disk/by-id/x", |e| {
        e.look.symlink = true;
        e.place = "/dev/sdb".into();
    });
    let identity = fake.entries[Path::new("/dev/disk/by-id/x")].look.identity;
    fake.put(PathKind::BlockDevice, "/dev/sdb", |_| {});
    fake.put(PathKind::BlockDevice, "/mine/node", |e| {
        e.look.identity = identity;
    });
    fake.put(PathKind::BlockDevice, "/dev/sdc", |_| {});
    for name in ["/dev/disk/by-id/x", "/dev/sdb", "/mine/node"] {
        assert_eq!(
            writing(&fake, "/dev/disk/by-id/x", &["nothing", name]),
            "",
            "{name}"
        );
    }
    for name in ["/dev/sdc", "sdb", "", "/dev", "/missing"] {
        assert_ne!(writing(&fake, "/dev/disk/by-id/x", &[name]), "", "{name}");
    }
}

#[test]
fn a_plain_file_is_written_because_it_was_named() {
    for contents in [Contents::Blank, holding(Family::Unknown, "data")] {
        let fake = Fake::with(PathKind::Regular, "/t.dat", |e| e.contents = contents);
        assert_eq!(reading(&fake, "/t.dat"), "");
        assert_eq!(writing(&fake, "/t.dat", &[]), "");
        let step = prepare(Path::new("/t.dat"), GIB, Policy::Rebuild);
        assert_eq!(check(&plan(vec![step], &[]), &fake), []);
    }
}

#[test]
fn a_file_that_is_more_than_it_seems_needs_consent() {
    let changes: [(&str, Change); 5] = [
        ("has 3 names", |e| e.look.links = 3),
        ("open for writing by db (process 9)", |e| {
            e.file_use.writers.push(Process {
                pid: 9,
                name: "db".into(),
            });
        }),
        ("holds a database", |e| {
            e.contents = holding(Family::Database, "a database");
        }),
        ("holds a ZIP", |e| {
            e.contents = holding(Family::Archive, "a ZIP");
        }),
        ("cannot be read", |e| {
            e.contents = Contents::Unreadable("denied".into());
        }),
    ];
    for (words, change) in changes {
        let fake = Fake::with(PathKind::Regular, "/my file", change);
        assert_eq!(reading(&fake, "/my file"), "");
        let message = writing(&fake, "/my file", &[]);
        assert!(message.contains(words), "{message}");
        assert!(message.contains("IOGAUGE_DESTROY='/my file'"), "{message}");
        assert_eq!(writing(&fake, "/my file", &["/my file"]), "");
        let rebuilt = prepare(Path::new("/my file"), GIB, Policy::Rebuild);
        assert_eq!(check(&plan(vec![rebuilt], &[]), &fake).len(), 1, "{words}");
        let kept = prepare(Path::new("/my file"), GIB, Policy::Extend);
        assert_eq!(check(&plan(vec![kept], &[]), &fake), [], "{words}");
        let extended = prepare(Path::new("/my file"), GIB + 1, Policy::Extend);
        assert_eq!(check(&plan(vec![extended], &[]), &fake).len(), 1, "{words}");
        let message = removing(&fake, "/my file", &[]);
        assert!(message.contains(words), "{message}");
        assert!(!message.contains("writing would"), "{message}");
        assert_eq!(removing(&fake, "/my file", &["/my file"]), "");
    }
}

#[test]
fn some_files_are_not_written_even_with_consent() {
    let changes: [(&str, Change); 4] = [
        ("name /real", |e| {
            e.look.symlink = true;
            e.place = "/real".into();
        }),
        ("swap space", |e| e.file_use.swap = true),
        ("/dev/loop7 is made of", |e| {
            e.file_use.loops.push("loop7".into());
        }),
        ("is on proc", |e| e.filesystem = "proc"),
    ];
    for (words, change) in changes {
        let fake = Fake::with(PathKind::Regular, "/f", change);
        assert_eq!(reading(&fake, "/f"), "");
        assert!(writing(&fake, "/f", &["/f"]).contains(words), "{words}");
        let message = removing(&fake, "/f", &["/f"]);
        assert!(
            message.contains(words) && !message.contains("not written"),
            "{message}"
        );
    }
}

#[test]
fn plain_test_files_are_removed_and_nothing_else() {
    let fake = Fake::with(PathKind::Regular, "/test_file.0", |e| {
        e.contents = holding(Family::Unknown, "data");
    });
    assert_eq!(removing(&fake, "/test_file.0", &[]), "");
    assert_eq!(removing(&fake, "/test_file.1", &[]), "");
    for kind in [
        PathKind::BlockDevice,
        PathKind::Folder,
        PathKind::Fifo,
        PathKind::CharacterDevice,
    ] {
        let fake = Fake::with(kind, "/x", |_| {});
        assert_ne!(removing(&fake, "/x", &["/x"]), "", "{kind}");
    }
    let mut fake = Fake::with(PathKind::Regular, "/other", |_| {});
    fake.dangling.push("/test_file.0".into());
    let message = removing(&fake, "/test_file.0", &["/test_file.0"]);
    assert!(
        message.ends_with("and the link itself is not removed"),
        "{message}"
    );
}

#[test]
fn files_that_a_plan_made_itself_need_no_more_than_their_names() {
    let fake = Fake::with(PathKind::Regular, "/t", |_| {});
    let own = Step::Cleanup(Cleanup {
        paths: vec!["/t".into()],
        whose: Whose::Own,
    });
    assert_eq!(check(&plan(vec![own], &[]), &fake), []);
    // A plan of files alone is judged whatever its engine is.
    let special = Fake::with(PathKind::Regular, "/t", |e| e.look.links = 2);
    let mut named = plan(vec![cleanup(&[Path::new("/t")])], &[]);
    named.engine = EngineChoice::Named(EngineKind::Null);
    assert_eq!(check(&named, &special).len(), 1);
}

#[test]
fn a_missing_file_is_made_but_not_through_a_link() {
    let mut fake = Fake::with(PathKind::Regular, "/other", |_| {});
    let step = || vec![prepare(Path::new("/new"), GIB, Policy::Rebuild)];
    assert_eq!(check(&plan(step(), &[]), &fake), []);
    fake.dangling.push("/new".into());
    let refusals = check(&plan(step(), &["/new"]), &fake);
    assert!(refusals[0].message.contains("leads nowhere"));
    assert_eq!(reading(&fake, "/new"), "");
}

#[test]
fn files_must_fit_together() {
    let mut fake = Fake::with(PathKind::Regular, "/old", |_| {});
    fake.available = 3 * GIB;
    let make = |path: &str, gib: u64| prepare(Path::new(path), gib * GIB, Policy::Rebuild);
    let answer = |steps: Vec<Step>| {
        let refusals = check(&plan(steps, &[]), &fake);
        refusals
            .into_iter()
            .map(|refusal| refusal.target)
            .collect::<Vec<_>>()
    };
    assert_eq!(answer(vec![make("/a", 3)]), [""; 0]);
    assert_eq!(answer(vec![make("/a", 4)]), ["/a"]);
    assert_eq!(answer(vec![make("/a", 2), make("/b", 2)]), ["/b"]);
    assert_eq!(answer(vec![make("/a", 2), make("/a", 3)]), [""; 0]);
    // The old file's own gigabyte comes back.
    assert_eq!(answer(vec![make("/old", 4)]), [""; 0]);
    let clean = Step::Cleanup(Cleanup {
        paths: vec!["/a".into()],
        whose: Whose::Own,
    });
    assert_eq!(answer(vec![make("/a", 3), clean, make("/b", 3)]), [""; 0]);
    let replace = |gib: u64| prepare(Path::new("/old"), gib * GIB, Policy::Replace);
    assert_eq!(answer(vec![replace(4)]), [""; 0]);
    assert_eq!(answer(vec![replace(5)]), ["/old"]);
    // What grows by blocks of 2 GiB becomes larger than asked: 4 GiB, of which none is there.
    let blocks = |path: &str, policy| {
        let mut step = prepare(Path::new(path), 3 * GIB, policy);
        if let Step::Prepare(prepare) = &mut step {
            prepare.files[0].block = Some(2 << 30);
        }
        step
    };
    assert_eq!(answer(vec![blocks("/a", Policy::Extend)]), ["/a"]);
    // From 1 GiB one such block is enough.
    assert_eq!(answer(vec![blocks("/old", Policy::Extend)]), [""; 0]);
    let message = &check(&plan(vec![make("/a", 4)], &[]), &fake)[0].message;
    assert!(
        message.contains("4GiB (4294967296 bytes) are needed"),
        "{message}"
    );
    assert!(
        message.contains("3GiB (3221225472 bytes) are free"),
        "{message}"
    );
}

#[test]
fn our_own_commands_leave_a_tenth_free() {
    let mut fake = Fake::with(PathKind::Regular, "/old", |_| {});
    fake.available = 12 * GIB;
    let with_size = |gib: u64| {
        let mut plan = plan(
            vec![prepare(Path::new("/a"), gib * GIB, Policy::Rebuild)],
            &[],
        );
        plan.rules = WriteRules::Own;
        check(&plan, &fake).len()
    };
    assert_eq!((with_size(2), with_size(3)), (0, 1));
}

#[test]
fn an_engine_that_opens_nothing_needs_no_permission() {
    let fake = Fake::with(PathKind::BlockDevice, "/dev/sdb", |_| {});
    let steps = vec![run(vec![target("x", Path::new("/dev/sdb"), Access::Write)])];
    let mut plan = plan(steps, &[]);
    assert_eq!(check(&plan, &fake).len(), 1);
    plan.engine = EngineChoice::Named(EngineKind::Null);
    assert_eq!(check(&plan, &fake), []);
    // What the plan itself writes is held to the rules still.
    plan.steps
        .push(prepare(Path::new("/dev/sdb"), GIB, Policy::Rebuild));
    assert_eq!(check(&plan, &fake).len(), 1);
}

#[test]
fn a_path_is_refused_once_and_two_names_of_one_file_are_a_warning() {
    let mut fake = Fake::with(PathKind::BlockDevice, "/dev/sdb", |_| {});
    let identity = fake.entries[Path::new("/dev/sdb")].look.identity;
    fake.put(PathKind::BlockDevice, "/dev/alias", |e| {
        e.look.identity = identity;
    });
    let by = |label: &str, path: &str| target(label, Path::new(path), Access::Write);
    let steps = vec![
        run(vec![by("one", "/dev/sdb"), by("one", "/dev/sdb")]),
        run(vec![by("one", "/dev/sdb"), by("two", "/dev/alias")]),
    ];
    let plan = plan(steps, &[]);
    assert_eq!(check(&plan, &fake).len(), 2);
    let warned = ["two and one are the same file or device: each gets its own load"];
    assert_eq!(warnings(&plan, &fake), warned);
}
