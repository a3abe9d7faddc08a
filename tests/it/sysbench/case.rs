//! One recorded run of the original: its line, what was done before it, what it printed and left.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use crate::util::{self, Dir, Output};

/// Where the recorded cases are.
pub(super) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference/sysbench")
}

/// Files by name: size and permissions.
pub(super) type Files = BTreeMap<String, (u64, u32)>;

/// A recorded run.
pub(super) struct Case {
    pub(super) name: String,
    /// Without the name of the program.
    pub(super) line: String,
    pub(super) setup: Vec<String>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) exit: i32,
    pub(super) files: Files,
}

impl Case {
    /// Reads a case by its name.
    pub(super) fn read(name: &str) -> Self {
        let text = |file| fs::read_to_string(folder().join(name).join(file)).unwrap_or_default();
        let bare = |line: &str| {
            let words = line.trim().strip_prefix("sysbench");
            words.unwrap_or(line).trim().to_owned()
        };
        Self {
            name: name.to_owned(),
            line: bare(&text("cmd")),
            setup: text("setup").lines().map(bare).collect(),
            stdout: text("stdout"),
            stderr: text("stderr"),
            exit: text("exit").trim().parse().expect("an exit code"),
            files: text("files").lines().map(file).collect(),
        }
    }

    /// Runs what was done before, then its line with further words; both by the rules of its
    /// version.
    pub(super) fn run(&self, dir: &Dir, more: &str) -> Output {
        for line in &self.setup {
            self.command(dir, line).expect_code(0);
        }
        self.command(dir, &format!("{} {more}", self.line))
    }

    fn command(&self, dir: &Dir, line: &str) -> Output {
        let mut command = dir.sysbench(line);
        util::run(command.env("IOGAUGE_SYSBENCH", self.version()))
    }

    /// Whose rules hold.
    pub(super) fn version(&self) -> &'static str {
        if self.name.starts_with("v04") {
            "0.4"
        } else {
            "1.0"
        }
    }
}

/// A line of a case's list of files: `test_file.0 4194304 600`.
fn file(line: &str) -> (String, (u64, u32)) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, size, mode] = words[..] else {
        panic!("no file: {line}");
    };
    let mode = u32::from_str_radix(mode, 8).expect("permissions");
    (name.to_owned(), (size.parse().expect("a size"), mode))
}

/// The files of a set that are in a folder.
pub(super) fn files_in(dir: &Dir) -> Files {
    let names = dir.names().into_iter();
    names
        .filter(|name| name.starts_with("test_file."))
        .map(|name| {
            let facts = fs::metadata(dir.join(&name)).expect("our file");
            let mode = facts.permissions().mode() & 0o7777;
            (name, (facts.len(), mode))
        })
        .collect()
}
