//! What each option says, in a few words around its value.

use std::time::Duration;

use crate::{
    plan::{Steady, steady::WINDOWS},
    units::{ByteSize, fio, size, time},
};

/// How a value is read for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As typed.
    Plain,
    /// A size of ours.
    Size,
    /// A time of ours.
    Time,
    /// A time of fio, in seconds.
    FioTime,
    /// A time of fio, in microseconds.
    FioMicroseconds,
}

use Reading::{FioMicroseconds, FioTime, Plain, Size, Time};

/// Options and what they say; `{}` is the value.
const PHRASES: &[(&str, &str, Reading)] = &[
    ("--size", "test file (or used part of a target) of {}", Size),
    ("--rw", "{}", Plain),
    ("--mix", "reads to writes {}", Plain),
    ("--bs", "each I/O is {}", Plain),
    ("--qd", "{} in flight in each thread", Plain),
    ("--threads", "{} threads for each target", Plain),
    ("--duration", "{} measured", Time),
    ("--warmup", "{} of load before the measured time", Time),
    ("--cooldown", "{} of load after the measured time", Time),
    ("--bytes", "ends after {}", Size),
    ("--ops", "ends after {} I/Os", Plain),
    ("--passes", "ends after {} passes over the range", Plain),
    (
        "--until-steady",
        "ends as soon as five windows are steady: {}",
        Plain,
    ),
    (
        "--stop-if",
        "ends early as soon as an interval has {}",
        Plain,
    ),
    ("--dist", "random I/Os go by {}", Plain),
    ("--rate", "{} a second", Plain),
    (
        "--cap",
        "never more than {} a second, all threads together",
        Plain,
    ),
    (
        "--think",
        "each thread pauses for {} after each I/O or burst",
        Time,
    ),
    ("--burst", "{} I/Os between two pauses", Plain),
    ("--cache", "{}", Plain),
    ("--durable", "writes are made durable: {}", Plain),
    ("--data", "what is written: {}", Plain),
    (
        "--verify",
        "what is read is held against what was written: {}",
        Plain,
    ),
    ("--align", "random offsets are multiples of {}", Size),
    ("--offset", "the used range begins at {}", Size),
    ("--region", "the used range is {} long", Size),
    (
        "--cpus",
        "threads are bound to CPUs {}, one after the other",
        Plain,
    ),
    ("--interval", "a figure for each {}", Time),
    ("--repeat", "{} independent repetitions", Plain),
    (
        "--pause",
        "nothing is done for {} between two repetitions",
        Time,
    ),
    ("--engine", "I/O by engine {}", Plain),
    ("--seed", "chance begins with {}", Plain),
    ("--on-error", "at an I/O error: {}", Plain),
    ("--keep", "test files stay for the next run: {}", Plain),
    ("--destroy", "consent to destroy what {} holds", Plain),
    (
        "--quiet",
        "no progress and no notes on standard error",
        Plain,
    ),
    ("--generation", "sizes of SQL Server's writes: {}", Plain),
    ("--machine", "as on a machine of {}", Plain),
    (
        "--sql-flush",
        "SQL Server's writes are made durable by {}",
        Plain,
    ),
    ("--transfer", "each I/O of a backup is {}", Size),
    ("--stripes", "{} backup files", Plain),
    (
        "--compression",
        "{} bytes of backup for each byte of data",
        Plain,
    ),
    ("--db-size", "times for a database of {}", Size),
    ("--maxdop", "{} threads of one query", Plain),
    ("--filename", "loads {}", Plain),
    ("--directory", "test files in {}", Plain),
    ("--iodepth", "{} in flight in each thread", Plain),
    ("--numjobs", "{} threads for each target", Plain),
    ("--runtime", "{} measured", FioTime),
    (
        "--ramp_time",
        "{} of load before the measured time",
        FioTime,
    ),
    ("--rwmixread", "{} % of reads", Plain),
    ("--bssplit", "sizes with their percents: {}", Plain),
    ("--random_distribution", "random I/Os go by {}", Plain),
    (
        "--rate_iops",
        "never more than {} I/Os a second of each thread",
        Plain,
    ),
    (
        "--thinktime",
        "each thread pauses for {} after each I/O",
        FioMicroseconds,
    ),
    (
        "--ioengine",
        "I/O by fio's engine {}, or what is like it here",
        Plain,
    ),
    ("--direct", "past the page cache: {}", Plain),
    ("--sync", "writes are made durable: {}", Plain),
    ("--fsync", "an fsync after every {} writes", Plain),
    ("--fdatasync", "an fdatasync after every {} writes", Plain),
    ("--zero_buffers", "what is written is zeros: {}", Plain),
    ("--buffer_pattern", "what is written repeats {}", Plain),
    ("--randseed", "chance begins with {}", Plain),
    (
        "--continue_on_error",
        "goes on behind errors of kind {}",
        Plain,
    ),
    ("--name", "no effect: a run has one job", Plain),
    (
        "--group_reporting",
        "no effect: figures are those of all threads",
        Plain,
    ),
    (
        "--time_based",
        "no effect: a load lasts as long as it is asked to",
        Plain,
    ),
];

