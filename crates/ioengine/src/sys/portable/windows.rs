//! Windows, by the standard library: its open options take the flags that DiskSpd's switches are.

use std::{
    ffi::c_void,
    fs, io,
    os::windows::fs::{FileExt, OpenOptionsExt},
    path::Path,
};

use crate::{Access, Alignment, Caching, Durability, Errno, FileKind, OpenOptions};

/// Signals that ask a program to end: SIGINT and SIGTERM of the C library. Ctrl-C arrives as the first.
pub const END_SIGNALS: &[i32] = &[2, 15];

/// FILE_FLAG_NO_BUFFERING (winbase.h).
const NO_BUFFERING: u32 = 0x2000_0000;
/// FILE_FLAG_WRITE_THROUGH.
const WRITE_THROUGH: u32 = 0x8000_0000;
/// FILE_FLAG_OPEN_REPARSE_POINT: the link itself, not what it names.
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// ERROR_HANDLE_EOF (winerror.h): a read that starts at or past the end.
const HANDLE_EOF: i32 = 38;

/// Opens a path.
pub(crate) fn open(path: &Path, options: OpenOptions) -> io::Result<fs::File> {
    if options.no_follow && fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the path is a symbolic link",
        ));
    }
    let mut flags = 0;
    if options.caching == Caching::Direct {
        flags |= NO_BUFFERING;
    }
    if options.durability != Durability::None {
        flags |= WRITE_THROUGH;
    }
    if options.no_follow {
        flags |= OPEN_REPARSE_POINT;
    }
    let mut opener = fs::OpenOptions::new();
    opener
        .read(options.access != Access::Write)
        .write(options.access.writes())
        .create(options.create && options.access.writes())
        .truncate(options.truncate && options.access.writes())
        .custom_flags(flags);
    if options.exclusive {
        opener.share_mode(0);
    }
    opener.open(path)
}

// SAFETY: as processthreadsapi.h and winbase.h declare them: a handle is a pointer, a mask is as wide.
#[link(name = "kernel32")]
unsafe extern "system" {
    fn GetCurrentThread() -> *mut c_void;
    fn SetThreadAffinityMask(thread: *mut c_void, mask: usize) -> usize;
}

/// Makes an empty file with the rights that its folder gives, opened for writing.
///
/// # Errors
/// As the system says; `AlreadyExists` if the path names anything.
pub fn create_private(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
}

/// Ties the calling thread to one CPU of the process's processor group, which has 64 at most.
///
/// # Errors
/// As the system says; `InvalidInput` for a CPU outside of the group.
pub fn set_affinity(cpu: usize) -> io::Result<()> {
    let mask = u32::try_from(cpu)
        .ok()
        .and_then(|cpu| 1_usize.checked_shl(cpu))
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    // SAFETY: the pseudo handle names the calling thread and is always valid; no memory is passed.
    let earlier = unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) };
    if earlier == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// What unbuffered I/O needs: 4 KiB fits every sector size in use.
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
    } else {
        FileKind::Other
    }
}

/// Reads at an offset; the end of the file is 0 bytes.
pub(crate) fn read_at(file: &fs::File, bytes: &mut [u8], offset: u64) -> Result<u32, Errno> {
    match file.seek_read(bytes, offset) {
        Ok(count) => Ok(count as u32),
        Err(error) if error.raw_os_error() == Some(HANDLE_EOF) => Ok(0),
        Err(error) => Err(Errno::from_io(&error)),
    }
}

/// Writes at an offset.
pub(crate) fn write_at(file: &fs::File, bytes: &[u8], offset: u64) -> Result<u32, Errno> {
    file.seek_write(bytes, offset)
        .map(|count| count as u32)
        .map_err(|error| Errno::from_io(&error))
}
