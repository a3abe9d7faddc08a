//! Small reads, one after the other with a rest between them: how a disk feels right now.

use std::{path::PathBuf, time::Duration};

use ioengine::Caching;

/// Small reads at random places of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ping {
    /// A file or block device, or a folder, in which a small file is made that nobody else can see.
    pub path: PathBuf,
    /// Bytes of a read.
    pub size: u32,
    /// After so many reads it ends; `None`: only when it is interrupted.
    pub count: Option<u64>,
    /// From the beginning of a read to that of the next.
    pub interval: Duration,
    /// Page cache or not. What cannot be had past the cache is read through it, and told.
    pub caching: Caching,
    /// Where chance comes from.
    pub seed: u64,
}
