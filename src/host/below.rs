//! Regular files below a folder: what a web site serves. Nothing is opened but folders.

use std::{
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use super::{Identity, look};

/// Files below a folder, and what was left out of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Below {
    /// Regular files with at least one byte that may be read, folder by folder, in the order of
    /// their names.
    pub files: Vec<PathBuf>,
    /// Bytes of them all.
    pub bytes: u64,
    /// Files and folders that may not be read.
    pub unreadable: u64,
    /// Files of no bytes.
    pub empty: u64,
    /// Symbolic links, pipes, devices.
    pub others: u64,
    /// Folders that another filesystem is mounted on.
    pub mounts: u64,
    /// There are more files than were asked for.
    pub cut: bool,
}

/// Lists at most so many files. Links are not followed, but for the folder itself, and other
/// filesystems are not entered.
///
/// # Errors
/// The folder itself cannot be read.
pub fn files_below(folder: &Path, most: usize) -> io::Result<Below> {
    let mut below = Below::default();
    let home = filesystem_of(folder);
    // Folders yet to be read, the next one last.
    let mut folders = Vec::new();
    take(entries(folder)?, &mut folders, &mut below, most);
    while let Some(next) = folders.pop() {
        if below.cut {
            break;
        }
        if filesystem_of(&next) != home {
            below.mounts += 1;
            continue;
        }
        match entries(&next) {
            Ok(found) => take(found, &mut folders, &mut below, most),
            Err(_) => below.unreadable += 1,
        }
    }
    Ok(below)
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// Takes the files of a folder, and remembers the folders in it.
fn take(entries: Vec<DirEntry>, folders: &mut Vec<PathBuf>, below: &mut Below, most: usize) {
    let first = folders.len();
    for entry in entries {
        // Neither of the two follows a link.
        let (Ok(kind), path) = (entry.file_type(), entry.path()) else {
            below.unreadable += 1;
            continue;
        };
        if kind.is_dir() {
            folders.push(path);
            continue;
        }
        if !kind.is_file() {
            below.others += 1;
            continue;
        }
        let Ok(data) = entry.metadata() else {
            below.unreadable += 1;
            continue;
        };
        if data.len() == 0 {
            below.empty += 1;
        } else if !ioengine::sys::may_read(&path) {
            below.unreadable += 1;
        } else if below.files.len() >= most {
            below.cut = true;
            return;
        } else {
            below.bytes = below.bytes.saturating_add(data.len());
            below.files.push(path);
        }
    }
    // Taken from the end: the first one by name is to come next.
    folders[first..].reverse();
}

fn filesystem_of(folder: &Path) -> Option<u64> {
    match look(folder).ok()?.identity? {
        Identity::File { device, .. } => Some(device),
        Identity::Device(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_order_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/deep")).unwrap();
        fs::create_dir(at("a")).unwrap();
        for (name, size) in [
            ("z.html", 5),
            ("b/2", 20),
            ("b/deep/1", 7),
            ("a/1", 300),
            ("empty", 0),
        ] {
            fs::write(at(name), vec![0; size]).unwrap();
        }
        let below = files_below(folder.path(), 100).unwrap();
        let names = ["z.html", "a/1", "b/2", "b/deep/1"].map(at);
        assert_eq!(below.files, names);
        assert_eq!(below.bytes, 332);
        assert_eq!((below.empty, below.unreadable, below.others), (1, 0, 0));
        assert!(!below.cut);
        let some = files_below(folder.path(), 3).unwrap();
        assert_eq!(some.files, names[..3]);
        assert!(some.cut);
        assert!(!files_below(folder.path(), 4).unwrap().cut);
        assert!(files_below(&at("z.html"), 1).is_err());
        assert!(files_below(&at("none"), 1).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_cannot_lead_in_circles() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("site")).unwrap();
        fs::write(at("site/page"), b"x").unwrap();
        for (to, name) in [(".", "site/again"), ("page", "site/same"), ("site", "link")] {
            std::os::unix::fs::symlink(to, at(name)).unwrap();
        }
        let below = files_below(&at("site"), 100).unwrap();
        assert_eq!(below.files, [at("site/page")]);
        assert_eq!(below.others, 2);
        // The folder that was named may be a link.
        let below = files_below(&at("link"), 100).unwrap();
        assert_eq!(below.files, [at("link/page")]);
    }
}
