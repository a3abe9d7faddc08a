//! `pread` and `pwrite`: each request is done when it is submitted.

use std::io;

use super::{check, full, hand_over, invalid, source_of};
use crate::{
    Completion, Engine, Errno, Nanos, Operation, Rejected, Request, Setup, Wait, clock, sys,
};

/// See the module.
pub(crate) struct Psync {
    setup: Setup,
    depth: usize,
    done: Vec<Completion>,
}

impl Psync {
    pub(crate) fn new(setup: Setup) -> Self {
        let depth = setup.depth as usize;
        Self {
            setup,
            depth,
            done: Vec::with_capacity(depth),
        }
    }

    /// Does a checked request.
    #[inline]
    fn perform(&self, request: &mut Request) -> Result<u32, Errno> {
        let Some(file) = self.setup.files.get(request.file as usize) else {
            return Err(Errno::EBADF);
        };
        let file = file.std();
        let length = request.length as usize;
        match request.operation {
            Operation::Read => {
                let bytes = &mut request.buffer.as_mut_slice()[..length];
                sys::read_at(file, bytes, request.offset)
            }
            Operation::Write => {
                let bytes = match source_of(&self.setup, request) {
                    Some(bytes) => bytes,
                    None => &request.buffer.as_slice()[..length],
                };
                sys::write_at(file, bytes, request.offset)
            }
            Operation::Flush => sys::flush(file, false),
            Operation::FlushData => sys::flush(file, true),
        }
    }
}

impl Engine for Psync {
    #[inline]
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

    #[inline]
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if let (true, Some(until)) = (self.done.is_empty(), wait.until) {
            clock::sleep_until(until);
        }
        hand_over(&mut self.done, out);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.done.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }
}
