//! Every recorded run of the original DiskSpd against ours: echoes to the letter, rejections by
//! exit code and stream, offset sequences to the letter, reports by shape and arithmetic.

mod case;
pub(crate) mod shape;
mod traced;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::{Mutex, atomic::AtomicUsize, atomic::Ordering},
    thread,
};

use case::{Case, folder, split_words};

use crate::{
    parsed::Report,
    util::{self, Dir, Output},
};

/// Where we differ from the original on purpose, with the reason; what we do instead has a test
/// below.
const ON_PURPOSE: &[(&str, &str)] = &[
    (
        "e-B-beyond",
        "refused, instead of a run with an underflowed size",
    ),
    (
        "e-endash",
        "typographic dashes are accepted with a warning, since articles print them",
    ),
    (
        "r-F",
        "each slot uses its own target; the original sends all I/O to the first",
    ),
    ("t-F2-multi", "as r-F"),
];

/// Names of the cases with a prefix.
fn cases(prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the recorded cases")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(prefix))
        .collect();
    names.sort();
    names
}

/// What is wrong with our answer to a case; empty if nothing is.
type Check = fn(&Case, &Dir) -> Vec<String>;

/// Runs `check` over cases, several at a time, and fails with all that differ.
fn check_all(names: &[String], check: Check) {
    assert!(!names.is_empty(), "no recorded cases");
    let _turn = util::busy();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A second of load on a machine that stalls for as long says nothing: what
                    // differs twice differs.
                    let problems = check_one(name, check).and_then(|_| check_one(name, check));
                    if let Some(problems) = problems {
                        failed
                            .lock()
                            .expect("no check panics with it")
                            .insert(name, problems);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no check panics with it");
    let mut text = String::new();
    for (name, problems) in &failed {
        let line = Case::read(name).words.join(" ");
        let _ = writeln!(
            text,
            "\n{name}: diskspd {line}\n  {}",
            problems.join("\n  ")
        );
    }
    assert!(failed.is_empty(), "{} cases differ:\n{text}", failed.len());
}

/// The problems of one case, the lists of exceptions applied.
fn check_one(name: &str, check: Check) -> Option<Vec<String>> {
    if ON_PURPOSE.iter().any(|(known, _)| *known == name) {
        return None;
    }
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    if (name == "e-a-sys" && cpus > 5) || (name == "r-a" && cpus < 2) {
        util::skip(&format!("{name} does not fit a machine with {cpus} CPUs"));
        return None;
    }
    let problems = check(&Case::read(name), &Dir::new());
    (!problems.is_empty()).then_some(problems)
}

/// The first lines in which two texts differ.
pub(crate) fn differences(want: &[impl AsRef<str>], got: &[impl AsRef<str>]) -> Vec<String> {
    let mut problems = Vec::new();
    for i in 0..want.len().max(got.len()) {
        let (want, got) = (want.get(i), got.get(i));
        let (want, got) = (want.map(AsRef::as_ref), got.map(AsRef::as_ref));
        if want != got {
            problems.push(format!("line {}: original {want:?}", i + 1));
            problems.push(format!("line {}: ours     {got:?}", i + 1));
            if problems.len() >= 8 {
                break;
            }
        }
    }
    problems
}

/// Exit code, and that complaints go where the original's went.
fn manners(case: &Case, output: &Output) -> Vec<String> {
    let mut problems = Vec::new();
    if output.code != Some(case.exit) {
        problems.push(format!(
            "exit: original {}, ours {:?}: {}",
            case.exit,
            output.code,
            output.stderr.trim()
        ));
    }
    if !case.stderr.trim().is_empty() && output.stderr.trim().is_empty() {
        problems.push("nothing on standard error where the original says something".to_owned());
    }
    problems
}

/// An echo: standard output to the letter.
fn echo(case: &Case, dir: &Dir) -> Vec<String> {
    let before = {
        case.prepare(dir);
        dir.names()
    };
    let output = case.run(dir);
    let mut problems = manners(case, &output);
    let lines = |text: &str| -> Vec<String> {
        text.split('\n')
            // Lost by the original when it writes a profile.
            .filter(|line| line.trim() != "<RandomWriteData>true</RandomWriteData>")
            .map(|line| uptime_masked(line, &case.words))
            .collect()
    };
    problems.extend(differences(&lines(&case.stdout), &lines(&output.stdout)));
    if dir.names() != before {
        problems.push(format!("an echo made files: {:?}", dir.names()));
    }
    problems
}

/// A bare `-z` is the machine's uptime.
fn uptime_masked(line: &str, words: &[String]) -> String {
    let seed = ["random seed:", "<RandSeed>"];
    if words.iter().any(|word| word == "-z") && seed.iter().any(|label| line.contains(label)) {
        shape::mask(&line.replace("<RandSeed>", "<RandSeed> "))
    } else {
        line.to_owned()
    }
}

/// A run or a failure at run time: the report's shape and arithmetic.
fn report(case: &Case, dir: &Dir) -> Vec<String> {
    let output = case.run(dir);
    let mut problems = manners(case, &output);
    if case.stdout.starts_with("<Results>") {
        if !output.stdout.starts_with("<Results>\n") || output.stdout.ends_with('\n') {
            problems.push("the XML does not begin with its first line, or ends in one".to_owned());
        }
        problems.extend(differences(
            &xml_shape(&case.stdout),
            &xml_shape(&output.stdout),
        ));
        return problems;
    }
    problems.extend(differences(
        &shape::of(&case.stdout),
        &shape::of(&output.stdout),
    ));
    let one_span = case.stdout.matches("Results for timespan").count() == 1;
    if case.exit == 0 && one_span && problems.is_empty() {
        let ours = Report::parse(&output.stdout);
        problems.extend(shape::arithmetic(&ours, block_size(&case.stdout)));
        let theirs = Report::parse(&case.stdout);
        for (kind, ours, theirs) in [
            ("reads", &ours.read, &theirs.read),
            ("writes", &ours.write, &theirs.write),
        ] {
            if (theirs.total.ios > 0) != (ours.total.ios > 0) {
                problems.push(format!("the original has {} {kind}", theirs.total.ios));
            }
        }
    }
    problems
}

/// The lines of an XML report. Of the total latency of each thread's target, the original prints
/// nothing although its reads and writes have theirs: its histogram was closed before it was
/// filled. We print it.
fn xml_shape(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut thread = false;
    for line in text.lines() {
        match line.trim() {
            "<Thread>" => thread = true,
            "</Thread>" => thread = false,
            "<RandomWriteData>true</RandomWriteData>" => continue,
            tag if thread => {
                let missing = ["<AverageLatencyMilliseconds>", "<LatencyStdev>"];
                if missing.iter().any(|name| tag.starts_with(name)) {
                    continue;
                }
            }
            _ => {}
        }
        lines.push(xml_line(line));
    }
    lines
}

/// A line of an XML report: numbers masked but in the profile's lines, which never hold decimals.
fn xml_line(line: &str) -> String {
    let machine = [
        "<ComputerName>",
        "<RunTime>",
        "<PowerScheme ",
        "<Version",
        "<Processor",
    ];
    let tag = line.trim_start();
    if let Some(known) = machine.iter().find(|known| tag.starts_with(**known)) {
        return (*known).to_owned();
    }
    shape::mask(&line.replace(['>', '<', '"'], " "))
}

/// The block size that a report echoes, where all targets have the same whole one.
fn block_size(report: &str) -> Option<u64> {
    let sizes: BTreeSet<&str> = report
        .lines()
        .filter_map(|line| line.trim().strip_prefix("block size: "))
        .collect();
    let [size] = sizes.into_iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    let unit = size
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(size.len());
    let number: u64 = size[..unit].parse().ok()?;
    match &size[unit..] {
        "" => Some(number),
        "KiB" => Some(number << 10),
        "MiB" => Some(number << 20),
        _ => None,
    }
}

/// A rejection: exit code 3 and a complaint, both on the right stream.
fn rejection(case: &Case, dir: &Dir) -> Vec<String> {
    let output = case.run(dir);
    let mut problems = manners(case, &output);
    if case.stdout.trim().is_empty() && !output.stdout.trim().is_empty() {
        problems.push("a rejection prints on standard output".to_owned());
    }
    if output.stderr.trim().is_empty() {
        problems.push("a rejection says nothing".to_owned());
    }
    problems
}

/// The offsets that `explain` lists, thread by thread, to the letter.
fn offsets(case: &Case, dir: &Dir) -> Vec<String> {
    case.prepare(dir);
    let mut command = dir.iogauge(&["explain", "--offsets", "120", "--", "diskspd"]);
    let output = util::run(command.args(&case.words));
    let want = case.offsets.as_deref().unwrap_or_default();
    if output.code != Some(0) {
        return vec![format!("exit {:?}: {}", output.code, output.stderr.trim())];
    }
    if case.name == "t-si-t2" {
        // How the shared cursor's offsets fall to threads is a race: compare their union.
        return differences(&union(want), &union(&output.stdout));
    }
    let (want, got) = (by_thread(want), by_thread(&output.stdout));
    let lines = |threads: &BTreeMap<String, Vec<String>>| -> Vec<String> {
        threads
            .iter()
            .flat_map(|(thread, rows)| rows.iter().map(move |row| format!("{thread}: {row}")))
            .collect()
    };
    let mut problems = differences(&lines(&want), &lines(&got));
    if want.values().all(Vec::is_empty) {
        problems.push("the record is empty".to_owned());
    }
    problems
}

/// The first 120 rows of each thread.
fn by_thread(table: &str) -> BTreeMap<String, Vec<String>> {
    let mut threads: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        if let Some((thread, row)) = line.split_once('\t') {
            let rows = threads.entry(thread.to_owned()).or_default();
            if rows.len() < 120 {
                rows.push(row.to_owned());
            }
        }
    }
    threads
}

