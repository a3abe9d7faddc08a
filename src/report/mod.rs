//! Results in, bytes out.

pub mod progress;
pub mod spoken;
pub mod text;

use std::io;

use crate::results::Results;

/// Lays out results. Does no arithmetic: every figure is a method of the results.
pub trait Renderer {
    /// Writes the whole report.
    ///
    /// # Errors
    /// Those of `out`.
    fn render(&self, results: &Results, out: &mut dyn io::Write) -> io::Result<()>;
}
