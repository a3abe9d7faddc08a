//! Lines against what they mean, and against what the originals printed of them.

mod table;

use std::ffi::OsString;

use proptest::prelude::*;

use crate::personality::{
    Environment, Files, Personality, SysbenchVersion,
    flags::Support,
    sysbench::{
        Sysbench,
        flags::{self, Kind},
        line::{Line, Parsed, parse, words},
        lines::{args, around, line, recorded, refusal},
        options::{Action, Dialect, Mode, Seed},
    },
};

/// Recorded lines that are refused, each by the rules of the version that was recorded.
const REFUSED: &[&str] = &[
    "v04-err-mode",
    "v04-err-no-command",
    "v04-err-no-mode",
    "v04-err-no-test",
    "v04-err-test-name",
    "v04-err-unknown-command",
    "v04-err-unknown-option",
    "v10-err-block-0",
    "v10-err-bool",
    "v10-err-extra-arg",
    "v10-err-extra-flags",
    "v10-err-file-num-0",
    "v10-err-fsync-mode",
    "v10-err-hist-pct0",
    "v10-err-io-mode",
    "v10-err-mode",
    "v10-err-no-command",
    "v10-err-no-mode",
    "v10-err-percentile",
    "v10-err-rw-ratio",
    "v10-err-size-suffix",
    "v10-err-size-word",
    "v10-err-threads-0",
    "v10-err-threads-abc",
    "v10-err-unknown-command",
    "v10-err-unknown-option",
    "v10-option-space-value",
    "v10-unknown-test",
];

fn version(case: &str) -> SysbenchVersion {
    if case.starts_with("v04") {
        SysbenchVersion::V0_4
    } else {
        SysbenchVersion::V1_0
    }
}

/// Usage is our own text.
fn before_usage(text: &str) -> &str {
    let end = text.find("Usage:\n").map_or(text.len(), |at| at + 7);
    &text[..end]
}

#[test]
fn refused_lines_print_what_the_originals_printed() {
    for case in REFUSED {
        let line = recorded(&format!("{case}/cmd"));
        let problem = parse(&args(&line), &around(Some(version(case)))).unwrap_err();
        let out = recorded(&format!("{case}/stdout"));
        assert_eq!(before_usage(&problem.out), before_usage(&out), "{case}");
        let lines = recorded(&format!("{case}/stderr"));
        let lines: Vec<&str> = lines.lines().collect();
        // What would be right follows.
        assert_eq!(problem.err[..lines.len()], lines, "{case}");
        assert_eq!(recorded(&format!("{case}/exit")).trim(), "1", "{case}");
        assert!(!problem.err.is_empty() || out.contains("FATAL"), "{case}");
    }
}

#[test]
fn versions_are_told() {
    for case in ["v04-version", "v10-version"] {
        let line = recorded(&format!("{case}/cmd"));
        let parsed = parse(&args(&line), &around(Some(version(case)))).unwrap();
        let Parsed::Print { text, exit: 0, .. } = parsed else {
            panic!("{case}: {parsed:?}");
        };
        assert_eq!(text, recorded(&format!("{case}/stdout")));
    }
}

