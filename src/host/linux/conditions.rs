//! What of this machine bends measurements: its clock, swap space, limits, and what is under a path.

use std::{fs, path::Path};

use super::{Root, block, databases, mounts, names, number, text};
use crate::host::{Conditions, Swap, Underneath};

/// Those of the machine as a whole.
pub(super) fn conditions(root: &Root) -> Conditions {
    let clock = |name: &str| {
        let path = format!("sys/devices/system/clocksource/clocksource0/{name}_clocksource");
        root.text(path).filter(|text| !text.is_empty())
    };
    let available = clock("available").unwrap_or_default();
    let aio = |name: &str| number(&root.path(format!("proc/sys/fs/{name}")));
    Conditions {
        clock: clock("current"),
        clocks: available.split_whitespace().map(str::to_owned).collect(),
        swap: swap(root),
        aio_used: aio("aio-nr"),
        aio_max: aio("aio-max-nr"),
    }
}

/// From /proc/meminfo, in KiB there.
fn swap(root: &Root) -> Swap {
    let text = root.text("proc/meminfo").unwrap_or_default();
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        kib.checked_mul(1024)
    };
    let size = bytes("SwapTotal:").unwrap_or(0);
    Swap {
        size,
        used: size.saturating_sub(bytes("SwapFree:").unwrap_or(size)),
    }
}

/// Pages read from and written to swap space since the machine started.
pub(super) fn pages_swapped(root: &Root) -> u64 {
    let text = root.text("proc/vmstat").unwrap_or_default();
    let value = |line: &str| -> Option<u64> {
        let (name, value) = line.split_once(' ')?;
        let moves = matches!(name, "pswpin" | "pswpout");
        moves.then(|| value.trim().parse().ok())?
    };
    text.lines().filter_map(value).fold(0, u64::saturating_add)
}

/// What is under a path.
pub(super) fn underneath(root: &Root, path: &Path) -> Underneath {
    let Some(device) = block::number_under(root, path) else {
        return Underneath::default();
    };
    let own = block::folder(root, device);
    let disk = databases::below(root, device).and_then(|number| block::folder(root, number));
    let backing = |folder: &Path| text(&folder.join("loop/backing_file"));
    let starts_at = own
        .as_deref()
        .and_then(|folder| number::<u64>(&folder.join("start")));
    Underneath {
        starts_at: starts_at.and_then(|sectors| sectors.checked_mul(512)),
        backing_file: own
            .as_deref()
            .and_then(backing)
            .or_else(|| disk.as_deref().and_then(backing)),
        disk: disk.and_then(|folder| {
            let number = mounts::parse_device(&text(&folder.join("dev"))?)?;
            block::device(root, number)
        }),
        thin: own.as_deref().is_some_and(|folder| is_thin(root, folder)),
    }
}

/// A thin volume of LVM is built on its pool, whose name ends so.
fn is_thin(root: &Root, folder: &Path) -> bool {
    names(&folder.join("slaves")).iter().any(|below| {
        let below = fs::canonicalize(root.path(format!("sys/class/block/{below}")));
        let name = below.ok().and_then(|below| text(&below.join("dm/name")));
        name.is_some_and(|name| name.ends_with("-tpool"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{DiskKind, linux::testing::tree};

    #[test]
    fn the_machine_is_read_from_its_tables() {
        let clock = "sys/devices/system/clocksource/clocksource0";
        let (_folder, root) = tree(&[
            (&format!("{clock}/current_clocksource"), "hpet\n"),
            (
                &format!("{clock}/available_clocksource"),
                "tsc hpet acpi_pm \n",
            ),
            ("proc/meminfo", "SwapTotal:  2048 kB\nSwapFree:  1024 kB\n"),
            ("proc/sys/fs/aio-nr", "10\n"),
            ("proc/sys/fs/aio-max-nr", "65536\n"),
            ("proc/vmstat", "pswpin 3\npgfault 99\npswpout 4\n"),
        ]);
        let seen = conditions(&root);
        let expected = Conditions {
            clock: Some("hpet".into()),
            clocks: vec!["tsc".into(), "hpet".into(), "acpi_pm".into()],
            swap: Swap {
                size: 2 << 20,
                used: 1 << 20,
            },
            aio_used: Some(10),
            aio_max: Some(65536),
        };
        assert_eq!(seen, expected);
        assert_eq!(pages_swapped(&root), 7);
        let (_folder, nothing) = tree(&[]);
        assert_eq!(conditions(&nothing), Conditions::default());
        assert_eq!(pages_swapped(&nothing), 0);
    }

    #[test]
    fn a_thin_volume_is_known_by_its_pool() {
        let (folder, root) = block::tests::machine();
        let dm = folder.path().join("sys/devices/virtual/block/dm-0");
        assert!(!is_thin(&root, &dm));
        fs::create_dir_all(folder.path().join("sys/devices/pci/block/sda/sda2/dm")).unwrap();
        let name = folder.path().join("sys/devices/pci/block/sda/sda2/dm/name");
        fs::write(name, "vg-pool-tpool\n").unwrap();
        assert!(is_thin(&root, &dm));
    }

    #[test]
    fn this_machines_root_lies_on_something() {
        let seen = underneath(&Root::system(), Path::new("/"));
        if let Some(disk) = &seen.disk {
            assert!(!disk.name.is_empty() && DiskKind::of(disk).to_string() != "");
        }
        let nothing = underneath(&Root::system(), Path::new("/proc"));
        assert_eq!(nothing, Underneath::default());
    }
}
