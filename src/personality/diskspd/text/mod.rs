//! The text report, and the profile as text that `-Rp` prints.

mod cpu;
mod distribution;
mod form;
mod latency;
mod profile;
mod report;
mod tables;

pub(super) use distribution::kept_share;
pub(super) use form::Form;
pub(super) use profile::render as profile;
pub(super) use report::{INTERRUPTED, TextReport};
