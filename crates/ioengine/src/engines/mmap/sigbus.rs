//! SIGBUS as an error: a page of a mapping that the file cannot back (it was cut, the device
//! failed, the filesystem is full) is replaced by an empty one, and the copy that met it says so.
//!
//! One handler serves the process. It acts only on a fault inside the range that the faulting
//! thread is copying at that moment; every other goes to the handler that was there before.

use std::{
    cell::Cell,
    io, mem, ptr,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering, compiler_fence},
    },
};

use crate::sys;

/// What the thread is copying from or to; no destructor and a constant start, so that a handler
/// may use it.
struct Guard {
    start: Cell<usize>,
    end: Cell<usize>,
    hit: Cell<bool>,
}

thread_local! {
    static GUARD: Guard = const {
        Guard {
            start: Cell::new(0),
            end: Cell::new(0),
            hit: Cell::new(false),
        }
    };
}

/// Bytes in a page, for the handler.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

/// What handled SIGBUS before; set before our handler can run.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Whether the handler is in place, or the number of the error that kept it out.
static INSTALLED: OnceLock<Result<(), i32>> = OnceLock::new();

/// Puts the handler in place, once for the process.
pub(super) fn install() -> io::Result<()> {
    INSTALLED
        .get_or_init(|| try_install().map_err(|error| error.raw_os_error().unwrap_or(libc::EINVAL)))
        .map_err(io::Error::from_raw_os_error)
}

