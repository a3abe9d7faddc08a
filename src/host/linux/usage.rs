//! Who uses a device or file.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{
    Root, block,
    block::STACK_MAX,
    block_number,
    descriptors::{is_for_writing, open_descriptors, process, writers},
    mounts::{self, Mount},
    names, text,
};
use crate::host::{DeviceNumber, DeviceUse, FileUse, Process};

pub(super) use ioengine::sys::is_claimed;

/// How a block device is in use: the device itself, its partitions, the disk it is a partition of,
/// and everything that is built on these.
pub(super) fn device(root: &Root, number: DeviceNumber) -> Vec<DeviceUse> {
    let Some(folder) = block::folder(root, number) else {
        return Vec::new();
    };
    let mounts = mounts::mounts(root);
    let mut uses = Vec::new();
    let members = family(&folder);
    for member in &members {
        collect(root, &mounts, member, STACK_MAX, &mut uses);
    }
    let numbers: Vec<DeviceNumber> = members.iter().filter_map(|path| own_number(path)).collect();
    let opened = |path: &Path| {
        path.starts_with("/dev") && device_at(path).is_some_and(|number| numbers.contains(&number))
    };
    uses.extend(writers(root, &opened).into_iter().map(DeviceUse::Writer));
    uses
}

/// The device, its partitions, its whole disk; not the disk's other partitions, whose blocks are
/// not the device's.
fn family(folder: &Path) -> Vec<PathBuf> {
    let mut members = vec![folder.to_path_buf()];
    let below = names(folder).into_iter().map(|name| folder.join(name));
    members.extend(below.filter(|path| path.join("partition").exists()));
    members.extend(block::parent(folder));
    members
}

fn own_number(folder: &Path) -> Option<DeviceNumber> {
    mounts::parse_device(&text(&folder.join("dev"))?)
}

/// Appends how one device is in use, then how what is built on it is.
fn collect(root: &Root, mounts: &[Mount], folder: &Path, levels: usize, uses: &mut Vec<DeviceUse>) {
    let Some(number) = own_number(folder) else {
        return;
    };
    let device = block::name(folder);
    let mut add = |found: DeviceUse| {
        if !uses.contains(&found) {
            uses.push(found);
        }
    };
    for mount in mount_points(root, mounts, folder, number) {
        let device = device.clone();
        add(DeviceUse::Mounted { device, mount });
    }
    if swaps(root)
        .iter()
        .any(|path| device_at(path) == Some(number))
    {
        let device = device.clone();
        add(DeviceUse::Swap { device });
    }
    for (holder, backing) in loops(root) {
        if device_at(&backing) == Some(number) {
            let device = device.clone();
            add(DeviceUse::Holder { device, holder });
        }
    }
    for holder in names(&folder.join("holders")) {
        let device = device.clone();
        let path = root.path(format!("sys/class/block/{holder}"));
        add(DeviceUse::Holder { device, holder });
        if let (Ok(above), Some(levels)) = (fs::canonicalize(path), levels.checked_sub(1)) {
            let mut further = Vec::new();
            collect(root, mounts, &above, levels, &mut further);
            further.into_iter().for_each(&mut add);
        }
    }
}

/// Where a device is mounted. btrfs shows an invented number and one of its devices in the table;
/// the others are in /sys/fs/btrfs.
fn mount_points(root: &Root, mounts: &[Mount], folder: &Path, number: DeviceNumber) -> Vec<String> {
    let name = block::name(folder);
    let pools = names(&root.path("sys/fs/btrfs")).into_iter();
    let pools: Vec<String> = pools
        .map(|pool| names(&root.path(format!("sys/fs/btrfs/{pool}/devices"))))
        .filter(|members| members.contains(&name))
        .flatten()
        .collect();
    let is_here = |mount: &&Mount| {
        if mount.device.major != 0 {
            return mount.device == number;
        }
        let source = Path::new(&mount.source);
        let in_pool = mount.kind == "btrfs"
            && source
                .file_name()
                .is_some_and(|name| pools.iter().any(|member| name == member.as_str()));
        in_pool || (source.starts_with("/dev") && device_at(source) == Some(number))
    };
    let found = mounts.iter().filter(is_here);
    let mut points: Vec<String> = found.map(|mount| mount.point.clone()).collect();
    // The shortest is the one a person knows; containers add many below.
    points.sort_by_key(String::len);
    points.truncate(1);
    if points.is_empty() && !pools.is_empty() {
        points.push("a place of a btrfs pool that is not seen from here".to_owned());
    }
    points
}

