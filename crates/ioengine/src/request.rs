//! What goes into an engine and what comes out: the vocabulary of the [`Engine`] trait.

use std::io;

use crate::{Buffer, Errno, Nanos};

/// What a request asks of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads into the request's buffer.
    Read,
    /// Writes from the request's buffer, or from a source region.
    Write,
    /// `fsync`: data and metadata reach the device.
    Flush,
    /// `fdatasync`: data and the metadata needed to read it reach the device.
    FlushData,
}

impl Operation {
    /// True for reads and writes, false for flushes.
    #[inline]
    pub const fn transfers(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// A place in one of the shared source regions that the engine was opened with: a write sends
/// these bytes instead of its own buffer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceSlice {
    /// Index into [`crate::Setup::sources`].
    pub region: u32,
    /// First byte inside the region.
    pub offset: u32,
}

/// One I/O. It owns its buffer, so that nobody can touch memory that the kernel is using.
#[derive(Debug)]
pub struct Request {
    /// What to do.
    pub operation: Operation,
    /// Index into [`crate::Setup::files`].
    pub file: u32,
    /// Bytes to transfer; 0 for flushes.
    pub length: u32,
    /// The caller's own number, returned untouched.
    pub tag: u32,
    /// First byte in the file.
    pub offset: u64,
    /// Where read data lands, and what a write sends unless `source` is set.
    pub buffer: Buffer,
    /// What a write sends instead of its own buffer.
    pub source: Option<SourceSlice>,
}

/// A finished I/O: the request with its buffer, and what became of it.
#[derive(Debug)]
pub struct Completion {
    /// The request as submitted.
    pub request: Request,
    /// Bytes transferred, or the error. A short transfer is `Ok` with fewer bytes.
    pub result: Result<u32, Errno>,
    /// Just before the call that issued it.
    pub issued: Nanos,
    /// When the call that handed it to the kernel returned, if the engine was opened to stamp that
    /// ([`crate::Setup::initiation`]); else no time that means anything.
    pub initiated: Nanos,
    /// When the engine saw it complete.
    pub completed: Nanos,
}

/// A request that the engine could not take now, given back.
#[derive(Debug)]
pub struct Rejected {
    /// The request, with its buffer.
    pub request: Request,
    /// Why.
    pub reason: io::Error,
}

/// How long [`Engine::reap`] may block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Return once this many completions are there (fewer when fewer are in flight).
    pub at_least: usize,
    /// Return at this time whatever is there.
    pub until: Option<Nanos>,
}

impl Wait {
    /// Take what is there, never block.
    pub const POLL: Self = Self {
        at_least: 0,
        until: None,
    };
    /// Block until one completion is there.
    pub const ONE: Self = Self {
        at_least: 1,
        until: None,
    };

    /// Block until one completion is there or `until` is reached, whichever is first.
    pub const fn one_until(until: Nanos) -> Self {
        Self {
            at_least: 1,
            until: Some(until),
        }
    }
}

/// One worker's connection to the kernel.
///
/// Dropping an engine waits until nothing is in flight; what cannot be waited for is leaked, never
/// freed while the kernel may still use it.
pub trait Engine: Send {
    /// Hands over a request. The engine may hold it back until the next [`Engine::reap`]; the
    /// issue stamp is taken when it really goes to the kernel.
    ///
    /// # Errors
    /// The request comes back when as many are in flight as the engine was opened for, when it
    /// names a file or source that does not exist, or does not fit its buffer.
    fn submit(&mut self, request: Request) -> Result<(), Rejected>;

    /// Moves finished I/Os into `out` (appending), waiting as `wait` says. With nothing in flight
    /// it returns at once, or sleeps until `wait.until` if that is set.
    ///
    /// # Errors
    /// The engine itself failed (not an I/O: those come as completions).
    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()>;

    /// Requests handed over and not yet returned by `reap`.
    fn in_flight(&self) -> usize;

    /// The time by which this engine stamps: the machine's, or a simulated device's own.
    fn now(&self) -> Nanos;

    /// What the engine had to do without, as sentences ("registered buffers: ...").
    fn notes(&self) -> &[String] {
        &[]
    }
}