/// What options of `web` say that other commands do not have, or mean otherwise.
const WEB: &[(&str, &str, Reading)] = &[
    ("--visitors", "visitors at a time: {}", Plain),
    (
        "--make",
        "files that are made for want of a site: {}",
        Plain,
    ),
    ("--dist", "files are asked for by {}", Plain),
    (
        "--cold",
        "each file is dropped from the page cache before it is opened",
        Plain,
    ),
    (
        "--warm",
        "each file is read once before, into the page cache",
        Plain,
    ),
    ("--duration", "{} measured of each number of visitors", Time),
    ("--warmup", "{} of visits before each measured time", Time),
];

/// What options of `precondition` mean there.
const PRECONDITION: &[(&str, &str, Reading)] = &[
    ("--bytes", "ends after {} in all", Size),
    ("--passes", "ends after {} times the target", Plain),
];

/// The same of `sweep`.
const SWEEP: &[(&str, &str, Reading)] = &[
    ("--vary", "one point for each value of {}", Plain),
    (
        "--slo",
        "the highest load that keeps {} is searched, and measured again",
        Plain,
    ),
    ("--duration", "{} measured of each point", Time),
    (
        "--warmup",
        "{} of load before the measured time of each point",
        Time,
    ),
    ("--runtime", "{} measured of each point", FioTime),
    (
        "--ramp_time",
        "{} of load before the measured time of each point",
        FioTime,
    ),
    (
        "--repeat",
        "the answer is measured so often again at the end: {}",
        Plain,
    ),
];

/// What an option of the command `within` says with this value; `None` for one that has no words of
/// its own.
pub(super) fn phrase(within: &str, name: &str, value: &str) -> Option<String> {
    let find =
        |table: &'static [(&str, &str, Reading)]| table.iter().find(|(known, ..)| *known == name);
    let own = match within {
        "web" => WEB,
        "sweep" => SWEEP,
        "precondition" => PRECONDITION,
        _ => &[],
    };
    let own = find(own);
    if own.is_none()
        && let Some(special) = special(name, value)
    {
        return Some(special);
    }
    let (_, words, reading) = own.or_else(|| find(PHRASES))?;
    let value = read(*reading, value).unwrap_or_else(|| value.escape_debug().to_string());
    Some(words.replace("{}", &value))
}

fn read(reading: Reading, value: &str) -> Option<String> {
    let zero = Duration::ZERO;
    match reading {
        Plain => None,
        Size => {
            let bytes = size::parse(value, 0, size::SIZE_MAX).ok()?.bytes;
            Some(ByteSize(bytes).words())
        }
        Time => time::parse(value, zero).ok().map(time::words),
        FioTime => fio::time(value, zero).ok().map(time::words),
        FioMicroseconds => fio::microseconds(value).ok().map(time::words),
    }
}

