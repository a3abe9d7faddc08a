//! Test files of ours that lie about: marked ones, and which of them may go.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use super::{
    Contents, Family, Identity, Marked, OpenFiles, PathKind, contents, look, marked,
    storage::listed,
};

/// A marked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes that it takes.
    pub size: u64,
    /// When it was written last, since 1970-01-01 UTC, where the system says.
    pub written: Option<Duration>,
    /// Why it stays, as the end of a sentence; `None` if it may go.
    pub stays: Option<String>,
    identity: Option<Identity>,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// In the folder alone.
    Folder,
    /// In folders below it too, on the same filesystem.
    Below,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// By path.
    pub files: Vec<Leftover>,
    /// Folders below that could not be looked into, and why.
    pub unread: Vec<(PathBuf, io::Error)>,
}

/// Looks for marked files; links are not followed.
///
/// # Errors
/// The folder itself cannot be read.
pub fn leftovers(folder: &Path, depth: Depth) -> io::Result<Leftovers> {
    let mut found = Leftovers::default();
    let open = OpenFiles::now();
    let home = filesystem_number(folder);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if next == folder => return Err(error),
            Err(error) => {
                found.unread.push((next, error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = plain(folder, entry.path());
            if kind.is_file() {
                found.files.extend(leftover(&path, &open));
            } else if kind.is_dir() && depth == Depth::Below && filesystem_number(&path) == home {
                folders.push(path);
            }
        }
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found.unread.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Of the folder that one is in, `./x` is `x`.
fn plain(folder: &Path, path: PathBuf) -> PathBuf {
    if folder != Path::new(".") {
        return path;
    }
    path.strip_prefix(".")
        .map(Path::to_path_buf)
        .unwrap_or(path)
}

fn filesystem_number(path: &Path) -> Option<u64> {
    match look(path).ok()?.identity? {
        Identity::File { device, .. } => Some(device),
        Identity::Device(_) => None,
    }
}

fn leftover(path: &Path, open: &OpenFiles) -> Option<Leftover> {
    let marked = marked(path);
    if marked == Marked::Not {
        return None;
    }
    let seen = look(path).ok()?;
    if seen.symlink || seen.kind != PathKind::Regular {
        return None;
    }
    let written = fs::symlink_metadata(path)
        .and_then(|data| data.modified())
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Some(Leftover {
        path: path.to_path_buf(),
        size: seen.allocated,
        written,
        stays: reason_to_stay(path, seen.links, open).or_else(|| {
            let changed = "is marked as ours, but what is in it now is somebody's";
            (marked == Marked::Changed).then(|| changed.to_owned())
        }),
        identity: seen.identity,
    })
}

/// Somebody uses it, whatever it was made for.
fn reason_to_stay(path: &Path, links: u64, open: &OpenFiles) -> Option<String> {
    let used = open.users_of(path);
    if used.swap {
        return Some("swap space in use".to_owned());
    }
    if let Some(device) = used.loops.first() {
        return Some(format!("/dev/{device} is made of it"));
    }
    let openers = open.openers_of(path);
    if !openers.is_empty() {
        return Some(format!("open by {}", listed(&openers)));
    }
    if links > 1 {
        return Some(format!("has {links} names (hard links)"));
    }
    match contents(path) {
        Contents::Holds(signature) if signature.family != Family::Unknown => {
            Some(format!("holds {}", signature.name))
        }
        // Whoever may not read it may still remove it; its mark is what counts.
        Contents::Holds(_) | Contents::Blank | Contents::Unreadable(_) => None,
    }
}

/// Removes it, if it is still the marked file that was found and nobody uses it.
///
/// # Errors
/// Why it stays; as the system says.
pub fn remove_leftover(file: &Leftover, open: &OpenFiles) -> io::Result<()> {
    let now = leftover(&file.path, open)
        .filter(|now| now.identity == file.identity)
        .ok_or_else(|| io::Error::other("it is another file now"))?;
    match now.stays {
        Some(reason) => Err(io::Error::other(reason)),
        None => fs::remove_file(&file.path),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::host::{mark, settle};

    /// A folder on a disk: memory may keep no attributes.
    fn folder() -> Option<tempfile::TempDir> {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let probe = fs::File::create(folder.path().join("probe")).unwrap();
        let able = mark(&probe).is_ok();
        fs::remove_file(folder.path().join("probe")).unwrap();
        if !able {
            eprintln!("skipped: no extended attributes here");
        }
        able.then_some(folder)
    }

    fn put(path: &Path, content: &[u8]) {
        fs::write(path, content).unwrap();
        mark(&fs::File::options().write(true).open(path).unwrap()).unwrap();
        settle(path).unwrap();
    }

    fn names(found: &Leftovers) -> Vec<String> {
        let name = |file: &Leftover| {
            file.path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        };
        found.files.iter().map(name).collect()
    }

    #[test]
    fn marked_files_are_found_and_links_are_not_followed() {
        let Some(folder) = folder() else { return };
        let at = |name: &str| folder.path().join(name);
        put(&at("a"), b"x");
        fs::write(at("b"), b"x").unwrap();
        fs::create_dir(at("deep")).unwrap();
        put(&at("deep/c"), b"x");
        fs::create_dir(at("other")).unwrap();
        put(&at("other/d"), b"x");
        symlink(at("a"), at("link")).unwrap();
        symlink(at("other"), at("deep/link")).unwrap();
        let here = leftovers(folder.path(), Depth::Folder).unwrap();
        assert_eq!(names(&here), ["a"]);
        let all = leftovers(folder.path(), Depth::Below).unwrap();
        assert_eq!(names(&all), ["a", "c", "d"]);
        assert!(all.files.iter().all(|file| file.stays.is_none()));
        let deep = leftovers(&at("deep"), Depth::Below).unwrap();
        assert_eq!(names(&deep), ["c"]);
        assert!(leftovers(&at("missing"), Depth::Folder).is_err());
    }

    #[test]
    fn what_somebody_uses_stays() {
        let Some(folder) = folder() else { return };
        let at = |name: &str| folder.path().join(name);
        put(&at("twice"), b"x");
        fs::hard_link(at("twice"), at("again")).unwrap();
        put(&at("mail"), b"SQLite format 3\0 and more");
        let found = leftovers(folder.path(), Depth::Folder).unwrap();
        let reasons: Vec<_> = found
            .files
            .iter()
            .map(|file| file.stays.as_deref())
            .collect();
        let links = Some("has 2 names (hard links)");
        assert_eq!(reasons, [links, Some("holds an SQLite database"), links]);
        for file in &found.files {
            assert!(remove_leftover(file, &OpenFiles::now()).is_err());
            assert!(file.path.exists());
        }
    }

    #[test]
    fn what_somebody_put_into_a_test_file_stays() {
        let Some(folder) = folder() else { return };
        let path = folder.path().join("a");
        put(&path, b"test data");
        let find = || {
            leftovers(folder.path(), Depth::Folder)
                .unwrap()
                .files
                .remove(0)
        };
        let before = find();
        assert_eq!(before.stays, None);
        // Copied over it: the same file by number and mark.
        fs::write(&path, b"my thesis").unwrap();
        let later = fs::metadata(&path).unwrap().modified().unwrap() + Duration::from_secs(1);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(later).unwrap();
        drop(file);
        let found = find();
        assert!(found.stays.is_some_and(|why| why.contains("somebody's")));
        assert!(remove_leftover(&before, &OpenFiles::now()).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"my thesis");
    }

    #[test]
    fn only_what_was_found_is_removed() {
        let Some(folder) = folder() else { return };
        let path = folder.path().join("a");
        put(&path, b"x");
        let find = || {
            leftovers(folder.path(), Depth::Folder)
                .unwrap()
                .files
                .remove(0)
        };
        let found = find();
        fs::rename(&path, folder.path().join("moved")).unwrap();
        fs::write(&path, b"somebody's").unwrap();
        assert!(remove_leftover(&found, &OpenFiles::now()).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"somebody's");
        let moved = find();
        remove_leftover(&moved, &OpenFiles::now()).unwrap();
        assert!(!moved.path.exists());
    }
}
