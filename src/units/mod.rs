//! Sizes, rates and durations: parsed once, printed once. Imports nothing of ours.

pub mod size;

pub use size::ByteSize;
