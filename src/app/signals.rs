//! Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP where there is one) end a run early with a report;
//! the second one ends the process.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use ioengine::sys;
use signal_hook::flag;

/// A flag that becomes true with the first signal.
///
/// # Errors
/// The system refuses a handler.
pub(super) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in sys::END_SIGNALS {
        // The order matters: the second signal finds the flag set by the first.
        flag::register_conditional_shutdown(*signal, 128 + signal, Arc::clone(&interrupted))?;
        flag::register(*signal, Arc::clone(&interrupted))?;
    }
    // What breaks a limit is told by an error of the call; the signal beside it must not kill.
    for signal in sys::LIMIT_SIGNALS {
        flag::register(*signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(interrupted)
}
