//! `pread` and `pwrite`: each request is done when it is submitted.

use std::io;

use crate::{Completion, Engine, Errno, Nanos, Operation, Rejected, Request, Setup, Wait, clock};

/// See the module.
pub(crate) struct Psync {
    setup: Setup,
    done: Vec<Completion>,
}

impl Psync {
    pub(crate) fn new(setup: Setup) -> Self {
        let done = Vec::with_capacity(setup.depth as usize);
        Self { setup, done }
    }

    fn perform(&self, request: &mut Request) -> Result<u32, Errno> {
        use std::os::unix::fs::FileExt;
        let file = self.setup.files[request.file as usize].std();
        let length = request.length as usize;
        let result = match request.operation {
            Operation::Read => {
                file.read_at(&mut request.buffer.as_mut_slice()[..length], request.offset)
            }
            Operation::Write => file.write_at(&request.buffer.as_slice()[..length], request.offset),
            Operation::Flush => file.sync_all().map(|()| 0),
            Operation::FlushData => file.sync_data().map(|()| 0),
        };
        result
            .map(|n| n as u32)
            .map_err(|error| Errno::from_io(&error))
    }
}

impl Engine for Psync {
    fn submit(&mut self, mut request: Request) -> Result<(), Rejected> {
        if self.done.len() >= self.setup.depth as usize {
            return Err(Rejected {
                request,
                reason: io::ErrorKind::WouldBlock.into(),
            });
        }
        let issued = clock::now();
        let result = self.perform(&mut request);
        let completed = clock::now();
        self.done.push(Completion {
            request,
            result,
            issued,
            completed,
        });
        Ok(())
    }

    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if self.done.is_empty() {
            if let Some(until) = wait.until {
                clock::sleep_until(until);
            }
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
}
