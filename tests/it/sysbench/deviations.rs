//! Where we differ from the originals on purpose: why, and what we do instead.

use std::{fs, process::Command};

use super::{
    case::{Case, files_in},
    report::Report,
};
use crate::util::{self, Dir, Output};

/// One recorded run that ours does not follow.
pub(super) struct Deviation {
    pub(super) name: &'static str,
    /// The reason.
    pub(super) why: &'static str,
    /// Further words, for a shorter run.
    more: &'static str,
    /// The exit code of ours.
    exit: i32,
    /// Checks the rest.
    instead: fn(&Case, &Output, &Dir),
}

/// All of them.
pub(super) const DEVIATIONS: &[Deviation] = &[
    Deviation {
        name: "v04-err-missing-files",
        why: "a run that failed never ends with 0, nor prints a report of zeroes",
        more: "",
        exit: 1,
        instead: |_, output, dir| {
            let fatal =
                "FATAL: Cannot open file 'test_file.0' errno = 2 (No such file or directory)";
            assert!(
                output.stdout.lines().any(|line| line == fatal),
                "{output:#?}"
            );
            no_report(output);
            assert!(files_in(dir).is_empty(), "files were made by a run");
        },
    },
    Deviation {
        name: "v04-mmap-rndrw",
        why: "mapped files are flushed, which 0.4 tries in vain on 64 bits",
        more: "",
        exit: 0,
        instead: |_, output, _| {
            // 20 rounds of 4 files; the last of them is the final flush.
            let counts = Report::parse(&output.stdout).counts;
            assert_eq!(counts, Some([1200, 800, 80, 2080]), "{output:#?}");
        },
    },
    Deviation {
        name: "v04-not-divisible-seqrd",
        why: "the last request of a file is shorter, where 0.4 dies of it",
        more: "",
        exit: 0,
        instead: |_, output, _| {
            // 3 files of 3495253 bytes: 213 blocks and a rest each.
            let counts = Report::parse(&output.stdout).counts;
            assert_eq!(counts, Some([642, 0, 0, 642]), "{output:#?}");
        },
    },
    Deviation {
        name: "v04-err-size-lowercase",
        why: "a lower-case letter is a size in every version since",
        more: "",
        exit: 0,
        instead: |_, _, dir| assert_eq!(files_in(dir), Case::read("v04-prepare").files),
    },
    Deviation {
        name: "v04-bool-true",
        why: "true means on; 0.4 takes it for off without a word",
        more: "",
        exit: 0,
        instead: |_, output, _| {
            let counts = Report::parse(&output.stdout).counts;
            assert_eq!(counts, Some([0, 50, 50, 100]), "{output:#?}");
        },
    },
    Deviation {
        name: "v10-flags-direct-sync-rndwr",
        why: "direct goes together with other flags, which 1.0 refuses by an error of its own",
        more: "--time=0 --events=20",
        exit: 0,
        instead: |case, output, _| {
            same_start(case, output, "Doing random write test");
            assert_eq!(Report::parse(&output.stdout).events, 20);
        },
    },
    Deviation {
        name: "v10-oldstyle-init-rng",
        why: "lines of most old tutorials carry it",
        more: "--max-time=1",
        exit: 0,
        instead: |case, output, _| {
            same_start(case, output, "");
            assert!(Report::parse(&output.stdout).events > 0);
        },
    },
    Deviation {
        name: "v10-err-zipfian",
        why: "options of 1.1 are accepted; what has no effect is said",
        more: "",
        exit: 0,
        instead: |_, output, _| {
            assert!(output.stderr.contains("--rand-type"), "{output:#?}");
            assert!(Report::parse(&output.stdout).events > 0);
        },
    },
    Deviation {
        name: "v10-err-warmup",
        why: "options of 1.1 are accepted",
        more: "",
        exit: 0,
        instead: |_, output, _| {
            assert!(output.stdout.contains("\nWarmup time: 1s\n"), "{output:#?}");
            let report = Report::parse(&output.stdout);
            // The warm-up is in no figure.
            assert!(report.seconds < 1.5 && report.events > 0, "{report:?}");
            let problems = report.problems(Some(16_384), report.seconds, 1);
            assert!(problems.is_empty(), "{problems:?}");
        },
    },
    Deviation {
        name: "v10-cmd-before-test",
        why: "every order of words is read",
        more: "--time=1",
        exit: 0,
        instead: |case, output, _| {
            same_start(case, output, "");
            assert!(Report::parse(&output.stdout).events > 0);
        },
    },
    Deviation {
        name: "v10-no-args",
        why: "1.0 waits for a program on standard input",
        more: "",
        exit: 1,
        instead: |_, output, _| assert!(output.stdout.starts_with("Usage:\n"), "{output:#?}"),
    },
    Deviation {
        name: "v10-unknown-test",
        why: "as the original; that only fileio is here is said besides",
        more: "",
        exit: 1,
        instead: |_, output, _| assert!(output.stderr.contains("fileio"), "{output:#?}"),
    },
    Deviation {
        name: "v10-err-ulimit",
        why: "the limit is named, not the step of preparation",
        more: "",
        exit: 1,
        instead: |case, output, _| {
            same_start(case, output, "Doing random read test");
            let fatal = output.stdout.lines().last().unwrap_or_default();
            for word in ["FATAL: ", "64", "20", "ulimit -n"] {
                assert!(fatal.contains(word), "{word}: {output:#?}");
            }
        },
    },
    Deviation {
        name: "v10-err-direct-unaligned",
        why: "refused before the run with the alignment that is needed",
        more: "",
        exit: 1,
        instead: |case, output, _| {
            same_start(case, output, "Doing random read test");
            let fatal = output.stdout.lines().last().unwrap_or_default();
            for word in ["FATAL: ", "test_file.0", "1000", "multiples of"] {
                assert!(fatal.contains(word), "{word}: {output:#?}");
            }
            no_report(output);
        },
    },
    Deviation {
        name: "v10-help",
        why: "the text is our own",
        more: "",
        exit: 0,
        instead: |case, output, _| options_listed(case, output),
    },
    Deviation {
        name: "v10-help-fileio",
        why: "the text is our own",
        more: "",
        exit: 0,
        instead: |case, output, _| options_listed(case, output),
    },
    Deviation {
        name: "v10-oldstyle-help",
        why: "the text is our own",
        more: "",
        exit: 0,
        instead: |case, output, _| options_listed(case, output),
    },
    Deviation {
        name: "v04-help-fileio",
        why: "the text is our own",
        more: "",
        exit: 0,
        instead: |case, output, _| options_listed(case, output),
    },
];

