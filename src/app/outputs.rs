//! What a batch file is held to before any line of it runs: each line is right, and no output goes
//! where something would be lost. Nothing is changed by looking.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use crate::{
    guard, host,
    personality::{
        Command, Environment, Personality, plain,
        sqlio::batch::{self, Action, Redirection, What},
    },
};

/// Everything that is wrong, for standard error.
pub(super) fn check(
    face: &dyn Personality,
    name: &OsStr,
    actions: &[Action],
    around: &Environment,
) -> Vec<String> {
    let mut used = Used::default();
    if let Ok(path) = batch::place(name, around) {
        used.add(&path, Use::Batch);
    }
    let mut problems = lines(face, name, actions, around, &mut used);
    let probe = guard::System::default();
    for action in actions {
        let Some(path) = action.output.as_ref().and_then(Redirection::path) else {
            continue;
        };
        let reason = used
            .conflict(path, action)
            .or_else(|| guard::output(path, &around.settings.destroy, &probe))
            .or_else(|| {
                let error = try_out(path).err()?;
                Some(format!("{}: {error}", path.display()))
            });
        problems.extend(reason.map(|reason| batch::told(name, Some(action.line), &reason)));
    }
    problems
}

/// Why lines are refused, each seen with what the lines above it write.
fn lines(
    face: &dyn Personality,
    name: &OsStr,
    actions: &[Action],
    around: &Environment,
    used: &mut Used,
) -> Vec<String> {
    let mut around = around.clone();
    let mut problems = Vec::new();
    for action in actions {
        let args = match &action.what {
            What::Run(args) => args,
            What::Write(text) => {
                write(&mut around, action.output.as_ref(), text);
                continue;
            }
        };
        if let Some(path) = batch::parameter_file(args, &around) {
            used.add(&path, Use::Parameters(action.line));
        }
        match face.parse(args, &around) {
            Ok(Command::Run(job)) => {
                for path in job.plan.paths() {
                    used.add(path, Use::Target(action.line));
                }
            }
            Ok(Command::Print { .. }) => {}
            // One line each: the usage would hide the others.
            Err(error) => problems.extend(
                error
                    .messages
                    .iter()
                    .filter(|message| !message.contains('\n'))
                    .map(|message| batch::told(name, Some(action.line), message)),
            ),
        }
    }
    problems
}

/// What a file will hold once this line is written.
fn write(around: &mut Environment, output: Option<&Redirection>, text: &str) {
    let (path, mut bytes) = match output {
        Some(Redirection::Anew(path)) => (path, Vec::new()),
        // What cannot be read is told by the line that needs it.
        Some(Redirection::Append(path)) => (path, around.read(path).unwrap_or_default()),
        Some(Redirection::Nowhere) | None => return,
    };
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b'\n');
    around.pending.insert(plain(path), bytes);
}

/// What a batch file needs a file for; lines are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Batch,
    Parameters(usize),
    Target(usize),
}

/// Files that the lines need, by place and by what the system calls the same.
#[derive(Default)]
struct Used {
    places: BTreeMap<PathBuf, Vec<Use>>,
    things: Vec<(host::Identity, Use)>,
}

impl Used {
    fn add(&mut self, path: &Path, used: Use) {
        self.places.entry(place(path)).or_default().push(used);
        self.things
            .extend(identity(path).map(|thing| (thing, used)));
    }

    /// Why the output of a line may not go there.
    fn conflict(&self, path: &Path, action: &Action) -> Option<String> {
        // A batch may write its parameter files; a report is none.
        let lost = |used: &Use| match used {
            Use::Batch | Use::Target(_) => true,
            Use::Parameters(_) => matches!(action.what, What::Run(_)),
        };
        let thing = identity(path);
        let same_thing = self.things.iter();
        let same_thing = same_thing.filter(|(other, _)| Some(*other) == thing);
        let same_place = self.places.get(&place(path)).into_iter().flatten();
        let used = same_place
            .chain(same_thing.map(|(_, used)| used))
            .find(|used| lost(used))?;
        let what = match used {
            Use::Batch => "the batch file itself".to_owned(),
            Use::Parameters(line) => format!("the parameter file of line {line}"),
            Use::Target(line) => format!("a file that line {line} tests"),
        };
        Some(format!(
            "the output would go to {}, which is {what}: name another file",
            path.display()
        ))
    }
}

