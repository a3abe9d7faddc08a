//! Which engines there are, what each can do, and how one is opened.

use std::{fmt, io, str::FromStr, sync::Arc};

use thiserror::Error;

pub use crate::engines::sim::{Law, Order, Service};
use crate::{Engine, File, Nanos, Region, engines};

/// An engine's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineKind {
    /// `pread` and `pwrite`, one at a time.
    Psync,
    /// Linux io_uring.
    IoUring,
    /// Linux native asynchronous I/O by raw system calls.
    Libaio,
    /// A shared mapping and copies.
    Mmap,
    /// Completes at once and touches nothing: measures the generator itself.
    Null,
    /// A seeded device on a virtual clock: its figures say nothing about this machine.
    Sim,
}

/// What an engine can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The engine's name on the command line.
    pub name: &'static str,
    /// One line for help.
    pub summary: &'static str,
    /// Several I/Os in flight at once.
    pub asynchronous: bool,
    /// Works with files opened for direct I/O.
    pub direct: bool,
    /// Stays asynchronous on buffered files.
    pub buffered_asynchronous: bool,
    /// Opens and touches the targets at all.
    pub uses_files: bool,
    /// Works on block devices.
    pub devices: bool,
    /// Invents its times: every output must say so.
    pub simulated: bool,
    /// Exists on this system.
    pub here: bool,
}

const LINUX: bool = cfg!(target_os = "linux");

/// All engines, in the order in which help lists them.
pub const ENGINES: &[(EngineKind, Capabilities)] = &[
    (
        EngineKind::Psync,
        Capabilities {
            name: "psync",
            summary: "pread and pwrite, one I/O at a time",
            asynchronous: false,
            direct: true,
            buffered_asynchronous: false,
            uses_files: true,
            devices: true,
            simulated: false,
            here: true,
        },
    ),
    (
        EngineKind::IoUring,
        Capabilities {
            name: "io_uring",
            summary: "Linux io_uring, registered files and buffers where the limits allow",
            asynchronous: true,
            direct: true,
            buffered_asynchronous: true,
            uses_files: true,
            devices: true,
            simulated: false,
            here: LINUX,
        },
    ),
    (
        EngineKind::Libaio,
        Capabilities {
            name: "libaio",
            summary: "Linux native asynchronous I/O (direct I/O only stays asynchronous)",
            asynchronous: true,
            direct: true,
            buffered_asynchronous: false,
            uses_files: true,
            devices: true,
            simulated: false,
            here: LINUX,
        },
    ),
    (
        EngineKind::Mmap,
        Capabilities {
            name: "mmap",
            summary: "a shared mapping, copied from and to",
            asynchronous: false,
            direct: false,
            buffered_asynchronous: false,
            uses_files: true,
            devices: false,
            simulated: false,
            here: LINUX,
        },
    ),
    (
        EngineKind::Null,
        Capabilities {
            name: "null",
            summary: "completes at once, touches nothing: the generator's own cost",
            asynchronous: true,
            direct: true,
            buffered_asynchronous: true,
            uses_files: false,
            devices: true,
            simulated: true,
            here: true,
        },
    ),
    (
        EngineKind::Sim,
        Capabilities {
            name: "sim",
            summary: "a simulated device on a virtual clock, for tests and demonstrations",
            asynchronous: true,
            direct: true,
            buffered_asynchronous: true,
            uses_files: false,
            devices: true,
            simulated: true,
            here: true,
        },
    ),
];

impl EngineKind {
    /// What it can do.
    pub fn capabilities(self) -> &'static Capabilities {
        // The lines stand in the order of the kinds (tested).
        &ENGINES[self as usize].1
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.capabilities().name)
    }
}

impl FromStr for EngineKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ENGINES
            .iter()
            .find(|(_, c)| c.name == text)
            .map(|(kind, _)| *kind)
            .ok_or_else(|| {
                let names: Vec<_> = ENGINES.iter().map(|(_, c)| c.name).collect();
                format!("unknown engine '{text}': one of {}", names.join(", "))
            })
    }
}

/// How completions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polling {
    /// By interrupt.
    #[default]
    Interrupt,
    /// IORING_SETUP_IOPOLL: busy-polls the device; direct I/O only.
    Device,
    /// IORING_SETUP_SQPOLL: a kernel thread takes requests without a system call.
    Submission,
}

