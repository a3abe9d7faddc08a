//! One test binary: the structure of the sources, and the real executable from outside.

mod tidy;
// The executable is looked at through /proc, strace and loop devices.
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod care;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod files;
mod inject;
#[cfg(target_os = "linux")]
mod io;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod native;
#[cfg(target_os = "linux")]
mod parsed;
#[cfg(target_os = "linux")]
mod plans;
#[cfg(target_os = "linux")]
mod profiles;
#[cfg(target_os = "linux")]
mod reference;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod safety;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(target_os = "linux")]
mod sim;
#[cfg(target_os = "linux")]
mod spans;
#[cfg(target_os = "linux")]
mod sqlio;
#[cfg(target_os = "linux")]
mod sweep;
#[cfg(target_os = "linux")]
mod sysbench;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(target_os = "linux")]
mod util;
#[cfg(target_os = "linux")]
mod versus;
#[cfg(target_os = "linux")]
mod web;
