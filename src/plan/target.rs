//! What the load goes to.

use std::path::PathBuf;

pub use ioengine::{Access, Caching, Durability};

/// Index into [`super::TimeSpan::targets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetIndex(pub usize);

/// A file or device under load.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// As typed; reports show this.
    pub label: String,
    /// Where it is.
    pub path: PathBuf,
    /// First byte of the range that is used.
    pub base: u64,
    /// End of the range (exclusive, from the start of the target), where one is set.
    pub end: Option<u64>,
    /// The target's size where the plan makes the file; engines that open nothing use this.
    pub planned_size: Option<u64>,
    /// For which operations it is opened.
    pub access: Access,
    /// Page cache or not.
    pub caching: Caching,
    /// When a write counts as done.
    pub durability: Durability,
    /// Only a network filesystem may be bypassed (`-Sr`).
    pub remote_only: bool,
    /// Through a memory mapping, and how it is flushed.
    pub mapped: Option<MappedFlush>,
    /// What the kernel is told about the accesses to come.
    pub hints: Hints,
    /// I/O scheduling class.
    pub priority: Priority,
    /// Buffers from reserved huge pages.
    pub huge_pages: bool,
    /// What must be there before the load.
    pub opening: Opening,
}

/// What must be there before the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// The target, with at least this many bytes, and at least one.
    AtLeast(u64),
    /// Nothing: a file is removed and made anew, of this many bytes (unwritten).
    Anew {
        /// Bytes that it has before the load.
        size: u64,
    },
}

impl Target {
    /// True if the page cache is bypassed.
    pub fn is_direct(&self) -> bool {
        self.caching == Caching::Direct
    }
}

/// Flush after a write through a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MappedFlush {
    /// None.
    Never,
    /// `msync` of the range.
    View,
    /// Cache lines written back, with a fence (DAX only).
    Persistent,
    /// Cache lines written back, without a fence (DAX only).
    PersistentNoDrain,
}

/// Advice to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    /// Random accesses to come.
    pub random: bool,
    /// Sequential accesses to come.
    pub sequential: bool,
    /// A temporary file; no effect here.
    pub temporary: bool,
}

/// I/O scheduling class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Only when nobody else wants the device.
    Idle,
    /// Best effort, lowest level.
    Low,
    /// As the process has it.
    Normal,
}