/// A line that is read by the rules of that version.
fn by(version: SysbenchVersion, text: &str) -> Line {
    match parse(&args(text), &around(Some(version))) {
        Ok(Parsed::Line(line)) => *line,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn older_names_are_told_before_the_header() {
    for (case, threads, events, time) in [
        ("v10-oldstyle-rndrw", 1, 0, 2),
        ("v10-oldstyle-maxtime0", 2, 500, 10),
    ] {
        let line = by(SysbenchVersion::V1_0, &recorded(&format!("{case}/cmd")));
        let out = recorded(&format!("{case}/stdout"));
        let before: Vec<&str> = out
            .lines()
            .take_while(|line| *line != Dialect::V10.header())
            .collect();
        assert_eq!(line.prelude, before, "{case}");
        assert_eq!(line.notes[0], recorded(&format!("{case}/stderr")).trim());
        let options = &line.options;
        assert_eq!(
            (options.threads, options.events, options.time),
            (threads, events, time)
        );
    }
    let line = by(
        SysbenchVersion::V1_0,
        "fileio --num-threads=2 --threads=3 --file-test-mode=rndrd --verbosity=1 run",
    );
    assert_eq!(line.options.threads, 2);
    assert!(line.prelude.is_empty(), "warnings are of level 2");
    let line = by(
        SysbenchVersion::V1_0,
        "fileio --num-threads=1 --threads=3 --max-time=0 --file-test-mode=rndrd run",
    );
    assert_eq!((line.options.threads, line.options.time), (3, 10));
    assert!(
        line.notes
            .iter()
            .any(|note| note.contains("--max-time=0 has no effect"))
    );
}

#[test]
fn names_tell_whose_rules_hold() {
    for (text, dialect) in [
        ("fileio prepare", Dialect::V10),
        ("--test=fileio prepare", Dialect::V04),
        ("--test=fileio --threads=4 prepare", Dialect::V10),
        ("fileio --max-time=4 prepare", Dialect::V04),
        ("fileio --max-time=4 --threads=1 prepare", Dialect::V10),
        ("fileio --init-rng=on prepare", Dialect::V04),
        ("fileio --init-rng=on --time=4 prepare", Dialect::V10),
        ("fileio --warmup-time=4 prepare", Dialect::V10),
        ("fileio --percentile=4 prepare", Dialect::V10),
    ] {
        assert_eq!(line(text).options.dialect, dialect, "{text}");
    }
    let both = "--test=fileio --file-num=2 prepare";
    assert_eq!(
        by(SysbenchVersion::V1_0, both).options.dialect,
        Dialect::V10
    );
    assert_eq!(
        by(SysbenchVersion::V0_4, both).options.dialect,
        Dialect::V04
    );
}

#[test]
fn words_stand_in_any_order() {
    for text in [
        "run --test=fileio --file-test-mode=rndrd",
        "--file-test-mode=rndrd run fileio",
        "fileio run --file-test-mode=rndrd",
        "fileio --file-test-mode=rndrd --test=fileio run",
        "run --file-test-mode=rndrd --max-time=3 fileio",
    ] {
        let options = line(text).options;
        assert_eq!(options.action, Action::Run, "{text}");
        assert_eq!(options.file.mode, Some(Mode::RndRd), "{text}");
    }
    for (text, why) in [
        ("run", "No test is named"),
        ("run prepare", "is not here"),
        ("cpu run", "'cpu' is not here"),
        ("fileio --file-num 4 run", "--file-num=4"),
        ("fileio -x run", "two dashes: --x"),
        ("fileio - run", "'-' alone is neither"),
        ("--test=fileio --max-time 3 run", "--max-time=3"),
        ("--test=fileio run prepare", "cannot be another"),
        ("--test=cpu run", "'cpu' is not here"),
        ("--test=fileio --file-num run", "--file-num=..."),
    ] {
        let problem = refusal(text);
        assert!(problem.err.join("\n").contains(why), "{text}: {problem:?}");
    }
}

#[test]
fn what_would_wrap_is_refused_with_option_value_and_range() {
    for (text, parts) in [
        ("--file-num=-1", ["--file-num", "-1", "1048576"]),
        (
            "--file-num=4294967296",
            ["file-num", "4294967296", "0 to 2147483647"],
        ),
        (
            "--threads=2147483648",
            ["threads", "2147483648", "0 to 2147483647"],
        ),
        ("--threads=65537", ["--threads", "65537", "65536"]),
        (
            "--file-block-size=5G",
            ["--file-block-size", "5368709120", "1073741824"],
        ),
        (
            "--file-total-size=18446744073709551616",
            [
                "--file-total-size",
                "18446744073709551616",
                "9223372036854775807",
            ],
        ),
        (
            "--file-total-size=99999999T",
            ["--file-total-size", "99999999T", "9223372036854775807"],
        ),
        (
            "--file-total-size=100000000000000000000",
            [
                "--file-total-size",
                "100000000000000000000",
                "9223372036854775807",
            ],
        ),
        ("--time=-1", ["--time", "-1", "2147483647"]),
        ("--percentile=-1", ["--percentile", "-1", "100"]),
        ("--verbosity=6", ["--verbosity", "6", "5"]),
        (
            "--file-merged-requests=65537",
            ["--file-merged-requests", "65537", "1 GiB"],
        ),
        (
            "--file-rw-ratio=-0.5",
            ["--file-rw-ratio", "-0.500000", "0 or more"],
        ),
        (
            "--file-rw-ratio=1e999",
            ["file-rw-ratio", "1e999", "number"],
        ),
        (
            "--report-checkpoints=1,0",
            ["--report-checkpoints", "0", "2147483647"],
        ),
        (
            "--forced-shutdown=99999999999",
            ["--forced-shutdown", "99999999999", "seconds"],
        ),
        ("--file-total-size=100", ["100", "128", "--file-total-size"]),
        (
            "--validate --file-block-size=12",
            ["--validate", "12", "--file-block-size"],
        ),
        (
            "--file-io-mode=async --file-async-backlog=0",
            ["backlog", "0", "1048576"],
        ),
    ] {
        let problem = refusal(&format!("fileio --file-test-mode=seqrd {text} run"));
        let all = format!("{}{}", problem.out, problem.err.join("\n"));
        for part in parts {
            assert!(all.contains(part), "{text}: {part}: {all}");
        }
    }
}

#[test]
fn older_numbers_may_have_something_behind_them() {
    let read = line("--test=fileio --max-time=30s --file-test-mode=rndrd run");
    assert_eq!(read.options.time, 30);
    assert!(
        read.notes
            .iter()
            .any(|note| note.contains("'30s' is read as 30"))
    );
    let problem = refusal("--test=fileio --max-time=abc --file-test-mode=rndrd run");
    assert_eq!(
        problem.err[0],
        "Invalid value for the 'max-time' option: 'abc'"
    );
    let problem = refusal("--test=fileio --file-fsync-all=yes --file-test-mode=rndrd run");
    assert!(problem.err[1].contains("on or off"));
}

#[test]
fn typeset_lines_are_read_and_told_once() {
    let text = "\u{2013}test=fileio \u{2014}file-total-size=1G \u{2212}\u{2212}file\u{2013}num=4 \
                --file-test-mode=\u{201c}rndrw\u{201d} --max-time=3 run";
    let read = line(text);
    assert_eq!(read.options.file.total, 1 << 30);
    assert_eq!(read.options.file.count, 4);
    assert_eq!(read.options.file.mode, Some(Mode::RndRw));
    let told = read
        .notes
        .iter()
        .filter(|note| note.contains("typesetting"));
    assert_eq!(told.count(), 1);
    let plain = line("fileio --file-num=4 prepare");
    assert!(plain.notes.is_empty(), "{:?}", plain.notes);
}

#[test]
fn options_without_effect_are_told_in_one_line() {
    let read = line(
        "fileio --db-driver=mysql --mysql-user=x --thread-stack-size=64K --rand-type=uniform \
         --db-debug prepare",
    );
    assert_eq!(
        read.notes,
        [
            "WARNING: without effect here: --db-driver, --mysql-user, --thread-stack-size, \
          --db-debug, --rand-type"
        ]
    );
    let problem = refusal("fileio --rand-type=normal prepare");
    assert_eq!(
        problem.out,
        "FATAL: Invalid random numbers distribution: normal.\n"
    );
}

#[test]
fn values_without_effect_are_checked_as_others_are() {
    for row in flags::rows() {
        let name = row.flag.name;
        if row.flag.support != Support::WithoutEffect {
            continue;
        }
        let junk = || refusal(&format!("fileio {name}=junk prepare"));
        let bare = row.bare_name();
        let recorded = format!("Invalid value for the '{bare}' option: 'junk'");
        match row.kind {
            Kind::Number | Kind::Float => {
                assert_eq!(junk().err[0], recorded);
                let below = refusal(&format!("fileio {name}=-1 prepare"));
                assert!(below.out.contains("FATAL: Invalid value for "), "{name}");
                assert!(below.err[0].contains(name), "{below:?}");
                assert_eq!(
                    refusal(&format!("fileio {name} prepare")).err[0],
                    format!("Invalid value for the '{bare}' option: ''")
                );
            }
            Kind::Size => {
                for value in ["junk", "0", "-1", "", "18446744073709551616"] {
                    let problem = refusal(&format!("fileio {name}={value} prepare"));
                    assert!(problem.out.contains(name), "{value}: {problem:?}");
                    assert!(problem.err[0].contains(name), "{value}: {problem:?}");
                }
            }
            // An older name of this kind alone makes the line one of 0.4.
            Kind::Switch if row.era == flags::Era::Old => assert_eq!(junk().err[0], recorded),
            Kind::Switch => {
                assert_eq!(junk().err, [format!("invalid option: {name}=junk")]);
            }
            Kind::List | Kind::Text => {
                line(&format!("fileio {name}=junk prepare"));
                line(&format!("fileio {name} prepare"));
            }
        }
    }
}

#[test]
fn what_only_prints_is_on_or_off_too() {
    for name in ["--help", "--version"] {
        for text in [format!("{name}=junk"), format!("fileio {name}= run")] {
            let problem = refusal(&text);
            let option = text.split(' ').find(|word| word.starts_with("--")).unwrap();
            assert_eq!(problem.err, [format!("invalid option: {option}")]);
        }
        for text in [name.to_owned(), format!("{name}=true")] {
            let parsed = parse(&args(&text), &around(None));
            assert!(
                matches!(parsed, Ok(Parsed::Print { exit: 0, .. })),
                "{text}"
            );
        }
        let old = refusal(&format!("--test=fileio {name}=junk prepare"));
        assert!(old.err[0].starts_with("Invalid value for the '"), "{old:?}");
    }
}

#[test]
fn older_names_below_0_are_refused_by_the_rules_of_1_0() {
    for (name, range) in [
        ("--num-threads", "1 to 65536"),
        ("--max-time", "0 to 2147483647"),
        ("--max-requests", "0 to 2147483647"),
        ("--tx-rate", "0 to 2147483647"),
    ] {
        let text = format!("fileio {name}=-1 --file-test-mode=rndrd run");
        let problem = parse(&args(&text), &around(Some(SysbenchVersion::V1_0))).unwrap_err();
        let fatal = format!("FATAL: Invalid value for {name}: -1.");
        assert!(problem.out.contains(&fatal), "{problem:?}");
        assert_eq!(
            problem.err,
            [format!("{name} is a number from {range}")],
            "{text}"
        );
    }
}

fn with_file(read: fn(&std::path::Path) -> std::io::Result<Vec<u8>>) -> Environment {
    Environment {
        files: Files::with(|_| true, read),
        ..around(None)
    }
}

#[test]
fn a_config_file_is_read_in_its_place() {
    let files = with_file(|path| {
        assert_eq!(path, std::path::Path::new("load.cfg"));
        Ok(b"# the load\n\nfile_num = 4\n--threads=2\nvalidate\nfile-test-mode=rndwr\n".to_vec())
    });
    let text = "--file-num=2 --config-file=load.cfg --threads=8 fileio run";
    let Ok(Parsed::Line(read)) = parse(&args(text), &files) else {
        panic!("{text}")
    };
    let options = read.options;
    assert_eq!((options.file.count, options.threads), (4, 8));
    assert!(options.validate && options.file.mode == Some(Mode::RndWr));
    for (text, why) in [
        ("file-num 4", "line 1: file-num 4: it is not name=value"),
        ("config-file=b", "a file names no other"),
        ("\u{0}=\u{1}", "invalid option: --"),
        ("file-foo=1", "invalid option: --file-foo=1 (line 1 of x)"),
    ] {
        thread_local! {
            static TEXT: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
        }
        TEXT.set(text.to_owned());
        let files = with_file(|_| Ok(TEXT.with_borrow(|text| text.clone().into_bytes())));
        let problem = parse(&args("fileio --config-file=x prepare"), &files).unwrap_err();
        assert!(problem.err.join("\n").contains(why), "{text}: {problem:?}");
    }
    let missing = refusal("fileio --config-file=x prepare");
    assert!(missing.err[0].starts_with("--config-file=x: it cannot be read"));
}

#[test]
fn a_run_without_an_end_is_told() {
    let new = line("fileio --time=0 --file-test-mode=rndrd run");
    assert!(new.prelude[0].starts_with("WARNING: neither --time nor --events"));
    let old = line("--test=fileio --max-requests=0 --file-test-mode=rndrd run");
    assert!(old.notes[0].contains("neither --max-time nor --max-requests"));
    // One pass is an end.
    let pass = line("--test=fileio --max-requests=0 --file-test-mode=seqrd run");
    assert!(pass.notes.is_empty());
}

#[test]
fn quiet_leaves_only_what_the_original_says() {
    let mut around = around(Some(SysbenchVersion::V1_0));
    around.settings.quiet = true;
    let text = "\u{2013}test=fileio --db-debug prepare";
    let Ok(Parsed::Line(read)) = parse(&args(text), &around) else {
        panic!("{text}")
    };
    assert_eq!(read.notes.len(), 1);
    assert!(read.notes[0].contains("--test option is deprecated"));
}

#[test]
fn published_lines_are_read() {
    let mut read = 0;
    for text in recorded("commands.txt").lines() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        // The one line with a loop, taken apart.
        let lines: Vec<String> = match text.strip_prefix("for f in prepare run cleanup; do ") {
            Some(body) => {
                let body = body.strip_suffix(" $f; done").unwrap();
                ["prepare", "run", "cleanup"]
                    .map(|word| format!("{body} {word}"))
                    .into()
            }
            None => vec![text.to_owned()],
        };
        for line in lines {
            let parsed = parse(&args(&line), &around(None));
            let has_command = ["prepare", "run", "cleanup"]
                .iter()
                .any(|word| line.split(' ').any(|argument| argument == *word));
            // Two were published without a command, and no version runs them.
            if has_command {
                assert!(matches!(parsed, Ok(Parsed::Line(_))), "{line}: {parsed:?}");
                read += 1;
            } else {
                let problem = parsed.unwrap_err();
                assert_eq!(
                    problem.err,
                    ["Missing required command argument."],
                    "{line}"
                );
            }
        }
    }
    // 48 lines, one of them three times, two without a command.
    assert_eq!(read, 48);
}

#[test]
fn seeds_come_from_where_the_line_says() {
    let clock = Seed::Clock {
        seed: 1_700_000_000,
    };
    for (text, seed) in [
        ("fileio prepare", clock),
        ("fileio --rand-seed=0 prepare", clock),
        ("fileio --rand-seed=42 prepare", Seed::Given { seed: 42 }),
        ("--test=fileio prepare", Seed::Fixed),
        ("--test=fileio --init-rng=on prepare", clock),
        ("--test=fileio --init-rng=off prepare", Seed::Fixed),
        ("--test=fileio --rand-init prepare", clock),
        (
            "--test=fileio --seed-rng=7 prepare",
            Seed::Given { seed: 7 },
        ),
    ] {
        assert_eq!(line(text).options.seed, seed, "{text}");
    }
}

#[test]
fn help_is_printed_where_it_is_asked_for() {
    for (text, version, code) in [
        ("--help", None, 0),
        ("--help", Some(SysbenchVersion::V0_4), 1),
        ("help", None, 0),
        ("fileio help", None, 0),
        ("--test=fileio help", None, 0),
        ("--threads=abc --help", None, 0),
    ] {
        let parsed = parse(&args(text), &around(version));
        assert!(
            matches!(&parsed, Ok(Parsed::Print { text, exit, .. })
                if *exit == code && text.contains("--file-rw-ratio")),
            "{text}: {parsed:?}"
        );
    }
}

#[test]
fn no_text_can_steer_a_terminal() {
    let problem = refusal("fileio --file-test-mode=\u{1b}[31m run");
    assert!(problem.out.contains("\\u{1b}[31m"));
    assert_eq!(words::escaped("a\tb"), "a\\tb");
    let problem = parse(&["fileio".into(), "run\r".into()], &around(None)).unwrap_err();
    assert!(problem.err[0].contains("dos2unix"));
}

/// An argument that is nearly one.
fn argument() -> impl Strategy<Value = OsString> {
    let names: Vec<&str> = flags::rows().map(|row| row.flag.name).collect();
    let name = prop::sample::select(names);
    let value = prop_oneof![
        "[-+]?[0-9]{0,21}[KMGTkmgt.%x]?",
        "(on|off|sync|async|mmap|rndrw|seqwr|direct,dsync|fdatasync)",
        ".{0,6}",
    ];
    prop_oneof![
        4 => (name, value).prop_map(|(name, value)| format!("{name}={value}")),
        2 => "(fileio|run|prepare|cleanup|help|version|cpu)",
        1 => "[-\u{2013}\u{201c}_=a-z]{0,9}",
    ]
    .prop_map(OsString::from)
}

proptest! {
    #[test]
    fn no_argument_list_panics(list in prop::collection::vec(argument(), 0..7), version in 0..3) {
        let around = around([None, Some(SysbenchVersion::V0_4), Some(SysbenchVersion::V1_0)]
            [version as usize]);
        if let Err(error) = Sysbench.parse(&list, &around) {
            prop_assert!(error.exit == 1 && (!error.messages.is_empty() || error.usage.is_some()));
        }
        let explained = Sysbench.explain(&list, &around);
        prop_assert!(explained.len() > list.len());
    }
}
