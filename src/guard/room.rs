//! Do the files that the plan makes fit?

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{Probe, consent};
use crate::{
    host::{PathKind, Space},
    plan::{FilePreparation, Plan, Policy, Step, WriteRules},
    units::ByteSize,
};

/// What our own commands leave free at least: a tenth of the filesystem, or this.
const RESERVE_MIN: u64 = 5 << 30;

/// The first file of each filesystem for which there is no room: label, path, and why. What is said
/// to be needed is the most that the plan needs there at a time.
///
/// Steps are followed in order: files that stay add up, a file made twice counts once, and one
/// that was removed makes room.
pub(super) fn check(plan: &Plan, probe: &dyn Probe) -> Vec<(String, PathBuf, String)> {
    let reserves = plan.rules == WriteRules::Own;
    // By path: the filesystem, and bytes; then the sums of each filesystem.
    let mut made: BTreeMap<&Path, (u64, u64)> = BTreeMap::new();
    let mut sums: BTreeMap<u64, u128> = BTreeMap::new();
    let mut refused: BTreeMap<u64, Lack> = BTreeMap::new();
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => {
                for file in &prepare.files {
                    let (Some(space), Some(needed)) =
                        (probe.space(&file.path), needed(file, probe))
                    else {
                        continue;
                    };
                    let entry = made.entry(&file.path).or_insert((space.filesystem, 0));
                    let sum = sums.entry(space.filesystem).or_default();
                    *sum += u128::from(needed.saturating_sub(entry.1));
                    entry.1 = entry.1.max(needed);
                    let all = u64::try_from(*sum).unwrap_or(u64::MAX);
                    if all > 0 && all.saturating_add(reserve(space, reserves)) > space.available {
                        let lack = Lack { file, space, all };
                        let lack = refused.entry(space.filesystem).or_insert(lack);
                        lack.all = lack.all.max(all);
                    }
                }
            }
            Step::Cleanup(cleanup) => {
                for path in &cleanup.paths {
                    if let Some((filesystem, bytes)) = made.remove(path.as_path())
                        && let Some(sum) = sums.get_mut(&filesystem)
                    {
                        *sum -= u128::from(bytes);
                    }
                }
            }
            Step::Run(_) => {}
        }
    }
    let told = |lack: Lack| {
        let (label, path) = (lack.file.label.clone(), lack.file.path.clone());
        let reason = lack.reason(reserves);
        (label, path, reason)
    };
    refused.into_values().map(told).collect()
}

/// A filesystem that has too little room.
struct Lack<'a> {
    /// The first file that does not fit.
    file: &'a FilePreparation,
    space: Space,
    /// Bytes that all files there need together.
    all: u64,
}

/// Bytes that the filesystem must still give; `None` for what is no file.
fn needed(file: &FilePreparation, probe: &dyn Probe) -> Option<u64> {
    let whole = |from| file.size_from(from).unwrap_or(u64::MAX);
    let Ok(look) = probe.look(&file.path) else {
        return Some(whole(0));
    };
    if look.kind != PathKind::Regular {
        return None;
    }
    Some(match file.policy {
        // Cutting a file gives back what it really holds; so does removing its only name.
        Policy::Rebuild => whole(0).saturating_sub(look.allocated),
        Policy::Replace if look.links > 1 => whole(0),
        Policy::Replace => whole(0).saturating_sub(look.allocated),
        // Extending it keeps all, holes included; what is large enough stays as it is.
        Policy::Extend => whole(look.size) - look.size,
    })
}

/// What must stay free. What needs no room is free even on a full filesystem.
fn reserve(space: Space, reserves: bool) -> u64 {
    if reserves {
        (space.size / 10).max(RESERVE_MIN)
    } else {
        0
    }
}

impl Lack<'_> {
    fn reason(&self, reserves: bool) -> String {
        let Self { file, space, all } = self;
        let reserve = reserve(*space, reserves);
        let kept = if reserves {
            format!(" and {} ({reserve} bytes) are left free", ByteSize(reserve))
        } else {
            String::new()
        };
        format!(
            "{} does not fit: {} ({all} bytes) are needed on its filesystem, {} ({} bytes) are \
             free{kept}: name a smaller size or another place",
            consent::shown(&file.path),
            ByteSize(*all),
            ByteSize(space.available),
            space.available,
        )
    }
}