fn union(table: &str) -> Vec<String> {
    let offsets: BTreeSet<&str> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.rsplit('\t').next())
        .collect();
    offsets.into_iter().map(str::to_owned).collect()
}

fn with_exit(prefix: &str, wanted: impl Fn(i32) -> bool) -> Vec<String> {
    let names = cases(prefix).into_iter();
    names.filter(|name| wanted(Case::read(name).exit)).collect()
}

#[test]
fn text_echoes_are_the_originals_to_the_letter() {
    check_all(&with_exit("p-", |exit| exit == 0), echo);
    check_all(&with_exit("c-", |exit| exit == 0), echo);
}

#[test]
fn xml_echoes_are_the_originals_to_the_letter() {
    check_all(&cases("px-"), echo);
}

#[test]
fn what_the_original_rejects_is_rejected() {
    let all: Vec<String> = ["e-", "c-", "p-"]
        .iter()
        .flat_map(|prefix| with_exit(prefix, |exit| exit == 3))
        .collect();
    check_all(&all, rejection);
}

#[test]
fn failures_at_run_time_keep_the_originals_frame() {
    check_all(&with_exit("e-", |exit| exit != 3), report);
}

#[test]
fn offsets_are_the_originals() {
    check_all(&cases("t-"), offsets);
}

