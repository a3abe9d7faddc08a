//! Files that are read as somebody else would read them: whole, without a trace.

use std::{fs, io, os::fd::OwnedFd, path::Path};

use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags};

use super::super::AccessTime;

/// Opens a file for reading. Never waits for a FIFO's other end, and follows no link in the last
/// part of the path.
///
/// # Errors
/// As the system says: EPERM where the time of the last access is to be kept and the file is
/// somebody else's.
pub fn open_to_read(path: &Path, time: AccessTime) -> io::Result<fs::File> {
    let mut flags =
        OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
    if time == AccessTime::Kept {
        flags |= OFlags::NOATIME;
    }
    let fd: OwnedFd = rustix::fs::open(path, flags, Mode::empty())?;
    Ok(fs::File::from(fd))
}

/// True if this process may read what the path names; nothing is opened.
pub fn may_read(path: &Path) -> bool {
    rustix::fs::accessat(CWD, path, Access::READ_OK, AtFlags::EACCESS).is_ok()
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    #[test]
    fn only_the_file_itself_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"abc").unwrap();
        let mut text = String::new();
        let mut file = open_to_read(&path, AccessTime::Kept).unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        let error = open_to_read(&link, AccessTime::AsUsual).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ELOOP));
        let error = open_to_read(&folder.path().join("none"), AccessTime::Kept).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn the_right_to_read_is_told_without_opening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"abc").unwrap();
        assert!(may_read(&path));
        assert!(!may_read(&folder.path().join("none")));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser may read everything.
        assert_eq!(may_read(&path), fs::File::open(&path).is_ok());
    }
}
