//! Options that stand beside any test.

use super::{Kind, Row, idle, new, number, old, row, switch};

/// In the order of help.
pub(super) const ROWS: &[Row] = &[
    old(row(
        "--test",
        "=fileio",
        Kind::Text,
        "the test; a word without dashes says it too",
        "",
    )),
    new(number(
        "--threads",
        "threads that draw from one sequence of requests (default 1)",
        "at most 65536",
    )),
    new(number(
        "--events",
        "ends after this many events, 0 is no limit (default 0)",
        "a periodic fsync is an event by the rules of 1.0",
    )),
    new(number(
        "--time",
        "ends after this many seconds, 0 is no limit (default 10)",
        "",
    )),
    old(number(
        "--num-threads",
        "threads, as 0.4 calls them (default 1)",
        "by the rules of 1.0 only above 1, and then it wins over --threads",
    )),
    old(number(
        "--max-requests",
        "ends after this many reads and writes, 0 is no limit (default 10000)",
        "by the rules of 0.4 not for sequential modes, which end after one pass; by those of 1.0 \
         only above 0, and then it wins over --events",
    )),
    old(number(
        "--max-time",
        "ends after this many seconds, 0 is no limit (default 0)",
        "by the rules of 1.0 only above 0, and then it wins over --time",
    )),
    new(number(
        "--warmup-time",
        "seconds of load before the measured time (default 0)",
        "as of 1.1; --time and --events begin to count after it, and a run that ends within it \
         reports nothing",
    )),
    row(
        "--forced-shutdown",
        "[=off|<seconds>|<n>%]",
        Kind::Text,
        "gives up on threads that are not done this long after the time limit (default off; \
         alone 5% of the limit)",
        "exit code 2",
    ),
    new(number(
        "--rate",
        "events a second over all threads, at random distances; 0 is as fast as possible (default 0)",
        "the wait for a thread is part of the latency",
    )),
    old(number("--tx-rate", "the older name of --rate", "")),
    number(
        "--report-interval",
        "figures every so many seconds, 0 is never (default 0)",
        "",
    ),
    row(
        "--report-checkpoints",
        "=<seconds>[,...]",
        Kind::List,
        "the whole report at these times, after which all counters start anew",
        "at most 256",
    ),
    number(
        "--percentile",
        "the percentile of latency in the report, 0 to 100; 0 is none (default 95)",
        "1 to 100 by the rules of 0.4",
    ),
    new(switch(
        "--histogram",
        "all latencies as a histogram (default off)",
        "not with --percentile=0",
    )),
    old(switch(
        "--init-rng",
        "other offsets in each run (default off: the same ones in every run)",
        "the seed comes from the clock (sysbench takes whole seconds); by the rules of 1.0 that is so anyway",
    )),
    old(switch(
        "--rand-init",
        "the name that 0.5 has for --init-rng",
        "",
    )),
    old(number(
        "--seed-rng",
        "seed of the offsets, 0 is none (default 0)",
        "as of the last 0.4",
    )),
    new(number(
        "--rand-seed",
        "seed of the offsets; 0 takes one from the clock, another in each run (default 0)",
        "the same seed gives the same offsets as sysbench gives, but not with --validate in rndwr and \
         rndrw, where sysbench draws the bytes of blocks from the same numbers",
    )),
    switch(
        "--validate",
        "blocks carry a checksum and their offset, and are checked when read (default off)",
        "files must have been prepared with it, and with the same block size",
    ),
    switch(
        "--debug",
        "tells every request and each thread's figures (default off)",
        "",
    ),
    number(
        "--verbosity",
        "what is told: 0 fatal, 2 warnings, 3 notices, 4 information, 5 all (default 3; 0.4: 4)",
        "",
    ),
    row(
        "--config-file",
        "=<file>",
        Kind::Text,
        "reads options from this file, one name=value a line, # begins a comment",
        "as if they stood in its place",
    ),
    switch("--help", "prints help and does nothing else", ""),
    switch("--version", "prints the version and does nothing else", ""),
    row(
        "--rand-type",
        "=uniform|gaussian|special|pareto|zipfian",
        Kind::Text,
        "distribution of random numbers of other tests; fileio draws all offsets alike, as in \
         every sysbench",
        "checked, and without effect",
    ),
    idle(
        "--rand-spec-iter",
        "=<n>",
        Kind::Number,
        "a parameter of --rand-type",
        "fileio draws all offsets alike",
    ),
    idle(
        "--rand-spec-pct",
        "=<n>",
        Kind::Number,
        "a parameter of --rand-type",
        "fileio draws all offsets alike",
    ),
    idle(
        "--rand-spec-res",
        "=<n>",
        Kind::Number,
        "a parameter of --rand-type",
        "fileio draws all offsets alike",
    ),
    idle(
        "--rand-pareto-h",
        "=<number>",
        Kind::Float,
        "a parameter of --rand-type",
        "fileio draws all offsets alike",
    ),
    new(idle(
        "--rand-zipfian-exp",
        "=<number>",
        Kind::Float,
        "a parameter of --rand-type (1.1)",
        "fileio draws all offsets alike",
    )),
    idle(
        "--thread-stack-size",
        "=<size>",
        Kind::Size,
        "stack of each thread",
        "threads have the stack that they need",
    ),
    new(idle(
        "--thread-init-timeout",
        "=<seconds>",
        Kind::Number,
        "how long threads may take to start (1.1)",
        "the load begins when all are there",
    )),
    old(idle(
        "--tx-jitter",
        "=<microseconds>",
        Kind::Number,
        "variation of the distances of --tx-rate (last 0.4)",
        "the distances are random already",
    )),
    old(idle(
        "--batch",
        "[=on|off]",
        Kind::Switch,
        "repeats the figures while running (0.4)",
        "--report-interval does this",
    )),
    old(idle(
        "--batch-delay",
        "=<seconds>",
        Kind::Number,
        "how often --batch repeats them",
        "--report-interval does this",
    )),
    new(idle(
        "--luajit-cmd",
        "=<command>",
        Kind::Text,
        "a command for LuaJIT",
        "there is no Lua here",
    )),
];
