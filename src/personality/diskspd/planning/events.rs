//! Named events: files in the user's folder for running processes.

use std::path::PathBuf;

use crate::{
    host,
    personality::{Environment, diskspd::profile},
    plan::Events,
};

/// Where events are: `$XDG_RUNTIME_DIR/iogauge`, else `/tmp/iogauge-<user number>`.
pub(crate) fn folder(around: &Environment) -> PathBuf {
    if let Some(folder) = &around.settings.runtime_folder {
        return folder.join("iogauge");
    }
    let user = host::user_id().unwrap_or_default();
    std::env::temp_dir().join(format!("iogauge-{user}"))
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
