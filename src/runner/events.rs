//! Files by which a run and its surroundings tell each other; see [`Events`].

use std::{fs, io, path::Path};

use crate::plan::Events;

/// Removes what an earlier run may have left, so that nobody takes it for news. A signal is an empty
/// file: one that holds something is somebody's, whatever a plan says.
pub(super) fn clear(events: &Events) {
    for path in [&events.signal_started, &events.signal_finished]
        .into_iter()
        .flatten()
    {
        let empty = |look: fs::Metadata| look.is_file() && look.len() == 0;
        if fs::symlink_metadata(path).is_ok_and(empty) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Signals an event: its file is there afterwards. `Err` is a sentence.
pub(super) fn signal(path: Option<&Path>) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    folder(path)
        .and_then(|()| {
            fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .map(drop)
        })
        .map_err(|error| {
            format!(
                "WARNING: cannot signal the event {}: {error}",
                path.display()
            )
        })
}

/// Makes the folder that the file is in, but none above it: a mistyped path makes no tree.
fn folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
            fs::create_dir(folder)
        }
        _ => Ok(()),
    }
}

/// True once the event was signalled; an event that nobody named never is.
pub(super) fn signalled(path: Option<&Path>) -> bool {
    path.is_some_and(Path::exists)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_signalled_once_its_file_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        assert!(!signalled(Some(&path)) && !signalled(None));
        signal(Some(&path)).unwrap();
        assert!(signalled(Some(&path)));
        clear(&Events {
            signal_started: Some(path.clone()),
            ..Events::default()
        });
        assert!(!signalled(Some(&path)));
        let kept = folder.path().join("kept");
        fs::write(&kept, b"x").unwrap();
        clear(&Events {
            signal_finished: Some(kept.clone()),
            ..Events::default()
        });
        assert!(kept.exists(), "what holds something is no signal");
        let deep = folder.path().join("no/such/folder");
        assert!(signal(Some(&deep)).unwrap_err().contains("no/such/folder"));
        assert!(!folder.path().join("no").exists());
        assert!(
            signal(Some(Path::new("/proc/none/x")))
                .unwrap_err()
                .contains("/proc/none/x")
        );
    }
}
