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
    /// Each file is dropped from the page cache before it is opened.
    pub cold: bool,
    /// Bytes of a read at most.
    pub chunk: u32,
}

/// How often files are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Popularity {
    /// All alike.
    Uniform,
    /// The file of rank r, counted from 1, in proportion to r to the power of minus this.
    Zipf(f64),
}
