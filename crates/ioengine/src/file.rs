//! An open target: descriptor, size, kind and what direct I/O needs of it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::sys;

/// Which operations a target is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Both.
    ReadWrite,
}

impl Access {
    /// True if writes are possible.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::ReadWrite)
    }
}

/// Whether the operating system's page cache takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caching {
    /// Through the page cache.
    Buffered,
    /// O_DIRECT: past it.
    Direct,
}

/// When a write counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Durability {
    /// When the system has taken it.
    None,
    /// O_DSYNC: when its data is on stable storage.
    Dsync,
    /// O_SYNC: when data and metadata are.
    Sync,
}

/// How to open a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OpenOptions {
    /// For which operations.
    pub access: Access,
    /// Page cache or not.
    pub caching: Caching,
    /// When writes count as done.
    pub durability: Durability,
    /// O_EXCL without creation: on a block device, refuse if anybody else holds it.
    pub exclusive: bool,
    /// Refuse a symbolic link as the last part of the path.
    pub no_follow: bool,
    /// Create the file if it is missing.
    pub create: bool,
    /// Cut an existing file to nothing.
    pub truncate: bool,
}

impl OpenOptions {
    /// For reading, through the page cache.
    pub const READ: Self = Self {
        access: Access::Read,
        caching: Caching::Buffered,
        durability: Durability::None,
        exclusive: false,
        no_follow: false,
        create: false,
        truncate: false,
    };
}

/// What a path turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharacterDevice,
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// Something else.
    Other,
}

/// What direct I/O needs: multiples of these many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alignment {
    /// Of offsets and lengths.
    pub offset: u32,
    /// Of buffer addresses.
    pub memory: u32,
}

/// An open target.
#[derive(Debug)]
pub struct File {
    inner: fs::File,
    path: PathBuf,
    options: OpenOptions,
    kind: FileKind,
    size: u64,
    alignment: Alignment,
}

impl File {
    /// Opens `path`. Never blocks on a FIFO.
    ///
    /// # Errors
    /// As the system says; `InvalidInput` with a sentence when direct I/O is not to be had there.
    pub fn open(path: &Path, options: OpenOptions) -> io::Result<Self> {
        let inner = sys::open(path, options)?;
        let (kind, size) = sys::kind_and_size(&inner)?;
        let alignment = sys::direct_alignment(&inner, kind);
        Ok(Self {
            inner,
            path: path.to_path_buf(),
            options,
            kind,
            size,
            alignment,
        })
    }

    /// Opens the same file once more, whatever its path names by now.
    ///
    /// # Errors
    /// As the system says; `NotFound` with a sentence where it can be opened by its path only, and
    /// that names another file.
    pub fn reopen(&self, options: OpenOptions) -> io::Result<Self> {
        let link = sys::link_to(&self.inner);
        let by_path = link.is_none();
        let opened = Self::open(link.as_deref().unwrap_or(&self.path), options)?;
        if by_path && !self.is_still_there() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "its path names another file now",
            ));
        }
        Ok(Self {
            path: self.path.clone(),
            ..opened
        })
    }

    /// The path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How it was opened.
    pub fn options(&self) -> OpenOptions {
        self.options
    }

    /// What it is.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Bytes when it was opened.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes now.
    ///
    /// # Errors
    /// As the system says.
    pub fn size_now(&self) -> io::Result<u64> {
        sys::kind_and_size(&self.inner).map(|(_, size)| size)
    }

    /// True if the path it was opened by still names it; also where nobody can tell.
    pub fn is_still_there(&self) -> bool {
        sys::names_same_file(&self.path, &self.inner)
    }

    /// What direct I/O needs here.
    pub fn alignment(&self) -> Alignment {
        self.alignment
    }

    /// The standard library's handle, for everything that is not the hot path.
    pub fn std(&self) -> &fs::File {
        &self.inner
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_is_opened_again_though_its_path_names_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        fs::write(&path, "the first").unwrap();
        let file = File::open(&path, OpenOptions::READ).unwrap();
        fs::remove_file(&path).unwrap();
        for replaced in [false, true] {
            if replaced {
                fs::write(&path, "the second").unwrap();
            }
            let again = file.reopen(OpenOptions::READ).unwrap();
            assert_eq!((again.path(), again.size()), (&*path, 9));
            let mut text = String::new();
            again.std().read_to_string(&mut text).unwrap();
            assert_eq!(text, "the first");
        }
    }
}
