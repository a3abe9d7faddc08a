//! Batch files that old tests were started with: which lines run SQLIO, and where the output of
//! each one goes. Everything is read before anything runs; what is not understood is refused.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use super::{
    flags, line,
    parameters::decoded,
    targets,
    words::{self, words},
};
use crate::personality::{
    Environment,
    places::{self, Nowhere},
};
use crate::units::names::escaped;

/// Something that a batch file does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The line that says so, counted from 1.
    pub line: usize,
    /// What it is.
    pub what: What,
    /// Where its output goes instead of standard output.
    pub output: Option<Redirection>,
    /// Standard error goes there too.
    pub errors: bool,
}

/// What a line of a batch file does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Runs SQLIO with these arguments.
    Run(Vec<OsString>),
    /// Writes a line into a file.
    Write(String),
}

/// A file in place of standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirection {
    /// `> file`
    Anew(PathBuf),
    /// `>> file`
    Append(PathBuf),
    /// `> nul`
    Nowhere,
}

/// The option that is no option of the original: `--batch FILE`, and nothing beside it.
///
/// # Errors
/// A sentence, where the option stands without a file or with more than one.
pub fn file(args: &[OsString]) -> Option<Result<&OsStr, String>> {
    let (first, rest) = args.split_first()?;
    if first != "--batch" {
        return None;
    }
    Some(match rest {
        [file] => Ok(file),
        [] => Err("--batch: the name of a batch file must follow".to_owned()),
        [_, more, ..] => Err(format!(
            "--batch takes one batch file, and nothing else: not '{}'",
            more.to_string_lossy()
        )),
    })
}

/// Reads a batch file.
///
/// # Errors
/// What is wrong with it, line by line.
pub fn read(name: &OsStr, around: &Environment) -> Result<Vec<Action>, Vec<String>> {
    let wrong = |problem: &str| vec![told(name, None, problem)];
    let path = place(name, around).map_err(|problem| wrong(&problem))?;
    let bytes = around
        .files
        .read(&path)
        .map_err(|problem| wrong(&format!("the file cannot be read: {problem}")))?;
    // Comments may be of any code page; a line that is used may not.
    let text = decoded(&bytes).unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into_owned());
    let actions = parse(&text, around).map_err(|problems| {
        let lines = problems.iter();
        let told = lines.map(|(number, problem)| told(name, Some(*number), problem));
        told.collect::<Vec<String>>()
    })?;
    if actions.is_empty() {
        return Err(wrong("no line of it runs sqlio"));
    }
    Ok(actions)
}

/// Something about a batch file, or about a line of it, for standard error.
pub fn told(name: &OsStr, line: Option<usize>, sentence: &str) -> String {
    let name = name.to_string_lossy();
    // What a line would say of itself begins with the program's name, which stands in front.
    let sentence = sentence.strip_prefix("sqlio: ").unwrap_or(sentence);
    let line = line.map_or_else(String::new, |number| format!("line {number}: "));
    escaped(&format!("sqlio: --batch {name}: {line}{sentence}"))
}

/// Where a batch file is.
///
/// # Errors
/// A sentence, where its drive is none of this machine.
pub fn place(name: &OsStr, around: &Environment) -> Result<PathBuf, String> {
    match name.to_str() {
        Some(text) => path(text, around),
        None => Ok(PathBuf::from(name)),
    }
}

/// The parameter file that the arguments of a line name, if they name one.
pub fn parameter_file(args: &[OsString], around: &Environment) -> Option<PathBuf> {
    let words = line::words::split(args, around).ok()?;
    let named = words.options.iter().rev().find_map(|option| {
        let flag = flags::find(&option.body).filter(|flag| flag.name == "-F")?;
        Some(option.value(flag))
    })?;
    let place = targets::resolve(OsStr::new(named), around).ok()?;
    Some(place.path)
}

fn path(text: &str, around: &Environment) -> Result<PathBuf, String> {
    if around.machine.drive_letters {
        return Ok(PathBuf::from(text));
    }
    places::file(text, around).map_err(|nowhere| match nowhere {
        Nowhere::Drive(drive) => format!(
            "there is no drive {drive}: here; say which folder it is: IOGAUGE_DRIVES={drive}=."
        ),
        Nowhere::Because(sentence) => sentence,
    })
}

