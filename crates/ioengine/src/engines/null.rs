//! Completes at once and touches nothing: what is left is the generator's own cost.

use std::io;

use crate::{Completion, Engine, Nanos, Rejected, Request, Setup, Wait, clock};

/// See the module.
pub(crate) struct Null {
    waiting: Vec<Request>,
    depth: usize,
}

impl Null {
    pub(crate) fn new(setup: Setup) -> Self {
        let depth = setup.depth as usize;
        Self {
            waiting: Vec::with_capacity(depth),
            depth,
        }
    }
}

impl Engine for Null {
    fn submit(&mut self, request: Request) -> Result<(), Rejected> {
        if self.waiting.len() >= self.depth {
            return Err(Rejected {
                request,
                reason: io::ErrorKind::WouldBlock.into(),
            });
        }
        self.waiting.push(request);
        Ok(())
    }

    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if self.waiting.is_empty() {
            if let Some(until) = wait.until {
                clock::sleep_until(until);
            }
            return Ok(());
        }
        let issued = clock::now();
        let completed = clock::now();
        out.extend(self.waiting.drain(..).map(|request| {
            let result = Ok(request.length);
            Completion {
                request,
                result,
                issued,
                completed,
            }
        }));
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.waiting.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }
}
