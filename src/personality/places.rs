//! Where the files of a Windows command line are on this machine: `\`, drive letters, shares. What
//! a face adds to that (disk numbers, raw partitions) is its own.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use super::Environment;

/// Where a target is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path to open.
    pub(crate) path: PathBuf,
    /// True for what no face ever makes: disks and other devices.
    pub(crate) device: bool,
    /// How a name was resolved, where that is no matter of course.
    pub(crate) note: Option<String>,
}

impl Place {
    /// Whatever is at a path.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            device: is_device(&path),
            path,
            note: None,
        }
    }
}

/// Why a target is nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Nowhere {
    /// On a drive (a letter, in upper case) or disk (a number) that nobody mapped.
    Drive(String),
    /// For another reason, in a sentence.
    Because(String),
}

impl Nowhere {
    /// What a run would need.
    pub(crate) fn for_a_run(&self, typed: &OsStr) -> String {
        match self {
            Self::Drive(name) => format!(
                "a run must find '{}': IOGAUGE_DRIVES={name}={} {}",
                typed.to_string_lossy(),
                example(name),
                if is_number(name) {
                    "says which device it is"
                } else {
                    "makes its drive the current folder"
                }
            ),
            Self::Because(sentence) => sentence.clone(),
        }
    }
}

/// What a drive or disk may be mapped to.
fn example(name: &str) -> &'static str {
    if is_number(name) { "/dev/..." } else { "." }
}

/// True for digits and nothing else.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The letter of `X:...`, in upper case, and what follows the colon.
pub(crate) fn drive(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str().strip_prefix(':')?;
    Some((letter.to_ascii_uppercase(), rest))
}

/// Separators as this system has them: `\` becomes `/` where no `/` says that the path is ours.
pub(crate) fn translated(text: &str, around: &Environment) -> PathBuf {
    if !around.machine.drive_letters && text.contains('\\') && !text.contains('/') {
        PathBuf::from(text.replace('\\', "/"))
    } else {
        PathBuf::from(text)
    }
}

/// Finds a file by a path of Windows, on a system that has none of its drives. A whole volume is
/// no file, and for the face to find.
pub(crate) fn file(text: &str, around: &Environment) -> Result<PathBuf, Nowhere> {
    if let Some((letter, rest)) = drive(text)
        && (text.contains('\\') || !around.files.exists(Path::new(text)))
    {
        let Some(folder) = around.settings.drives.get(&letter.to_string()) else {
            return Err(Nowhere::Drive(letter.to_string()));
        };
        let below = rest.replace('\\', "/");
        return Ok(folder.join(below.trim_start_matches('/')));
    }
    if text.starts_with(r"\\") {
        return Err(Nowhere::Because(format!(
            "'{text}' is a share or device in Windows; mount the share and name the path, or name \
             the block device (lsblk lists them)"
        )));
    }
    Ok(translated(text, around))
}

/// Device nodes; /dev/shm is a filesystem.
pub(crate) fn is_device(path: &Path) -> bool {
    path.starts_with("/dev") && !path.starts_with("/dev/shm")
}

/// The line to type when drives are not mapped: the same one with the map in front.
pub(crate) fn line_with_drives(
    program: &str,
    missing: &[String],
    around: &Environment,
    args: &[OsString],
) -> String {
    let known = around
        .settings
        .drives
        .iter()
        .map(|(name, path)| format!("{name}={}", path.display()));
    let missing = missing
        .iter()
        .map(|name| format!("{name}={}", example(name)));
    let map: Vec<String> = known.chain(missing).collect();
    let mut line = format!("IOGAUGE_DRIVES={} {program}", quoted(&map.join(",")));
    for arg in args {
        line.push(' ');
        line.push_str(&quoted(&arg.to_string_lossy()));
    }
    line
}

/// An argument as a shell takes it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