/// What the lines come to, or what is wrong with each.
fn parse(text: &str, around: &Environment) -> Result<Vec<Action>, Vec<(usize, String)>> {
    let mut reader = Reader {
        around,
        variables: BTreeMap::new(),
    };
    let (mut actions, mut problems) = (Vec::new(), Vec::new());
    // Line ends of Windows, Unix and old Macs.
    for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let number = index + 1;
        match reader.line(number, line) {
            Ok(Read::Nothing) => {}
            Ok(Read::Action(action)) => actions.push(action),
            Ok(Read::End) => break,
            Err(problem) => problems.push((number, problem)),
        }
    }
    if problems.is_empty() {
        Ok(actions)
    } else {
        Err(problems)
    }
}

/// What a line comes to.
enum Read {
    Nothing,
    Action(Action),
    End,
}

/// Commands that measure nothing and change nothing.
const PASSED_OVER: &[&str] = &[
    "rem", "timeout", "pause", "cls", "title", "setlocal", "endlocal",
];

struct Reader<'a> {
    around: &'a Environment,
    /// By name in upper case.
    variables: BTreeMap<String, String>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<Read, String> {
        const BLANKS: [char; 4] = [' ', '\t', '\r', '\x1a'];
        let line = line.trim_matches(BLANKS).trim_start_matches('@');
        let end = line
            .find(|c: char| c.is_whitespace() || "./:".contains(c))
            .unwrap_or(line.len());
        let command = line[..end].to_lowercase();
        // Labels and `::` begin with a colon.
        if line.is_empty() || line.starts_with(':') || PASSED_OVER.contains(&command.as_str()) {
            return Ok(Read::Nothing);
        }
        match command.as_str() {
            "echo" => self.echo(number, line, &line[end..]),
            "set" => self.set(line[end..].trim()).map(|()| Read::Nothing),
            "exit" => Ok(Read::End),
            _ => self.command(number, line),
        }
    }

    /// Words for whoever looks on are passed over; those that go into a file are written.
    fn echo(&self, number: usize, line: &str, rest: &str) -> Result<Read, String> {
        if !line.contains('>') {
            return Ok(Read::Nothing);
        }
        let expanded = self.expanded(rest)?;
        let command = words::redirected(&expanded)?;
        let (output, errors) = self.output(command.output.as_ref())?;
        // `echo.` writes an empty line.
        let mut chars = command.text.chars();
        chars.next();
        Ok(match output {
            None => Read::Nothing,
            output => Read::Action(Action {
                line: number,
                what: What::Write(legible(chars.as_str(), &expanded)?),
                output,
                errors,
            }),
        })
    }

    fn set(&mut self, assignment: &str) -> Result<(), String> {
        let unquoted = assignment
            .strip_prefix('"')
            .and_then(|text| text.rsplit_once('"'))
            .map_or(assignment, |(text, _)| text);
        let plain = unquoted
            .split_once('=')
            .filter(|(name, _)| !name.is_empty() && !name.starts_with('/'));
        let Some((name, value)) = plain else {
            return Err(format!(
                "'set {assignment}' is not understood: only set NAME=value is"
            ));
        };
        let value = self.expanded(value)?;
        self.variables.insert(name.to_uppercase(), value);
        Ok(())
    }

    fn command(&self, number: usize, line: &str) -> Result<Read, String> {
        let expanded = self.expanded(line)?;
        let command = words::redirected(&expanded)?;
        let mut words = words(&command.text)?.into_iter().peekable();
        words.next_if(|word| word.eq_ignore_ascii_case("call"));
        let program = words.next().unwrap_or_default();
        if !is_sqlio(&program) {
            return Err(format!(
                "'{program}' is not understood; lines that run sqlio are, with comments, echo, \
                 set, timeout and pause between them"
            ));
        }
        legible("", &expanded)?;
        let (output, errors) = self.output(command.output.as_ref())?;
        Ok(Read::Action(Action {
            line: number,
            what: What::Run(words.map(OsString::from).collect()),
            output,
            errors,
        }))
    }

    /// `%NAME%` is what the batch file has set, `%%` is a per cent sign.
    fn expanded(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('%') {
                out.push('%');
                rest = after;
                continue;
            }
            let Some((name, after)) = after.split_once('%') else {
                let word = after.split_whitespace().next().unwrap_or_default();
                return Err(format!(
                    "'%{word}' is an argument of the batch file, which it does not have here"
                ));
            };
            let value = self.variables.get(&name.to_uppercase()).ok_or_else(|| {
                format!("%{name}% is not set: put 'set {name}=...' above this line")
            })?;
            out.push_str(value);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Where output goes, and whether standard error goes there too.
    fn output(&self, file: Option<&words::File>) -> Result<(Option<Redirection>, bool), String> {
        let Some(file) = file else {
            return Ok((None, false));
        };
        let redirection = if file.name.eq_ignore_ascii_case("nul") {
            Redirection::Nowhere
        } else if file.append {
            Redirection::Append(path(&file.name, self.around)?)
        } else {
            Redirection::Anew(path(&file.name, self.around)?)
        };
        Ok((Some(redirection), file.errors))
    }
}

