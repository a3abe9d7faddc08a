//! sysbench's output: what it says before, while and after it runs, as messages for the console.

mod block;
mod debug;
mod failures;
mod opening;
mod report;
mod running;
mod v04;
mod v10;

#[cfg(test)]
mod tests;

pub(super) use block::block;
pub(super) use failures::system_error;
pub(super) use opening::{cleanup, header, preparation, start};
pub(super) use report::TextReport;
pub(super) use running::{
    checkpoint, initializing, interval, kept, limit, opening_file, preparing, request, started,
    worker_created, worker_ready,
};