/// What a write through a mapping is followed by (mmap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MappedFlush {
    /// Nothing: the kernel writes back when it likes.
    #[default]
    None,
    /// `msync(MS_SYNC)` of the bytes written, as part of the write's latency.
    Sync,
    /// Cache-line write-back and a store fence (persistent memory mapped with MAP_SYNC): refused,
    /// see [`OpenError::Unfit`].
    CacheLine,
}

/// Of what memory the bytes of a block are put together (psync; engines that touch no data take
/// every way alike).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Assembly {
    /// One piece.
    #[default]
    Whole,
    /// One piece of the engine's own, which takes part in the transfer: a write is gathered into it
    /// before, a read is dealt out of it afterwards, both within the latency.
    Copied {
        /// Equal pieces of the request's memory, last first, so that none follows the one before.
        pieces: u32,
    },
    /// One call transfers all pieces (`preadv`, `pwritev`).
    Scattered {
        /// Equal pieces of the request's memory, last first, so that none follows the one before.
        pieces: u32,
    },
}

impl Assembly {
    /// Pieces of a block.
    pub const fn pieces(self) -> u32 {
        match self {
            Self::Whole => 1,
            Self::Copied { pieces } | Self::Scattered { pieces } => pieces,
        }
    }
}

/// Pieces that one call transfers at most: IOV_MAX of Linux (include/uapi/linux/uio.h).
pub const SCATTERED_MAX: u32 = 1024;

/// What an engine is opened with.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Files by the index that requests use. Empty for engines that use none.
    pub files: Vec<Arc<File>>,
    /// Regions that the buffers come from, by [`crate::Buffer::region_index`].
    pub regions: Vec<Arc<Region>>,
    /// Shared sources of write data.
    pub sources: Vec<Arc<Region>>,
    /// Requests in flight at most.
    pub depth: u32,
    /// How completions are found (io_uring).
    pub polling: Polling,
    /// What follows each write through a mapping (mmap).
    pub mapped_flush: MappedFlush,
    /// Of what memory blocks are put together (psync).
    pub assembly: Assembly,
    /// Bytes of the largest request, for which [`Assembly::Copied`] sets memory aside.
    pub largest: u32,
    /// [`crate::Completion::initiated`] is stamped, which takes one more clock read, and on io_uring
    /// a call of its own for each wait.
    pub initiation: bool,
    /// The simulated device's law.
    pub law: Law,
    /// Where a simulated clock starts.
    pub start: Nanos,
}

impl Default for Setup {
    /// No files and no memory, one request at a time.
    fn default() -> Self {
        Self {
            files: Vec::new(),
            regions: Vec::new(),
            sources: Vec::new(),
            depth: 1,
            polling: Polling::default(),
            mapped_flush: MappedFlush::default(),
            assembly: Assembly::default(),
            largest: 0,
            initiation: false,
            law: Law::default(),
            start: Nanos::default(),
        }
    }
}

/// Why an engine did not open.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// This system has no such engine.
    #[error("engine {0} does not exist on this system")]
    NotHere(EngineKind),
    /// The kernel or an administrator refuses it; the sentence says which and what to do.
    #[error("engine {engine} is refused: {reason}")]
    Refused {
        /// Which engine.
        engine: EngineKind,
        /// Why, and what to try.
        reason: String,
        /// The call's error.
        source: io::Error,
    },
    /// A call failed while it was set up.
    #[error("engine {engine}: {call}: {source}")]
    Call {
        /// Which engine.
        engine: EngineKind,
        /// Which call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The set-up does not fit the engine.
    #[error("engine {engine}: {reason}")]
    Unfit {
        /// Which engine.
        engine: EngineKind,
        /// What does not fit.
        reason: String,
    },
}

/// Opens an engine, on the thread that will use it: io_uring serves only the thread that made its
/// ring, and says so by an error from `reap` on any other.
///
/// # Errors
/// See [`OpenError`]. An explicit choice never turns into another engine.
pub fn open(kind: EngineKind, setup: Setup) -> Result<Box<dyn Engine>, OpenError> {
    engines::open(kind, setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_one_line_and_its_name_parses_back() {
        for (kind, capabilities) in ENGINES {
            assert_eq!(capabilities.name.parse::<EngineKind>(), Ok(*kind));
            assert_eq!(ENGINES.iter().filter(|(k, _)| k == kind).count(), 1);
            assert_eq!(kind.capabilities(), capabilities);
        }
        assert!("fast".parse::<EngineKind>().is_err());
    }
}
