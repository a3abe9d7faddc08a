//! The mark of test files of ours: an extended attribute, which stays with a file when it is renamed
//! and needs no byte of its data.

use std::{fs, io, path::Path};

/// Its name; ordinary users may give and read attributes that begin with `user.`.
const NAME: &str = "user.iogauge";

/// Its value: the version of the mark, and what the file is for.
const VALUE: &[u8] = b"1 test-file";

/// Room for the marks of later versions.
const VALUE_MAX: usize = 256;

/// Marks a file that was made just now as a test file of ours: what is in it is worth nothing.
///
/// # Errors
/// As the system says; `Unsupported` where the filesystem keeps no such attributes.
pub fn mark(file: &fs::File) -> io::Result<()> {
    ioengine::sys::set_attribute(file, NAME, VALUE)
}

/// True if the path is a file that was marked as ours, by whatever version. Links are not followed.
pub fn is_marked(path: &Path) -> bool {
    let mark = ioengine::sys::attribute(path, NAME, VALUE_MAX);
    mark.is_ok_and(|mark| mark.is_some_and(|mark| says_test_file(&mark)))
}

/// A number, and the purpose.
fn says_test_file(mark: &[u8]) -> bool {
    let mut words = mark.split(|byte| *byte == b' ');
    let version = words.next().unwrap_or_default();
    !version.is_empty()
        && version.iter().all(u8::is_ascii_digit)
        && words.next() == Some(b"test-file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_later_versions_are_known_and_others_are_not() {
        for (mark, known) in [
            (VALUE, true),
            (b"2 test-file run=7", true),
            (b"1 results", false),
            (b"test-file", false),
            (b" test-file", false),
            (b"1", false),
            (b"", false),
        ] {
            assert_eq!(says_test_file(mark), known, "{mark:?}");
        }
    }

    #[test]
    fn a_file_is_marked_once_it_was_marked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = fs::File::create(&path).unwrap();
        assert!(!is_marked(&path));
        if mark(&file).is_ok() {
            assert!(is_marked(&path));
        }
        assert!(!is_marked(folder.path()));
        assert!(!is_marked(&folder.path().join("missing")));
        assert!(!is_marked(Path::new("/proc/self/stat")));
    }
}
