//! The disks that a person would count, and what kind each is.

use std::fmt;

use super::{Device, DeviceUse, Process, Space};

/// What a disk is, as far as the system shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskKind {
    /// Flash.
    Ssd,
    /// Spinning.
    Hdd,
    /// A virtual machine's: what it says of itself is what its host wants it to say.
    Virtual,
    /// A file behind a loop device.
    Loop,
    /// Memory.
    Memory,
    /// On another machine.
    Network,
    /// Nobody says.
    Unknown,
}

impl fmt::Display for DiskKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ssd => "ssd",
            Self::Hdd => "hdd",
            Self::Virtual => "virtual",
            Self::Loop => "loop",
            Self::Memory => "memory",
            Self::Network => "network",
            Self::Unknown => "?",
        })
    }
}

/// Makers of virtual disks, as they are named in models.
const VIRTUAL_MODELS: [&str; 9] = [
    "qemu",
    "vbox",
    "vmware",
    "virtual",
    "msft",
    "google",
    "persistentdisk",
    "amazon elastic",
    "virtio",
];

impl DiskKind {
    /// By the device's name and what it says of itself.
    pub fn of(device: &Device) -> Self {
        let named = |starts: &[&str]| starts.iter().any(|start| device.name.starts_with(start));
        let model = device.model.as_deref().unwrap_or_default().to_lowercase();
        if named(&["loop"]) {
            Self::Loop
        } else if named(&["ram", "zram", "pmem"]) {
            Self::Memory
        } else if named(&["nbd", "rbd", "drbd"]) {
            Self::Network
        } else if named(&["vd", "xvd"]) || VIRTUAL_MODELS.iter().any(|part| model.contains(part)) {
            Self::Virtual
        } else {
            match device.rotational {
                Some(true) => Self::Hdd,
                Some(false) => Self::Ssd,
                None => Self::Unknown,
            }
        }
    }
}

/// A filesystem on a disk, or a disk without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    /// Where it is mounted; `None` if it is not.
    pub mount: Option<String>,
    /// The device's name, or what stands for it.
    pub device: String,
    /// What it is.
    pub kind: DiskKind,
    /// "ext4" ...
    pub filesystem: Option<String>,
    /// Room on it.
    pub space: Option<Space>,
    /// What the device says of itself.
    pub facts: Option<Device>,
    /// Processes that have files on it open for writing.
    pub writers: Vec<Process>,
    /// How a disk without a mount is in use.
    pub uses: Vec<DeviceUse>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_known_by_its_name_its_model_and_whether_it_spins() {
        let of = |name: &str, model: Option<&str>, rotational| {
            DiskKind::of(&Device {
                name: name.into(),
                model: model.map(str::to_owned),
                size: 1,
                scheduler: None,
                rotational,
                logical_sector: None,
                physical_sector: None,
                write_cache: None,
            })
            .to_string()
        };
        for (name, model, rotational, kind) in [
            ("sda", Some("WDC WD40EFRX"), Some(true), "hdd"),
            ("nvme0n1p2", Some("Samsung SSD 980"), Some(false), "ssd"),
            ("vda1", None, Some(true), "virtual"),
            ("sda", Some("VMware Virtual disk"), Some(true), "virtual"),
            ("sda", Some("QEMU HARDDISK"), Some(true), "virtual"),
            (
                "nvme1n1",
                Some("Amazon Elastic Block Store"),
                Some(false),
                "virtual",
            ),
            ("loop3", None, Some(false), "loop"),
            ("zram0", None, Some(false), "memory"),
            ("nbd0", None, Some(false), "network"),
            ("dm-0", None, Some(false), "ssd"),
            ("sdb", None, None, "?"),
        ] {
            assert_eq!(of(name, model, rotational), kind, "{name} {model:?}");
        }
    }
}
