//! What the wrappers take and give, the same on every system.

use std::{error, fmt};

use crate::Errno;

/// A limit of the process; `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The one that counts.
    pub soft: Option<u64>,
    /// How far the process may raise it.
    pub hard: Option<u64>,
}

/// A thread's class in the I/O scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IoPriority {
    /// What follows from the thread's nice value.
    None,
    /// Level 0 (first) to 7.
    BestEffort(u8),
    /// Only when nobody else wants the device.
    Idle,
}

/// What the page cache should expect of a file, or do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CacheAdvice {
    /// The usual read-ahead.
    Normal,
    /// No read-ahead.
    Random,
    /// More read-ahead.
    Sequential,
    /// Forget the clean pages of the file.
    DontNeed,
}

/// A standard stream that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// What becomes of the time of the last access of a file that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessTime {
    /// It stays as it is, so that reading writes nothing (O_NOATIME); for a file's owner only.
    Kept,
    /// What the mount options say.
    AsUsual,
}

/// A filesystem's type and space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The type's magic number (statfs `f_type`); 0 where there is none.
    pub kind: u64,
    /// Bytes in all.
    pub total: u64,
    /// Bytes that nobody uses.
    pub free: u64,
    /// Bytes that this process may use (without those reserved for root).
    pub available: u64,
}

/// What a file's bytes are on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extents {
    /// How many extents.
    pub count: u64,
    /// Bytes allocated and written.
    pub written: u64,
    /// Bytes allocated and never written: read as zeros, often without touching the device.
    pub unwritten: u64,
    /// Bytes written to the cache whose place is not yet chosen.
    pub delayed: u64,
    /// Bytes shared with another file (reflinks, snapshots): a write allocates anew.
    pub shared: u64,
    /// Bytes stored compressed or encrypted.
    pub encoded: u64,
    /// Bytes stored inside metadata.
    pub inline: u64,
}

/// Direct I/O is not to be had; the source of the `io::Error` that opening gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoDirectIo {
    /// What the system said.
    pub errno: Errno,
}

impl fmt::Display for NoDirectIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("direct I/O (O_DIRECT) is not supported on this filesystem")
    }
}

impl error::Error for NoDirectIo {}
