//! What messages say, and how.

use std::{ffi::OsString, io};

use super::super::parse;
use crate::personality::{
    Environment, Files, Personality,
    diskspd::{
        DiskSpd,
        testing::{around, line, refusal},
    },
};

#[test]
fn ranges_in_messages_are_those_that_hold() {
    for (option, range) in [
        ("-d-1", "from 0 to 2147483647"),
        ("-d2147483648", "from 0 to 2147483647"),
        ("-o0", "from 1 to 2147483647"),
        ("-o99999999999", "from 1 to 2147483647"),
        ("-w101", "from 0 to 100"),
        ("-w9999999999", "from 0 to 100"),
        ("-D9999999999", "from 1 to 2147483647"),
        ("-P9999999999", "from 1 to 2147483647"),
    ] {
        let message = refusal(&format!("{option} x.dat")).join("\n");
        assert!(message.contains(range), "{message}");
    }
    for option in ["-d2147483647", "-w100", "-w0", "-D2147483647"] {
        line(&format!("{option} x.dat"));
    }
}

#[test]
fn windows_line_ends_are_named() {
    let refused = |list: &[&str], around: &Environment| {
        let list: Vec<OsString> = list.iter().map(OsString::from).collect();
        parse(&list, around).err().map(|lines| lines.join("\n"))
    };
    for list in [&["-d1\r"][..], &["-h", "x.dat\r"], &["-h", "x.dat", "\r"]] {
        let message = refused(list, &around()).unwrap();
        assert!(
            message
                .contains("\\r: it ends with a carriage return: the script has Windows line ends"),
            "{message}"
        );
        assert!(!message.contains('\r'), "{message:?}");
    }
    let there = Environment {
        files: Files::with(|_| true, |_| Err(io::ErrorKind::NotFound.into())),
        ..around()
    };
    assert_eq!(refused(&["x.dat\r"], &there), None);
}

#[test]
fn names_cannot_steer_a_terminal() {
    for name in ["*\u{1b}[2Jx", "*a\nERROR: b", "-\u{1b}[2J"] {
        let list = [OsString::from(name)];
        let lines = parse(&list, &around()).unwrap_err();
        let plain = |line: &String| !line.contains(char::is_control);
        assert!(lines.iter().all(plain), "{lines:?}");
        let explained = DiskSpd.explain(&list, &around());
        assert!(!explained[0].argument.contains(char::is_control));
    }
}

#[test]
fn a_refused_line_has_errors_and_no_advice() {
    // Alone, `-t2` warns that both threads walk the same offsets.
    assert!(line("-t2 x.dat").warnings[0].starts_with("WARNING: "));
    let messages = refusal("-t2 -x -g100 x.dat");
    assert!(!messages.is_empty());
    assert!(
        messages.iter().all(|line| line.starts_with("ERROR: ")),
        "{messages:?}"
    );
}

#[test]
fn what_is_left_over_is_named_plainly() {
    for (text, words) in [
        ("-", "'-' alone is no option"),
        ("-b4KK x.dat", "'K' is left over"),
        ("-B1M4 x.dat", "'4' is left over"),
        ("-r -rdabs50/1KK x.dat", "'K' is left over"),
        ("-Zrx x.dat", "-Zr takes no value"),
        ("-vx x.dat", "only -v and -vs"),
    ] {
        let message = refusal(text).join("\n");
        assert!(message.contains(words), "{message}");
    }
}
