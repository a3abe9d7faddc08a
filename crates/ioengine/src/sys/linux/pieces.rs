//! One call for many pieces of memory: `preadv` and `pwritev`.

use std::{fs, io, os::fd::AsRawFd};

use super::last_error;
use crate::Errno;

/// Room for the list of pieces that a call takes.
pub(crate) struct PieceList {
    vectors: Vec<libc::iovec>,
}

// SAFETY: the pointers in the list are filled and used inside one call, and cleared before it
// returns.
unsafe impl Send for PieceList {}

impl PieceList {
    /// Room for so many.
    ///
    /// # Errors
    /// Not enough memory.
    pub(crate) fn new(pieces: u32) -> io::Result<Self> {
        let mut vectors = Vec::new();
        vectors
            .try_reserve_exact(pieces as usize)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Self { vectors })
    }

    /// `preadv` into the pieces of `memory`, last first; again when a signal interrupts it.
    pub(crate) fn read_at(
        &mut self,
        file: &fs::File,
        memory: &mut [u8],
        piece: usize,
        offset: u64,
    ) -> Result<u32, Errno> {
        let pieces = memory.chunks_mut(piece).rev().map(|bytes| libc::iovec {
            iov_base: bytes.as_mut_ptr().cast(),
            iov_len: bytes.len(),
        });
        self.vectors.extend(pieces);
        self.transfer(|vectors, count| {
            // SAFETY: each vector is a part of `memory` of its own, a unique slice that lives
            // through the call; the count is that of the vectors.
            unsafe { libc::preadv64(file.as_raw_fd(), vectors, count, offset as i64) }
        })
    }

    /// `pwritev` from the pieces of `memory`, last first; again when a signal interrupts it.
    pub(crate) fn write_at(
        &mut self,
        file: &fs::File,
        memory: &[u8],
        piece: usize,
        offset: u64,
    ) -> Result<u32, Errno> {
        let pieces = memory.chunks(piece).rev().map(|bytes| libc::iovec {
            iov_base: bytes.as_ptr().cast_mut().cast(),
            iov_len: bytes.len(),
        });
        self.vectors.extend(pieces);
        self.transfer(|vectors, count| {
            // SAFETY: each vector is a part of `memory`, a slice that lives through the call, which
            // only reads from it; the count is that of the vectors.
            unsafe { libc::pwritev64(file.as_raw_fd(), vectors, count, offset as i64) }
        })
    }

    /// Calls until no signal interrupts, and forgets the pieces.
    fn transfer(&mut self, call: impl Fn(*const libc::iovec, i32) -> isize) -> Result<u32, Errno> {
        let result = loop {
            let count = call(self.vectors.as_ptr(), self.vectors.len() as i32);
            if count >= 0 {
                break Ok(count as u32);
            }
            let error = last_error();
            if error != Errno::EINTR {
                break Err(error);
            }
        };
        self.vectors.clear();
        result
    }
}
