//! Linux native asynchronous I/O by its four system calls, without the C library of that name.
//!
//! `submit` collects, `reap` hands the batch over in one `io_submit` and takes completions from the
//! ring that the kernel maps into the process, so that only a wait needs a second call.

use std::{fs, io, mem::ManuallyDrop, os::fd::AsRawFd, time::Duration};

use self::context::{Context, Event, Iocb};
use super::{check, full, invalid};
use crate::{
    Completion, Engine, EngineKind, Errno, Nanos, OpenError, Operation, Rejected, Request, Setup,
    Wait, clock, sys,
};

mod context;

/// One place for a request in flight; its index is the control block's data.
struct Slot {
    request: Option<Request>,
    issued: Nanos,
    initiated: Nanos,
}

/// See the module.
pub(crate) struct Libaio {
    /// `None` when `drop` is done with it; leaked together with the memory below otherwise.
    context: Context,
    /// Owns every request in flight: no buffer is touched or freed before its completion is reaped.
    slots: ManuallyDrop<Vec<Slot>>,
    /// Keeps files open and sources mapped as long as the kernel may use them.
    setup: ManuallyDrop<Setup>,
    free: Vec<u32>,
    /// Slots collected and not yet with the kernel, oldest first.
    collected: Vec<u32>,
    /// A control block a slot; the kernel copies it during `io_submit`.
    blocks: Vec<Iocb>,
    /// Scratch for `io_submit` and `io_getevents`.
    pointers: Vec<*mut Iocb>,
    events: Vec<Event>,
    /// What needed no kernel queue: refused requests, and flushes by call.
    done: Vec<Completion>,
    notes: Vec<String>,
}

// SAFETY: the raw pointers in `pointers` are scratch that is filled and used inside one call; all
// else is owned data, and an AIO context may be used by any thread of the process.
unsafe impl Send for Libaio {}

impl Libaio {
    pub(crate) fn open(setup: Setup) -> Result<Self, OpenError> {
        let depth = setup.depth;
        let context = Context::new(depth).map_err(|error| refused(error, depth))?;
        let count = depth as usize;
        let mut notes = Vec::new();
        if !context.maps_ring() {
            notes.push("completion ring: not readable in this kernel, each look is a call".into());
        }
        Ok(Self {
            context,
            slots: ManuallyDrop::new(
                (0..depth)
                    .map(|_| Slot {
                        request: None,
                        issued: Nanos::NEVER,
                        initiated: Nanos::NEVER,
                    })
                    .collect(),
            ),
            setup: ManuallyDrop::new(setup),
            free: (0..depth).rev().collect(),
            collected: Vec::with_capacity(count),
            blocks: vec![Iocb::default(); count],
            pointers: Vec::with_capacity(count),
            events: vec![Event::default(); count],
            done: Vec::new(),
            notes,
        })
    }

    /// Requests with the kernel.
    #[inline]
    fn in_kernel(&self) -> usize {
        self.slots.len() - self.free.len() - self.collected.len()
    }

    /// The control block of a checked request.
    #[inline]
    fn block(&self, request: &Request, slot: u32) -> Iocb {
        let fd = self.setup.files[request.file as usize].std().as_raw_fd();
        let mut address = request.buffer.address().cast_const();
        if let (Operation::Write, Some(slice)) = (request.operation, request.source) {
            let start = self.setup.sources[slice.region as usize].address().as_ptr();
            // A checked request lies inside its source.
            address = start.wrapping_add(slice.offset as usize).cast_const();
        }
        Iocb::new(request, fd, address, u64::from(slot))
    }

