//! What filesystems say about files: cache advice, space, extents.

use std::{fs, io, os::fd::AsRawFd, path::Path};

use rustix::fs::Advice;

use super::super::{CacheAdvice, Extents, Space};

/// Tells the page cache what to expect of a file (posix_fadvise on all of it).
///
/// # Errors
/// As the system says.
pub fn advise(file: &fs::File, advice: CacheAdvice) -> io::Result<()> {
    let advice = match advice {
        CacheAdvice::Normal => Advice::Normal,
        CacheAdvice::Random => Advice::Random,
        CacheAdvice::Sequential => Advice::Sequential,
        CacheAdvice::DontNeed => Advice::DontNeed,
    };
    Ok(rustix::fs::fadvise(file, 0, None, advice)?)
}

/// Type and space of the filesystem that holds `path`.
///
/// # Errors
/// As the system says.
pub fn free_space(path: &Path) -> io::Result<Space> {
    let data = rustix::fs::statfs(path)?;
    // `f_frsize` is the unit of the counts; filesystems that leave it at 0 count in `f_bsize`.
    let unit = match data.f_frsize {
        0 => data.f_bsize as u64,
        size => size as u64,
    };
    Ok(Space {
        kind: data.f_type as u64,
        total: (data.f_blocks as u64).saturating_mul(unit),
        free: (data.f_bfree as u64).saturating_mul(unit),
        available: (data.f_bavail as u64).saturating_mul(unit),
    })
}

/// `struct fiemap_extent` (include/uapi/linux/fiemap.h).
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// How many extents one call brings.
const BATCH: usize = 256;

/// `struct fiemap` with room for a batch.
#[repr(C)]
struct Map {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    count: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

/// `_IOWR('f', 11, struct fiemap)`: the header's 32 bytes alone count for the number.
const FS_IOC_FIEMAP: libc::c_ulong = 0xC020_660B;
const LAST: u32 = 0x1;
const DELALLOC: u32 = 0x4;
const ENCODED: u32 = 0x8;
const ENCRYPTED: u32 = 0x80;
const INLINE: u32 = 0x200;
const UNWRITTEN: u32 = 0x800;
const SHARED: u32 = 0x2000;

/// What the file's bytes are on the device, as the filesystem says now; nothing is flushed first.
///
/// # Errors
/// As the system says: `Unsupported` (EOPNOTSUPP) where a filesystem keeps no extents (tmpfs) and
/// on devices.
pub fn extents(file: &fs::File) -> io::Result<Extents> {
    let mut sum = Extents::default();
    let mut start = 0_u64;
    loop {
        let mut map = Box::new(Map {
            start,
            length: u64::MAX - start,
            flags: 0,
            mapped: 0,
            count: BATCH as u32,
            reserved: 0,
            extents: [Extent::default(); BATCH],
        });
        // SAFETY: the kernel reads the header and writes at most `count` extents behind it, which
        // is exactly what `Map` holds.
        let code = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as _, &raw mut *map) };
        if code < 0 {
            return Err(io::Error::last_os_error());
        }
        let found = &map.extents[..(map.mapped as usize).min(BATCH)];
        for extent in found {
            add(&mut sum, extent);
        }
        let Some(last) = found.last() else {
            return Ok(sum);
        };
        let next = last.logical.saturating_add(last.length);
        if last.flags & LAST != 0 || next <= start {
            return Ok(sum);
        }
        start = next;
    }
}

/// Counts one extent.
fn add(sum: &mut Extents, extent: &Extent) {
    sum.count += 1;
    let state = match extent.flags {
        flags if flags & DELALLOC != 0 => &mut sum.delayed,
        flags if flags & UNWRITTEN != 0 => &mut sum.unwritten,
        _ => &mut sum.written,
    };
    *state += extent.length;
    for (flags, bytes) in [
        (SHARED, &mut sum.shared),
        (ENCODED | ENCRYPTED, &mut sum.encoded),
        (INLINE, &mut sum.inline),
    ] {
        if extent.flags & flags != 0 {
            *bytes += extent.length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_counted_by_state() {
        let mut sum = Extents::default();
        for (flags, length) in [
            (0, 1),
            (UNWRITTEN, 20),
            (DELALLOC, 300),
            (SHARED, 4000),
            (ENCODED | LAST, 50_000),
        ] {
            add(
                &mut sum,
                &Extent {
                    length,
                    flags,
                    ..Extent::default()
                },
            );
        }
        assert_eq!(
            sum,
            Extents {
                count: 5,
                written: 54_001,
                unwritten: 20,
                delayed: 300,
                shared: 4000,
                encoded: 50_000,
                inline: 0,
            }
        );
    }

    #[test]
    fn a_synced_file_is_written_where_extents_are_kept() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![1; 65_536]).unwrap();
        file.sync_all().unwrap();
        match extents(&file) {
            Ok(sum) => assert_eq!(sum.written + sum.inline, 65_536, "{sum:?}"),
            Err(error) => eprintln!("skipped: no extents here ({error})"),
        }
    }

    #[test]
    fn space_and_advice_are_to_be_had() {
        let folder = tempfile::tempdir().unwrap();
        let space = free_space(folder.path()).unwrap();
        assert!(space.total >= space.free && space.free >= space.available);
        assert!(space.total > 0);
        let file = tempfile::tempfile().unwrap();
        for advice in [
            CacheAdvice::Random,
            CacheAdvice::Sequential,
            CacheAdvice::DontNeed,
            CacheAdvice::Normal,
        ] {
            advise(&file, advice).unwrap();
        }
    }
}
