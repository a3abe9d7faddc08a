//! SIGINT, SIGTERM and SIGHUP end a run early with a report; the second one ends the process.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{consts, flag};

/// A flag that becomes true with the first signal.
///
/// # Errors
/// The system refuses a handler.
pub(super) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        // The order matters: the second signal finds the flag set by the first.
        flag::register_conditional_shutdown(*signal, 128 + signal, Arc::clone(&interrupted))?;
        flag::register(*signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

#[cfg(unix)]
const SIGNALS: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: &[i32] = &[consts::SIGINT, consts::SIGTERM];
