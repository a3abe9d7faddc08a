//! The memory of one worker: a buffer for each slot, two where a slot both reads and writes its
//! own data (else a read would replace what the next write sends).

use std::{io, sync::Arc};

use ioengine::{Buffer, PageSize, Region};

use super::payload::{self, Noise};
use crate::plan::{Direction, Payload, Stream};

/// One place for an outstanding I/O.
#[derive(Debug)]
pub(super) struct Slot {
    /// The stream of the I/O in flight.
    pub(super) stream: u32,
    read: Option<Buffer>,
    write: Option<Buffer>,
    /// Where the buffer in flight goes back to.
    out: Direction,
}

impl Slot {
    /// Takes the buffer for an I/O; a slot with one buffer uses it for both directions.
    #[inline]
    pub(super) fn take(&mut self, direction: Direction) -> Buffer {
        let (first, second, other) = match direction {
            Direction::Read => (&mut self.read, &mut self.write, Direction::Write),
            Direction::Write => (&mut self.write, &mut self.read, Direction::Read),
        };
        self.out = if first.is_some() { direction } else { other };
        first
            .take()
            .or_else(|| second.take())
            .expect("an idle slot holds its buffers")
    }

    /// The bytes that [`Slot::take`] would hand out for a write.
    pub(super) fn write_bytes(&mut self) -> &mut [u8] {
        let buffer = self.write.as_mut().or(self.read.as_mut());
        buffer.map_or(&mut [], Buffer::as_mut_slice)
    }

    /// Gives it back.
    #[inline]
    pub(super) fn put(&mut self, buffer: Buffer) {
        match self.out {
            Direction::Read => self.read = Some(buffer),
            Direction::Write => self.write = Some(buffer),
        }
    }
}

/// What the slots of a worker need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Need {
    block: usize,
    reads: bool,
    writes_own: bool,
    pages: PageSize,
}

/// Makes the slots of a worker. Slots that draw their stream need buffers for all of them.
///
/// # Errors
/// Not enough memory, or no huge pages free.
pub(super) fn slots(
    streams: &[&Stream],
    stream_of: impl Fn(usize) -> Option<usize>,
    count: usize,
    huge: bool,
    noise: &mut Noise,
) -> io::Result<(Vec<Slot>, Vec<Arc<Region>>)> {
    let pages = if huge { PageSize::Huge } else { PageSize::Base };
    let needs: Vec<Need> = (0..count)
        .map(|slot| match stream_of(slot) {
            Some(stream) => need(&streams[stream..=stream], pages),
            None => need(streams, pages),
        })
        .collect();
    let mut slots = Vec::with_capacity(count);
    let mut regions = Vec::new();
    let mut first = 0;
    while first < count {
        let need = needs[first];
        let run = needs[first..]
            .iter()
            .take_while(|other| **other == need)
            .count();
        let (reads, writes) = run_of_buffers(need, run, &mut regions)?;
        let (mut reads, mut writes) = (reads.into_iter(), writes.into_iter());
        for slot in first..first + run {
            let mut write = writes.next();
            if let Some(buffer) = &mut write {
                let stream = stream_of(slot).unwrap_or(0);
                payload::fill_buffer(&streams[stream].payload, noise, buffer.as_mut_slice());
            }
            slots.push(Slot {
                stream: 0,
                read: reads.next(),
                write,
                out: Direction::Read,
            });
        }
        first += run;
    }
    Ok((slots, regions))
}

fn need(streams: &[&Stream], pages: PageSize) -> Need {
    let writes_own = streams.iter().any(|stream| {
        stream.mix.write_percent > 0 && !matches!(stream.payload, Payload::Source { .. })
    });
    let reads = streams.iter().any(|stream| stream.mix.write_percent < 100);
    let block = streams
        .iter()
        .map(|stream| stream.sizes.largest())
        .max()
        .unwrap_or(0) as usize;
    // Slots of pure source writes still carry a buffer: requests own one.
    Need {
        block,
        reads: reads || !writes_own,
        writes_own,
        pages,
    }
}

/// Buffers for `count` equal slots, in one region.
fn run_of_buffers(
    need: Need,
    count: usize,
    regions: &mut Vec<Arc<Region>>,
) -> io::Result<(Vec<Buffer>, Vec<Buffer>)> {
    // Whole pages keep every buffer aligned for direct I/O, whatever the block size.
    let page = ioengine::sys::page_size();
    let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
    let block = need
        .block
        .max(1)
        .checked_next_multiple_of(page)
        .ok_or_else(out_of_memory)?;
    let sides = usize::from(need.reads) + usize::from(need.writes_own);
    let length = block
        .checked_mul(count)
        .and_then(|length| length.checked_mul(sides))
        .ok_or_else(out_of_memory)?;
    let region = Region::allocate(length, need.pages)?;
    let (mut buffers, region) = region.split(block, regions.len() as u32);
    regions.push(region);
    buffers.truncate(count * sides);
    if !need.writes_own {
        return Ok((buffers, Vec::new()));
    }
    let writes = buffers.split_off(if need.reads { count } else { 0 });
    Ok((buffers, writes))
}
