//! Files by which a run and its surroundings tell each other: an event is signalled once the file
//! exists.

use std::path::PathBuf;

/// What a run waits for and what it tells. Whatever it tells is removed before its first step (if it is
/// empty, as a signal is), so that nobody takes what an earlier run left for news.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Events {
    /// Every time span has its workers ready, then waits until this is there; an interrupt ends
    /// the wait.
    pub wait_before_start: Option<PathBuf>,
    /// The run ends early, as an interrupt would end it, as soon as this is there.
    pub stop_when: Option<PathBuf>,
    /// Made, with the folders above it, when a measured time begins.
    pub signal_started: Option<PathBuf>,
    /// Made, with the folders above it, when a measured time ends.
    pub signal_finished: Option<PathBuf>,
}
