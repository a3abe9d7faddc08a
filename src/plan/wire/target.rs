//! Targets and files: what the load goes to, what is made before it and removed after it.

use std::path::PathBuf;

use ioengine::{Access, Caching, Durability};
use serde::{Deserialize, Serialize};

use super::{
    is_default,
    values::{Bytes, Name},
    via::Via,
};
use crate::plan::{
    Cleanup, Content, FilePreparation, Hints, MappedFlush, Opening, Policy, Prepare, Priority,
    Target, Through, Whose,
};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Access", rename_all = "kebab-case")]
enum AccessWire {
    Read,
    Write,
    ReadWrite,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Caching", rename_all = "kebab-case")]
enum CachingWire {
    Buffered,
    Direct,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Durability", rename_all = "kebab-case")]
enum DurabilityWire {
    None,
    Dsync,
    Sync,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MappedFlush", rename_all = "kebab-case")]
enum MappedFlushWire {
    Never,
    View,
    Persistent,
    PersistentNoDrain,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Priority", rename_all = "kebab-case")]
enum PriorityWire {
    Idle,
    Low,
    Normal,
}

/// Advice to the kernel, as a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Hint {
    Random,
    Sequential,
    Temporary,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Opening",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum OpeningWire {
    AtLeast(#[serde(with = "Via::<Bytes<u64>>")] u64),
    Anew {
        #[serde(with = "Via::<Bytes<u64>>")]
        size: u64,
    },
}

/// Enumerations whose absence means something are wrapped, since a remote type has no place inside
/// an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct AccessOf(#[serde(with = "AccessWire")] pub(super) Access);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Mapping(#[serde(with = "MappedFlushWire")] MappedFlush);

/// `[[step.run.target]]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct TargetWire {
    path: Name,
    /// Left out where it is the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    base: Bytes<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<Bytes<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    planned_size: Option<Bytes<u64>>,
    /// Left out: what the streams need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) access: Option<AccessOf>,
    #[serde(with = "CachingWire", default = "direct")]
    caching: Caching,
    #[serde(with = "DurabilityWire", default = "not_durable")]
    durability: Durability,
    #[serde(default, skip_serializing_if = "is_default")]
    remote_only: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mapped_flush: Option<Mapping>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hints: Vec<Hint>,
    #[serde(
        with = "PriorityWire",
        default = "normal",
        skip_serializing_if = "is_normal"
    )]
    priority: Priority,
    #[serde(default, skip_serializing_if = "is_default")]
    huge_pages: bool,
    #[serde(
        with = "OpeningWire",
        default = "any_size",
        skip_serializing_if = "is_any_size"
    )]
    opening: Opening,
}

fn direct() -> Caching {
    Caching::Direct
}

fn not_durable() -> Durability {
    Durability::None
}

