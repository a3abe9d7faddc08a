//! A line in words: one line per argument as typed, then what holds for the whole.

use std::ffi::OsString;

use super::{
    flags::Row,
    line::{
        self, Parsed,
        dialect::{self, Because, Decision},
        roles, unreadable,
        values::{self, Size, Value},
        words::{self, Bare, Typed, Word, Words},
    },
    options::{Action, Dialect, IoMode, Mode, Options},
};
use crate::{
    personality::{Environment, Explained, flags::Support},
    units::ByteSize,
};

/// One entry per argument; entries without an argument say what holds for the whole line.
pub(super) fn explain(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let (words, complete) = readable(args, around);
    let decision = dialect::decide(&words, around.settings.sysbench);
    let parsed = line::parse(args, around);
    let options = match &parsed {
        Ok(Parsed::Line(line)) => Some(&line.options),
        _ => None,
    };
    let context = Context {
        words: &words,
        decision: &decision,
        options,
    };
    let mut wrong = false;
    let mut explained: Vec<Explained> = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        let said = match words::classify(index, arg) {
            Err(message) => Err(message),
            Ok((Word::Bare(bare), _)) => Ok(context.word(&bare)),
            Ok((Word::Option(typed), _)) => context.option(&typed),
        };
        wrong |= said.is_err();
        explained.push(Explained {
            argument: words::shown(arg),
            meaning: said.unwrap_or_else(|message| format!("refused: {message}")),
        });
    }
    let mut whole = vec![rules(&decision)];
    match &parsed {
        Ok(Parsed::Line(line)) => whole.extend(together(&line.options)),
        Ok(Parsed::Print { .. }) => {}
        // What was said of an argument is not said again.
        Err(_) if wrong && complete => {}
        Err(problem) => match owner(problem, &words) {
            Some(index) => explained[index].meaning = refusal(problem),
            None => whole.push(refusal(problem)),
        },
    }
    explained.extend(whole.into_iter().map(|meaning| Explained {
        argument: String::new(),
        meaning,
    }));
    explained
}

/// The words of the arguments that are any, and whether that is all of them.
fn readable(args: &[OsString], around: &Environment) -> (Words, bool) {
    if let Ok(words) = words::split(args, around) {
        return (words, true);
    }
    let mut words = Words::default();
    for (index, arg) in args.iter().enumerate() {
        match words::classify(index, arg) {
            Ok((Word::Option(typed), _)) => words.options.push(typed),
            Ok((Word::Bare(bare), _)) => words.bare.push(bare),
            Err(_) => {}
        }
    }
    (words, false)
}

/// The argument that a refusal is about: its option is the first word of what would be right.
fn owner(problem: &line::Refused, words: &Words) -> Option<usize> {
    let name = |line: &String| {
        let text = line.strip_prefix("--")?;
        text.split([' ', '=', ':']).next().map(str::to_owned)
    };
    let name = problem.err.iter().find_map(name)?;
    words.last(&name).map(|typed| typed.index)
}

fn refusal(problem: &line::Refused) -> String {
    // The first line on standard output that says why, and what stands on standard error.
    let fatal = problem
        .out
        .lines()
        .find_map(|line| line.strip_prefix("FATAL: "));
    let lines: Vec<&str> = fatal
        .into_iter()
        .chain(problem.err.iter().map(String::as_str))
        .filter(|line| !line.starts_with("WARNING: "))
        .collect();
    format!("refused: {}", lines.join("; "))
}

fn rules(decision: &Decision) -> String {
    let version = match decision.dialect {
        Dialect::V04 => "0.4",
        Dialect::V10 => "1.0",
    };
    let other = match decision.dialect {
        Dialect::V04 => "1.0",
        Dialect::V10 => "0.4",
    };
    match &decision.because {
        Because::Asked => format!("the rules are those of {version}, as IOGAUGE_SYSBENCH says"),
        Because::Option(option) => format!(
            "the rules are those of {version}, because of {option}; IOGAUGE_SYSBENCH={other} takes \
             the other ones"
        ),
        Because::Default => format!(
            "the rules are those of {version}: no option is of {other} alone; \
             IOGAUGE_SYSBENCH={other} takes the other ones"
        ),
    }
}

