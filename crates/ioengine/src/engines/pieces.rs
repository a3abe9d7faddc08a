//! `pread` and `pwrite` of blocks that are several pieces of memory: copied together, or scattered.
//!
//! The pieces are those of the request's own memory, last first: none follows the one before, and
//! no memory but the request's is needed. The engine of ordinary blocks (`psync`) knows nothing of
//! this, so that it costs nothing there.

use std::io;

use super::{check, full, hand_over, invalid, source_of};
use crate::{
    Buffer, Completion, Engine, EngineKind, Errno, File, Nanos, OpenError, Operation, PageSize,
    Region, Rejected, Request, Setup, Wait, clock,
    registry::{Assembly, SCATTERED_MAX},
    sys,
};

/// See the module.
pub(crate) struct Pieces {
    setup: Setup,
    depth: usize,
    way: Way,
    /// Pieces of a block.
    count: u32,
    done: Vec<Completion>,
}

/// How the pieces become a block.
enum Way {
    /// Through this buffer.
    Copied(Buffer),
    /// By one call over this list.
    Scattered(sys::PieceList),
}

impl Pieces {
    pub(crate) fn open(setup: Setup) -> Result<Self, OpenError> {
        let unfit = |reason: &str| OpenError::Unfit {
            engine: EngineKind::Psync,
            reason: reason.to_owned(),
        };
        let failed = |call, source| OpenError::Call {
            engine: EngineKind::Psync,
            call,
            source,
        };
        let pieces = setup.assembly.pieces();
        if pieces == 0 {
            return Err(unfit("a block of 0 pieces cannot be put together"));
        }
        let way = match setup.assembly {
            Assembly::Scattered { .. } if pieces > SCATTERED_MAX => {
                return Err(unfit("one call transfers no more than 1024 pieces"));
            }
            Assembly::Scattered { .. } => Way::Scattered(
                sys::PieceList::new(pieces).map_err(|error| failed("the list of pieces", error))?,
            ),
            Assembly::Whole | Assembly::Copied { .. } => {
                let own = own_buffer(setup.largest as usize);
                Way::Copied(own.map_err(|error| failed("memory to copy pieces to", error))?)
            }
        };
        let depth = setup.depth as usize;
        Ok(Self {
            setup,
            depth,
            way,
            count: pieces,
            done: Vec::with_capacity(depth),
        })
    }

    /// Whether a request comes apart.
    fn check(&self, request: &Request) -> Result<(), &'static str> {
        check(&self.setup, request)?;
        if !request.operation.transfers() {
            return Ok(());
        }
        if !request.length.is_multiple_of(self.count) {
            return Err("the request has no such number of equal pieces");
        }
        match &self.way {
            Way::Copied(block) if request.length as usize > block.len() => {
                Err("the request is longer than the engine was opened for")
            }
            _ => Ok(()),
        }
    }

    /// Does a checked request.
    fn perform(&mut self, request: &mut Request) -> Result<u32, Errno> {
        let Some(file) = self.setup.files.get(request.file as usize) else {
            return Err(Errno::EBADF);
        };
        let length = request.length as usize;
        let piece = (length / self.count as usize).max(1);
        match request.operation {
            Operation::Read => {
                let memory = &mut request.buffer.as_mut_slice()[..length];
                self.way.read(file, memory, piece, request.offset)
            }
            Operation::Write => {
                let memory = match source_of(&self.setup, request) {
                    Some(bytes) => bytes,
                    None => &request.buffer.as_slice()[..length],
                };
                self.way.write(file, memory, piece, request.offset)
            }
            Operation::Flush => sys::flush(file.std(), false),
            Operation::FlushData => sys::flush(file.std(), true),
        }
    }
}

impl Way {
    fn read(
        &mut self,
        file: &File,
        memory: &mut [u8],
        piece: usize,
        offset: u64,
    ) -> Result<u32, Errno> {
        match self {
            Self::Scattered(list) => list.read_at(file.std(), memory, piece, offset),
            Self::Copied(block) => {
                let block = &mut block.as_mut_slice()[..memory.len()];
                let count = sys::read_at(file.std(), block, offset)?;
                for (to, from) in memory.chunks_mut(piece).rev().zip(block.chunks(piece)) {
                    to.copy_from_slice(from);
                }
                Ok(count)
            }
        }
    }

    fn write(
        &mut self,
        file: &File,
        memory: &[u8],
        piece: usize,
        offset: u64,
    ) -> Result<u32, Errno> {
        match self {
            Self::Scattered(list) => list.write_at(file.std(), memory, piece, offset),
            Self::Copied(block) => {
                let block = &mut block.as_mut_slice()[..memory.len()];
                for (to, from) in block.chunks_mut(piece).zip(memory.chunks(piece).rev()) {
                    to.copy_from_slice(from);
                }
                sys::write_at(file.std(), block, offset)
            }
        }
    }
}

/// Memory of this many bytes, touched, so that the first I/O does not pay for it.
fn own_buffer(length: usize) -> io::Result<Buffer> {
    let (mut buffers, _) = Region::allocate(length, PageSize::Base)?.split(length.max(1), 0);
    let mut buffer = buffers
        .pop()
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    buffer.as_mut_slice().fill(0);
    Ok(buffer)
}

impl Engine for Pieces {
    fn submit(&mut self, mut request: Request) -> Result<(), Rejected> {
        if self.done.len() >= self.depth {
            return Err(full(request));
        }
        if let Err(why) = self.check(&request) {
            return Err(invalid(request, why));
        }
        let issued = clock::now();
        let result = self.perform(&mut request);
        let completed = clock::now();
        self.done.push(Completion {
            request,
            result,
            issued,
            initiated: completed,
            completed,
        });
        Ok(())
    }

    fn reap(&mut self, wait: Wait, out: &mut Vec<Completion>) -> io::Result<()> {
        if let (true, Some(until)) = (self.done.is_empty(), wait.until) {
            clock::sleep_until(until);
        }
        hand_over(&mut self.done, out);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.done.len()
    }

    fn now(&self) -> Nanos {
        clock::now()
    }
}
