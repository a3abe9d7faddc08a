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
        ("sqlio -Zz x.dat", "no such option"),
        ("sqlio -kR -s1 x.dat >> x.dat", "a file that line 1 tests"),
        ("sqlio -kR -s1 x.dat > ./run.cmd", "the batch file itself"),
        ("cd /d D:\\SQLIO", "'cd'"),
    ] {
        let text = format!("sqlio -kW -s1 -f4 -i4 x.dat > out.txt\r\n\r\n{line}\r\n");
        fs::write(dir.join("run.cmd"), text).expect("a file");
        let output = util::run(&mut dir.sqlio("--batch run.cmd"));
        output.expect_code(1);
        assert!(output.stdout.is_empty(), "{line}: {output:#?}");
        let start = "sqlio: --batch run.cmd: line 3: ";
        assert!(output.stderr.starts_with(start), "{line}: {output:#?}");
        // A missing drive has an example in a line of its own; the usage is never shown.
        let lines = output.stderr.lines().count();
        assert!(lines <= 2, "{line}: {output:#?}");
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

/// The line ends are those of old Macs, which no shell of Windows writes but some editors do.
#[test]
fn a_batch_may_write_its_parameter_file_and_put_all_it_says_into_one_file() {
    let _turn = util::busy();
    let dir = Dir::new();
    let text = "@echo off\recho first>> \"out 1.txt\"\recho x.dat 1 0x0 1 > \"my p.txt\"\r\
                >> \"out 1.txt\" sqlio -kR -s1 -frandom -b8 -BY \"-Fmy p.txt\" 2>&1\r";
    fs::write(dir.join("run.cmd"), text).expect("a file");
    let output = util::run(&mut dir.sqlio("--batch run.cmd"));
    output.expect_code(0);
    let out = fs::read_to_string(dir.join("out 1.txt")).expect("its output");
    assert!(out.starts_with("first\n"), "{out}");
    assert!(has_figures(&out) && out.contains("\nengine: "), "{out}");
    assert!(!output.stderr.contains("engine: "), "{output:#?}");
    assert_eq!(dir.names(), ["my p.txt", "out 1.txt", "run.cmd", "x.dat"]);
}

/// A name of another code page would become one that nobody wrote.
#[test]
fn outputs_that_would_get_another_name_or_destroy_something_are_refused() {
    let dir = Dir::new();
    fs::write(dir.join("mail.db"), b"SQLite format 3\0 and more").expect("a file");
    std::os::unix::fs::symlink("mail.db", dir.join("link")).expect("a link");
    for (line, told) in [
        (&b"sqlio -kR -s1 x.dat > m\xe4r.txt"[..], "not valid UTF-8"),
        (
            b"echo x > m\xe4r.txt\nsqlio -kR -s1 x.dat",
            "not valid UTF-8",
        ),
        (b"sqlio -kR -s1 x.dat > mail.db", "an SQLite database"),
        (b"sqlio -kR -s1 x.dat >> link", "a symbolic link"),
    ] {
        fs::write(dir.join("run.cmd"), line).expect("a file");
        let output = util::run(&mut dir.sqlio("--batch run.cmd"));
        output.expect_code(1);
        assert!(output.stderr.contains(told), "{output:#?}");
        assert_eq!(dir.names(), ["link", "mail.db", "run.cmd"]);
    }
    let mail = fs::read(dir.join("mail.db")).expect("our file");
    assert_eq!(mail, b"SQLite format 3\0 and more");
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
