//! Files and memory registered with a ring, so that the kernel need not look them up each time.

use std::{os::fd::AsRawFd, sync::Arc};

use io_uring::{IoUring, opcode, squeue, types};

use crate::{Operation, Region, Request, Setup, sys};

/// The kernel takes at most 1 GiB as one fixed buffer.
const CHUNK_SHIFT: u32 = 30;

/// A region's place among the fixed buffers.
struct Span {
    start: usize,
    length: usize,
    first: u16,
}

impl Span {
    /// The fixed buffer that holds all of `length` bytes at `address`.
    #[inline]
    fn index(&self, address: usize, length: usize) -> Option<u16> {
        let offset = address.wrapping_sub(self.start);
        let end = offset.checked_add(length)?;
        if length == 0 || end > self.length {
            return None;
        }
        let chunk = offset >> CHUNK_SHIFT;
        (chunk == (end - 1) >> CHUNK_SHIFT).then(|| self.first + chunk as u16)
    }
}

/// See the module.
pub(super) struct Fixed {
    /// What an entry names as its file: an index when files are registered, else a descriptor.
    files: Vec<types::Fd>,
    file_flags: squeue::Flags,
    /// Empty when buffers are not registered.
    regions: Vec<Span>,
    sources: Vec<Span>,
}

impl Fixed {
    /// Registers what the kernel lets us; what it refuses is a note.
    pub(super) fn register(ring: &IoUring, setup: &Setup, notes: &mut Vec<String>) -> Self {
        let descriptors: Vec<i32> = setup
            .files
            .iter()
            .map(|file| file.std().as_raw_fd())
            .collect();
        let mut files = descriptors.iter().copied().map(types::Fd).collect();
        let mut file_flags = squeue::Flags::empty();
        if !descriptors.is_empty() {
            match ring.submitter().register_files(&descriptors) {
                Ok(()) => {
                    files = (0..descriptors.len() as i32).map(types::Fd).collect();
                    file_flags = squeue::Flags::FIXED_FILE;
                }
                Err(error) => notes.push(format!(
                    "registered files: not used, each I/O looks its file up ({error})"
                )),
            }
        }
        let mut memory = Vec::new();
        let mut regions = spans(&setup.regions, &mut memory);
        let mut sources = spans(&setup.sources, &mut memory);
        if !memory.is_empty() {
            // SAFETY: each range is part of a region that the engine's `setup` keeps mapped until
            // the ring is dropped, or for ever.
            if let Err(error) = unsafe { ring.submitter().register_buffers(&memory) } {
                notes.push(without_buffers(&memory, &error));
                regions.clear();
                sources.clear();
            }
        }
        Self {
            files,
            file_flags,
            regions,
            sources,
        }
    }

    /// The kernel's entry for a checked request.
    #[inline]
    pub(super) fn entry(&self, setup: &Setup, request: &Request) -> squeue::Entry {
        let fd = self.files[request.file as usize];
        let (length, offset) = (request.length, request.offset);
        let entry = match request.operation {
            Operation::Read => {
                let address = request.buffer.address();
                match self.of_buffer(request) {
                    Some(index) => opcode::ReadFixed::new(fd, address, length, index)
                        .offset(offset)
                        .build(),
                    None => opcode::Read::new(fd, address, length)
                        .offset(offset)
                        .build(),
                }
            }
            Operation::Write => {
                let (address, index) = self.written(setup, request);
                match index {
                    Some(index) => opcode::WriteFixed::new(fd, address, length, index)
                        .offset(offset)
                        .build(),
                    None => opcode::Write::new(fd, address, length)
                        .offset(offset)
                        .build(),
                }
            }
            Operation::Flush => opcode::Fsync::new(fd).build(),
            Operation::FlushData => opcode::Fsync::new(fd)
                .flags(types::FsyncFlags::DATASYNC)
                .build(),
        };
        entry.flags(self.file_flags)
    }

    /// Where a write's bytes are, and which fixed buffer holds them.
    #[inline]
    fn written(&self, setup: &Setup, request: &Request) -> (*const u8, Option<u16>) {
        let Some(slice) = request.source else {
            return (request.buffer.address(), self.of_buffer(request));
        };
        let start = setup.sources[slice.region as usize].address().as_ptr();
        // A checked request lies inside its source.
        let address = start.wrapping_add(slice.offset as usize).cast_const();
        let index = self
            .sources
            .get(slice.region as usize)
            .and_then(|span| span.index(address.addr(), request.length as usize));
        (address, index)
    }

    /// The fixed buffer that a request's own buffer is part of.
    #[inline]
    fn of_buffer(&self, request: &Request) -> Option<u16> {
        self.regions
            .get(request.buffer.region_index() as usize)?
            .index(request.buffer.address().addr(), request.length as usize)
    }
}

/// Cuts regions into what the kernel takes as one buffer.
fn spans(regions: &[Arc<Region>], memory: &mut Vec<libc::iovec>) -> Vec<Span> {
    regions
        .iter()
        .map(|region| {
            let span = Span {
                start: region.address().as_ptr().addr(),
                length: region.len(),
                first: memory.len() as u16,
            };
            let chunk = 1_usize << CHUNK_SHIFT;
            for offset in (0..region.len()).step_by(chunk) {
                memory.push(libc::iovec {
                    iov_base: region.address().as_ptr().wrapping_add(offset).cast(),
                    iov_len: chunk.min(region.len() - offset),
                });
            }
            span
        })
        .collect()
}

/// The note about buffers that are not registered.
fn without_buffers(memory: &[libc::iovec], error: &std::io::Error) -> String {
    let bytes: usize = memory.iter().map(|part| part.iov_len).sum();
    let limit = match sys::locked_memory_limit() {
        Ok(sys::Limit {
            soft: Some(soft), ..
        }) => format!("; {bytes} bytes would be locked, the limit is {soft} (ulimit -l)"),
        _ => String::new(),
    };
    format!("registered buffers: not used, each I/O maps its memory anew ({error}{limit})")
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn only_what_lies_in_one_chunk_is_fixed() {
        let span = Span {
            start: 0x1000,
            length: (1 << 30) + 8192,
            first: 3,
        };
        assert_eq!(span.index(0x1000, 4096), Some(3));
        assert_eq!(span.index(0x1000 + (1 << 30), 8192), Some(4));
        assert_eq!(span.index(0x1000 + (1 << 30) - 512, 1024), None, "crosses");
        assert_eq!(span.index(0x1000 + (1 << 30), 8193), None, "past the end");
        assert_eq!(span.index(0xfff, 1), None, "before the start");
        assert_eq!(span.index(0x1000, 0), None, "nothing");
    }
}
