//! One suite over every engine in the registry: what each must do whatever it is made of.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails its test")]

mod files;
mod limits;
#[cfg(target_os = "linux")]
mod mapped;
mod model;
mod ownership;
mod pieces;
#[cfg(target_os = "linux")]
mod pipe;
mod polled;
mod rig;
mod transfers;
mod waiting;
