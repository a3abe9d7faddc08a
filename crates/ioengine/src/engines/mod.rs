//! One file or folder an engine; [`open`] is their registry, [`check`] what all ask of a request.

#[cfg(target_os = "linux")]
mod io_uring;
#[cfg(target_os = "linux")]
mod libaio;
#[cfg(target_os = "linux")]
mod mmap;
mod null;
mod pieces;
mod psync;
pub(crate) mod sim;

use std::io;

use crate::{
    Engine, EngineKind, OpenError, Operation, Rejected, Request, Setup, registry::Assembly,
};

/// Opens `kind`; see [`crate::registry::open`].
pub(crate) fn open(kind: EngineKind, setup: Setup) -> Result<Box<dyn Engine>, OpenError> {
    fits(kind, &setup)?;
    Ok(match kind {
        EngineKind::Psync if setup.assembly != Assembly::Whole => {
            Box::new(pieces::Pieces::open(setup)?)
        }
        EngineKind::Psync => Box::new(psync::Psync::new(setup)),
        #[cfg(target_os = "linux")]
        EngineKind::IoUring => Box::new(io_uring::Uring::open(setup)?),
        #[cfg(target_os = "linux")]
        EngineKind::Libaio => Box::new(libaio::Libaio::open(setup)?),
        #[cfg(target_os = "linux")]
        EngineKind::Mmap => Box::new(mmap::Mapped::open(setup)?),
        EngineKind::Null => Box::new(null::Null::new(setup)),
        EngineKind::Sim => Box::new(sim::Sim::new(setup)),
        #[cfg(not(target_os = "linux"))]
        EngineKind::IoUring | EngineKind::Libaio | EngineKind::Mmap => {
            return Err(OpenError::NotHere(kind));
        }
    })
}

/// What no engine can do without.
fn fits(kind: EngineKind, setup: &Setup) -> Result<(), OpenError> {
    let unfit = |reason: String| {
        Err(OpenError::Unfit {
            engine: kind,
            reason,
        })
    };
    if setup.depth == 0 {
        return unfit("a depth of 0 cannot do any I/O".into());
    }
    let whole = setup.assembly == Assembly::Whole;
    if !whole && kind != EngineKind::Psync && kind.capabilities().uses_files {
        return unfit("blocks of several pieces are transferred by engine psync only".into());
    }
    // Buffers write to their bytes while a source is read by everybody.
    if setup.sources.iter().any(|source| source.bytes().is_none()) {
        return unfit("a source of write data must not be split into buffers".into());
    }
    Ok(())
}

/// Whether a request stays inside what the engine was opened with: its file, its buffer or source,
/// and the offsets that exist.
#[inline]
fn check(setup: &Setup, request: &Request) -> Result<(), &'static str> {
    if request.file as usize >= setup.files.len() {
        return Err("the request names a file that the engine was not opened with");
    }
    check_memory(setup, request)
}

/// The part of [`check`] for engines that use no files.
#[inline]
fn check_memory(setup: &Setup, request: &Request) -> Result<(), &'static str> {
    let length = request.length as usize;
    match (request.operation, request.source) {
        (Operation::Flush | Operation::FlushData, _) => return Ok(()),
        (Operation::Write, Some(slice)) => {
            let Some(source) = setup.sources.get(slice.region as usize) else {
                return Err("the request names a source that the engine was not opened with");
            };
            if slice.offset as usize + length > source.len() {
                return Err("the request reaches past the end of its source");
            }
        }
        (Operation::Read, _) | (Operation::Write, None) => {
            if length > request.buffer.len() {
                return Err("the request is longer than its buffer");
            }
        }
    }
    // Offsets are signed in the kernel, and -1 means "the current position" to io_uring.
    if request.offset > i64::MAX as u64 - u64::from(request.length) {
        return Err("the request reaches past the last offset that a file can have");
    }
    Ok(())
}

/// The bytes that a checked write sends, unless they come from its own buffer.
#[inline]
fn source_of<'a>(setup: &'a Setup, request: &Request) -> Option<&'a [u8]> {
    let slice = request.source?;
    let start = slice.offset as usize;
    setup
        .sources
        .get(slice.region as usize)?
        .bytes()?
        .get(start..start + request.length as usize)
}

/// A request given back because its numbers are wrong.
#[cold]
fn invalid(request: Request, why: &'static str) -> Rejected {
    Rejected {
        request,
        reason: io::Error::new(io::ErrorKind::InvalidInput, why),
    }
}

/// A request given back because as many are in flight as the engine was opened for.
#[cold]
fn full(request: Request) -> Rejected {
    Rejected {
        request,
        reason: io::ErrorKind::WouldBlock.into(),
    }
}

/// Gives all of `done` to `out`; without a copy where `out` is empty, as a worker's is.
#[inline]
fn hand_over(done: &mut Vec<crate::Completion>, out: &mut Vec<crate::Completion>) {
    if out.is_empty() {
        std::mem::swap(done, out);
    } else {
        out.append(done);
    }
}
