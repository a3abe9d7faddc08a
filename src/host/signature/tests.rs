//! Bytes made by hand from the formats' descriptions, and by the tools themselves where they are
//! installed.

use std::{fs, io::Cursor, path::Path, process::Command};

use super::*;

/// What is seen on a device; what has a name there has it in a file too.
fn both(mut reader: impl Read + Seek) -> Option<Signature> {
    let device = read(&mut reader, Look::Device).unwrap();
    let file = read(&mut reader, Look::File).unwrap();
    let known = |found: &Option<Signature>| {
        found
            .clone()
            .filter(|found| found.family != Family::Unknown)
    };
    assert_eq!(known(&file), known(&device));
    device
}

/// A disk or file of `size` zeros with bytes put in.
fn seen(size: usize, patches: &[(usize, &[u8])]) -> Option<Signature> {
    let mut data = vec![0_u8; size];
    for (at, bytes) in patches {
        data[*at..*at + bytes.len()].copy_from_slice(bytes);
    }
    both(Cursor::new(data))
}

fn name(size: usize, patches: &[(usize, &[u8])]) -> String {
    seen(size, patches).unwrap().name
}

const MIB: usize = 1 << 20;
const UNKNOWN: &str = "data of an unknown kind";

#[test]
fn zeros_are_blank_and_one_byte_is_not() {
    for size in [0, 1, 511, 512, 4096, 5000, 3 * MIB] {
        assert_eq!(seen(size, &[]), None, "{size}");
    }
    for at in [0, MIB - 1, 20 * MIB - 1, 20 * MIB - 131_072] {
        assert_eq!(name(20 * MIB, &[(at, &[7])]), UNKNOWN, "{at}");
    }
    // The first of 16 places between: a 17th of the size, down to a multiple of 4 KiB.
    let place = 34 * MIB / 17;
    assert_eq!(name(34 * MIB, &[(place, &[7])]), UNKNOWN);
}

#[test]
fn test_data_is_of_an_unknown_kind() {
    // What benchmarks write: counting bytes, one byte repeated, noise.
    let counting: Vec<u8> = (0..3 * MIB).map(|i| i as u8).collect();
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..3 * MIB)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    for data in [counting, vec![0xff; 3 * MIB], vec![b'x'; 70], noise] {
        assert_eq!(name(data.len(), &[(0, &data)]), UNKNOWN);
    }
}

#[test]
fn gpt_is_counted_and_its_copy_is_enough() {
    let mut header = b"EFI PART".to_vec();
    header.resize(72, 0);
    header.extend(2_u64.to_le_bytes());
    header.extend(128_u32.to_le_bytes());
    header.extend(128_u32.to_le_bytes());
    let two: &[(usize, &[u8])] = &[(512, &header), (1024, &[1; 16]), (1024 + 128, &[2; 16])];
    assert_eq!(name(MIB, two), "a GPT partition table with 2 partitions");
    let end = "a GPT partition table's copy at the end";
    assert_eq!(name(4 * MIB, &[(4 * MIB - 512, b"EFI PART")]), end);
}

#[test]
fn mbr_needs_plausible_entries() {
    let entry = [0x80, 1, 1, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];
    let mark: (usize, &[u8]) = (510, b"\x55\xaa");
    let found = seen(MIB, &[(446, &entry), mark]).unwrap();
    assert_eq!(found.family, Family::Partitions);
    assert_eq!(found.name, "an MBR partition table with 1 partition");
    assert_eq!(name(MIB, &[mark]), UNKNOWN);
    assert_eq!(name(MIB, &[(446, &[0x11; 16]), mark]), UNKNOWN);
}

#[test]
fn raid_is_found_at_all_its_places() {
    let magic = 0xa92b_4efc_u32.to_le_bytes();
    let mut new = magic.to_vec();
    new.extend([1, 0, 0, 0]);
    new.resize(32, 0);
    new.extend(b"host:0");
    let size = 8 * MIB;
    for at in [0, 4096, size - 8192] {
        let named = "a member of a Linux RAID array named \"host:0\"";
        assert_eq!(name(size, &[(at, &new)]), named, "{at}");
    }
    // 0.90: the last whole 64 KiB but one, whichever byte order.
    let old = "a member of a Linux RAID array";
    assert_eq!(name(size, &[(size - 65536, &magic)]), old);
    let odd = size + 4096;
    assert_eq!(name(odd, &[(size - 65536, &[0xa9, 0x2b, 0x4e, 0xfc])]), old);
}