/// What is open on the machine, looked up once for as many files as one likes.
#[derive(Debug)]
pub struct OpenFiles {
    root: Root,
    /// Descriptors of other processes by the name of the file: process and link in /proc.
    descriptors: BTreeMap<OsString, Vec<(u32, PathBuf)>>,
    loops: Vec<(String, PathBuf)>,
    swaps: Vec<PathBuf>,
}

impl OpenFiles {
    /// As it is now.
    pub fn now() -> Self {
        Self::of(Root::system())
    }

    fn of(root: Root) -> Self {
        let mut descriptors: BTreeMap<OsString, Vec<(u32, PathBuf)>> = BTreeMap::new();
        for (pid, open, path) in open_descriptors(&root) {
            if let Some(name) = path.file_name() {
                let known = descriptors.entry(name.to_owned()).or_default();
                known.push((pid, open));
            }
        }
        Self {
            descriptors,
            loops: loops(&root),
            swaps: swaps(&root),
            root,
        }
    }

    /// Who uses a regular file.
    pub fn users_of(&self, path: &Path) -> FileUse {
        let Some(same) = same_file(path) else {
            return FileUse::default();
        };
        FileUse {
            writers: self.processes(path, &is_for_writing),
            loops: self
                .loops
                .iter()
                .filter(|(_, backing)| same(backing))
                .map(|(name, _)| name.clone())
                .collect(),
            swap: self.swaps.iter().any(|path| same(path)),
        }
    }

    /// Other processes that have a file open in any way.
    pub fn openers_of(&self, path: &Path) -> Vec<Process> {
        self.processes(path, &|_| true)
    }

    /// Processes with a descriptor of the file for which `wanted` holds.
    fn processes(&self, path: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<Process> {
        let Some(same) = same_file(path) else {
            return Vec::new();
        };
        let name = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        // Only descriptors with the same name are asked: a look at every open file of the machine
        // would wait for each dead network mount. A file with further names is caught by their
        // number.
        let alike = name.file_name().and_then(|name| self.descriptors.get(name));
        let mut pids: Vec<u32> = alike
            .into_iter()
            .flatten()
            .filter(|(_, open)| wanted(open) && same(open))
            .map(|(pid, _)| *pid)
            .collect();
        pids.dedup();
        let processes = pids.into_iter().map(|pid| process(&self.root, pid));
        processes.collect()
    }
}

/// Tells whether another path names the same file; `None` if there is none.
fn same_file(path: &Path) -> Option<impl Fn(&Path) -> bool> {
    let data = fs::metadata(path).ok()?;
    let number = (data.dev(), data.ino());
    Some(move |other: &Path| fs::metadata(other).is_ok_and(|d| (d.dev(), d.ino()) == number))
}

fn device_at(path: &Path) -> Option<DeviceNumber> {
    block_number(&fs::metadata(path).ok()?)
}

/// Devices and files of swap space, from /proc/swaps.
fn swaps(root: &Root) -> Vec<PathBuf> {
    let text = root.text("proc/swaps").unwrap_or_default();
    let first = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split_ascii_whitespace().next());
    first
        .map(|path| PathBuf::from(mounts::unescape(path)))
        .collect()
}

