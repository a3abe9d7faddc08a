//! Help, made from the flag table.

use std::fmt::Write;

use super::{
    flags::{Row, SECTIONS},
    options::Dialect,
};
use crate::personality::flags::Support;

/// Column at which meanings begin, and the width of the whole.
const COLUMN: usize = 26;
const WIDTH: usize = 80;

/// What is said of a line that says too little.
pub(super) fn usage(dialect: Dialect) -> String {
    let mut text = String::from(match dialect {
        Dialect::V04 => "Usage:\n  sysbench [options] --test=fileio prepare|run|cleanup|help\n\n",
        Dialect::V10 => "Usage:\n  sysbench [options] fileio prepare|run|cleanup|help\n\n",
    });
    text.push_str(
        "fileio is the only test of sysbench that is here. A value follows its option
behind '=', words and options stand in any order, and the last of several wins.

  prepare  makes the files test_file.0 and on in the current folder
  run      loads them; --file-test-mode says how
  cleanup  removes them
  help     lists the options of fileio

--help lists all options.
",
    );
    text
}

/// The options of the test.
pub(super) fn fileio() -> String {
    let mut text = String::new();
    for (title, rows) in SECTIONS
        .iter()
        .filter(|(title, _)| title.contains("fileio"))
    {
        section(&mut text, title, rows);
    }
    text
}

/// All of it.
pub(super) fn whole(dialect: Dialect) -> String {
    let mut text = usage(dialect);
    for (title, rows) in SECTIONS {
        text.push('\n');
        section(&mut text, title, rows);
    }
    text.push_str(
        "
Sizes: a whole number and K, M, G, T (1024 each) or nothing.

Examples
  sysbench fileio --file-total-size=8G prepare
  sysbench fileio --file-total-size=8G --file-test-mode=rndrw --time=60 run
  sysbench fileio --file-total-size=8G cleanup

Variables
  IOGAUGE_SYSBENCH=0.4    reads lines by the rules of 0.4 (or 1.0) and reports
                          in its words; without it a name that only one of them
                          has tells (--threads: 1.0; --num-threads, --test: 0.4)
  IOGAUGE_DATA=original   new files and write buffers hold what sysbench writes

Exit codes: 0 finished, 1 refused or failed, 2 shut down by force.
",
    );
    text
}

fn section(text: &mut String, title: &str, rows: &[Row]) {
    let _ = writeln!(text, "{title}:");
    let (idle, active): (Vec<&Row>, Vec<&Row>) = rows
        .iter()
        .partition(|row| row.flag.support == Support::WithoutEffect);
    for row in active {
        let head = format!("  {}{}", row.flag.name, row.flag.value);
        entry(text, &head, row.flag.meaning);
    }
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().map(|row| row.flag.name).collect();
        entry(text, "  without effect here", &names.join(" "));
    }
}

/// One option: its head, then its meaning in the right column.
fn entry(text: &mut String, head: &str, meaning: &str) {
    text.push_str(head);
    let mut column = head.chars().count();
    if column + 2 > COLUMN {
        text.push('\n');
        column = 0;
    }
    for word in meaning.split(' ') {
        if column > COLUMN && column + 1 + word.chars().count() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column < COLUMN {
            text.push_str(&" ".repeat(COLUMN - column));
            column = COLUMN;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.chars().count();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::sysbench::flags::rows;

    #[test]
    fn every_option_is_listed_in_80_columns() {
        for dialect in [Dialect::V04, Dialect::V10] {
            let text = whole(dialect);
            for row in rows() {
                assert!(text.contains(row.flag.name), "{}", row.flag.name);
            }
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
        assert!(fileio().contains("--file-rw-ratio") && !fileio().contains("--threads"));
    }
}
