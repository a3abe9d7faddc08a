//! Recorded system calls of the originals, done again by ours: the same calls on the files of the
//! set, in the same order.
//!
//! What may differ: flags that protect (O_EXCL, O_NOFOLLOW, O_CLOEXEC and the like) are added; a
//! file that is only read is opened for reading only; 0.4 creates a missing file when it opens it,
//! we do not; a file is made by one call and opened by another; preparation writes larger pieces;
//! the files are looked at before the load, through descriptors that are closed before it.

use std::{collections::BTreeMap, fs};

use super::case::{files_in, folder};
use crate::{
    reference::differences,
    trace::{Call, Trace, Traced},
    util::{self, Dir},
};

/// The calls that are looked at.
const CALLS: &str = "?open,openat,close,pread64,pwrite64,write,fsync,fdatasync,ftruncate,\
                     fallocate,?unlink,unlinkat,msync,prctl";

/// A call on a file of the set.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    call: String,
    file: String,
    /// Offset and size; the size alone of `write` and `ftruncate`.
    numbers: Vec<u64>,
    flags: String,
}

/// One recorded trace.
struct Recorded {
    setup: String,
    line: String,
    rows: Vec<Row>,
}

fn read(name: &str) -> Recorded {
    let path = folder().join("traces").join(format!("{name}.tsv"));
    let text = fs::read_to_string(path).expect("the trace is recorded");
    let head = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        let line = line.expect("every trace has it").trim();
        line.strip_prefix("sysbench")
            .unwrap_or(line)
            .trim()
            .to_owned()
    };
    let rows = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let rows = rows.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row {
            call: cells[1].to_owned(),
            file: cells[2].to_owned(),
            numbers: cells[3..5]
                .iter()
                .filter_map(|cell| cell.parse().ok())
                .collect(),
            flags: cells[5].to_owned(),
        }
    });
    Recorded {
        setup: head("# setup:"),
        line: head("# cmd:"),
        rows: rows.collect(),
    }
}

/// The file of a set that a call is about, by its descriptor or by its name.
fn file_of(call: &Call) -> Option<String> {
    let at = call.arguments.find("test_file.")?;
    let name = &call.arguments[at..];
    Some(name[..name.find(['>', '"'])?].to_owned())
}

fn row(call: &Call) -> Option<Row> {
    let file = file_of(call)?;
    let last = |count: usize| -> Vec<u64> {
        let words: Vec<&str> = call.arguments.rsplit(", ").take(count).collect();
        words
            .iter()
            .rev()
            .filter_map(|word| word.trim().parse().ok())
            .collect()
    };
    let (name, numbers) = match call.name.as_str() {
        // Size and offset, the other way round than they are recorded.
        "pread64" | "pwrite64" => (call.name.as_str(), last(2).into_iter().rev().collect()),
        "ftruncate" => ("ftruncate", last(1)),
        "open" | "openat" => ("openat", Vec::new()),
        "unlink" | "unlinkat" => ("unlink", Vec::new()),
        name => (name, Vec::new()),
    };
    let flags = call
        .arguments
        .split(", ")
        .find(|word| word.starts_with("O_"));
    Some(Row {
        call: name.to_owned(),
        file,
        numbers,
        flags: flags.unwrap_or_default().trim().to_owned(),
    })
}

/// What ours did to the files, without what looked at them before: reads through descriptors that
/// are not the workers'.
fn done(trace: &Trace) -> Vec<Row> {
    let rows: Vec<Row> = trace.calls().iter().filter_map(row).collect();
    // A look opens for reading, writes nothing, and closes before anything else is opened.
    let mut kept = Vec::new();
    let mut looking: Option<String> = None;
    let loaded = rows.iter().position(moves).unwrap_or(rows.len());
    let closes_later = |from: usize, file: &str| {
        let rest = rows[from..loaded].iter();
        rest.take_while(|row| row.file == file)
            .any(|row| row.call == "close")
    };
    for (at, row) in rows.iter().enumerate() {
        let read_only = row.flags.starts_with("O_RDONLY") && !row.flags.contains("O_CREAT");
        if at < loaded && row.call == "openat" && read_only && closes_later(at, &row.file) {
            looking = Some(row.file.clone());
        }
        if looking.is_none() {
            kept.push(row.clone());
        }
        if row.call == "close" {
            looking = None;
        }
    }
    kept
}

