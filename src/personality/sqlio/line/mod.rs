//! From the arguments to a complete load. Options and names may stand in any order; of an option
//! that is there twice the last one wins.

mod number;
pub(super) mod options;
mod raw;
#[cfg(test)]
mod tests;
pub(super) mod words;

use std::ffi::OsString;

pub(super) use number::{mask, small, whole};

use super::{
    flags::{self, FILES_MAX, NAME_MAX},
    load::{Buffering, Load, Pattern, Work},
    parameters,
};
use crate::{
    personality::{Environment, flags::Support, places},
    plan::Assembly,
    units::names::{escaped, shown},
};
use options::{Draft, check_pieces};
use words::{Typed, Words};

/// The file of a line that names none.
const DEFAULT_NAME: &str = "testfile.dat";
/// Threads of a line that does not say.
const DEFAULT_THREADS: u32 = 1;
/// The stripe factor of a line that does not say; new files of other orders are of it too.
pub(super) const DEFAULT_FACTOR: u64 = 64;

/// A line that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parsed {
    /// `-?`
    Help,
    /// A load.
    Load(Box<Line>),
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// What it asks for.
    pub(super) load: Load,
    /// Lines for standard error: what was not taken as it stands.
    pub(super) warnings: Vec<String>,
}

/// Why a line is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    /// Lines for standard error.
    pub(super) messages: Vec<String>,
    /// The usage belongs below them: an option was not known.
    pub(super) usage: bool,
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Self {
            messages: vec![message],
            usage: false,
        }
    }
}

/// Reads a line.
///
/// # Errors
/// The lines for standard error.
pub(super) fn parse(args: &[OsString], around: &Environment) -> Result<Parsed, Refused> {
    let words = words::split(args, around).map_err(|sentence| error(&sentence))?;
    if words.options.iter().any(|option| option.body == "?") {
        return Ok(Parsed::Help);
    }
    let mut warnings: Vec<String> = words.warnings.iter().map(|text| warning(text)).collect();
    let draft = draft(&words, &mut warnings)?;
    let work = work(&draft, &words, &mut warnings, around).map_err(|sentence| error(&sentence))?;
    let load = complete(&draft, work).map_err(|sentence| error(&sentence))?;
    check(&load).map_err(|sentence| error(&sentence))?;
    Ok(Parsed::Load(Box::new(Line { load, warnings })))
}

/// An error line.
pub(super) fn error(sentence: &str) -> String {
    escaped(&format!("sqlio: {sentence}"))
}

/// A warning line.
pub(super) fn warning(sentence: &str) -> String {
    escaped(&format!("WARNING: {sentence}"))
}

/// Reads all options.
fn draft(words: &Words, warnings: &mut Vec<String>) -> Result<Draft, Refused> {
    let mut draft = Draft::default();
    let mut binding: Option<&Typed> = None;
    for option in &words.options {
        let shown = &option.shown;
        let Some(flag) = flags::find(&option.body) else {
            return Err(Refused {
                messages: vec![error(&format!("{shown}: there is no such option"))],
                usage: true,
            });
        };
        draft
            .apply(flag.name, option.value(flag))
            .map_err(|problem| error(&format!("{shown}: {problem}")))?;
        if let Some(remark) = draft.remark.take() {
            warnings.push(warning(&format!("{shown}: {remark}")));
        }
        if flag.support == Support::WithoutEffect && option.body != "D0" {
            let line = warning(&flags::no_effect(flag));
            if !warnings.contains(&line) {
                warnings.push(line);
            }
        }
        if matches!(flag.name, "-a" | "-p") {
            let other = binding.replace(option);
            if let Some(other) = other.filter(|other| other.body[..1] != option.body[..1]) {
                warnings.push(warning(&format!(
                    "{shown} takes the place of {}: threads are bound once",
                    other.shown
                )));
            }
        }
    }
    Ok(draft)
}

/// Threads and files, of the parameter file if there is one.
fn work(
    draft: &Draft,
    words: &Words,
    warnings: &mut Vec<String>,
    around: &Environment,
) -> Result<Work, String> {
    let Some(file) = &draft.parameter_file else {
        return Ok(Work::Named {
            threads: draft.threads.unwrap_or(DEFAULT_THREADS),
            binding: draft.binding,
            names: names(draft, words)?,
        });
    };
    let ignored = ignored(words);
    if !ignored.is_empty() {
        warnings.push(warning(&format!(
            "with -F the parameter file says which threads work on which files; ignored: {}",
            ignored.join(" ")
        )));
    }
    let read = parameters::read(file, around)?;
    let about = |remark: &String| warning(&format!("-F{file}: {remark}"));
    warnings.extend(read.remarks.iter().map(about));
    if matches!(draft.pattern, None | Some(Pattern::Striped(_)))
        && read.lines.iter().any(|line| line.size_mib.is_some())
    {
        warnings.push(warning(&format!(
            "-F{file}: sizes are for -frandom and -fsequential; striped files have as many bytes \
             as -i, -f and -b come to"
        )));
    }
    Ok(Work::Listed {
        file: file.clone(),
        lines: read.lines,
    })
}

