//! The little that a command line has to do with files: whether one exists, what an XML profile
//! holds, and the empty file that is a signal. Injected, so that tests need none.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Looks at files, and makes those that are signals.
#[derive(Debug, Clone, Copy)]
pub struct Files {
    exists: fn(&Path) -> bool,
    read: fn(&Path) -> io::Result<Vec<u8>>,
    make: fn(&Path) -> io::Result<()>,
}

/// More than any profile has; keeps `-X/dev/zero` from taking all memory.
const PROFILE_BYTES_MAX: u64 = 64 << 20;

impl Files {
    /// The machine's own.
    pub const SYSTEM: Self = Self {
        // A dangling link is there all the same.
        exists: |path| path.symlink_metadata().is_ok(),
        read: |path| {
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
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            // Whatever is there stays as it is: the folder may be one that others can write to.
            match File::create_new(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => Ok(()),
            }
        },
    };

    /// With these answers.
    pub const fn with(exists: fn(&Path) -> bool, read: fn(&Path) -> io::Result<Vec<u8>>) -> Self {
        Self {
            exists,
            read,
            make: |_| Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The same, with another way of making files.
    #[must_use]
    pub const fn making(self, make: fn(&Path) -> io::Result<()>) -> Self {
        Self { make, ..self }
    }

    /// True if there is something with this path.
    pub fn exists(&self, path: &Path) -> bool {
        (self.exists)(path)
    }

    /// Makes an empty file, and the folders above it; one that is there is left alone.
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
