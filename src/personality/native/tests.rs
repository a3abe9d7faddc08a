//! Whose line is whose.

use super::*;
use crate::personality::express::Language;

fn parse_words(line: &str) -> Invocation {
    let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
    parse(&args, &|_| None).unwrap()
}

#[test]
fn what_follows_a_face_is_not_looked_at() {
    for line in [
        "iogauge diskspd -h -V --help -q -- x",
        "iogauge diskspd.exe -h -V --help -q -- x",
        r"iogauge .\DiskSpd.exe -h -V --help -q -- x",
    ] {
        let Invocation::Face {
            name,
            args,
            settings,
        } = parse_words(line)
        else {
            panic!("{line}")
        };
        assert_eq!(name, "diskspd");
        assert_eq!(args, ["-h", "-V", "--help", "-q", "--", "x"]);
        assert!(!settings.quiet);
    }
}

#[test]
fn our_own_options_stand_before_the_face() {
    let Invocation::Face { args, settings, .. } =
        parse_words("iogauge --destroy /dev/loop9 --destroy x -q diskspd -b4K /dev/loop9")
    else {
        panic!()
    };
    assert_eq!(args, ["-b4K", "/dev/loop9"]);
    assert_eq!(settings.destroy, ["/dev/loop9", "x"]);
    assert!(settings.quiet);
}

#[test]
fn explain_takes_a_whole_line() {
    for line in [
        "iogauge explain --offsets 12 -- diskspd -b4K -h x",
        "iogauge explain --offsets 12 diskspd -b4K -h x",
    ] {
        let Invocation::Explain {
            telling,
            name,
            args,
            ..
        } = parse_words(line)
        else {
            panic!("{line}")
        };
        assert_eq!((telling, name.as_str()), (Telling::Offsets(12), "diskspd"));
        assert_eq!(args, ["-b4K", "-h", "x"]);
    }
    let told = |line| match parse_words(line) {
        Invocation::Explain { telling, .. } => Some(telling),
        _ => None,
    };
    let translated = told("iogauge explain --as fio -- sysbench --test=fileio prepare");
    assert_eq!(translated, Some(Telling::As(Language::Fio)));
    assert_eq!(told("iogauge explain diskspd x"), Some(Telling::Words));
    assert_eq!(told("iogauge explain --as vdbench -- diskspd x"), None);
    assert_eq!(told("iogauge explain --as fio --offsets 3 diskspd x"), None);
}

#[test]
fn anything_else_is_a_complaint() {
    for line in ["iogauge frobnicate", "iogauge --frob", "iogauge explain"] {
        assert!(
            matches!(parse_words(line), Invocation::Print { error: true, .. }),
            "{line}"
        );
    }
    for line in ["iogauge --help", "iogauge --version"] {
        assert!(
            matches!(parse_words(line), Invocation::Print { error: false, .. }),
            "{line}"
        );
    }
    let args = ["iogauge", "--engine", "warp", "diskspd"].map(OsString::from);
    assert!(
        parse(&args, &|_| None)
            .unwrap_err()
            .message
            .contains("warp")
    );
}

#[test]
fn a_bad_value_is_called_by_the_name_that_was_typed() {
    let parse = |line: &str, lookup: &dyn Fn(&str) -> Option<OsString>| {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        parse(&args, lookup).unwrap_err()
    };
    for option in ["--engine", "--data", "--on-error"] {
        let problem = parse(&format!("iogauge {option}=foo diskspd x"), &|_| None);
        assert!(
            problem.message.starts_with(&format!("{option}='foo' ")),
            "{problem:?}"
        );
        assert_eq!(problem.face.as_deref(), Some("diskspd"));
    }
    let lookup = |name: &str| (name == "IOGAUGE_DATA").then(|| OsString::from("foo"));
    let problem = parse("iogauge explain -- diskspd x", &lookup);
    assert!(problem.message.starts_with("IOGAUGE_DATA='foo' "));
    assert_eq!(problem.face, None);
}
