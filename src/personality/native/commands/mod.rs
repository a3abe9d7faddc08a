//! Our own commands and their options, one file a command. Each is a clap `Args`; what it means is
//! worked out elsewhere.

pub mod clean;
pub mod doctor;
pub mod explain;
pub mod fio;
pub mod load;
pub mod ping;
pub mod precondition;
pub mod profiles;
pub mod quick;
pub mod run;
pub mod sweep;
pub mod versus;
pub mod web;
pub mod workload;
