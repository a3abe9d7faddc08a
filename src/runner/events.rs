//! Files by which a run and its surroundings tell each other; see [`Events`].

use std::{fs, path::Path};

use crate::plan::Events;

/// Removes what an earlier run may have left, so that nobody takes it for news.
pub(super) fn clear(events: &Events) {
    for path in [&events.signal_started, &events.signal_finished]
        .into_iter()
        .flatten()
    {
        let _ = fs::remove_file(path);
    }
}

/// Signals an event: its file is there afterwards. `Err` is a sentence.
pub(super) fn signal(path: Option<&Path>) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
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
        assert!(
            signal(Some(Path::new("/proc/none/x")))
                .unwrap_err()
                .contains("/proc/none/x")
        );
    }
}
