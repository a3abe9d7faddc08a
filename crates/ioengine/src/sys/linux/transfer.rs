//! The transfers of the blocking engines, as lean as they can be.

use std::{fs, os::fd::AsRawFd};

use crate::Errno;

/// The calling thread's `errno`.
#[cold]
pub(crate) fn last_error() -> Errno {
    Errno::from_io(&std::io::Error::last_os_error())
}

/// `pread`, again when a signal interrupts it.
#[inline]
pub(crate) fn read_at(file: &fs::File, bytes: &mut [u8], offset: u64) -> Result<u32, Errno> {
    loop {
        // SAFETY: pointer and length are those of a unique slice that lives through the call.
        let count = unsafe {
            libc::pread64(
                file.as_raw_fd(),
                bytes.as_mut_ptr().cast(),
                bytes.len(),
                offset as i64,
            )
        };
        if count >= 0 {
            return Ok(count as u32);
        }
        let error = last_error();
        if error != Errno::EINTR {
            return Err(error);
        }
    }
}

/// `pwrite`, again when a signal interrupts it.
#[inline]
pub(crate) fn write_at(file: &fs::File, bytes: &[u8], offset: u64) -> Result<u32, Errno> {
    loop {
        // SAFETY: pointer and length are those of a slice that lives through the call, which only
        // reads from it.
        let count = unsafe {
            libc::pwrite64(
                file.as_raw_fd(),
                bytes.as_ptr().cast(),
                bytes.len(),
                offset as i64,
            )
        };
        if count >= 0 {
            return Ok(count as u32);
        }
        let error = last_error();
        if error != Errno::EINTR {
            return Err(error);
        }
    }
}

/// `fsync`, or `fdatasync` when `data_only`; again when a signal interrupts it.
pub(crate) fn flush(file: &fs::File, data_only: bool) -> Result<u32, Errno> {
    loop {
        let fd = file.as_raw_fd();
        // SAFETY: both calls take a descriptor and touch no memory.
        let code = unsafe {
            if data_only {
                libc::fdatasync(fd)
            } else {
                libc::fsync(fd)
            }
        };
        if code == 0 {
            return Ok(0);
        }
        let error = last_error();
        if error != Errno::EINTR {
            return Err(error);
        }
    }
}
