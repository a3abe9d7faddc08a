//! The thin end of iogauge: everything is in the library.

#![forbid(unsafe_code)]

fn main() {}
