//! The recorded offset sequences again, this time as the kernel saw ours: what `explain` lists is
//! what a run does.

use std::fmt::Write as _;

use super::{Case, by_thread, check_all, differences};
use crate::{
    trace::{Trace, Traced},
    util::{self, Dir},
};

/// Cases whose sequence does not depend on how threads race: one of each kind of pattern and mix.
const CASES: &[&str] = &[
    "t-rand-B-f",
    "t-rand-align",
    "t-rand-o4",
    "t-rand-w40-z0",
    "t-rand-z42",
    "t-rand-Zr",
    "t-rdabs",
    "t-rdpct",
    "t-rs80",
    "t-seq-B-f",
    "t-seq-o2",
    "t-seq-odd",
    "t-seq-stride",
    "t-seq-t2",
    "t-seq-w50",
    "t-p-o4",
];

/// Rows as `explain` writes them, of the first operations of each thread.
fn table(trace: &Trace) -> String {
    let mut text = "thread\ttarget\top\toffset\n".to_owned();
    for t in trace.transfers() {
        let operation = if t.write { "write" } else { "read" };
        let _ = writeln!(text, "{}\t0\t{operation}\t{}", t.worker, t.offset);
    }
    text
}

/// The operations of a run, against the record and against `explain`.
fn done(case: &Case, dir: &Dir) -> Vec<String> {
    case.prepare(dir);
    let Some(trace) = Traced::transfers(dir).run(&case.words) else {
        return Vec::new();
    };
    let seen = by_thread(&table(&trace));
    let mut explain = dir.iogauge(&["explain", "--offsets", "120", "--", "diskspd"]);
    let explained = util::run(explain.args(&case.words)).stdout;
    let recorded = case.offsets.as_deref().unwrap_or_default();
    let mut problems = Vec::new();
    for (source, wanted) in [("record", recorded), ("explain", explained.as_str())] {
        let wanted = by_thread(wanted);
        if wanted.len() != seen.len() {
            problems.push(format!(
                "{source}: {} threads, not {}",
                seen.len(),
                wanted.len()
            ));
        }
        for (thread, wanted) in &wanted {
            let seen = seen.get(thread).map_or(&[][..], |rows| rows.as_slice());
            // A busy machine may not come to the last of them.
            let both = wanted.len().min(seen.len());
            if both < 40 {
                problems.push(format!("{source}: only {both} operations of {thread}"));
            }
            problems.extend(
                differences(&wanted[..both], &seen[..both])
                    .into_iter()
                    .map(|line| format!("{source}, thread {thread}: {line}")),
            );
        }
    }
    problems
}

#[test]
fn a_run_goes_where_explain_and_the_original_say() {
    let names: Vec<String> = CASES.iter().map(|name| (*name).to_owned()).collect();
    check_all(&names, done);
}
