//! Where each file of a profile is, and the time spans on them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::homes::{Homes, Size};
use crate::{
    personality::{
        Environment,
        native::planning::{
            asked::Settled,
            place::{Found, Place},
        },
    },
    plan::{Affinity, Content, FilePreparation, Opening, TimeSpan},
    profiles::{NeededFile, Resolved, Role},
};

/// A file of a profile: what it is, and its number.
type Key = (Role, u32);

/// The files of a load.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Places {
    /// Those that are made before it.
    pub(super) files: Vec<FilePreparation>,
    /// Those that were not there.
    pub(super) made: Vec<PathBuf>,
    /// Where they are, and how much of them is used.
    found: BTreeMap<Key, (Place, u64)>,
    affinity: Option<Affinity>,
}

impl Places {
    /// Finds them.
    pub(super) fn find(
        resolved: &Resolved,
        homes: &Homes<'_>,
        settled: &Settled,
        around: &Environment,
    ) -> Result<Self, String> {
        let mut places = Self {
            files: Vec::new(),
            made: Vec::new(),
            found: BTreeMap::new(),
            affinity: settled.asked.cpus.clone().map(Affinity::List),
        };
        let anew = anew(resolved);
        for needed in &resolved.files {
            let key = (needed.role, needed.number);
            if places.found.contains_key(&key) {
                continue;
            }
            let place = homes.place(needed, around)?;
            let size = if anew.contains(&key) {
                // The load itself makes it.
                if place.found == Found::Nothing {
                    places.made.push(place.path.clone());
                }
                needed.size
            } else {
                places.prepare(&place, needed, homes.size(needed, settled))?
            };
            places.found.insert(key, (place, size));
        }
        Ok(places)
    }

    /// A file that is there before the load; returns how much of it is used.
    fn prepare(&mut self, place: &Place, needed: &NeededFile, size: Size) -> Result<u64, String> {
        let extent = place.extent(size.asked, size.default, 0)?;
        let used = extent.end.min(size.most);
        if let Some(problem) = needed.too_small(used, &place.label) {
            return Err(problem);
        }
        if let Some(size) = extent.make {
            self.made.push(place.path.clone());
            self.files.push(place.preparation(size, Content::Random));
        }
        Ok(used)
    }

    /// The time spans on these files.
    pub(super) fn put(&self, resolved: &Resolved) -> Vec<TimeSpan> {
        let mut spans = resolved.spans.clone();
        for span in &mut spans {
            for (target, needed) in span.targets.iter_mut().zip(&resolved.files) {
                if let Some((place, size)) = self.found.get(&(needed.role, needed.number)) {
                    target.label.clone_from(&place.label);
                    target.path.clone_from(&place.path);
                    target.planned_size = Some(*size);
                    target.end = target.end.or(Some(*size));
                }
            }
            for group in &mut span.groups {
                if let Some(affinity) = &self.affinity {
                    group.affinity = affinity.clone();
                }
            }
        }
        spans
    }
}

/// Files that the load itself makes.
fn anew(resolved: &Resolved) -> BTreeSet<Key> {
    resolved
        .spans
        .iter()
        .flat_map(|span| span.targets.iter().zip(&resolved.files))
        .filter(|(target, _)| matches!(target.opening, Opening::Anew { .. }))
        .map(|(_, needed)| (needed.role, needed.number))
        .collect()
}
