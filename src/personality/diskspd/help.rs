//! Usage, made from the flag table.

use std::fmt::Write;

use crate::personality::{
    diskspd::flags::FLAGS,
    flags::{self, Support},
};

/// Column at which meanings begin.
const COLUMN: usize = 24;

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
        flags::entry(&mut text, COLUMN, &head, &meaning);
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

Variables
  IOGAUGE_DISKSPD=2.0     text reports in the words of 2.0 (or 2.1) for scripts
                          that read these
  IOGAUGE_DRIVES=D=/mnt   where drive D: is; disk numbers as well: 1=/dev/sdb
  IOGAUGE_DATA=original   new files and write buffers hold what DiskSpd writes

Exit codes: 0 finished, 1 failed while running, 3 refused before any I/O.
",
    );
    text
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
            assert!(line.chars().count() <= flags::WIDTH, "{line}");
        }
    }
}
