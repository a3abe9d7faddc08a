//! What a worker does for each of its verified I/Os: a write is labelled before it is issued, a read
//! is judged when it is over.

use ioengine::{Operation, Request};

use super::{Verified, examine::examine};
use crate::{
    results::Verification,
    verify::{self, Label, Note},
};

/// Verifies the I/Os of one worker.
#[derive(Debug)]
pub(in crate::runner) struct Verifier {
    worker: u32,
    /// One for each stream.
    targets: Vec<Verified>,
    /// Index of each stream's target in the time span.
    indices: Vec<usize>,
    /// One list for each slot, with room for the units of its largest I/O.
    notes: Vec<Vec<Note>>,
    /// Bytes of the largest write of all workers.
    largest: u64,
    seen: Verification,
}

impl Verifier {
    /// For a worker with so many slots; each stream has its target and that target's index.
    pub(in crate::runner) fn new(
        worker: usize,
        streams: Vec<(usize, Verified)>,
        slots: usize,
        largest: u32,
    ) -> Self {
        let units = |(_, target): &(usize, Verified)| {
            u64::from(largest).div_ceil(target.table.unit().bytes()) as usize
        };
        let room = streams.iter().map(units).max().unwrap_or(0);
        let (indices, targets) = streams.into_iter().unzip();
        Self {
            worker: worker as u32,
            targets,
            indices,
            notes: (0..slots).map(|_| Vec::with_capacity(room)).collect(),
            largest: largest.into(),
            seen: Verification::default(),
        }
    }

    /// A write is going to be issued: labels its bytes.
    pub(in crate::runner) fn begin_write(
        &mut self,
        stream: usize,
        slot: usize,
        offset: u64,
        bytes: &mut [u8],
    ) {
        let (Some(target), Some(notes)) = (self.targets.get(stream), self.notes.get_mut(slot))
        else {
            return;
        };
        let table = &target.table;
        let sequence = table.begin_write(offset, bytes.len() as u64, notes);
        let label = Label {
            run: table.run(),
            table: table.number(),
            offset,
            start: offset,
            length: bytes.len() as u32,
            sequence,
            worker: self.worker,
            generation: 0,
        };
        label.seal_all(bytes, table.unit(), notes);
    }

    /// A read is going to be issued.
    pub(in crate::runner) fn begin_read(
        &mut self,
        stream: usize,
        slot: usize,
        offset: u64,
        length: u32,
    ) {
        if let (Some(target), Some(notes)) = (self.targets.get(stream), self.notes.get_mut(slot)) {
            target.table.begin_read(offset, length.into(), notes);
        }
    }

    /// An I/O of `stream` is over; `whole` if it did all that it was asked for.
    pub(in crate::runner) fn end(&mut self, stream: usize, request: &Request, whole: bool) {
        let slot = request.tag as usize;
        let (Some(target), Some(notes)) = (self.targets.get(stream), self.notes.get_mut(slot))
        else {
            return;
        };
        let (offset, length) = (request.offset, u64::from(request.length));
        match request.operation {
            Operation::Write => target.table.end_write(offset, length, notes, whole),
            Operation::Read if whole => {
                target.table.end_read(offset, length, notes);
                let bytes = &request.buffer.as_slice()[..length as usize];
                let known = notes.iter().filter(|note| note.is_known()).count() as u64;
                self.seen.bytes += known * target.table.unit().bytes();
                if !verify::is_right(&target.table, offset, bytes, notes) {
                    let index = self.indices.get(stream).copied().unwrap_or(0);
                    for block in examine(target, offset, bytes, notes, self.largest) {
                        self.seen.add(index, block);
                    }
                }
            }
            Operation::Read | Operation::Flush | Operation::FlushData => {}
        }
    }

    /// What it saw.
    pub(in crate::runner) fn into_seen(self) -> Verification {
        self.seen
    }
}
