//! Linux: /proc and /sys, read as files. Everything below takes the root of the tree it reads, so
//! that tests can lay out machines that they do not have.

mod block;
mod conditions;
mod cpus;
mod databases;
mod descriptors;
mod disks;
mod mounts;
#[cfg(test)]
mod testing;
mod usage;

pub use usage::OpenFiles;

use std::{
    fs, io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Conditions, CpuTimes, Database, Device, DeviceCounters, DeviceNumber, DeviceUse, Disk,
    Filesystem, Identity, Look, Machine, PathKind, Space, Underneath,
};

/// The unit of /proc/stat: USER_HZ is 100 on every architecture that Rust's standard library
/// supports on Linux, whatever the kernel's own tick is.
const TICK: Duration = Duration::from_millis(10);

/// Facts about this machine.
pub fn machine() -> Machine {
    cpus::machine(&Root::system())
}

/// What each online CPU has spent so far; empty where the system does not say.
pub fn cpu_times() -> CpuTimes {
    let root = Root::system();
    let mut times = CpuTimes::parse(&root.text("proc/stat").unwrap_or_default(), TICK);
    times.add_interrupts(&root.text("proc/interrupts").unwrap_or_default());
    times
}

/// Milliseconds since the machine started; 0 where the system does not say.
pub fn uptime_ms() -> u64 {
    Root::system()
        .text("proc/uptime")
        .and_then(|text| parse_uptime(&text))
        .unwrap_or(0)
}

/// `12345.67 9999.00`: whole arithmetic, since a float would lose milliseconds after years.
fn parse_uptime(text: &str) -> Option<u64> {
    let (seconds, rest) = text.split_ascii_whitespace().next()?.split_once('.')?;
    let hundredths: u64 = rest.get(..2)?.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    Some(seconds.checked_mul(1000)? + hundredths * 10)
}

/// The filesystem that a path is on, or would be on.
pub fn filesystem(path: &Path) -> Option<Filesystem> {
    mounts::filesystem(&Root::system(), path)
}

/// The block device under a path: of a file its filesystem's, of a block device itself.
pub fn device_of(path: &Path) -> Option<Device> {
    let root = Root::system();
    block::device(&root, block::number_under(&root, path)?)
}

/// What the block device under a path has done since it appeared.
pub fn device_counters(path: &Path) -> Option<DeviceCounters> {
    let root = Root::system();
    block::counters(&root, block::number_under(&root, path)?)
}

/// Names of the machine's disks (`nvme0n1`, `sda`), sorted: neither partitions nor anything built
/// on other devices or on memory.
pub fn whole_disks() -> Vec<String> {
    block::whole_disks(&Root::system())
}

/// How a block device, its partitions or its whole disk are in use; empty if they are not.
pub fn device_use(path: &Path) -> Vec<DeviceUse> {
    let Some(number) = fs::metadata(path).ok().and_then(|data| block_number(&data)) else {
        return Vec::new();
    };
    let mut uses = usage::device(&Root::system(), number);
    if !uses.iter().any(DeviceUse::forbids_writing) && usage::is_claimed(path) {
        uses.push(DeviceUse::Claimed);
    }
    uses
}

/// Filesystems on disks, by mount point, then disks without one.
pub fn disks() -> Vec<Disk> {
    disks::disks(&Root::system())
}

/// A path on a disk of the list.
pub fn place_on(disk: &Disk) -> PathBuf {
    disks::place(disk)
}

/// False where the system does not show its devices, as in some containers.
pub fn devices_are_shown() -> bool {
    Root::system().path("sys/dev/block").is_dir()
}

/// What of this machine bends measurements.
pub fn conditions() -> Conditions {
    conditions::conditions(&Root::system())
}

/// Pages moved from and to swap space since the machine started.
pub fn pages_swapped() -> u64 {
    conditions::pages_swapped(&Root::system())
}

/// What is under a path.
pub fn underneath(path: &Path) -> Underneath {
    conditions::underneath(&Root::system(), path)
}

/// Database servers that run now, and the disks that they write to.
pub fn databases() -> Vec<Database> {
    databases::databases(&Root::system())
}

/// The whole disk under a path, to compare with another's: below partitions and what is built on one
/// device. `None` where the system does not say.
pub fn disk_under(path: &Path) -> Option<DeviceNumber> {
    databases::disk_under(&Root::system(), path)
}