/// What has no effect beside a parameter file.
fn ignored(words: &Words) -> Vec<String> {
    let options = words.options.iter().filter(|option| {
        flags::find(&option.body)
            .is_some_and(|flag| matches!(flag.name, "-t" | "-d" | "-R" | "-p" | "-a"))
    });
    let names = words.names.iter().map(|name| shown(name));
    options
        .map(|option| option.shown.clone())
        .chain(names)
        .collect()
}

/// The files of the command line.
fn names(draft: &Draft, words: &Words) -> Result<Vec<OsString>, String> {
    let mut names = words.names.clone();
    if names.is_empty() && (draft.raw.is_none() || draft.drives.is_some()) {
        names.push(DEFAULT_NAME.into());
    }
    if let Some(letters) = &draft.drives {
        let typed: String = letters.iter().collect();
        let [name] = &names[..] else {
            return Err(format!(
                "-d{typed} puts one file name on each drive, and {} are given",
                names.len()
            ));
        };
        let text = name.to_string_lossy();
        if places::drive(&text).is_some() {
            return Err(format!(
                "-d{typed}: the file name '{text}' has a drive of its own"
            ));
        }
        let on_drive = |letter: &char| {
            let mut path = OsString::from(format!("{letter}:"));
            path.push(name);
            path
        };
        names = letters.iter().map(on_drive).collect();
    }
    names.extend(draft.raw.iter().flatten().map(OsString::from));
    if names.len() > FILES_MAX {
        return Err(format!(
            "there are {} files, and at most {FILES_MAX} are taken",
            names.len()
        ));
    }
    match names.iter().find(|name| too_long(&name.to_string_lossy())) {
        Some(name) => Err(format!(
            "'{}': a file name may have {NAME_MAX} characters",
            shown(name)
        )),
        None => Ok(names),
    }
}

/// True for a name beyond the original's limit.
pub(super) fn too_long(name: &str) -> bool {
    name.chars().count() > NAME_MAX
}

fn complete(draft: &Draft, work: Work) -> Result<Load, String> {
    let depth = draft.depth.filter(|depth| *depth > 0);
    let assembly = draft.assembly.unwrap_or(Assembly::Whole);
    if let (Some(depth), Some(_)) = (depth, draft.assembly) {
        return Err(format!(
            "-o{depth} and -m exclude each other: I/O in pieces is done one at a time"
        ));
    }
    let load = Load {
        write: draft.write.unwrap_or(false),
        seconds: draft.seconds.unwrap_or(30),
        pattern: draft.pattern.unwrap_or(Pattern::Striped(DEFAULT_FACTOR)),
        rows: draft.rows.unwrap_or(64),
        block_kib: draft.block_kib.unwrap_or(2),
        start: draft.start.unwrap_or(0),
        again: draft.again,
        depth,
        assembly,
        buffering: draft.buffering.unwrap_or(Buffering::Nothing),
        buffering_given: draft.buffering.is_some(),
        timing: draft.timing,
        cpu_table: draft.cpu_table,
        work,
    };
    check_pieces(assembly, load.block())?;
    Ok(load)
}

/// Every thread needs a column of the grid.
fn check(load: &Load) -> Result<(), String> {
    let Pattern::Striped(factor) = load.pattern else {
        return Ok(());
    };
    let crowded = |threads: u32| u64::from(threads) > factor;
    match &load.work {
        Work::Named { threads, .. } if crowded(*threads) => Err(format!(
            "-f{factor} -t{threads}: each thread needs a column of its own, so that the stripe \
             factor must be at least the number of threads"
        )),
        Work::Listed { file, lines } => match lines.iter().find(|line| crowded(line.threads)) {
            Some(line) => Err(format!(
                "-f{factor} -F{file}: the {} threads of {} need a column each, so that the stripe \
                 factor must be at least as high",
                line.threads, line.name
            )),
            None => Ok(()),
        },
        Work::Named { .. } => Ok(()),
    }
}
