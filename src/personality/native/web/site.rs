//! The files that are visited: what is there, or what is made for want of it.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::asked::{Asked, FILES_MAX, Make};
use crate::{
    host::{Below, PathKind},
    personality::Environment,
    plan::{Cached, Popularity},
    units::{names::shown, words::grouped},
};

/// Files, and what is to be said of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    /// The most popular first.
    pub(super) files: Arc<[PathBuf]>,
    /// Bytes of them all.
    pub(super) bytes: u64,
    /// What the page cache is to know of them.
    pub(super) cached: Cached,
    /// What was left out, each as a sentence.
    pub(super) left_out: Vec<String>,
}

impl Site {
    /// The files below the folder, or those that will be made in it.
    ///
    /// # Errors
    /// A sentence: the folder cannot be read, or there are no files in it.
    pub(super) fn find(asked: &Asked, around: &Environment) -> Result<Self, String> {
        let folder = &asked.folder;
        let most = if asked.make.is_some() { 0 } else { FILES_MAX };
        let below = around.files.below(folder, most as usize);
        let below = below.map_err(|error| unreadable(folder, &error, around))?;
        let mut site = match &asked.make {
            Some(make) => Self::made(folder, make, around)?,
            None => Self::there(folder, below)?,
        };
        // Steps compare only where all of them find the same in the cache.
        let fits = site.bytes <= around.machine.memory / 2;
        let fitting = if fits { Cached::Filled } else { Cached::AsItIs };
        site.cached = asked.cached.unwrap_or(fitting);
        if asked.popularity != Popularity::Uniform {
            site.shuffle(asked.seed);
        }
        Ok(site)
    }

    fn there(folder: &Path, below: Below) -> Result<Self, String> {
        let left_out = left_out(&below);
        if below.files.is_empty() {
            let found = if left_out.is_empty() {
                String::new()
            } else {
                format!(" ({})", left_out.join("; "))
            };
            let name = shown(folder.as_os_str());
            return Err(format!(
                "{name} has no files to read{found}: name the folder of the site, or have some made \
                 there: iogauge web {name} --make 4096x64k"
            ));
        }
        Ok(Self {
            files: below.files.into(),
            bytes: below.bytes,
            cached: Cached::AsItIs,
            left_out,
        })
    }

    /// What is there already is kept from before, or belongs to a run that goes on.
    fn made(folder: &Path, make: &Make, around: &Environment) -> Result<Self, String> {
        let width = make.count.to_string().len();
        let name = |number| folder.join(format!("iogauge-web-{number:0width$}.bin"));
        let files: Vec<PathBuf> = (1..=make.count).map(name).collect();
        if let Some(there) = files.iter().find(|file| around.files.exists(file)) {
            let name = shown(folder.as_os_str());
            return Err(format!(
                "{} is there already, kept from before or made by a run that goes on: \
                 iogauge web {name} reads what is there, iogauge clean {name} removes it",
                shown(there.as_os_str())
            ));
        }
        Ok(Self {
            files: files.into(),
            bytes: make.count.saturating_mul(make.size),
            cached: Cached::AsItIs,
            left_out: Vec::new(),
        })
    }

    /// Which file is popular has nothing to do with its name, or with where it lies on the disk.
    fn shuffle(&mut self, seed: u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut files = self.files.to_vec();
        // Fisher and Yates: each file changes places with one of those up to it.
        for last in (1..files.len()).rev() {
            let bound = last as u128 + 1;
            let other = (u128::from(random.next_u64()) * bound) >> 64;
            files.swap(last, other as usize);
        }
        self.files = files.into();
    }
}

/// Why a folder is no site.
fn unreadable(folder: &Path, error: &io::Error, around: &Environment) -> String {
    let name = shown(folder.as_os_str());
    match around.files.kind(folder) {
        None => format!("{name} does not exist: name the folder of the site"),
        Some(PathKind::Folder) => {
            let error = error.to_string();
            let why = error.split(" (os error").next().unwrap_or_default();
            format!("the folder {name} cannot be read: {why}")
        }
        Some(kind) => format!("{name} is {kind}: name the folder of the site"),
    }
}

/// What is not visited, and why.
fn left_out(below: &Below) -> Vec<String> {
    let count = |count: u64, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{} {more}", grouped(count))),
    };
    let cut = || {
        format!(
            "there are more than {} files: the others are left out",
            grouped(FILES_MAX)
        )
    };
    [
        below.cut.then(cut),
        count(
            below.unreadable,
            "file or folder may not be read",
            "files or folders may not be read",
        ),
        count(below.empty, "file is empty", "files are empty"),
        count(
            below.others,
            "link, pipe or device is left out",
            "links, pipes or devices are left out",
        ),
        count(
            below.mounts,
            "folder is on another filesystem and is left out",
            "folders are on other filesystems and are left out",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
