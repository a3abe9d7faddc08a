//! Sizes, rates and durations, parsed once and printed once; names as messages show them. Imports
//! nothing of ours.
//!
//! A parser says what would be right, as the end of a sentence ("a time with its unit ..."); whoever
//! knows the option's name puts it in front.

pub mod fio;
pub mod names;
pub mod number;
pub mod size;
pub mod time;
pub mod words;

pub use size::ByteSize;
