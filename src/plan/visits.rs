//! Files read as visitors of a web site would: each is opened, read to its end and closed.

use std::{path::PathBuf, sync::Arc};

/// Visitors, each asking for one file after the other without a pause.
#[derive(Debug, Clone, PartialEq)]
pub struct Visits {
    /// Visitors at a time; each is a thread.
    pub visitors: u32,
    /// Files that may be asked for, the most popular first.
    pub files: Arc<[PathBuf]>,
    /// Which of them are asked for how often.
    pub popularity: Popularity,
    /// What the page cache knows of the files.
    pub cached: Cached,
    /// Bytes of a read at most.
    pub chunk: u32,
}

/// What the page cache knows of files that are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cached {
    /// Whatever it knows.
    AsItIs,
    /// As much as it can hold: each file is read once before the load begins.
    Filled,
    /// Nothing: each file is dropped from it before it is opened.
    Dropped,
}

/// How often files are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Popularity {
    /// All alike.
    Uniform,
    /// The file of rank r, counted from 1, in proportion to r to the power of minus this.
    Zipf(f64),
}
