//! Facts of a machine that bend measurements.

use super::Device;

/// Those of the machine as a whole; what the system does not say is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conditions {
    /// What the kernel keeps time by.
    pub clock: Option<String>,
    /// What it could keep time by.
    pub clocks: Vec<String>,
    /// Swap space.
    pub swap: Swap,
    /// Requests for which asynchronous I/O contexts were made (fs.aio-nr).
    pub aio_used: Option<u64>,
    /// How many there may be (fs.aio-max-nr).
    pub aio_max: Option<u64>,
}

/// Swap space in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swap {
    /// In all.
    pub size: u64,
    /// In use.
    pub used: u64,
}

/// What is under a path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Underneath {
    /// The whole disk, below partitions and what is built on one device.
    pub disk: Option<Device>,
    /// The byte of its disk at which a partition starts.
    pub starts_at: Option<u64>,
    /// The file behind a loop device.
    pub backing_file: Option<String>,
    /// A thin volume: space comes from a pool when it is written first.
    pub thin: bool,
}