/// The text, unless the line has characters of another code page: no file is named by a guess.
fn legible(text: &str, line: &str) -> Result<String, String> {
    if line.contains('\u{fffd}') {
        return Err("it is not valid UTF-8".to_owned());
    }
    Ok(text.to_owned())
}

/// `sqlio`, `SQLIO.EXE`, `.\sqlio.exe`, `D:\SQLIO\sqlio`.
pub(super) fn is_sqlio(program: &str) -> bool {
    let base = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let base = base.to_lowercase();
    base.strip_suffix(".exe").unwrap_or(&base) == "sqlio"
}

impl Redirection {
    /// The file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Anew(path) | Self::Append(path) => Some(path),
            Self::Nowhere => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::sqlio::testing::{around, mapped, reference};

    fn actions(text: &str) -> Vec<(usize, String)> {
        let show = |action: Action| {
            let what = match action.what {
                What::Run(args) => {
                    let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
                    words.join("|")
                }
                What::Write(text) => format!("write '{text}'"),
            };
            let output = match action.output {
                None => String::new(),
                Some(Redirection::Nowhere) => " > nul".to_owned(),
                Some(Redirection::Anew(path)) => format!(" > {}", path.display()),
                Some(Redirection::Append(path)) => format!(" >> {}", path.display()),
            };
            (action.line, format!("{what}{output}"))
        };
        let actions = parse(text, &mapped()).unwrap_or_else(|problems| panic!("{problems:?}"));
        actions.into_iter().map(show).collect()
    }

    fn problem(text: &str) -> String {
        let mut problems = parse(text, &around()).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        let (number, problem) = problems.remove(0);
        format!("line {number}: {problem}")
    }

    #[test]
    fn lines_of_sqlio_are_found_among_the_others() {
        let text = "@echo off\r\nrem sqlio -kR\r\n:: sqlio -kW\r\n:again\r\n\r\n\
                    ECHO Testing...\r\nsqlio -kR -s10 >> out.txt\r\ntimeout /T 60\r\n\
                    @call SQLIO.EXE -kW \"-FC:\\My Files\\p.txt\" > D:\\results.txt\r\npause\r\n\
                    .\\sqlio.exe -kR >nul\r\nD:\\SQLIO\\sqlio -t2\r\nexit /b 0\r\ncopy a b\r\n";
        assert_eq!(
            actions(text),
            [
                (7, "-kR|-s10 >> out.txt".to_owned()),
                (
                    9,
                    r"-kW|-FC:\My Files\p.txt > /mnt/d/results.txt".to_owned()
                ),
                (11, "-kR > nul".to_owned()),
                (12, "-t2".to_owned()),
            ]
        );
    }

