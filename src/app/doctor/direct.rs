//! Is direct I/O to be had on a path, and with which multiples? A file is opened for reading, and
//! nothing is read.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ioengine::{Alignment, Caching, File, OpenOptions, sys::NoDirectIo};

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Direct {
    /// Offsets and memory must be multiples of these.
    Works(Alignment),
    /// The filesystem refuses it.
    Refused,
    /// It could not be tried, for this reason.
    Untried(String),
}

/// Entries of a folder that are looked at in search of a file.
const ENTRIES_MAX: usize = 1000;

/// Tries it on a file or disk, or on some file in a folder.
pub(super) fn direct_io(path: &Path) -> Direct {
    let Some(file) = file_at(path) else {
        return Direct::Untried("there is no file in the folder to try it on".to_owned());
    };
    let options = OpenOptions {
        caching: Caching::Direct,
        no_follow: file != path,
        ..OpenOptions::READ
    };
    match File::open(&file, options) {
        Ok(open) => Direct::Works(open.alignment()),
        Err(error) => {
            let source = error.get_ref();
            if source
                .and_then(|source| source.downcast_ref::<NoDirectIo>())
                .is_some()
            {
                Direct::Refused
            } else {
                Direct::Untried(error.to_string())
            }
        }
    }
}

/// What can be opened: the path, or the first file in it that may be read.
fn file_at(path: &Path) -> Option<PathBuf> {
    if !path.is_dir() {
        return Some(path.to_path_buf());
    }
    let entries = fs::read_dir(path).ok()?.flatten().take(ENTRIES_MAX);
    let mut files = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path());
    files.find(|file| File::open(file, OpenOptions::READ).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_judged_by_a_file_in_it() {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let empty = direct_io(folder.path());
        assert!(
            matches!(&empty, Direct::Untried(why) if why.contains("no file")),
            "{empty:?}"
        );
        let file = folder.path().join("file");
        fs::write(&file, [0; 4096]).unwrap();
        assert_eq!(direct_io(folder.path()), direct_io(&file));
        assert!(!matches!(direct_io(&file), Direct::Untried(_)));
    }
}
