//! A workload by its name: built in, or from the user's own folder.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{Profile, embedded::EMBEDDED};

/// Bytes of a user's own profile at most: far more than any has.
const OWN_MAX: u64 = 1 << 20;

/// Why there is no workload of a name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindError {
    /// No workload has this name.
    #[error("'{name}' is no workload{} 'iogauge profiles' lists them", suggestion(.nearest))]
    Unknown {
        /// As typed.
        name: String,
        /// What may have been meant, the nearest first.
        nearest: Vec<String>,
    },
    /// A profile of the user's own cannot be used.
    #[error("{}: {problem}", .file.display())]
    Own {
        /// Its file.
        file: PathBuf,
        /// What is wrong, with line and key.
        problem: String,
    },
    /// A built-in profile cannot be read: our mistake.
    #[error("the built-in profile {name} cannot be read: {problem}")]
    Embedded {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

fn suggestion(nearest: &[String]) -> String {
    if nearest.is_empty() {
        ":".to_owned()
    } else {
        format!(": did you mean {}?", nearest.join(" or "))
    }
}

/// A name that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The name.
    pub name: String,
    /// Letters that differ.
    pub distance: usize,
}

/// The built-in workloads, in the order in which they are listed.
pub fn names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// The workload of that name, built in or in `own_folder`. The whole name is needed: of
/// `checkpoint` the error says where it is.
///
/// # Errors
/// There is none, with the nearest names; or a file of the user's own means nothing.
pub fn find(name: &str, own_folder: Option<&Path>) -> Result<Profile, FindError> {
    if let Some((name, text)) = EMBEDDED.iter().find(|(known, _)| *known == name) {
        return embedded(name, text);
    }
    let Own { profiles, broken } = own_folder.map(own).unwrap_or_default();
    let own_names: Vec<String> = profiles
        .iter()
        .map(|profile| profile.name.clone())
        .collect();
    if let Some(profile) = profiles.into_iter().find(|profile| profile.name == name) {
        return Ok(profile);
    }
    // The file that cannot be used may be the one that is meant.
    Err(broken
        .into_iter()
        .next()
        .unwrap_or_else(|| FindError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, &own_names)
                .into_iter()
                .map(|near| near.name)
                .collect(),
        }))
}

fn embedded(name: &str, text: &str) -> Result<Profile, FindError> {
    read(text).map_err(|problem| FindError::Embedded {
        name: name.to_owned(),
        problem,
    })
}

/// What is in the user's own folder.
#[derive(Debug, Default)]
pub struct Own {
    /// The profiles, by the names of their files.
    pub profiles: Vec<Profile>,
    /// Files that mean nothing, or have a name that is taken.
    pub broken: Vec<FindError>,
}

/// The profiles in the user's own folder; none if it is not there.
pub fn own(folder: &Path) -> Own {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    let read: Vec<(PathBuf, Result<Profile, String>)> = files
        .into_iter()
        .map(|file| {
            let profile = text(&file).and_then(|text| self::read(&text));
            (file, profile)
        })
        .collect();
    let mut own = Own::default();
    for (file, profile) in &read {
        let of_that_name = |name: &str| {
            let named = |(_, other): &&(PathBuf, Result<Profile, String>)| {
                other.as_ref().is_ok_and(|other| other.name == name)
            };
            read.iter().filter(named).count()
        };
        let problem = match profile {
            Err(problem) => problem.clone(),
            Ok(profile) if names().any(|name| name == profile.name) => format!(
                "key 'name': '{}' is the name of a built-in workload; choose another",
                profile.name
            ),
            // Neither is taken for the other.
            Ok(profile) if of_that_name(&profile.name) > 1 => format!(
                "key 'name': another file of this folder has the name '{}' too",
                profile.name
            ),
            Ok(profile) => {
                own.profiles.push(profile.clone());
                continue;
            }
        };
        own.broken.push(FindError::Own {
            file: file.clone(),
            problem,
        });
    }
    own
}

fn text(file: &Path) -> Result<String, String> {
    // Opening a FIFO would wait for whoever writes it.
    let kind = fs::metadata(file).map_err(|error| format!("cannot be read: {error}"))?;
    if !kind.is_file() {
        return Err("is no regular file, so it is no profile".to_owned());
    }
    let mut text = String::new();
    let read = fs::File::open(file)
        .and_then(|file| file.take(OWN_MAX + 1).read_to_string(&mut text))
        .map_err(|error| format!("cannot be read: {error}"))?;
    if read as u64 > OWN_MAX {
        return Err(format!("has more than {OWN_MAX} bytes: this is no profile"));
    }
    Ok(text)
}

/// A profile from its text.
pub(super) fn read(text: &str) -> Result<Profile, String> {
    let profile: Profile = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        match line {
            Some(line) => format!("line {line}: {}", error.message()),
            None => error.message().to_owned(),
        }
    })?;
    profile.check()?;
    Ok(profile)
}

/// Names that may have been meant by `typed`, the nearest first: those that end in it, or differ in
/// at most a third of their letters.
pub fn nearest(typed: &str, own: &[String]) -> Vec<Nearest> {
    let typed = typed.to_lowercase();
    let far = (typed.chars().count() / 3).clamp(1, 4);
    let all = names().map(str::to_owned).chain(own.iter().cloned());
    let mut found: Vec<Nearest> = all
        .filter_map(|name| {
            let last = name.rsplit('/').next().unwrap_or_default();
            let distance = distance(&typed, &name).min(distance(&typed, last));
            (distance <= far).then_some(Nearest { name, distance })
        })
        .collect();
    found.sort_by_key(|near| near.distance);
    let best = found.first().map(|near| near.distance);
    found.retain(|near| Some(near.distance) == best);
    found
}

