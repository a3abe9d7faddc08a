//! The face of sysbench from outside: what was recorded of the originals, what the kernel sees,
//! what a report says, what scripts read in it, and what goes wrong.

mod case;
mod counts;
mod deviations;
mod faults;
mod greps;
mod harm;
mod interrupts;
mod recorded;
mod report;
mod seed;
mod shape;
mod traces;
