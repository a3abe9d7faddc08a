//! Extended attributes: small values with a name that go with a file wherever it is moved.

use std::{fs, io, path::Path};

use rustix::{fs::XattrFlags, io::Errno};

/// Gives an open file an attribute, or changes it.
///
/// # Errors
/// As the system says; `Unsupported` where the filesystem keeps none.
pub fn set_attribute(file: &fs::File, name: &str, value: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::fsetxattr(
        file,
        name,
        value,
        XattrFlags::empty(),
    )?)
}

/// An attribute of what a path names, which is not followed if it is a symbolic link; at most
/// `room` bytes. `None` if it has none of that name, or no attributes at all.
///
/// # Errors
/// As the system says; a longer value is an error.
pub fn attribute(path: &Path, name: &str, room: usize) -> io::Result<Option<Vec<u8>>> {
    let mut value = vec![0_u8; room];
    match rustix::fs::lgetxattr(path, name, &mut value[..]) {
        Ok(length) => {
            value.truncate(length);
            Ok(Some(value))
        }
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_the_files_and_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = fs::File::create(&path).unwrap();
        assert_eq!(attribute(&path, "user.test", 9).unwrap(), None);
        match set_attribute(&file, "user.test", b"value") {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return,
            set => set.unwrap(),
        }
        let moved = folder.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        let value = attribute(&moved, "user.test", 9).unwrap();
        assert_eq!(value.as_deref(), Some(&b"value"[..]));
        assert!(attribute(&moved, "user.test", 3).is_err());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&moved, &link).unwrap();
        assert_eq!(attribute(&link, "user.test", 9).unwrap(), None);
        assert!(attribute(&path, "user.test", 9).is_err());
    }
}
