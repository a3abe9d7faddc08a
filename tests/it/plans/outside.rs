//! From outside: what `explain --as` prints, and what fio itself says of our jobs.

use std::{collections::BTreeSet, process::Command};

use super::{each, express, lines};
use crate::util::{self, Dir};

/// True if fio is here.
fn fio() -> bool {
    let here = util::has("fio");
    if !here {
        util::skip("fio is not installed");
    }
    here
}

/// fio reads the jobs of all recorded lines.
#[test]
fn fio_takes_our_jobs() {
    if !fio() {
        return;
    }
    let (dir, mut shapes) = (Dir::new(), BTreeSet::new());
    for face in ["diskspd", "sqlio", "sysbench"] {
        each(face, |line, plan| {
            let Ok(expressed) = express::fio::express(plan) else {
                return;
            };
            if expressed.text.is_empty() {
                assert!(!expressed.lost.is_empty(), "{line}");
                return;
            }
            // Many lines differ in a name or a number alone.
            let shape: Vec<&str> = expressed
                .text
                .lines()
                .filter_map(|line| line.split('=').next())
                .collect();
            if shapes.insert(shape.join(" ")) {
                let job = dir.join(&format!("{}.fio", shapes.len()));
                std::fs::write(job, expressed.annotated()).expect("a job file");
            }
        });
    }
    assert!(shapes.len() > 30, "only {} kinds of jobs", shapes.len());
    let names = dir.names();
    // fio takes its time to start, and so many threads at once.
    for names in names.chunks(8) {
        let mut command = Command::new("fio");
        command
            .arg("--parse-only")
            .args(names)
            .current_dir(dir.path());
        let output = util::run(&mut command);
        let said = (output.code, output.stderr.trim());
        assert_eq!(said, (Some(0), ""), "{names:?}");
    }
}

/// fio runs a job and does what the plan says: reads and writes, of this size, for this long.
#[test]
fn fio_does_what_our_job_says() {
    if !fio() {
        return;
    }
    let dir = Dir::new();
    let line = "explain --as fio -- diskspd -b8K -d1 -W0 -o2 -t2 -r -w50 -c4M -n d.dat";
    let job = util::run(&mut dir.iogauge(&line.split(' ').collect::<Vec<_>>()));
    job.expect_code(0);
    std::fs::write(dir.join("job.fio"), &job.stdout).expect("a job file");
    let output = util::run(
        Command::new("fio")
            .args(["--output-format=terse", "--ioengine=psync", "job.fio"])
            .current_dir(dir.path()),
    );
    if output.code != Some(0) {
        // fio's engine, or its shared memory, may be missing where tests run.
        util::skip(&format!("fio does not run here: {}", output.stderr.trim()));
        return;
    }
    // Terse output, version 3: fields 5, 6 and 46, 47 are KiB and bandwidth of reads and writes.
    let fields: Vec<&str> = output
        .stdout
        .lines()
        .last()
        .unwrap_or_default()
        .split(';')
        .collect();
    let kib = |field: usize| fields.get(field).and_then(|text| text.parse::<u64>().ok());
    let (read, written) = (kib(5).unwrap_or(0), kib(46).unwrap_or(0));
    assert!(read > 0 && written > 0, "{}", output.stdout);
    assert!(
        read % 8 == 0 && written % 8 == 0,
        "blocks of 8 KiB: {read}, {written}"
    );
    assert_eq!(
        std::fs::metadata(dir.join("d.dat"))
            .expect("the file")
            .len(),
        4 << 20
    );
}

#[test]
fn explain_prints_a_plan_that_is_read_again() {
    let dir = Dir::new();
    let line = "diskspd -b4K -d1 -W0 -r -o4 -c1M ./x y.dat";
    let words: Vec<&str> = ["explain", "--as", "toml", "--"]
        .into_iter()
        .chain(line.split(' '))
        .collect();
    let output = util::run(&mut dir.iogauge(&words));
    let text = &output.expect_code(0).stdout;
    let plan = iogauge::plan::wire::from_toml(text).expect("a plan");
    assert_eq!(plan.origin.command_line, line);
    let paths: Vec<_> = plan
        .spans()
        .flat_map(|span| &span.targets)
        .map(|t| t.path.clone())
        .collect();
    assert_eq!(paths, ["./x", "y.dat"].map(std::path::PathBuf::from));
    assert!(dir.names().is_empty(), "nothing runs: {:?}", dir.names());
}

#[test]
fn explain_names_consent_as_no_part_of_a_plan() {
    let dir = Dir::new();
    let words = "--destroy /dev/none explain --as toml -- diskspd -w100 x.dat";
    let output = util::run(&mut dir.iogauge(&words.split(' ').collect::<Vec<_>>()));
    let text = &output.expect_code(0).stdout;
    assert!(
        text.starts_with("# lost: consent: ") && !text.contains("/dev/none"),
        "{text}"
    );
}

#[test]
fn explain_as_diskspd_names_what_is_lost() {
    let dir = Dir::new();
    let words = ["explain", "--as", "diskspd", "--"].into_iter().chain(
        "sysbench fileio --file-num=2 --file-total-size=2M --file-test-mode=rndrw run".split(' '),
    );
    let output = util::run(&mut dir.iogauge(&words.collect::<Vec<_>>()));
    let text = &output.expect_code(0).stdout;
    for what in ["counting", "order", "mix", "flushes"] {
        assert!(
            text.contains(&format!("# lost: {what}: ")),
            "{what}\n{text}"
        );
    }
    let line = text.lines().last().expect("a line");
    assert!(
        line.starts_with("diskspd -b16K -r ") && line.ends_with(" test_file.0 test_file.1"),
        "{line}"
    );
    // 1.5 reads for each write: 40 writes in 100.
    assert!(
        line.contains(" -w40 ") && line.contains(" -F1 -O1 "),
        "{line}"
    );
    let words = lines::shell_words(line);
    assert!(words.len() > 5);
}

#[test]
fn explain_as_something_else_is_refused() {
    let dir = Dir::new();
    let output = util::run(&mut dir.iogauge(&["explain", "--as", "vdbench", "--", "diskspd", "x"]));
    output.expect_code(2);
    for language in ["toml", "fio", "diskspd"] {
        assert!(output.told().contains(language), "{}", output.stderr);
    }
    let output = util::run(&mut dir.iogauge(&["explain", "--as", "fio", "--", "diskspd", "-?"]));
    output.expect_code(2);
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}
