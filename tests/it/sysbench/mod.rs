//! The face of sysbench from outside: what was recorded of the originals, what the kernel sees,
//! what a report says, what scripts read in it, and what goes wrong.

mod case;
mod counts;
mod deviations;
mod recorded;
mod report;
mod shape;
mod traces;
