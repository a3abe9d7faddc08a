//! The machine as the system describes it: CPUs, CPU time, block devices, filesystems.
//!
//! Only this folder and `ioengine` know which operating system runs: one folder or file a system,
//! same functions. What bytes mean ([`signature`]) and what a test injects ([`parse_machine`]) is
//! the same everywhere.

mod activity;
mod below;
mod conditions;
mod cpu_times;
mod disks;
mod inject;
mod leftovers;
mod marks;
mod private;
pub mod signature;
mod storage;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(not(target_os = "linux"))]
use portable as system;

use std::{collections::BTreeMap, time::Duration};

pub use activity::{Activity, DiskLoad, activity, foreign_load};
pub use below::{Below, files_below};
pub use conditions::{Conditions, Swap, Underneath};
pub use cpu_times::CpuTimes;
pub use disks::{Disk, DiskKind};
pub use inject::{MachineError, parse_machine};
pub use ioengine::sys::{Stream, terminal_columns, user_id};
pub use leftovers::{Depth, Leftover, Leftovers, leftovers, remove_leftover};
pub use marks::{Marked, is_marked, mark, marked, settle, unsettle};
pub use private::private_folder;
pub use signature::{Family, Signature};
pub use storage::{
    Contents, Database, DeviceCounters, DeviceNumber, DeviceUse, FileUse, Identity, Look, PathKind,
    Process, Space, contents, is_remote,
};
pub use system::{
    OpenFiles, conditions, cpu_times, databases, device_counters, device_of, device_use,
    devices_are_shown, disk_under, disks, filesystem, look, machine, pages_swapped, place_on,
    space, underneath, uptime_ms, whole_disks,
};

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
    /// Soft-NUMA nodes where a test says so; [`Machine::soft_nodes`] counts them otherwise.
    pub soft_nodes_given: Option<u32>,
    /// Paths are written as in Windows: drive letters, and `\` between folders.
    pub drive_letters: bool,
}

/// Physical cores of a soft-NUMA node at most, as SQL Server 2016 splits its nodes.
const SOFT_NODE_CORES: usize = 8;

impl Machine {
    /// NUMA nodes that have CPUs, at least 1.
    pub fn nodes(&self) -> u32 {
        distinct(self.cpus.iter().map(|cpu| cpu.node))
    }

    /// Physical packages, at least 1.
    pub fn sockets(&self) -> u32 {
        distinct(self.cpus.iter().map(|cpu| cpu.socket))
    }

    /// Nodes after those of more than 8 physical cores are split into parts of at most 8.
    pub fn soft_nodes(&self) -> u32 {
        let mut cores: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for cpu in &self.cpus {
            cores.entry(cpu.node).or_default().push(cpu.core);
        }
        let parts = cores.into_values().map(|mut cores| {
            cores.sort_unstable();
            cores.dedup();
            cores.len().div_ceil(SOFT_NODE_CORES) as u32
        });
        self.soft_nodes_given
            .unwrap_or_else(|| parts.sum::<u32>().max(1))
    }
}

fn distinct(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    (numbers.len() as u32).max(1)
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
    /// In handlers of interrupts; in `kernel` too.
    pub interrupt: Duration,
    /// In what handlers put off (softirqs; Windows calls its own DPCs); in `kernel` too.
    pub deferred: Duration,
    /// Interrupts taken.
    pub interrupts: u64,
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
