//! Signatures that take more than one look: short marks that need plausible fields beside them,
//! marks whose place depends on the size, and what is worth naming (labels, numbers of partitions).

use super::{Family, Parts, Signature};

/// GPT or the older table.
pub(super) fn partitions(parts: &Parts) -> Option<Signature> {
    let table = |kind: &str, count: Option<usize>| {
        let partitions = match count {
            None => String::new(),
            Some(0) => " without partitions".to_owned(),
            Some(1) => " with 1 partition".to_owned(),
            Some(count) => format!(" with {count} partitions"),
        };
        Signature::new(
            Family::Partitions,
            format!("{kind} partition table{partitions}"),
        )
    };
    for sector in [512, 4096] {
        if parts.is(sector, b"EFI PART") {
            return Some(table("a GPT", gpt_entries(parts, sector)));
        }
    }
    if let Some(count) = mbr_entries(parts) {
        return Some(table("an MBR", Some(count)));
    }
    [512, 4096]
        .into_iter()
        .filter_map(|sector| parts.size.checked_sub(sector))
        .any(|at| parts.is(at, b"EFI PART"))
        .then(|| {
            Signature::new(
                Family::Partitions,
                "a GPT partition table's copy at the end",
            )
        })
}

/// Entries in use: those with a type.
fn gpt_entries(parts: &Parts, sector: u64) -> Option<usize> {
    let first = parts.le64(sector + 72)?.checked_mul(sector)?;
    let (count, size) = (parts.le32(sector + 80)?, parts.le32(sector + 84)?);
    let entries = (0..u64::from(count.min(1024)))
        .map_while(|i| parts.at(first.checked_add(i * u64::from(size))?, 16));
    Some(
        entries
            .filter(|kind| kind.iter().any(|byte| *byte != 0))
            .count(),
    )
}

/// Entries of a plausible MBR; `None` if it is none. The mark of two bytes is on every FAT and NTFS
/// filesystem too, whose code makes bad entries.
fn mbr_entries(parts: &Parts) -> Option<usize> {
    if !parts.is(510, b"\x55\xaa") {
        return None;
    }
    let entries = (0..4).map(|i| parts.at(446 + i * 16, 16));
    let entries = entries.collect::<Option<Vec<_>>>()?;
    let plausible = entries.iter().all(|entry| {
        let is_empty = entry[4] == 0;
        let has_length = entry[12..16] != [0; 4];
        matches!(entry[0], 0 | 0x80) && is_empty != has_length
    });
    let count = entries.iter().filter(|entry| entry[4] != 0).count();
    (plausible && count > 0).then_some(count)
}

/// Filesystems and swap space.
pub(super) fn filesystem(parts: &Parts) -> Option<Signature> {
    let named = |kind: &str, label: String| {
        Some(Signature::new(
            Family::Filesystem,
            format!("{kind} filesystem{label}"),
        ))
    };
    if let Some(kind) = ext(parts) {
        return named(kind, parts.label(1024 + 120, 16));
    }
    if parts.is(0, b"XFSB") {
        return named("an XFS", parts.label(108, 12));
    }
    if parts.is(65536 + 64, b"_BHRfS_M") {
        return named("a btrfs", parts.label(65536 + 299, 256));
    }
    if zfs(parts) {
        return Some(Signature::new(Family::Volume, "a ZFS pool member"));
    }
    if fat(parts) {
        return named("a FAT", String::new());
    }
    swap(parts)
}

/// Which ext: the mark has two bytes only.
fn ext(parts: &Parts) -> Option<&'static str> {
    let field = |at: u64| parts.le32(1024 + at);
    let plausible = parts.le16(1024 + 56)? == 0xef53
        && field(0)? != 0
        && field(4)? != 0
        && field(24)? <= 6
        && field(32)? != 0;
    if !plausible {
        return None;
    }
    let (compatible, incompatible, read_only) = (field(92)?, field(96)?, field(100)?);
    // Extents, 64 bit, flexible groups; huge files, group checksums, metadata checksums.
    Some(if incompatible & 0x2c0 != 0 || read_only & 0x418 != 0 {
        "an ext4"
    } else if compatible & 4 != 0 {
        "an ext3"
    } else {
        "an ext2"
    })
}

/// An uberblock in the ring of the first label: 128 KiB of slots of 1 KiB or a multiple.
fn zfs(parts: &Parts) -> bool {
    const MAGIC: u64 = 0x00ba_b10c;
    (0..128)
        .filter_map(|slot| parts.le64((128 + slot) << 10))
        .any(|mark| mark == MAGIC || mark.swap_bytes() == MAGIC)
}

