//! Unix systems other than Linux.

use std::{
    fs, io,
    os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt},
    path::Path,
};

use super::unsupported;
use crate::{Access, Alignment, Caching, Durability, Errno, FileKind, OpenOptions};

/// Signals that ask a program to end: SIGHUP, SIGINT and SIGTERM have these numbers everywhere.
pub const END_SIGNALS: &[i32] = &[1, 2, 15];

/// O_NONBLOCK of macOS and the BSDs, so that the open of a FIFO does not wait.
const NONBLOCK: i32 = 0x4;

/// O_NOFOLLOW of macOS and the BSDs.
const NO_FOLLOW: i32 = 0x100;

/// Opens a path.
pub(crate) fn open(path: &Path, options: OpenOptions) -> io::Result<fs::File> {
    if options.caching == Caching::Direct
        || options.durability != Durability::None
        || options.exclusive
    {
        return Err(unsupported());
    }
    let mut flags = NONBLOCK;
    if options.no_follow {
        flags |= NO_FOLLOW;
    }
    fs::OpenOptions::new()
        .read(options.access != Access::Write)
        .write(options.access.writes())
        .create(options.create && options.access.writes())
        .truncate(options.truncate && options.access.writes())
        .custom_flags(flags)
        .open(path)
}

/// Makes an empty file that nobody but its owner may use, opened for writing.
///
/// # Errors
/// As the system says; `AlreadyExists` if the path names anything.
pub fn create_private(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Ties the calling thread to one CPU.
///
/// # Errors
/// `Unsupported`.
pub fn set_affinity(_cpu: usize) -> io::Result<()> {
    Err(unsupported())
}

/// What direct I/O would need: it is not to be had here.
pub(crate) fn direct_alignment(_file: &fs::File, _kind: FileKind) -> Alignment {
    Alignment {
        offset: 4096,
        memory: 4096,
    }
}

pub(super) fn kind_of(kind: fs::FileType) -> FileKind {
    if kind.is_file() {
        FileKind::Regular
    } else if kind.is_dir() {
        FileKind::Folder
    } else if kind.is_block_device() {
        FileKind::BlockDevice
    } else if kind.is_char_device() {
        FileKind::CharacterDevice
    } else if kind.is_fifo() {
        FileKind::Fifo
    } else if kind.is_socket() {
        FileKind::Socket
    } else {
        FileKind::Other
    }
}

/// Reads at an offset, again when a signal interrupts it.
pub(crate) fn read_at(file: &fs::File, bytes: &mut [u8], offset: u64) -> Result<u32, Errno> {
    loop {
        match file.read_at(bytes, offset) {
            Ok(count) => return Ok(count as u32),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Errno::from_io(&error)),
        }
    }
}

/// Writes at an offset, again when a signal interrupts it.
pub(crate) fn write_at(file: &fs::File, bytes: &[u8], offset: u64) -> Result<u32, Errno> {
    loop {
        match file.write_at(bytes, offset) {
            Ok(count) => return Ok(count as u32),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Errno::from_io(&error)),
        }
    }
}