/// A transfer or a flush.
fn moves(row: &Row) -> bool {
    ["pread64", "pwrite64", "write", "fsync", "fdatasync"].contains(&row.call.as_str())
}

/// Runs a recorded line under strace; `None` where nothing can be traced.
fn replayed(recorded: &Recorded) -> Option<(Trace, Dir)> {
    let dir = Dir::new();
    if !recorded.setup.is_empty() {
        util::run(&mut dir.sysbench(&recorded.setup)).expect_code(0);
    }
    let prepare = recorded.line.ends_with("prepare");
    let traced = Traced {
        face: "sysbench",
        engine: "",
        // Preparation has no threads of its own.
        calls: if prepare {
            CALLS.trim_end_matches(",prctl")
        } else {
            CALLS
        },
        options: &["-y", "-s", "16"],
        ..Traced::transfers(&dir)
    };
    let trace = traced.line(&recorded.line)?;
    Some((trace, dir))
}

/// The lines of calls, to be compared.
fn lines<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<String> {
    rows.map(|row| format!("{} {} {:?}", row.call, row.file, row.numbers))
        .collect()
}

#[track_caller]
fn same(name: &str, what: &str, theirs: &[String], ours: &[String]) {
    let problems = differences(theirs, ours);
    assert!(
        problems.is_empty(),
        "{name}, {what}:\n{}",
        problems.join("\n")
    );
}

#[test]
fn every_request_and_flush_is_the_originals() {
    let _turn = util::busy();
    for name in [
        "v04-rndrw",
        "v04-seqwr",
        "v10-rndrd-unaligned",
        "v10-rndrw-seed42",
        "v10-rndrw-seed42-pct0",
        "v10-seqrd-unaligned",
        "v10-seqwr",
        "v10-seqwr-merged",
    ] {
        let recorded = read(name);
        let Some((trace, _dir)) = replayed(&recorded) else {
            return;
        };
        let ours = done(&trace);
        let theirs = lines(recorded.rows.iter().filter(|row| moves(row)));
        assert!(theirs.len() > 10, "{name}: nothing is recorded");
        same(
            name,
            "requests",
            &theirs,
            &lines(ours.iter().filter(|row| moves(row))),
        );
        // All of them by the one worker.
        let workers = trace.workers();
        let others = trace
            .calls()
            .iter()
            .filter(|call| row(call).is_some_and(|row| moves(&row)) && call.thread != workers[0]);
        assert_eq!((workers.len(), others.count()), (1, 0), "{name}");
        opened(name, &recorded, &ours);
    }
}

/// Files are removed, made, opened and closed in the originals' order.
#[track_caller]
fn opened(name: &str, recorded: &Recorded, ours: &[Row]) {
    let removed = |rows: &[Row]| lines(rows.iter().filter(|row| row.call == "unlink"));
    same(name, "removed", &removed(&recorded.rows), &removed(ours));
    let first = |rows: &[Row]| rows.iter().position(moves).unwrap_or(rows.len());
    let (theirs, before) = (
        &recorded.rows[..first(&recorded.rows)],
        &ours[..first(ours)],
    );
    let last = |rows: &[Row]| -> BTreeMap<String, String> {
        // How a file is open when the load begins.
        let opens = rows.iter().filter(|row| row.call == "openat");
        opens
            .map(|row| (row.file.clone(), row.flags.clone()))
            .collect()
    };
    let (theirs_open, ours_open) = (last(theirs), last(before));
    assert_eq!(theirs_open.len(), ours_open.len(), "{name}");
    for (file, flags) in &ours_open {
        let reads = name.contains("rndrd") || name.contains("seqrd");
        let access = if reads { "O_RDONLY" } else { "O_RDWR" };
        assert!(theirs_open[file].starts_with("O_RDWR"), "{name}: {file}");
        assert!(flags.starts_with(access), "{name}: {file}: {flags}");
        // Nothing is written through a symbolic link.
        let guarded = reads || flags.contains("O_NOFOLLOW");
        assert!(guarded, "{name}: {file}: {flags}");
        assert!(
            !flags.contains("O_CREAT") && !flags.contains("O_DIRECT"),
            "{flags}"
        );
    }
    let made = |rows: &[Row]| -> Vec<String> {
        let made = rows.iter().filter(|row| row.flags.contains("O_CREAT"));
        made.map(|row| row.file.clone()).collect()
    };
    let anew = name.contains("seqwr");
    if anew {
        same(name, "made", &made(theirs), &made(before));
        assert!(
            before
                .iter()
                .filter(|row| row.flags.contains("O_CREAT"))
                .all(|row| row.flags.contains("O_EXCL"))
        );
    } else {
        assert_eq!(made(before), Vec::<String>::new(), "{name}");
    }
    let order = |rows: &[Row]| -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for row in rows.iter().filter(|row| row.call == "openat") {
            if files.last() != Some(&row.file) {
                files.push(row.file.clone());
            }
        }
        files
    };
    same(name, "opened", &order(theirs), &order(before));
    let closed = |rows: &[Row]| lines(rows.iter().filter(|row| row.call == "close"));
    let ours = closed(&ours[first(ours)..]);
    let theirs = closed(&recorded.rows[first(&recorded.rows)..]);
    if !theirs.is_empty() {
        same(name, "closed", &theirs, &ours);
    }
}

