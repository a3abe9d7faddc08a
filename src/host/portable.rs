//! Systems of which little is known yet: the machine's name and its CPUs. What is not known is
//! absent, never invented.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    thread,
};

use super::{
    Conditions, Cpu, CpuTimes, Database, Device, DeviceCounters, DeviceNumber, DeviceUse, Disk,
    FileUse, Filesystem, Look, Machine, PathKind, Process, Space, Underneath,
};

/// Facts about this machine.
pub fn machine() -> Machine {
    let count = thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let name = ["COMPUTERNAME", "HOSTNAME"]
        .iter()
        .find_map(|name| env::var(name).ok());
    Machine {
        name: name.unwrap_or_default(),
        kernel: env::consts::OS.to_owned(),
        cpus: (0..count)
            .map(|number| Cpu {
                number,
                socket: 0,
                node: 0,
                core: number,
                class: 0,
            })
            .collect(),
        usable: (0..count).collect(),
        drive_letters: cfg!(windows),
        ..Machine::default()
    }
}

/// Not known here: empty.
pub fn cpu_times() -> CpuTimes {
    CpuTimes::default()
}

/// Not known here: 0.
pub fn uptime_ms() -> u64 {
    0
}

/// Not known here.
pub fn filesystem(_path: &Path) -> Option<Filesystem> {
    None
}

/// Not known here.
pub fn device_of(_path: &Path) -> Option<Device> {
    None
}

/// Not known here.
pub fn device_counters(_path: &Path) -> Option<DeviceCounters> {
    None
}

/// Not known here: empty.
pub fn whole_disks() -> Vec<String> {
    Vec::new()
}

/// Not known here: empty. No device can be opened here either, since [`look`] knows none.
pub fn device_use(_path: &Path) -> Vec<DeviceUse> {
    Vec::new()
}

/// Not known here: empty.
pub fn disks() -> Vec<Disk> {
    Vec::new()
}

/// A path on a disk of the list.
pub fn place_on(disk: &Disk) -> PathBuf {
    PathBuf::from(&disk.device)
}

/// They are not, here.
pub fn devices_are_shown() -> bool {
    false
}

/// Not known here: empty.
pub fn conditions() -> Conditions {
    Conditions::default()
}

/// Not known here: 0.
pub fn pages_swapped() -> u64 {
    0
}

/// Not known here: empty.
pub fn underneath(_path: &Path) -> Underneath {
    Underneath::default()
}

/// Not known here: empty.
pub fn databases() -> Vec<Database> {
    Vec::new()
}

/// Not known here.
pub fn disk_under(_path: &Path) -> Option<DeviceNumber> {
    None
}

/// What is open on the machine: not known here.
#[derive(Debug)]
pub struct OpenFiles;

impl OpenFiles {
    /// As it is now.
    pub fn now() -> Self {
        Self
    }

    /// Not known here: nobody.
    pub fn users_of(&self, _path: &Path) -> FileUse {
        FileUse::default()
    }

    /// Not known here: nobody.
    pub fn openers_of(&self, _path: &Path) -> Vec<Process> {
        Vec::new()
    }
}

/// What a path is.
///
/// # Errors
/// As the system says; `NotFound` also for a symbolic link that leads nowhere.
pub fn look(path: &Path) -> io::Result<Look> {
    let symlink = fs::symlink_metadata(path)?.file_type().is_symlink();
    let data = fs::metadata(path)?;
    let kind = if data.is_file() {
        PathKind::Regular
    } else if data.is_dir() {
        PathKind::Folder
    } else {
        PathKind::Other
    };
    Ok(Look {
        kind,
        symlink,
        size: data.len(),
        allocated: data.len(),
        links: 1,
        identity: None,
    })
}

/// Not known here.
pub fn space(_path: &Path) -> Option<Space> {
    None
}
