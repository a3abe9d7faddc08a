//! Database servers at work: which processes are some, and on which disks they write.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{
    Root, block,
    block::STACK_MAX,
    descriptors::{process, writing_flags},
    device_number, existing, mounts, names, text,
};
use crate::host::{Database, DeviceNumber};

/// Names of their processes, as the kernel has them. Oracle calls each of its own `ora_...`.
const SERVERS: [&str; 6] = [
    "sqlservr", "mysqld", "mariadbd", "postgres", "oracle", "mongod",
];

/// O_APPEND in the flags of an open file: a log for people, not data.
const APPEND: u64 = 0o2000;

/// Those that run now. Processes of one server that write to the same disks count once.
pub(super) fn databases(root: &Root) -> Vec<Database> {
    let mut found: Vec<Database> = Vec::new();
    for name in names(&root.path("proc")) {
        let Ok(pid) = name.parse::<u32>() else {
            continue;
        };
        let comm = root.text(format!("proc/{pid}/comm")).unwrap_or_default();
        if !SERVERS.contains(&comm.as_str()) && !comm.starts_with("ora_") {
            continue;
        }
        let descriptors = root.path(format!("proc/{pid}/fd"));
        let database = Database {
            process: process(root, pid),
            seen: fs::read_dir(&descriptors).is_ok(),
            files: files(root, &descriptors),
        };
        let known = |other: &Database| {
            let disks = |database: &Database| {
                let disks = database.files.iter().map(|(disk, _)| *disk);
                disks.collect::<Vec<_>>()
            };
            other.process.name == comm
                && other.seen == database.seen
                && disks(other) == disks(&database)
        };
        if !found.iter().any(known) {
            found.push(database);
        }
    }
    found
}

/// For each disk one file that is open for writing, in the order of the disks' numbers.
fn files(root: &Root, descriptors: &Path) -> Vec<(DeviceNumber, PathBuf)> {
    let mut files: Vec<(DeviceNumber, PathBuf)> = Vec::new();
    for name in names(descriptors) {
        let open = descriptors.join(name);
        let flags = writing_flags(&open);
        let Some(path) = fs::read_link(&open).ok().filter(|path| path.is_absolute()) else {
            continue;
        };
        if flags.is_none_or(|flags| flags & APPEND != 0) || path.starts_with("/dev") {
            continue;
        }
        if let Some(disk) = disk_under(root, &path)
            && !files.iter().any(|(known, _)| *known == disk)
        {
            files.push((disk, path));
        }
    }
    files.sort();
    files
}

/// The whole disk under a path, below what is built on one device only; of a filesystem without a
/// device its own number.
pub(super) fn disk_under(root: &Root, path: &Path) -> Option<DeviceNumber> {
    let Some(number) = block::number_under(root, path) else {
        let data = fs::metadata(existing(path)?).ok()?;
        return Some(device_number(data.dev()));
    };
    below(root, number)
}

/// The whole disk that a device is a part of or built on.
pub(super) fn below(root: &Root, number: DeviceNumber) -> Option<DeviceNumber> {
    let Some(mut folder) = block::folder(root, number) else {
        return Some(number);
    };
    for _ in 0..STACK_MAX {
        folder = block::parent(&folder).unwrap_or(folder);
        let below = names(&folder.join("slaves"));
        let [only] = below.as_slice() else { break };
        let Ok(lower) = fs::canonicalize(root.path(format!("sys/class/block/{only}"))) else {
            break;
        };
        folder = lower;
    }
    mounts::parse_device(&text(&folder.join("dev"))?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A process with descriptors: target of the link, and flags.
    fn process(place: &Path, pid: u32, comm: &str, open: &[(&Path, &str)]) {
        let folder = place.join(format!("proc/{pid}"));
        for part in ["fd", "fdinfo"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        fs::write(folder.join("comm"), comm).unwrap();
        for (number, (path, flags)) in open.iter().enumerate() {
            symlink(path, folder.join(format!("fd/{number}"))).unwrap();
            let info = folder.join(format!("fdinfo/{number}"));
            fs::write(info, format!("pos: 0\nflags: {flags}\n")).unwrap();
        }
    }

    #[test]
    fn a_server_is_found_by_name_and_its_disk_by_what_it_writes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        let at = |name: &str| place.join(name);
        for name in ["data", "log", "read"] {
            fs::write(at(name), "x").unwrap();
        }
        let (data, log, read) = (at("data"), at("log"), at("read"));
        // 02 is O_RDWR, 02001 is O_APPEND and O_WRONLY, 0 is O_RDONLY.
        process(
            place,
            10,
            "postgres\n",
            &[(&log, "0102001"), (&data, "0100002")],
        );
        process(place, 11, "postgres\n", &[(&data, "0100002")]);
        process(
            place,
            12,
            "mysqld\n",
            &[(&log, "0102001"), (&read, "0100000")],
        );
        process(place, 13, "bash\n", &[(&data, "0100002")]);
        process(
            place,
            14,
            "ora_dbw0_orcl\n",
            &[(Path::new("socket:[1]"), "02")],
        );
        let root = Root(place.to_path_buf());
        let found = databases(&root);
        let names: Vec<String> = found.iter().map(|d| d.process.to_string()).collect();
        let expected = [
            "postgres (process 10)",
            "mysqld (process 12)",
            "ora_dbw0_orcl (process 14)",
        ];
        assert_eq!(names, expected);
        assert!(found.iter().all(|database| database.seen));
        assert_eq!(found[0].files.len(), 1);
        assert_eq!(found[0].files[0].1, data);
        assert!(found[1].files.is_empty() && found[2].files.is_empty());
        // Whoever asks for a place beside it meets the same number.
        let beside = disk_under(&root, &at("new"));
        assert_eq!(beside, Some(found[0].files[0].0));
    }

    #[test]
    fn the_disk_below_a_partition_and_what_is_built_on_it_is_one() {
        let (folder, root) = block::tests::machine();
        for (number, name) in [("8:2", "sda2"), ("252:0", "dm-0"), ("8:0", "sda")] {
            let number = mounts::parse_device(number).unwrap();
            let disk = below(&root, number);
            assert_eq!(
                disk.map(|disk| disk.to_string()).as_deref(),
                Some("8:0"),
                "{name}"
            );
        }
        drop(folder);
    }
}
