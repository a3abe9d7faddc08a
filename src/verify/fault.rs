//! Bad blocks, by kind.

use std::fmt;

/// What is wrong with a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It holds what was there before the last write.
    Lost,
    /// A part of it holds the last write, a part what was there before.
    Torn,
    /// It holds what was written for another place, or what was written for it lies elsewhere.
    Misdirected,
    /// It was returned as it was before; or it holds an older write than the one before the last.
    Stale,
    /// Some of its bits are not those that were written.
    Flipped,
    /// It holds nothing that the run wrote.
    Foreign,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Lost,
        Self::Torn,
        Self::Misdirected,
        Self::Stale,
        Self::Flipped,
        Self::Foreign,
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lost => "lost",
            Self::Torn => "torn",
            Self::Misdirected => "misdirected",
            Self::Stale => "stale",
            Self::Flipped => "flipped",
            Self::Foreign => "foreign",
        })
    }
}

/// A run of sectors of a target that are bad in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadBlock {
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub length: u64,
    /// What is wrong.
    pub kind: Kind,
    /// What it holds, in words.
    pub detail: String,
    /// Where its content belongs, if it is another place of the same target.
    pub belongs: Option<u64>,
}

impl BadBlock {
    /// Takes `next` in, if it goes on where this one ends, or is the same torn write seen again.
    pub fn absorb(&mut self, next: &Self) -> bool {
        if self.kind != next.kind {
            return false;
        }
        if self.kind == Kind::Torn {
            return (self.offset, self.length) == (next.offset, next.length);
        }
        let goes_on = self.offset.checked_add(self.length) == Some(next.offset);
        let belongs = self.belongs.map(|from| from.wrapping_add(self.length));
        let joined = goes_on && belongs == next.belongs;
        if joined {
            self.length += next.length;
        }
        joined
    }
}
