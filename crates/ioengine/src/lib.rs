//! Block I/O engines behind one trait.
//!
//! An [`Engine`] is one worker's connection to the kernel: requests go in with the buffer they
//! use, completions come back with it. Nothing here knows of plans, workloads or reports; all
//! `unsafe` code of iogauge is in this crate.
//!
//! - [`registry`]: which engines exist, what each can do, and opening one;
//! - [`Region`] and [`Buffer`]: page-aligned memory that the kernel may write;
//! - [`File`]: an open target with its size, kind and direct-I/O alignment;
//! - [`clock`]: the only reader of the time;
//! - [`sys`]: safe wrappers of the calls that the application needs.

pub mod buffer;
pub mod clock;
mod engines;
mod errno;
pub mod file;
pub mod registry;
mod request;
pub mod sys;

pub use buffer::{Buffer, PageSize, Region};
pub use clock::Nanos;
pub use errno::Errno;
pub use file::{Access, Alignment, Caching, Durability, File, FileKind, OpenOptions};
pub use registry::{Capabilities, EngineKind, OpenError, Setup};
pub use request::{Completion, Engine, Operation, Rejected, Request, SourceSlice, Wait};
