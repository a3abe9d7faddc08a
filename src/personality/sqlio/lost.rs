//! What could not be shown while a run went on: it must not end as if all had been.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

/// The first failure, which the observer and the report share.
#[derive(Debug, Clone, Default)]
pub(super) struct Lost(Arc<Mutex<Option<io::Error>>>);

impl Lost {
    /// Remembers a failure. A reader who went away does not miss anything.
    pub(super) fn keep(&self, error: io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
        }
    }

    /// Says whether all was shown, once.
    ///
    /// # Errors
    /// The first failure.
    pub(super) fn told(&self) -> io::Result<()> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().map_or(Ok(()), Err)
    }
}