/// No figure of a report is on standard output.
#[track_caller]
pub(super) fn no_report(output: &Output) {
    for label in ["Operations performed:", "File operations:", "total time:"] {
        assert!(!output.stdout.contains(label), "{output:#?}");
    }
}

/// The lines that the original printed, up to and with one that is known; all if it is empty.
#[track_caller]
fn same_start(case: &Case, output: &Output, last: &str) {
    let end = case.stdout.find(last).expect("the line is recorded");
    let end = if last.is_empty() {
        case.stdout.len()
    } else {
        end + last.len()
    };
    // What the program is made of, and how many requests we ask for instead, are ours to say.
    let kept = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines();
        lines
            .filter(|line| !line.starts_with("sysbench 1.0.20"))
            .filter(|line| !line.starts_with("Number of IO requests"))
            .map(str::to_owned)
            .collect()
    };
    let (theirs, ours) = (kept(&case.stdout[..end]), kept(&output.stdout));
    assert!(ours.starts_with(&theirs), "{output:#?}");
}

/// Every option that the original lists is in our list.
#[track_caller]
fn options_listed(case: &Case, output: &Output) {
    let options = case.stdout.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("--")?;
        line.split(['=', ' ', '[']).next()
    });
    let mut count = 0;
    // Tests of databases, and programs for them, are not here.
    let elsewhere = |option: &str| {
        ["db-", "mysql", "pgsql", "luajit", "config-file"]
            .iter()
            .any(|p| option.starts_with(p))
    };
    for option in options.filter(|option| !elsewhere(option)) {
        assert!(
            output.stdout.contains(&format!("--{option}")),
            "{option}: {output:#?}"
        );
        count += 1;
    }
    assert!(count > 10, "{count} options");
}

/// A line that a shell must read.
fn by_shell(case: &Case, dir: &Dir) -> Output {
    for line in &case.setup {
        util::run(&mut dir.sysbench(line)).expect_code(0);
    }
    let text = fs::read_to_string(super::case::folder().join(&case.name).join("cmd"));
    let ours = format!("'{}' sysbench", env!("CARGO_BIN_EXE_iogauge"));
    let line = text.expect("a recorded line").replace("sysbench", &ours);
    let mut command = Command::new("sh");
    command
        .args(["-c", &line])
        .env("IOGAUGE_HISTORY", "off")
        .env("IOGAUGE_SYSBENCH", case.version())
        .current_dir(dir.path());
    util::run(&mut command)
}

#[test]
fn what_is_done_instead() {
    let _turn = util::busy();
    for deviation in DEVIATIONS {
        assert!(!deviation.why.is_empty());
        let (case, dir) = (Case::read(deviation.name), Dir::new());
        let shell = case.line.contains(['<', ';']);
        let output = if shell {
            by_shell(&case, &dir)
        } else {
            case.run(&dir, deviation.more)
        };
        output.expect_code(deviation.exit);
        (deviation.instead)(&case, &output, &dir);
    }
}
