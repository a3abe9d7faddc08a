//! The face of SQLIO from outside: published reports, what the kernel sees, what happens to files,
//! and what goes wrong.

mod batch;
mod calls;
mod commands;
mod faults;
mod files;
mod grid;
mod raw;
mod report;
mod samples;
mod seen;
