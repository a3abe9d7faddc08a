//! Plans as text: every recorded command line of the three faces becomes a plan, the plan becomes
//! TOML, a job of fio and a line of DiskSpd, and what is read back issues the same I/O.

mod lines;
mod outside;

use std::ffi::OsString;

use iogauge::{
    offsets::preview,
    personality::{Command, Environment, Files, diskspd, express, find},
    plan::{Events, Origin, Plan, TimeSpan, WriteRules, wire},
};

use lines::{Line, around, recorded};

use crate::util::Dir;

/// I/Os of each thread that are compared.
const COUNT: usize = 200;

/// The plan of a line that runs something.
fn plan(face: &str, words: &[OsString], around: &Environment) -> Option<Plan> {
    match find(face)?.parse(words, around) {
        Ok(Command::Run(job)) => Some(job.plan),
        _ => None,
    }
}

/// What every thread would do first. Files that nobody makes have 1 GiB.
fn offsets(span: &TimeSpan) -> String {
    let sizes: Vec<u64> = span
        .targets
        .iter()
        .map(|target| {
            target
                .planned_size
                .filter(|size| *size > 0)
                .unwrap_or(1 << 30)
        })
        .collect();
    match preview(span, &sizes, COUNT) {
        Ok(rows) => format!("{rows:?}"),
        Err(error) => error.to_string(),
    }
}

/// Without what a plan file does not hold.
fn without_consent(plan: &Plan) -> Plan {
    Plan {
        consent: Vec::new(),
        rules: WriteRules::Own,
        ..plan.clone()
    }
}

/// Does something with each recorded line that has a plan, and says with how many.
fn each(face: &str, mut check: impl FnMut(&Line, &Plan)) -> usize {
    let mut count = 0;
    for line in recorded(face) {
        if let Some(plan) = plan(face, &line.words, &around(&line)) {
            check(&line, &plan);
            count += 1;
        }
    }
    count
}

/// The line that the program's report of DiskSpd 2.0 was made by.
fn reported() -> Line {
    let report = include_str!("../../reference/diskspd-2.0-report.txt");
    let said = report.lines().next().unwrap_or_default();
    let line = said.split_once(": ").expect("the command line").1;
    Line::of(&lines::shell_words(line)[1..])
}

#[test]
fn each_argument_of_recorded_lines_is_explained_once() {
    for (face, least, seed) in [
        (
            "diskspd",
            150,
            "-b8K -d300 -h -L -o32 -r -w40 -t8 -c1G .\\datafile.dat",
        ),
        ("sqlio", 44, "-LS -kR -b64 -i64 -f64 -t1 -s300"),
        (
            "sysbench",
            100,
            "\u{2013}test=fileio \u{2013}file-total-size=1G \u{2013}file-test-mode=rndrw \
             \u{2013}max-time=300 \u{2013}max-requests=0 run",
        ),
    ] {
        let mut recorded = recorded(face);
        if face == "diskspd" {
            recorded.push(reported());
        }
        assert!(
            recorded.iter().any(|line| line.to_string() == seed),
            "{face}: {seed} is not among the recorded lines"
        );
        assert!(recorded.len() >= least, "{face}: {}", recorded.len());
        let face = find(face).expect("a face");
        for line in &recorded {
            let told = face.explain(&line.words, &around(line));
            let typed = told.iter().filter(|told| !told.argument.is_empty());
            let told_of: Vec<&str> = typed.clone().map(|told| &*told.argument).collect();
            let words: Vec<_> = line
                .words
                .iter()
                .map(|word| word.to_string_lossy())
                .collect();
            assert_eq!(told_of, words, "{line}");
            for told in typed {
                assert!(!told.meaning.trim().is_empty(), "{line}: {}", told.argument);
            }
        }
    }
}

fn survives_as_toml(line: &Line, plan: &Plan) {
    let text = wire::to_toml(plan).expect("names are text");
    let again = wire::from_toml(&text).unwrap_or_else(|error| panic!("{line}: {error}\n{text}"));
    assert_eq!(again, without_consent(plan), "{line}");
    for (one, other) in plan.spans().zip(again.spans()) {
        assert_eq!(offsets(one), offsets(other), "{line}");
    }
}

