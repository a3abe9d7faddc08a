//! `iogauge sqlio --batch FILE`: the lines of an old batch file, one after the other, each with its
//! output where it was to go.

use std::{
    ffi::{OsStr, OsString},
    fs::{File, OpenOptions},
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{face, outputs, signals, terminal};
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
/// signal does, and so does a file that could not be written for later lines.
pub(super) fn run(
    face: &dyn Personality,
    file: Result<&OsStr, String>,
    around: &Environment,
) -> ExitCode {
    let refused = ExitCode::Face(face.refused());
    let checked = file
        .map_err(|problem| vec![format!("sqlio: {problem}")])
        .and_then(|name| Ok((name, batch::read(name, around)?)))
        .and_then(|(name, actions)| {
            let problems = outputs::check(face, name, &actions, around);
            if problems.is_empty() {
                Ok((name, actions))
            } else {
                Err(problems)
            }
        });
    match checked {
        Ok((name, actions)) => match signals::interrupt_flag() {
            Ok(interrupt) => run_all(face, name, &actions, around, &interrupt),
            Err(error) => {
                terminal::complain(&format!("iogauge: cannot watch for signals: {error}"));
                ExitCode::Failed
            }
        },
        Err(problems) => {
            for line in &problems {
                terminal::pass_on(line);
            }
            refused
        }
    }
}

fn run_all(
    face: &dyn Personality,
    name: &OsStr,
    actions: &[Action],
    around: &Environment,
    interrupt: &AtomicBool,
) -> ExitCode {
    let refused = ExitCode::Face(face.refused());
    let mut worst = ExitCode::Face(0);
    for (index, action) in actions.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            let left = actions.len() - index;
            terminal::pass_on(&format!("sqlio: interrupted; lines not run: {left}"));
            return refused;
        }
        let writes = matches!(action.what, What::Write(_));
        let code = match output(action.output.as_ref()) {
            Ok(output) => {
                let around = Environment {
                    output: output.map(Arc::new),
                    errors_in_output: action.errors,
                    ..around.clone()
                };
                if !writes && !around.settings.quiet {
                    let (number, all) = (index + 1, actions.len());
                    terminal::pass_on(&format!("[{number}/{all}] {}", line(action)));
                }
                carry_out(face, action, &around, interrupt)
            }
            Err(problem) => {
                let path = action.output.as_ref().and_then(Redirection::path);
                let shown = path.unwrap_or(Path::new("nul")).display();
                let problem = format!("{shown}: {problem}");
                terminal::pass_on(&batch::told(name, Some(action.line), &problem));
                refused
            }
        };
        if code != ExitCode::Face(0) {
            worst = code;
            // Later lines may read what was to be written, and would load other files than was checked.
            let left = actions.len() - index - 1;
            if writes && left > 0 {
                terminal::pass_on(&format!("sqlio: lines not run: {left}"));
                return worst;
            }
        }
    }
    worst
}

fn carry_out(
    face: &dyn Personality,
    action: &Action,
    around: &Environment,
    interrupt: &AtomicBool,
) -> ExitCode {
    match &action.what {
        What::Run(args) => face::run_until(face, args, around, interrupt),
        What::Write(text) => {
            let text = format!("{text}\n");
            terminal::show_in(around.output.as_deref(), text.as_bytes(), ExitCode::Face(0))
        }
    }
}

/// The file in place of standard output.
fn output(redirection: Option<&Redirection>) -> io::Result<Option<File>> {
    Ok(match redirection {
        None => None,
        Some(Redirection::Anew(path)) => Some(File::create(path)?),
        Some(Redirection::Append(path)) => {
            let mut options = OpenOptions::new();
            Some(options.create(true).append(true).open(path)?)
        }
        Some(Redirection::Nowhere) => Some(nowhere()?),
    })
}

/// A file that nobody sees, by the name that this system has for it.
fn nowhere() -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    options.open("/dev/null").or_else(|_| options.open("NUL"))
}

fn line(action: &Action) -> String {
    let mut line = "sqlio".to_owned();
    if let What::Run(args) = &action.what {
        for arg in args {
            line.push(' ');
            line.push_str(&arg.to_string_lossy());
        }
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
        let nowhere = format!("sqlio -kR > {shown}\nsqlio -kR > {shown}/y.txt\n");
        assert_eq!(batch(folder.path(), &nowhere), ExitCode::Face(1));
        assert!(!out.exists());
    }

    #[test]
    fn standard_error_goes_to_the_file_where_the_line_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.txt");
        let shown = out.display();
        for (errors, count) in [("", 0), (" 2>&1", 1)] {
            let text = format!("sqlio -D1 -kR -s1 -frandom -b8 x.dat > {shown}{errors}\n");
            assert_eq!(batch(folder.path(), &text), ExitCode::Face(0));
            let out = fs::read_to_string(&out).unwrap();
            assert_eq!(out.matches("WARNING: ").count(), count, "{out}");
        }
    }
}
