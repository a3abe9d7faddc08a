//! The little that a command line has to do with files: whether one exists, what an XML profile
//! holds, how large a target is, and the empty file that is a signal. Injected, so that tests need none.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::host::{self, Below, PathKind};

/// Looks at files, and makes those that are signals.
#[derive(Debug, Clone, Copy)]
pub struct Files {
    exists: fn(&Path) -> bool,
    read: fn(&Path) -> io::Result<Vec<u8>>,
    make: fn(&Path) -> io::Result<()>,
    check_private_folder: fn(&Path) -> io::Result<()>,
    size: fn(&Path) -> Option<u64>,
    below: fn(&Path, usize) -> io::Result<Below>,
    kind: fn(&Path) -> Option<PathKind>,
    is_ours: fn(&Path) -> bool,
}

/// More than any profile has; keeps `-X/dev/zero` from taking all memory.
const PROFILE_BYTES_MAX: u64 = 64 << 20;

impl Files {
    /// The machine's own.
    pub const SYSTEM: Self = Self {
        // A dangling link is there all the same.
        exists: |path| path.symlink_metadata().is_ok(),
        read: |path| {
            // Nothing else is opened: opening a pipe waits for a writer, a device may act on it.
            if !fs::metadata(path)?.is_file() {
                return Err(io::Error::other("it is no regular file"));
            }
            let mut bytes = Vec::new();
            File::open(path)?
                .take(PROFILE_BYTES_MAX + 1)
                .read_to_end(&mut bytes)?;
            if bytes.len() as u64 > PROFILE_BYTES_MAX {
                return Err(io::Error::other("it is larger than 64 MiB"));
            }
            Ok(bytes)
        },
        make: |path| {
            // Only the last folder: the one above it is the system's, or is not there.
            if let Some(folder) = path.parent()
                && !folder.is_dir()
            {
                fs::create_dir(folder)?;
            }
            // Whatever is there stays as it is: the folder may be one that others can write to.
            match File::create_new(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => Ok(()),
            }
        },
        check_private_folder: host::private_folder,
        size: |path| {
            let look = host::look(path).ok()?;
            match look.kind {
                PathKind::Regular => Some(look.size),
                PathKind::BlockDevice => host::device_of(path).map(|device| device.size),
                _ => None,
            }
        },
        below: host::files_below,
        kind: |path| host::look(path).ok().map(|look| look.kind),
        is_ours: host::is_marked,
    };

    /// With these answers.
    pub const fn with(exists: fn(&Path) -> bool, read: fn(&Path) -> io::Result<Vec<u8>>) -> Self {
        Self {
            exists,
            read,
            make: |_| Err(io::ErrorKind::Unsupported.into()),
            check_private_folder: |_| Ok(()),
            size: |_| None,
            below: |_, _| Err(io::ErrorKind::NotFound.into()),
            kind: |_| None,
            is_ours: |_| false,
        }
    }

    /// The same, with another way of making files.
    #[must_use]
    pub const fn making(self, make: fn(&Path) -> io::Result<()>) -> Self {
        Self { make, ..self }
    }

    /// The same, with another way of checking a folder.
    #[must_use]
    pub const fn checking(self, check_private_folder: fn(&Path) -> io::Result<()>) -> Self {
        Self {
            check_private_folder,
            ..self
        }
    }

    /// The same, with another way of telling sizes.
    #[must_use]
    pub const fn sized(self, size: fn(&Path) -> Option<u64>) -> Self {
        Self { size, ..self }
    }

    /// The same, with another way of listing a folder.
    #[must_use]
    pub const fn listing(self, below: fn(&Path, usize) -> io::Result<Below>) -> Self {
        Self { below, ..self }
    }

    /// At most so many files below a folder.
    ///
    /// # Errors
    /// The system's, of a folder that cannot be read.
    pub fn below(&self, folder: &Path, most: usize) -> io::Result<Below> {
        (self.below)(folder, most)
    }

    /// The same, with another way of telling what a path is, and whether it is a test file of ours.
    #[must_use]
    pub const fn looked(
        self,
        kind: fn(&Path) -> Option<PathKind>,
        is_ours: fn(&Path) -> bool,
    ) -> Self {
        Self {
            kind,
            is_ours,
            ..self
        }
    }

    /// What a path leads to; `None` for what is not there.
    pub fn kind(&self, path: &Path) -> Option<PathKind> {
        (self.kind)(path)
    }

    /// True for a test file that an earlier run of ours made and kept.
    pub fn is_ours(&self, path: &Path) -> bool {
        (self.is_ours)(path)
    }

    /// Bytes of a file or block device; `None` for everything else, and for what is not there.
    pub fn size(&self, path: &Path) -> Option<u64> {
        (self.size)(path)
    }

    /// True if there is something with this path.
    pub fn exists(&self, path: &Path) -> bool {
        (self.exists)(path)
    }

    /// Makes sure that a folder is the user's alone, or makes it so.
    ///
    /// # Errors
    /// Why it is not; the system's.
    pub fn check_private_folder(&self, path: &Path) -> io::Result<()> {
        (self.check_private_folder)(path)
    }

    /// Makes an empty file, and the folder that it is in; one that is there is left alone.
    ///
    /// # Errors
    /// The system's.
    pub fn make(&self, path: &Path) -> io::Result<()> {
        (self.make)(path)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// The system's, and that of a file too large to be a profile.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        (self.read)(path)
    }
}

/// A machine without files.
impl Default for Files {
    fn default() -> Self {
        Self::with(|_| false, |_| Err(io::ErrorKind::NotFound.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Files;

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("profile.xml");
        fs::write(&file, "<P/>").unwrap();
        assert_eq!(Files::SYSTEM.read(&file).unwrap(), b"<P/>");
        let problem = Files::SYSTEM.read(folder.path()).unwrap_err();
        assert_eq!(problem.to_string(), "it is no regular file");
        #[cfg(unix)]
        assert!(Files::SYSTEM.read("/dev/null".as_ref()).is_err());
    }

    #[test]
    fn a_signal_makes_its_folder_and_none_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let event = folder.path().join("iogauge/go");
        Files::SYSTEM.make(&event).unwrap();
        Files::SYSTEM.make(&event).unwrap();
        assert!(event.is_file());
        let nowhere = folder.path().join("missing/iogauge/go");
        assert!(Files::SYSTEM.make(&nowhere).is_err());
        assert!(!folder.path().join("missing").exists());
    }
}
