//! What a path is, who uses it and what it holds: the types, and what is the same on all systems.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use super::signature::{self, Signature};

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// A regular file.
    Regular,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharacterDevice,
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// Something else.
    Other,
}

impl fmt::Display for PathKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Regular => "a regular file",
            Self::BlockDevice => "a block device",
            Self::CharacterDevice => "a character device",
            Self::Folder => "a folder",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Other => "neither a file nor a block device",
        })
    }
}

/// What tells one file or device from another, whatever its names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identity {
    /// A file: the number of its filesystem, and its own.
    File {
        /// The filesystem.
        device: u64,
        /// The inode.
        inode: u64,
    },
    /// A device.
    Device(DeviceNumber),
}

/// A path after its last symbolic link is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// What it is.
    pub kind: PathKind,
    /// The path itself is a symbolic link.
    pub symlink: bool,
    /// Bytes; 0 for a device.
    pub size: u64,
    /// Bytes that the filesystem holds for it.
    pub allocated: u64,
    /// Names that it has.
    pub links: u64,
    /// Which file or device, where the system says.
    pub identity: Option<Identity>,
}

/// Major and minor number of a block device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceNumber {
    /// Its driver.
    pub major: u32,
    /// Its number there.
    pub minor: u32,
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// What a block device has done since it appeared. A sector is 512 bytes here on every device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceCounters {
    /// Reads completed.
    pub reads: u64,
    /// Reads that were merged into others.
    pub read_merges: u64,
    /// Sectors read.
    pub read_sectors: u64,
    /// Milliseconds that reads took, added up.
    pub read_ms: u64,
    /// Writes completed.
    pub writes: u64,
    /// Writes that were merged into others.
    pub write_merges: u64,
    /// Sectors written.
    pub write_sectors: u64,
    /// Milliseconds that writes took, added up.
    pub write_ms: u64,
    /// I/Os in flight now.
    pub in_flight: u64,
    /// Milliseconds in which any I/O was in flight.
    pub busy_ms: u64,
    /// Milliseconds times I/Os in flight.
    pub weighted_ms: u64,
    /// Discards completed (Linux 4.18).
    pub discards: u64,
    /// Flushes completed (Linux 5.5); always 0 on a partition.
    pub flushes: u64,
    /// Milliseconds that flushes took, added up.
    pub flush_ms: u64,
}

/// One way in which a block device is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceUse {
    /// A filesystem on it is mounted.
    Mounted {
        /// The device, its partition, its whole disk, or what is built on them.
        device: String,
        /// Where.
        mount: String,
    },
    /// Swap space.
    Swap {
        /// The device, its partition, its whole disk, or what is built on them.
        device: String,
    },
    /// Another block device is built on it: LVM, RAID, encryption, multipath, loop.
    Holder {
        /// The device, its partition or its whole disk.
        device: String,
        /// What is built on it.
        holder: String,
    },
    /// The kernel says that somebody has claimed it, without a name: a mount in another
    /// container, a ZFS pool.
    Claimed,
    /// A process has it open for writing; it is not claimed.
    Writer(Process),
}

impl DeviceUse {
    /// True if the system itself depends on the device's content, so that no consent can allow a
    /// write.
    pub fn forbids_writing(&self) -> bool {
        !matches!(self, Self::Writer(_))
    }
}

impl fmt::Display for DeviceUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mounted { device, mount } => write!(f, "{device} is mounted on {mount}"),
            Self::Swap { device } => write!(f, "{device} is swap space in use"),
            Self::Holder { device, holder } => write!(f, "{holder} is built on {device}"),
            Self::Claimed => f.write_str("another part of the system has claimed it"),
            Self::Writer(process) => write!(f, "{process} has it open for writing"),
        }
    }
}

/// A process by number and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its short name.
    pub name: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// Processes in a sentence: the first two, and how many more there are.
pub(super) fn listed(processes: &[Process]) -> String {
    let names: Vec<String> = processes.iter().take(2).map(Process::to_string).collect();
    let more = match processes.len() {
        0..=2 => String::new(),
        count => format!(" and {} more", count - 2),
    };
    names.join(", ") + &more
}

/// Who uses a regular file, as far as the system lets us see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileUse {
    /// Processes, other than this one, that have it open for writing.
    pub writers: Vec<Process>,
    /// Loop devices over it.
    pub loops: Vec<String>,
    /// It is swap space in use.
    pub swap: bool,
}

/// A database server at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// One of its processes.
    pub process: Process,
    /// This user may see what it has open.
    pub seen: bool,
    /// The disks that it writes to, and a file of its on each; empty where that is not seen.
    pub files: Vec<(DeviceNumber, PathBuf)>,
}

/// Bytes of a filesystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// In all.
    pub size: u64,
    /// That this process may still write.
    pub available: u64,
    /// Which filesystem: equal for two paths on the same one.
    pub filesystem: u64,
}

/// What a device or file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// Zeros wherever we looked.
    Blank,
    /// Something with a name, or data without one.
    Holds(Signature),
    /// It could not be read, for this reason.
    Unreadable(String),
}

/// Looks at what a device or regular file holds: at most about 1.5 MiB are read, through the page
/// cache. Call it for nothing else: opening a FIFO would wait.
pub fn contents(path: &Path) -> Contents {
    let read = || -> io::Result<Option<Signature>> {
        let mut file = fs::File::open(path)?;
        // No read-ahead: a look must not warm the page cache for the test that follows.
        let _ = ioengine::sys::advise(&file, ioengine::sys::CacheAdvice::Random);
        let look = if file.metadata()?.is_file() {
            signature::Look::File
        } else {
            signature::Look::Device
        };
        signature::read(&mut file, look)
    };
    match read() {
        Ok(None) => Contents::Blank,
        Ok(Some(signature)) => Contents::Holds(signature),
        Err(error) => Contents::Unreadable(error.to_string()),
    }
}

/// Kinds of filesystem whose data is on another machine.
const REMOTE: &[&str] = &[
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "fhgfs",
    "fuse.ceph",
    "fuse.glusterfs",
    "fuse.gcsfuse",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "fuse.curlftpfs",
    "fuse.juicefs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "orangefs",
    "panfs",
    "pvfs2",
    "smb2",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "prl_fs",
    "vmhgfs",
    "fuse.vmhgfs-fuse",
];

/// True if a filesystem of this kind keeps its data on another machine (or on a virtual machine's
/// host).
pub fn is_remote(kind: &str) -> bool {
    REMOTE.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_remote_filesystems() {
        for kind in ["nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "fuse.sshfs"] {
            assert!(is_remote(kind), "{kind}");
        }
        for kind in [
            "ext4",
            "xfs",
            "btrfs",
            "tmpfs",
            "overlay",
            "fuse.ntfs-3g",
            "fuseblk",
        ] {
            assert!(!is_remote(kind), "{kind}");
        }
    }

    #[test]
    fn only_an_unclaimed_writer_leaves_the_choice() {
        let writer = DeviceUse::Writer(Process {
            pid: 7,
            name: "qemu".into(),
        });
        assert!(!writer.forbids_writing());
        assert_eq!(
            writer.to_string(),
            "qemu (process 7) has it open for writing"
        );
        assert!(DeviceUse::Claimed.forbids_writing());
    }

    #[test]
    fn what_cannot_be_opened_is_unreadable_not_blank() {
        let folder = tempfile::tempdir().unwrap();
        let seen = contents(&folder.path().join("missing"));
        assert!(matches!(seen, Contents::Unreadable(_)), "{seen:?}");
    }
}
