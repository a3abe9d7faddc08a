//! Making files.

use std::{
    fs, io,
    os::{
        fd::AsRawFd,
        unix::fs::{FileExt, OpenOptionsExt},
    },
    path::Path,
};

use rustix::fs::FallocateFlags;

/// Sets space aside for `size` bytes, so that a lack of it shows now. The file's size stays: a
/// writer that is killed leaves no more behind than it wrote. Where the filesystem cannot do this,
/// nothing happens.
///
/// # Errors
/// As the system says; no space left, above all.
pub fn reserve(file: &fs::File, size: u64) -> io::Result<()> {
    if size == 0 {
        return Ok(());
    }
    match rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, 0, size) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// As the system says.
pub fn write_all_at(file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Makes an empty file that nobody but its owner may use, opened for writing.
///
/// # Errors
/// As the system says; `AlreadyExists` if the path names anything, be it a link that leads nowhere.
pub fn create_private(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Asks the kernel to begin writing these bytes of the page cache to the device, so that a flush
/// finds little left. Nothing is durable by that.
///
/// # Errors
/// As the system says.
pub fn start_writeback(file: &fs::File, offset: u64, length: u64) -> io::Result<()> {
    // SAFETY: the call takes a descriptor and numbers, and touches no memory.
    let code = unsafe {
        libc::sync_file_range(
            file.as_raw_fd(),
            offset as i64,
            length as i64,
            libc::SYNC_FILE_RANGE_WRITE,
        )
    };
    if code == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_private_file_is_new_and_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = create_private(&path).unwrap();
        let data = file.metadata().unwrap();
        assert_eq!((data.len(), data.permissions().mode() & 0o777), (0, 0o600));
        write_all_at(&file, b"abc", 0).unwrap();
        start_writeback(&file, 0, 3).unwrap();
        let link = folder.path().join("link");
        symlink(folder.path().join("nowhere"), &link).unwrap();
        for taken in [path, link] {
            let error = create_private(&taken).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        }
    }
}
