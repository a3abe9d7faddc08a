//! Names of files, as a job file holds them.

use std::path::Path;

use super::{Job, Unsayable};
use crate::{plan::Target, units::names::shown};

/// Bytes of a value that fio reads (fio 3.33 says so when it refuses a longer one).
const NAMES_MAX: usize = 4095;

/// What fio reads as something else, wherever it stands in a value: it has no escape for these.
const SPECIAL: &[(&str, &str)] = &[
    (";", "where fio begins a comment"),
    ("#", "where fio begins a comment"),
    ("\n", "which ends an option"),
    ("\r", "which ends an option"),
    ("${", "which fio replaces by a variable"),
    ("$pagesize", "which fio replaces by a number"),
    ("$mb_memory", "which fio replaces by a number"),
    ("$ncpus", "which fio replaces by a number"),
    ("\\:", "which fio reads as a colon alone"),
];

/// The names as fio reads them: `:` separates, and `\` before it escapes it.
pub(super) fn filenames(targets: &[&Target], job: &mut Job) -> Result<(), Unsayable> {
    if let Some(stem) = numbered(targets) {
        job.set("nrfiles", targets.len());
        job.set("filename_format", format!("{stem}$filenum"));
        return Ok(());
    }
    let names: Vec<String> = targets
        .iter()
        .map(|target| filename(&target.path))
        .collect::<Result<_, _>>()?;
    let joined = names.join(":");
    if joined.len() > NAMES_MAX {
        return Err(Unsayable(format!(
            "it takes at most {NAMES_MAX} bytes of names, and {} are needed (files: {})",
            joined.len(),
            names.len()
        )));
    }
    job.set("filename", joined);
    Ok(())
}

/// What all names begin with that end in their number, counted from 0.
fn numbered(targets: &[&Target]) -> Option<String> {
    let stem = targets.first()?.path.to_str()?.strip_suffix('0')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let counted = targets
        .iter()
        .enumerate()
        .all(|(number, target)| target.path.to_str() == Some(format!("{stem}{number}").as_str()));
    (targets.len() > 1 && stem.chars().all(plain) && counted).then(|| stem.to_owned())
}

fn filename(path: &Path) -> Result<String, Unsayable> {
    let refused = |why: &str| {
        let name = shown(path.as_os_str());
        Unsayable(format!(
            "the name {name} {why}: give the file another name, or a link to it"
        ))
    };
    let name = path.to_str().ok_or_else(|| refused("is not valid UTF-8"))?;
    if let Some((part, meaning)) = SPECIAL.iter().find(|(part, _)| name.contains(part)) {
        let part = shown(part.as_ref());
        return Err(refused(&format!("has {part} in it, {meaning}")));
    }
    if name.ends_with('\\') {
        return Err(refused("ends in \\, which escapes what follows"));
    }
    if name.trim() != name {
        return Err(refused("begins or ends with a space, which fio drops"));
    }
    if name == "-" {
        return Err(refused("is standard input there"));
    }
    Ok(name.replace(':', "\\:"))
}
