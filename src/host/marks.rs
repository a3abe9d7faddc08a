//! The mark of test files of ours: an extended attribute, which stays with a file when it is renamed
//! and needs no byte of its data.
//!
//! A mark alone does not say that the content is ours: somebody may have put something else into the
//! file. A run that ends well therefore writes down size and time of the last write, and a file that
//! has others later is somebody's. A kill leaves a mark without them: then the first bytes must look
//! as what we write.

use std::{
    fs,
    io::{self, Read},
    path::Path,
    time::UNIX_EPOCH,
};

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

/// Whose a file is, by its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    /// It has none.
    Not,
    /// A test file of ours, with nothing in it but what we wrote.
    Ours,
    /// A test file of ours, into which somebody has put something else since.
    Changed,
}

/// What the mark on a file says, of whatever version. Links are not followed.
pub fn marked(path: &Path) -> Marked {
    let mark = ioengine::sys::attribute(path, NAME, VALUE_MAX);
    let Some(mark) = mark.ok().flatten().filter(|mark| says_test_file(mark)) else {
        return Marked::Not;
    };
    let known = fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file);
    let ours = known.is_some_and(|data| match settled_part(&mark) {
        Some(part) => part == written(&data),
        None => looks_like_ours(path),
    });
    if ours { Marked::Ours } else { Marked::Changed }
}

/// True if the path is a test file of ours that nobody has changed.
pub fn is_marked(path: &Path) -> bool {
    marked(path) == Marked::Ours
}

/// Writes down what a marked file is like once nobody of us writes it any more.
///
/// # Errors
/// As the system says.
pub fn settle(path: &Path) -> io::Result<()> {
    let file = fs::File::open(path)?;
    let value = [VALUE, b" ", written(&file.metadata()?).as_bytes()].concat();
    ioengine::sys::set_attribute(&file, NAME, &value)
}

/// Takes that back, before the file is written again.
///
/// # Errors
/// As the system says.
pub fn unsettle(path: &Path) -> io::Result<()> {
    mark(&fs::File::open(path)?)
}

/// Size and time of the last write, as a mark holds them.
fn written(data: &fs::Metadata) -> String {
    let time = data.modified().ok();
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let ns = time.map_or(0, |time| time.as_nanos());
    format!("size={} written_ns={ns}", data.len())
}

/// The part of a mark that [`written`] wrote.
fn settled_part(mark: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(mark).ok()?;
    text.find("size=").map(|at| &text[at..])
}

/// Bytes that are looked at.
const SAMPLE: u64 = 4096;
/// A byte that comes more often in a sample is no chance: 16 are to be expected, and 64 are twelve
/// standard deviations more.
const OFTEN: usize = 64;
/// So many of the 256 bytes come in a sample of chance: all are to be expected.
const DIFFERENT: usize = 200;

/// True if a file begins as those that we write: with zeros, with 0 to 255 again and again, or by
/// chance. What is too short to tell, or may not be read, does not.
fn looks_like_ours(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(SAMPLE).read_to_end(&mut bytes));
    if read.is_err() {
        return false;
    }
    if bytes.iter().all(|byte| *byte == 0) {
        return true;
    }
    if (bytes.len() as u64) < SAMPLE {
        return false;
    }
    let mut counts = [0_usize; 256];
    for byte in &bytes {
        counts[usize::from(*byte)] += 1;
    }
    let different = counts.iter().filter(|count| **count > 0).count();
    different >= DIFFERENT && counts.iter().all(|count| *count <= OFTEN)
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
    /// A marked file with this content; `None` where the filesystem keeps no marks.
    fn file(folder: &Path, name: &str, content: &[u8]) -> Option<std::path::PathBuf> {
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        unsettle(&path).ok().map(|()| path)
    }

    #[test]
    fn a_kill_leaves_what_looks_like_ours() {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        // A full period of a generator modulo 2^16: its high bytes are spread as chance spreads them.
        let mut state = 1_u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let chance: Vec<u8> = (0..4096).map(|_| draw()).collect();
        let pattern: Vec<u8> = (0..4096_u32).map(|at| at as u8).collect();
        let text = b"Dear diary, today I found a large file. ".repeat(200);
        for (name, content, expected) in [
            ("chance", &chance[..], Marked::Ours),
            ("pattern", &pattern, Marked::Ours),
            ("zeros", &[0; 8192], Marked::Ours),
            ("empty", b"", Marked::Ours),
            ("text", &text, Marked::Changed),
            ("short", b"x", Marked::Changed),
            ("cut", &chance[..4095], Marked::Changed),
        ] {
            let Some(path) = file(folder.path(), name, content) else {
                return;
            };
            assert_eq!(marked(&path), expected, "{name}");
        }
    }

    #[test]
    fn a_settled_file_is_ours_until_somebody_writes_it() {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        // The content does not matter where size and time are known.
        let Some(path) = file(folder.path(), "f", b"what --data file:PATH wrote") else {
            return;
        };
        settle(&path).unwrap();
        assert_eq!(marked(&path), Marked::Ours);
        let data = fs::metadata(&path).unwrap();
        let (time, size) = (data.modified().unwrap(), data.len());
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time + std::time::Duration::from_micros(1))
            .unwrap();
        assert_eq!(marked(&path), Marked::Changed);
        file.set_modified(time).unwrap();
        assert_eq!(marked(&path), Marked::Ours);
        file.set_len(size + 1).unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(marked(&path), Marked::Changed);
    }
}
