//! The little that a command line needs to know of files: whether one exists, and what an XML
//! profile holds. Injected, so that tests need none.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// Looks at files.
#[derive(Debug, Clone, Copy)]
pub struct Files {
    exists: fn(&Path) -> bool,
    read: fn(&Path) -> io::Result<Vec<u8>>,
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
    };

    /// With these answers.
    pub const fn with(exists: fn(&Path) -> bool, read: fn(&Path) -> io::Result<Vec<u8>>) -> Self {
        Self { exists, read }
    }

    /// True if there is something with this path.
    pub fn exists(&self, path: &Path) -> bool {
        (self.exists)(path)
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
        Self {
            exists: |_| false,
            read: |_| Err(io::ErrorKind::NotFound.into()),
        }
    }
}
