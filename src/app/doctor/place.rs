//! What is under the path: filesystem, room, direct I/O, sectors, write cache, and who uses it now.

use super::{super::words, checks::Check, direct::Direct};
use crate::{
    host::{DiskKind, DiskLoad, Filesystem, Space, Underneath, is_remote},
    units::names::escaped,
};

/// What was seen of the path.
pub(super) struct Seen {
    pub(super) filesystem: Option<Filesystem>,
    pub(super) space: Option<Space>,
    pub(super) underneath: Underneath,
    pub(super) direct: Direct,
    pub(super) load: Option<DiskLoad>,
    /// The path is a disk itself, without a filesystem.
    pub(super) device: bool,
}

/// What our own commands leave free: a tenth, or this.
const RESERVE_MIN: u64 = 5 << 30;

/// Others may take this share of a disk's time before it is told.
const BUSY_MAX: f64 = 0.05;

/// Everything about it.
pub(super) fn checks(seen: &Seen) -> Vec<Check> {
    let mut checks = Vec::new();
    if !seen.device {
        checks.extend(seen.filesystem.as_ref().map(filesystem));
        checks.extend(seen.filesystem.as_ref().and_then(compression));
        checks.extend(seen.space.map(room));
    }
    checks.push(direct(&seen.direct));
    checks.push(kind(&seen.underneath));
    checks.extend(sectors(&seen.underneath));
    checks.push(write_cache(&seen.underneath));
    checks.push(busy(seen.load));
    checks
}

fn filesystem(seen: &Filesystem) -> Check {
    let kind = escaped(&seen.kind);
    let words = format!("{kind} on {}", escaped(&seen.mount));
    let read_only = seen.options.split(',').any(|option| option == "ro");
    let check = if read_only {
        Check::action(
            "filesystem",
            format!("{words} is mounted read-only, so that no test file can be made there"),
            "name another place, or only read files that are there",
        )
    } else if matches!(seen.kind.as_str(), "tmpfs" | "ramfs") {
        Check::action(
            "filesystem",
            format!("{words} is memory: no disk would be measured"),
            "name a folder on a disk (iogauge lists them)",
        )
    } else if is_remote(&seen.kind) {
        Check::action(
            "filesystem",
            format!("{words} is on another machine: network and server are measured with it"),
            "for a disk alone, run on the machine that has it",
        )
    } else if seen.kind == "overlay" {
        Check::action(
            "filesystem",
            format!("{words} is a container's layers: the first write to an old file copies it"),
            "name a volume that is mounted into the container",
        )
    } else {
        Check::fine("filesystem", words)
    };
    check
        .with("kind", kind)
        .with("mount", escaped(&seen.mount))
        .with("options", escaped(&seen.options))
}

/// Only said where a filesystem can compress.
fn compression(seen: &Filesystem) -> Option<Check> {
    let mut options = seen.options.split(',');
    let on = options.find(|option| {
        let name = option.split('=').next().unwrap_or_default();
        matches!(name, "compress" | "compress-force" | "compress_algorithm")
    });
    let said = match (seen.kind.as_str(), on) {
        ("btrfs" | "f2fs" | "bcachefs", Some(option)) => format!("is on ({})", escaped(option)),
        ("zfs", _) => "may be on (zfs get compression tells)".to_owned(),
        ("btrfs" | "f2fs" | "bcachefs", None) => {
            return Some(Check::fine("compression", "is not asked for by the mount"));
        }
        _ => return None,
    };
    Some(Check::action(
        "compression",
        format!("{said}: zeros and patterns would hardly reach the disk"),
        "keep --data random, for lines of other tools too (IOGAUGE_DATA=random)",
    ))
}

fn room(space: Space) -> Check {
    let reserve = (space.size / 10).max(RESERVE_MIN);
    let words = format!(
        "{} of {} are free",
        words::size(space.available),
        words::size(space.size)
    );
    let check = if space.available < reserve {
        Check::action(
            "free_space",
            format!(
                "{words}, and nearly full filesystems are slower; our own commands make no file \
                 that leaves less than {}",
                words::size(reserve)
            ),
            "remove what is not needed (iogauge clean for test files), or name another place",
        )
    } else {
        Check::fine("free_space", words)
    };
    check
        .with("available_bytes", space.available)
        .with("size_bytes", space.size)
}

