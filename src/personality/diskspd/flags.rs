//! DiskSpd's options: the one table that usage, `explain`, the compatibility page and the tests
//! are made from. The parser looks every option up here first: what is not here does not exist.

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

const fn refused(name: Text, value: Text, meaning: Text) -> Flag {
    Flag {
        name,
        value,
        meaning,
        mapping: "an option of DiskSpd 2.3; this is the command line of 2.2",
        support: Support::Refused,
    }
}

/// Every option, in the order in which help lists them. The longest name that an argument begins
/// with is its row.
pub const FLAGS: &[Flag] = &[
    supported("-?", "", "this help", ""),
    supported(
        "-:",
        "<bits>",
        "experiments: bit 0 lets a throttled thread sleep until its next I/O is due",
        "",
    ),
    supported(
        "-a",
        "<[g<group>,]cpu>[,...]",
        "binds threads to these CPUs, thread by thread, round and round (default: all CPUs in turn)",
        "CPU n of group g is the system's CPU 64 g + n",
    ),
    supported(
        "-ag",
        "",
        "binds threads to all CPUs in turn, as without the option",
        "",
    ),
    refused("-ac", "", "threads by core"),
    refused("-as", "", "threads by socket"),
    refused("-ap", "", "threads on performance cores"),
    refused("-aP", "", "threads on performance cores only"),
    refused("-ae", "", "threads on efficiency cores"),
    refused("-aE", "", "threads on efficiency cores only"),
    refused("-au", "", "threads by topology"),
    supported(
        "-b",
        "<size>",
        "bytes of each I/O (default 64K); the unit b elsewhere means this size",
        "",
    ),
    refused("-bs", "", "separation of buffers"),
    supported(
        "-B",
        "<base>[:<length>]",
        "uses the target from this byte on, and at most the length behind it",
        "",
    ),
    supported(
        "-c",
        "<size>",
        "makes each target file anew with this size before the run; 0 makes nothing",
        "every byte is written, flushed and dropped from the page cache",
    ),
    supported(
        "-C",
        "<seconds>",
        "cool-down: load goes on behind the measured time (default 0)",
        "",
    ),
    supported("-d", "<seconds>", "measured time (default 10)", ""),
    supported(
        "-D",
        "[<milliseconds>]",
        "deviation of IOPS over intervals of this length (default 1000)",
        "",
    ),
    without_effect(
        "-e",
        "p|q|s|c|<WORD>",
        "traces by the Windows kernel logger: p, q, s, c choose memory and clock; words are \
         PROCESS THREAD IMAGE_LOAD DISK_IO MEMORY_PAGE_FAULTS MEMORY_HARD_FAULTS NETWORK REGISTRY",
        "there is no such logger; the XML profile keeps the option",
    ),
    supported("-f", "<size>", "uses the target only up to this byte", ""),
    supported(
        "-fr",
        "",
        "tells the system to expect random access; the letters r, s, t combine",
        "posix_fadvise RANDOM",
    ),
    supported(
        "-fs",
        "",
        "tells the system to expect sequential access",
        "posix_fadvise SEQUENTIAL",
    ),
    without_effect(
        "-ft",
        "",
        "marks the file as temporary",
        "there is no such attribute",
    ),
    supported(
        "-F",
        "<threads>",
        "this many threads in all, each on all targets (not with -t)",
        "",
    ),
    supported(
        "-g",
        "<n>[i]",
        "limit of each thread on each target: bytes per millisecond, or I/Os per second with i",
        "",
    ),
    supported(
        "-h",
        "",
        "no system cache, writes durable: the same as -Sh",
        "O_DIRECT and O_DSYNC",
    ),
    supported(
        "-i",
        "<I/Os>",
        "I/Os of a burst, shared out to the threads of the target; needs -j",
        "",
    ),
    supported(
        "-I",
        "1|2|3",
        "priority of I/O: very low, low, normal (default 3)",
        "I/O class idle; best effort, lowest level; unchanged. Some schedulers ignore it",
    ),
    supported("-j", "<milliseconds>", "pause between bursts; needs -i", ""),
    supported(
        "-l",
        "",
        "large pages for I/O buffers",
        "reserved huge pages (vm.nr_hugepages)",
    ),
    supported("-L", "", "measures the latency of each I/O", ""),
    supported("-n", "", "binds threads to no CPU (not with -a)", ""),
    supported(
        "-N",
        "v|n|i",
        "flushes after each mapped write; needs -Sm",
        "v: msync; n and i: cache lines written back with and without a fence, DAX only",
    ),
    supported(
        "-o",
        "<I/Os>",
        "outstanding I/Os of each thread on each target (default 2)",
        "",
    ),
    refused("-oc", "", "depth of completion dequeue"),
    supported(
        "-O",
        "<I/Os>",
        "outstanding I/Os of each thread, spread over its targets; needs -F",
        "",
    ),
    supported(
        "-p",
        "",
        "each outstanding I/O of a thread walks the same sequence on its own",
        "",
    ),
    supported(
        "-P",
        "[<I/Os>]",
        "prints a dot for every so many I/Os of a thread (default 65536)",
        "",
    ),
    supported(
        "-r",
        "[<size>]",
        "random I/O at multiples of this size (default: the block size)",
        "",
    ),
    supported(
        "-rd",
        "pct<io>/<target>[:...] | abs<io>/<size>[:...]",
        "shares of random I/O, in percent, over parts of the target, in percent or bytes",
        "",
    ),
    supported(
        "-rs",
        "<percent>",
        "this share of the I/Os is random, the others follow on sequentially (1 to 100)",
        "",
    ),
    supported(
        "-R",
        "[p]text|[p]xml|p",
        "format of the report (default text); with p only the checked parameters are printed",
        "",
    ),
    refused("-Rs", "", "report of the system only"),
    supported(
        "-s",
        "[<size>]",
        "sequential I/O with this stride (default: the block size)",
        "",
    ),
    supported(
        "-si",
        "[<size>]",
        "sequential I/O in one sequence that all threads of a target share",
        "",
    ),
    supported(
        "-S",
        "[b|h|m|r|u|w ...]",
        "cache modes; the letters combine, alone it is -Su",
        "",
    ),
    supported(
        "-Sb",
        "",
        "through the system cache (default)",
        "page cache",
    ),
    supported(
        "-Sh",
        "",
        "no system cache, writes durable",
        "O_DIRECT and O_DSYNC",
    ),
    supported("-Sm", "", "through a mapping of the file", "shared mmap"),
    supported(
        "-Sr",
        "",
        "no local cache, network filesystems only",
        "O_DIRECT; refused on local filesystems",
    ),
    supported("-Su", "", "no system cache", "O_DIRECT"),
    supported(
        "-Sw",
        "",
        "writes are durable when they complete",
        "O_DSYNC",
    ),
    refused("-Sy", "", "partial BypassIO"),
    refused("-SY", "", "required BypassIO"),
    supported(
        "-t",
        "<threads>",
        "threads for each target (default 1; not with -F)",
        "",
    ),
    supported(
        "-T",
        "<size>",
        "distance between the places where a target's threads start",
        "",
    ),
    refused("-u", "[n]<batch>[p]", "I/O by IoRing"),
    supported("-v", "", "tells on standard output what happens when", ""),
    supported("-vs", "", "statistics of how threads waited", ""),
    supported("-w", "<percent>", "share of writes (default 0)", ""),
    supported(
        "-W",
        "<seconds>",
        "warm-up: load before the measured time (default 5)",
        "",
    ),
    without_effect(
        "-x",
        "",
        "completion routines instead of completion ports",
        "the same engine issues the I/O",
    ),
    supported(
        "-X",
        "<file>",
        "takes the parameters from an XML profile; besides it only -d -W -C -R -v -z -: and targets",
        "",
    ),
    supported(
        "-ye",
        "<event>",
        "signals this event and ends with code 1",
        "makes the file <event> in $XDG_RUNTIME_DIR/iogauge, else in /tmp/iogauge-<user number>",
    ),
    supported(
        "-yf",
        "<event>",
        "signals this event when the measured time ends",
        "makes the file, see -ye; what an earlier run left is removed when the run begins",
    ),
    supported(
        "-yp",
        "<event>",
        "ends the run early when this event is signalled",
        "signalled is a file that exists, see -ye; SIGINT does the same",
    ),
    supported(
        "-yr",
        "<event>",
        "waits for this event before the load",
        "signalled is a file that exists, see -ye",
    ),
    supported(
        "-ys",
        "<event>",
        "signals this event when the measured time begins",
        "makes the file, see -ye; what an earlier run left is removed when the run begins",
    ),
    supported(
        "-z",
        "[<seed>]",
        "seed of all random choices (default 0; alone: milliseconds since the machine started)",
        "",
    ),
    supported(
        "-Z",
        "[<size>[,<file>]]",
        "writes send zeros; with a size, places in a buffer of random bytes or of the file's",
        "",
    ),
    supported("-Zr", "", "writes send fresh random bytes each time", ""),
];

/// The row of an option, given without its switch character: the one with the longest name.
pub(super) fn find(body: &str) -> Option<&'static Flag> {
    FLAGS
        .iter()
        .filter(|flag| body.starts_with(&flag.name[1..]))
        .max_by_key(|flag| flag.name.len())
}

/// The sentence for an option that is known and refused.
pub(super) fn refusal(flag: &Flag) -> String {
    format!("{} ({}) is {}", flag.name, flag.meaning, flag.mapping)
}

/// The sentence for an option that is accepted and does nothing.
pub(super) fn no_effect(flag: &Flag) -> String {
    format!("{} has no effect here: {}", flag.name, flag.mapping)
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
        // SPEC: letters that 2.2 does not use; `u` is known by name from 2.3.
        for letter in "AEGHJKMQUVYkmq1".chars() {
            assert_eq!(find(&letter.to_string()), None, "{letter}");
        }
    }

    #[test]
    fn longer_names_win() {
        for (body, name) in [
            ("rs40", "-rs"),
            ("r4K", "-r"),
            ("bsp", "-bs"),
            ("Zr", "-Zr"),
        ] {
            assert_eq!(find(body).map(|flag| flag.name), Some(name));
        }
    }
}
