//! What the rules ask of the system, so that tests can answer for it.

use std::{
    cell::OnceCell,
    fs, io,
    path::{Path, PathBuf},
};

use crate::host::{self, Contents, Database, DeviceUse, FileUse, Look, OpenFiles, Process, Space};

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
    /// True if it is a file that was marked as a test file of ours.
    fn is_marked(&self, path: &Path) -> bool;
    /// A database server that writes to the disk that the path is or would be on, and one of its
    /// files there.
    fn database_beside(&self, path: &Path) -> Option<(Process, PathBuf)>;
    /// Database servers whose files this user may not see.
    fn unseen_databases(&self) -> Vec<Process>;
}

/// The machine itself. What other processes have open is looked up once, when it is first asked for.
#[derive(Debug, Default)]
pub struct System {
    open_files: OnceCell<OpenFiles>,
    databases: OnceCell<Vec<Database>>,
}

impl System {
    fn databases(&self) -> &[Database] {
        self.databases.get_or_init(host::databases)
    }
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

    fn is_marked(&self, path: &Path) -> bool {
        host::is_marked(path)
    }

    fn database_beside(&self, path: &Path) -> Option<(Process, PathBuf)> {
        let databases = self.databases();
        if databases.is_empty() {
            return None;
        }
        let disk = host::disk_under(path)?;
        let on_it = |database: &Database| {
            let (_, file) = database.files.iter().find(|(at, _)| *at == disk)?;
            Some((database.process.clone(), file.clone()))
        };
        databases.iter().find_map(on_it)
    }

    fn unseen_databases(&self) -> Vec<Process> {
        let unseen = self.databases().iter().filter(|database| !database.seen);
        unseen.map(|database| database.process.clone()).collect()
    }
}
