//! The recorded command lines, and the surroundings in which they have a plan.

use std::{cell::RefCell, ffi::OsString, fmt, fs, io, path::PathBuf};

use iogauge::{
    host::{Cpu, Machine},
    personality::{DataChoice, Environment, Files, Settings},
};

/// A line as it was recorded.
pub(super) struct Line {
    /// Without the program.
    pub(super) words: Vec<OsString>,
    /// Where its files are, if it has some.
    folder: PathBuf,
}

impl Line {
    /// A line without files of its own.
    pub(super) fn of(words: &[OsString]) -> Self {
        Self {
            words: words.to_vec(),
            folder: PathBuf::new(),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        f.write_str(&words.join(" "))
    }
}

thread_local! {
    static FOLDER: RefCell<PathBuf> = const { RefCell::new(PathBuf::new()) };
}

/// A machine of eight CPUs with every drive, and with the files of the line's own folder. Writes
/// send what the original sent, so that DiskSpd's own lines lose nothing.
pub(super) fn around(line: &Line) -> Environment {
    FOLDER.set(line.folder.clone());
    let mut settings = Settings {
        data: DataChoice::Original,
        ..Settings::default()
    };
    for letter in 'A'..='Z' {
        settings
            .drives
            .insert(letter.to_string(), format!("/mnt/{letter}").into());
    }
    for number in 0..=9 {
        settings
            .drives
            .insert(number.to_string(), format!("/dev/disk{number}").into());
    }
    let cpu = |number| Cpu {
        number,
        socket: 0,
        node: 0,
        core: number,
        class: 0,
    };
    Environment {
        settings,
        machine: Machine {
            cpus: (0..8).map(cpu).collect(),
            usable: (0..8).collect(),
            ..Machine::default()
        },
        clock_seed: 7,
        explaining: true,
        files: Files::with(
            |_| false,
            |path| {
                let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
                let recorded = FOLDER.with_borrow(|folder| folder.join(name));
                // Parameter files that were published without what is in them.
                fs::read(recorded).or_else(|error| match path.extension() {
                    Some(end) if end == "txt" => Ok(b"c:\\testfile.dat 2 0x0 100\r\n".to_vec()),
                    _ => Err(error),
                })
            },
        ),
        ..Environment::default()
    }
}

/// The words of a line as a shell reads it; single and double quotes group.
pub(super) fn shell_words(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut open) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, open) {
            (c, Some(quote)) if c == quote => open = None,
            ('\'' | '"', None) => {
                open = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

/// Every recorded line of a face, whether it runs something or not.
pub(super) fn recorded(face: &str) -> Vec<Line> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/reference")
        .join(face);
    let mut lines = Vec::new();
    let mut take = |text: &str, folder: PathBuf| {
        let mut words = shell_words(text.trim()).into_iter();
        let program = words.next().unwrap_or_default();
        let program = program.to_string_lossy().to_lowercase();
        if program.trim_end_matches(".exe") == face {
            // Echoes of a profile say a load too.
            let format = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("-R"));
            let words = words.filter(|word| face != "diskspd" || !format(word));
            lines.push(Line {
                words: words.collect(),
                folder,
            });
        }
    };
    let mut entries: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the recorded cases")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        let text = |path: &PathBuf| {
            fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        if let Ok(line) = text(&entry.join("cmd")) {
            take(&line, entry);
        } else if let Ok(file) = text(&entry) {
            for line in file.lines() {
                take(line, folder.clone());
            }
        }
    }
    lines
}