    /// Hands over all that is collected, or what the kernel takes of it.
    fn issue(&mut self) -> io::Result<()> {
        if self.collected.is_empty() {
            return Ok(());
        }
        let now = clock::now();
        self.pointers.clear();
        for slot in &self.collected {
            self.slots[*slot as usize].issued = now;
            self.pointers.push(&raw mut self.blocks[*slot as usize]);
        }
        let mut from = 0;
        while from < self.pointers.len() {
            // SAFETY: each pointer is to a block in `blocks`, whose memory is the buffer of a
            // request that `slots` owns until its completion is reaped, or a source that `setup`
            // keeps mapped and nobody can write; `drop` waits, or leaks both.
            match unsafe { self.context.submit(&mut self.pointers[from..]) } {
                Ok(taken) => {
                    if self.setup.initiation {
                        self.stamp_initiated(from, taken);
                    }
                    from += taken;
                }
                Err(Errno(libc::EINTR)) => {}
                Err(Errno(libc::EAGAIN)) => break,
                Err(Errno(code @ (libc::ENOSYS | libc::EFAULT))) => {
                    self.collected.drain(..from);
                    return Err(io::Error::from_raw_os_error(code));
                }
                Err(errno) => {
                    self.refuse(self.collected[from], errno);
                    from += 1;
                }
            }
        }
        self.collected.drain(..from);
        if !self.collected.is_empty() && self.in_kernel() == 0 {
            // The kernel has no room and nothing of ours to wait for.
            std::thread::sleep(Duration::from_micros(50));
        }
        Ok(())
    }

    /// The kernel has taken so many of what was collected.
    fn stamp_initiated(&mut self, from: usize, taken: usize) {
        let now = clock::now();
        for slot in self.collected.iter().skip(from).take(taken) {
            self.slots[*slot as usize].initiated = now;
        }
    }

    /// Completes a request that the kernel did not take: a flush that this filesystem does not do
    /// asynchronously by call, anything else with the error.
    #[cold]
    fn refuse(&mut self, slot: u32, errno: Errno) {
        let place = &mut self.slots[slot as usize];
        let Some(request) = place.request.take() else {
            return;
        };
        let result = match self.setup.files.get(request.file as usize) {
            Some(file) if errno == Errno::EINVAL && !request.operation.transfers() => {
                sys::flush(file.std(), request.operation == Operation::FlushData)
            }
            _ => Err(errno),
        };
        let completed = clock::now();
        self.done.push(Completion {
            request,
            result,
            issued: place.issued,
            initiated: completed,
            completed,
        });
        self.free.push(slot);
    }

    /// Takes the first `count` of `events`.
    #[inline]
    fn take(&mut self, count: usize, out: &mut Vec<Completion>) {
        if count == 0 {
            return;
        }
        let completed = clock::now();
        out.reserve(count);
        for event in &self.events[..count] {
            let index = event.data as u32;
            let slot = &mut self.slots[index as usize];
            let Some(request) = slot.request.take() else {
                continue;
            };
            out.push(Completion {
                request,
                result: match event.result {
                    count @ 0.. => Ok(count as u32),
                    code => Err(Errno(-code as i32)),
                },
                issued: slot.issued,
                initiated: slot.initiated,
                completed,
            });
            self.free.push(index);
        }
    }

    /// Waits in the kernel for `want` completions or until `until`; takes what is there then.
    fn wait(
        &mut self,
        want: usize,
        until: Option<Nanos>,
        out: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let limit = until.map(|until| Duration::from_nanos(until.since(clock::now())));
        match self.context.wait(want, &mut self.events, limit) {
            Ok(count) => self.take(count, out),
            Err(Errno(libc::EINTR)) => {}
            Err(errno) => return Err(errno.into()),
        }
        Ok(())
    }

    /// Waits until the kernel has given everything back. What was never handed over is not issued.
    fn drain(&mut self) -> io::Result<()> {
        for slot in std::mem::take(&mut self.collected) {
            self.slots[slot as usize].request = None;
            self.free.push(slot);
        }
        let mut out = Vec::new();
        while self.in_kernel() > 0 {
            self.wait(1, None, &mut out)?;
            out.clear();
        }
        Ok(())
    }
}

