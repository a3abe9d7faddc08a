//! Making files.

use std::{fs, io, os::unix::fs::FileExt};

use rustix::fs::FallocateFlags;

/// Gives a file `size` bytes and the space for them, so that a lack of it shows now. Where the
/// filesystem cannot reserve, only the size is set. The reserved space is to be written.
///
/// # Errors
/// As the system says; no space left, above all.
pub fn reserve(file: &fs::File, size: u64) -> io::Result<()> {
    if size == 0 {
        return Ok(());
    }
    match rustix::fs::fallocate(file, FallocateFlags::empty(), 0, size) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => file.set_len(size),
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