#[test]
fn reports_have_the_originals_shape() {
    check_all(&cases("r-"), report);
}

/// The originals' own reports pass the checks that ours must pass.
#[test]
fn recorded_reports_hold_together() {
    for name in cases("r-") {
        let case = Case::read(&name);
        if case.stdout.contains("Results for timespan 2") || case.stdout.starts_with('<') {
            continue;
        }
        let report = Report::parse(&case.stdout);
        let problems = shape::arithmetic(&report, block_size(&case.stdout));
        assert!(problems.is_empty(), "{name}: {problems:?}");
    }
}

/// The lists of exceptions name cases that exist.
#[test]
fn exceptions_are_of_recorded_cases() {
    for (name, reason) in ON_PURPOSE {
        assert!(folder().join(name).is_dir(), "{name} ({reason}) is no case");
    }
}

#[test]
fn a_base_beyond_the_end_is_refused() {
    let (case, dir) = (Case::read("e-B-beyond"), Dir::new());
    let output = case.run(&dir);
    output.expect_code(1);
    assert!(output.stdout.contains("The test was interrupted"));
    assert!(output.stderr.contains("x.dat"), "{output:#?}");
}

#[test]
fn a_typographic_dash_is_a_dash() {
    let (case, dir) = (Case::read("e-endash"), Dir::new());
    let output = case.run(&dir);
    output.expect_code(0);
    assert!(output.stdout.contains("\t\tblock size: 8KiB\n"));
    assert!(!output.stderr.trim().is_empty(), "no warning");
    assert!(output.report().total.total.ios > 0);
}

#[test]
fn every_target_of_a_thread_pool_gets_its_share() {
    let (case, dir) = (Case::read("r-F"), Dir::new());
    let output = case.run(&dir);
    let rows = output.expect_code(0).report().total.rows;
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.ios > 0), "{rows:?}");
    for file in ["d.dat (16MiB)", "e.dat (16MiB)"] {
        assert_eq!(rows.iter().filter(|row| row.file == file).count(), 2);
    }

    let (case, dir) = (Case::read("t-F2-multi"), Dir::new());
    let mut command = dir.iogauge(&["explain", "--offsets", "120", "--", "diskspd"]);
    let output = util::run(command.args(&case.words));
    let threads = by_thread(&output.expect_code(0).stdout);
    assert_eq!(threads.len(), 2);
    for rows in threads.values() {
        for target in ["0\t", "1\t"] {
            assert!(rows.iter().any(|row| row.starts_with(target)), "{rows:?}");
        }
    }
}

#[test]
fn a_recorded_report_matches_itself_and_not_another() {
    let (case, other) = (Case::read("r-LD"), Case::read("r-L"));
    let shaped = shape::of(&case.stdout);
    assert!(differences(&shaped, &shape::of(&case.stdout)).is_empty());
    assert!(!differences(&shaped, &shape::of(&other.stdout)).is_empty());
    assert_eq!(
        split_words("a \"b c\" .\\d"),
        ["a", "b c", ".\\d"].map(str::to_owned)
    );
}
