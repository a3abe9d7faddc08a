//! The transfers of the blocking engines, as lean as they can be: system calls without the C
//! library between, whose `pread` is a point of cancellation and pays for that on every call of a
//! program with threads.

use std::fs;

use rustix::io;

use crate::Errno;

/// The calling thread's `errno`.
#[cold]
pub(crate) fn last_error() -> Errno {
    Errno::from_io(&std::io::Error::last_os_error())
}

/// `pread`, again when a signal interrupts it.
#[inline]
pub(crate) fn read_at(file: &fs::File, bytes: &mut [u8], offset: u64) -> Result<u32, Errno> {
    again(|| io::pread(file, &mut *bytes, offset)).map(|count| count as u32)
}

/// `pwrite`, again when a signal interrupts it.
#[inline]
pub(crate) fn write_at(file: &fs::File, bytes: &[u8], offset: u64) -> Result<u32, Errno> {
    again(|| io::pwrite(file, bytes, offset)).map(|count| count as u32)
}

/// `fsync`, or `fdatasync` when `data_only`; again when a signal interrupts it.
pub(crate) fn flush(file: &fs::File, data_only: bool) -> Result<u32, Errno> {
    let call = || {
        if data_only {
            rustix::fs::fdatasync(file)
        } else {
            rustix::fs::fsync(file)
        }
    };
    again(call).map(|()| 0)
}

/// A call until no signal interrupts it.
#[inline]
fn again<T>(mut call: impl FnMut() -> io::Result<T>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(io::Errno::INTR) => {}
            result => return result.map_err(|errno| Errno(errno.raw_os_error())),
        }
    }
}
