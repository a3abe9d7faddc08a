//! The user's own settings: `$XDG_CONFIG_HOME/iogauge/config.toml`. Options and variables win over
//! them; defaults lose.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::Spanned;

use super::line::{Data, Typed, data_named};
use crate::{
    personality::Files,
    profiles::{self, Mark},
    units::{names::shown, size},
};

/// The file's name in the folder.
pub const FILE: &str = "config.toml";

/// What the file says; an empty one says nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// Where it was read from.
    pub file: PathBuf,
    /// What is loaded where a line names nothing.
    pub target: Option<PathBuf>,
    /// Size of test files, in bytes.
    pub size: Option<u64>,
    /// Test files are kept.
    pub keep: Option<bool>,
    /// What is written.
    pub(super) data: Option<Data>,
    /// Drive letters and disk numbers, as of `IOGAUGE_DRIVES`.
    pub drives: BTreeMap<String, PathBuf>,
    /// Milliseconds that are good, acceptable and slow, by the name of what is judged ("log write").
    pub marks: BTreeMap<String, [f64; 3]>,
}

impl Config {
    /// What is wrong with the target that the file names.
    pub(super) fn blame(&self, problem: &str) -> String {
        format!(
            "{}, defaults.target: {problem}",
            shown(self.file.as_os_str())
        )
    }

    /// Marks that the user set win over those of a profile.
    pub fn judge(&self, marks: &mut [Mark]) {
        for mark in marks {
            if let Some([good, acceptable, slow]) = self.marks.get(&mark.group) {
                mark.good_ms = *good;
                mark.acceptable_ms = *acceptable;
                mark.slow_ms = *slow;
                mark.source = format!("yours, in {}", shown(self.file.as_os_str()));
            }
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    defaults: Defaults,
    drives: BTreeMap<Spanned<String>, PathBuf>,
    marks: BTreeMap<Spanned<String>, [f64; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Defaults {
    target: Option<PathBuf>,
    size: Option<Spanned<String>>,
    keep: Option<bool>,
    data: Option<Spanned<String>>,
}

/// Reads the file of a folder; no folder and no file say nothing.
///
/// # Errors
/// A sentence with file, line and key.
pub fn load(folder: Option<&Path>, files: &Files) -> Result<Config, String> {
    let Some(file) = folder.map(|folder| folder.join(FILE)) else {
        return Ok(Config::default());
    };
    let bytes = match files.read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(format!("{}: cannot be read: {error}", file.display())),
    };
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{}: it must be valid UTF-8", file.display()))?;
    let own = folder.map(|folder| folder.join("profiles"));
    parse(file, &text, &|| judged_groups(own.as_deref()))
}

/// The groups that some profile judges, each once.
fn judged_groups(own: Option<&Path>) -> Vec<String> {
    let own = own.map(profiles::own).unwrap_or_default().profiles;
    let built_in = profiles::names().filter_map(|name| profiles::find(name, None).ok());
    let groups = built_in
        .chain(own)
        .flat_map(|profile| profile.marks)
        .map(|mark| mark.group);
    groups.collect::<BTreeSet<_>>().into_iter().collect()
}

fn parse(file: PathBuf, text: &str, judged: &dyn Fn() -> Vec<String>) -> Result<Config, String> {
    let at = |start: usize, sentence: &str| {
        let before = text.get(..start).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        format!("{}, line {line}: {sentence}", file.display())
    };
    let written: Written = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, error.message())
    })?;
    let Defaults {
        target,
        size: length,
        keep,
        data,
    } = written.defaults;
    let size = length.map(|given| {
        let typed = Typed {
            name: "size",
            value: given.get_ref(),
        };
        size::parse(typed.value, 1, size::SIZE_MAX)
            .map(|size| size.bytes)
            .map_err(|right| at(given.span().start, &typed.wrong(&right)))
    });
    let data = data.map(|given| {
        let typed = Typed {
            name: "data",
            value: given.get_ref(),
        };
        data_named(typed).map_err(|sentence| at(given.span().start, &sentence))
    });
    let drives = drives(written.drives, &at)?;
    let marks = marks(written.marks, judged, &at)?;
    Ok(Config {
        target,
        size: size.transpose()?,
        keep,
        data: data.transpose()?,
        drives,
        marks,
        file,
    })
}

/// Says where in the file something is wrong.
type At<'a> = &'a dyn Fn(usize, &str) -> String;