/// What options come to together, where it may surprise.
fn together(options: &Options) -> Vec<String> {
    let file = &options.file;
    let Some(mode) = file.mode.filter(|_| options.action == Action::Run) else {
        return Vec::new();
    };
    let mut said = Vec::new();
    let old = options.dialect == Dialect::V04;
    let rounds = mode.writes() && file.fsync_freq > 0 && !(old && mode.sequential());
    if rounds {
        said.push(format!(
            "each round of fsync covers all {} files, after every {} requests (reads count): the \
             number of files changes the result",
            file.count, file.fsync_freq
        ));
        said.push(if old {
            "the latency is that of reads and writes; the rounds are in no latency".to_owned()
        } else {
            "each fsync of a round is an event: it uses up --events and is in the same latency as \
             reads and writes"
                .to_owned()
        });
    } else if file.fsync_freq > 0 && !mode.writes() {
        said.push("nothing is written, so there is no fsync".to_owned());
    }
    if mode.writes() && file.fsync_end {
        said.push(if old {
            format!(
                "at the end all {} files are synced once, but not after a time limit",
                file.count
            )
        } else {
            let calls = u64::from(file.count) * u64::from(options.threads);
            format!("at the end every thread syncs every file: {calls} calls")
        });
    }
    if mode.sequential() && old {
        said.push(
            "the run ends after one pass over all files, whatever --max-requests says".into(),
        );
    }
    if !file.flags.direct || file.io_mode == IoMode::Mmap {
        said.push(
            "files are read and written through the page cache: what fits into memory measures \
             memory (--file-extra-flags=direct goes past it)"
                .to_owned(),
        );
    }
    said
}

/// The line around an argument.
struct Context<'a> {
    words: &'a Words,
    decision: &'a Decision,
    options: Option<&'a Options>,
}

impl Context<'_> {
    fn word(&self, bare: &Bare) -> String {
        let dialect = self.decision.dialect;
        if roles::is_command(&bare.text, dialect) {
            let count = self.options.map(|options| {
                let file = &options.file;
                (file.count, size(file.file_size()))
            });
            return match (bare.text.as_str(), count) {
                ("prepare", Some((count, size))) => {
                    format!("command: makes {count} files of {size}")
                }
                ("run", Some((count, size))) => {
                    format!("command: puts load on {count} files of {size}")
                }
                ("cleanup", Some((count, _))) => format!("command: removes {count} files"),
                (word, _) => format!("command: {word}"),
            };
        }
        if bare.text == "fileio" {
            return "test: files in the current folder".to_owned();
        }
        format!(
            "refused: '{}' is neither fileio nor a command",
            words::escaped(&bare.text)
        )
    }

    fn option(&self, typed: &Typed) -> Result<String, String> {
        let row = line::known(&typed.name, self.decision)
            .ok_or_else(|| "there is no such option; sysbench --help lists them".to_owned())?;
        let (value, unread) = values::read(row, typed, self.decision.dialect)
            .map_err(|wrong| unreadable(typed, &wrong).join("; "))?;
        let mut text = meaning(row, &value);
        if let Some(unread) = unread {
            text = format!("{text}; {unread}");
        }
        if row.flag.support == Support::WithoutEffect {
            text = format!("{text}; no effect here: {}", row.flag.mapping);
        } else if let Some(because) = self.without_effect(row) {
            text = format!("{text}; no effect on this line: {because}");
        }
        let later = self.words.last(&typed.name);
        if let Some(later) = later.filter(|later| later.index > typed.index) {
            text = format!("{text}; replaced by {} behind it", later.shown);
        }
        Ok(text)
    }

    /// The number that counts for an option, where it is there.
    fn number(&self, name: &str) -> Option<i64> {
        let typed = self.words.last(name)?;
        let row = line::known(name, self.decision)?;
        match values::read(row, typed, self.decision.dialect) {
            Ok((Value::Number(number), _)) => Some(number),
            _ => None,
        }
    }

    /// Of two names of one number 1.0 takes the older one if it is above a limit, else the newer.
    fn passed_over(&self, name: &str) -> Option<&'static str> {
        let (older, idle) = match name {
            "threads" | "num-threads" => ("num-threads", 1),
            "events" | "max-requests" => ("max-requests", 0),
            "time" | "max-time" => ("max-time", 0),
            "rate" | "tx-rate" => ("tx-rate", 0),
            _ => return None,
        };
        let counts = self.number(older)? > idle;
        match (name == older, counts) {
            (true, false) => Some("1.0 takes no notice of the older name with this value"),
            (false, true) => Some("the older name on this line wins over it"),
            _ => None,
        }
    }

    /// Why an option changes nothing on this line.
    fn without_effect(&self, row: &Row) -> Option<&'static str> {
        let options = self.options?;
        if options.dialect == Dialect::V10
            && let Some(because) = self.passed_over(row.bare_name())
        {
            return Some(because);
        }
        let file = &options.file;
        let mode = file.mode.filter(|_| options.action == Action::Run);
        let old = options.dialect == Dialect::V04;
        match (row.bare_name(), mode) {
            (name, None) if name.starts_with("file-") => match name {
                "file-num" | "file-total-size" => None,
                "file-block-size" | "file-extra-flags" if options.action == Action::Prepare => None,
                _ => Some("it is for runs"),
            },
            ("file-rw-ratio", Some(mode)) if mode != Mode::RndRw => Some("it is for rndrw"),
            ("file-merged-requests", Some(mode)) if !mode.sequential() => {
                Some("it is for sequential modes")
            }
            ("file-async-backlog", Some(_)) if file.io_mode != IoMode::Async => {
                Some("it is for --file-io-mode=async")
            }
            ("file-extra-flags", Some(_)) if file.io_mode == IoMode::Mmap => {
                Some("a mapping goes through the page cache")
            }
            ("file-fsync-freq" | "file-fsync-end", Some(_)) if file.fsync_all => {
                Some("--file-fsync-all leaves no other fsync")
            }
            ("max-requests", Some(mode)) if old && mode.sequential() => {
                Some("the run ends after one pass")
            }
            _ => None,
        }
    }
}

