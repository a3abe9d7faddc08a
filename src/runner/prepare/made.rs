//! Which files this run made, so that those and no others are removed behind it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    host::{self, Identity, Marked},
    plan::{Opening, Plan, Step, Target, TimeSpan, WriteRules},
};

/// Whether new files are marked as test files of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marking {
    /// They are somebody's, who named them.
    Not,
    /// Where that is possible.
    Quietly,
    /// Where that is possible, and where it is not somebody must know.
    Told,
}

/// Files that this run made, and the time it took.
#[derive(Debug)]
pub(in crate::runner) struct Made {
    /// By path: which file it was.
    created: BTreeMap<PathBuf, Option<Identity>>,
    time: Duration,
    /// What files that are kept are given.
    kept: Marking,
    /// Test files that earlier runs kept, with nothing in them but what those wrote.
    ours: BTreeSet<PathBuf>,
    /// Files that the plan itself removes: nobody misses the mark on them.
    removed: BTreeSet<PathBuf>,
}

impl Made {
    /// Nothing yet, for a plan whose rules say what becomes of its files.
    pub(in crate::runner) fn by(plan: &Plan) -> Self {
        let removed = plan.steps.iter().filter_map(|step| match step {
            Step::Cleanup(cleanup) => Some(cleanup.paths.iter().cloned()),
            Step::Prepare(_) | Step::Run(_) => None,
        });
        Self {
            created: BTreeMap::new(),
            ours: BTreeSet::new(),
            time: Duration::ZERO,
            kept: match plan.rules {
                WriteRules::Named => Marking::Not,
                WriteRules::Own => Marking::Told,
            },
            removed: removed.flatten().collect(),
        }
    }

    /// The run begins: test files of ours that it writes are under way again.
    pub(in crate::runner) fn begin(&mut self, plan: &Plan) {
        if self.kept == Marking::Not {
            return;
        }
        let made = plan.steps.iter().flat_map(|step| match step {
            Step::Prepare(prepare) => &prepare.files[..],
            Step::Run(_) | Step::Cleanup(_) => &[],
        });
        let targets = plan.spans().flat_map(|span| &span.targets);
        let written = targets.filter(|target| target.access.writes());
        let paths = made
            .map(|file| &file.path)
            .chain(written.map(|target| &target.path));
        for path in paths {
            if !self.ours.contains(path) && host::is_marked(path) && host::unsettle(path).is_ok() {
                self.ours.insert(path.clone());
            }
        }
    }

    /// The run is over: what stays of its test files is written down, so that a change is seen.
    pub(in crate::runner) fn settle(&self) {
        if self.kept == Marking::Not {
            return;
        }
        let created = self.created.iter();
        let created = created.filter(|(path, made)| **made == identity(path));
        for path in created.map(|(path, _)| path).chain(&self.ours) {
            if host::marked(path) != Marked::Not {
                let _ = host::settle(path);
            }
        }
    }

    /// How a new file at this path is marked.
    pub(super) fn marking(&self, path: &Path) -> Marking {
        match self.kept {
            Marking::Told if self.removed.contains(path) => Marking::Quietly,
            other => other,
        }
    }

    /// A file took this time.
    pub(super) fn took(&mut self, time: Duration) {
        self.time += time;
    }

    /// Somebody was told that files cannot be marked here; once is enough.
    pub(super) fn told(&mut self) {
        self.kept = Marking::Quietly;
    }

    /// Time spent since the last call.
    pub(in crate::runner) fn take_time(&mut self) -> Duration {
        std::mem::take(&mut self.time)
    }

    /// The file at this path is this run's own.
    pub(super) fn add(&mut self, path: &Path) {
        self.created.insert(path.to_path_buf(), identity(path));
    }

    /// Targets of a time span that it makes anew, each with whether the file was somebody's before.
    pub(in crate::runner) fn anew(&self, span: &TimeSpan) -> Vec<(PathBuf, bool)> {
        let made = |target: &&Target| matches!(target.opening, Opening::Anew { .. });
        let state = |target: &Target| {
            let path = target.path.clone();
            let theirs = identity(&path).is_some() && !self.created.contains_key(&path);
            (path, theirs)
        };
        span.targets.iter().filter(made).map(state).collect()
    }

    /// The time span is over: what it made anew is this run's own, where nothing was before, and
    /// marked by the plan's rules.
    pub(in crate::runner) fn adopt(&mut self, anew: Vec<(PathBuf, bool)>) {
        for (path, theirs) in anew {
            if self.kept != Marking::Not
                && let Ok(file) = fs::File::open(&path)
            {
                let _ = host::mark(&file);
            }
            if !theirs && identity(&path).is_some() {
                self.add(&path);
            }
        }
    }

    /// Removes those of `paths` that this run made, and that are still the same files.
    pub(in crate::runner) fn remove(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if let Some(made) = self.created.remove(path)
                && made == identity(path)
            {
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn identity(path: &Path) -> Option<Identity> {
    host::look(path).ok().and_then(|look| look.identity)
}
