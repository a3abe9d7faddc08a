//! Linux.

mod attributes;
mod limits;
mod pieces;
mod reading;
mod storage;
mod terminal;
mod thread;
mod transfer;
mod writing;

use std::{
    fs, io,
    num::NonZeroUsize,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::fs::{FileTypeExt, MetadataExt},
    },
    path::{Path, PathBuf},
    ptr::NonNull,
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, StatxFlags},
    mm::{MapFlags, ProtFlags},
};

pub(crate) use self::pieces::PieceList;
pub use self::reading::{may_read, open_to_read};
pub(crate) use self::transfer::{flush, last_error, read_at, write_at};
pub use self::writing::{create_private, reserve, start_writeback, write_all_at};
pub use self::{
    attributes::{attribute, set_attribute},
    limits::{
        address_space_left, effective_user_id, locked_memory_limit, mappings_left,
        open_files_limit, peak_memory, raise_open_files_limit, share_heap_if_limited, user_id,
    },
    storage::{advise, extents, free_space},
    terminal::terminal_columns,
    thread::{affinity, set_affinity, set_exact_sleep, set_io_priority},
};
use super::NoDirectIo;
use crate::{Access, Alignment, Caching, Durability, Errno, FileKind, OpenOptions, PageSize};

/// Signals that ask a program to end.
pub const END_SIGNALS: &[i32] = &[libc::SIGHUP, libc::SIGINT, libc::SIGTERM];

/// Signals that come beside an error of the call that broke a limit, and kill unless handled.
pub const LIMIT_SIGNALS: &[i32] = &[libc::SIGXFSZ];

/// Bytes in a page.
pub fn page_size() -> usize {
    rustix::param::page_size()
}

/// Bytes in a huge page, as /proc/meminfo says; 2 MiB where it does not.
pub fn huge_page_size() -> usize {
    fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text
                .lines()
                .find(|line| line.starts_with("Hugepagesize:"))?;
            let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
            NonZeroUsize::new(kib * 1024).map(NonZeroUsize::get)
        })
        .unwrap_or(2 << 20)
}

/// Maps anonymous zeroed memory; `length` is a multiple of the page size.
pub(crate) fn map_anonymous(length: usize, pages: PageSize) -> io::Result<NonNull<u8>> {
    let mut flags = MapFlags::PRIVATE;
    if pages == PageSize::Huge {
        flags |= MapFlags::HUGETLB;
    }
    // SAFETY: a null hint without MAP_FIXED makes a new mapping; nothing existing is touched.
    let start = unsafe {
        rustix::mm::mmap_anonymous(
            std::ptr::null_mut(),
            length,
            ProtFlags::READ | ProtFlags::WRITE,
            flags,
        )
    }?;
    let start = NonNull::new(start.cast::<u8>())
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    if pages == PageSize::Transparent {
        // SAFETY: the range is the mapping made above; the advice changes no content.
        let advised = unsafe {
            rustix::mm::madvise(
                start.as_ptr().cast(),
                length,
                rustix::mm::Advice::LinuxHugepage,
            )
        };
        if let Err(error) = advised {
            unmap(start, length);
            return Err(error.into());
        }
    }
    Ok(start)
}

/// Ends a mapping made by [`map_anonymous`]; called once: by [`crate::Region`]'s drop, or when
/// setting it up fails.
pub(crate) fn unmap(start: NonNull<u8>, length: usize) {
    // SAFETY: the range is exactly one mapping, and the callers own it alone: the drop of the
    // `Region`, when no buffer holds it any more, and the function that has just made it.
    let _ = unsafe { rustix::mm::munmap(start.as_ptr().cast(), length) };
}

/// Opens a path without ever waiting for a FIFO's other end.
pub(crate) fn open(path: &Path, options: OpenOptions) -> io::Result<fs::File> {
    let mut flags = match options.access {
        Access::Read => OFlags::RDONLY,
        Access::Write => OFlags::WRONLY,
        Access::ReadWrite => OFlags::RDWR,
    } | OFlags::CLOEXEC
        | OFlags::NOCTTY
        | OFlags::NONBLOCK;
    if options.caching == Caching::Direct {
        flags |= OFlags::DIRECT;
    }
    flags |= match options.durability {
        Durability::None => OFlags::empty(),
        // rustix's own DSYNC has the bits of O_SYNC (seen in 1.1.6).
        Durability::Dsync => OFlags::from_bits_retain(libc::O_DSYNC as u32),
        Durability::Sync => OFlags::SYNC,
    };
    let mut extra = OFlags::empty();
    for (wanted, flag) in [
        (options.create, OFlags::CREATE),
        (options.truncate, OFlags::TRUNC),
    ] {
        if wanted {
            extra |= flag;
        }
    }
    if options.no_follow {
        flags |= OFlags::NOFOLLOW;
    }
    // Without O_CREAT, O_EXCL has a meaning on block devices only ("nobody else holds it"); with
    // it, on an existing device, it would always fail.
    if options.exclusive && path_kind(path, true).is_ok_and(|kind| kind == FileKind::BlockDevice) {
        flags |= OFlags::EXCL;
        extra -= OFlags::CREATE;
    }
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
    let fd: OwnedFd = match rustix::fs::open(path, flags | extra, mode) {
        Ok(fd) => fd,
        Err(error) => return Err(explain(error.into(), path, flags)),
    };
    // O_NONBLOCK was for the open alone; on files and devices it has no meaning, but engines must
    // not see EAGAIN from io_uring because of it.
    let now = rustix::fs::fcntl_getfl(&fd)?;
    rustix::fs::fcntl_setfl(&fd, now - OFlags::NONBLOCK)?;
    Ok(fs::File::from(fd))
}

