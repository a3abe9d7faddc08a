//! `versus`: one plan out of two, and what is said of both sides afterwards.

pub mod asked;
mod numbers;
pub mod observer;
pub mod plan;
mod sentence;
pub mod sides;
#[cfg(test)]
mod testing;
pub mod text;
