//! Removes files that somebody named. The guard was asked before; what changed since is looked at
//! once more, and a symbolic link is never followed.

use std::{fs, io, path::Path};

use ioengine::{FileKind, sys};

use crate::results::{Failure, Stage, Subject};

/// Removes a plain file. One that is not there is no failure.
///
/// # Errors
/// It is something else, or the system does not let it go.
pub(super) fn remove(path: &Path) -> Result<(), Failure> {
    let removed = match sys::path_kind(path, false) {
        Ok(FileKind::Regular) => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no plain file",
        )),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure {
            stage: Stage::Cleanup,
            worker: None,
            target: Some(path.display().to_string()),
            errno: error.raw_os_error(),
            subject: Subject::Other,
            message: format!("{}: cannot remove: {error}", path.display()),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_file_is_removed_and_a_missing_one_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"x").unwrap();
        assert_eq!(remove(&path), Ok(()));
        assert!(!path.exists());
        assert_eq!(remove(&path), Ok(()));
        let refused = remove(folder.path()).unwrap_err();
        assert_eq!((refused.stage, refused.errno), (Stage::Cleanup, None));
        assert!(refused.message.contains("no plain file"));
        let inside = remove(Path::new("/proc/self/comm/x")).unwrap_err();
        assert_eq!(inside.errno, Some(20), "a file is no folder");
    }
}
