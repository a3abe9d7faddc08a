//! Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP where there is one) end a run early with a report;
//! a second one, half a second later or more, ends the process.

use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use ioengine::{clock, sys};
use signal_hook::flag;

/// The number of the last signal that came; 0 until one does.
static LAST: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// The exit code of a run that a signal ended, as shells count it: 130 for Ctrl-C.
pub(super) fn exit_code() -> u8 {
    let last = LAST.get().map_or(0, |last| last.load(Ordering::Relaxed));
    let code = match last {
        0 => 128 + SIGINT,
        signal => 128 + signal,
    };
    u8::try_from(code).unwrap_or(u8::MAX)
}

/// What ends a run that no signal ended, such as an event that says so.
const SIGINT: usize = 2;

/// Signals that come this soon after the first one tell the same wish again: `timeout` sends its
/// signal to the process and then to its whole group.
const SAME_WISH: Duration = Duration::from_millis(500);

/// How often it is looked whether the first one came.
const LOOK: Duration = Duration::from_millis(50);

/// A flag that becomes true with the first signal.
///
/// # Errors
/// The system refuses a handler.
pub(super) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let last = LAST.get_or_init(Arc::default);
    let impatient = impatience(&interrupted)?;
    for signal in sys::END_SIGNALS {
        flag::register_usize(
            *signal,
            Arc::clone(last),
            usize::try_from(*signal).unwrap_or(0),
        )?;
        flag::register_conditional_shutdown(*signal, 128 + signal, Arc::clone(&impatient))?;
        flag::register(*signal, Arc::clone(&interrupted))?;
    }
    // What breaks a limit is told by an error of the call; the signal beside it must not kill.
    for signal in sys::LIMIT_SIGNALS {
        flag::register(*signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(interrupted)
}

/// A flag that becomes true a while after the other: from then on a signal ends the process.
fn impatience(interrupted: &Arc<AtomicBool>) -> io::Result<Arc<AtomicBool>> {
    let impatient = Arc::new(AtomicBool::new(false));
    let (first, then) = (Arc::clone(interrupted), Arc::clone(&impatient));
    let sleep = |time| clock::sleep_until(clock::now().after(time));
    thread::Builder::new()
        .name("signals".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            while !first.load(Ordering::Relaxed) {
                sleep(LOOK);
            }
            sleep(SAME_WISH);
            then.store(true, Ordering::Relaxed);
        })?;
    Ok(impatient)
}

/// The thread that waits needs next to nothing.
const STACK: usize = 64 << 10;