fn size(bytes: u64) -> String {
    let text = ByteSize(bytes).to_string();
    match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(unit) => format!("{} {}", &text[..unit], &text[unit..]),
        None => format!("{text} bytes"),
    }
}

/// An option with its value, in words; what needs no other words is said as in help.
fn meaning(row: &Row, value: &Value) -> String {
    resolved(row.bare_name(), value).unwrap_or_else(|| row.flag.meaning.to_owned())
}

fn resolved(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => of_number(name, *number),
        Value::Size(Size::Bytes(bytes)) if *bytes > 0 => Some(match name {
            "file-total-size" => format!("{} in all files together", size(*bytes)),
            "file-block-size" => format!("each request is {}", size(*bytes)),
            _ => return None,
        }),
        Value::Switch(on) => of_switch(name, *on),
        Value::Float(ratio) if name == "file-rw-ratio" && *ratio >= 0.0 => {
            Some(format!("{ratio} reads for each write"))
        }
        Value::List(list) if name == "file-extra-flags" => Some(of_flags(list)),
        Value::Text(text) => of_text(name, text),
        _ => None,
    }
}

fn of_number(name: &str, number: i64) -> Option<String> {
    let or_none = |none: &str, some: String| match number {
        0 => none.to_owned(),
        _ => some,
    };
    if number < 0 {
        return None;
    }
    Some(match name {
        "threads" | "num-threads" => format!("{number} threads draw from one sequence"),
        "events" => or_none("no limit of events", format!("ends after {number} events")),
        "max-requests" => or_none(
            "no limit of requests",
            format!("ends after {number} requests"),
        ),
        "time" | "max-time" => or_none("no limit of time", format!("ends after {number} s")),
        "warmup-time" => format!("{number} s of load before the measured time"),
        "rate" | "tx-rate" => or_none(
            "as fast as possible",
            format!("{number} events a second over all threads; latency includes the wait"),
        ),
        "report-interval" => or_none("no figures meanwhile", format!("figures every {number} s")),
        "percentile" => or_none(
            "no percentile of latency",
            format!("the report has the {number} % percentile of latency"),
        ),
        "rand-seed" | "seed-rng" => or_none(
            "offsets begin with the clock",
            format!("offsets begin with seed {number}"),
        ),
        "file-num" => format!("{number} files, test_file.0 and on"),
        "file-async-backlog" => format!("each thread has {number} requests in flight"),
        "file-fsync-freq" => or_none(
            "no rounds of fsync",
            format!("a round of fsync over all files after every {number} requests"),
        ),
        "file-merged-requests" => or_none(
            "each request is one block",
            format!("each sequential request is {number} blocks"),
        ),
        _ => return None,
    })
}

fn of_switch(name: &str, on: bool) -> Option<String> {
    let (yes, no) = match name {
        "file-fsync-all" => ("fsync after each write", "no fsync after each write"),
        "file-fsync-end" => ("fsync of all files at the end", "no fsync at the end"),
        "validate" => ("blocks are checked", "blocks are not checked"),
        "histogram" => ("all latencies as a histogram", "no histogram"),
        "init-rng" | "rand-init" => (
            "offsets begin with the clock",
            "the same offsets in every run, by the rules of 0.4",
        ),
        _ => return None,
    };
    Some(if on { yes } else { no }.to_owned())
}

