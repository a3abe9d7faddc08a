//! Do the files that the plan makes fit?

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{Probe, consent};
use crate::{
    host::{PathKind, Space},
    plan::{FilePreparation, Plan, Policy, Step},
    units::ByteSize,
};

/// What our own commands leave free at least: a tenth of the filesystem, or this.
const RESERVE_MIN: u64 = 5 << 30;

/// Files for which there is no room: label, path, and why.
///
/// Steps are followed in order: files that stay add up, a file made twice counts once, and one
/// that was removed makes room.
pub(super) fn check(plan: &Plan, probe: &dyn Probe) -> Vec<(String, PathBuf, String)> {
    let reserves = plan.origin.personality == "native";
    let mut made: BTreeMap<&Path, (u64, u64)> = BTreeMap::new();
    let mut refused = Vec::new();
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
                    entry.1 = entry.1.max(needed);
                    let here = made
                        .values()
                        .filter(|(place, _)| *place == space.filesystem);
                    let all = here.fold(0_u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
                    if let Some(reason) = too_much(file, all, space, reserves) {
                        refused.push((file.label.clone(), file.path.clone(), reason));
                    }
                }
            }
            Step::Cleanup(cleanup) => {
                for path in &cleanup.paths {
                    made.remove(path.as_path());
                }
            }
            Step::Run(_) => {}
        }
    }
    refused
}

/// Bytes that the filesystem must still give; `None` for what is no file.
fn needed(file: &FilePreparation, probe: &dyn Probe) -> Option<u64> {
    let Ok(look) = probe.look(&file.path) else {
        return Some(file.size);
    };
    // Cutting a file gives back what it really holds; extending it keeps all, holes included.
    let has = match file.policy {
        Policy::Rebuild | Policy::Replace => look.allocated,
        Policy::Extend => look.size,
    };
    (look.kind == PathKind::Regular).then(|| file.size.saturating_sub(has))
}

fn too_much(file: &FilePreparation, all: u64, space: Space, reserves: bool) -> Option<String> {
    let reserve = if reserves {
        (space.size / 10).max(RESERVE_MIN)
    } else {
        0
    };
    // What needs no room is free even on a full filesystem.
    if all == 0 || all.saturating_add(reserve) <= space.available {
        return None;
    }
    let kept = if reserves {
        format!(" and {} ({reserve} bytes) are left free", ByteSize(reserve))
    } else {
        String::new()
    };
    Some(format!(
        "{} does not fit: {} ({all} bytes) are needed on its filesystem, {} ({} bytes) are \
         free{kept}: name a smaller size or another place",
        consent::shown(&file.path),
        ByteSize(all),
        ByteSize(space.available),
        space.available,
    ))
}