fn identity(path: &Path) -> Option<host::Identity> {
    host::look(path).ok()?.identity
}

/// The path without links, as far as it exists.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => plain(path),
    }
}

/// Can it be written? What is there stays as it is, and what is not there is not there afterwards.
fn try_out(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    match options.write(true).create_new(true).open(path) {
        Ok(_) => fs::remove_file(path),
        // Opening a pipe would wait for its reader.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if path.is_file() {
                OpenOptions::new().append(true).open(path)?;
            }
            Ok(())
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::personality::{Files, sqlio::Sqlio};

    /// What is told of a batch whose `@` stands for the folder.
    fn told(folder: &Path, text: &str) -> Vec<String> {
        let name = OsString::from(folder.join("run.cmd"));
        fs::write(&name, text.replace('@', &folder.display().to_string())).unwrap();
        let around = Environment {
            files: Files::SYSTEM,
            ..Environment::default()
        };
        let actions = batch::read(&name, &around).unwrap();
        check(&Sqlio, &name, &actions, &around)
    }

    #[test]
    fn an_output_never_takes_a_file_that_is_needed_or_precious() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("f"), "data").unwrap();
        fs::hard_link(at("f"), at("other")).unwrap();
        fs::write(at("p.txt"), format!("{} 1\n", at("g").display())).unwrap();
        fs::write(at("mail.db"), b"SQLite format 3\0 and more").unwrap();
        for (text, wanted) in [
            ("sqlio -kR @/f > @/f", "line 1: the output would go to"),
            ("sqlio -kR @/f > @/./f", "a file that line 1 tests"),
            ("sqlio -kR @/f >> @/other", "a file that line 1 tests"),
            ("sqlio -kW @/n\nsqlio @/f > @/n", "line 2: the output"),
            ("sqlio -F@/p.txt > @/g", "a file that line 1 tests"),
            ("sqlio -F@/p.txt > @/p.txt", "the parameter file of line 1"),
            ("sqlio @/f > @/run.cmd", "the batch file itself"),
            ("echo x >> @/run.cmd\nsqlio @/f", "line 1: the output"),
            ("echo x > @/f\nsqlio @/f", "a file that line 2 tests"),
            ("sqlio @/f >> @/mail.db", "an SQLite database"),
            ("sqlio @/f > @/none/x", "none/x: No such file"),
            ("sqlio -q @/f > @/x", "-q: there is no such option"),
        ] {
            let told = told(folder.path(), text);
            assert_eq!(told.len(), 1, "{text}: {told:?}");
            assert!(told[0].contains(wanted), "{text}: {told:?}");
            let start = format!("sqlio: --batch {}: line ", at("run.cmd").display());
            assert!(told[0].starts_with(&start), "{told:?}");
        }
        assert!(!at("x").exists() && !at("n").exists());
        assert_eq!(fs::read(at("f")).unwrap(), b"data");
    }

    #[test]
    fn a_parameter_file_may_be_one_that_a_line_above_writes() {
        let folder = tempfile::tempdir().unwrap();
        let good = "echo @/f 2 > @/p.txt\necho @/g 2 0x0 >> @/./p.txt\nsqlio -kR -F@/p.txt\n";
        assert_eq!(told(folder.path(), good), [""; 0]);
        assert!(!folder.path().join("p.txt").exists());
        let bad = "echo @/f 0 > @/p.txt\nsqlio -kR -F@/p.txt\n";
        let problems = told(folder.path(), bad);
        assert!(problems[0].contains("line 2: -F"), "{problems:?}");
        let late = "sqlio -kR -F@/p.txt\necho @/f 2 > @/p.txt\n";
        assert!(told(folder.path(), late)[0].contains("line 1: -F"));
        let lost = "echo @/f 2 > @/p.txt\nsqlio -kR -F@/p.txt > @/f\n";
        assert!(told(folder.path(), lost)[0].contains("a file that line 2 tests"));
    }
}
