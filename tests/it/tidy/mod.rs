//! The structure of the project, tested: the import table, where `unsafe`, printing and the time
//! may be, lengths, words that mean "not done". Each rule has tests of its own on small bad
//! samples, so that it is known to fail.

mod imports;
mod rules;
mod source;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use source::Source;

/// One broken rule.
struct Problem {
    path: String,
    line: usize,
    message: String,
}

impl Problem {
    fn new(source: &Source, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: source.path.clone(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `folder` for which `wanted` holds, as paths from the root with `/`. Built things
/// and hidden folders other than `.ci` are not the project's.
fn files(folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let short = path.strip_prefix(root()).expect("below the root");
            let short = short.to_string_lossy().replace('\\', "/");
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && (!name.starts_with('.') || name == ".ci") {
                    open.push(path);
                }
            } else if wanted(&short) {
                found.push(short);
            }
        }
    }
    found.sort();
    found
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "rs")
}

/// Every Rust file of ours.
fn sources() -> Vec<Source> {
    let found: Vec<Source> = ["src", "crates", "tests", "benches", "fuzz"]
        .iter()
        .flat_map(|folder| files(folder, &is_rust))
        .map(|path| Source::read(root(), &path))
        .collect();
    assert!(found.len() > 30, "the source tree was not found");
    found
}

fn no_problems(check: fn(&Source) -> Vec<Problem>) {
    let problems: Vec<String> = sources()
        .iter()
        .flat_map(check)
        .map(|p| p.to_string())
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn imports_follow_the_flow() {
    no_problems(imports::folders);
}

#[test]
fn engines_are_used_where_io_is_run() {
    no_problems(imports::engine);
}

#[test]
fn foreign_crates_stay_in_their_folder() {
    no_problems(imports::crates);
}

#[test]
fn unsafe_code_is_in_the_engines_and_explained() {
    no_problems(rules::unsafe_code);
}

#[test]
fn only_app_and_main_print() {
    no_problems(rules::printing);
}

#[test]
fn only_the_clock_reads_the_time() {
    no_problems(rules::time);
}

#[test]
fn only_engines_and_host_know_the_system() {
    no_problems(rules::portable);
}

#[test]
fn nothing_is_left_undone() {
    no_problems(rules::banned);
}

#[test]
fn every_file_says_what_it_is() {
    no_problems(rules::opening);
}

#[test]
fn files_and_functions_are_short() {
    no_problems(rules::length);
    for (path, reason) in rules::LONG_FILES {
        assert!(root().join(path).exists(), "{path} is gone: {reason}");
    }
    for (id, reason) in rules::LONG_FUNCTIONS {
        let (path, _) = id.split_once("::").expect("path::name");
        assert!(root().join(path).exists(), "{path} is gone: {reason}");
    }
}

/// A file that no `mod` line names is dead, and its tests never run.
#[test]
fn every_file_is_a_module() {
    let (mut dead, all) = (Vec::new(), sources());
    for source in &all {
        let path = Path::new(&source.path);
        let name = path.file_stem().expect("a name").to_string_lossy();
        let folder = path.parent().expect("a folder");
        let top = ["benches", "tests", "fuzz_targets"]
            .iter()
            .any(|roots| folder.ends_with(roots));
        if top || matches!(&*name, "main" | "lib") {
            continue;
        }
        let (name, above) = if name == "mod" {
            (folder.file_name().expect("a name"), folder.parent())
        } else {
            (path.file_stem().expect("a name"), Some(folder))
        };
        let name = name.to_string_lossy();
        let above = above.expect("a folder");
        // Beside a folder stand the files that may name it; each benchmark is a root of its own.
        let parents = ["mod.rs", "lib.rs", "main.rs", "overhead.rs", "peers.rs"]
            .map(|file| above.join(file))
            .into_iter()
            .chain([above.with_extension("rs")]);
        let declared = parents
            .filter_map(|file| std::fs::read_to_string(root().join(file)).ok())
            .any(|text| {
                let line = format!("mod {name};");
                text.lines().any(|l| l.trim_end().ends_with(&line))
            });
        // What two roots share may be named by its path from theirs.
        let beside = source.path.split_once('/').map_or("", |path| path.1);
        let by_path = format!("#[path = \"{beside}\"]");
        let named = || all.iter().any(|s| s.raw.contains(&by_path));
        if !declared && !named() {
            dead.push(source.path.clone());
        }
    }
    assert!(dead.is_empty(), "no mod line names {dead:?}");
}

/// The tree stands alone: it names no place on the machine that it was written on.
#[test]
fn nothing_refers_to_a_workplace() {
    let places = [
        concat!("/wo", "rk/"),
        concat!("../sha", "red"),
        concat!("shared/", "reference"),
        concat!("shared/", "design"),
        concat!("/ro", "ot/"),
    ];
    let text = |path: &str| {
        [
            ".rs", ".md", ".toml", ".sh", ".fio", ".txt", ".xml", ".json", "/cmd", "/stdout",
        ]
        .iter()
        .any(|end| path.ends_with(end))
            || path == "justfile"
            || path.starts_with(".ci/")
    };
    let mut problems = Vec::new();
    let found = files("", &text);
    assert!(found.iter().any(|path| path == "README.md"));
    for path in found {
        let content = std::fs::read(root().join(&path)).expect("a listed file can be read");
        let content = String::from_utf8_lossy(&content);
        for (number, line) in content.lines().enumerate() {
            if let Some(place) = places.iter().find(|place| line.contains(**place)) {
                problems.push(format!("{path}:{}: {place}", number + 1));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Each dependency has the reason for it on the line above.
#[test]
fn dependencies_have_reasons() {
    for manifest in ["Cargo.toml", "crates/ioengine/Cargo.toml"] {
        let text = std::fs::read_to_string(root().join(manifest)).expect("a manifest");
        let bare = bare_dependencies(&text);
        assert!(bare.is_empty(), "{manifest}: no reason above {bare:?}");
    }
}

/// Dependencies without a comment above them. `thiserror` in a second manifest and helpers for
/// tests are known from the first.
fn bare_dependencies(manifest: &str) -> Vec<String> {
    let mut bare = Vec::new();
    let (mut inside, mut before) = (false, "");
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies]") && !line.contains("dev-");
        } else if inside && line.contains('=') && !line.starts_with([' ', '#', ']']) {
            let name = line.split(['=', ' ']).next().unwrap_or("");
            if !before.starts_with('#') && name != "thiserror" {
                bare.push(name.to_owned());
            }
        }
        before = line;
    }
    bare
}

#[test]
fn a_dependency_without_a_reason_is_seen() {
    let text = "[dependencies]\n# Why.\na = \"1\"\nb = \"2\"\n[features]\nc = []\n";
    assert_eq!(bare_dependencies(text), ["b"]);
}
