//! iogauge, a storage I/O benchmark: the stages from a command line to a report.
//!
//! The data flows one way: a [`personality`] turns a command line into a [`plan::Plan`]; the
//! [`runner`] carries it out with [`offsets`] and an engine, counting with [`measure`]; what
//! happened is a [`results::Results`]; [`report`] and the personalities lay it out. [`guard`] says
//! what may be written, [`host`] what the machine is, [`verify`] whether what was read is
//! what was written, [`audit`] whether the figure can be trusted. [`app`] strings the stages together, one file a command.

#![forbid(unsafe_code)]

pub mod app;
pub mod audit;
pub mod exit;
pub mod guard;
pub mod host;
pub mod measure;
pub mod offsets;
pub mod personality;
pub mod plan;
pub mod profiles;
pub mod report;
pub mod results;
pub mod runner;
pub mod units;
pub mod verify;
