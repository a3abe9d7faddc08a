//! Completes at once and touches nothing: what is left is the generator's own cost.

use std::io;

use super::{check_memory, full, hand_over, invalid};
use crate::{Completion, Engine, Nanos, Rejected, Request, Setup, Wait, clock};

/// See the module.
pub(crate) struct Null {
    setup: Setup,
    /// Stamped when they are reaped.
    waiting: Vec<Completion>,
    depth: usize,
}

impl Null {
    pub(crate) fn new(setup: Setup) -> Self {
        let depth = setup.depth as usize;
        Self {
            setup,
            waiting: Vec::with_capacity(depth),
            depth,
        }
    }
}

impl Engine for Null {
    #[inline]
    fn submit(&mut self, request: Request) -> Result<(), Rejected> {
        if self.waiting.len() >= self.depth {
            return Err(full(request));
        }
        if let Err(why) = check_memory(&self.setup, &request) {
            return Err(invalid(request, why));
        }
        let result = Ok(if request.operation.transfers() {
            request.length
        } else {
            0
        });
        self.waiting.push(Completion {
            request,
            result,
            issued: Nanos::NEVER,
            initiated: Nanos::NEVER,
            completed: Nanos::NEVER,
        });
        Ok(())
    }

    #[inline]
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if self.waiting.is_empty() {
            if let Some(until) = wait.until {
                clock::sleep_until(until);
            }
            return Ok(());
        }
        // One pair of clock reads a batch: the kernel engines pay the same.
        let issued = clock::now();
        let completed = clock::now();
        for completion in &mut self.waiting {
            (completion.issued, completion.completed) = (issued, completed);
        }
        if self.setup.initiation {
            for completion in &mut self.waiting {
                completion.initiated = completed;
            }
        }
        hand_over(&mut self.waiting, out);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.waiting.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }
}
