//! Where the files of each role of a profile go, by the words of a line.

use std::{collections::BTreeMap, path::Path};

use crate::{
    host,
    personality::{
        Environment,
        native::planning::{
            asked::Settled,
            place::{Found, Place},
            words::{Named, is_folder},
        },
    },
    profiles::{NeededFile, Profile, Role},
};

/// A logical sector where nobody knows better.
const SECTOR: u32 = 512;

/// How large a file is to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// It has that much at least.
    pub(super) asked: Option<u64>,
    /// So much has a new one, where nothing is asked.
    pub(super) default: u64,
    /// No more of it is used.
    pub(super) most: u64,
}

/// Where the files of each role go.
pub(super) struct Homes<'a> {
    by_role: BTreeMap<Role, Vec<&'a Path>>,
    /// The role whose files have the size of `--size`.
    main: Role,
}

impl<'a> Homes<'a> {
    /// Plain words are for data, or for the one role that there is; a folder takes all roles that
    /// are nowhere else.
    pub(super) fn of(
        profile: &Profile,
        targets: &'a [Named],
        around: &Environment,
    ) -> Result<Self, String> {
        let roles: Vec<Role> = profile.files.iter().map(|file| file.role).collect();
        let main = if roles.contains(&Role::Data) {
            Role::Data
        } else {
            roles.first().copied().unwrap_or(Role::Data)
        };
        let mut by_role: BTreeMap<Role, Vec<&Path>> = BTreeMap::new();
        for named in targets {
            let role = named.role.unwrap_or(main);
            if !roles.contains(&role) {
                return Err(format!(
                    "{} has no {} file: leave {1}= out",
                    profile.name,
                    role.word()
                ));
            }
            by_role.entry(role).or_default().push(&named.path);
        }
        let folder = by_role
            .get(&main)
            .and_then(|paths| paths.first())
            .copied()
            .filter(|path| is_folder(path, around));
        for role in roles {
            if by_role.contains_key(&role) {
                continue;
            }
            let folder = folder.ok_or_else(|| {
                format!(
                    "{} also has a {} file: name a folder for all of them, or add {1}=PATH",
                    profile.name,
                    role.word()
                )
            })?;
            by_role.insert(role, vec![folder]);
        }
        Ok(Self { by_role, main })
    }

    fn paths(&self, role: Role) -> &[&'a Path] {
        self.by_role.get(&role).map_or(&[], Vec::as_slice)
    }

    /// Files of data that were named.
    pub(super) fn data_files(&self) -> u32 {
        u32::try_from(self.paths(Role::Data).len().max(1)).unwrap_or(u32::MAX)
    }

    /// Bytes of the smallest data file, where it is not to be the profile's own size.
    pub(super) fn data_size(
        &self,
        settled: &Settled,
        around: &Environment,
    ) -> Result<Option<u64>, String> {
        if settled.size.is_some() {
            return Ok(settled.size);
        }
        let mut smallest = None;
        for (number, path) in self.paths(Role::Data).iter().enumerate() {
            let name = file_name(Role::Data, number as u32);
            let size = match Place::find(path, &name, around)?.found {
                Found::Nothing => continue,
                Found::File { size } | Found::Ours { size } | Found::Device { size } => size,
            };
            smallest = Some(smallest.map_or(size, |least: u64| least.min(size)));
        }
        Ok(smallest.filter(|size| *size > 0))
    }

    /// Bytes of a logical sector under the log.
    pub(super) fn log_sector(&self) -> u32 {
        self.paths(Role::Log)
            .first()
            .and_then(|path| host::device_of(path)?.logical_sector)
            .unwrap_or(SECTOR)
    }

    /// The place of a file.
    pub(super) fn place(&self, needed: &NeededFile, around: &Environment) -> Result<Place, String> {
        let paths = self.paths(needed.role);
        let name = file_name(needed.role, needed.number);
        let own = paths.get(needed.number as usize);
        let shared = || {
            let first = paths.first()?;
            is_folder(first, around).then_some(first)
        };
        let path = own.or_else(shared).ok_or_else(|| {
            format!(
                "this load has more {} files than were named: name a folder for them",
                needed.role.word()
            )
        })?;
        Place::find(path, &name, around)
    }

    /// The size of a file. `--size` is asked of the main role, and binds all others.
    pub(super) fn size(&self, needed: &NeededFile, settled: &Settled) -> Size {
        if needed.role == self.main {
            return Size {
                asked: settled.size,
                default: needed.size,
                most: u64::MAX,
            };
        }
        // What is beside the data need not be larger than it.
        let default = settled
            .size
            .map_or(needed.size, |size| size.min(needed.size));
        let default = default.max(needed.size_min);
        Size {
            asked: None,
            default,
            most: settled.size.map_or(u64::MAX, |_| default),
        }
    }
}

/// The name of a file in a folder.
fn file_name(role: Role, number: u32) -> String {
    match number {
        0 => format!("iogauge-{}.dat", role.word()),
        number => format!("iogauge-{}-{}.dat", role.word(), number + 1),
    }
}
