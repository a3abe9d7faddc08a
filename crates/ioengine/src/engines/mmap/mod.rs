//! A shared mapping of each file, copied from and to: each request is done when it is submitted.
//!
//! Each engine maps for itself, so that a damaged page is seen by the engine that meets it.

mod sigbus;

use std::{io, os::fd::AsRawFd, ptr::NonNull};

use super::{check, full, invalid};
use crate::{
    Access, Caching, Completion, Durability, Engine, EngineKind, Errno, File, FileKind, Nanos,
    OpenError, Operation, Rejected, Request, Setup, Wait, clock, registry::MappedFlush, sys,
};

/// Filesystems whose pages are too big to be mended one by one (HUGETLBFS_MAGIC).
const HUGETLBFS: u64 = 0x9584_58f6;

/// One file's mapping.
struct Map {
    /// `None` for a file without bytes.
    start: Option<NonNull<u8>>,
    length: usize,
    writable: bool,
    /// A damaged range could not be mapped again: not one byte may be touched any more.
    broken: bool,
    /// Set when each write must be followed by `msync`.
    synchronous: bool,
}

// SAFETY: a mapping belongs to the process; `Map` is its only holder.
unsafe impl Send for Map {}

/// See the module.
pub(crate) struct Mapped {
    setup: Setup,
    maps: Vec<Map>,
    depth: usize,
    page: usize,
    done: Vec<Completion>,
    notes: Vec<String>,
}

impl Mapped {
    pub(crate) fn open(setup: Setup) -> Result<Self, OpenError> {
        let engine = EngineKind::Mmap;
        if setup.mapped_flush == MappedFlush::CacheLine {
            return Err(OpenError::Unfit {
                engine,
                reason: "flushing by cache line needs a file on persistent memory mapped with \
                         MAP_SYNC, which this engine does not do: flush by msync"
                    .to_owned(),
            });
        }
        sigbus::install().map_err(|source| OpenError::Call {
            engine,
            call: "sigaction(SIGBUS)",
            source,
        })?;
        let mut notes = Vec::new();
        let mut maps = Vec::with_capacity(setup.files.len());
        for file in &setup.files {
            let mut map = Map::of(file)?;
            map.synchronous |= setup.mapped_flush == MappedFlush::Sync;
            if file.options().durability != Durability::None {
                notes.push(format!(
                    "{}: a mapping knows no O_DSYNC or O_SYNC, each write is followed by msync",
                    file.path().display()
                ));
            }
            maps.push(map);
        }
        let depth = setup.depth as usize;
        Ok(Self {
            setup,
            maps,
            depth,
            page: sys::page_size(),
            done: Vec::with_capacity(depth),
            notes,
        })
    }

    /// Does a checked request.
    fn perform(&mut self, request: &mut Request) -> Result<u32, Errno> {
        let index = request.file as usize;
        match request.operation {
            Operation::Flush | Operation::FlushData => {
                let map = &self.maps[index];
                map.sync(0, map.length)
            }
            Operation::Read => self.read(request),
            Operation::Write => self.write(request),
        }
    }

    fn read(&mut self, request: &mut Request) -> Result<u32, Errno> {
        let map = &mut self.maps[request.file as usize];
        let Some((from, length)) = map.part(request.offset, request.length)? else {
            return Ok(0);
        };
        // SAFETY: `part` gives bytes of the live mapping; the request owns its buffer, which is at
        // least as long (checked), and no buffer lies in a mapped file.
        let whole = unsafe { sigbus::copy(from, request.buffer.address(), length, from, length) };
        if !whole {
            let file = &self.setup.files[request.file as usize];
            map.mend(file, request.offset, length, self.page);
            return Err(Errno::EIO);
        }
        Ok(length as u32)
    }

    fn write(&mut self, request: &Request) -> Result<u32, Errno> {
        let map = &mut self.maps[request.file as usize];
        if !map.writable {
            return Err(Errno::EBADF);
        }
        let Some((to, length)) = map.part(request.offset, request.length)? else {
            // A mapping cannot grow its file.
            return if request.length == 0 {
                Ok(0)
            } else {
                Err(Errno::EFBIG)
            };
        };
        let mut from = request.buffer.address().cast_const();
        if let Some(slice) = request.source {
            let source = self.setup.sources[slice.region as usize].address();
            // A checked request lies inside its source.
            from = source.as_ptr().wrapping_add(slice.offset as usize);
        }
        // SAFETY: `part` gives bytes of the live, writable mapping; the source bytes are the
        // request's own buffer or a source that nobody can write (both checked to be long enough).
        let whole = unsafe { sigbus::copy(from, to, length, to, length) };
        if !whole {
            let file = &self.setup.files[request.file as usize];
            map.mend(file, request.offset, length, self.page);
            return Err(Errno::EIO);
        }
        if map.synchronous {
            let start = request.offset as usize & !(self.page - 1);
            map.sync(start, request.offset as usize + length - start)?;
        }
        Ok(length as u32)
    }
}

