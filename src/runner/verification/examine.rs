//! A bad read is looked at closely: it is read once more, with what lies around it.

use std::{io, sync::Arc};

use ioengine::{
    Access, Buffer, Caching, Durability, Engine, EngineKind, File, OpenOptions, Operation,
    PageSize, Region, Request, Setup, Wait, registry,
};

use super::Verified;
use crate::verify::{self, Again, BadBlock, Note, Table};

/// Reads a target, one block after the other.
pub(super) struct Reader {
    file: Arc<File>,
    engine: Box<dyn Engine>,
    buffer: Option<Buffer>,
}

impl Reader {
    /// Opens `target` for blocks of `length` bytes at most.
    ///
    /// # Errors
    /// As the system says.
    pub(super) fn open(target: &Verified, length: u64) -> io::Result<Self> {
        let options = OpenOptions {
            access: Access::Read,
            caching: target.caching,
            durability: Durability::None,
            exclusive: false,
            no_follow: false,
            create: false,
            truncate: false,
        };
        let file = Arc::new(target.file.reopen(options)?);
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let (mut buffers, region) = Region::allocate(length, PageSize::Base)?.split(length, 0);
        let setup = Setup {
            files: vec![Arc::clone(&file)],
            regions: vec![region],
            depth: 1,
            ..Setup::default()
        };
        let engine = registry::open(EngineKind::Psync, setup).map_err(io::Error::other)?;
        Ok(Self {
            file,
            engine,
            buffer: buffers.pop(),
        })
    }

    /// The file that is read.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The bytes at `offset`.
    ///
    /// # Errors
    /// As the system says; or the target ends before them.
    pub(super) fn read(&mut self, offset: u64, length: u64) -> io::Result<&[u8]> {
        let bytes = u32::try_from(length).map_err(|_| io::ErrorKind::InvalidInput)?;
        let buffer = self.buffer.take().ok_or(io::ErrorKind::OutOfMemory)?;
        let request = Request {
            operation: Operation::Read,
            file: 0,
            length: bytes,
            tag: 0,
            offset,
            buffer,
            source: None,
        };
        if let Err(rejected) = self.engine.submit(request) {
            self.buffer = Some(rejected.request.buffer);
            return Err(rejected.reason);
        }
        let mut completions = Vec::with_capacity(1);
        self.engine.reap(Wait::ONE, &mut completions)?;
        let done = completions.pop().ok_or(io::ErrorKind::UnexpectedEof)?;
        let buffer = self.buffer.insert(done.request.buffer);
        match done.result {
            Ok(read) if u64::from(read) == length => Ok(&buffer.as_slice()[..length as usize]),
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// What is wrong with a read of `bytes` at `offset`, of which `notes` say what it may have returned.
/// Writes of `around` bytes at most may have left parts of themselves beside it.
#[cold]
pub(super) fn examine(
    target: &Verified,
    offset: u64,
    bytes: &[u8],
    notes: &[Note],
    around: u64,
) -> Vec<BadBlock> {
    let table = &*target.table;
    let first = verify::faults(table, offset, bytes, notes);
    let length = bytes.len() as u64;
    let (from, to) = surroundings(table, offset, length, around);
    let mut notes = Vec::with_capacity(notes.len());
    let mut reader = Reader::open(target, to - from);
    let again = reader.as_mut().ok().and_then(|reader| {
        table.begin_read(offset, length, &mut notes);
        let bytes = reader.read(from, to - from).ok()?;
        table.end_read(offset, length, &mut notes);
        let same = (offset - from) as usize..(offset - from + length) as usize;
        let still = verify::faults(table, offset, bytes.get(same)?, &notes);
        Some((bytes, still))
    });
    let Some((bytes, still)) = again else {
        let blocks = verify::judge(table, &first, None);
        verify::forget(table, &first);
        return blocks;
    };
    let again = Again {
        offset: from,
        bytes,
        faults: &still,
        notes: &notes,
        first: offset,
    };
    let blocks = verify::judge(table, &first, Some(again));
    verify::forget(table, &still);
    blocks
}

/// The whole units in which a write that touches these bytes lies.
fn surroundings(table: &Table, offset: u64, length: u64, around: u64) -> (u64, u64) {
    let unit = table.unit().bytes();
    let around = around.next_multiple_of(unit);
    let used = table.used();
    let from = offset.saturating_sub(around).max(used.start).min(offset);
    let to = offset.saturating_add(length).saturating_add(around);
    (from, to.min(used.end).max(offset + length))
}

/// Whether a target is read through the page cache.
pub(super) fn is_cached(target: &Verified) -> bool {
    target.caching == Caching::Buffered
}
