//! Files of a workload and the targets that they become.

use std::path::PathBuf;

use super::deal::Slice;
use crate::{
    plan::{Access, Caching, Durability, Hints, Opening, Priority, Target, TargetIndex},
    profiles::{
        NeededFile, Profile, Role, SqlFlush, Wanted,
        format::{Before, Cache, Count, FileSpec, Sync},
        machine,
    },
};

/// Parts of files begin at multiples of this.
pub(super) const PART_ALIGNMENT: u64 = 1 << 20;
/// Files of tempdb at most.
const TEMPDB_MAX: u32 = 8;

/// The files of a workload, and what is used of them so far.
#[derive(Debug)]
pub(super) struct Files {
    kinds: Vec<Kind>,
    uses: Vec<Use>,
}

/// Files of one role.
#[derive(Debug)]
struct Kind {
    role: Role,
    count: u32,
    size: u64,
    spec: FileSpec,
    durability: Durability,
    /// Bytes that each needs, by number.
    needed: Vec<u64>,
}

/// A part of a file that is a target.
#[derive(Debug)]
struct Use {
    role: Role,
    number: u32,
    slice: Slice,
    access: Access,
}

impl Files {
    pub(super) fn new(profile: &Profile, wanted: &Wanted<'_>) -> Self {
        let kind = |spec: &FileSpec| {
            let count = match spec.count {
                Count::One => 1,
                Count::Named => wanted.data_files,
                Count::Stripes => wanted.stripes.unwrap_or(1),
                Count::Tempdb => wanted
                    .data_files
                    .max(machine::cores(wanted.machine).min(TEMPDB_MAX)),
            };
            Kind {
                role: spec.role,
                count,
                size: size(profile, wanted, spec),
                spec: spec.clone(),
                durability: match (spec.sync, wanted.flush) {
                    (Sync::Dsync, _) | (Sync::Sql, SqlFlush::Fua) => Durability::Dsync,
                    (Sync::None, _) | (Sync::Sql, SqlFlush::FdataSync) => Durability::None,
                },
                needed: vec![0; count as usize],
            }
        };
        Self {
            kinds: profile.files.iter().map(kind).collect(),
            uses: Vec::new(),
        }
    }

    fn kind(&self, role: Role) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.role == role)
    }

    /// How many files there are of a role.
    pub(super) fn count(&self, role: Role) -> u32 {
        self.kind(role).map_or(1, |kind| kind.count)
    }

    /// True if I/O of that role goes past the page cache.
    pub(super) fn is_direct(&self, role: Role) -> bool {
        self.kind(role)
            .is_none_or(|kind| kind.spec.cache == Cache::Direct)
    }

    /// True if writes of that role are made durable by flushes, as `--sql-flush` asks.
    pub(super) fn is_flushed(&self, role: Role) -> bool {
        self.kind(role)
            .is_some_and(|kind| kind.spec.sync == Sync::Sql && kind.durability == Durability::None)
    }

    /// Says that a file needs so many bytes more.
    pub(super) fn need(&mut self, role: Role, number: u32, bytes: u64) {
        let kind = self.kinds.iter_mut().find(|kind| kind.role == role);
        if let Some(needed) = kind.and_then(|kind| kind.needed.get_mut(number as usize)) {
            *needed = needed.saturating_add(bytes);
        }
    }

    /// The target that is this part of this file.
    pub(super) fn target(
        &mut self,
        role: Role,
        number: u32,
        slice: Slice,
        access: Access,
    ) -> TargetIndex {
        let known = self
            .uses
            .iter_mut()
            .position(|used| (used.role, used.number, used.slice) == (role, number, slice));
        let index = known.unwrap_or_else(|| {
            self.uses.push(Use {
                role,
                number,
                slice,
                access,
            });
            self.uses.len() - 1
        });
        if let Some(used) = self
            .uses
            .get_mut(index)
            .filter(|used| used.access != access)
        {
            used.access = Access::ReadWrite;
        }
        TargetIndex(index)
    }

    /// Each kind of file: role, how many, bytes of each.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (Role, u32, u64)> {
        self.kinds
            .iter()
            .map(|kind| (kind.role, kind.count, kind.size))
    }

    /// The files, and the targets in the same order.
    pub(super) fn into_targets(self) -> (Vec<NeededFile>, Vec<Target>) {
        let Self { kinds, uses } = self;
        uses.iter()
            .filter_map(|used| {
                let kind = kinds.iter().find(|kind| kind.role == used.role)?;
                Some((needed(kind, used), target(kind, used)))
            })
            .unzip()
    }
}

/// A file of data is as large as asked, and so is its backup; a log has a size of its own.
fn size(profile: &Profile, wanted: &Wanted<'_>, spec: &FileSpec) -> u64 {
    let asked = wanted.data_size.filter(|_| spec.role == Role::Data);
    let of_data = || {
        let data = profile.files.iter().find(|file| file.role == Role::Data)?;
        let all = wanted.data_size?.saturating_mul(match data.count {
            Count::Named => wanted.data_files.into(),
            _ => 1,
        });
        let stripes = u64::from(wanted.stripes.unwrap_or(1));
        (spec.count == Count::Stripes).then_some(all.div_ceil(stripes))
    };
    asked.or_else(of_data).unwrap_or(spec.size.0)
}

fn needed(kind: &Kind, used: &Use) -> NeededFile {
    NeededFile {
        role: kind.role,
        number: used.number,
        size: kind.size,
        size_min: kind.needed.get(used.number as usize).copied().unwrap_or(0),
    }
}

fn target(kind: &Kind, used: &Use) -> Target {
    let Slice { from, to, of } = used.slice;
    let place = |part: u64| {
        let bytes = u128::from(kind.size) * u128::from(part) / u128::from(of.max(1));
        let bytes = bytes as u64;
        bytes - bytes % PART_ALIGNMENT
    };
    Target {
        label: String::new(),
        path: PathBuf::new(),
        base: if from == 0 { 0 } else { place(from) },
        end: (to < of).then(|| place(to)),
        planned_size: None,
        access: used.access,
        caching: match kind.spec.cache {
            Cache::Direct => Caching::Direct,
            Cache::Buffered => Caching::Buffered,
        },
        durability: if used.access == Access::Read {
            Durability::None
        } else {
            kind.durability
        },
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: match kind.spec.content {
            Before::Written => Opening::AtLeast(1),
            Before::Unwritten => Opening::Anew { size: kind.size },
        },
    }
}
