//! The kernel's side: context, control blocks, events and the mapped completion ring
//! (include/uapi/linux/aio_abi.h; `struct aio_ring` in fs/aio.c, whose magic number and features
//! say that user space may read it).

use std::{
    io,
    ptr::NonNull,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use crate::{Errno, Operation, Request, sys};

/// `struct iocb`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Iocb {
    data: u64,
    #[cfg(target_endian = "little")]
    key: u32,
    flags: u32,
    #[cfg(target_endian = "big")]
    key: u32,
    opcode: u16,
    priority: i16,
    fd: u32,
    address: u64,
    length: u64,
    offset: i64,
    reserved: u64,
    block_flags: u32,
    event_fd: u32,
}

const PREAD: u16 = 0;
const PWRITE: u16 = 1;
const FSYNC: u16 = 2;
const FDSYNC: u16 = 3;

impl Iocb {
    #[inline]
    pub(super) fn new(request: &Request, fd: i32, address: *const u8, data: u64) -> Self {
        let block = Self {
            data,
            fd: fd as u32,
            ..Self::default()
        };
        let opcode = match request.operation {
            Operation::Read => PREAD,
            Operation::Write => PWRITE,
            // The kernel refuses flushes that carry memory, a length or an offset.
            Operation::Flush => {
                return Self {
                    opcode: FSYNC,
                    ..block
                };
            }
            Operation::FlushData => {
                return Self {
                    opcode: FDSYNC,
                    ..block
                };
            }
        };
        Self {
            opcode,
            address: address.expose_provenance() as u64,
            length: u64::from(request.length),
            offset: request.offset as i64,
            ..block
        }
    }
}

/// `struct io_event`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Event {
    pub(super) data: u64,
    object: u64,
    pub(super) result: i64,
    second: i64,
}

/// `struct aio_ring`, at the start of a page; events follow.
#[repr(C, align(8))]
struct Ring {
    id: u32,
    count: u32,
    head: AtomicU32,
    tail: AtomicU32,
    magic: u32,
    compatible: u32,
    incompatible: u32,
    header_length: u32,
}

const RING_MAGIC: u32 = 0xa10a_10a1;

/// An AIO context: its number is the address of the completion ring.
pub(super) struct Context {
    id: usize,
    /// Set when the ring may be read from here.
    ring: Option<NonNull<Ring>>,
    /// Events that the ring holds.
    count: u32,
}

impl Context {
    pub(super) fn new(depth: u32) -> io::Result<Self> {
        let mut id = 0_usize;
        // SAFETY: the kernel writes one word, the context's number, to `id`.
        let code = unsafe { libc::syscall(libc::SYS_io_setup, depth, &raw mut id) };
        if code < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut context = Self {
            id,
            ring: None,
            count: 0,
        };
        if let Some(ring) = NonNull::new(std::ptr::with_exposed_provenance_mut::<Ring>(id)) {
            // SAFETY: since the first kernels with AIO a context's number is the address of its
            // ring, mapped readable and writable until `io_destroy`; these fields never change.
            let (magic, incompatible, header, count) = unsafe {
                (
                    (&raw const (*ring.as_ptr()).magic).read_volatile(),
                    (&raw const (*ring.as_ptr()).incompatible).read_volatile(),
                    (&raw const (*ring.as_ptr()).header_length).read_volatile(),
                    (&raw const (*ring.as_ptr()).count).read_volatile(),
                )
            };
            if magic == RING_MAGIC
                && incompatible == 0
                && header as usize == size_of::<Ring>()
                && count > 0
            {
                context.ring = Some(ring);
                context.count = count;
            }
        }
        Ok(context)
    }

    /// True if [`Context::look`] sees anything.
    pub(super) fn maps_ring(&self) -> bool {
        self.ring.is_some()
    }

    /// Hands over control blocks; how many of the first were taken.
    ///
    /// # Safety
    /// Each pointer is to a live block whose memory stays valid, and is not touched by anybody
    /// else as its operation demands, until its event is seen.
    #[inline]
    pub(super) unsafe fn submit(&self, blocks: &mut [*mut Iocb]) -> Result<usize, Errno> {
        // SAFETY: pointer and count are those of `blocks`; the caller answers for the rest.
        let count = unsafe {
            libc::syscall(
                libc::SYS_io_submit,
                self.id,
                blocks.len(),
                blocks.as_mut_ptr(),
            )
        };
        if count < 0 {
            return Err(sys::last_error());
        }
        Ok(count as usize)
    }

    /// Moves what is in the mapped ring to `events`, without a call.
    #[inline]
    pub(super) fn look(&mut self, events: &mut [Event]) -> usize {
        let Some(ring) = self.ring else {
            return 0;
        };
        // SAFETY: the ring is mapped until `destroy`, which takes `ring` away. `head` and `tail`
        // are only ever accessed atomically, by us and by the kernel.
        let (head_cell, tail_cell) = unsafe { (&(*ring.as_ptr()).head, &(*ring.as_ptr()).tail) };
        // Only this context's owner moves the head: here, or inside `io_getevents` in `wait`.
        let mut head = head_cell.load(Ordering::Relaxed);
        // The kernel fills an event before it moves the tail over it.
        let tail = tail_cell.load(Ordering::Acquire);
        // SAFETY: events follow the header.
        let first = unsafe { ring.as_ptr().add(1) }.cast::<Event>();
        let mut count = 0;
        while head != tail && head < self.count && count < events.len() {
            // SAFETY: `head < self.count`, the number of events in the mapped ring, and the kernel
            // does not write to this one before the head is moved past it, below.
            events[count] = unsafe { first.add(head as usize).read_volatile() };
            count += 1;
            head = if head + 1 == self.count { 0 } else { head + 1 };
        }
        if count > 0 {
            head_cell.store(head, Ordering::Release);
        }
        count
    }

    /// Waits for `want` events, at most `limit`; how many were put into `events`.
    pub(super) fn wait(
        &mut self,
        want: usize,
        events: &mut [Event],
        limit: Option<Duration>,
    ) -> Result<usize, Errno> {
        let limit = limit.map(|limit| libc::timespec {
            tv_sec: limit.as_secs() as _,
            tv_nsec: limit.subsec_nanos().into(),
        });
        let limit = limit.as_ref().map_or(std::ptr::null(), |limit| limit);
        // SAFETY: the kernel writes at most `events.len()` events and reads one timespec or none.
        let count = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.id,
                want.min(events.len()),
                events.len(),
                events.as_mut_ptr(),
                limit,
            )
        };
        if count < 0 {
            return Err(sys::last_error());
        }
        Ok(count as usize)
    }

    /// Ends the context; the kernel waits for what is in flight.
    pub(super) fn destroy(&mut self) {
        self.ring = None;
        // SAFETY: takes a number; the ring that it unmaps is not used any more.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.id) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_kernels_size() {
        assert_eq!(size_of::<Iocb>(), 64);
        assert_eq!(size_of::<Event>(), 32);
        assert_eq!(size_of::<Ring>(), 32);
    }

    #[test]
    fn the_ring_is_readable_on_this_kernel() {
        match Context::new(8) {
            Ok(mut context) => {
                assert!(context.maps_ring());
                assert!(context.count >= 8);
                context.destroy();
            }
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
}
