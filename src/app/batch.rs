//! `iogauge sqlio --batch FILE`: the lines of an old batch file, one after the other, each with its
//! output where it was to go.

use std::{
    ffi::{OsStr, OsString},
    fs::{File, OpenOptions},
    io,
    path::Path,
    sync::{Arc, atomic::Ordering},
};

use super::{face, signals, terminal};
use crate::{
    exit::ExitCode,
    personality::{
        Environment, Personality,
        sqlio::batch::{self, Action, Redirection, What},
    },
};

/// The batch file of a line, or what is wrong with it; `None` for a line of its own.
pub(super) fn file<'a>(name: &str, args: &'a [OsString]) -> Option<Result<&'a OsStr, String>> {
    (name == "sqlio").then(|| batch::file(args)).flatten()
}

/// Looks at everything, then runs it. A line that fails does not keep the next one from running; a
/// signal does.
pub(super) fn run(
    face: &dyn Personality,
    file: Result<&OsStr, String>,
    around: &Environment,
) -> ExitCode {
    let refused = ExitCode::Face(face.refused());
    let actions = match file
        .map_err(|problem| vec![format!("sqlio: {problem}")])
        .and_then(|file| batch::read(file, around))
    {
        Ok(actions) => actions,
        Err(problems) => return complain(&problems, refused),
    };
    // Files for output are looked at when nothing else is wrong, for looking makes them.
    for look in [lines, outputs] {
        let problems: Vec<String> = actions
            .iter()
            .flat_map(|action| look(face, action, around))
            .collect();
        if !problems.is_empty() {
            return complain(&problems, refused);
        }
    }
    let interrupt = match signals::interrupt_flag() {
        Ok(flag) => flag,
        Err(error) => {
            terminal::complain(&format!("iogauge: cannot watch for signals: {error}"));
            return ExitCode::Failed;
        }
    };
    let mut worst = ExitCode::Face(0);
    for (index, action) in actions.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            let left = actions.len() - index;
            terminal::complain(&format!("sqlio: interrupted; lines not run: {left}"));
            return refused;
        }
        let around = match output(action.output.as_ref()) {
            Ok(output) => Environment {
                output: output.map(Arc::new),
                ..around.clone()
            },
            Err(problem) => {
                terminal::complain(&at(action, &problem.to_string()));
                worst = refused;
                continue;
            }
        };
        let code = match &action.what {
            What::Run(args) => {
                if !around.settings.quiet {
                    let (number, all) = (index + 1, actions.len());
                    terminal::complain(&format!("[{number}/{all}] {}", line(args)));
                }
                face::run_until(face, args, &around, &interrupt)
            }
            What::Write(text) => {
                let text = format!("{text}\n");
                terminal::show_in(around.output.as_deref(), text.as_bytes(), ExitCode::Face(0))
            }
        };
        if code != ExitCode::Face(0) {
            worst = code;
        }
    }
    worst
}

fn complain(lines: &[String], code: ExitCode) -> ExitCode {
    for line in lines {
        terminal::complain(line);
    }
    code
}

/// Why a line of SQLIO is refused.
fn lines(face: &dyn Personality, action: &Action, around: &Environment) -> Vec<String> {
    match &action.what {
        What::Run(args) => match face.parse(args, around) {
            Ok(_) => Vec::new(),
            Err(error) => error.messages.iter().map(|line| at(action, line)).collect(),
        },
        What::Write(_) => Vec::new(),
    }
}

/// Why an output cannot be written. What is there stays as it is until its line runs.
fn outputs(_: &dyn Personality, action: &Action, _: &Environment) -> Vec<String> {
    let path = action.output.as_ref().and_then(Redirection::path);
    let problem = path.and_then(|path| Some((path, append(path).err()?)));
    problem
        .map(|(path, error)| at(action, &format!("{}: {error}", path.display())))
        .into_iter()
        .collect()
}

fn at(action: &Action, message: &str) -> String {
    format!("line {}: {message}", action.line)
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// The file in place of standard output.
fn output(redirection: Option<&Redirection>) -> io::Result<Option<File>> {
    Ok(match redirection {
        None => None,
        Some(Redirection::Anew(path)) => Some(File::create(path)?),
        Some(Redirection::Append(path)) => Some(append(path)?),
        Some(Redirection::Nowhere) => Some(nowhere()?),
    })
}

/// A file that nobody sees, by the name that this system has for it.
fn nowhere() -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    options.open("/dev/null").or_else(|_| options.open("NUL"))
}

fn line(args: &[OsString]) -> String {
    let mut line = "sqlio".to_owned();
    for arg in args {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::personality::{Files, Settings, sqlio::Sqlio};

    fn around() -> Environment {
        let lookup = |name: &str| match name {
            "IOGAUGE_ENGINE" => Some("sim:read=fixed:1ms,size=1GiB".into()),
            "IOGAUGE_QUIET" => Some("1".into()),
            _ => None,
        };
        Environment {
            settings: Settings::from_variables(&lookup).unwrap(),
            files: Files::SYSTEM,
            ..Environment::default()
        }
    }

    fn batch(folder: &Path, text: &str) -> ExitCode {
        let file = folder.join("test.cmd");
        fs::write(&file, text).unwrap();
        run(&Sqlio, Ok(file.as_os_str()), &around())
    }

    #[test]
    fn each_line_writes_where_it_was_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        fs::write(&b, "before\n").unwrap();
        let (shown_a, shown_b) = (a.display(), b.display());
        let code = batch(
            folder.path(),
            &format!(
                "@echo off\r\nsqlio -kR -s1 -frandom -b8 -LS x.dat > {shown_a}\r\n\
                 echo second >> {shown_b}\r\ncall sqlio.exe -kR -s2 -fsequential x.dat>>{shown_b}\r\n"
            ),
        );
        assert_eq!(code, ExitCode::Face(0));
        let first = fs::read_to_string(a).unwrap();
        assert!(
            first.starts_with("sqlio v1.5.SG\nusing system counter"),
            "{first}"
        );
        assert!(first.contains("\nIOs/sec: "), "{first}");
        let second = fs::read_to_string(b).unwrap();
        assert!(
            second.starts_with("before\nsecond\nsqlio v1.5.SG\n"),
            "{second}"
        );
        assert_eq!(second.matches("CUMULATIVE DATA:").count(), 1);
    }

    #[test]
    fn nothing_runs_where_a_line_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.txt");
        let shown = out.display();
        for wrong in ["sqlio -t0", "del out.txt", "sqlio -Fmissing-file.txt"] {
            let text = format!("sqlio -kR -s1 x.dat > {shown}\n{wrong}\n");
            assert_eq!(batch(folder.path(), &text), ExitCode::Face(1), "{wrong}");
            assert!(!out.exists(), "{wrong}");
        }
        let nowhere = format!("sqlio -kR > {shown}/y.txt\n");
        assert_eq!(batch(folder.path(), &nowhere), ExitCode::Face(1));
    }
}
