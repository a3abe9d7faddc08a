//! SQLIO's options: the one table that usage, `explain`, the compatibility page and the tests are
//! made from. The parser looks every option up here first: what is not here does not exist.

use crate::personality::flags::{Flag, Support};

type Text = &'static str;

const fn supported(name: Text, value: Text, meaning: Text, mapping: Text) -> Flag {
    Flag {
        name,
        value,
        meaning,
        mapping,
        support: Support::Supported,
    }
}

const fn without_effect(name: Text, value: Text, meaning: Text, mapping: Text) -> Flag {
    Flag {
        support: Support::WithoutEffect,
        ..supported(name, value, meaning, mapping)
    }
}

/// Threads in all.
pub(super) const THREADS_MAX: u64 = 256;
/// File names, drive letters and raw targets together.
pub(super) const FILES_MAX: usize = 256;
/// Characters of a file name.
pub(super) const NAME_MAX: usize = 256;
/// What Linux transfers in one call at most, in KiB.
pub(super) const BLOCK_KIB_MAX: u64 = 0x7fff_f000 >> 10;
/// I/Os that a thread may have outstanding on a file.
pub(super) const DEPTH_MAX: u64 = 1 << 20;

/// Every option, in the order in which help lists them. The longest name that an argument begins
/// with is its row.
pub const FLAGS: &[Flag] = &[
    supported("-?", "", "this help", ""),
    supported(
        "-k",
        "<R|W>",
        "reads (R) or writes (W); there is no mix (default R)",
        "of more letters the first one counts",
    ),
    supported(
        "-t",
        "<threads>",
        "threads, 1 to 256 (default 1); -F has its own",
        "",
    ),
    supported(
        "-s",
        "<seconds>",
        "how long the load lasts (default 30)",
        "rates are of the time from the release of the threads to the last completion",
    ),
    supported(
        "-d",
        "<letters>",
        "the one file name on each of these drives: -dEF uses E:name and F:name",
        "drives are folders that IOGAUGE_DRIVES names",
    ),
    supported(
        "-R",
        "<list>",
        "raw targets: partitions by letter, physical disks by number, as in -RD,1",
        "block devices that IOGAUGE_DRIVES names; writing to one needs IOGAUGE_DESTROY too",
    ),
    supported(
        "-f",
        "<factor|random|sequential>",
        "order of blocks: striped with that many blocks between consecutive I/Os, drawn, or one after \
         the other (default 64)",
        "drawn places come from xoshiro256++, another sequence each time; one after the other \
         means one cursor for each file, which all threads share",
    ),
    supported(
        "-p",
        "[I]<cpu>",
        "all threads on this CPU, counted from 0; I: ideally",
        "I is no more than a wish and leaves the choice to the scheduler",
    ),
    supported(
        "-a",
        "[R[I]]<mask>",
        "all threads on the CPUs of this mask (decimal, or 0x and hex); R: dealt to them one by \
         one; I: ideally",
        "without R threads are bound to one CPU of the mask each, too, and a note says so",
    ),
    supported(
        "-o",
        "<outstanding>",
        "I/Os that each thread keeps outstanding on each file; 0: one at a time, the files in \
         turn (default 0); not with -m",
        "at most 1048576; io_uring or libaio, whichever works",
    ),
    supported(
        "-b",
        "<KiB>",
        "size of each I/O (default 2)",
        "at most 2097148, what Linux transfers in one call",
    ),
    supported(
        "-i",
        "<I/Os>",
        "I/Os of a run, striped order only (default 64)",
        "the file has to have -i x -f x -b bytes, and is made or extended where it has not",
    ),
    supported(
        "-m",
        "<C|S><pieces>",
        "each I/O's data is in that many pieces, copied to and from its buffer (C) or scattered \
         and gathered by the system (S: pieces of 4 KiB); not with -o",
        "S is preadv and pwritev",
    ),
    supported(
        "-L",
        "<S|P>[i]",
        "reports latencies, by the timer of the system (S) or of the processor (P); i: how long \
         initiating an I/O took as well",
        "both timers are the system's monotonic clock in nanoseconds",
    ),
    supported(
        "-U",
        "[p]",
        "reports CPU use; p: of each CPU too",
        "interrupts and softirqs of /proc/stat, counts of /proc/interrupts",
    ),
    supported(
        "-B",
        "<N|Y|H|S>",
        "caches: none (N), file and disk (Y), the disk's only (H), the file system's only (S) \
         (default N)",
        "N: O_DIRECT and O_DSYNC; H: O_DIRECT; S: O_DSYNC; Y: neither",
    ),
    supported(
        "-S",
        "<blocks>",
        "begins that many blocks into the file (default 0)",
        "the end stays where it is, but for striped order, whose file grows by as much",
    ),
    supported(
        "-v1.1.1",
        "",
        "the first run of each thread again and again, as version 1.1.1 did",
        "",
    ),
    without_effect(
        "-64",
        "",
        "64-bit memory operations",
        "an option of the Alpha build; v1.5.SG has none such",
    ),
    supported(
        "-F",
        "<file>",
        "a parameter file: lines of name, threads, CPU mask, size in MiB; -t, -d, -R, -p, -a and \
         names are ignored beside it",
        "",
    ),
    without_effect(
        "-D",
        "<level>",
        "debug output",
        "iogauge explain --offsets lists the I/Os of a line",
    ),
];

/// The row of an option, given without its dash: the one with the longest name.
pub(super) fn find(body: &str) -> Option<&'static Flag> {
    FLAGS
        .iter()
        .filter(|flag| body.starts_with(&flag.name[1..]))
        .max_by_key(|flag| flag.name.len())
}

/// The sentence for an option that is accepted and does nothing.
pub(super) fn no_effect(flag: &Flag) -> String {
    format!(
        "{} ({}) has no effect here: {}",
        flag.name, flag.meaning, flag.mapping
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_ascii_and_explained() {
        for flag in FLAGS {
            assert_eq!(FLAGS.iter().filter(|f| f.name == flag.name).count(), 1);
            assert!(flag.name.starts_with('-') && flag.name.is_ascii());
            assert!(flag.meaning.len() > 3 && flag.value.is_ascii());
            assert_eq!(find(&flag.name[1..]).map(|f| f.name), Some(flag.name));
        }
    }

    #[test]
    fn letters_that_the_original_does_not_know_are_no_options() {
        // SPEC 2: there is no -c and no -e; letters are case-sensitive.
        for letter in "cehjlnqruwxyzACEGHIJKMNOPQTVWXYZ01".chars() {
            assert_eq!(find(&letter.to_string()), None, "{letter}");
        }
    }
}