#[test]
fn volumes_and_filesystems_by_hand() {
    let size = 4 * MIB;
    let lvm: &[(usize, &[u8])] = &[(512, b"LABELONE"), (536, b"LVM2 001")];
    assert_eq!(name(size, lvm), "an LVM physical volume");
    assert_eq!(
        name(size, &[(0, b"XFSB"), (108, b"data\0")]),
        "an XFS filesystem named \"data\""
    );
    assert_eq!(
        name(size, &[(65536 + 64, b"_BHRfS_M")]),
        "a btrfs filesystem"
    );
    let uberblock = 0x00ba_b10c_u64;
    for bytes in [uberblock.to_le_bytes(), uberblock.to_be_bytes()] {
        assert_eq!(
            name(size, &[((128 + 37) << 10, &bytes)]),
            "a ZFS pool member"
        );
    }
    assert_eq!(name(size, &[(65526, b"SWAPSPACE2")]), "swap space");
    let fat: &[(usize, &[u8])] = &[
        (0, b"\xeb\x3c\x90"),
        (11, &[0, 2, 8]),
        (54, b"FAT16   "),
        (510, b"\x55\xaa"),
    ];
    assert_eq!(name(size, fat), "a FAT filesystem");
    assert_eq!(
        name(size, &[(0, b"\xeb\x52\x90NTFS    "), (510, b"\x55\xaa")]),
        "an NTFS filesystem"
    );
    assert_eq!(name(size, &[(MIB, b"\x0d\xd0\x01\xc0")]), "a VMFS volume");
    assert_eq!(
        name(size, &[(2 * MIB, b"\x5e\xf1\xab\x2f")]),
        "a VMFS filesystem"
    );
    // The mark of ext alone, without a filesystem around it.
    assert_eq!(name(size, &[(1024 + 56, &[0x53, 0xef])]), UNKNOWN);
}

#[test]
fn databases_programs_and_compressed_data() {
    let size = 64 << 10;
    let sql_server = "an SQL Server data or log file";
    let head: (usize, &[u8]) = (0, &[1, 15, 0, 0, 8, 2]);
    assert_eq!(name(size, &[head, (36, &[1, 0])]), sql_server);
    assert_eq!(name(size, &[head, (9, &[1]), (36, &[1, 0])]), UNKNOWN);
    let innodb: &[(usize, &[u8])] = &[
        (0, &[1, 2, 3, 4]),
        (24, &[0, 8]),
        (37, &[5]),
        (41, &[5]),
        (49, &[7]),
    ];
    assert_eq!(name(size, innodb), "a MySQL InnoDB tablespace");
    // A heap page: lower 100, upper 8000, special 8192, 8192 | 4.
    let page: &[(usize, &[u8])] = &[(12, &[100, 0, 0x40, 0x1f, 0, 0x20, 4, 0x20])];
    assert_eq!(name(size, page), "a PostgreSQL table or index");
    let program: &[(usize, &[u8])] = &[(0, b"MZ"), (60, &[0x80, 0, 0, 0]), (0x80, b"PE\0\0")];
    assert_eq!(seen(size, program).unwrap().family, Family::Executable);
    assert_eq!(name(size, &[(0, b"MZ")]), UNKNOWN);
    assert_eq!(
        name(size, &[(0, b"\x1f\x8b\x08\x00")]),
        "gzip compressed data"
    );
    assert_eq!(name(size, &[(0, b"\x1f\x8b\x08\xff")]), UNKNOWN);
    assert_eq!(
        name(size, &[(size - 512, b"conectix")]),
        "a VHD virtual disk of fixed size"
    );
}

#[test]
fn any_head_of_any_length_is_survived() {
    for size in 0..700 {
        for byte in [0, 1, 0xff] {
            let data = vec![byte; size];
            both(Cursor::new(data));
        }
        seen(size.max(520), &[(512, b"EFI PART")]);
    }
    let huge = [0xff_u8; 96];
    seen(MIB, &[(512, b"EFI PART"), (520, &huge)]);
}

/// Runs a tool that makes an image; says that it skips where the tool is missing.
fn made(path: &Path, program: &str, arguments: &[&str]) -> Option<Signature> {
    fs::File::create(path).unwrap().set_len(32 << 20).unwrap();
    let done = Command::new(program).args(arguments).arg(path).output();
    if !done.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {program} does not work here");
        return None;
    }
    both(fs::File::open(path).unwrap())
}

#[test]
fn what_the_tools_make_is_recognized() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image");
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "mkfs.ext4",
            &["-q", "-F", "-L", "db"],
            "an ext4 filesystem named \"db\"",
        ),
        ("mkfs.ext3", &["-q", "-F"], "an ext3 filesystem"),
        ("mkfs.ext2", &["-q", "-F"], "an ext2 filesystem"),
        ("mkfs.vfat", &[], "a FAT filesystem"),
        ("mkfs.btrfs", &["-q", "-m", "single"], "a btrfs filesystem"),
        ("mkswap", &["-q", "-L", "sw"], "swap space named \"sw\""),
    ];
    for (program, arguments, expected) in cases {
        if let Some(found) = made(&path, program, arguments) {
            assert_eq!(found.name, *expected, "{program}");
        }
    }
}
