//! Files that a plan makes and removes.

use std::path::PathBuf;

use ioengine::{Caching, Durability};

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
    /// Whether the page cache takes part, and is left full.
    pub through: Through,
    /// It grows by whole blocks of this many bytes from where it ended, so that it may become
    /// larger than [`Self::size`].
    pub block: Option<u32>,
    /// Each of these blocks ends with its checksum and its offset.
    pub verify: bool,
}

impl FilePreparation {
    /// Bytes that the file has once it grew from `from` bytes; `None` beyond any file's size.
    pub fn size_from(&self, from: u64) -> Option<u64> {
        let missing = self.size.saturating_sub(from);
        match self.block {
            None | Some(0) => Some(from.max(self.size)),
            Some(block) => from.checked_add(missing.checked_next_multiple_of(u64::from(block))?),
        }
    }
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through {
    /// Past the page cache where that is possible; what went through it is dropped.
    Past,
    /// As the load itself would, or not at all.
    As {
        /// Page cache or not.
        caching: Caching,
        /// When a write counts as done.
        durability: Durability,
    },
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
    /// Labelled sectors, against which a time span that verifies holds what it reads.
    Verifiable,
}

/// What becomes of a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Cut to nothing and written again.
    Rebuild,
    /// Kept if it is large enough, else extended.
    Extend,
    /// Removed and made anew.
    Replace,
}

/// Files to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleanup {
    /// Which.
    pub paths: Vec<PathBuf>,
    /// Whose they are.
    pub whose: Whose,
}

/// Which files may be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Those that the plan's own preparation made.
    Own,
    /// All that are named; one that is not there is no failure.
    Named,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_grows_by_whole_blocks_from_where_it_ended() {
        let mut file = FilePreparation {
            label: "f".into(),
            path: "f".into(),
            size: 10 * (1 << 20) / 3,
            content: Content::Zeros,
            policy: Policy::Extend,
            through: Through::Past,
            block: Some(16384),
            verify: false,
        };
        // Recorded of an original: 10M in three files makes them 3506176 bytes each.
        assert_eq!(file.size_from(0), Some(3_506_176));
        // 10 bytes and 214 blocks: 213 end short of the size.
        assert_eq!(file.size_from(10), Some(10 + 214 * 16384));
        assert_eq!(file.size_from(4_000_000), Some(4_000_000));
        file.size = u64::MAX;
        assert_eq!(file.size_from(10), None);
        file.block = None;
        assert_eq!(file.size_from(10), Some(u64::MAX));
    }
}
