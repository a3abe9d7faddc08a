//! The report, word for word and blank for blank as the original's: what stands before the load
//! ([`heading`], [`FileHead`]), and what stands behind it ([`TextReport`]). Parsers of it count
//! lines and columns, so that nothing may be added.

mod cpu;
mod files;
mod heading;
mod report;
#[cfg(test)]
mod tests;

pub(super) use files::{FileHead, Use};
pub(super) use heading::heading;
pub(super) use report::TextReport;

/// What stands when all files are ready.
pub(super) const INITIALIZED: &str = "initialization done\n";
