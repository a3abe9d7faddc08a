//! Systems other than Linux: what the standard library offers, and nothing pretended beyond it.

mod pieces;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::{
    alloc::{self, Layout},
    fs, io,
    path::{Path, PathBuf},
    ptr::NonNull,
};

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

pub(crate) use self::pieces::PieceList;
pub use self::system::{END_SIGNALS, create_private, set_affinity};
pub(crate) use self::system::{direct_alignment, open, read_at, write_at};

use super::{AccessTime, CacheAdvice, Extents, IoPriority, Limit, Space, Stream};
use crate::{Errno, FileKind, PageSize};

/// Bytes in a page: large enough for every system that we know (Apple's are 16 KiB).
pub fn page_size() -> usize {
    16 << 10
}

/// Bytes in a huge page; there are none to be had here.
pub fn huge_page_size() -> usize {
    2 << 20
}

/// Zeroed memory that starts on a page; `length` is a multiple of the page size.
pub(crate) fn map_anonymous(length: usize, pages: PageSize) -> io::Result<NonNull<u8>> {
    if pages != PageSize::Base {
        return Err(unsupported());
    }
    let layout = layout(length).ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // SAFETY: the layout's size is not 0: a region has at least one page.
    let start = unsafe { alloc::alloc_zeroed(layout) };
    NonNull::new(start).ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))
}

/// Gives memory of [`map_anonymous`] back; called once, by [`crate::Region`]'s drop.
pub(crate) fn unmap(start: NonNull<u8>, length: usize) {
    if let Some(layout) = layout(length) {
        // SAFETY: made by `map_anonymous` with the same layout; the only caller is the drop of the
        // `Region` that owns it, when no buffer holds it any more.
        unsafe { alloc::dealloc(start.as_ptr(), layout) };
    }
}

fn layout(length: usize) -> Option<Layout> {
    if length == 0 {
        return None;
    }
    Layout::from_size_align(length, page_size()).ok()
}

/// Kind and size.
pub(crate) fn kind_and_size(file: &fs::File) -> io::Result<(FileKind, u64)> {
    let data = file.metadata()?;
    Ok((system::kind_of(data.file_type()), data.len()))
}

/// Sleeps are as exact as the system makes them.
///
/// # Errors
/// None here.
pub fn set_exact_sleep() -> io::Result<()> {
    Ok(())
}

/// What a path names, following symbolic links or not.
///
/// # Errors
/// As the system says.
pub fn path_kind(path: &Path, follow: bool) -> io::Result<FileKind> {
    let data = if follow {
        fs::metadata(path)?
    } else {
        fs::symlink_metadata(path)?
    };
    Ok(system::kind_of(data.file_type()))
}

/// Brings written data to the device, without metadata that reading does not need if `data_only`.
pub(crate) fn flush(file: &fs::File, data_only: bool) -> Result<u32, Errno> {
    let result = if data_only {
        file.sync_data()
    } else {
        file.sync_all()
    };
    result.map(|()| 0).map_err(|error| Errno::from_io(&error))
}

fn unsupported() -> io::Error {
    io::ErrorKind::Unsupported.into()
}

/// Opens a file for reading, and follows no link in the last part of the path. The time of the last
/// access is what the system makes of it.
///
/// # Errors
/// As the system says.
pub fn open_to_read(path: &Path, _time: AccessTime) -> io::Result<fs::File> {
    let options = crate::OpenOptions {
        no_follow: true,
        ..crate::OpenOptions::READ
    };
    open(path, options)
}

/// True if this process may read what the path names.
pub fn may_read(path: &Path) -> bool {
    open_to_read(path, AccessTime::AsUsual).is_ok()
}

/// Would set space aside; a lack of it shows when it is written.
///
/// # Errors
/// None.
pub fn reserve(_file: &fs::File, _size: u64) -> io::Result<()> {
    Ok(())
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// As the system says.
pub fn write_all_at(file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match write_at(file, &bytes[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => done += count as usize,
        }
    }
    Ok(())
}

/// Would ask for writing to begin; a flush does it all here.
///
/// # Errors
/// `Unsupported`.
pub fn start_writeback(_file: &fs::File, _offset: u64, _length: u64) -> io::Result<()> {
    Err(unsupported())
}

/// How many files the process may have open.
///
/// # Errors
/// `Unsupported`.
pub fn open_files_limit() -> io::Result<Limit> {
    Err(unsupported())
}

/// Raises the soft limit of open files to the hard one.
///
/// # Errors
/// `Unsupported`.
pub fn raise_open_files_limit() -> io::Result<Limit> {
    Err(unsupported())
}

/// How many bytes the process may lock in memory.
///
/// # Errors
/// `Unsupported`.
pub fn locked_memory_limit() -> io::Result<Limit> {
    Err(unsupported())
}

/// The most bytes of memory that the process has held: not known here.
pub fn peak_memory() -> Option<u64> {
    None
}

/// The real user: not known here.
pub fn user_id() -> Option<u32> {
    None
}

/// The user whose rights count: not known here.
pub fn effective_user_id() -> Option<u32> {
    None
}

/// The CPUs that the process may run on: as many as the standard library counts, from 0.
///
/// # Errors
/// As the standard library says.
pub fn affinity() -> io::Result<Vec<usize>> {
    std::thread::available_parallelism().map(|count| (0..count.get()).collect())
}

/// Sets the calling thread's class in the I/O scheduler.
///
/// # Errors
/// `Unsupported`, but for the class that everybody has.
pub fn set_io_priority(priority: IoPriority) -> io::Result<()> {
    match priority {
        IoPriority::None => Ok(()),
        IoPriority::BestEffort(_) | IoPriority::Idle => Err(unsupported()),
    }
}

/// Tells the page cache what to expect of a file.
///
/// # Errors
/// `Unsupported`.
pub fn advise(_file: &fs::File, _advice: CacheAdvice) -> io::Result<()> {
    Err(unsupported())
}

/// Type and space of the filesystem that holds `path`.
///
/// # Errors
/// `Unsupported`.
pub fn free_space(_path: &Path) -> io::Result<Space> {
    Err(unsupported())
}

/// What the file's bytes are on the device.
///
/// # Errors
/// `Unsupported`.
pub fn extents(_file: &fs::File) -> io::Result<Extents> {
    Err(unsupported())
}

/// Would give an open file an extended attribute.
///
/// # Errors
/// `Unsupported`.
pub fn set_attribute(_file: &fs::File, _name: &str, _value: &[u8]) -> io::Result<()> {
    Err(unsupported())
}

/// An extended attribute: none is known here.
///
/// # Errors
/// None.
pub fn attribute(_path: &Path, _name: &str, _room: usize) -> io::Result<Option<Vec<u8>>> {
    Ok(None)
}

/// Signals that come beside an error of the call that broke a limit: none is known here.
pub const LIMIT_SIGNALS: &[i32] = &[];

/// Memory mappings that the process may still make: not known here.
pub fn mappings_left() -> Option<u64> {
    None
}

/// Nothing is limited here.
pub fn share_heap_if_limited() {}

/// Bytes of address space that the process may still take: nobody tells here.
pub fn address_space_left() -> Option<u64> {
    None
}

/// Columns of the terminal behind a stream: not known here, and taken for a file.
pub fn terminal_columns(_stream: Stream) -> Option<u16> {
    None
}

/// Nobody can tell here.
pub(crate) fn names_same_file(_path: &Path, _file: &fs::File) -> bool {
    true
}

/// A path that leads to an open file whatever happens to its name: there is none.
pub(crate) fn link_to(_file: &fs::File) -> Option<PathBuf> {
    None
}
