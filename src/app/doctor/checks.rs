//! One thing that was looked at: whether it is fine, what was seen, what to do.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Whether something is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Nothing.
    Fine,
    /// Figures will be bent, or a run refused, unless something is done.
    Action,
    /// It could not be looked at.
    Unknown,
}

/// A check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Check {
    /// Its name for programs.
    #[serde(rename = "check")]
    pub(super) key: &'static str,
    pub(super) state: State,
    /// A sentence with the numbers, without its end.
    pub(super) finding: String,
    /// What to do, where something is to be done.
    pub(super) remedy: Option<String>,
    /// The numbers for programs, with the unit in the name.
    pub(super) values: BTreeMap<&'static str, Value>,
}

/// What people call a check whose key says it badly.
const TITLES: &[(&str, &str)] = &[
    ("engine_io_uring", "engine io_uring"),
    ("engine_libaio", "engine libaio"),
    ("aio_requests", "asynchronous requests"),
    ("direct_io", "direct I/O"),
    ("write_cache", "write cache"),
    ("disk_kind", "disk"),
    ("disk_busy", "disk"),
    ("cpus_busy", "CPUs"),
    ("free_space", "room"),
    ("open_files", "open files"),
    ("locked_memory", "locked memory"),
    ("mappings", "memory mappings"),
    ("cpu_governor", "CPU clock"),
];

impl Check {
    fn new(key: &'static str, state: State, finding: String, remedy: Option<String>) -> Self {
        Self {
            key,
            state,
            finding,
            remedy,
            values: BTreeMap::new(),
        }
    }

    pub(super) fn fine(key: &'static str, finding: impl Into<String>) -> Self {
        Self::new(key, State::Fine, finding.into(), None)
    }

    pub(super) fn unknown(key: &'static str, finding: impl Into<String>) -> Self {
        Self::new(key, State::Unknown, finding.into(), None)
    }

    pub(super) fn action(
        key: &'static str,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(key, State::Action, finding.into(), Some(remedy.into()))
    }

    /// With a value for programs.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.values.insert(name, value.into());
        self
    }

    /// Its name for people.
    pub(super) fn title(&self) -> &'static str {
        let title = TITLES.iter().find(|(key, _)| *key == self.key);
        title.map_or(self.key, |(_, title)| title)
    }
}
