//! XML in both directions: profiles are read (`-X`) and written (`-Rpxml`), results are written.
//!
//! `tree` and `fields` know elements and their texts, `read` what a profile says; `write` is the
//! form that `profile`, `system` and `report` have in common.

mod fields;
mod profile;
mod read;
mod report;
mod system;
mod tree;
mod write;

pub(super) use profile::render as profile;
pub(super) use read::read;
pub(super) use report::XmlReport;