/// A boot sector whose fields make sense and that says FAT.
fn fat(parts: &Parts) -> bool {
    let plausible = || {
        let jump = parts.at(0, 3)?;
        let sector = parts.le16(11)?;
        let cluster = parts.at(13, 1)?[0];
        let says_so = parts.is(54, b"FAT") || parts.is(82, b"FAT32");
        Some(
            matches!(jump, [0xeb, _, 0x90] | [0xe9, ..])
                && matches!(sector, 512 | 1024 | 2048 | 4096)
                && cluster.is_power_of_two()
                && says_so,
        )
    };
    plausible().unwrap_or(false)
}

/// The mark is at the end of the first page, and pages differ between machines.
fn swap(parts: &Parts) -> Option<Signature> {
    let pages = [4096, 8192, 16384, 32768, 65536];
    let marked = |page: &u64| {
        parts.is(page - 10, b"SWAPSPACE2")
            || parts.is(page - 10, b"SWAP-SPACE")
            || parts.is(page - 10, b"S1SUSPEND\0")
    };
    pages.iter().any(marked).then(|| {
        Signature::new(
            Family::Swap,
            format!("swap space{}", parts.label(1024 + 28, 16)),
        )
    })
}

/// LVM and Linux RAID.
pub(super) fn volume(parts: &Parts) -> Option<Signature> {
    let lvm = (0..4)
        .map(|sector| sector * 512)
        .any(|at| parts.is(at, b"LABELONE") && parts.is(at + 24, b"LVM2 001"));
    if lvm {
        return Some(Signature::new(Family::Volume, "an LVM physical volume"));
    }
    raid(parts).map(|label| {
        Signature::new(
            Family::Volume,
            format!("a member of a Linux RAID array{label}"),
        )
    })
}

/// Version 1.1 lies at the start, 1.2 at 4 KiB, 1.0 and 0.90 near the end, aligned; the label if
/// it is one.
fn raid(parts: &Parts) -> Option<String> {
    const MAGIC: u32 = 0xa92b_4efc;
    let last = (parts.size / 512)
        .checked_sub(16)
        .map(|sector| (sector & !7) * 512);
    let places = [Some(0), Some(4096), last];
    for at in places.into_iter().flatten() {
        if parts.le32(at) == Some(MAGIC) && parts.le32(at + 4) == Some(1) {
            return Some(parts.label(at + 32, 32));
        }
    }
    let old = (parts.size & !0xffff).checked_sub(0x1_0000)?;
    // The old format is in the byte order of the machine that made it.
    let mark = parts.le32(old)?;
    (mark == MAGIC || mark.swap_bytes() == MAGIC).then(String::new)
}

/// Databases whose pages carry no mark but fields that must fit.
pub(super) fn database(parts: &Parts) -> Option<Signature> {
    let found = |name: &str| Some(Signature::new(Family::Database, name));
    if sql_server(parts).unwrap_or(false) {
        return found("an SQL Server data or log file");
    }
    if innodb(parts).unwrap_or(false) {
        return found("a MySQL InnoDB tablespace");
    }
    if postgresql(parts).unwrap_or(false) {
        return found("a PostgreSQL table or index");
    }
    None
}

/// Page 0 of a data or log file: header version 1, type 15 (file header), index level 0, no page
/// before it, its own page number 0 and a file number that is not 0.
fn sql_server(parts: &Parts) -> Option<bool> {
    Some(
        parts.is(0, &[1, 15])
            && parts.at(3, 1)? == [0]
            && parts.at(8, 6)? == [0; 6]
            && parts.le32(32)? == 0
            && (1..=32767).contains(&parts.le16(36)?),
    )
}

/// Page 0 is a space header (type 8), says so of its number, and repeats the space's number.
fn innodb(parts: &Parts) -> Option<bool> {
    Some(
        parts.be32(4)? == 0
            && parts.be16(24)? == 8
            && parts.be32(34)? == parts.be32(38)?
            && parts.be32(0)? != 0
            && parts.size.is_multiple_of(1024)
            // Pages in the space: the field is not 0 in a space that exists.
            && parts.be32(46)? != 0,
    )
}

/// The first page's header: 8 KiB pages of layout version 4, with pointers in order.
fn postgresql(parts: &Parts) -> Option<bool> {
    const PAGE: u16 = 8192;
    let (lower, upper, special) = (parts.le16(12)?, parts.le16(14)?, parts.le16(16)?);
    Some(
        parts.size.is_multiple_of(u64::from(PAGE))
            && parts.le16(18)? == PAGE | 4
            && parts.le16(10)? < 8
            && (24..=upper).contains(&lower)
            && upper <= special
            && special <= PAGE,
    )
}

/// Windows programs: `MZ`, and where it points to, `PE`.
pub(super) fn executable(parts: &Parts) -> Option<Signature> {
    let header = u64::from(parts.le32(60)?);
    (parts.is(0, b"MZ") && parts.is(header, b"PE\0\0"))
        .then(|| Signature::new(Family::Executable, "a Windows program or library"))
}
