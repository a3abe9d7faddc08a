//! Folders that are the user's alone, in a place where everybody may write.

use std::{fs, io, path::Path};

/// Makes the folder, or checks that it is a real one of this user, and closes it to all others.
///
/// # Errors
/// Why it cannot be trusted; the system's.
pub fn private_folder(path: &Path) -> io::Result<()> {
    match create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        // A link is none either, wherever it leads.
        return Err(io::Error::other("it is no folder, or a link"));
    }
    owned(path, &found)
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(PRIVATE).create(path)
}

/// Rights for the owner alone.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

#[cfg(unix)]
fn owned(path: &Path, found: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    if ioengine::sys::effective_user_id().is_some_and(|user| user != found.uid()) {
        return Err(io::Error::other(format!(
            "it belongs to user {}",
            found.uid()
        )));
    }
    if found.mode() & 0o7777 != PRIVATE {
        // It is ours, so nobody else can have put a link in its place since.
        fs::set_permissions(path, fs::Permissions::from_mode(PRIVATE))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Temporary folders are the user's own here.
#[cfg(not(unix))]
fn owned(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
        path::Path,
    };

    use super::private_folder;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn a_folder_is_made_or_closed_to_others() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("events");
        private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn links_and_files_and_folders_of_others_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        symlink(place.path(), &link).unwrap();
        assert!(private_folder(&link).is_err());
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(private_folder(&file).is_err());
        assert!(private_folder(&place.path().join("none/events")).is_err());
        // A root shell owns most folders; another user owns none of the system's.
        let other = Path::new("/");
        if ioengine::sys::effective_user_id() != Some(fs::metadata(other).unwrap().uid()) {
            assert!(private_folder(other).is_err());
        }
    }
}
