//! What bytes on a device or in a file say about themselves: would writing destroy something?
//!
//! Pure: bytes in, a name out. The check only ever errs towards caution: a name may be wrong when
//! old data was left behind, but what has one of these signatures is never called blank.

mod magic;
mod structures;

use std::io::{self, Read, Seek, SeekFrom};

/// What sort of thing would be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// A filesystem.
    Filesystem,
    /// A part of something larger: LVM, RAID, encryption, a pool.
    Volume,
    /// A partition table.
    Partitions,
    /// Swap space.
    Swap,
    /// A database or its log.
    Database,
    /// A virtual machine's disk.
    VirtualDisk,
    /// An archive, compressed data or a backup.
    Archive,
    /// A program.
    Executable,
    /// A document.
    Document,
    /// Data that says nothing about itself; only looked for by [`read`].
    Unknown,
}

/// Something that was recognized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// What sort of thing.
    pub family: Family,
    /// "an ext4 filesystem named "data"", "a GPT partition table with 3 partitions" ...
    pub name: String,
}

impl Signature {
    fn new(family: Family, name: impl Into<String>) -> Self {
        Self {
            family,
            name: name.into(),
        }
    }
}

/// Bytes read at the start of a device; any of them not 0 means data.
const HEAD: u64 = 1 << 20;
/// Bytes read at the start of a file, of which nobody asks whether it is blank: everything that has
/// its place before the first MiB has it in these.
const FILE_HEAD: u64 = 256 << 10;
/// Bytes read at the end: RAID metadata of version 0.90 lies up to 128 KiB before it.
const TAIL: u64 = 128 << 10;
/// Places between start and end that are looked at, and bytes at each.
const SAMPLES: u64 = 16;
const SAMPLE: u64 = 4096;
/// Where VMFS keeps its volume and its filesystem header.
const VMFS: [u64; 2] = [1 << 20, 2 << 20];

/// Parts of a device or file, and where each lies.
pub(crate) struct Parts {
    size: u64,
    parts: Vec<(u64, Vec<u8>)>,
}

impl Parts {
    /// `length` bytes at `offset`, if they were read.
    fn at(&self, offset: u64, length: usize) -> Option<&[u8]> {
        self.parts.iter().find_map(|(start, bytes)| {
            let from = usize::try_from(offset.checked_sub(*start)?).ok()?;
            bytes.get(from..from.checked_add(length)?)
        })
    }

    fn is(&self, offset: u64, magic: &[u8]) -> bool {
        self.at(offset, magic.len()) == Some(magic)
    }

    fn le16(&self, offset: u64) -> Option<u16> {
        Some(u16::from_le_bytes(self.at(offset, 2)?.try_into().ok()?))
    }

    fn le32(&self, offset: u64) -> Option<u32> {
        Some(u32::from_le_bytes(self.at(offset, 4)?.try_into().ok()?))
    }

    fn be32(&self, offset: u64) -> Option<u32> {
        self.le32(offset).map(u32::swap_bytes)
    }

    fn be16(&self, offset: u64) -> Option<u16> {
        self.le16(offset).map(u16::swap_bytes)
    }

    fn le64(&self, offset: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.at(offset, 8)?.try_into().ok()?))
    }

    /// ` named "x"` for a label that is there and readable, else nothing.
    fn label(&self, offset: u64, length: usize) -> String {
        let bytes = self.at(offset, length).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0);
        let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]);
        let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
        if text.is_empty() {
            text
        } else {
            format!(" named \"{text}\"")
        }
    }

    fn is_blank(&self) -> bool {
        let mut bytes = self.parts.iter().flat_map(|(_, bytes)| bytes);
        bytes.all(|byte| *byte == 0)
    }
}

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// For signatures, and at samples of the rest: is there any data? About 1.3 MiB are read.
    Device,
    /// For signatures only; about 400 KiB are read.
    File,
}

/// Reads what is needed and names what it finds: `None` if all bytes were
/// 0, [`Family::Unknown`] if they were not and nothing was recognized.
///
/// # Errors
/// As the reader says. A shorter end than `seek` promised is no error.
pub fn read<R: Read + Seek>(reader: &mut R, look: Look) -> io::Result<Option<Signature>> {
    let size = reader.seek(SeekFrom::End(0))?;
    let (head, samples) = match look {
        Look::Device => (HEAD, SAMPLES),
        Look::File => (FILE_HEAD, 0),
    };
    let mut ranges = vec![(0, head), (size.saturating_sub(TAIL), TAIL)];
    ranges.extend(VMFS.map(|start| (start, SAMPLE)));
    ranges.extend((1..=samples).map(|i| (size / (SAMPLES + 1) * i / SAMPLE * SAMPLE, SAMPLE)));
    let mut parts = Vec::new();
    for (start, length) in ranges {
        if start < size {
            reader.seek(SeekFrom::Start(start))?;
            let mut bytes = Vec::new();
            reader.by_ref().take(length).read_to_end(&mut bytes)?;
            parts.push((start, bytes));
        }
    }
    let parts = Parts { size, parts };
    if parts.is_blank() {
        return Ok(None);
    }
    let unknown = || Signature::new(Family::Unknown, "data of an unknown kind");
    Ok(Some(recognize(&parts).unwrap_or_else(unknown)))
}

/// The first that fits, the more telling ones first: a disk image with a partition table may hold
/// a left-over filesystem's bytes behind it.
fn recognize(parts: &Parts) -> Option<Signature> {
    structures::partitions(parts)
        .or_else(|| structures::filesystem(parts))
        .or_else(|| structures::volume(parts))
        .or_else(|| magic::find(parts))
        .or_else(|| structures::database(parts))
        .or_else(|| structures::executable(parts))
}

#[cfg(test)]
mod tests;
