//! Making files.

use std::{fs, io, os::unix::fs::FileExt};

use rustix::fs::FallocateFlags;

/// Sets space aside for `size` bytes, so that a lack of it shows now. The file's size stays: a
/// writer that is killed leaves no more behind than it wrote. Where the filesystem cannot do this,
/// nothing happens.
///
/// # Errors
/// As the system says; no space left, above all.
pub fn reserve(file: &fs::File, size: u64) -> io::Result<()> {
    if size == 0 {
        return Ok(());
    }
    match rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, 0, size) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// As the system says.
pub fn write_all_at(file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}
