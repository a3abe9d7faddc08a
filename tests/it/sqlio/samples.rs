//! Published reports of the original: their command lines again, with a second for the time and
//! small files for the large ones, print the same lines with figures that add up.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
};

use super::report::{problems, shape};
use crate::{
    reference::differences,
    util::{self, Dir},
};

/// MiB of a file whose size nothing else says.
const SIZE_MIB: usize = 16;

/// A published report.
struct Sample {
    words: Vec<String>,
    report: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/sqlio/samples")
}

impl Sample {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the report is recorded");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("# command: "));
        // What stands in parentheses is said of the line.
        let line = line.expect("every report has its line");
        let line = line.split("  ").next().unwrap_or_default();
        let words = line.split_whitespace().skip(1).map(|word| {
            let seconds = word.strip_prefix("-s").unwrap_or("x");
            let is_time = seconds.bytes().all(|byte| byte.is_ascii_digit());
            if is_time { "-s1" } else { word }.to_owned()
        });
        let report = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with('#'));
        Self {
            words: words.collect(),
            report: report.collect(),
        }
    }

    /// What follows `before` in a line of the report, up to `after`.
    fn named(&self, before: &str, after: &str) -> Vec<&str> {
        let rest = self.report.lines().filter_map(|line| {
            let (_, rest) = line.split_once(before)?;
            rest.strip_suffix(after)
                .or_else(|| rest.split_once(after).map(|(name, _)| name))
        });
        rest.collect()
    }

    /// Makes what the report says was there.
    fn prepare(&self, dir: &Dir) {
        for drive in ["E", "G", "I"] {
            fs::create_dir(dir.join(drive)).expect("a folder");
        }
        if let [file] = self.named("parameter file used: ", "")[..] {
            let target = self.named("\tfile ", " with ");
            let threads = self.named(" with ", " threads (");
            let text = format!("{} {} 0x0 {SIZE_MIB}\n", target[0], threads[0]);
            fs::write(dir.join(&place(file)), text).expect("a parameter file");
        }
        for file in self.named(" MB for file: ", "") {
            if !self.report.contains(&format!("expanding {file} ")) {
                dir.file(&place(file), SIZE_MIB << 20);
            }
        }
        if !self.named("needs to be: ", "268435456 bytes").is_empty() {
            let file = File::create(dir.join("testfile.dat")).expect("a file");
            file.set_len(64 * 64 * 65_536).expect("a sparse file");
        }
    }

    fn check(&self) -> Vec<String> {
        let dir = Dir::new();
        self.prepare(&dir);
        let mut command = dir.iogauge(&["sqlio"]);
        command.args(&self.words);
        let drives = ["E", "G", "I"].map(|drive| format!("{drive}={}", dir.join(drive).display()));
        let output = util::run(command.env("IOGAUGE_DRIVES", drives.join(",")));
        let (theirs, mut ours) = (shape(&self.report), shape(&output.stdout));
        if !self.report.starts_with("sqlio") {
            // The page cut the first two lines.
            ours.drain(..ours.len().min(2));
        }
        let mut found = differences(&theirs, &ours);
        let block = self.words.iter().find_map(|word| word.strip_prefix("-b"));
        let kib = block.and_then(|kib| kib.parse().ok());
        found.extend(problems(&output.stdout, kib.expect("each line says -b")));
        if output.code != Some(0) {
            found.push(format!("{output:#?}"));
        }
        found
    }
}

/// Where in the folder the program finds a file of the report.
fn place(name: &str) -> String {
    match name.split_once(':') {
        Some((drive, rest)) => format!("{drive}/{}", rest.trim_start_matches('\\')),
        None => name.to_owned(),
    }
}

#[test]
fn published_reports_are_printed_line_by_line() {
    let _turn = util::busy();
    let mut names: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the published reports")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    names.sort();
    assert_eq!(names.len(), 9, "{names:?}");
    let found: Vec<String> = thread::scope(|scope| {
        let checks: Vec<_> = names
            .iter()
            .map(|path| scope.spawn(move || (path, Sample::read(path).check())))
            .collect();
        let ended = checks
            .into_iter()
            .map(|check| check.join().expect("a check"));
        ended
            .filter(|(_, problems)| !problems.is_empty())
            .map(|(path, problems)| format!("{}:\n  {}", path.display(), problems.join("\n  ")))
            .collect()
    });
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