fn of_flags(list: &[String]) -> String {
    if list.is_empty() {
        return "through the page cache".to_owned();
    }
    let words = list.iter().map(|word| match word.as_str() {
        "sync" => "a write is done when data and metadata are on stable storage (O_SYNC)".into(),
        "dsync" => "a write is done when data is on stable storage (O_DSYNC)".into(),
        "direct" => "past the page cache (O_DIRECT)".into(),
        other => format!("refused: '{}' is no flag", words::escaped(other)),
    });
    words.collect::<Vec<String>>().join(", ")
}

fn of_text(name: &str, text: &str) -> Option<String> {
    Some(match (name, text) {
        ("test", "fileio") => "test: files in the current folder".to_owned(),
        ("file-test-mode", "seqwr") => "writes new files from start to end".to_owned(),
        ("file-test-mode", "seqrewr") => "writes the files from start to end".to_owned(),
        ("file-test-mode", "seqrd") => "reads the files from start to end".to_owned(),
        ("file-test-mode", "rndrd") => "reads at random".to_owned(),
        ("file-test-mode", "rndwr") => "writes at random".to_owned(),
        ("file-test-mode", "rndrw") => "reads and writes at random".to_owned(),
        ("file-io-mode", "sync") => "one call for each request".to_owned(),
        ("file-io-mode", "async") => "several requests in flight".to_owned(),
        ("file-io-mode", "mmap") => "through mappings".to_owned(),
        ("file-fsync-mode", "fdatasync") => "fdatasync in place of fsync".to_owned(),
        ("forced-shutdown", "off") => "threads are waited for, however long".to_owned(),
        _ => return None,
    })
}

/// Every option has words of its own or those of help.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::sysbench::{
        flags,
        lines::{args, around},
    };

    fn said(line: &str) -> Vec<(String, String)> {
        explain(&args(line), &around(None))
            .into_iter()
            .map(|entry| (entry.argument, entry.meaning))
            .collect()
    }

    #[test]
    fn values_are_resolved_for_this_line() {
        for (line, meaning) in [
            ("--file-num=4 fileio prepare", "4 files, test_file.0 and on"),
            (
                "--file-block-size=4K fileio --file-test-mode=rndrd run",
                "each request is 4 KiB",
            ),
            (
                "--events=10 --events=20 fileio --file-test-mode=rndrd run",
                "ends after 10 events; replaced by --events=20 behind it",
            ),
            (
                "--file-rw-ratio=3 fileio --file-test-mode=rndrd run",
                "3 reads for each write; no effect on this line: it is for rndrw",
            ),
            (
                "--max-requests=50 --test=fileio --file-test-mode=seqrd run",
                "ends after 50 requests; no effect on this line: the run ends after one pass",
            ),
        ] {
            assert_eq!(said(line)[0].1, meaning, "{line}");
        }
        let words = said("fileio --file-num=4 --file-total-size=16M prepare");
        assert_eq!(words[3].1, "command: makes 4 files of 4 MiB");
    }

    #[test]
    fn what_is_wrong_is_said_in_its_line() {
        for (line, what) in [
            ("--foo fileio run", "refused: there is no such option"),
            ("--threads=abc fileio run", "refused: Invalid value"),
            (
                "--file-fsync-end=maybe fileio run",
                "refused: Invalid value",
            ),
            ("start --test=fileio", "refused: 'start' is neither"),
        ] {
            assert!(said(line)[0].1.starts_with(what), "{:?}", said(line));
        }
        let whole = said("fileio --file-num=0 prepare");
        assert!(
            whole[1]
                .1
                .starts_with("refused: Invalid value for file-num: 0")
        );
        let beside = said("--test=fileio --threads=3 --num-threads=4 --max-time=0 prepare");
        let idle = |at: usize| beside[at].1.contains("no effect on this line: ");
        assert!(idle(1) && !idle(2) && idle(3), "{beside:?}");
    }

    #[test]
    fn rounds_and_rules_are_told() {
        let whole = said("--test=fileio --file-test-mode=rndrw --max-time=9 run");
        let text: Vec<&str> = whole[4..]
            .iter()
            .map(|(_, meaning)| meaning.as_str())
            .collect();
        assert!(text[0].contains("those of 0.4, because of --test=fileio"));
        assert!(text[1].contains("all 128 files, after every 100 requests"));
        let whole = said("fileio --threads=4 --file-num=4 --file-test-mode=rndwr run");
        let told = |what: &str| whole.iter().any(|(_, meaning)| meaning.contains(what));
        assert!(
            told("those of 1.0, because of --threads=4") && told("16 calls"),
            "{whole:?}"
        );
    }

    #[test]
    fn every_option_is_explained() {
        for row in flags::rows() {
            let line = format!("{}=1 fileio prepare", row.flag.name);
            let whole = said(&line);
            assert!(whole[0].1.len() > 3, "{line}");
        }
    }
}
