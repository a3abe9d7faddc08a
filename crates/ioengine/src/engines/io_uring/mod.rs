//! Linux io_uring: requests are pushed by `submit` and enter the kernel in the next `reap`, which
//! waits in the same call.

mod fixed;
mod start;

use std::{io, mem::ManuallyDrop, time::Duration};

use io_uring::{EnterFlags, IoUring, types};

use self::fixed::Fixed;
use super::{check, full, invalid};
use crate::{
    Completion, Engine, Errno, Nanos, OpenError, Operation, Rejected, Request, Setup, Wait, clock,
    registry::Polling, sys,
};

/// How often a request that the kernel gives back with EAGAIN or EINTR is issued again.
const RETRIES: u8 = 100;

/// How long a submission-polled ring looks for completions before it sleeps in the kernel.
const SPIN_NS: u64 = 20_000;

/// One place for a request in flight; its index is the entry's user data.
struct Slot {
    request: Option<Request>,
    /// `Nanos::NEVER` until it is issued.
    issued: Nanos,
    initiated: Nanos,
    retries: u8,
}

/// See the module.
pub(crate) struct Uring {
    /// Known to the kernel together with the memory below; all are leaked when `drop` cannot wait.
    ring: ManuallyDrop<IoUring>,
    /// Owns every request in flight: no buffer is touched or freed before its completion is reaped.
    slots: ManuallyDrop<Vec<Slot>>,
    /// Keeps files open and regions and sources mapped as long as the ring may use them.
    setup: ManuallyDrop<Setup>,
    fixed: Fixed,
    free: Vec<u32>,
    /// Slots pushed and not yet taken by the kernel, oldest first. Always empty with
    /// `Polling::Submission`, where a push is all it takes.
    pushed: Vec<u32>,
    /// Flushes of a device-polled ring, which has no such operation: done when submitted.
    done: Vec<Completion>,
    polling: Polling,
    notes: Vec<String>,
}

impl Uring {
    pub(crate) fn open(setup: Setup) -> Result<Self, OpenError> {
        let mut notes = Vec::new();
        let ring = start::build(&setup, &mut notes)?;
        let fixed = Fixed::register(&ring, &setup, &mut notes);
        let depth = setup.depth;
        let slots = (0..depth)
            .map(|_| Slot {
                request: None,
                issued: Nanos::NEVER,
                initiated: Nanos::NEVER,
                retries: 0,
            })
            .collect();
        Ok(Self {
            ring: ManuallyDrop::new(ring),
            slots: ManuallyDrop::new(slots),
            fixed,
            free: (0..depth).rev().collect(),
            pushed: Vec::with_capacity(depth as usize),
            done: Vec::new(),
            polling: setup.polling,
            setup: ManuallyDrop::new(setup),
            notes,
        })
    }