fn direct(direct: &Direct) -> Check {
    match direct {
        Direct::Works(alignment) => Check::fine(
            "direct_io",
            format!(
                "works, in multiples of {} bytes (memory: {})",
                alignment.offset, alignment.memory
            ),
        )
        .with("offset_alignment_bytes", alignment.offset)
        .with("memory_alignment_bytes", alignment.memory),
        Direct::Refused => Check::action(
            "direct_io",
            "the filesystem has none (O_DIRECT is refused): the page cache cannot be left out",
            "name another place, or use --cache buffered with a size of twice the memory",
        ),
        Direct::Untried(why) => Check::unknown("direct_io", format!("was not tried: {why}")),
    }
}

fn kind(seen: &Underneath) -> Check {
    let Some(disk) = &seen.disk else {
        return Check::unknown("disk_kind", "no disk is seen under this path");
    };
    let kind = DiskKind::of(disk);
    let name = escaped(&disk.name);
    let model = disk
        .model
        .as_deref()
        .map_or_else(String::new, |m| format!(" ({})", escaped(m)));
    let check = match (kind, &seen.backing_file) {
        (_, Some(file)) => Check::action(
            "disk_kind",
            format!(
                "{name} is a file, {}: its filesystem is measured too",
                escaped(file)
            ),
            "read the figures as those of both, or name a disk",
        ),
        _ if seen.thin => Check::action(
            "disk_kind",
            format!("a thin volume on {name}{model}: the first write to each place allocates it"),
            "write the test file or volume once before it is measured",
        ),
        (DiskKind::Virtual, _) => Check::fine(
            "disk_kind",
            format!(
                "{name}{model} is a virtual disk: what it says of its cache and sectors is its \
                 host's word, and the host may cache and throttle, so that minutes say more than \
                 seconds"
            ),
        ),
        (DiskKind::Memory, _) => Check::action(
            "disk_kind",
            format!("{name} is memory"),
            "name a disk that keeps its data",
        ),
        (DiskKind::Network, _) => Check::action(
            "disk_kind",
            format!("{name} is on another machine: the network is measured with it"),
            "for the disk alone, run on the machine that has it",
        ),
        _ => Check::fine("disk_kind", format!("{name}{model} is of kind {kind}")),
    };
    check.with("name", name).with("kind", kind.to_string())
}

/// Nothing where the device does not say.
fn sectors(seen: &Underneath) -> Option<Check> {
    let disk = seen.disk.as_ref()?;
    let (logical, physical) = (disk.logical_sector?, disk.physical_sector?);
    let words = format!("{logical} bytes logical, {physical} physical");
    let start = seen.starts_at.unwrap_or(0);
    let check = if physical > 0 && !start.is_multiple_of(u64::from(physical)) {
        Check::action(
            "sectors",
            format!(
                "{words}, but the partition starts at byte {start}, which is no multiple of \
                 {physical}: aligned writes touch two sectors"
            ),
            "make the partition anew at a multiple of 1 MiB",
        )
    } else {
        Check::fine("sectors", words)
    };
    Some(
        check
            .with("logical_bytes", logical)
            .with("physical_bytes", physical)
            .with("partition_start_bytes", start),
    )
}

fn write_cache(seen: &Underneath) -> Check {
    let said = seen
        .disk
        .as_ref()
        .and_then(|disk| disk.write_cache.as_deref());
    let check = match said {
        Some("write back") => Check::fine(
            "write_cache",
            "the disk has a volatile one (write back), so that a write that is not flushed may be \
             lost with the power, and is faster than one that lasts (--durable dsync or fsync:1)",
        ),
        Some(other) => Check::fine("write_cache", format!("none that is volatile ({other})")),
        None => Check::unknown("write_cache", "the disk does not say whether it has one"),
    };
    check.with("mode", said)
}

fn busy(load: Option<DiskLoad>) -> Check {
    let Some(load) = load else {
        return Check::unknown("disk_busy", "no counters are seen of what others do to it");
    };
    let words = format!(
        "busy for {:.0} % of the last second: {:.0} I/Os, {}",
        load.busy * 100.0,
        load.per_second,
        words::size(load.bytes_per_second as u64)
    );
    let check = if load.busy > BUSY_MAX {
        Check::action(
            "disk_busy",
            format!("{words} of others, which would be measured with ours"),
            "stop them or measure later (iotop or pidstat -d name them)",
        )
    } else {
        Check::fine("disk_busy", words)
    };
    check
        .with("busy_share", load.busy)
        .with("operations_per_second", load.per_second)
        .with("bytes_per_second", load.bytes_per_second)
}

#[cfg(test)]
mod tests;
