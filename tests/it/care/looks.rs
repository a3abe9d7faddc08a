//! Commands that only look: the bare program and `doctor`.

use std::process::Command;

use crate::util::{self, Dir, Output};

/// No line is longer than a terminal, and plain ASCII is enough.
#[track_caller]
fn fits(output: &Output) {
    for line in output.stdout.lines() {
        assert!(
            line.len() <= 80 && line.is_ascii(),
            "{line:?} in {output:#?}"
        );
    }
}

/// The same command as an ordinary user, from a copy that everybody may run; `None` where that is
/// not possible, which is told.
fn as_nobody(args: &[&str]) -> Option<Output> {
    if !util::is_root() || !util::has("setpriv") {
        util::skip("only root becomes an ordinary user, by setpriv");
        return None;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let copy = place.path().join("iogauge");
    std::fs::copy(env!("CARGO_BIN_EXE_iogauge"), &copy).expect("a copy");
    let path = place
        .path()
        .to_str()
        .expect("our own paths are text")
        .to_owned();
    util::tool("chmod", &["755", &path])?;
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&copy)
        .args(args)
        .env("IOGAUGE_HISTORY", "off")
        .current_dir("/");
    Some(util::run(&mut command))
}

#[test]
fn the_bare_program_lists_disks_and_lines_to_paste() {
    let output = util::run(&mut util::iogauge());
    output.expect_code(0);
    fits(&output);
    let lines: Vec<&str> = output
        .stdout
        .lines()
        .filter(|l| l.starts_with("  iogauge "))
        .collect();
    assert_eq!(lines.len(), 5, "{output:#?}");
    // Each is a command line of this version, but for the paths in it.
    let explained = lines
        .iter()
        .find(|line| line.contains("explain"))
        .expect("one explains");
    let words: Vec<&str> = explained.split_whitespace().skip(1).collect();
    util::run(util::iogauge().args(words)).expect_code(0);
    let root = "MOUNT            DEVICE      KIND     FS              FREE  WRITE CACHE    BUSY";
    let seen = output.stdout.contains(root) || output.stdout.contains("No disk is seen");
    assert!(seen, "{output:#?}");
    assert_eq!(output.stderr, "");
}

#[test]
fn explain_as_json_is_one_document_also_for_refused_lines() {
    let dir = Dir::new();
    for (line, outcome, code) in [
        ("run ./x --size 1G --duration 2s", "runs", 0),
        ("diskspd -b8K -d10 -c1M ./f", "runs", 0),
        ("run ./x --frob", "refused", 2),
        ("run ./x --qd 0", "refused", 2),
        ("frobnicate", "refused", 2),
        ("doctor", "refused", 2),
        ("../p.toml", "refused", 2),
        ("--engine frob diskspd x", "refused", 2),
        ("sqlio --batch x", "refused", 2),
        ("diskspd -b8K -qq ./f", "refused", 3),
        (
            "sysbench --test=fileio --file-test-mode=x run",
            "refused",
            1,
        ),
    ] {
        let mut command = dir.iogauge(&["explain", "--json", "--"]);
        let output = util::run(command.args(line.split(' ')));
        output.expect_code(code);
        let value: serde_json::Value =
            serde_json::from_str(&output.stdout).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(value["iogauge_explain"], 1, "{line}");
        assert_eq!(value["outcome"], outcome, "{line}");
        let errors = value["errors"].as_array().expect("a list");
        assert_eq!(errors.is_empty(), outcome == "runs", "{line}: {output:#?}");
        assert_eq!(output.stderr, "", "{line}");
        if outcome == "runs" {
            assert_eq!(value["exit_code"], serde_json::Value::Null);
        } else {
            assert_eq!(value["exit_code"], code, "{line}");
        }
    }
    assert!(dir.names().is_empty(), "it made {:?}", dir.names());
    let both = ["explain", "--json", "--offsets", "3", "--", "diskspd", "x"];
    util::run(&mut dir.iogauge(&both)).expect_code(2);
}

#[test]
fn explain_fits_the_terminal_but_for_the_line_to_paste() {
    let dir = Dir::new();
    let line = "diskspd -b8K -d300 -h -L -o32 -r -w40 -t8 -c1G -Z1M -D500 ./datafile.dat";
    let mut command = dir.iogauge(&["explain", "--"]);
    let output = util::run(command.args(line.split(' ')));
    output.expect_code(0);
    let pasted = output.stdout.lines().filter(|text| text.contains(line));
    assert_eq!(pasted.count(), 1, "{output:#?}");
    for text in output.stdout.lines().filter(|text| !text.contains(line)) {
        assert!(text.chars().count() <= 80, "{text:?} in {output:#?}");
    }
}

#[test]
fn doctor_says_what_needs_action_and_its_json_says_the_same() {
    let dir = Dir::new();
    dir.file("file", 8192);
    let text = util::run(&mut dir.iogauge(&["doctor", "--all"]));
    text.expect_code(0);
    fits(&text);
    assert!(
        text.stdout.contains(" before . is measured on "),
        "{text:#?}"
    );
    let json = util::run(&mut dir.iogauge(&["doctor", "--json", "file"]));
    let value: serde_json::Value =
        serde_json::from_str(&json.expect_code(0).stdout).expect("it is JSON");
    assert_eq!(
        (&value["schema"], &value["path"]),
        (&1.into(), &"file".into())
    );
    let checks = value["checks"].as_array().expect("a list");
    let needing = checks
        .iter()
        .filter(|check| check["state"] == "action")
        .count();
    assert_eq!(value["needs_action"], needing);
    for key in [
        "engine_io_uring",
        "engine_libaio",
        "direct_io",
        "write_cache",
        "filesystem",
    ] {
        assert!(
            checks.iter().any(|check| check["check"] == key),
            "{key}: {json:#?}"
        );
    }
    for check in checks {
        let acts = check["state"] == "action";
        assert_eq!(acts, check["remedy"].is_string(), "{check}");
    }
    assert_eq!(dir.names(), ["file"], "it only looks");
}

#[test]
fn doctor_sees_limits_that_hold_for_it() {
    if !util::has("prlimit") {
        util::skip("prlimit is missing");
        return;
    }
    let dir = Dir::new();
    let mut command = Command::new("prlimit");
    command.args(["--nofile=64:64", env!("CARGO_BIN_EXE_iogauge"), "doctor"]);
    let output = util::run(command.current_dir(dir.path()));
    output.expect_code(0);
    assert!(
        output
            .stdout
            .contains("! open files: at most 64 may be open"),
        "{output:#?}"
    );
}

#[test]
fn a_place_that_is_not_there_is_refused() {
    let dir = Dir::new();
    let output = util::run(&mut dir.iogauge(&["doctor", "missing"]));
    output.expect_code(2);
    assert!(output.told().contains("doctor missing: "), "{output:#?}");
}

#[test]
fn an_ordinary_user_may_look_too() {
    for args in [&[][..], &["doctor", "/"], &["doctor", "--json", "/tmp"]] {
        let Some(output) = as_nobody(args) else {
            return;
        };
        output.expect_code(0);
        assert_eq!(output.stderr, "", "{args:?}");
    }
}
