//! Lines that are refused before anything is touched, help, and what is explained.

use super::{fits_a_small_terminal, native};
use crate::util::{self, Dir};

#[test]
fn what_is_wrong_is_told_in_a_sentence_and_nothing_is_made() {
    let dir = Dir::new();
    for (line, words) in [
        ("run", "what is to be loaded?"),
        ("run x", "as in ./x"),
        ("run sqlserver/chekpoint .", "sqlserver/checkpoint"),
        ("run ./no/x", "there is no folder ./no"),
        ("run ./x --size 0", "--size='0'"),
        ("run ./x --qd=-1", "from 1 to 32768"),
        ("run ./x --qd -1", "from 1 to 32768"),
        ("run ./x --duration 60", "a time with its unit"),
        ("run ./x --bs 4kB", "4000 or 4096 bytes"),
        ("run ./x --engine warp", "io_uring"),
        ("run ./x --zipf 1", "--zipf"),
        ("run ./x --bytes 4kB", "4000 or 4096 bytes"),
        ("run ./x --bytes 100", "less than one I/O of 4 KiB"),
        (
            "run ./x --burst=-1",
            "--burst='-1' is not understood: it must be a whole number from 1",
        ),
        ("run ./x --destroy ./y", "--destroy ./y names nothing"),
        ("run ./x --group_reporting=7", "0 or 1"),
        (
            "run sqlserver/oltp . --db-size 1G",
            "--db-size changes nothing",
        ),
        ("run ./x --live", "--live is not there yet"),
        ("history", "'history' is not there yet"),
        ("run sqlserver", "did you mean sqlserver/oltp?"),
        ("qiuck", "did you mean iogauge quick?"),
        ("explain --offsets=-1 -- run ./x", "from 0 to 1000000"),
        ("web . --make 3x4kB", "4000 or 4096 bytes"),
        ("run ./x --cache=both", "direct or buffered"),
        ("run /dev/null", "a character device"),
        ("quick x", "as in ./x"),
        ("quick . --size 4X", "--size='4X'"),
        (
            "--engine sim clean",
            "--engine is for commands that make a load",
        ),
        ("explain -- doctor", "explain is for lines of run"),
    ] {
        let output = util::run(&mut native(&dir, line));
        output.expect_code(2);
        assert!(output.told().contains(words), "{line}: {output:#?}");
        assert!(output.stdout.is_empty(), "{line}: {output:#?}");
        fits_a_small_terminal(&output.stderr);
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn a_place_that_is_not_to_be_had_is_refused_before_any_write() {
    let dir = Dir::new();
    let long = "x".repeat(300);
    for line in [
        format!("run ./{long} --size 4M --duration 100ms --warmup 0s"),
        "run ./no/x --size 4M".to_owned(),
        format!("quick ./{long} --size 8M"),
    ] {
        let output = util::run(&mut native(&dir, &line));
        output.expect_code(2);
        assert!(output.told().starts_with("iogauge: ./"), "{output:#?}");
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn versus_helps_with_its_own_defaults() {
    let dir = Dir::new();
    let output = util::run(&mut native(&dir, "versus --help"));
    output.expect_code(0);
    fits_a_small_terminal(&output.stdout);
    let text = output
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for words in [
        "[default: 5s, with quick 2s",
        "[default: 1s, with quick 500ms",
    ] {
        assert!(text.contains(words), "{text}");
    }
    for words in ["--repeat", "[default: 30s"] {
        assert!(!text.contains(words), "{text}");
    }
}

#[test]
fn help_fits_a_small_terminal() {
    let dir = Dir::new();
    for line in [
        "--help",
        "run --help",
        "quick --help",
        "precondition --help",
        "run -h",
        "explain --help",
    ] {
        let output = util::run(&mut native(&dir, line));
        output.expect_code(0);
        fits_a_small_terminal(&output.stdout);
    }
}

#[test]
fn each_option_has_a_line_of_its_own() {
    let dir = Dir::new();
    for front in ["", "iogauge "] {
        let line =
            format!("explain -- {front}run --rw=randrw --mix 80:20 --bs 8k -q --size 10GB ./x");
        let output = util::run(&mut native(&dir, &line));
        output.expect_code(0);
        for (argument, meaning) in [
            ("--rw=randrw", "reads and writes at random"),
            ("--mix 80:20", "reads to writes 80:20"),
            ("--bs 8k", "each I/O is 8k"),
            ("-q", "no progress"),
            ("--size 10GB", "9.31 GiB"),
            ("./x", "what is loaded"),
        ] {
            let lines: Vec<&str> = output
                .stdout
                .lines()
                .filter(|line| line.starts_with(argument))
                .collect();
            assert_eq!(lines.len(), 1, "{argument}: {output:#?}");
            assert!(lines[0].contains(meaning), "{argument}: {lines:?}");
        }
        assert!(
            output.stdout.contains("80 % reads, 20 % writes"),
            "{output:#?}"
        );
    }
    // Settings in front of a face's line are heard, and explained as the face explains.
    let line = "explain -- iogauge --engine psync diskspd -b8K ./x";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    assert!(output.stdout.contains("psync"), "{output:#?}");
    assert!(dir.names().is_empty());
}

/// 5 bytes are no multiple of any disk's block.
#[test]
fn what_direct_io_cannot_take_is_refused_before_any_file_is_made() {
    let dir = Dir::new();
    let text = "iogauge-plan = 1\n[[step]]\n[[step.prepare.file]]\npath = \"./f\"\nsize = \"1MiB\"\n\
                [[step]]\n[step.run]\nduration = \"10s\"\n[[step.run.target]]\npath = \"./f\"\n\
                caching = \"CACHING\"\n[[step.run.group]]\n[[step.run.group.stream]]\nblock = 5\n\
                pattern = { random = { alignment = 5 } }\n[[step]]\n[step.cleanup]\n\
                paths = [\"./f\"]\nwhose = \"own\"\n";
    let plan = dir.join("plan.toml");
    std::fs::write(&plan, text.replace("CACHING", "direct")).expect("a plan file");
    let output = util::run(&mut native(&dir, "run plan.toml"));
    output.expect_code(2);
    assert!(output.stderr.contains("multiples of"), "{output:?}");
    assert!(output.stderr.contains("is 5"), "{output:?}");
    assert_eq!(dir.names(), ["plan.toml"]);
    // The page cache takes anything.
    let short = text.replace("CACHING", "buffered").replace("10s", "50ms");
    std::fs::write(&plan, short).expect("a plan file");
    util::run(&mut native(&dir, "run plan.toml")).expect_code(0);
}
