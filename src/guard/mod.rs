//! May this be written? The consent table, asked before anything is opened.
//!
//! | target | read | written or created |
//! |---|---|---|
//! | folder, FIFO, socket, character device | refused | refused |
//! | block device in use, its disk or partition | free | refused, consent or not |
//! | block device otherwise | free | needs consent; what would be lost is named |
//! | file that does not exist | - | free where it fits, but not through a symbolic link |
//! | file behind a symbolic link, swap file, file of a loop device, file of the kernel's | free | refused, consent or not |
//! | file with further names, with another writer, or with a signature | free | needs consent |
//! | any other file | free | free: naming it is the consent |
//!
//! The look and the opening are two moments: the runner opens devices exclusively and files
//! without following links, so that what changed between the two is refused by the kernel.

mod consent;
mod probe;
mod room;
mod rules;

use std::path::Path;

pub use probe::{Probe, System};

use crate::plan::{EngineChoice, FilePreparation, Plan, Policy, Step, TimeSpan};

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
    Write,
}

/// All that the plan may not do; the first reason for each path.
///
/// Where the engine opens nothing, targets are not looked at and need no room; files that the plan
/// itself prepares are still held to the rules.
pub fn check(plan: &Plan, probe: &dyn Probe) -> Vec<Refusal> {
    let opens = opens_targets(plan);
    let mut refusals = Refusals::default();
    let mut judge = |label: &str, path: &Path, intent: Intent| {
        if let Some(reason) = rules::judge(path, intent, &plan.consent, probe) {
            refusals.add(label, path, reason);
        }
    };
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => {
                for file in prepare.files.iter().filter(|file| changes(file, probe)) {
                    judge(&file.label, &file.path, Intent::Write);
                }
            }
            Step::Run(span) if opens => {
                for target in &span.targets {
                    let intent = if target.access.writes() {
                        Intent::Write
                    } else {
                        Intent::Read
                    };
                    judge(&target.label, &target.path, intent);
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

/// What is allowed but worth a line: one file or device under two names in one time span.
pub fn warnings(plan: &Plan, probe: &dyn Probe) -> Vec<String> {
    let mut lines = Vec::new();
    if opens_targets(plan) {
        plan.spans()
            .for_each(|span| same_targets(span, probe, &mut lines));
    }
    lines.dedup();
    lines
}

fn same_targets(span: &TimeSpan, probe: &dyn Probe, lines: &mut Vec<String>) {
    let mut seen = Vec::new();
    for target in &span.targets {
        let Some(identity) = probe.look(&target.path).ok().and_then(|look| look.identity) else {
            continue;
        };
        match seen.iter().find(|(other, _)| *other == identity) {
            Some((_, label)) if *label != &target.label => lines.push(format!(
                "{} and {label} are the same file or device: each gets its own load",
                target.label
            )),
            Some(_) => {}
            None => seen.push((identity, &target.label)),
        }
    }
}

fn opens_targets(plan: &Plan) -> bool {
    match plan.engine {
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    }
}

/// False if the preparation leaves the file as it is.
fn changes(file: &FilePreparation, probe: &dyn Probe) -> bool {
    let large_enough = || {
        probe
            .look(&file.path)
            .is_ok_and(|look| look.size >= file.size)
    };
    !(file.policy == Policy::Extend && large_enough())
}

#[derive(Default)]
struct Refusals {
    list: Vec<Refusal>,
    paths: Vec<std::path::PathBuf>,
}

impl Refusals {
    fn add(&mut self, label: &str, path: &Path, reason: String) {
        if self.paths.iter().any(|known| known == path) {
            return;
        }
        self.paths.push(path.to_path_buf());
        self.list.push(Refusal {
            target: label.to_owned(),
            message: reason,
        });
    }
}

#[cfg(test)]
mod tests;
