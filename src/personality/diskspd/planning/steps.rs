//! Which files are made before which time span.

use std::{collections::BTreeMap, path::PathBuf};

use super::{Places, place};
use crate::{
    personality::{
        Environment,
        diskspd::profile::{Precreate, Profile, Target},
    },
    plan::{Content, FilePreparation, Policy, Prepare, Through},
};

/// The files to make before each time span, in order.
pub(super) fn preparations(
    profile: &Profile,
    places: &Places,
    around: &Environment,
) -> Vec<Prepare> {
    let wanted: Vec<Vec<FilePreparation>> = profile
        .spans
        .iter()
        .map(|span| {
            let mut files = Vec::new();
            for target in &span.targets {
                add(&mut files, preparation(target, places, around));
            }
            files
        })
        .collect();
    let Some(rule) = profile.precreate else {
        let prepare = |files: Vec<FilePreparation>| Prepare {
            files: files.into_iter().filter(|file| file.size > 0).collect(),
        };
        return wanted.into_iter().map(prepare).collect();
    };
    precreated(rule, wanted)
}

/// A file and the size it is to have; 0 makes nothing. Devices are never made.
fn preparation(target: &Target, places: &Places, around: &Environment) -> Option<FilePreparation> {
    let place = place(places, &target.path).filter(|place| !place.device)?;
    let original = if target.zero_buffers {
        Content::Zeros
    } else {
        Content::BytePattern
    };
    Some(FilePreparation {
        label: target.label(),
        path: place.path.clone(),
        size: target.create_size.unwrap_or(0),
        content: around.settings.data.content(original),
        policy: Policy::Rebuild,
        through: Through::Past,
        block: None,
        verify: false,
    })
}

/// A file that a time span names twice is made once, as it was named last: the original makes it
/// again and again.
fn add(files: &mut Vec<FilePreparation>, file: Option<FilePreparation>) {
    let Some(file) = file else {
        return;
    };
    match files.iter_mut().find(|known| known.path == file.path) {
        Some(known) if file.size > 0 => *known = file,
        Some(_) => {}
        None => files.push(file),
    }
}

/// Files that the rule wants before the first time span move there, with their largest size; the
/// others stay.
fn precreated(rule: Precreate, wanted: Vec<Vec<FilePreparation>>) -> Vec<Prepare> {
    let mut sizes: BTreeMap<PathBuf, Vec<u64>> = BTreeMap::new();
    for file in wanted.iter().flatten() {
        sizes.entry(file.path.clone()).or_default().push(file.size);
    }
    let early = |file: &FilePreparation| {
        let sizes = sizes.get(&file.path)?;
        let largest = sizes.iter().copied().max().filter(|size| *size > 0)?;
        let same = |zero_too: bool| {
            sizes
                .iter()
                .all(|size| *size == largest || (zero_too && *size == 0))
        };
        let moved = match rule {
            Precreate::UseMaxSize => true,
            Precreate::OnlyConstantSizes => same(false),
            Precreate::OnlyConstantOrZeroSizes => same(true),
        };
        moved.then_some(largest)
    };
    let mut first: Vec<FilePreparation> = Vec::new();
    for file in wanted.iter().flatten() {
        if let Some(size) = early(file)
            && !first.iter().any(|known| known.path == file.path)
        {
            first.push(FilePreparation {
                size,
                ..file.clone()
            });
        }
    }
    let mut steps: Vec<Prepare> = wanted
        .into_iter()
        .map(|files| Prepare {
            files: files
                .into_iter()
                .filter(|file| file.size > 0 && early(file).is_none())
                .collect(),
        })
        .collect();
    if let Some(step) = steps.first_mut() {
        first.append(&mut step.files);
        step.files = first;
    }
    steps
}