#[test]
fn preparation_covers_what_the_originals_cover() {
    let _turn = util::busy();
    for name in ["v04-prepare", "v10-prepare", "v10-prepare-extend-partial"] {
        let recorded = read(name);
        let Some((trace, dir)) = replayed(&recorded) else {
            return;
        };
        let ours = done(&trace);
        // File by file, the next begun when the last is flushed and closed.
        let order = |rows: &[Row]| -> Vec<String> {
            let mut seen: Vec<String> = Vec::new();
            let kinds = ["write", "pwrite64", "fsync", "close"];
            for row in rows.iter().filter(|row| kinds.contains(&row.call.as_str())) {
                let call = row.call.replace("pwrite64", "write");
                let line = format!("{call} {}", row.file);
                // A file is made by one call and opened by another.
                let made = call == "close" && seen.last() != Some(&format!("fsync {}", row.file));
                if !made && seen.last() != Some(&line) {
                    seen.push(line);
                }
            }
            seen
        };
        same(name, "order", &order(&recorded.rows), &order(&ours));
        // From where it began, in one piece to its end.
        let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
        for row in ours.iter().filter(|row| row.call == "pwrite64") {
            let start = if name.ends_with("partial") {
                153_600
            } else {
                0
            };
            let end = ends.entry(&row.file).or_insert(start);
            let [offset, size] = row.numbers[..] else {
                panic!("{row:?}")
            };
            assert_eq!(offset, *end, "{name}: {row:?}");
            *end += size;
        }
        let written: BTreeMap<&str, u64> = sizes(&recorded.rows);
        for (file, end) in &ends {
            let start = if name.ends_with("partial") {
                153_600
            } else {
                0
            };
            assert_eq!(end - start, written[file], "{name}: {file}");
            assert_eq!(files_in(&dir)[*file], (*end, 0o600), "{name}: {file}");
        }
        assert_eq!(ends.len(), 4, "{name}");
        if name.starts_with("v04") {
            // 0.4 removes what is there before it makes it anew; nothing is there.
            assert!(
                trace
                    .calls()
                    .iter()
                    .all(|call| call.name != "unlink" || call.result.is_some())
            );
        }
    }
}

/// Bytes written by file.
fn sizes(rows: &[Row]) -> BTreeMap<&str, u64> {
    let mut sizes = BTreeMap::new();
    for row in rows.iter().filter(|row| row.call == "write") {
        *sizes.entry(row.file.as_str()).or_default() += row.numbers[0];
    }
    sizes
}

/// 0.4 gives up at its first flush of a mapped file; ours writes the set once and flushes each.
#[test]
fn mapped_files_are_opened_as_by_the_original_and_flushed() {
    let _turn = util::busy();
    let name = "v04-seqrewr-mmap";
    let recorded = read(name);
    let Some((trace, _dir)) = replayed(&recorded) else {
        return;
    };
    let ours = done(&trace);
    let calls = |rows: &[Row]| lines(rows.iter());
    same(name, "calls", &calls(&recorded.rows), &calls(&ours));
    let synced: Vec<&Call> = trace
        .calls()
        .iter()
        .filter(|call| call.name == "msync")
        .collect();
    assert_eq!(synced.len(), 2, "{synced:?}");
    assert!(
        synced
            .iter()
            .all(|call| call.arguments.contains("131072, MS_SYNC")),
        "{synced:?}"
    );
}
