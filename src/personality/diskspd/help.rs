//! Usage, made from the flag table.

use std::fmt::Write;

use crate::personality::{diskspd::flags::FLAGS, flags::Support};

/// Column at which meanings begin, and the width of the whole.
const COLUMN: usize = 24;
const WIDTH: usize = 80;

/// What `-?` prints.
pub(super) fn usage() -> String {
    let mut text = String::from(
        "Usage: diskspd [options] target [target ...]

A target is a file, a block device, #<n> (whole disk n) or *<n> (a template of
an XML profile). Options stand before the targets; a value follows its letter
without a blank; / may stand for -. Sizes: digits and one of K, M, G, T (1024
each) or b (blocks of -b).

",
    );
    for flag in FLAGS {
        if flag.support == Support::Refused {
            continue;
        }
        let head = format!("  {}{}", flag.name, flag.value);
        let mut meaning = flag.meaning.to_owned();
        if flag.support == Support::WithoutEffect {
            let _ = write!(meaning, " (no effect here: {})", flag.mapping);
        }
        entry(&mut text, &head, &meaning);
    }
    text.push_str("\nOf DiskSpd 2.3, and refused by name:\n ");
    for flag in FLAGS.iter().filter(|f| f.support == Support::Refused) {
        text.push(' ');
        text.push_str(flag.name);
    }
    text.push_str(
        "

Examples
  diskspd -c1G -b4K -r -o32 -t4 -w30 -Sh -d30 -L test.dat
      makes a file of 1 GiB, then 30 s of random 4 KiB I/O past the caches, 30 %
      writes, 4 threads with 32 I/Os each, with latencies
  diskspd -Rpxml -b8K -r -w40 test.dat
      prints the parameters as an XML profile and does no I/O

Exit codes: 0 finished, 1 failed while running, 3 refused before any I/O.
",
    );
    text
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

    #[test]
    fn every_flag_is_listed_in_80_columns() {
        let text = usage();
        for flag in FLAGS {
            assert!(text.contains(flag.name), "{}", flag.name);
        }
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
