//! Which word of a line is what: a profile, a plan file, a target.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use super::asked::Settled;
use crate::{
    host::PathKind,
    personality::{
        Environment,
        native::{commands::run::RunArgs, line},
    },
    profiles::{self, FindError, Profile, Role},
    units::names::shown,
};

/// The words of a line, told apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    pub(super) what: What,
    pub(super) targets: Vec<Named>,
}

/// Where a load comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// From a workload with a name.
    Profile(Box<Profile>),
    /// From options alone.
    Options,
    /// From a plan file.
    Plan(PathBuf),
}

/// A target, and which file of a profile it is where that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) role: Option<Role>,
    pub(super) path: PathBuf,
}

/// Words that put one file of a profile somewhere.
const ROLES: [(&str, Role); 3] = [
    ("data=", Role::Data),
    ("log=", Role::Log),
    ("backup=", Role::Backup),
];

/// Tells the words of a line apart.
///
/// # Errors
/// A word that is nothing, or no target at all.
pub(super) fn sort(
    args: &RunArgs,
    settled: &Settled,
    around: &Environment,
) -> Result<Words, String> {
    let mut rest = args.words.as_slice();
    let mut what = What::Options;
    if let Some((first, others)) = rest.split_first() {
        if first.extension() == Some(OsStr::new("toml")) {
            what = What::Plan(first.clone());
            rest = others;
        } else if let Some(profile) = profile(first, around)? {
            what = What::Profile(Box::new(profile));
            rest = others;
        }
    }
    let mut targets: Vec<Named> = Vec::new();
    for word in rest {
        targets.push(named(word, around)?);
    }
    for path in of_fio(args)? {
        targets.push(named(&path, around)?);
    }
    if targets.is_empty() && !matches!(what, What::Plan(_)) {
        let default = settled.config.target.clone().ok_or(
            "what is to be loaded? Name a file, a folder or a block device, as in: \
             iogauge run ./test.dat",
        )?;
        targets.push(named(&default, around).map_err(|problem| settled.config.blame(&problem))?);
    }
    Ok(Words { what, targets })
}

/// The workload that a word names. A word that names none may still be a target; the user's own
/// profiles are asked only for what is nothing else.
fn profile(word: &Path, around: &Environment) -> Result<Option<Profile>, String> {
    let text = word.to_string_lossy();
    let built_in = profiles::names().any(|name| name == text);
    if !built_in && (around.files.exists(word) || is_path(&text)) {
        return Ok(None);
    }
    let own = around.settings.config_folder.as_ref();
    let own = own.map(|folder| folder.join("profiles"));
    match profiles::find(&text, own.as_deref()) {
        Ok(profile) => Ok(Some(profile)),
        Err(FindError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// True for a word that can be nothing but a path.
fn is_path(text: &str) -> bool {
    text.starts_with(['/', '.', '~']) || text.contains('=')
}

/// A word that names a target.
fn named(word: &Path, around: &Environment) -> Result<Named, String> {
    let text = word.to_string_lossy();
    let given = ROLES.iter().find_map(|(name, role)| {
        let path = text.strip_prefix(name)?;
        Some((*role, PathBuf::from(path)))
    });
    let (role, path) = match given {
        // A file may have such a name.
        Some((role, path)) if !around.files.exists(word) => (Some(role), path),
        _ => (None, word.to_path_buf()),
    };
    if path.as_os_str().is_empty() {
        return Err(format!("'{}' names no target", shown(word.as_os_str())));
    }
    let typed = path.to_string_lossy();
    if role.is_none() && !around.files.exists(&path) && !typed.contains('/') {
        return Err(unknown(&typed));
    }
    if role.is_none() && !is_path(&typed) && around.files.kind(&path).is_none() {
        missing_folder(&path, around)?;
    }
    Ok(Named { role, path })
}

/// A word that is no profile and nothing that exists.
fn unknown(word: &str) -> String {
    let nearest = suggestion(word);
    let word = shown(OsStr::new(word));
    format!(
        "'{word}' is neither a profile{nearest} nor a file that exists: a file that is to be made \
         is written with a slash, as in ./{word}"
    )
}

/// A word with a slash may be a misspelt profile: then there is no such folder.
fn missing_folder(path: &Path, around: &Environment) -> Result<(), String> {
    let typed = path.to_string_lossy();
    let nearest = suggestion(&typed);
    match path.parent() {
        Some(folder) if !nearest.is_empty() && !is_folder(folder, around) => Err(format!(
            "'{}' is no profile{nearest}, and there is no folder {} to make a file in",
            shown(path.as_os_str()),
            shown(folder.as_os_str())
        )),
        _ => Ok(()),
    }
}

/// The profile that may have been meant.
fn suggestion(word: &str) -> String {
    match profiles::nearest(word, &[]).first() {
        Some(near) => format!(" (did you mean {}?)", near.name),
        None => group(word),
    }
}

/// The first word of several profiles.
fn group(word: &str) -> String {
    let within = |name: &&str| name.split_once('/').is_some_and(|(first, _)| first == word);
    let all: Vec<&str> = profiles::names().filter(within).collect();
    let known = all.iter().find(|name| name.ends_with("/oltp"));
    match known.or(all.first()) {
        Some(name) => format!(" (did you mean {name}? iogauge profiles lists all)"),
        None => String::new(),
    }
}

/// Targets in fio's words.
fn of_fio(args: &RunArgs) -> Result<Vec<PathBuf>, String> {
    let fio = &args.load.fio;
    if !args.words.is_empty() && (fio.filename.is_some() || fio.directory.is_some()) {
        let name = if fio.filename.is_some() {
            "--filename"
        } else {
            "--directory"
        };
        return Err(line::apart("a target as a word", name));
    }
    let names: Vec<&str> = match &fio.filename {
        None => Vec::new(),
        Some(names) => names.split(':').filter(|name| !name.is_empty()).collect(),
    };
    Ok(match (&fio.directory, names.as_slice()) {
        (None, names) => names.iter().map(PathBuf::from).collect(),
        (Some(folder), []) => vec![folder.clone()],
        (Some(folder), names) => names.iter().map(|name| folder.join(name)).collect(),
    })
}

/// True for a folder that is there.
pub(super) fn is_folder(path: &Path, around: &Environment) -> bool {
    around.files.kind(path) == Some(PathKind::Folder)
}
