//! Block devices as /sys shows them.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{Root, block_number, device_number, existing, mounts, names, number, text};
use crate::host::{Device, DeviceCounters, DeviceNumber};

/// /sys counts in these, whatever the device's own sector is.
const SECTOR: u64 = 512;
/// Devices stacked on devices; real stacks have three or four.
pub(super) const STACK_MAX: usize = 8;

/// The device under a path: itself, or its filesystem's. `None` where there is none (network,
/// memory) or where the system does not show it.
pub(super) fn number_under(root: &Root, path: &Path) -> Option<DeviceNumber> {
    number_below(root, path, STACK_MAX)
}

fn number_below(root: &Root, path: &Path, levels: usize) -> Option<DeviceNumber> {
    let data = fs::metadata(existing(path)?).ok()?;
    if let Some(number) = block_number(&data) {
        return Some(number);
    }
    let number = device_number(data.dev());
    // Major 0 is for filesystems without a device of their own: memory, network, but also btrfs
    // and overlay, whose mount says more.
    if number.major != 0 {
        return Some(number);
    }
    let filesystem = mounts::filesystem(root, path)?;
    if filesystem.source.starts_with('/') {
        let source = fs::metadata(root.path(&filesystem.source[1..])).ok()?;
        return block_number(&source);
    }
    let upper = filesystem
        .options
        .split(',')
        .find_map(|option| option.strip_prefix("upperdir="))?;
    let levels = levels.checked_sub(1)?;
    number_below(root, Path::new(upper), levels)
}

/// The device's folder in /sys, with links resolved.
pub(super) fn folder(root: &Root, number: DeviceNumber) -> Option<PathBuf> {
    fs::canonicalize(root.path(format!("sys/dev/block/{number}"))).ok()
}

pub(super) fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    // A slash in a device's name is an exclamation mark in /sys.
    name.replace('!', "/")
}

/// The folder of the whole disk that a partition belongs to.
pub(super) fn parent(folder: &Path) -> Option<PathBuf> {
    folder
        .join("partition")
        .exists()
        .then(|| folder.parent().map(Path::to_path_buf))?
}

/// What /sys says of a device. Model, scheduler and the like are the whole disk's.
pub(super) fn device(root: &Root, device: DeviceNumber) -> Option<Device> {
    let own = folder(root, device)?;
    let whole = parent(&own).unwrap_or_else(|| own.clone());
    let queue = whole.join("queue");
    let sectors: Option<u64> = number(&own.join("size"));
    Some(Device {
        name: name(&own),
        model: model(root, &whole, STACK_MAX),
        size: sectors.unwrap_or(0).saturating_mul(SECTOR),
        scheduler: text(&queue.join("scheduler")).and_then(|text| chosen(&text)),
        rotational: text(&queue.join("rotational")).map(|text| text == "1"),
        logical_sector: number(&queue.join("logical_block_size")),
        physical_sector: number(&queue.join("physical_block_size")),
        write_cache: text(&queue.join("write_cache")).filter(|text| !text.is_empty()),
    })
}