impl Engine for Libaio {
    #[inline]
    fn submit(&mut self, request: Request) -> Result<(), Rejected> {
        if let Err(why) = check(&self.setup, &request) {
            return Err(invalid(request, why));
        }
        if self.in_flight() >= self.slots.len() {
            return Err(full(request));
        }
        let Some(index) = self.free.pop() else {
            return Err(full(request));
        };
        self.blocks[index as usize] = self.block(&request, index);
        self.slots[index as usize].request = Some(request);
        self.collected.push(index);
        Ok(())
    }

    #[inline]
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if self.in_flight() == 0 {
            if let Some(until) = wait.until {
                clock::sleep_until(until);
            }
            return Ok(());
        }
        let before = out.len();
        let at_least = wait.at_least.min(self.in_flight());
        loop {
            self.issue()?;
            out.append(&mut self.done);
            let count = self.context.look(&mut self.events);
            self.take(count, out);
            let missing = at_least.saturating_sub(out.len() - before);
            let missing = missing.min(self.in_kernel());
            // A look without the mapped ring is a call that waits for nothing.
            if missing > 0 || (!self.context.maps_ring() && self.in_kernel() > 0) {
                self.wait(missing, wait.until, out)?;
            }
            let enough = out.len() - before >= at_least && self.collected.is_empty();
            if enough || wait.until.is_some_and(|until| clock::now() >= until) {
                return Ok(());
            }
        }
    }

    #[inline]
    fn in_flight(&self) -> usize {
        self.slots.len() - self.free.len() + self.done.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl Drop for Libaio {
    fn drop(&mut self) {
        if self.drain().is_err() {
            // The kernel may still write to the buffers: context, requests and set-up stay.
            return;
        }
        self.context.destroy();
        // SAFETY: each is dropped once, here, and never used again; nothing is in flight.
        unsafe {
            ManuallyDrop::drop(&mut self.slots);
            ManuallyDrop::drop(&mut self.setup);
        }
    }
}

/// A sentence for a context that the kernel does not give.
fn refused(source: io::Error, depth: u32) -> OpenError {
    let read = |name: &str| {
        fs::read_to_string(format!("/proc/sys/fs/{name}"))
            .map_or_else(|_| "?".to_owned(), |text| text.trim().to_owned())
    };
    let reason = match source.raw_os_error() {
        Some(libc::EAGAIN) => format!(
            "the system's asynchronous I/O requests are used up: fs.aio-nr is {}, fs.aio-max-nr is \
             {}, {depth} more are needed; `sysctl fs.aio-max-nr=1048576` as root allows more",
            read("aio-nr"),
            read("aio-max-nr"),
        ),
        Some(libc::ENOSYS) => "this kernel is built without asynchronous I/O (CONFIG_AIO), or a \
                               seccomp filter hides it"
            .to_owned(),
        Some(libc::EPERM) => "a seccomp filter forbids it, as in some containers".to_owned(),
        Some(libc::ENOMEM) => format!("not enough memory for {depth} requests"),
        _ => format!("io_setup for {depth} requests: {source}"),
    };
    OpenError::Refused {
        engine: EngineKind::Libaio,
        reason: format!("{reason}; psync and io_uring do without it"),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhaustion_names_both_sysctls_and_the_need() {
        let text = refused(io::Error::from_raw_os_error(libc::EAGAIN), 4321).to_string();
        for words in ["fs.aio-nr is ", "fs.aio-max-nr is ", "4321 more"] {
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn a_depth_past_the_systems_limit_is_refused_with_its_cause() {
        let limit: u64 = fs::read_to_string("/proc/sys/fs/aio-max-nr")
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(u64::MAX);
        let Ok(depth) = u32::try_from(limit.saturating_add(1)) else {
            return;
        };
        if depth > 10_000_000 {
            return;
        }
        let setup = Setup {
            depth,
            ..Setup::default()
        };
        let error = Libaio::open(setup).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("aio-max-nr")));
    }
}
