//! Runs of SQLIO lines under strace: which thread moved what, in which file, in which order.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::resume_unwind,
    thread,
};

use crate::{
    trace::{Trace, Traced},
    util::{self, Dir},
};

/// A transfer as the kernel saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moved {
    /// Number of the thread, from 0.
    pub(super) worker: usize,
    /// As the line names it.
    pub(super) file: String,
    /// `pread64`, `pwritev`.
    pub(super) call: String,
    /// First byte.
    pub(super) offset: u64,
    /// Bytes, for the calls that take one buffer; pieces, for those that take several.
    pub(super) count: u64,
}

const CALLS: &str =
    "?open,openat,pread64,pwrite64,preadv,pwritev,?preadv2,?pwritev2,prctl,sched_setaffinity";

/// Runs a line by ordinary calls; `None`, said, where nothing can be traced.
pub(super) fn traced(dir: &Dir, line: &str, variables: &[(&str, &str)]) -> Option<Trace> {
    let traced = Traced {
        face: "sqlio",
        variables,
        calls: CALLS,
        options: &["-s", "16", "-e", "raw=pread64,pwrite64"],
        ..Traced::transfers(dir)
    };
    traced.line(line)
}

/// What the workers moved, in the order in which the calls began.
pub(super) fn moved(trace: &Trace) -> Vec<Moved> {
    let workers = trace.workers();
    let mut open: BTreeMap<u64, String> = BTreeMap::new();
    let mut seen = Vec::new();
    for call in trace.calls() {
        if let ("open" | "openat", Some(file)) = (call.name.as_str(), call.result) {
            let name = call.arguments.split('"').nth(1).unwrap_or_default();
            open.insert(file, name.to_owned());
        }
        let Some(worker) = workers.iter().position(|thread| *thread == call.thread) else {
            continue;
        };
        let words: Vec<&str> = call.arguments.split(", ").map(str::trim).collect();
        let (count, offset) = match call.name.as_str() {
            "pread64" | "pwrite64" => (words[words.len() - 2], words[words.len() - 1]),
            "preadv" | "pwritev" => (words[words.len() - 2], words[words.len() - 1]),
            "preadv2" | "pwritev2" => (words[words.len() - 3], words[words.len() - 2]),
            _ => continue,
        };
        seen.push(Moved {
            worker,
            file: number(words[0])
                .and_then(|file| open.get(&file).cloned())
                .unwrap_or_default(),
            call: call.name.clone(),
            offset: number(offset).expect("an offset"),
            count: number(count).expect("a count"),
        });
    }
    seen
}

fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// The rows of `iogauge explain --offsets COUNT`, as worker, number of the file, operation, offset.
pub(super) fn explained(dir: &Dir, line: &str, count: usize) -> Vec<(usize, usize, String, u64)> {
    let count = count.to_string();
    let mut command = dir.iogauge(&["explain", "--offsets", &count, "--", "sqlio"]);
    let output = util::run(command.args(line.split_whitespace()));
    let rows = output.expect_code(0).stdout.lines().skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        (
            cells[0].parse().expect("a thread"),
            cells[1].parse().expect("a target"),
            cells[2].to_owned(),
            cells[3].parse().expect("an offset"),
        )
    })
    .collect()
}

/// Offsets of one worker, in order.
pub(super) fn of_worker(moved: &[Moved], worker: usize) -> Vec<u64> {
    let own = moved.iter().filter(|moved| moved.worker == worker);
    own.map(|moved| moved.offset).collect()
}

/// Names of the files that were touched.
pub(super) fn files(moved: &[Moved]) -> BTreeSet<&str> {
    moved.iter().map(|moved| moved.file.as_str()).collect()
}

/// Checks all of them at a time: most of them wait for the second that a run takes at least.
pub(super) fn each<T: Sync>(cases: &[T], check: impl Fn(&T) + Sync) {
    thread::scope(|scope| {
        let check = &check;
        let running: Vec<_> = cases
            .iter()
            .map(|case| scope.spawn(move || check(case)))
            .collect();
        for case in running {
            if let Err(panic) = case.join() {
                resume_unwind(panic);
            }
        }
    });
}