#[test]
fn recorded_lines_survive_as_toml() {
    for (face, least) in [("diskspd", 150), ("sqlio", 40), ("sysbench", 100)] {
        let count = each(face, survives_as_toml);
        assert!(count >= least, "{face}: only {count} lines have a plan");
    }
}

/// The plan that an expressed line or XML profile of DiskSpd says.
fn read_back(text: &str, dir: &Dir, around: &Environment) -> Option<Plan> {
    if let Some(line) = text.strip_prefix("diskspd ") {
        return plan("diskspd", &lines::shell_words(line.trim_end()), around);
    }
    let profile = dir.join("profile.xml");
    std::fs::write(&profile, text).expect("a profile");
    let around = Environment {
        files: Files::SYSTEM,
        ..around.clone()
    };
    let mut word = OsString::from("-X");
    word.push(&profile);
    plan("diskspd", &[word], &around)
}

/// Without what depends on the words of the line.
fn load(plan: &Plan) -> Plan {
    Plan {
        origin: Origin {
            personality: String::new(),
            command_line: String::new(),
        },
        events: Events::default(),
        ..plan.clone()
    }
}

#[test]
fn recorded_lines_of_diskspd_are_expressed_without_loss() {
    let dir = Dir::new();
    let count = each("diskspd", |line, plan| {
        let expressed = diskspd::express::express(plan);
        let events = plan.events != Events::default();
        let lost: Vec<_> = expressed
            .lost
            .iter()
            .filter(|sentence| !(events && sentence.starts_with("events: ")))
            .collect();
        assert!(lost.is_empty(), "{line}: {lost:?}");
        let again = read_back(&expressed.text, &dir, &around(line))
            .unwrap_or_else(|| panic!("{line}: {}", expressed.text));
        assert_eq!(load(&again), load(plan), "{line}: {}", expressed.text);
        for (one, other) in plan.spans().zip(again.spans()) {
            assert_eq!(offsets(one), offsets(other), "{line}");
        }
    });
    assert!(count >= 150, "only {count} lines");
}

#[test]
fn lines_of_other_faces_become_lines_that_diskspd_takes() {
    let dir = Dir::new();
    for face in ["sqlio", "sysbench"] {
        each(face, |line, plan| {
            let expressed = diskspd::express::express(plan);
            assert!(!expressed.lost.is_empty(), "{line}");
            // A record of what its original refuses too.
            if expressed
                .lost
                .iter()
                .any(|lost| lost.starts_with("alignment: "))
            {
                return;
            }
            if plan.spans().next().is_none() {
                assert!(expressed.text.is_empty(), "{line}");
                return;
            }
            assert!(
                read_back(&expressed.text, &dir, &around(line)).is_some(),
                "{line}: {}",
                expressed.annotated()
            );
        });
    }
}

/// What a job file says, option by option, in the order of its jobs.
fn options(text: &str) -> Vec<(String, String)> {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs
        .map(|(option, value)| (option.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn a_line_of_diskspd_is_a_job_of_fio() {
    let around = Environment::default();
    let words =
        lines::shell_words("-b8K -d30 -W5 -Sh -L -o32 -r -w40 -t8 -c1G -z7 -n -Zr ./datafile.dat");
    let plan = plan("diskspd", &words, &around).expect("a plan");
    let expressed = express::fio::express(&plan).expect("a job");
    let said = options(&expressed.text);
    // By fio's own documentation of each option.
    for (option, value) in [
        ("filename", "./datafile.dat"),
        ("rw", "randrw"),
        ("rwmixwrite", "40"),
        ("bs", "8192"),
        ("iodepth", "32"),
        ("numjobs", "8"),
        ("direct", "1"),
        ("sync", "dsync"),
        ("size", "1073741824"),
        ("runtime", "30s"),
        ("ramp_time", "5s"),
        ("time_based", "1"),
        ("norandommap", "1"),
        ("randseed", "7"),
    ] {
        assert!(
            said.iter().any(|(o, v)| o == option && v == value),
            "{option}={value} is not in\n{}",
            expressed.text
        );
    }
    assert!(expressed.text.contains("\nrefill_buffers\n"));
    let lost = expressed.lost.join("\n");
    assert!(
        lost.contains("chance: ") && lost.contains("preparation: "),
        "{lost}"
    );
}
