//! Files that a plan makes and removes.

use std::path::PathBuf;

/// Files to make before the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepare {
    /// Which.
    pub files: Vec<FilePreparation>,
}

/// One file to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePreparation {
    /// As typed; messages show this.
    pub label: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its size afterwards.
    pub size: u64,
    /// What is written.
    pub content: Content,
    /// What becomes of an existing file.
    pub policy: Policy,
}

/// What a new file holds: always written, never left unallocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Random bytes.
    Random,
    /// Zeros.
    Zeros,
    /// Bytes 0 to 255 again and again.
    BytePattern,
}

/// What becomes of a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Cut to nothing and written again.
    Rebuild,
    /// Kept if it is large enough, else extended.
    Extend,
}

/// Files to remove after the load: only those that the plan's own preparation made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleanup {
    /// Which.
    pub paths: Vec<PathBuf>,
}
