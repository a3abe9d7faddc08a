//! Where a target is, what is there, and how much of it the load may use.

use std::path::{Path, PathBuf};

use super::words::is_folder;
use crate::{
    host::PathKind,
    personality::Environment,
    plan::{Content, FilePreparation, Policy, Through},
    units::{ByteSize, names::shown},
};

/// A target that was found, or that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// As messages and reports show it.
    pub(super) label: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// What is there.
    pub(super) found: Found,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing: a file is made.
    Nothing,
    /// A file of somebody's.
    File {
        /// Bytes.
        size: u64,
    },
    /// A test file that an earlier run kept.
    Ours {
        /// Bytes.
        size: u64,
    },
    /// A block device.
    Device {
        /// Bytes.
        size: u64,
    },
}

/// How much of a target there is for the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// Bytes that the file must be made or extended to.
    pub(super) make: Option<u64>,
    /// Where the part ends that the load may use.
    pub(super) end: u64,
}

impl Place {
    /// Finds a target; in a folder it is the file of this name.
    ///
    /// # Errors
    /// What can be no target.
    pub(super) fn find(path: &Path, name: &str, around: &Environment) -> Result<Self, String> {
        let files = &around.files;
        let path = if is_folder(path, around) {
            path.join(name)
        } else {
            path.to_path_buf()
        };
        let label = shown(path.as_os_str());
        let size = files.size(&path);
        let found = match files.kind(&path) {
            None => Found::Nothing,
            Some(PathKind::Regular) if files.is_ours(&path) => Found::Ours {
                size: size.unwrap_or(0),
            },
            Some(PathKind::Regular) => Found::File {
                size: size.unwrap_or(0),
            },
            Some(PathKind::BlockDevice) => Found::Device {
                size: size.unwrap_or(0),
            },
            Some(kind) => {
                return Err(format!(
                    "{label} is {kind}, which cannot be a target: name a file, a folder or a \
                     block device"
                ));
            }
        };
        if found == Found::Nothing {
            folder_of(&path, &label, around)?;
        }
        Ok(Self { label, path, found })
    }

    /// How much of it is used, from `base` on: of what is there, the bytes that are `asked` for, as
    /// in fio; a new file has them in all, or the `default`.
    ///
    /// # Errors
    /// It ends before that and is not ours to extend, or does not reach `base`.
    pub(super) fn extent(
        &self,
        asked: Option<u64>,
        default: u64,
        base: u64,
    ) -> Result<Extent, String> {
        let label = &self.label;
        let words = |bytes: u64| ByteSize(bytes).words();
        let behind = |size: u64| {
            format!(
                "--offset {} is behind the end of {label}, which has {}",
                words(base),
                words(size)
            )
        };
        let (size, ours) = match self.found {
            Found::Nothing => {
                let size = asked.unwrap_or(default);
                if base >= size {
                    return Err(behind(size));
                }
                return Ok(Extent {
                    make: Some(size),
                    end: size,
                });
            }
            Found::Ours { size } => (size, true),
            Found::File { size } | Found::Device { size } => (size, false),
        };
        let asked_end = asked.map(|asked| base.saturating_add(asked));
        match asked_end {
            Some(end) if end > size && ours => Ok(Extent {
                make: Some(end),
                end,
            }),
            Some(_) if base > 0 && base >= size => Err(behind(size)),
            Some(end) if end > size && base > 0 => Err(format!(
                "{label} has {} from --offset on, which is less than the {} of --size, and it is \
                 not ours to be extended: leave --size out, or name another target",
                words(size - base),
                words(end - base)
            )),
            Some(end) if end > size => Err(format!(
                "{label} has {}, which is less than the {} of --size, and it is not ours to be \
                 extended: leave --size out, or name another target",
                words(size),
                words(end)
            )),
            None if size == 0 => Err(format!(
                "{label} is empty, so there is nothing to load: name another target, or remove \
                 it so that one is made"
            )),
            None if base >= size => Err(behind(size)),
            end => Ok(Extent {
                make: None,
                end: end.unwrap_or(size),
            }),
        }
    }

    /// How its file is made.
    pub(super) fn preparation(&self, size: u64, content: Content) -> FilePreparation {
        FilePreparation {
            label: self.label.clone(),
            path: self.path.clone(),
            size,
            content,
            policy: Policy::Extend,
            through: Through::Past,
            block: None,
            verify: false,
        }
    }
}

/// The folder in which a file would be made must be there.
fn folder_of(path: &Path, label: &str, around: &Environment) -> Result<(), String> {
    if label.ends_with('/') {
        return Err(format!(
            "{label} does not exist: make the folder first, or name a file"
        ));
    }
    if around.files.exists(path) {
        return Err(format!(
            "{label} is a symbolic link that leads nowhere: name the place itself"
        ));
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") && !is_folder(folder, around) => Err(format!(
            "{label} cannot be made: there is no folder {}",
            shown(folder.as_os_str())
        )),
        _ => Ok(()),
    }
}
