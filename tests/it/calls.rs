//! The system calls of a run, seen from outside: how the target is opened, what is moved where, that
//! the loop that moves it does nothing else, and that what was counted is what was done.

use std::collections::BTreeSet;

use crate::{
    io::ENGINES,
    trace::{Trace, Traced},
    util::{self, Dir},
};

#[test]
fn sizes_offsets_share_and_alignment_are_as_asked() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("target", 8 << 20);
    let line = "-b8K -r -w40 -o1 -t2 -d1 -W0 -h target";
    let Some(trace) = Traced::transfers(&dir).line(line) else {
        return;
    };
    let (opens, transfers) = (trace.opens(), trace.transfers());
    assert_eq!(opens.len(), 1, "{opens:?}");
    for flag in ["O_RDWR", "O_DIRECT", "O_DSYNC", "O_CLOEXEC"] {
        assert!(opens[0].contains(flag), "no {flag}: {opens:?}");
    }
    assert!(transfers.len() > 200, "{} transfers", transfers.len());
    for t in &transfers {
        assert_eq!(t.length, 8192, "{t:?}");
        assert_eq!(t.offset % 8192, 0, "{t:?}");
        assert!(t.offset + t.length <= 8 << 20, "{t:?}");
        assert_eq!(t.address % 4096, 0, "{t:?}");
    }
    let writes = transfers.iter().filter(|t| t.write).count();
    let share = writes as f64 / transfers.len() as f64;
    let deviation = (0.24 / transfers.len() as f64).sqrt();
    assert!(
        (share - 0.4).abs() < 5.0 * deviation + 0.005,
        "{share} writes"
    );
    let threads: BTreeSet<usize> = transfers.iter().map(|t| t.worker).collect();
    assert_eq!(threads.len(), 2);
    // Uniform: each eighth of the file gets about an eighth.
    let expected = transfers.len() as f64 / 8.0;
    for part in 0..8 {
        let seen = transfers.iter().filter(|t| t.offset >> 20 == part).count();
        let apart = (seen as f64 - expected).abs();
        assert!(
            apart < 6.0 * expected.sqrt(),
            "part {part}: {seen}, not {expected}"
        );
    }
}

#[test]
fn sequential_io_goes_block_after_block_and_wraps() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("target", 1_000_000);
    let Some(trace) = Traced::transfers(&dir).line("-b64K -o1 -t1 -d1 -W0 target") else {
        return;
    };
    let transfers = trace.transfers();
    // 15 whole blocks; the tail of 16,960 bytes is never touched.
    assert!(transfers.len() > 30);
    for (i, t) in transfers.iter().enumerate() {
        assert_eq!(t.offset, (i as u64 % 15) * 65_536);
        assert!(!t.write);
    }
}

#[test]
fn cache_options_become_open_flags() {
    let _turn = util::busy();
    for (option, direct, dsync) in [
        ("-Sb", false, false),
        ("-Su", true, false),
        ("-Sw", false, true),
        ("-Sh", true, true),
        ("-Suw", true, true),
    ] {
        let dir = Dir::new();
        dir.file("target", 1 << 20);
        let line = format!("-b4K -r -w50 -o1 -d1 -W0 -g100i {option} target");
        let Some(trace) = Traced::transfers(&dir).line(&line) else {
            return;
        };
        let (opens, transfers) = (trace.opens(), trace.transfers());
        let set = |flag: &str| opens.iter().any(|open| open.contains(flag));
        assert_eq!(set("O_DIRECT"), direct, "{option}: {opens:?}");
        assert_eq!(set("O_DSYNC"), dsync, "{option}: {opens:?}");
        assert!(!set("O_TRUNC") && !set("O_CREAT"), "{option}: {opens:?}");
        assert!(!transfers.is_empty());
    }
}

/// Settings of the C library under which each allocation is a system call of its own.
const ALLOCATIONS_SEEN: &[(&str, &str)] = &[
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "0"),
    ("MALLOC_TOP_PAD_", "0"),
];