/// Values that change what the words are.
fn special(name: &str, value: &str) -> Option<String> {
    Some(match (name, value) {
        ("--rw", "read") => "reads from start to end".to_owned(),
        ("--rw", "write") => "writes from start to end".to_owned(),
        ("--rw", "rw" | "readwrite") => "reads and writes from start to end".to_owned(),
        ("--rw", "randread") => "reads at random".to_owned(),
        ("--rw", "randwrite") => "writes at random".to_owned(),
        ("--rw", "randrw") => "reads and writes at random".to_owned(),
        ("--cache", "direct") | ("--direct", "1") => "past the page cache (O_DIRECT)".to_owned(),
        ("--cache", "buffered") | ("--direct", "0") => "through the page cache".to_owned(),
        ("--durable", "no") | ("--sync", "none" | "0") => {
            "a write is done when the system has taken it: it is not durable".to_owned()
        }
        ("--durable" | "--sync", "dsync") => {
            "each write is durable before it counts as done (O_DSYNC)".to_owned()
        }
        ("--durable" | "--sync", "sync") | ("--sync", "1") => {
            "each write is durable with its metadata before it counts as done (O_SYNC)".to_owned()
        }
        ("--durable", "end") => "one flush at the end, in the measured time".to_owned(),
        ("--verify", "yes" | "1") => {
            "what is read is held against what was written, in the load and once more after it"
                .to_owned()
        }
        ("--verify", "no" | "0") => "nothing is verified".to_owned(),
        ("--fsync" | "--fdatasync", "0") => "no flushes".to_owned(),
        ("--until-steady", value) => return steady(value),
        ("--rate", value) => return rate(value),
        ("--dist" | "--random_distribution", value) => return places(value),
        _ => return None,
    })
}

/// Where random I/Os go.
fn places(value: &str) -> Option<String> {
    let (kind, figures) = value.split_once(':').unwrap_or((value, ""));
    let (first, second) = figures.split_once([':', '/']).unwrap_or((figures, ""));
    Some(match (kind, first) {
        ("uniform" | "random", _) => "random I/Os go everywhere alike".to_owned(),
        ("shuffled", _) => {
            "each block once in random order, then all again in another order".to_owned()
        }
        ("zipf", "") => "random I/Os go by Zipf's law, with fio's exponent of 1.1".to_owned(),
        ("zipf", exponent) => format!("random I/Os go by Zipf's law with exponent {exponent}"),
        ("pareto", "") => "random I/Os go by Pareto's rule, with fio's 0.2".to_owned(),
        ("pareto", h) => format!("random I/Os go by Pareto's rule with {h}"),
        ("normal", deviation) => format!(
            "random I/Os lie around a middle, standard deviation {deviation} % of the range"
        ),
        ("hot", share) => {
            let percent = if second.ends_with(|c: char| c.is_ascii_digit()) {
                " %"
            } else {
                ""
            };
            format!("{share} % of the random I/Os go to the first {second}{percent} of the range")
        }
        _ => return None,
    })
}

/// The windows and the bounds of a load until it is steady.
fn steady(value: &str) -> Option<String> {
    let Steady {
        window,
        range_percent,
        slope_percent,
    } = value.parse().ok()?;
    Some(format!(
        "ends as soon as {WINDOWS} windows of {} are steady: a range of at most {range_percent} % \
         and a slope of at most {slope_percent} % of their mean; the figures are of these",
        time::words(window)
    ))
}

/// An open loop, or fio's limit.
fn rate(value: &str) -> Option<String> {
    let (count, law) = value.split_once(',').unwrap_or((value, ""));
    if let Ok(bytes) = fio::size(count, 1, size::SIZE_MAX)
        && count.parse::<u64>().is_err()
    {
        let bytes = ByteSize(bytes).words();
        return Some(format!(
            "as fio's: never more than {bytes} a second of each thread"
        ));
    }
    let distances = if law == "poisson" {
        "at distances of chance"
    } else {
        "at equal distances"
    };
    count.parse::<u64>().ok().map(|count| {
        format!(
            "open loop: {count} a second arrive {distances}, whether or not the target keeps up"
        )
    })
}
