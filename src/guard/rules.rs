//! The table itself: one path, one intent, one answer.

use std::path::Path;

use super::{Consent, Intent, Probe, consent};
use crate::{
    host::{Contents, DeviceUse, Family, FileUse, Look, PathKind},
    plan::WriteRules,
};

/// Filesystems whose files are switches of the kernel or of the firmware.
const KERNEL: &[&str] = &[
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "debugfs",
    "devpts",
    "efivarfs",
    "proc",
    "pstore",
    "rpc_pipefs",
    "securityfs",
    "selinuxfs",
    "sysfs",
    "tracefs",
];

/// Why the plan may not do this, in one sentence; `None` if it may.
pub(super) fn judge(
    path: &Path,
    intent: Intent,
    given: Consent<'_>,
    probe: &dyn Probe,
) -> Option<String> {
    let shown = consent::shown(path);
    let Ok(look) = probe.look(path) else {
        // What is not there is made, or missed by whoever opens it; a link that leads nowhere
        // would be made somewhere else than the user sees.
        return (intent != Intent::Read && probe.is_link(path)).then(|| {
            let what = if intent == Intent::Remove {
                "there is no file to be removed, and the link itself is not removed"
            } else {
                "a file is not made through a link: name the place itself"
            };
            format!("{shown} is a symbolic link that leads nowhere, and {what}")
        });
    };
    match (look.kind, intent) {
        (PathKind::Regular | PathKind::BlockDevice, Intent::Read) => None,
        (PathKind::Regular, _) => file(path, &look, intent, given, probe),
        (PathKind::BlockDevice, Intent::Write) => device(path, &look, given, probe),
        (PathKind::BlockDevice, Intent::Remove) => Some(format!(
            "{shown} is a block device, which is not removed, with consent or without: name a file"
        )),
        (PathKind::Folder, _) => Some(format!(
            "{shown} is a folder, which cannot be a target: name a file in it, such as {}",
            consent::shown(&path.join("iogauge.dat"))
        )),
        (kind, _) => Some(format!(
            "{shown} is {kind}, which cannot be a target: name a regular file or a block device"
        )),
    }
}

fn device(path: &Path, look: &Look, given: Consent<'_>, probe: &dyn Probe) -> Option<String> {
    let shown = consent::shown(path);
    let uses = probe.device_use(path);
    let forbidding: Vec<&DeviceUse> = uses.iter().filter(|used| used.forbids_writing()).collect();
    if !forbidding.is_empty() {
        return Some(format!(
            "block device {shown} is in use and is not written, with consent or without: {}; \
             name an idle device or a file instead",
            listed(&forbidding)
        ));
    }
    if given.covers(path, look, probe) {
        return None;
    }
    let lost = match probe.contents(path) {
        Contents::Blank => {
            "is idle and looks blank, but a device is written by consent only".into()
        }
        Contents::Holds(signature) => {
            format!("holds {}, which writing would destroy", signature.name)
        }
        Contents::Unreadable(reason) => {
            format!("cannot be read ({reason}), so that nobody knows what writing would destroy")
        }
    };
    let writers = if uses.is_empty() {
        String::new()
    } else {
        format!(", and {}", listed(&uses.iter().collect::<Vec<_>>()))
    };
    let remedy = given.remedy(path);
    Some(format!("block device {shown} {lost}{writers}: {remedy}"))
}

fn listed(uses: &[&DeviceUse]) -> String {
    let uses: Vec<String> = uses.iter().map(ToString::to_string).collect();
    uses.join(", ")
}

fn file(
    path: &Path,
    look: &Look,
    intent: Intent,
    given: Consent<'_>,
    probe: &dyn Probe,
) -> Option<String> {
    let used = probe.file_use(path);
    if let Some(reason) = forbidden(path, look, intent, &used, probe) {
        return Some(reason);
    }
    if given.covers(path, look, probe) {
        return None;
    }
    let reason = questionable(path, look, intent, &used, probe)
        .or_else(|| foreign(path, intent, given.rules, probe))?;
    let (shown, remedy) = (consent::shown(path), given.remedy(path));
    Some(format!("{shown} {reason}: {remedy}"))
}

/// What is done to a file, for the middle and the end of a sentence.
fn words(intent: Intent) -> (&'static str, &'static str) {
    match intent {
        Intent::Remove => ("removed", "removing it"),
        Intent::Read | Intent::Write => ("written", "writing"),
    }
}

/// Files that no consent opens for writing, and that none gives away.
fn forbidden(
    path: &Path,
    look: &Look,
    intent: Intent,
    used: &FileUse,
    probe: &dyn Probe,
) -> Option<String> {
    let shown = consent::shown(path);
    let (done, _) = words(intent);
    if look.symlink {
        let real = probe.canonical(path);
        let real = real.map_or_else(
            || "the file itself".to_owned(),
            |real| consent::shown(&real),
        );
        return Some(format!(
            "{shown} is a symbolic link, and a file is not {done} through a link: name {real}"
        ));
    }
    let kind = probe.filesystem_kind(path).unwrap_or_default();
    if KERNEL.contains(&kind.as_str()) {
        return Some(format!(
            "{shown} is on {kind}, whose files are switches of the system, not data: \
             name a file on a disk"
        ));
    }
    let instead = format!("and is not {done}, with consent or without: name another file");
    if used.swap {
        return Some(format!("{shown} is swap space in use {instead}"));
    }
    let device = used.loops.first()?;
    Some(format!(
        "{shown} is what /dev/{device} is made of {instead}"
    ))
}

/// Files that need consent by name, and the reason as the rest of a sentence.
fn questionable(
    path: &Path,
    look: &Look,
    intent: Intent,
    used: &FileUse,
    probe: &dyn Probe,
) -> Option<String> {
    let (_, doing) = words(intent);
    if look.links > 1 {
        let names = look.links;
        return Some(if intent == Intent::Remove {
            format!("has {names} names (hard links): somebody keeps it on purpose")
        } else {
            format!(
                "has {names} names (hard links), so that writing would change the file under each \
                 of them"
            )
        });
    }
    if let Some(process) = used.writers.first() {
        return Some(format!("is open for writing by {process}"));
    }
    match probe.contents(path) {
        Contents::Holds(signature) if signature.family != Family::Unknown => Some(format!(
            "holds {}, which {doing} would destroy",
            signature.name
        )),
        Contents::Unreadable(reason) => Some(format!(
            "cannot be read ({reason}), so that nobody knows what {doing} would destroy"
        )),
        Contents::Blank | Contents::Holds(_) => None,
    }
}

/// Our own commands write test files of ours, and others by consent only.
fn foreign(path: &Path, intent: Intent, rules: WriteRules, probe: &dyn Probe) -> Option<String> {
    if rules == WriteRules::Named || probe.is_marked(path) {
        return None;
    }
    let (_, doing) = words(intent);
    Some(format!(
        "was not made by iogauge (it has no mark of ours), and {doing} would destroy what it holds"
    ))
}
