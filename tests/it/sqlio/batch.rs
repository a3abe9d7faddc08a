//! Batch files of old tests, from their first line to the files that their output goes to.

use std::fs;

use super::report::{has_figures, problems, shape};
use crate::{
    reference::differences,
    util::{self, Dir},
};

#[test]
fn a_batch_file_runs_line_by_line_into_its_files() {
    let _turn = util::busy();
    let dir = Dir::new();
    fs::create_dir(dir.join("c")).expect("a folder");
    fs::write(dir.join("p.txt"), "c:\\testfile.dat 2 0x0 1").expect("a file");
    fs::write(dir.join("old.txt"), "old\n").expect("a file");
    fs::write(dir.join("all.txt"), "kept\n").expect("a file");
    let batch = "@echo off\r\nREM the usual\r\n:: two\r\nset TIME=1\r\nset \"B=8\"\r\n\
                 echo Starting\r\n\
                 D:\\SQLIO\\sqlio.exe -kW -s%TIME% -frandom -o2 -b%B% -BH -LS -Fp.txt > c:\\old.txt\r\n\
                 timeout /T 60\r\necho second >> all.txt\r\n\
                 call SQLIO -kR -s%time% -fsequential -b64 -BY -Fp.txt>>all.txt\r\n\
                 pause\r\nsqlio -kR -s1 -f4 -i4 -BY \"x y.dat\"\r\nexit /b\r\nformat c:\r\n";
    fs::write(dir.join("run.cmd"), batch).expect("a file");
    let mut command = dir.sqlio("--batch run.cmd");
    let drives = format!("C={}", dir.join("c").display());
    let output = util::run(command.env("IOGAUGE_DRIVES", drives));
    output.expect_code(0);
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("its output");
    let (first, second) = (read("c/old.txt"), read("all.txt"));
    assert!(
        first.starts_with("sqlio v1.5.SG\nusing system counter"),
        "{first}"
    );
    assert_eq!(problems(&first, 8.0), [""; 0]);
    assert_eq!(read("old.txt"), "old\n");
    let wanted = "kept
second 
sqlio v1.5.SG
parameter file used: p.txt
\tfile c:\\testfile.dat with 2 threads (0-1) using mask 0x0 (0)
2 threads reading for N secs from file c:\\testfile.dat
\tusing 64KB sequential IOs
\tbuffering set to use both file and disk caches
using specified size: N MB for file: c:\\testfile.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec: N.dd
MBs/sec: N.dd
";
    let wanted: Vec<&str> = wanted.lines().map(str::trim_end).collect();
    let ours: Vec<String> = shape(&second)
        .iter()
        .map(|l| l.trim_end().to_owned())
        .collect();
    let apart = differences(&wanted, &ours);
    assert!(apart.is_empty(), "{apart:?}");
    // The last one has no file of its own.
    assert!(output.stdout.starts_with("sqlio v1.5.SG\n"), "{output:#?}");
    assert!(output.stdout.contains("from file x y.dat\n"), "{output:#?}");
    assert_eq!(output.stdout.matches("sqlio v1.5.SG").count(), 1);
    for progress in ["[1/4]", "[3/4]", "[4/4]"] {
        assert!(output.stderr.contains(progress), "{output:#?}");
    }
    assert_eq!(
        dir.names(),
        ["all.txt", "c", "old.txt", "p.txt", "run.cmd", "x y.dat"]
    );
}

#[test]
fn one_line_that_is_wrong_stops_all_of_them_before_anything_is_done() {
    let dir = Dir::new();
    fs::write(dir.join("out.txt"), "old\n").expect("a file");
    for (line, told) in [
        ("sqlio -kR -q4 x.dat", "-q4"),
        ("sqlio -kR -t0 x.dat > new.txt", "-t0"),
        ("del x.dat", "del"),
        ("sqlio -s%1 x.dat", "%1"),
        ("sqlio -s%SECONDS% x.dat", "SECONDS"),
        (r"sqlio -s1 E:\x.dat", "IOGAUGE_DRIVES=E=."),
        ("sqlio -s1 x.dat | find \"IOs\"", "|"),
        ("sqlio -s1 x.dat > missing/out.txt", "missing"),
        ("sqlio -s1 -Fnowhere.txt", "nowhere.txt"),
    ] {
        let text = format!("sqlio -kW -s1 -f4 -i4 x.dat > out.txt\r\n\r\n{line}\r\n");
        fs::write(dir.join("run.cmd"), text).expect("a file");
        let output = util::run(&mut dir.sqlio("--batch run.cmd"));
        output.expect_code(1);
        assert!(output.stdout.is_empty(), "{line}: {output:#?}");
        assert!(output.stderr.contains("line 3: "), "{line}: {output:#?}");
        assert!(output.stderr.contains(told), "{line}: {output:#?}");
        assert_eq!(dir.names(), ["out.txt", "run.cmd"], "{line}");
        let old = fs::read_to_string(dir.join("out.txt")).ok();
        assert_eq!(old.as_deref(), Some("old\n"), "{line}");
    }
    for line in [
        "--batch",
        "--batch none.cmd",
        "--batch run.cmd more",
        "--batch .",
    ] {
        let output = util::run(&mut dir.sqlio(line));
        output.expect_code(1);
        assert!(output.stderr.contains("--batch"), "{output:#?}");
    }
}

/// A line that fails when it runs does not keep the next one from running.
#[test]
fn a_run_that_fails_is_told_and_the_next_one_runs() {
    let _turn = util::busy();
    let dir = Dir::new();
    let precious = dir.file("precious", 1 << 20);
    std::os::unix::fs::symlink(&precious, dir.join("link")).expect("a link");
    let text = "sqlio -kW -s1 -frandom -BY link > a.txt\nsqlio -kR -s1 -frandom -BY link > b.txt\n";
    fs::write(dir.join("run.cmd"), text).expect("a file");
    let output = util::run(&mut dir.sqlio("--batch run.cmd"));
    output.expect_code(1);
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("its output");
    assert!(
        !has_figures(&read("a.txt")) && has_figures(&read("b.txt")),
        "{output:#?}"
    );
    assert!(fs::read(precious).expect("our file") == util::noise(1 << 20));
}