fn try_install() -> io::Result<()> {
    PAGE.store(sys::page_size(), Ordering::Relaxed);
    // SAFETY: all zeros is a valid `sigaction` (default action, empty mask).
    let mut before: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: a null new action only reads the present one into `before`.
    if unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut before) } != 0 {
        return Err(io::Error::last_os_error());
    }
    BEFORE.get_or_init(|| before);
    // SAFETY: as above.
    let mut ours: libc::sigaction = unsafe { mem::zeroed() };
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_sigbus;
    ours.sa_sigaction = handler as *const () as usize;
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
    // SAFETY: `ours` is complete, and `on_sigbus` does only what is safe in a signal handler.
    if unsafe { libc::sigaction(libc::SIGBUS, &raw const ours, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Copies `length` bytes; false when a page of the guarded range had no backing, in which case
/// an empty page stands in its place.
///
/// # Safety
/// Both ranges are valid for the copy and do not overlap. `guarded` and `guarded_length` are part
/// of a mapping that the caller alone holds, so that its pages may be replaced. The handler is
/// installed.
#[inline(never)]
pub(super) unsafe fn copy(
    from: *const u8,
    to: *mut u8,
    length: usize,
    guarded: *const u8,
    guarded_length: usize,
) -> bool {
    GUARD.with(|guard| {
        guard.hit.set(false);
        guard.end.set(guarded.addr() + guarded_length);
        guard.start.set(guarded.addr());
        // The handler runs on this thread, between any two instructions: the compiler must not move
        // the copy over what it reads and writes.
        compiler_fence(Ordering::SeqCst);
        // SAFETY: the caller's promise. Other processes may change the mapped side meanwhile; it is
        // touched by this raw copy only, never through a reference.
        unsafe { ptr::copy_nonoverlapping(from, to, length) };
        compiler_fence(Ordering::SeqCst);
        guard.start.set(0);
        guard.end.set(0);
        compiler_fence(Ordering::SeqCst);
        !guard.hit.get()
    })
}

/// The handler: only reads of statics and of the thread's guard, `mmap` and `sigaction`.
extern "C" fn on_sigbus(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`; for SIGBUS it has an address,
    // or zero bytes there when the signal was sent by a process.
    let (address, sent) = unsafe { ((*info).si_addr().addr(), (*info).si_code <= 0) };
    if !sent && stand_in(address) {
        return;
    }
    pass_on(signal, info, context, sent);
}

/// Replaces the page at `address` if it is in the range that this thread copies.
fn stand_in(address: usize) -> bool {
    GUARD
        .try_with(|guard| {
            // A fault may be reported for the page rather than for the byte.
            let page = PAGE.load(Ordering::Relaxed);
            let start = guard.start.get() & !(page - 1);
            if guard.start.get() == 0 || address < start || address >= guard.end.get() {
                return false;
            }
            let place = address & !(page - 1);
            // SAFETY: reading `errno`'s place and restoring it keeps the interrupted code's view.
            let errno = unsafe { *libc::__errno_location() };
            // SAFETY: the page belongs to the mapping that the interrupted `copy` guards, whose
            // caller promised that it may be replaced.
            let made = unsafe {
                libc::mmap(
                    ptr::with_exposed_provenance_mut(place),
                    page,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            // SAFETY: as above.
            unsafe { *libc::__errno_location() = errno };
            guard.hit.set(true);
            made != libc::MAP_FAILED
        })
        .unwrap_or(false)
}

/// Does what would have happened without our handler.
fn pass_on(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
    sent: bool,
) {
    let Some(before) = BEFORE.get() else {
        return;
    };
    match before.sa_sigaction {
        libc::SIG_IGN if sent => {}
        libc::SIG_DFL | libc::SIG_IGN => {
            // SAFETY: all zeros is the default action. The fault happens again when we return and
            // ends the process; a sent signal is raised again.
            unsafe {
                let default: libc::sigaction = mem::zeroed();
                libc::sigaction(signal, &raw const default, ptr::null_mut());
                if sent {
                    libc::raise(signal);
                }
            }
        }
        handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: a handler installed with SA_SIGINFO has this type; the arguments are the
            // kernel's own.
            unsafe {
                let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                    mem::transmute(handler);
                handler(signal, info, context);
            }
        }
        handler => {
            // SAFETY: a handler installed without SA_SIGINFO takes the number alone.
            unsafe {
                let handler: extern "C" fn(libc::c_int) = mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        os::{fd::AsRawFd, unix::process::ExitStatusExt},
        process::{Command, Stdio},
    };

    use super::*;

    /// Set in the processes that [`dies`] starts: only there do the tests that end theirs go on.
    const CHILD: &str = "IOENGINE_SIGBUS_CHILD";

    fn in_child() -> bool {
        std::env::var_os(CHILD).is_some()
    }

    /// Runs one of the tests below in a process of its own; true if SIGBUS ended it. The address
    /// sanitizer has a handler that turns the signal into its exit code, 1; a failed test gives 101.
    fn dies(test: &str) -> bool {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--test-threads=1"])
            .arg(format!("engines::mmap::sigbus::tests::{test}"))
            .env(CHILD, "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        status.signal() == Some(libc::SIGBUS) || status.code() == Some(1)
    }

    #[test]
    fn what_is_not_ours_still_ends_the_process() {
        assert!(dies("dies_of_a_foreign_fault"));
        assert!(dies("dies_of_a_sent_signal"));
    }

    #[test]
    fn dies_of_a_sent_signal() {
        if !in_child() {
            return;
        }
        install().unwrap();
        // The handler before ours, the standard library's, answers the first by stepping aside.
        for _ in 0..2 {
            // SAFETY: sends a signal to this thread.
            unsafe { libc::raise(libc::SIGBUS) };
        }
    }

    #[test]
    fn dies_of_a_foreign_fault() {
        if !in_child() {
            return;
        }
        install().unwrap();
        let file = tempfile::tempfile().unwrap();
        file.set_len(4096).unwrap();
        // SAFETY: a new mapping, read through a raw pointer; the file is then cut under it.
        unsafe {
            let start = libc::mmap(
                ptr::null_mut(),
                4096,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            );
            assert_ne!(start, libc::MAP_FAILED);
            file.set_len(0).unwrap();
            start.cast::<u8>().read_volatile();
        }
    }
}
