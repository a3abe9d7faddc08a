//! Mounted filesystems and disks without one.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    Root, block, block_number, descriptors,
    mounts::{self, Mount},
    usage,
};
use crate::host::{Device, DeviceNumber, Disk, DiskKind, Process, is_remote};

/// Filesystems that are images of programs: nobody measures them.
const IMAGES: [&str; 4] = ["squashfs", "erofs", "iso9660", "udf"];

/// Each device with a filesystem once, by its shortest mount point; then disks without any.
pub(super) fn disks(root: &Root) -> Vec<Disk> {
    let mounts = shown(root, mounts::mounts(root));
    let points: Vec<&str> = mounts
        .iter()
        .map(|(mount, _)| mount.point.as_str())
        .collect();
    let mut writers = descriptors::writers_below(root, &points);
    let mut disks: Vec<Disk> = mounts
        .iter()
        .map(|(mount, number)| mounted(root, mount, *number, &mut writers))
        .collect();
    let used: Vec<String> = mounts
        .iter()
        .filter_map(|(_, number)| whole_name(root, (*number)?))
        .collect();
    let unused = block::whole_disks(root).into_iter();
    disks.extend(
        unused
            .filter(|name| !used.contains(name))
            .filter_map(|name| without_mount(root, &name)),
    );
    disks
}

/// The mounts that stand for a place where data can be put, and the device of each.
fn shown(root: &Root, mounts: Vec<Mount>) -> Vec<(Mount, Option<DeviceNumber>)> {
    let mut found: BTreeMap<String, (Mount, Option<DeviceNumber>)> = BTreeMap::new();
    for mount in mounts {
        if IMAGES.contains(&mount.kind.as_str()) || !root.path(relative(&mount.point)).is_dir() {
            continue;
        }
        let number = number_of(root, &mount);
        let layers = mount.kind == "overlay" && mount.point == "/";
        if number.is_none() && !layers && !is_remote(&mount.kind) {
            continue;
        }
        let key = number.map_or_else(|| mount.source.clone(), |number| number.to_string());
        let better = found
            .get(&key)
            .is_none_or(|(known, _)| mount.point.len() < known.point.len());
        if better {
            found.insert(key, (mount, number));
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by(|a, b| a.0.point.cmp(&b.0.point));
    found
}

fn relative(point: &str) -> &str {
    point.trim_start_matches('/')
}

/// Of btrfs and the like, which invent numbers, the device that is named.
fn number_of(root: &Root, mount: &Mount) -> Option<DeviceNumber> {
    if mount.device.major != 0 {
        return Some(mount.device);
    }
    let named = mount.source.starts_with("/dev/").then_some(&mount.source)?;
    let data = std::fs::metadata(root.path(relative(named))).ok()?;
    block_number(&data)
}

fn mounted(
    root: &Root,
    mount: &Mount,
    number: Option<DeviceNumber>,
    writers: &mut BTreeMap<String, Vec<Process>>,
) -> Disk {
    let facts = number.and_then(|number| block::device(root, number));
    let remote = is_remote(&mount.kind);
    let kind = match &facts {
        _ if remote => DiskKind::Network,
        Some(device) => DiskKind::of(device),
        None => DiskKind::Unknown,
    };
    Disk {
        device: device_name(&mount.source, facts.as_ref()),
        kind,
        filesystem: Some(mount.kind.clone()),
        // A server that is gone would be waited for.
        space: if remote {
            None
        } else {
            super::space(&PathBuf::from(&mount.point))
        },
        facts,
        writers: writers.remove(&mount.point).unwrap_or_default(),
        uses: Vec::new(),
        mount: Some(mount.point.clone()),
    }
}

/// The name in /dev/mapper says more than `dm-3`.
fn device_name(source: &str, facts: Option<&Device>) -> String {
    match facts {
        Some(device) if source.starts_with("/dev/mapper/") => source
            .rsplit('/')
            .next()
            .map_or_else(|| device.name.clone(), str::to_owned),
        Some(device) => device.name.clone(),
        None => source.to_owned(),
    }
}

/// The name of the whole disk that a device is a part of.
fn whole_name(root: &Root, number: DeviceNumber) -> Option<String> {
    let folder = block::folder(root, super::databases::below(root, number)?)?;
    Some(block::name(&folder))
}

fn without_mount(root: &Root, name: &str) -> Option<Disk> {
    let number = root.text(format!("sys/block/{}/dev", name.replace('/', "!")))?;
    let number = mounts::parse_device(&number)?;
    let facts = block::device(root, number)?;
    Some(Disk {
        mount: None,
        device: facts.name.clone(),
        kind: DiskKind::of(&facts),
        filesystem: None,
        space: None,
        uses: usage::device(root, number),
        facts: Some(facts),
        writers: Vec::new(),
    })
}

/// Where to look for the counters of a disk of the list.
pub(super) fn place(disk: &Disk) -> PathBuf {
    match &disk.mount {
        Some(mount) => PathBuf::from(mount),
        None => Path::new("/dev").join(&disk.device),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_device_is_shown_once_and_a_disk_without_a_mount_too() {
        let (folder, root) = block::tests::machine();
        let at = |path: &str| folder.path().join(path);
        for place in ["data", "data/deep", "snap", "net", "run"] {
            fs::create_dir_all(at(place)).unwrap();
        }
        fs::write(at("file"), "").unwrap();
        fs::create_dir_all(at("proc/self")).unwrap();
        let table = "1 1 8:1 / /data rw - ext4 /dev/sda1 rw\n\
                     2 1 8:1 /deep /data/deep rw - ext4 /dev/sda1 rw\n\
                     3 1 8:1 /file /file rw - ext4 /dev/sda1 rw\n\
                     4 1 7:0 / /snap ro - squashfs /dev/loop0 ro\n\
                     5 1 0:50 / /net rw - nfs4 server:/export rw\n\
                     6 1 0:51 / /run rw - tmpfs tmpfs rw\n";
        fs::write(at("proc/self/mountinfo"), table).unwrap();
        // The card reader gets a medium.
        fs::write(at("sys/devices/pci/block/sdb/size"), "2000").unwrap();
        let seen: Vec<String> = disks(&root)
            .iter()
            .map(|disk| {
                let mount = disk.mount.as_deref().unwrap_or("-");
                format!("{mount} {} {}", disk.device, disk.kind)
            })
            .collect();
        let expected = ["/data sda1 hdd", "/net server:/export network", "- sdb ?"];
        assert_eq!(seen, expected);
    }
}
