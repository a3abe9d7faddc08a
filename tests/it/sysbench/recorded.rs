//! Every recorded run of the originals against ours: what is printed by shape, figures by their
//! arithmetic, exit code, files left.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    case::{Case, files_in, folder},
    deviations::DEVIATIONS,
    report::{Report, block_size, threads},
    shape,
};
use crate::{
    reference::differences,
    util::{self, Dir},
};

/// Several at a time: most of them wait for their time limit or for the disk.
const AT_ONCE: usize = 8;

#[test]
fn what_the_originals_did_is_done() {
    let _turn = util::busy();
    let entries = std::fs::read_dir(folder())
        .expect("the recorded cases")
        .flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("v04-") || name.starts_with("v10-"))
        .filter(|name| DEVIATIONS.iter().all(|known| known.name != name))
        .collect();
    // Those with a time limit are started first.
    names.sort_by_key(|name| !Case::read(name).line.contains("time="));
    assert!(names.len() > 100, "{} cases", names.len());
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let problems = check(&Case::read(name));
                    if !problems.is_empty() {
                        let mut failed = failed.lock().expect("no check panics with it");
                        failed.insert(name, problems);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no check panics with it");
    let mut text = String::new();
    for (name, problems) in &failed {
        let _ = writeln!(text, "\n{name}:\n  {}", problems.join("\n  "));
    }
    assert!(failed.is_empty(), "{} cases differ:\n{text}", failed.len());
}

/// What is wrong with our answer to a case; empty if nothing is.
fn check(case: &Case) -> Vec<String> {
    let dir = Dir::new();
    let output = case.run(&dir, "");
    let mut problems = Vec::new();
    if output.code != Some(case.exit) {
        problems.push(format!("exit: original {}, ours {output:#?}", case.exit));
    }
    // Ours may say more; what the original says there is said in its words.
    for line in case.stderr.lines() {
        if !output.stderr.lines().any(|ours| ours == line) {
            problems.push(format!("not on standard error: {line}: {}", output.stderr));
        }
    }
    problems.extend(differences(
        &shape::of(&case.stdout),
        &shape::of(&output.stdout),
    ));
    problems.extend(figures(case, &output.stdout));
    problems.extend(files(case, &dir));
    problems
}

/// The arithmetic of our figures, and that there is I/O where the original had some.
fn figures(case: &Case, ours: &str) -> Vec<String> {
    let reports = Report::all(ours);
    let block = block_size(ours).filter(|_| {
        // Requests of one size only.
        !ours.contains("Merging requests") && !case.name.contains("not-divisible")
    });
    let mut problems = Vec::new();
    let mut from = 0.0;
    for report in &reports {
        problems.extend(report.problems(block, report.seconds - from, threads(ours)));
        from = report.seconds;
    }
    for (ours, theirs) in reports.iter().zip(Report::all(&case.stdout)) {
        let kinds = |report: &Report| match report.counts {
            Some(counts) => counts.map(|count| count > 0)[..3].to_vec(),
            None => report.rates.map(|rate| rate > 0.0).to_vec(),
        };
        if kinds(ours) != kinds(&theirs) {
            problems.push(format!("the original has other kinds of I/O: {theirs:?}"));
        }
        // A number of requests is a limit of the line.
        let limited = ["--events=", "--max-requests=", "default-requests"];
        let timed = [1, 2, 3, 4]
            .iter()
            .any(|n| case.line.contains(&format!("time={n}")));
        let exact = !timed
            && limited
                .iter()
                .any(|w| case.line.contains(w) || case.name.contains(w))
            && case.name != "v04-threads4-rndrw";
        if exact && ours.events != theirs.events {
            problems.push(format!("{} events, not {}", ours.events, theirs.events));
        }
        if exact && ours.counts != theirs.counts {
            problems.push(format!("{:?}, not {:?}", ours.counts, theirs.counts));
        }
    }
    problems
}

/// Names, sizes and permissions of what is left.
fn files(case: &Case, dir: &Dir) -> Vec<String> {
    let (mut ours, mut theirs) = (files_in(dir), case.files.clone());
    if case.line.contains("mode=seqwr") && case.line.contains("time=2") {
        // How far it came is the machine's.
        for file in ours.values_mut().chain(theirs.values_mut()) {
            file.0 = 0;
        }
    }
    if ours == theirs {
        Vec::new()
    } else {
        vec![format!("files: original {theirs:?}, ours {ours:?}")]
    }
}