/// Loop devices and what each is over.
fn loops(root: &Root) -> Vec<(String, PathBuf)> {
    let folder = root.path("sys/block");
    let looped = |name: String| {
        let backing = text(&folder.join(&name).join("loop/backing_file"))?;
        Some((name, PathBuf::from(backing)))
    };
    names(&folder)
        .into_iter()
        .filter(|name| name.starts_with("loop"))
        .filter_map(looped)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{io::Write, process::Command};

    use super::*;

    fn uses(root: &Root, number: &str) -> Vec<String> {
        let number = mounts::parse_device(number).unwrap();
        device(root, number)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    fn with_mounts(table: &str) -> (tempfile::TempDir, Root) {
        let (folder, root) = block::tests::machine();
        let path = folder.path().join("proc/self/mountinfo");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, table).unwrap();
        (folder, root)
    }

    #[test]
    fn a_mounted_partition_is_in_use_and_so_is_its_disk_but_not_its_sister() {
        let table = "1 1 8:1 / /data rw - ext4 /dev/sda1 rw\n\
                     2 1 8:1 /sub /data/deeper rw - ext4 /dev/sda1 rw\n";
        let (folder, root) = with_mounts(table);
        fs::remove_file(
            folder
                .path()
                .join("sys/devices/pci/block/sda/sda2/holders/dm-0"),
        )
        .unwrap();
        assert_eq!(uses(&root, "8:1"), ["sda1 is mounted on /data"]);
        assert_eq!(uses(&root, "8:0"), ["sda1 is mounted on /data"]);
        assert_eq!(uses(&root, "8:2"), [""; 0]);
        assert_eq!(uses(&root, "8:16"), [""; 0]);
    }

    #[test]
    fn a_mounted_disk_takes_its_partitions_with_it() {
        let (_folder, root) = with_mounts("1 1 8:0 / /whole rw - xfs /dev/sda rw\n");
        assert_eq!(uses(&root, "8:1"), ["sda is mounted on /whole"]);
    }

    #[test]
    fn what_is_built_on_a_device_is_followed_up_to_its_mount() {
        let (_folder, root) = with_mounts("1 1 252:0 / /srv rw - ext4 /dev/mapper/x rw\n");
        let expected = ["dm-0 is built on sda2", "dm-0 is mounted on /srv"];
        assert_eq!(uses(&root, "8:2"), expected);
        assert_eq!(uses(&root, "8:0"), expected);
        assert_eq!(uses(&root, "252:0"), ["dm-0 is mounted on /srv"]);
    }

    #[test]
    fn every_device_of_a_btrfs_pool_is_mounted() {
        let (folder, root) = with_mounts("1 1 0:44 / /pool rw - btrfs /dev/sdz rw\n");
        let devices = folder.path().join("sys/fs/btrfs/uuid/devices");
        fs::create_dir_all(&devices).unwrap();
        fs::write(devices.join("sda1"), "").unwrap();
        fs::write(devices.join("sdz"), "").unwrap();
        assert_eq!(uses(&root, "8:1"), ["sda1 is mounted on /pool"]);
    }

    #[test]
    fn another_process_that_writes_is_found_and_one_that_reads_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("database");
        fs::File::create(&path).unwrap().write_all(b"x").unwrap();
        for (redirect, count) in [
            ("exec cat >>\"$0\"", 1),
            ("exec cat 3<\"$0\" >/dev/null", 0),
        ] {
            let mut child = Command::new("sh")
                .args(["-c", redirect, path.to_str().unwrap()])
                .stdin(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let comm = format!("/proc/{}/comm", child.id());
            while text(Path::new(&comm)).as_deref() != Some("cat") {
                assert!(child.try_wait().unwrap().is_none(), "the shell has failed");
                std::thread::yield_now();
            }
            let found = OpenFiles::now().users_of(&path);
            assert_eq!(found.writers.len(), count, "{redirect}");
            assert!(
                found
                    .writers
                    .iter()
                    .all(|process| process.pid == child.id())
            );
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        // Our own descriptors do not count.
        let _ours = fs::OpenOptions::new().write(true).open(&path).unwrap();
        assert_eq!(OpenFiles::now().users_of(&path), FileUse::default());
    }

    #[test]
    fn swaps_and_loops_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("proc")).unwrap();
        fs::create_dir_all(at("sys/block/loop3/loop")).unwrap();
        let file_path = at("swap file");
        fs::write(&file_path, "x").unwrap();
        let escaped = file_path.to_str().unwrap().replace(' ', "\\040");
        let swaps = format!("Filename Type Size Used Priority\n{escaped} file 1 0 -2\n");
        fs::write(at("proc/swaps"), swaps).unwrap();
        let backing = format!("{}\n", file_path.display());
        fs::write(at("sys/block/loop3/loop/backing_file"), backing).unwrap();
        let found = OpenFiles::of(Root(folder.path().to_path_buf())).users_of(&file_path);
        assert!(found.swap);
        assert_eq!(found.loops, ["loop3"]);
    }
}