fn drives(
    written: BTreeMap<Spanned<String>, PathBuf>,
    at: At<'_>,
) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut drives = BTreeMap::new();
    for (name, path) in written {
        let (start, name) = (name.span().start, name.into_inner());
        let letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if !letter && !number {
            let sentence = "a drive is one letter, or the number of a disk: E = \"/mnt/e\"";
            return Err(at(
                start,
                &format!("drives.{}: {sentence}", name.escape_debug()),
            ));
        }
        drives.insert(name.to_ascii_uppercase(), path);
    }
    Ok(drives)
}

fn marks(
    written: BTreeMap<Spanned<String>, [f64; 3]>,
    judged: &dyn Fn() -> Vec<String>,
    at: At<'_>,
) -> Result<BTreeMap<String, [f64; 3]>, String> {
    let mut marks = BTreeMap::new();
    let known = if written.is_empty() {
        Vec::new()
    } else {
        judged()
    };
    for (name, limits) in written {
        let (start, name) = (name.span().start, name.into_inner());
        let ascending = limits.windows(2).all(|pair| pair[0] <= pair[1]);
        if !ascending || limits.iter().any(|ms| !ms.is_finite() || *ms <= 0.0) {
            let sentence = "milliseconds that are good, acceptable and slow, each above 0 and not \
                            below the one before: \"log write\" = [1, 5, 15]";
            return Err(at(
                start,
                &format!("marks.{}: {sentence}", name.escape_debug()),
            ));
        }
        if !known.contains(&name) {
            let sentence = format!(
                "no profile judges such a group: those that are judged are {}",
                known.join(", ")
            );
            return Err(at(
                start,
                &format!("marks.{}: {sentence}", name.escape_debug()),
            ));
        }
        marks.insert(name, limits);
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let judged = || vec!["log".to_owned(), "log write".to_owned()];
        parse("c.toml".into(), text, &judged)
    }

    #[test]
    fn every_key_is_read() {
        let config = read(
            "[defaults]\ntarget = \"/mnt/test\"\nsize = \"2G\"\nkeep = true\ndata = \"zeros\"\n\
             [drives]\ne = \"/mnt/e\"\n9 = \"/dev/sdb\"\n[marks]\n\"log write\" = [1, 4.5, 15]\n",
        )
        .unwrap();
        assert_eq!(config.target, Some("/mnt/test".into()));
        assert_eq!(config.size, Some(2 << 30));
        assert_eq!((config.keep, config.data), (Some(true), Some(Data::Zeros)));
        assert_eq!(config.drives["E"], Path::new("/mnt/e"));
        assert_eq!(config.drives["9"], Path::new("/dev/sdb"));
        let limits = BTreeMap::from([("log write".to_owned(), [1.0, 4.5, 15.0])]);
        assert_eq!(config.marks, limits);
        assert_eq!(read("").unwrap().size, None);
    }

    #[test]
    fn what_is_wrong_is_told_with_file_line_and_key() {
        for (text, line, words) in [
            ("[defaults]\nsiez = \"1G\"", 2, "siez"),
            ("[defaults]\n\nsize = \"10X\"", 3, "size='10X'"),
            ("[defaults]\nsize = 5", 2, "string"),
            ("[defaults]\nkeep = \"x\"", 2, "boolean"),
            ("[defaults]\ndata = \"noise\"", 2, "data='noise'"),
            ("[history]\npath = \"x\"", 1, "history"),
            ("[drives]\nEE = \"/mnt\"", 2, "drives.EE"),
            ("[marks]\n\"log write\" = [5, 1, 15]", 2, "marks.log write"),
            ("[marks]\nlog = [0, 1, 15]", 2, "marks.log"),
            (
                "[marks]\nlgo = [1, 2, 15]",
                2,
                "marks.lgo: no profile judges such a group",
            ),
            ("[marks]\nlgo = [1, 2, 15]", 2, "log, log write"),
            ("[defaults", 1, ""),
        ] {
            let sentence = read(text).unwrap_err();
            let start = format!("c.toml, line {line}: ");
            assert!(sentence.starts_with(&start), "{text}: {sentence}");
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }

    #[test]
    fn groups_of_the_built_in_profiles_can_be_judged() {
        let groups = judged_groups(None);
        assert!(
            groups.iter().any(|group| group == "log write"),
            "{groups:?}"
        );
    }

    #[test]
    fn no_file_says_nothing() {
        let files = Files::default();
        assert_eq!(load(None, &files), Ok(Config::default()));
        assert_eq!(load(Some(Path::new("/x")), &files), Ok(Config::default()));
    }
}