impl Map {
    fn of(file: &File) -> Result<Self, OpenError> {
        let engine = EngineKind::Mmap;
        let path = file.path().display();
        let unfit = |reason: String| OpenError::Unfit { engine, reason };
        if file.kind() != FileKind::Regular {
            return Err(unfit(format!("{path} is not a regular file")));
        }
        let options = file.options();
        if options.caching == Caching::Direct {
            return Err(unfit(format!(
                "{path}: a mapping is the page cache, direct I/O cannot go through it"
            )));
        }
        if options.access == Access::Write {
            return Err(unfit(format!(
                "{path}: a shared mapping needs the file open for reading too"
            )));
        }
        if sys::free_space(file.path()).is_ok_and(|space| space.kind == HUGETLBFS) {
            return Err(unfit(format!("{path} is on hugetlbfs")));
        }
        let call = |call, source| OpenError::Call {
            engine,
            call,
            source,
        };
        let size = file.size_now().map_err(|error| call("fstat", error))?;
        let Ok(length) = usize::try_from(size) else {
            return Err(unfit(format!("{path} is larger than the address space")));
        };
        let mut map = Self {
            start: None,
            length,
            writable: options.access.writes(),
            broken: false,
            synchronous: options.durability != Durability::None,
        };
        if length > 0 {
            let flags = libc::MAP_SHARED;
            // SAFETY: a null hint without MAP_FIXED makes a new mapping; nothing existing changes.
            let start = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    length,
                    map.protection(),
                    flags,
                    file.std().as_raw_fd(),
                    0,
                )
            };
            if start == libc::MAP_FAILED {
                return Err(call("mmap", io::Error::last_os_error()));
            }
            map.start = NonNull::new(start.cast());
        }
        Ok(map)
    }

    fn protection(&self) -> libc::c_int {
        if self.writable {
            libc::PROT_READ | libc::PROT_WRITE
        } else {
            libc::PROT_READ
        }
    }

    /// The mapped bytes of a transfer: fewer where the mapping ends, `None` for nothing.
    #[inline]
    fn part(&self, offset: u64, length: u32) -> Result<Option<(*mut u8, usize)>, Errno> {
        if self.broken {
            return Err(Errno::EIO);
        }
        let Some(start) = self.start else {
            return Ok(None);
        };
        if offset >= self.length as u64 || length == 0 {
            return Ok(None);
        }
        let offset = offset as usize;
        let length = (length as usize).min(self.length - offset);
        Ok(Some((start.as_ptr().wrapping_add(offset), length)))
    }

    /// `msync(MS_SYNC)` of a range that starts on a page.
    fn sync(&self, offset: usize, length: usize) -> Result<u32, Errno> {
        if self.broken {
            return Err(Errno::EIO);
        }
        let Some(start) = self.start else {
            return Ok(0);
        };
        loop {
            // SAFETY: the range is part of the live mapping; msync changes no byte of it.
            let code = unsafe {
                libc::msync(
                    start.as_ptr().wrapping_add(offset).cast(),
                    length,
                    libc::MS_SYNC,
                )
            };
            if code == 0 {
                return Ok(0);
            }
            let error = sys::last_error();
            if error != Errno::EINTR {
                return Err(error);
            }
        }
    }

    /// Maps the pages of a damaged transfer from the file again, over what stood in for them.
    #[cold]
    fn mend(&mut self, file: &File, offset: u64, length: usize, page: usize) {
        let Some(start) = self.start else {
            return;
        };
        let first = offset as usize & !(page - 1);
        let length = (offset as usize + length - first).next_multiple_of(page);
        // SAFETY: the pages are part of our own mapping (its last page may reach past the file's
        // end, and is mapped whole), which nobody else holds a pointer to.
        let place = unsafe {
            libc::mmap(
                start.as_ptr().wrapping_add(first).cast(),
                length,
                self.protection(),
                libc::MAP_SHARED | libc::MAP_FIXED,
                file.std().as_raw_fd(),
                first as libc::off_t,
            )
        };
        self.broken = place == libc::MAP_FAILED;
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // What could not be mended may be a hole that another mapping has taken: left alone.
        if let (Some(start), false) = (self.start, self.broken) {
            // SAFETY: exactly the mapping that `of` made, whose only holder this is.
            unsafe { libc::munmap(start.as_ptr().cast(), self.length) };
        }
    }
}

impl Engine for Mapped {
    fn submit(&mut self, mut request: Request) -> Result<(), Rejected> {
        if self.done.len() >= self.depth {
            return Err(full(request));
        }
        if let Err(why) = check(&self.setup, &request) {
            return Err(invalid(request, why));
        }
        let issued = clock::now();
        let result = self.perform(&mut request);
        let completed = clock::now();
        self.done.push(Completion {
            request,
            result,
            issued,
            initiated: completed,
            completed,
        });
        Ok(())
    }

    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if let (true, Some(until)) = (self.done.is_empty(), wait.until) {
            clock::sleep_until(until);
        }
        out.append(&mut self.done);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.done.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
