//! sysbench's `fileio` test: the command lines of 0.4.12 and 1.0.20, their requests, their reports.

pub mod options;
