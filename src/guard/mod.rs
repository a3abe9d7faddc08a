//! May this be written? The consent table, asked before anything is opened.
//!
//! | target | read | written or created | removed, or replaced by a new one |
//! |---|---|---|---|
//! | folder, FIFO, socket, character device | refused | refused | refused |
//! | block device in use, its disk or partition | free | refused, consent or not | as below |
//! | block device otherwise | free | needs consent; what would be lost is named | refused, consent or not |
//! | file that does not exist | - | free where it fits, but not through a symbolic link | free; a link that leads nowhere stays |
//! | file behind a symbolic link, swap file, file of a loop device, file of the kernel's | free | refused, consent or not | refused, consent or not |
//! | file with further names, with another writer, or with a signature | free | needs consent | needs consent |
//! | any other file, by a face's rules ([`WriteRules::Named`]) | free | free: naming it is the consent | free: naming it is the consent |
//! | any other file, by our own rules ([`WriteRules::Own`]) | free | free if it is marked as ours, else needs consent | free if it is marked as ours, else needs consent |
//! | by our own rules, anything on a disk on which a database server keeps files open | free | needs consent | needs consent |
//!
//! The look and the opening are two moments: the runner opens devices exclusively and files
//! without following links, so that what changed between the two is refused by the kernel.

mod consent;
mod probe;
mod room;
mod rules;
mod service;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use consent::Consent;
pub use consent::shell_word;
pub use probe::{Probe, System};

use crate::{
    host::PathKind,
    plan::{
        EngineChoice, FilePreparation, Opening, Plan, Policy, Step, Target, TimeSpan, Whose,
        WriteRules,
    },
};

/// Something that the plan may not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The target as typed.
    pub target: String,
    /// One sentence: what, why, and what to type instead.
    pub message: String,
}

/// What the plan wants of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    Read,
    /// What is there changes; what is not there is made.
    Write,
    /// What is there goes; a new file may take its place.
    Remove,
}

impl Intent {
    /// Of a file that is made; `None` if it stays as it is.
    fn of_preparation(file: &FilePreparation, probe: &dyn Probe) -> Option<Self> {
        let look = || probe.look(&file.path);
        match file.policy {
            Policy::Extend if look().is_ok_and(|look| look.size >= file.size) => None,
            Policy::Extend | Policy::Rebuild => Some(Self::Write),
            Policy::Replace => Some(Self::Remove),
        }
    }

    /// Of a target under load.
    fn of_target(target: &Target) -> Self {
        match target.opening {
            Opening::Anew { .. } => Self::Remove,
            Opening::AtLeast(_) if target.access.writes() => Self::Write,
            Opening::AtLeast(_) => Self::Read,
        }
    }
}

/// All that the plan may not do; the first reason for each path.
///
/// Where the engine opens nothing, targets are not looked at and need no room; files that the plan
/// itself prepares are still held to the rules.
pub fn check(plan: &Plan, probe: &dyn Probe) -> Vec<Refusal> {
    let opens = opens_targets(plan);
    let mut refusals = Refusals::default();
    let consent = Consent {
        names: &plan.consent,
        rules: plan.rules,
    };
    let mut judge = |label: &str, path: &Path, intent: Intent| {
        let reason = rules::judge(path, intent, consent, probe)
            .or_else(|| service::judge(path, intent, consent, probe));
        if let Some(reason) = reason {
            refusals.add(label, path, reason);
        }
    };
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => {
                for file in &prepare.files {
                    if let Some(intent) = Intent::of_preparation(file, probe) {
                        judge(&file.label, &file.path, intent);
                    }
                }
            }
            Step::Run(span) if opens => {
                for target in &span.targets {
                    judge(&target.label, &target.path, Intent::of_target(target));
                }
            }
            Step::Cleanup(cleanup) if opens && cleanup.whose == Whose::Named => {
                for path in &cleanup.paths {
                    judge(&path.to_string_lossy(), path, Intent::Remove);
                }
            }
            Step::Run(_) | Step::Cleanup(_) => {}
        }
    }
    if opens {
        for (label, path, reason) in room::check(plan, probe) {
            refusals.add(&label, &path, reason);
        }
    }
    refusals.list
}

/// Why a file may not take what a program prints; `None` if it may. Pipes and character devices
/// hold nothing that could be lost.
pub fn output(path: &Path, consents: &[String], probe: &dyn Probe) -> Option<String> {
    match probe.look(path).map(|look| look.kind) {
        Ok(PathKind::BlockDevice) => Some(format!(
            "{} is a block device, which takes no output: name a file",
            consent::shown(path)
        )),
        Ok(PathKind::Regular | PathKind::Folder) | Err(_) => {
            let consent = Consent {
                names: consents,
                rules: WriteRules::Named,
            };
            rules::judge(path, Intent::Write, consent, probe)
        }
        Ok(_) => None,
    }
}

/// What is allowed but worth a line: one file or device under two names in one time span; database
/// servers whose files cannot be seen.
pub fn warnings(plan: &Plan, probe: &dyn Probe) -> Vec<String> {
    let mut lines = Vec::new();
    if opens_targets(plan) {
        plan.spans()
            .for_each(|span| same_targets(span, probe, &mut lines));
        lines.extend(service::unseen(plan, probe));
    }
    lines.dedup();
    lines
}

fn same_targets(span: &TimeSpan, probe: &dyn Probe, lines: &mut Vec<String>) {
    let mut seen = BTreeMap::new();
    for target in &span.targets {
        let Some(identity) = probe.look(&target.path).ok().and_then(|look| look.identity) else {
            continue;
        };
        let label = *seen.entry(identity).or_insert(&target.label);
        if *label != target.label {
            lines.push(format!(
                "{} and {label} are the same file or device: each gets its own load",
                target.label
            ));
        }
    }
}

/// False if an engine was named that opens nothing; a plan of files alone needs none.
fn opens_targets(plan: &Plan) -> bool {
    match plan.engine {
        _ if plan.spans().next().is_none() => true,
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    }
}

#[derive(Default)]
struct Refusals {
    list: Vec<Refusal>,
    paths: BTreeSet<PathBuf>,
}

impl Refusals {
    fn add(&mut self, label: &str, path: &Path, reason: String) {
        if !self.paths.insert(path.to_path_buf()) {
            return;
        }
        self.list.push(Refusal {
            target: label.to_owned(),
            message: reason,
        });
    }
}

#[cfg(test)]
mod tests;
