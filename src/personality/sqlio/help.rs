//! Usage, made from the flag table.

use std::fmt::Write;

use super::flags::FLAGS;
use crate::personality::flags::{self, Support};

/// Column at which meanings begin.
const COLUMN: usize = 20;

/// What `-?` prints.
pub(super) fn usage() -> String {
    let mut text = String::from(
        "Usage: sqlio [options] [file ...]

A value follows its letter without a blank. Without options it is
  sqlio -kR -t1 -s30 -f64 -b2 -i64 -BN testfile.dat

",
    );
    for flag in FLAGS {
        let head = format!("  {}{}", flag.name, flag.value);
        let mut meaning = flag.meaning.to_owned();
        if flag.support == Support::WithoutEffect {
            let _ = write!(meaning, " (no effect here: {})", flag.mapping);
        }
        flags::entry(&mut text, COLUMN, &head, &meaning);
    }
    text.push_str(
        "
At most 256 threads, 256 files and raw targets, 256 characters a file name. A
file that is not there is made; one that is too short is extended.

Examples
  sqlio -kR -s60 -frandom -o8 -b8 -t4 -LS -BH test.dat
      60 s of random reads of 8 KiB past the file cache, 4 threads with 8 each
  sqlio -LS -kR -b64 -i64 -f64 -t1 -s300
      reads of 64 KiB, each 4 MiB behind the one before, over 256 MiB
  sqlio --batch santest.cmd
      runs the sqlio lines of an old batch file, each with its own > or >>

Variables
  IOGAUGE_DRIVES=E=/mnt/e,9=/dev/sdb   where drive E: and disk 9: are
  IOGAUGE_DATA=original                zeros in files and writes, as SQLIO has

Exit codes: 0 after a report, 1 otherwise.
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
