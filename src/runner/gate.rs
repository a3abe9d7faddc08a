//! The start signal, so that no worker begins before all are ready.

use std::sync::{Condvar, Mutex, PoisonError};

use ioengine::Nanos;

/// The start signal: every worker waits for it after it has opened everything.
#[derive(Debug, Default)]
pub(super) struct Gate {
    state: Mutex<Option<Start>>,
    changed: Condvar,
}

/// What the workers wait for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// The load begins at this time.
    At(Nanos),
    /// There is no load.
    Never,
}

impl Gate {
    /// Lets every worker go, or go home.
    pub(super) fn open(&self, start: Start) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(start);
        self.changed.notify_all();
    }

    /// Blocks until [`Gate::open`].
    pub(super) fn wait(&self) -> Start {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(start) = *state {
                return start;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
