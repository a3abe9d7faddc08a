//! `iogauge profiles` from outside: the list, SQL Server's table, one workload whole, own profiles,
//! what is refused.

mod own;
mod table;
mod whole;

use std::process::Command;

use crate::util::{Output, iogauge, run};

/// The machine of the paper's example.
const LARGE: &str = "lp=32,numa=2,sock=2,soft=4";

/// `iogauge profiles ARGS` in plain ASCII, with no settings of whoever runs the tests.
fn command(args: &[&str]) -> Command {
    let mut command = iogauge();
    command
        .arg("profiles")
        .args(args)
        .env("LC_ALL", "C")
        .env("XDG_CONFIG_HOME", "/nonexistent");
    command
}

/// What it prints; fails unless it is in order: 80 columns (a link is never cut), ASCII.
#[track_caller]
fn profiles(args: &[&str]) -> String {
    let output = run(&mut command(args));
    output.expect_code(0);
    assert_eq!(output.stderr, "");
    assert!(output.stdout.is_ascii(), "{}", output.stdout);
    for line in output.stdout.lines() {
        let link = line.trim_start().starts_with("https://");
        assert!(link || line.len() <= 80, "{} columns: {line}", line.len());
        assert_eq!(line.trim_end(), line);
    }
    output.stdout
}

/// Refused with exit code 2 and one line that has all of these.
#[track_caller]
fn refused(args: &[&str], says: &[&str]) -> Output {
    let output = run(&mut command(args));
    output.expect_code(2);
    assert_eq!(output.stdout, "");
    // One message, however many lines it takes.
    let begins = |line: &&str| !line.starts_with(' ');
    let messages = output.stderr.lines().filter(begins).count();
    assert_eq!(messages, 1, "{}", output.stderr);
    for part in says {
        assert!(
            output.told().contains(part),
            "{args:?}: {} / {part}",
            output.stderr
        );
    }
    output
}

/// All names, as the list has them.
fn names() -> Vec<String> {
    profiles(&[])
        .lines()
        .filter(|line| line.starts_with(' '))
        .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
        .collect()
}

#[test]
fn the_list_has_a_line_for_each() {
    let names = names();
    let sql = [
        "data-normal",
        "checkpoint",
        "lazywriter",
        "bulk-insert",
        "backup",
        "restore",
        "checkdb",
        "index-rebuild",
        "read-ahead",
        "log",
        "log-burst",
        "log-read",
        "oltp",
        "tempdb-spill",
        "columnstore-scan",
        "file-growth",
        "ag-secondary",
    ];
    let mut expected: Vec<String> = sql.iter().map(|name| format!("sqlserver/{name}")).collect();
    expected.extend(["etcd", "mysql-innodb", "postgres", "backup-1m"].map(str::to_owned));
    assert_eq!(names, expected);
}

#[test]
fn a_misspelt_name_is_refused_with_the_nearest() {
    refused(
        &["sqlserver/chekpoint"],
        &[
            "'sqlserver/chekpoint'",
            "did you mean sqlserver/checkpoint?",
        ],
    );
    refused(&["checkpoint"], &["did you mean sqlserver/checkpoint?"]);
    refused(&["etdc"], &["did you mean etcd?"]);
    refused(
        &["quux-quux-quux"],
        &["'quux-quux-quux' is no workload", "iogauge profiles"],
    );
    refused(&["a\x1b[2Jb"], &["no workload"]);
    refused(&[""], &["'' is no workload"]);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let junk = [
        "0",
        "-1",
        "",
        "4X",
        "1e3",
        "0x10",
        "9223372036854775808",
        "18446744073709551616",
        "100000000000000000000",
    ];
    for value in junk {
        for option in [
            "--maxdop",
            "--stripes",
            "--transfer",
            "--rate",
            "--qd",
            "--threads",
        ] {
            let given = format!("{option}={value}");
            refused(&["sqlserver/backup", &given], &[option, value]);
        }
        refused(
            &["sqlserver", &format!("--machine=lp={value}")],
            &["--machine", value],
        );
    }
    for value in ["0", "-0.5", "1.5", "inf", "nan", ""] {
        refused(
            &["sqlserver/backup", &format!("--compression={value}")],
            &["--compression"],
        );
    }
    refused(
        &["sqlserver", "--generation=2012"],
        &["--generation", "2012", "2008"],
    );
    refused(
        &["sqlserver", "--sql-flush=fsync"],
        &["--sql-flush", "fdatasync"],
    );
    refused(&["etcd", "--sql-flush=fdatasync"], &["--sql-flush", "etcd"]);
    refused(&["--maxdop=3"], &["--maxdop", "name a workload"]);
    refused(&["sqlserver/oltp", "--qd=3"], &["--qd", "sqlserver/oltp"]);
}
