//! Safe wrappers of the system calls that the engines and the application need; one implementation
//! a system, same functions. What a system lacks is an error of kind `Unsupported`, or `None`.

mod types;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(not(target_os = "linux"))]
pub use portable::*;

pub use types::{AccessTime, CacheAdvice, Extents, IoPriority, Limit, NoDirectIo, Space, Stream};
