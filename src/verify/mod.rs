//! Data that can be checked: what a verified write puts into each sector, what each place of a target
//! may hold at each time, and what is wrong with what was read. Pure: nothing here reads or writes.
//!
//! [`Label`] is the format of a sector. [`Table`] knows which writes are over and which are under
//! way, so that a read that overlaps writes is held to what it may return and to nothing more.
//! [`judge`] names the fault of what it may not.

mod fault;
mod judge;
mod sector;
mod table;
#[cfg(test)]
mod tests;

pub use fault::{BadBlock, Kind};
pub use judge::{Again, Fault, faults, forget, is_right, judge};
pub use sector::{Label, PREPARED, SECTOR};
pub use table::{IN_FLIGHT_MAX, Note, Table, Unit};
