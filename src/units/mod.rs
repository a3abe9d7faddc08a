//! Sizes, rates and durations, parsed once and printed once; names as messages show them. Imports
//! nothing of ours.

pub mod names;
pub mod size;
pub mod words;

pub use size::ByteSize;
