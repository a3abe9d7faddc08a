//! Places that this machine does not have.

use ioengine::Alignment;

use super::*;
use crate::{app::doctor::checks::State, host::Device};

fn device(name: &str) -> Device {
    Device {
        name: name.into(),
        model: Some("Disk 9000".into()),
        size: 1 << 40,
        scheduler: None,
        rotational: Some(false),
        logical_sector: Some(512),
        physical_sector: Some(4096),
        write_cache: Some("write through".into()),
    }
}

/// A place where all is well, changed.
fn seen(change: impl FnOnce(&mut Seen)) -> Vec<Check> {
    let mut seen = Seen {
        filesystem: Some(Filesystem {
            kind: "ext4".into(),
            mount: "/data".into(),
            source: "/dev/sda1".into(),
            options: "rw,relatime".into(),
        }),
        space: Some(Space {
            size: 100 << 30,
            available: 50 << 30,
            filesystem: 1,
        }),
        underneath: Underneath {
            disk: Some(device("sda")),
            starts_at: Some(1 << 20),
            backing_file: None,
            thin: false,
        },
        direct: Direct::Works(Alignment {
            offset: 512,
            memory: 4,
        }),
        load: Some(DiskLoad::default()),
        device: false,
    };
    change(&mut seen);
    checks(&seen)
}

/// Keys that need action.
fn needing(checks: &[Check]) -> Vec<&str> {
    let needing = checks.iter().filter(|check| check.state == State::Action);
    needing.map(|check| check.key).collect()
}

fn filesystem_of(kind: &'static str, options: &'static str) -> impl FnOnce(&mut Seen) {
    move |seen| {
        if let Some(filesystem) = &mut seen.filesystem {
            filesystem.kind = kind.into();
            filesystem.options = options.into();
        }
    }
}

#[test]
fn a_good_place_needs_nothing_and_says_what_it_is() {
    let checks = seen(|_| {});
    assert_eq!(needing(&checks), [""; 0]);
    let text = |key: &str| {
        let check = checks.iter().find(|check| check.key == key);
        check.map(|check| check.finding.clone()).unwrap_or_default()
    };
    assert_eq!(text("free_space"), "50.0 GiB of 100 GiB are free");
    assert_eq!(
        text("direct_io"),
        "works, in multiples of 512 bytes (memory: 4)"
    );
    assert_eq!(text("sectors"), "512 bytes logical, 4096 physical");
    assert_eq!(text("disk_kind"), "sda (Disk 9000) is of kind ssd");
}

#[test]
fn each_flaw_of_a_place_is_named_and_has_a_remedy() {
    type Change = Box<dyn FnOnce(&mut Seen)>;
    let changes: Vec<(&str, &str, Change)> = vec![
        (
            "filesystem",
            "read-only",
            Box::new(filesystem_of("ext4", "ro,noatime")),
        ),
        (
            "filesystem",
            "memory",
            Box::new(filesystem_of("tmpfs", "rw")),
        ),
        (
            "filesystem",
            "another machine",
            Box::new(filesystem_of("nfs4", "rw")),
        ),
        (
            "filesystem",
            "layers",
            Box::new(filesystem_of("overlay", "rw")),
        ),
        (
            "compression",
            "compress-force=zstd:3",
            Box::new(filesystem_of("btrfs", "rw,compress-force=zstd:3")),
        ),
        (
            "compression",
            "zfs get",
            Box::new(filesystem_of("zfs", "rw")),
        ),
        (
            // A tenth of 100 GiB is more than 5 GiB.
            "free_space",
            "less than 10.0 GiB",
            Box::new(|seen| {
                if let Some(space) = &mut seen.space {
                    space.available = 9 << 30;
                }
            }),
        ),
        (
            "direct_io",
            "O_DIRECT",
            Box::new(|seen| seen.direct = Direct::Refused),
        ),
        (
            "disk_kind",
            "/srv/image",
            Box::new(|seen| seen.underneath.backing_file = Some("/srv/image".into())),
        ),
        (
            "disk_kind",
            "thin volume",
            Box::new(|seen| seen.underneath.thin = true),
        ),
        (
            // The old layout of MS-DOS: sector 63.
            "sectors",
            "byte 32256",
            Box::new(|seen| seen.underneath.starts_at = Some(63 * 512)),
        ),
        (
            "disk_busy",
            "busy for 6 %",
            Box::new(|seen| {
                if let Some(load) = &mut seen.load {
                    load.busy = 0.06;
                }
            }),
        ),
    ];
    for (key, words, change) in changes {
        let checks = seen(change);
        assert_eq!(needing(&checks), [key], "{words}");
        let check = checks.iter().find(|check| check.state == State::Action);
        let check = check.expect("one needs action");
        assert!(check.finding.contains(words), "{}", check.finding);
        assert!(
            check
                .remedy
                .as_ref()
                .is_some_and(|remedy| !remedy.is_empty())
        );
    }
}

#[test]
fn what_is_not_seen_is_unknown_and_no_reason_to_act() {
    let checks = seen(|seen| {
        seen.filesystem = None;
        seen.space = None;
        seen.underneath = Underneath::default();
        seen.direct = Direct::Untried("nobody may read it".into());
        seen.load = None;
    });
    assert!(checks.iter().all(|check| check.state == State::Unknown));
    assert_eq!(checks.len(), 4);
}

#[test]
fn a_disk_itself_has_no_filesystem_to_judge() {
    let checks = seen(|seen| {
        filesystem_of("devtmpfs", "ro")(seen);
        seen.device = true;
    });
    assert_eq!(needing(&checks), [""; 0]);
    assert!(!checks.iter().any(|check| check.key == "filesystem"));
}

#[test]
fn what_a_disk_is_by_nature_is_told_and_is_no_reason_to_act() {
    let virtual_disk = seen(|seen| seen.underneath.disk = Some(device("vda")));
    let volatile = seen(|seen| {
        if let Some(disk) = &mut seen.underneath.disk {
            disk.write_cache = Some("write back".into());
        }
    });
    for (checks, key, words) in [
        (virtual_disk, "disk_kind", "virtual disk"),
        (volatile, "write_cache", "volatile"),
    ] {
        assert_eq!(needing(&checks), [""; 0], "{key}");
        let check = checks.iter().find(|check| check.key == key);
        let check = check.expect("it was looked at");
        assert_eq!(check.state, State::Fine);
        assert!(check.finding.contains(words), "{}", check.finding);
    }
}