/// Letters that must be put in, taken out or changed (two neighbours that changed places are one).
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_words() {
        // Counted by hand.
        for (a, b, letters) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("chekpoint", "checkpoint", 1),
            ("oltp", "otlp", 1),
            ("log", "log", 0),
        ] {
            assert_eq!(distance(a, b), letters, "{a} {b}");
            assert_eq!(distance(b, a), letters, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_name_is_told() {
        for (typed, meant) in [
            ("checkpoint", "sqlserver/checkpoint"),
            ("sqlserver/chekpoint", "sqlserver/checkpoint"),
            ("sqlserver/OLTP", "sqlserver/oltp"),
            ("postgers", "postgres"),
            ("etdc", "etcd"),
        ] {
            let FindError::Unknown { name, nearest } = find(typed, None).unwrap_err() else {
                panic!("{typed}")
            };
            assert_eq!((name.as_str(), nearest), (typed, vec![meant.to_owned()]));
        }
        let error = find("quux-and-nothing-like-it", None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "'quux-and-nothing-like-it' is no workload: 'iogauge profiles' lists them"
        );
        // No input, however long or strange, is more than unknown.
        for typed in ["", "/", "\u{1F4BE}", &"x".repeat(10_000)] {
            assert!(matches!(find(typed, None), Err(FindError::Unknown { .. })));
        }
    }

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    const OWN: &str = "name = \"mine\"\nsummary = \"reads\"\n[[file]]\nrole = \"data\"\nsize = \"1GiB\"\n\
                       [[group]]\nname = \"reader\"\nthreads = 2\nqueue-depth = 4\n[[group.stream]]\n\
                       file = \"data\"\npattern = \"random\"\nalign = \"4KiB\"\nread = [[\"4KiB\", 1]]\n";

    #[test]
    fn own_profiles_have_the_same_format() {
        let folder = folder_with(&[("mine.toml", OWN), ("note.txt", "nothing")]);
        assert_eq!(find("mine", Some(folder.path())).unwrap().summary, "reads");
        let error = find("mien", Some(folder.path())).unwrap_err();
        assert!(error.to_string().contains("did you mean mine?"), "{error}");
        let nothing = own(Path::new("/nonexistent"));
        assert!(nothing.profiles.is_empty() && nothing.broken.is_empty());
    }

    #[test]
    fn what_is_wrong_with_an_own_profile_names_file_and_key() {
        let cases = [
            (
                OWN.replace("mine", "etcd"),
                "key 'name': 'etcd' is the name of a built-in",
            ),
            (
                OWN.replace("queue-depth", "qd"),
                "line 9: unknown field `qd`",
            ),
            (
                OWN.replace("threads = 2", "threads = \"cores\""),
                "\"log-writers\"",
            ),
            (OWN.replace("\"1GiB\"", "\"1GB\""), "KiB, MiB or GiB"),
            (OWN.replace("\"1GiB\"", "-1"), "bytes"),
            (
                OWN.replace("\"1GiB\"", "\"99999999999999999999KiB\""),
                "bytes",
            ),
            (OWN.replace("file = \"data\"", "file = \"log\""), "'log'"),
            (
                OWN.replace("queue-depth = 4", "queue-depth = 0"),
                "queue-depth",
            ),
            (OWN.replace("threads = 2", "threads = 0"), "threads"),
            (OWN.replace("[[\"4KiB\", 1]]", "[]"), "read"),
            (OWN.replace("[[\"4KiB\", 1]]", "[[\"4KiB\", 0]]"), "weight"),
            (OWN.replace("[[\"4KiB\", 1]]", "[[0, 1]]"), "read"),
            (OWN.replace("align = \"4KiB\"", "align = 0"), "align"),
            ("name = ".to_owned(), "line 1"),
        ];
        for (text, wanted) in cases {
            let folder = folder_with(&[("x.toml", &text)]);
            let error = find("mine", Some(folder.path())).unwrap_err().to_string();
            assert!(
                error.contains("x.toml: ") && error.contains(wanted),
                "{error} / {wanted}"
            );
        }
        let folder = folder_with(&[("a.toml", OWN), ("b.toml", OWN)]);
        let error = find("mine", Some(folder.path())).unwrap_err().to_string();
        assert!(
            error.contains("a.toml: ") && error.contains("'mine' too"),
            "{error}"
        );
    }

    #[test]
    fn a_broken_file_takes_no_other_away() {
        let folder = folder_with(&[("a.toml", "name = 1"), ("b.toml", OWN)]);
        fs::create_dir(folder.path().join("c.toml")).unwrap();
        let own = own(folder.path());
        assert_eq!(own.profiles.len(), 1);
        let told: Vec<String> = own.broken.iter().map(ToString::to_string).collect();
        assert!(told[0].contains("a.toml: line 1"), "{told:?}");
        assert!(told[1].contains("c.toml: is no regular file"), "{told:?}");
        assert_eq!(find("mine", Some(folder.path())).unwrap().name, "mine");
    }

    #[test]
    fn marks_ascend() {
        let mark = |good: f64, acceptable: f64| {
            format!(
                "{OWN}[[mark]]\ngroup = \"reader\"\ndirection = \"read\"\ngood-ms = {good:?}\n\
                 acceptable-ms = {acceptable:?}\nslow-ms = 15.0\nsource = \"s\"\n"
            )
        };
        assert!(read(&mark(1.0, 5.0)).is_ok());
        let error = read(&mark(6.0, 5.0)).unwrap_err();
        assert!(
            error.contains("'reader'") && error.contains("not below"),
            "{error}"
        );
    }
}