/// `none [mq-deadline] kyber`: the one in brackets; a lone word stands without.
fn chosen(text: &str) -> Option<String> {
    let in_brackets = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    let name = in_brackets.map_or(text, |(name, _)| name).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Vendor and model; of a device built on one other device, that one's.
fn model(root: &Root, whole: &Path, levels: usize) -> Option<String> {
    let word = |name: &str| {
        let text = text(&whole.join("device").join(name))?;
        (!text.is_empty()).then_some(text)
    };
    if let Some(model) = word("model") {
        // Linux says "ATA" for every SATA disk, and virtio a number: neither names a maker.
        let vendor = word("vendor").filter(|v| v != "ATA" && !v.starts_with("0x"));
        return Some(vendor.map_or(model.clone(), |vendor| format!("{vendor} {model}")));
    }
    let slaves = names(&whole.join("slaves"));
    let [only] = slaves.as_slice() else {
        return None;
    };
    let below = fs::canonicalize(root.path(format!("sys/class/block/{only}"))).ok()?;
    let below = parent(&below).unwrap_or(below);
    model(root, &below, levels.checked_sub(1)?)
}

/// The `stat` file of a device.
pub(super) fn counters(root: &Root, device: DeviceNumber) -> Option<DeviceCounters> {
    parse_counters(&root.text(format!("sys/dev/block/{device}/stat"))?)
}

/// Documentation/block/stat.rst: 11 columns, then 4 of discards, then 2 of flushes.
fn parse_counters(text: &str) -> Option<DeviceCounters> {
    let columns: Vec<u64> = text
        .split_ascii_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let column = |place: usize| columns.get(place).copied().unwrap_or(0);
    (columns.len() >= 11).then(|| DeviceCounters {
        reads: column(0),
        read_merges: column(1),
        read_sectors: column(2),
        read_ms: column(3),
        writes: column(4),
        write_merges: column(5),
        write_sectors: column(6),
        write_ms: column(7),
        in_flight: column(8),
        busy_ms: column(9),
        weighted_ms: column(10),
        discards: column(11),
        flushes: column(15),
        flush_ms: column(16),
    })
}

/// Devices that are made of memory, files or other devices, and drives whose medium comes and goes.
const NOT_DISKS: [&str; 8] = ["loop", "ram", "zram", "sr", "dm-", "md", "fd", "nbd"];

/// Disks with a medium, in the order a person would count them.
pub(super) fn whole_disks(root: &Root) -> Vec<String> {
    let folder = root.path("sys/block");
    let is_disk = |name: &String| {
        // A path of a multipath NVMe disk is hidden: it cannot be opened.
        let hidden = text(&folder.join(name).join("hidden")).is_some_and(|text| text != "0");
        let size: u64 = number(&folder.join(name).join("size")).unwrap_or(0);
        let made = NOT_DISKS.iter().any(|start| name.starts_with(start));
        !made && !hidden && size > 0
    };
    let mut disks: Vec<String> = names(&folder).into_iter().filter(is_disk).collect();
    disks.sort_by_cached_key(|name| order(name));
    disks
}

/// sdb before sdaa, nvme2n1 before nvme10n1: the family, then words and numbers by length and
/// spelling.
fn order(name: &str) -> (String, Vec<(usize, String)>) {
    let family: String = name.chars().take(2).collect();
    let mut parts: Vec<(usize, String)> = Vec::new();
    for letter in name.chars() {
        match parts.last_mut() {
            Some((length, part))
                if part.ends_with(|c: char| c.is_ascii_digit() == letter.is_ascii_digit()) =>
            {
                part.push(letter);
                *length += 1;
            }
            _ => parts.push((1, letter.to_string())),
        }
    }
    (family, parts)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A machine with disk sda (partitions sda1, sda2), dm-0 on sda2, an empty card reader sdb.
    pub(in super::super) fn machine() -> (tempfile::TempDir, Root) {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let file = |path: &str, content: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), content).unwrap();
        };
        let link = |path: &str, to: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(at(to), at(path)).unwrap();
        };
        let devices = [
            ("8:0", "sda", "sys/devices/pci/block/sda", "1000"),
            ("8:1", "sda1", "sys/devices/pci/block/sda/sda1", "400"),
            ("8:2", "sda2", "sys/devices/pci/block/sda/sda2", "500"),
            ("8:16", "sdb", "sys/devices/pci/block/sdb", "0"),
            ("252:0", "dm-0", "sys/devices/virtual/block/dm-0", "500"),
        ];
        for (number, name, path, size) in devices {
            file(&format!("{path}/dev"), number);
            file(&format!("{path}/size"), size);
            fs::create_dir_all(at(path).join("holders")).unwrap();
            fs::create_dir_all(at(path).join("slaves")).unwrap();
            link(&format!("sys/dev/block/{number}"), path);
            link(&format!("sys/class/block/{name}"), path);
            if path.ends_with("sda1") || path.ends_with("sda2") {
                file(&format!("{path}/partition"), "1");
            } else {
                link(&format!("sys/block/{name}"), path);
            }
        }
        let sda = "sys/devices/pci/block/sda";
        file(&format!("{sda}/device/model"), "Disk 9000   \n");
        file(&format!("{sda}/device/vendor"), "ATA     \n");
        file(
            &format!("{sda}/queue/scheduler"),
            "none [mq-deadline] bfq\n",
        );
        file(&format!("{sda}/queue/rotational"), "1\n");
        file(&format!("{sda}/queue/logical_block_size"), "512\n");
        file(&format!("{sda}/queue/physical_block_size"), "4096\n");
        file(&format!("{sda}/queue/write_cache"), "write back\n");
        link(&format!("{sda}/sda2/holders/dm-0"), "sys/class/block/dm-0");
        link(
            "sys/devices/virtual/block/dm-0/slaves/sda2",
            "sys/class/block/sda2",
        );
        let root = Root(folder.path().to_path_buf());
        (folder, root)
    }

    fn number_of(text: &str) -> DeviceNumber {
        mounts::parse_device(text).unwrap()
    }

    #[test]
    fn a_partition_has_its_own_size_and_its_disks_properties() {
        let (_folder, root) = machine();
        let seen = device(&root, number_of("8:1")).unwrap();
        assert_eq!((seen.name.as_str(), seen.size), ("sda1", 400 * 512));
        assert_eq!(seen.model.as_deref(), Some("Disk 9000"));
        assert_eq!(seen.scheduler.as_deref(), Some("mq-deadline"));
        assert_eq!(seen.rotational, Some(true));
        assert_eq!(seen.logical_sector, Some(512));
        assert_eq!(seen.physical_sector, Some(4096));
        assert_eq!(seen.write_cache.as_deref(), Some("write back"));
        let mapped = device(&root, number_of("252:0")).unwrap();
        assert_eq!(mapped.model.as_deref(), Some("Disk 9000"));
        assert_eq!(mapped.scheduler, None);
        assert_eq!(device(&root, number_of("9:9")), None);
    }

    #[test]
    fn whole_disks_are_real_and_in_order() {
        let (_folder, root) = machine();
        assert_eq!(whole_disks(&root), ["sda"]);
        let mut names = ["sdaa", "nvme10n1", "sdb", "vda", "nvme2n1", "sda"];
        names.sort_by_cached_key(|name| order(name));
        assert_eq!(names, ["nvme2n1", "nvme10n1", "sda", "sdb", "sdaa", "vda"]);
    }

    #[test]
    fn counters_of_old_and_new_kernels() {
        let text = "37192 7623 6705770 23874 51358 38662 9054176 52788 0 19892 80562 \
                    4533 60 981632 1671 1644 2227";
        let seen = parse_counters(text).unwrap();
        assert_eq!((seen.reads, seen.read_sectors), (37192, 6_705_770));
        assert_eq!((seen.writes, seen.write_sectors), (51358, 9_054_176));
        assert_eq!((seen.busy_ms, seen.in_flight), (19892, 0));
        assert_eq!(
            (seen.discards, seen.flushes, seen.flush_ms),
            (4533, 1644, 2227)
        );
        let old = parse_counters("1 2 3 4 5 6 7 8 9 10 11").unwrap();
        assert_eq!((old.weighted_ms, old.flushes), (11, 0));
        assert_eq!(parse_counters("1 2 3"), None);
        assert_eq!(parse_counters(""), None);
    }

    #[test]
    fn kernel_filesystems_have_no_device_under_them() {
        let root = Root::system();
        for path in ["/proc/self/stat", "/sys/block", "/proc/not/there"] {
            assert_eq!(number_under(&root, Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_scheduler_is_the_one_in_brackets() {
        assert_eq!(chosen("[none] kyber").as_deref(), Some("none"));
        assert_eq!(chosen("none").as_deref(), Some("none"));
        assert_eq!(chosen(""), None);
    }
}