    /// Requests that the ring holds, whether the kernel has them yet or not.
    #[inline]
    fn held(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Pushes the entry of the request in `slot`; false when the queue is full, which cannot be
    /// while it has as many entries as there are slots.
    #[inline]
    fn push(&mut self, slot: u32) -> bool {
        let Some(request) = &self.slots[slot as usize].request else {
            return false;
        };
        let entry = self
            .fixed
            .entry(&self.setup, request)
            .user_data(u64::from(slot));
        if self.polling == Polling::Submission {
            self.slots[slot as usize].issued = clock::now();
        } else {
            self.pushed.push(slot);
        }
        // SAFETY: the entry's memory is the request's buffer, owned by `slots[slot]` and untouched
        // until its completion is reaped, or a source that `setup` keeps mapped and that nobody can
        // write; `drop` reaps every slot, or leaks slots and set-up, before any is freed.
        let pushed = unsafe { self.ring.submission().push(&entry) }.is_ok();
        if self.setup.initiation && self.polling == Polling::Submission {
            self.slots[slot as usize].initiated = clock::now();
        }
        pushed
    }

    /// Stamps what was pushed, hands it to the kernel and waits there for `want` completions in
    /// the ring or for `until`.
    fn enter(&mut self, want: usize, until: Option<Nanos>) -> io::Result<()> {
        if self.setup.initiation && !self.pushed.is_empty() {
            // A call that waits as well would say too late when it had taken the requests.
            self.enter_once(0, None)?;
            if self.ring.completion().len() >= want {
                return Ok(());
            }
        }
        self.enter_once(want, until)
    }

    fn enter_once(&mut self, want: usize, until: Option<Nanos>) -> io::Result<()> {
        let mut want = want;
        let mut left = None;
        if !self.pushed.is_empty() || until.is_some() {
            let now = clock::now();
            for slot in &self.pushed {
                self.slots[*slot as usize].issued = now;
            }
            left = until.filter(|_| want > 0).map(|until| until.since(now));
            if left == Some(0) {
                want = 0;
            }
        }
        let taken = match left {
            Some(left) if left > 0 => self.enter_for(want, left),
            _ => self.ring.submitter().submit_and_wait(want),
        };
        match taken {
            Ok(taken) => {
                self.taken(taken);
                Ok(())
            }
            Err(error) => match error.raw_os_error() {
                // Time is up, or a signal: the caller looks at what there is and at its clock.
                Some(libc::ETIME | libc::EINTR) => Ok(()),
                // The kernel is short of memory or wants completions reaped first.
                Some(libc::EAGAIN | libc::EBUSY) => {
                    if self.ring.completion().is_empty() {
                        std::thread::sleep(Duration::from_micros(50));
                    }
                    Ok(())
                }
                _ => Err(error),
            },
        }
    }

    /// The kernel has taken so many of what was pushed.
    #[inline]
    fn taken(&mut self, count: usize) {
        let taken = self.pushed.drain(..count.min(self.pushed.len()));
        if self.setup.initiation {
            let now = clock::now();
            for slot in taken {
                self.slots[slot as usize].initiated = now;
            }
        }
    }

    /// Submits and waits for `want` completions, `left` nanoseconds at most.
    fn enter_for(&mut self, want: usize, left: u64) -> io::Result<usize> {
        if self.ring.params().is_feature_ext_arg() {
            let span = types::Timespec::from(Duration::from_nanos(left));
            let limit = types::SubmitArgs::new().timespec(&span);
            return self.ring.submitter().submit_with_args(want, &limit);
        }
        // Before Linux 5.11 a wait has no limit: short sleeps stand in for it.
        let taken = self.ring.submitter().submit_and_wait(0)?;
        if self.ring.completion().len() < want {
            std::thread::sleep(Duration::from_nanos(left.min(50_000)));
        }
        Ok(taken)
    }

    /// Looks for completions without a call for a while, for rings that need none to submit.
    fn spin(&mut self, want: usize, until: Option<Nanos>) -> io::Result<()> {
        // Wakes the kernel's thread if it sleeps.
        self.enter(0, None)?;
        let end = Nanos(clock::now().0.saturating_add(SPIN_NS)).min(until.unwrap_or(Nanos::NEVER));
        while self.ring.completion().len() < want && clock::now() < end {
            std::hint::spin_loop();
        }
        Ok(())
    }

    /// True if a poll must enter the kernel to see what has completed.
    fn needs_enter(&mut self) -> bool {
        self.polling == Polling::Device || self.ring.submission().taskrun()
    }

    /// Moves what the completion queue holds into `out`.
    #[inline]
    fn collect(&mut self, out: &mut Vec<Completion>) {
        let mut again = 0;
        {
            let completions = self.ring.completion();
            if completions.is_empty() {
                return;
            }
            let completed = clock::now();
            out.reserve(completions.len());
            for entry in completions {
                let index = entry.user_data() as u32;
                let slot = &mut self.slots[index as usize];
                let result = match entry.result() {
                    code @ 0.. => Ok(code as u32),
                    code => Err(Errno(-code)),
                };
                if matches!(result, Err(Errno::EAGAIN | Errno::EINTR)) && slot.retries < RETRIES {
                    slot.retries += 1;
                    again += 1;
                    self.free.push(index);
                    continue;
                }
                let Some(request) = slot.request.take() else {
                    continue;
                };
                out.push(Completion {
                    request,
                    result,
                    issued: slot.issued,
                    initiated: slot.initiated,
                    completed,
                });
                self.free.push(index);
            }
        }
        if again > 0 {
            self.push_again();
        }
    }

    /// Issues once more what the kernel gave back: free slots that still hold their request.
    #[cold]
    fn push_again(&mut self) {
        let (again, free): (Vec<u32>, Vec<u32>) = std::mem::take(&mut self.free)
            .into_iter()
            .partition(|slot| self.slots[*slot as usize].request.is_some());
        self.free = free;
        for slot in again {
            self.push(slot);
        }
    }

    /// Waits until the kernel has given everything back. What was pushed and never entered is not
    /// with the kernel, and is not issued any more.
    fn drain(&mut self) -> io::Result<()> {
        let mut out = Vec::new();
        for slot in std::mem::take(&mut self.pushed) {
            self.slots[slot as usize].request = None;
            self.free.push(slot);
        }
        loop {
            for slot in self.slots.iter_mut() {
                slot.retries = RETRIES;
            }
            self.collect(&mut out);
            out.clear();
            if self.held() == 0 {
                return Ok(());
            }
            let mut flags = EnterFlags::GETEVENTS;
            if self.polling == Polling::Submission {
                flags |= EnterFlags::SQ_WAKEUP;
            }
            // SAFETY: submits nothing (the count is 0) and passes no argument; waits for one
            // completion.
            let result = unsafe {
                self.ring
                    .submitter()
                    .enter::<libc::sigset_t>(0, 1, flags.bits(), None)
            };
            if let Err(error) = result {
                match error.raw_os_error() {
                    Some(libc::EINTR | libc::EAGAIN | libc::EBUSY) => {}
                    _ => return Err(error),
                }
            }
        }
    }

    /// A flush by call, for a ring that polls the device and so knows no flush.
    fn flush_now(&mut self, request: Request) {
        let issued = clock::now();
        let result = match self.setup.files.get(request.file as usize) {
            Some(file) => sys::flush(file.std(), request.operation == Operation::FlushData),
            None => Err(Errno::EBADF),
        };
        let completed = clock::now();
        self.done.push(Completion {
            request,
            result,
            issued,
            initiated: completed,
            completed,
        });
    }
}

impl Engine for Uring {
    #[inline]
    fn submit(&mut self, request: Request) -> Result<(), Rejected> {
        if let Err(why) = check(&self.setup, &request) {
            return Err(invalid(request, why));
        }
        if self.in_flight() >= self.slots.len() {
            return Err(full(request));
        }
        if self.polling == Polling::Device && !request.operation.transfers() {
            self.flush_now(request);
            return Ok(());
        }
        let Some(index) = self.free.pop() else {
            return Err(full(request));
        };
        let slot = &mut self.slots[index as usize];
        slot.request = Some(request);
        slot.retries = 0;
        if self.push(index) {
            return Ok(());
        }
        self.pushed.retain(|slot| *slot != index);
        self.free.push(index);
        match self.slots[index as usize].request.take() {
            Some(request) => Err(full(request)),
            None => Ok(()),
        }
    }