    #[test]
    fn variables_of_the_batch_are_put_in() {
        let text = "set RUNTIME=60\nset \"Param=c:\\p 1.txt\"\nset OUT=r.txt\n\
                    ECHO Command Line: sqlio -s%RUNTIME% >> %OUT%\necho.>>%out%\n\
                    sqlio -kW -s%runtime% \"-F%PARAM%\" 1>> %OUT%\nsqlio -kR a%%b\n";
        assert_eq!(
            actions(text),
            [
                (4, "write 'Command Line: sqlio -s60' >> r.txt".to_owned()),
                (5, "write '' >> r.txt".to_owned()),
                (6, r"-kW|-s60|-Fc:\p 1.txt >> r.txt".to_owned()),
                (7, "-kR|a%b".to_owned()),
            ]
        );
    }

    #[test]
    fn quotes_around_a_redirection_and_all_line_ends_are_kept() {
        let text = "@echo off\r>> out1.txt sqlio -kR \"-Fmy p.txt\"\r\
                    sqlio -kW > o.txt \"-Fmy p.txt\" 2>&1\recho caf\u{fffd}\r";
        assert_eq!(
            actions(text),
            [
                (2, "-kR|-Fmy p.txt >> out1.txt".to_owned()),
                (3, "-kW|-Fmy p.txt > o.txt".to_owned()),
            ]
        );
        let actions = parse(text, &mapped()).unwrap();
        assert_eq!([actions[0].errors, actions[1].errors], [false, true]);
        let What::Run(args) = &actions[0].what else {
            panic!("{actions:?}");
        };
        assert_eq!(parameter_file(args, &mapped()), Some("my p.txt".into()));
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for (text, what) in [
            ("sqlio -kR\ncopy a b\n", "line 2: 'copy'"),
            ("for %%i in (1 2) do sqlio -t%%i", "'for'"),
            ("goto again", "'goto'"),
            ("sqlio -s%TIME%", "%TIME% is not set"),
            ("sqlio -s%1", "'%1' is an argument"),
            ("sqlio -kR | more", "'|'"),
            ("sqlio -kR & sqlio -kW", "'&'"),
            ("sqlio -kR 2>&1 > a", "'2>'"),
            ("cd /d D:\\SQLIO", "'cd'"),
            ("sqlio -kR\r\rcopy a b", "line 3: 'copy'"),
            ("sqlio -kR > m\u{fffd}.txt", "not valid UTF-8"),
            ("echo a > m\u{fffd}.txt", "not valid UTF-8"),
            ("echo \u{fffd} > m.txt", "not valid UTF-8"),
            ("sqlio -kR 2> a", "'2>'"),
            ("sqlio -kR >", "a file must follow"),
            ("sqlio -kR > e:\\x", "IOGAUGE_DRIVES=E=."),
            ("sqlio \"-kR", "not closed"),
            ("set /p x=y", "only set NAME=value"),
        ] {
            let problem = problem(text);
            assert!(problem.contains(what), "{text}: {problem}");
        }
        let all = parse("a\nb\nsqlio -kR\n", &around()).unwrap_err();
        assert_eq!(all.len(), 2);
    }

    #[test]
    fn the_option_takes_one_file() {
        let args = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(file(&args(&["-kR"])), None);
        assert_eq!(file(&args(&["--batch", "a"])), Some(Ok(OsStr::new("a"))));
        assert!(matches!(file(&args(&["--batch"])), Some(Err(_))));
        assert!(matches!(
            file(&args(&["--batch", "a", "-kR"])),
            Some(Err(_))
        ));
    }

    #[test]
    fn published_lines_are_understood_or_name_what_they_miss() {
        for line in reference("commands.txt").lines() {
            let first = line.split_whitespace().next().unwrap_or_default();
            if !is_sqlio(first) && first != "call" {
                continue;
            }
            match parse(line, &mapped()) {
                Ok(actions) => assert!(matches!(actions[0].what, What::Run(_)), "{line}"),
                Err(problems) => {
                    assert!(
                        line.contains('%') && problems[0].1.contains("is not set"),
                        "{line}"
                    );
                }
            }
        }
    }
}
