//! Which filesystem a path is on.

use std::{
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{FileTypeExt, MetadataExt},
    },
    path::Path,
};

use super::{Root, device_number, existing};
use crate::host::{DeviceNumber, Filesystem};

/// One line of /proc/self/mountinfo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    /// What `stat` says of files there; btrfs and overlay invent other numbers.
    pub(super) device: DeviceNumber,
    /// Where.
    pub(super) point: String,
    /// "rw,relatime" and the filesystem's own.
    pub(super) options: String,
    /// "ext4" ...
    pub(super) kind: String,
    /// "/dev/sda1", "tmpfs" ...
    pub(super) source: String,
}

/// The mounts that this process sees, the later ones on top.
pub(super) fn mounts(root: &Root) -> Vec<Mount> {
    let text = root.text("proc/self/mountinfo").unwrap_or_default();
    text.lines().filter_map(parse_line).collect()
}

/// `36 35 98:0 /root /mount rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue`; the number of
/// fields before the dash varies.
fn parse_line(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let mut left = left.split(' ');
    let device = parse_device(left.nth(2)?)?;
    let point = unescape(left.nth(1)?);
    let mut options = left.next()?.to_owned();
    let mut right = right.split(' ');
    let kind = unescape(right.next()?);
    let source = unescape(right.next().unwrap_or_default());
    for option in right.next().unwrap_or_default().split(',') {
        if !option.is_empty() && !options.split(',').any(|known| known == option) {
            options.push(',');
            options.push_str(option);
        }
    }
    Some(Mount {
        device,
        point,
        options: unescape(&options),
        kind,
        source,
    })
}

/// `254:0`.
pub(super) fn parse_device(text: &str) -> Option<DeviceNumber> {
    let (major, minor) = text.trim().split_once(':')?;
    Some(DeviceNumber {
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
    })
}

/// Blanks and the like are `\040` in /proc's tables.
pub(super) fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] = bytes[at..] {
            plain.push((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'));
            at += 4;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// The mount that holds `path` (absolute, without links). The longest mount point above it, where
/// one has the right device number; a mount below another mount's point is hidden by it and has
/// the wrong number. Where none has it (btrfs subvolumes, overlay), the longest counts alone.
pub(super) fn mount_of<'a>(
    mounts: &'a [Mount],
    path: &Path,
    device: Option<DeviceNumber>,
) -> Option<&'a Mount> {
    let above = || mounts.iter().filter(|mount| path.starts_with(&mount.point));
    let longest = |mount: &&Mount| mount.point.len();
    // Of equals `max_by_key` takes the last, which is the mount on top.
    above()
        .filter(|mount| Some(mount.device) == device)
        .max_by_key(longest)
        .or_else(|| above().max_by_key(longest))
}

/// The filesystem that a path is on, or would be on; nothing for a device, whose name alone is on
/// one.
pub(super) fn filesystem(root: &Root, path: &Path) -> Option<Filesystem> {
    let path = existing(path)?;
    let data = fs::metadata(&path).ok();
    if data
        .as_ref()
        .is_some_and(|data| data.file_type().is_block_device())
    {
        return None;
    }
    let device = data.map(|data| device_number(data.dev()));
    let mounts = mounts(root);
    // The table's names were made valid text; so must the path be, to be compared.
    let path = String::from_utf8_lossy(path.as_os_str().as_bytes()).into_owned();
    let mount = mount_of(&mounts, Path::new(&path), device)?;
    Some(Filesystem {
        kind: mount.kind.clone(),
        mount: mount.point.clone(),
        source: mount.source.clone(),
        options: mount.options.clone(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const TABLE: &str = r"27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
30 27 8:17 / /data rw,noatime shared:7 master:2 - xfs /dev/sdb1 rw,attr2
31 27 0:40 /sub /data/b\040b rw - btrfs /dev/sdc rw,subvol=/sub
32 27 0:50 / /merged rw - overlay overlay rw,upperdir=/data/up
33 27 8:33 / /data rw - ext4 /dev/sdc1 rw
";

    fn of<'a>(mounts: &'a [Mount], path: &str, device: Option<&str>) -> &'a str {
        let device = device.map(|text| parse_device(text).unwrap());
        &mount_of(mounts, Path::new(path), device).unwrap().source
    }

    #[test]
    fn finds_the_mount_of_a_path() {
        let mounts: Vec<_> = TABLE
            .lines()
            .map(|line| parse_line(line).unwrap())
            .collect();
        assert_eq!(of(&mounts, "/home/x", Some("254:0")), "/dev/vda");
        assert_eq!(of(&mounts, "/database", Some("254:0")), "/dev/vda");
        // Two mounts on one point: the upper one, unless the number says otherwise.
        assert_eq!(of(&mounts, "/data/x", None), "/dev/sdc1");
        assert_eq!(of(&mounts, "/data/x", Some("8:17")), "/dev/sdb1");
        // A number that no mount has: btrfs invents one for each subvolume.
        assert_eq!(of(&mounts, "/data/b b/x", Some("0:77")), "/dev/sdc");
        // Hidden by the second mount on /data, which the file's number shows.
        assert_eq!(of(&mounts, "/data/b b/x", Some("8:33")), "/dev/sdc1");
        assert_eq!(mounts[1].options, "rw,noatime,attr2");
        assert_eq!(mounts[3].kind, "overlay");
    }

    #[test]
    fn unescapes_octal_only() {
        assert_eq!(unescape(r"a\040b\011c\134d"), "a b\tc\\d");
        assert_eq!(unescape(r"a\04"), r"a\04");
        assert_eq!(unescape(r"\x\999"), r"\x\999");
        assert_eq!(unescape(r"\303\274"), "ü");
    }

    #[test]
    fn nonsense_is_no_mount() {
        for line in [
            "",
            " - ",
            "1 2 3:4 / /x",
            "1 2 x / /x rw - ext4 s o",
            "1 2 3:4 - ext4",
        ] {
            assert_eq!(parse_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_device_is_on_no_filesystem() {
        let nodes = fs::read_dir("/dev").unwrap().flatten();
        let block = |path: &PathBuf| {
            fs::metadata(path).is_ok_and(|data| data.file_type().is_block_device())
        };
        let Some(device) = nodes.map(|node| node.path()).find(block) else {
            eprintln!("skipped: no block device here");
            return;
        };
        assert_eq!(filesystem(&Root::system(), &device), None);
    }

    #[test]
    fn this_machines_root_and_proc_are_mounted() {
        let root = Root::system();
        assert_eq!(
            filesystem(&root, Path::new("/proc/self/x")).unwrap().kind,
            "proc"
        );
        let folder = tempfile::tempdir().unwrap();
        let seen = filesystem(&root, &folder.path().join("not/yet")).unwrap();
        assert!(folder.path().starts_with(&seen.mount) && !seen.kind.is_empty());
    }
}
