//! One recorded run: its command, what it reads, what it printed.

use std::path::{Path, PathBuf};

use crate::util::{self, Dir, Output};

/// Files of a case that are not input of the command.
const RECORD: &[&str] = &["cmd", "stdout", "stderr", "exit", "offsets.tsv", "setup"];

/// Where the recorded cases are.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/diskspd")
}

/// A recorded run.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) exit: i32,
    pub(super) offsets: Option<String>,
}

impl Case {
    /// Reads a case by its name.
    pub(super) fn read(name: &str) -> Self {
        let text = |file: &str| {
            let bytes = std::fs::read(folder().join(name).join(file)).ok()?;
            Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
        };
        let mut words = split_words(&text("cmd").expect("every case has a command"));
        words.remove(0);
        Self {
            name: name.to_owned(),
            words,
            stdout: text("stdout")
                .unwrap_or_default()
                .replace("Command Line: diskspd.exe", "Command Line: diskspd"),
            stderr: text("stderr").unwrap_or_default(),
            exit: text("exit").map_or(0, |exit| exit.trim().parse().expect("an exit code")),
            offsets: text("offsets.tsv"),
        }
    }

    /// Puts what the command reads into `dir`.
    pub(super) fn prepare(&self, dir: &Dir) {
        let from = folder().join(&self.name);
        for entry in std::fs::read_dir(&from).expect("the case").flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            if !RECORD.contains(&file.as_str()) {
                std::fs::copy(entry.path(), dir.join(&file)).expect("an input can be copied");
            }
        }
        let setup = std::fs::read_to_string(from.join("setup")).unwrap_or_default();
        for line in setup.lines() {
            let (file, size) = line.rsplit_once(' ').expect("a name and a size");
            dir.file(file, size.parse().expect("a size"));
        }
    }

    /// Runs its command with ours.
    pub(super) fn run(&self, dir: &Dir) -> Output {
        self.prepare(dir);
        let mut command = dir.iogauge(&["diskspd"]);
        util::run(command.args(&self.words))
    }
}

/// Words separated by blanks; double quotes group; backslashes are ordinary.
pub(super) fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut started) = (Vec::new(), String::new(), false, false);
    for c in line.trim_end_matches('\n').chars() {
        if c == '"' {
            quoted = !quoted;
            started = true;
        } else if c.is_whitespace() && !quoted {
            if started || !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            started = false;
        } else {
            word.push(c);
        }
    }
    if started || !word.is_empty() {
        words.push(word);
    }
    words
}
