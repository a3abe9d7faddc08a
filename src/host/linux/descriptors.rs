//! What processes have open, as /proc shows it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::{Root, names, text};
use crate::host::Process;

/// Other processes that have a path open for writing for which `wanted` holds.
pub(super) fn writers(root: &Root, wanted: &dyn Fn(&Path) -> bool) -> Vec<Process> {
    let mut pids: Vec<u32> = open_descriptors(root)
        .filter(|(_, open, path)| wanted(path) && is_for_writing(open))
        .map(|(pid, ..)| pid)
        .collect();
    pids.dedup();
    pids.into_iter().map(|pid| process(root, pid)).collect()
}

/// Processes that have a file open for writing, by the mount point (of `points`) that the file is
/// below. Names alone are compared: asking each file would wait for dead network mounts.
pub(super) fn writers_below(root: &Root, points: &[&str]) -> BTreeMap<String, Vec<Process>> {
    let mut found: BTreeMap<String, Vec<Process>> = BTreeMap::new();
    for (pid, open, path) in open_descriptors(root) {
        let not_data = ["/dev", "/proc", "/sys", "/run"];
        if !path.is_absolute() || not_data.iter().any(|start| path.starts_with(start)) {
            continue;
        }
        let above = points.iter().filter(|point| path.starts_with(point));
        let Some(point) = above.max_by_key(|point| point.len()) else {
            continue;
        };
        let known = found.entry((*point).to_owned()).or_default();
        if known.last().is_none_or(|last| last.pid != pid) && is_for_writing(&open) {
            known.push(process(root, pid));
        }
    }
    found
}

/// What other processes have open, process by process: the link in /proc and where it leads.
/// Processes of others whose files we may not see are passed over.
pub(super) fn open_descriptors(root: &Root) -> impl Iterator<Item = (u32, PathBuf, PathBuf)> {
    let own = std::process::id();
    let pids = names(&root.path("proc")).into_iter();
    let pids = pids
        .filter_map(|name| name.parse::<u32>().ok())
        .filter(move |pid| *pid != own);
    pids.flat_map(|pid| {
        let folder = root.path(format!("proc/{pid}/fd"));
        let open = names(&folder).into_iter().map(move |fd| folder.join(fd));
        open.filter_map(move |open| {
            let path = fs::read_link(&open).ok()?;
            Some((pid, open, path))
        })
    })
}

pub(super) fn process(root: &Root, pid: u32) -> Process {
    Process {
        pid,
        name: root.text(format!("proc/{pid}/comm")).unwrap_or_default(),
    }
}

/// True if a descriptor (`/proc/PID/fd/N`) can write.
pub(super) fn is_for_writing(open: &Path) -> bool {
    writing_flags(open).is_some()
}

/// The flags of a descriptor that can write: of a link `fd/N`, `fdinfo/N` has `flags: 0100002`, octal;
/// the lowest two bits are 1 or 2 where writes are possible.
pub(super) fn writing_flags(open: &Path) -> Option<u64> {
    let process = open.parent().and_then(Path::parent)?;
    let info = text(&process.join("fdinfo").join(open.file_name()?))?;
    let line = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let flags = u64::from_str_radix(line.trim(), 8).ok()?;
    (flags & 3 != 0).then_some(flags)
}
