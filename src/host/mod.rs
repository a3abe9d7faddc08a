//! The machine as the system describes it: CPUs, CPU time, block devices, filesystems.
//!
//! Only this folder and `ioengine` know which operating system runs.

use std::time::Duration;

/// Facts about the machine that plans and reports need. Tests and `IOGAUGE_MACHINE` inject them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Machine {
    /// DNS host name.
    pub name: String,
    /// Kernel name and release.
    pub kernel: String,
    /// CPUs that are online, by number.
    pub cpus: Vec<Cpu>,
    /// CPUs that this process may use, by number.
    pub usable: Vec<u32>,
    /// CPU frequency governor or power scheme, if the system has one.
    pub power_scheme: Option<String>,
    /// Bytes of memory.
    pub memory: u64,
}

/// One logical CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    /// The system's number.
    pub number: u32,
    /// Physical package.
    pub socket: u32,
    /// NUMA node.
    pub node: u32,
    /// Core, counted over the whole machine.
    pub core: u32,
    /// Efficiency class: 0 is the slowest kind; equal on ordinary machines.
    pub class: u32,
}

/// CPU time that one CPU spent over some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuUse {
    /// The system's number.
    pub number: u32,
    /// In programs.
    pub user: Duration,
    /// In the kernel, interrupts included, idle excluded.
    pub kernel: Duration,
    /// In neither.
    pub idle: Duration,
}

/// A filesystem under a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filesystem {
    /// "ext4" ...
    pub kind: String,
    /// Where it is mounted.
    pub mount: String,
    /// What is mounted there.
    pub source: String,
    /// Mount options.
    pub options: String,
}

/// A block device under a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// "sda", "nvme0n1p2" ...
    pub name: String,
    /// Vendor and model, if it has one.
    pub model: Option<String>,
    /// Bytes.
    pub size: u64,
    /// The I/O scheduler in use.
    pub scheduler: Option<String>,
    /// Spinning, as the system says (virtual disks lie).
    pub rotational: Option<bool>,
    /// Bytes of a logical sector.
    pub logical_sector: Option<u32>,
    /// Bytes of a physical sector.
    pub physical_sector: Option<u32>,
    /// "write back" or "write through".
    pub write_cache: Option<String>,
}