/// From the first I/O to the last, warm-up and intervals included, a worker makes no call but its
/// I/O: it allocates nothing, waits for nobody, writes nothing.
#[test]
fn the_loop_makes_no_call_but_its_io() {
    let _turn = util::busy();
    for engine in ENGINES {
        let own: &[&str] = match *engine {
            "psync" => &["pread64", "pwrite64"],
            "io_uring" => &["io_uring_enter"],
            _ => &["io_submit", "io_getevents"],
        };
        for (line, paced) in [
            ("-b4K -r -w30 -o4 -t2 -W1 -d1 -L -D100 -Su target", false),
            ("-b4K -r -w30 -o4 -t2 -W0 -d1 -L -g200i target", true),
        ] {
            let dir = Dir::new();
            dir.file("target", 4 << 20);
            let run = Traced {
                engine,
                variables: ALLOCATIONS_SEEN,
                calls: "all",
                ..Traced::transfers(&dir)
            };
            let Some(trace) = run.line(line) else {
                continue;
            };
            if trace.count("mmap") < 500 {
                util::skip("this C library does not show each allocation");
            }
            let sleeps: &[&str] = if paced { &["clock_nanosleep"] } else { &[] };
            only(&trace, &[own, sleeps].concat(), &format!("{engine} {line}"));
        }
    }
}

/// The last calls are left out: when the queue is drained, the run is over.
#[track_caller]
fn only(trace: &Trace, allowed: &[&str], what: &str) {
    assert_eq!(trace.workers().len(), 2, "{what}");
    for worker in trace.workers() {
        let hot = trace.hot(worker);
        assert!(hot.len() > 100, "{what}: {} calls", hot.len());
        let others: Vec<_> = hot[..hot.len() - 20]
            .iter()
            .filter(|call| !allowed.contains(&call.name.as_str()))
            .collect();
        let few = &others[..others.len().min(5)];
        assert!(
            others.is_empty(),
            "{what}: {} calls: {few:#?}",
            others.len()
        );
    }
}

/// What is reported is what was handed to the kernel, but for what was under way at the end.
#[test]
fn what_is_reported_was_done() {
    let _turn = util::busy();
    for engine in ENGINES {
        for (threads, depth) in [(1, 1), (2, 8)] {
            let dir = Dir::new();
            dir.file("target", 4 << 20);
            let run = Traced {
                engine,
                calls: "pread64,pwrite64,io_submit,io_uring_enter,prctl",
                ..Traced::transfers(&dir)
            };
            let line = format!("-b4K -r -w30 -o{depth} -t{threads} -W0 -C0 -d1 -Su target");
            let Some(trace) = run.line(&line) else {
                continue;
            };
            let (done, said) = (trace.operations(), trace.output.report().total.total.ios);
            assert!(
                said <= done && done <= said + threads * depth,
                "{engine} {line}: {done} operations were made, {said} are reported"
            );
            assert!(said > 100, "{engine}: only {said}");
        }
    }
}

#[test]
fn mapped_writes_are_flushed_as_asked() {
    let _turn = util::busy();
    for (option, flushed) in [("-Sm", false), ("-Sm -Nv", true), ("-Smw", true)] {
        let dir = Dir::new();
        dir.file("target", 1 << 20);
        let traced = Traced {
            engine: "mmap",
            calls: "msync,prctl",
            ..Traced::transfers(&dir)
        };
        let line = format!("-b4K -r -w100 -o1 -d1 -W0 -g200i {option} target");
        let Some(trace) = traced.line(&line) else {
            return;
        };
        let writes = trace.output.report().write.total.ios as usize;
        let flushes = trace.count("msync");
        assert!(writes > 0, "{option}");
        if flushed {
            // The one in flight at the end is flushed too, and not counted.
            assert!(
                (writes..=writes + 1).contains(&flushes),
                "{option}: {flushes} of {writes}"
            );
        } else {
            assert_eq!(flushes, 0, "{option}");
        }
    }
}