    #[inline]
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        let before = out.len();
        let at_least = wait.at_least.min(self.in_flight());
        if self.in_flight() == 0 {
            if let Some(until) = wait.until {
                clock::sleep_until(until);
            }
            return Ok(());
        }
        out.append(&mut self.done);
        loop {
            let missing = at_least.saturating_sub(out.len() - before);
            let ready = self.ring.completion().len();
            if !self.pushed.is_empty() || ready < missing || (ready == 0 && self.needs_enter()) {
                if self.polling == Polling::Submission {
                    self.spin(missing, wait.until)?;
                }
                if self.polling != Polling::Submission || self.ring.completion().len() < missing {
                    self.enter(missing, wait.until)?;
                }
            }
            self.collect(out);
            let enough = out.len() - before >= at_least && self.pushed.is_empty();
            if enough || wait.until.is_some_and(|until| clock::now() >= until) {
                return Ok(());
            }
        }
    }

    #[inline]
    fn in_flight(&self) -> usize {
        self.held() + self.done.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        if self.drain().is_err() {
            // Another thread's ring, for example: the kernel may still write to the buffers, so
            // ring, requests and set-up stay for ever.
            return;
        }
        // The kernel takes a closed ring apart when it finds time: until then it would hold the
        // files open and their filesystem busy. Where nothing was registered the calls just fail.
        let submitter = self.ring.submitter();
        let _ = submitter.unregister_files();
        let _ = submitter.unregister_buffers();
        // SAFETY: each is dropped once, here, and never used again. Nothing is in flight, so the
        // kernel uses none of the memory; the ring goes first.
        unsafe {
            ManuallyDrop::drop(&mut self.ring);
            ManuallyDrop::drop(&mut self.slots);
            ManuallyDrop::drop(&mut self.setup);
        }
    }
}