/// Says so when it was O_DIRECT that a filesystem refused: the same open without it works. Nothing
/// is created or cut in the second try.
fn explain(error: io::Error, path: &Path, flags: OFlags) -> io::Error {
    let errno = Errno::from_io(&error);
    if errno != Errno::EINVAL || !flags.contains(OFlags::DIRECT) {
        return error;
    }
    match rustix::fs::open(path, flags - OFlags::DIRECT, Mode::empty()) {
        Ok(_) => io::Error::new(io::ErrorKind::InvalidInput, NoDirectIo { errno }),
        Err(_) => error,
    }
}

/// Kind and size; a block device's size is its capacity.
pub(crate) fn kind_and_size(file: &fs::File) -> io::Result<(FileKind, u64)> {
    let data = file.metadata()?;
    let kind = kind_of(data.file_type());
    let size = if kind == FileKind::BlockDevice {
        device_size(file)?
    } else {
        data.len()
    };
    Ok((kind, size))
}

/// `_IOR(0x12, 114, size_t)`: capacity in bytes (include/uapi/linux/fs.h); libc does not have it.
const BLKGETSIZE64: usize = 0x8000_1272 | size_of::<usize>() << 16;

/// A block device's capacity in bytes.
fn device_size(file: &fs::File) -> io::Result<u64> {
    let mut size = 0_u64;
    // SAFETY: BLKGETSIZE64 writes one u64 to the address given, which is a valid one.
    let code = unsafe { libc::ioctl(file.as_raw_fd(), BLKGETSIZE64 as _, &raw mut size) };
    if code == 0 {
        Ok(size)
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Bytes of the filesystem that a path is on: in all, and what this process may still write.
pub fn filesystem_space(path: &Path) -> io::Result<(u64, u64)> {
    let data = rustix::fs::statvfs(path)?;
    let bytes = |blocks: u64| blocks.saturating_mul(data.f_frsize);
    Ok((bytes(data.f_blocks), bytes(data.f_bavail)))
}

/// True if somebody has claimed a block device for themselves: a mount (in any container), swap,
/// a device built on it, a pool. A whole disk is claimed with any of its partitions.
pub fn is_claimed(path: &Path) -> bool {
    let options = OpenOptions {
        exclusive: true,
        ..OpenOptions::READ
    };
    open(path, options).is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
}

/// True if `path` names the open file `file`.
pub(crate) fn names_same_file(path: &Path, file: &fs::File) -> bool {
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    match (fs::metadata(path), file.metadata()) {
        (Ok(now), Ok(open)) => identity(now) == identity(open),
        _ => false,
    }
}

/// A path that leads to an open file whatever happens to its name, where /proc is there.
pub(crate) fn link_to(file: &fs::File) -> Option<PathBuf> {
    let link = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    fs::symlink_metadata(&link).is_ok().then_some(link)
}

/// What a path names, following symbolic links or not.
pub fn path_kind(path: &Path, follow: bool) -> io::Result<FileKind> {
    let data = if follow {
        fs::metadata(path)?
    } else {
        fs::symlink_metadata(path)?
    };
    Ok(kind_of(data.file_type()))
}

fn kind_of(kind: fs::FileType) -> FileKind {
    if kind.is_file() {
        FileKind::Regular
    } else if kind.is_dir() {
        FileKind::Folder
    } else if kind.is_block_device() {
        FileKind::BlockDevice
    } else if kind.is_char_device() {
        FileKind::CharacterDevice
    } else if kind.is_fifo() {
        FileKind::Fifo
    } else if kind.is_socket() {
        FileKind::Socket
    } else {
        FileKind::Other
    }
}

/// What direct I/O needs: statx where the kernel says, else the device's logical block, else 512.
pub(crate) fn direct_alignment(file: &fs::File, kind: FileKind) -> Alignment {
    let fallback = Alignment {
        offset: 512,
        memory: 512,
    };
    let empty = c"";
    if let Ok(data) = rustix::fs::statx(file, empty, AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN)
        && data.stx_mask & StatxFlags::DIOALIGN.bits() != 0
        && data.stx_dio_offset_align != 0
    {
        return Alignment {
            offset: data.stx_dio_offset_align,
            memory: data.stx_dio_mem_align.max(1),
        };
    }
    if kind == FileKind::BlockDevice
        && let Ok(size) = rustix::fs::ioctl_blksszget(file.as_fd())
    {
        return Alignment {
            offset: size,
            memory: size,
        };
    }
    // A partition has no queue of its own: it is in its disk's folder, one level up.
    let device = file.metadata().map(|data| data.dev()).unwrap_or_default();
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    for level in ["", "/.."] {
        let path = format!("/sys/dev/block/{major}:{minor}{level}/queue/logical_block_size");
        let size = fs::read_to_string(path)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        if let Some(size) = size {
            return Alignment {
                offset: size,
                memory: size,
            };
        }
    }
    fallback
}
