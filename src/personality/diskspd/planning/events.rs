//! Named events: files in the user's folder for running processes.

use std::path::{Path, PathBuf};

use crate::{
    host,
    personality::{Environment, diskspd::profile},
    plan::Events,
};

/// Where events are: `$XDG_RUNTIME_DIR/iogauge`, else (also where that folder is not there, for only
/// the system may make it) `/tmp/iogauge-<user number>`.
pub(crate) fn folder(around: &Environment) -> PathBuf {
    if let Some(folder) = runtime_folder(around) {
        return folder.join("iogauge");
    }
    let user = host::user_id().unwrap_or_default();
    std::env::temp_dir().join(format!("iogauge-{user}"))
}

fn runtime_folder(around: &Environment) -> Option<&Path> {
    let folder = around.settings.runtime_folder.as_deref();
    folder.filter(|folder| around.files.exists(folder))
}

/// Makes sure of the folder where nobody else has: among the temporary files of all users, another
/// one could have put a link or a folder there, and would see and signal the events.
///
/// # Errors
/// A sentence, if it cannot be trusted.
pub(crate) fn secure(around: &Environment) -> Result<(), String> {
    if runtime_folder(around).is_some() {
        return Ok(());
    }
    let folder = folder(around);
    around
        .files
        .check_private_folder(&folder)
        .map_err(|problem| {
            format!(
                "-y: the folder of events {} cannot be used: {problem}; set XDG_RUNTIME_DIR to a \
                 folder of your own",
                folder.display()
            )
        })
}

/// The file of an event. Windows has name spaces for events of a session and of the machine; here
/// all are the user's.
pub(crate) fn file(name: &str, around: &Environment) -> PathBuf {
    folder(around).join(own_name(name))
}

/// The name without its name space.
pub(crate) fn own_name(name: &str) -> &str {
    name.strip_prefix(r"Global\")
        .or_else(|| name.strip_prefix(r"Local\"))
        .unwrap_or(name)
}

/// The events of a run; that which only signals is no run.
pub(super) fn events(asked: &profile::Events, around: &Environment) -> Events {
    let place = |name: &Option<String>| name.as_ref().map(|name| file(name, around));
    Events {
        wait_before_start: place(&asked.ready),
        stop_when: place(&asked.stop),
        signal_started: place(&asked.started),
        signal_finished: place(&asked.finished),
    }
}