/// What a path is.
///
/// # Errors
/// As the system says; `NotFound` also for a symbolic link that leads nowhere.
pub fn look(path: &Path) -> io::Result<Look> {
    let symlink = fs::symlink_metadata(path)?.file_type().is_symlink();
    let data = fs::metadata(path)?;
    let identity = block_number(&data).map_or(
        Identity::File {
            device: data.dev(),
            inode: data.ino(),
        },
        Identity::Device,
    );
    Ok(Look {
        kind: kind_of(data.file_type()),
        symlink,
        size: data.len(),
        allocated: data.blocks().saturating_mul(512),
        links: data.nlink(),
        identity: Some(identity),
    })
}

/// The filesystem's size and what may still be written, where the path is or would be.
pub fn space(path: &Path) -> Option<Space> {
    let existing = existing(path)?;
    let (size, available) = ioengine::sys::filesystem_space(&existing).ok()?;
    Some(Space {
        size,
        available,
        filesystem: fs::metadata(existing).ok()?.dev(),
    })
}

fn kind_of(kind: fs::FileType) -> PathKind {
    if kind.is_file() {
        PathKind::Regular
    } else if kind.is_dir() {
        PathKind::Folder
    } else if kind.is_block_device() {
        PathKind::BlockDevice
    } else if kind.is_char_device() {
        PathKind::CharacterDevice
    } else if kind.is_fifo() {
        PathKind::Fifo
    } else if kind.is_socket() {
        PathKind::Socket
    } else {
        PathKind::Other
    }
}

/// The number of the device that the metadata is of, if it is of a block device.
fn block_number(data: &fs::Metadata) -> Option<DeviceNumber> {
    data.file_type()
        .is_block_device()
        .then(|| device_number(data.rdev()))
}

/// glibc's encoding: 12 bits of major and 8 of minor where they always were, the rest above.
fn device_number(encoded: u64) -> DeviceNumber {
    DeviceNumber {
        major: (((encoded >> 8) & 0xfff) | ((encoded >> 32) & 0xffff_f000)) as u32,
        minor: ((encoded & 0xff) | ((encoded >> 12) & 0xffff_ff00)) as u32,
    }
}

/// The path without links, or that of the nearest folder above that exists.
fn existing(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    absolute
        .ancestors()
        .find_map(|path| fs::canonicalize(path).ok())
}

/// Where /proc, /sys and /dev are.
#[derive(Debug)]
struct Root(PathBuf);

impl Root {
    fn system() -> Self {
        Self(PathBuf::from("/"))
    }

    fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.0.join(below)
    }

    /// A file's text without blanks around it. What is not there, or not readable, is `None`.
    fn text(&self, below: impl AsRef<Path>) -> Option<String> {
        text(&self.path(below))
    }
}

fn text(path: &Path) -> Option<String> {
    // Names in /proc and mount points may hold any bytes.
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

fn number<T: std::str::FromStr>(path: &Path) -> Option<T> {
    text(path)?.parse().ok()
}

/// Names in a folder, sorted; empty if there is none.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uptime_is_whole_milliseconds() {
        assert_eq!(parse_uptime("350735.47 234388.90"), Some(350_735_470));
        assert_eq!(parse_uptime("0.00 0.00"), Some(0));
        for text in ["", "5", "x.yz 1", "1.2"] {
            assert_eq!(parse_uptime(text), None, "{text}");
        }
        assert!(uptime_ms() > 0);
    }

    #[test]
    fn device_numbers_decode() {
        // makedev(254, 0), makedev(259, 5) and makedev(8, 1048575) of glibc.
        for (encoded, text) in [
            (0xfe00, "254:0"),
            (0x1_0305, "259:5"),
            (0xfff0_08ff, "8:1048575"),
        ] {
            assert_eq!(device_number(encoded).to_string(), text);
        }
    }

    #[test]
    fn looks_through_links_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let link = folder.path().join("link");
        fs::write(&file, [1_u8; 5000]).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let (direct, through) = (look(&file).unwrap(), look(&link).unwrap());
        assert_eq!((direct.kind, direct.size), (PathKind::Regular, 5000));
        assert!(!direct.symlink && through.symlink);
        assert_eq!(direct.identity, through.identity);
        assert_eq!(look(folder.path()).unwrap().kind, PathKind::Folder);
        let null = look(Path::new("/dev/null")).unwrap();
        assert_eq!(null.kind, PathKind::CharacterDevice);
        let missing = look(&folder.path().join("missing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn space_of_a_path_that_does_not_exist_yet_is_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        let space = space(&folder.path().join("a/b/c")).unwrap();
        assert!(space.size >= space.available && space.size > 0);
        let device = fs::metadata(folder.path()).unwrap().dev();
        assert_eq!(space.filesystem, device);
    }
}
