//! What the rules ask of the system, so that tests can answer for it.

use std::{
    cell::OnceCell,
    fs, io,
    path::{Path, PathBuf},
};

use crate::host::{self, Contents, DeviceUse, FileUse, Look, OpenFiles, Space};

/// Questions about a path. None of them changes anything.
pub trait Probe {
    /// What it is, links followed.
    ///
    /// # Errors
    /// As the system says; `NotFound` also for a link that leads nowhere.
    fn look(&self, path: &Path) -> io::Result<Look>;
    /// True if the path itself is a symbolic link, wherever it leads.
    fn is_link(&self, path: &Path) -> bool;
    /// The path without links, if it exists.
    fn canonical(&self, path: &Path) -> Option<PathBuf>;
    /// Who uses a block device.
    fn device_use(&self, path: &Path) -> Vec<DeviceUse>;
    /// Who uses a regular file.
    fn file_use(&self, path: &Path) -> FileUse;
    /// What a block device or regular file holds.
    fn contents(&self, path: &Path) -> Contents;
    /// The kind of the filesystem that the path is or would be on.
    fn filesystem_kind(&self, path: &Path) -> Option<String>;
    /// The room there.
    fn space(&self, path: &Path) -> Option<Space>;
}

/// The machine itself. What other processes have open is looked up once, when it is first asked for.
#[derive(Debug, Default)]
pub struct System {
    open_files: OnceCell<OpenFiles>,
}

impl Probe for System {
    fn look(&self, path: &Path) -> io::Result<Look> {
        host::look(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink())
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path).ok()
    }

    fn device_use(&self, path: &Path) -> Vec<DeviceUse> {
        host::device_use(path)
    }

    fn file_use(&self, path: &Path) -> FileUse {
        let open_files = self.open_files.get_or_init(OpenFiles::now);
        open_files.users_of(path)
    }

    fn contents(&self, path: &Path) -> Contents {
        host::contents(path)
    }

    fn filesystem_kind(&self, path: &Path) -> Option<String> {
        host::filesystem(path).map(|filesystem| filesystem.kind)
    }

    fn space(&self, path: &Path) -> Option<Space> {
        host::space(path)
    }
}
