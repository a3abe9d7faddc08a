//! Past the page cache only whole sectors are moved: told before a file is made. A disk with larger
//! sectors than these refuses the rest when the target is opened.

use crate::{
    personality::native::line::Asked,
    plan::{BlockSizes, Caching},
};

/// No disk has smaller sectors.
const SECTOR: u64 = 512;

/// The first number of the line that is no multiple of a sector, as a sentence.
pub(super) fn check(asked: &Asked, sizes: &BlockSizes, caching: Caching) -> Result<(), String> {
    if caching == Caching::Buffered {
        return Ok(());
    }
    let blocks = match sizes {
        BlockSizes::One(bytes) => vec![*bytes],
        BlockSizes::Weighted { read, write } => {
            read.iter().chain(write).map(|entry| entry.bytes).collect()
        }
    };
    let blocks = blocks
        .into_iter()
        .map(|bytes| ("--bs", Some(u64::from(bytes))));
    let rest = [("--align", asked.align), ("--offset", asked.offset)];
    match blocks
        .chain(rest)
        .find(|(_, value)| value.is_some_and(|bytes| !bytes.is_multiple_of(SECTOR)))
    {
        Some((option, Some(value))) => Err(format!(
            "{option}: past the page cache only multiples of {SECTOR} bytes are read and written, \
             and {value} is none: {}, or --cache buffered",
            value.checked_next_multiple_of(SECTOR).unwrap_or(SECTOR)
        )),
        _ => Ok(()),
    }
}