fn normal() -> Priority {
    Priority::Normal
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_normal(priority: &Priority) -> bool {
    *priority == Priority::Normal
}

fn any_size() -> Opening {
    Opening::AtLeast(0)
}

fn is_any_size(opening: &Opening) -> bool {
    *opening == any_size()
}

impl From<&Target> for TargetWire {
    fn from(target: &Target) -> Self {
        let hints = [
            (target.hints.random, Hint::Random),
            (target.hints.sequential, Hint::Sequential),
            (target.hints.temporary, Hint::Temporary),
        ];
        Self {
            path: Name(target.path.clone()),
            label: own_label(&target.label, &target.path),
            base: Bytes(target.base),
            end: target.end.map(Bytes),
            planned_size: target.planned_size.map(Bytes),
            access: Some(AccessOf(target.access)),
            caching: target.caching,
            durability: target.durability,
            remote_only: target.remote_only,
            mapped_flush: target.mapped.map(Mapping),
            hints: hints
                .into_iter()
                .filter_map(|(given, hint)| given.then_some(hint))
                .collect(),
            priority: target.priority,
            huge_pages: target.huge_pages,
            opening: target.opening,
        }
    }
}

impl TargetWire {
    /// The target, which is opened for `needed` where nothing is said.
    pub(super) fn into_plan(self, needed: Access) -> Target {
        Target {
            label: self.label.unwrap_or_else(|| label_of(&self.path.0)),
            path: self.path.0,
            base: self.base.0,
            end: self.end.map(|end| end.0),
            planned_size: self.planned_size.map(|size| size.0),
            access: self.access.map_or(needed, |access| access.0),
            caching: self.caching,
            durability: self.durability,
            remote_only: self.remote_only,
            mapped: self.mapped_flush.map(|mapping| mapping.0),
            hints: Hints {
                random: self.hints.contains(&Hint::Random),
                sequential: self.hints.contains(&Hint::Sequential),
                temporary: self.hints.contains(&Hint::Temporary),
            },
            priority: self.priority,
            huge_pages: self.huge_pages,
            opening: self.opening,
        }
    }
}

/// A label where it is another than the path.
fn own_label(label: &str, path: &std::path::Path) -> Option<String> {
    (label != label_of(path)).then(|| label.to_owned())
}

fn label_of(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Content", rename_all = "kebab-case")]
enum ContentWire {
    Random,
    Zeros,
    BytePattern,
    Verifiable,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Policy", rename_all = "kebab-case")]
enum PolicyWire {
    Rebuild,
    Extend,
    Replace,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Through",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum ThroughWire {
    Past,
    As {
        #[serde(with = "CachingWire")]
        caching: Caching,
        #[serde(with = "DurabilityWire")]
        durability: Durability,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Whose", rename_all = "kebab-case")]
enum WhoseWire {
    Own,
    Named,
}

/// `[[step.prepare.file]]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct FileWire {
    path: Name,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    size: Bytes<u64>,
    #[serde(with = "ContentWire", default = "random")]
    content: Content,
    #[serde(with = "PolicyWire", default = "extend")]
    policy: Policy,
    #[serde(with = "ThroughWire", default = "past")]
    through: Through,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<Bytes<u32>>,
    #[serde(default, skip_serializing_if = "is_default")]
    verify: bool,
}

fn random() -> Content {
    Content::Random
}

fn extend() -> Policy {
    Policy::Extend
}

fn past() -> Through {
    Through::Past
}

/// `[step.prepare]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PrepareWire {
    #[serde(default)]
    file: Vec<FileWire>,
}

impl From<&Prepare> for PrepareWire {
    fn from(prepare: &Prepare) -> Self {
        let file = |file: &FilePreparation| FileWire {
            path: Name(file.path.clone()),
            label: own_label(&file.label, &file.path),
            size: Bytes(file.size),
            content: file.content,
            policy: file.policy,
            through: file.through,
            block: file.block.map(Bytes),
            verify: file.verify,
        };
        Self {
            file: prepare.files.iter().map(file).collect(),
        }
    }
}

impl From<PrepareWire> for Prepare {
    fn from(wire: PrepareWire) -> Self {
        let file = |file: FileWire| FilePreparation {
            label: file.label.unwrap_or_else(|| label_of(&file.path.0)),
            path: file.path.0,
            size: file.size.0,
            content: file.content,
            policy: file.policy,
            through: file.through,
            block: file.block.map(|block| block.0),
            verify: file.verify,
        };
        Self {
            files: wire.file.into_iter().map(file).collect(),
        }
    }
}

/// `[step.cleanup]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CleanupWire {
    paths: Vec<Name>,
    #[serde(with = "WhoseWire", default = "own")]
    whose: Whose,
}

fn own() -> Whose {
    Whose::Own
}

impl From<&Cleanup> for CleanupWire {
    fn from(cleanup: &Cleanup) -> Self {
        Self {
            paths: cleanup.paths.iter().cloned().map(Name).collect(),
            whose: cleanup.whose,
        }
    }
}

impl From<CleanupWire> for Cleanup {
    fn from(wire: CleanupWire) -> Self {
        Self {
            paths: wire.paths.into_iter().map(PathBuf::from).collect(),
            whose: wire.whose,
        }
    }
}
