//! Options of the test itself.

use super::{Kind, Row, number, row, size, switch};

/// In the order of help.
pub(super) const ROWS: &[Row] = &[
    number(
        "--file-num",
        "number of files, test_file.0 and on in the current folder (default 128)",
        "at most 1048576; one round of fsync covers all of them, so it changes the result",
    ),
    size(
        "--file-block-size",
        "bytes of a request (default 16K)",
        "a request is at most 1 GiB",
    ),
    size(
        "--file-total-size",
        "bytes of all files together, each has an equal part, rounded down (default 2G)",
        "",
    ),
    row(
        "--file-test-mode",
        "=seqwr|seqrewr|seqrd|rndrd|rndwr|rndrw",
        Kind::Text,
        "sequential write of new files, rewrite, read; random read, write, both; a run needs it",
        "seqwr removes what was prepared",
    ),
    row(
        "--file-io-mode",
        "=sync|async|mmap",
        Kind::Text,
        "one call a request, several in flight, or through mappings (default sync)",
        "pread and pwrite; io_uring or Linux AIO; mmap",
    ),
    number(
        "--file-async-backlog",
        "requests in flight of each thread, async only (default 128)",
        "",
    ),
    row(
        "--file-extra-flags",
        "=[sync|dsync|direct][,...]",
        Kind::List,
        "how files are opened (default: through the page cache)",
        "O_SYNC, O_DSYNC, O_DIRECT; without direct the page cache answers what it can",
    ),
    number(
        "--file-fsync-freq",
        "a round of fsync over all files after every so many requests, reads included; 0 is never \
         (default 100)",
        "only where something was written since the last round; not for sequential modes by the \
         rules of 0.4",
    ),
    switch(
        "--file-fsync-all",
        "fsync after each write, and no other (default off)",
        "part of the write's latency",
    ),
    switch(
        "--file-fsync-end",
        "fsync of all files at the end of a run that writes (default on)",
        "by the rules of 0.4 once, and not after a time limit; by those of 1.0 by every thread",
    ),
    row(
        "--file-fsync-mode",
        "=fsync|fdatasync",
        Kind::Text,
        "the call (default fsync)",
        "",
    ),
    number(
        "--file-merged-requests",
        "makes sequential requests this many blocks long; 0 is one block (default 0)",
        "a request is at most 1 GiB",
    ),
    row(
        "--file-rw-ratio",
        "=<number>",
        Kind::Float,
        "reads for each write, rndrw only (default 1.5)",
        "",
    ),
];
