//! Signatures that are bytes at a place and nothing more.

use super::{Family, Parts, Signature};

use Family::{Archive, Database, Document, Executable, Filesystem, VirtualDisk, Volume};

/// Offset, bytes, what they mean. At least 32 bits each (with the exception's reason beside it), so
/// that random test data is taken for something less than once in ten million files.
#[rustfmt::skip]
const TABLE: &[(u64, &[u8], Family, &str)] = &[
    // Volumes and filesystems of whole devices.
    (0, b"LUKS\xba\xbe", Volume, "a LUKS encrypted volume"),
    (0x4000, b"SKUL\xba\xbe", Volume, "a LUKS encrypted volume (its second header)"),
    (3, b"-FVE-FS-", Volume, "a BitLocker encrypted volume"),
    (4096 + 24, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81", Volume, "a bcache device"),
    (4096 + 24, b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef", Filesystem, "a bcachefs filesystem"),
    (0, b"bluestore block device\n", Volume, "a Ceph BlueStore device"),
    (32, b"ORCLDISK", Volume, "an Oracle ASM disk"),
    (516, b"!Stra0tis\x86\xff\x02", Volume, "a Stratis pool member"),
    (1 << 20, b"\x0d\xd0\x01\xc0", Volume, "a VMFS volume"),
    (2 << 20, b"\x5e\xf1\xab\x2f", Filesystem, "a VMFS filesystem"),
    (3, b"NTFS    ", Filesystem, "an NTFS filesystem"),
    (3, b"EXFAT   ", Filesystem, "an exFAT filesystem"),
    (3, b"ReFS\0\0\0\0", Filesystem, "a ReFS filesystem"),
    (32, b"NXSB", Filesystem, "an APFS container"),
    (1024, b"H+\0\x04", Filesystem, "an HFS+ filesystem"),
    (1024, b"HX\0\x05", Filesystem, "an HFSX filesystem"),
    (1024, b"\x10\x20\xf5\xf2", Filesystem, "an F2FS filesystem"),
    (1024, b"\xe2\xe1\xf5\xe0", Filesystem, "an EROFS filesystem"),
    (0, b"hsqs", Filesystem, "a SquashFS filesystem"),
    (32768, b"JFS1", Filesystem, "a JFS filesystem"),
    (65536 + 52, b"ReIsEr", Filesystem, "a ReiserFS filesystem"),
    (65536, b"\x01\x16\x19\x70", Filesystem, "a GFS2 filesystem"),
    (32769, b"CD001", Filesystem, "an ISO 9660 filesystem"),
    (32769, b"BEA01", Filesystem, "a UDF filesystem"),
    // Databases.
    (0, b"SQLite format 3\0", Database, "an SQLite database"),
    (0, b"\x37\x7f\x06\x82", Database, "an SQLite write-ahead log"),
    (0, b"\x37\x7f\x06\x83", Database, "an SQLite write-ahead log"),
    (4, b"\xef\xcd\xab\x89", Database, "a Microsoft ESE database"),
    (4, b"Standard Jet DB\0", Database, "a Microsoft Access database"),
    (4, b"Standard ACE DB\0", Database, "a Microsoft Access database"),
    (12, b"\x62\x31\x05\0", Database, "a Berkeley DB database"),
    (12, b"\x61\x15\x06\0", Database, "a Berkeley DB database"),
    (16, b"\xde\xc0\xef\xbe\x01\0\0\0", Database, "an LMDB database"),
    (0, b"\xfe\xfe\x07\x01", Database, "a MyISAM index"),
    (0, b"\xfebin", Database, "a MySQL binary log"),
    (0, b"REDIS0", Database, "a Redis database"),
    // Virtual machines' disks.
    (0, b"conectix", VirtualDisk, "a VHD virtual disk"),
    (0, b"vhdxfile", VirtualDisk, "a VHDX virtual disk"),
    (0, b"KDMV", VirtualDisk, "a VMDK virtual disk"),
    (0, b"COWD", VirtualDisk, "a VMDK virtual disk"),
    (0, b"# Disk DescriptorFile", VirtualDisk, "a VMDK virtual disk's description"),
    (0, b"QFI\xfb", VirtualDisk, "a QCOW virtual disk"),
    (0, b"QED\0", VirtualDisk, "a QED virtual disk"),
    (64, b"\x7f\x10\xda\xbe", VirtualDisk, "a VirtualBox virtual disk"),
    (0, b"WithoutFreeSpace", VirtualDisk, "a Parallels virtual disk"),
    (0, b"WithouFreSpacExt", VirtualDisk, "a Parallels virtual disk"),
    // Archives, compressed data, backups.
    (0, b"PK\x03\x04", Archive, "a ZIP archive"),
    (0, b"PK\x05\x06", Archive, "an empty ZIP archive"),
    (0, b"\x28\xb5\x2f\xfd", Archive, "zstd compressed data"),
    (0, b"\xfd7zXZ\0", Archive, "xz compressed data"),
    (0, b"7z\xbc\xaf\x27\x1c", Archive, "a 7z archive"),
    (0, b"Rar!\x1a\x07", Archive, "a RAR archive"),
    (0, b"\x04\x22\x4d\x18", Archive, "LZ4 compressed data"),
    (0, b"MSCF\0\0\0\0", Archive, "a cabinet archive"),
    (0, b"MSWIM\0\0\0", Archive, "a Windows image"),
    (0, b"!<arch>\n", Archive, "an ar archive"),
    (0, b"070701", Archive, "a cpio archive"),
    (257, b"ustar", Archive, "a tar archive"),
    (0, b"TAPE\0\0", Archive, "a Microsoft tape format backup, as SQL Server writes"),
    (0, b"PGDMP", Archive, "a PostgreSQL dump"),
    // Programs and documents.
    (0, b"\x7fELF", Executable, "an ELF program or library"),
    (0, b"\xcf\xfa\xed\xfe", Executable, "a Mach-O program or library"),
    (0, b"\xca\xfe\xba\xbe", Executable, "a Java class or Mach-O program"),
    // Three bytes in random data: once in 17 million files, and a script is worth that.
    (0, b"#!/", Executable, "a script"),
    (0, b"%PDF-", Document, "a PDF document"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Document, "a Microsoft Office document"),
    (0, b"\x89PNG\r\n\x1a\n", Document, "a picture"),
];

/// The first line of the table that fits, then what needs one look more.
pub(super) fn find(parts: &Parts) -> Option<Signature> {
    let line = TABLE.iter().find(|(at, bytes, ..)| parts.is(*at, bytes));
    if let Some((_, _, family, name)) = line {
        return Some(Signature::new(*family, *name));
    }
    let archive = |name| Some(Signature::new(Archive, name));
    // Deflate is the only method; the upper three flags are reserved and 0.
    if parts.is(0, b"\x1f\x8b\x08") && parts.at(3, 1).is_some_and(|flags| flags[0] & 0xe0 == 0) {
        return archive("gzip compressed data");
    }
    if parts.is(0, b"BZh") && parts.is(4, b"\x31\x41\x59\x26\x53\x59") {
        return archive("bzip2 compressed data");
    }
    // A VHD of fixed size has its mark in the last 512 bytes only.
    let footer = parts.size.checked_sub(512)?;
    parts
        .is(footer, b"conectix")
        .then(|| Signature::new(VirtualDisk, "a VHD virtual disk of fixed size"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found_at_its_place_and_long_enough() {
        for (at, bytes, family, name) in TABLE {
            assert!(bytes.len() >= 4 || *bytes == b"#!/", "{name}");
            let mut data = vec![0_u8; *at as usize];
            data.extend_from_slice(bytes);
            data.resize(data.len() + 4096, 0);
            let parts = Parts {
                size: data.len() as u64,
                parts: vec![(0, data)],
            };
            let found = find(&parts).unwrap();
            assert_eq!((found.family, found.name.as_str()), (*family, *name));
        }
    }
}
