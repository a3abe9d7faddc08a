//! How I/Os reach the kernel: in how many pieces, how files are open, on which CPUs threads run,
//! how many are in flight; and the lines of a report that only some options print.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    report::{figure, shape},
    seen::{each, files, moved, traced},
};
use crate::{
    trace::Trace,
    util::{self, Dir},
};

#[test]
fn pieces_go_to_the_kernel_or_are_copied() {
    let _turn = util::busy();
    let cases = [
        ("-kR -mS4 -b16", "preadv", 4),
        ("-kW -mS2 -b8", "pwritev", 2),
        ("-kR -mC4 -b16", "pread64", 16_384),
        ("-kW -mC8 -b8", "pwrite64", 8192),
    ];
    each(&cases, |&(line, call, count)| {
        let dir = Dir::new();
        dir.file("f", 1 << 20);
        let line = format!("{line} -s1 -BY -frandom f");
        let Some(trace) = traced(&dir, &line, &[]) else {
            return;
        };
        let seen = moved(&trace);
        assert!(seen.len() > 50, "{line}");
        let same = seen.iter().all(|m| m.call == call && m.count == count);
        assert!(same, "{line}: {:?}", seen[0]);
        // Scattered pieces are pages.
        let scattered = trace.calls().iter().filter(|call| call.name.ends_with('v'));
        for call in scattered.take(50).filter(|call| call.result.is_some()) {
            let pages = call.arguments.matches("iov_len=4096}").count();
            assert_eq!(pages as u64, count, "{line}: {call:?}");
        }
    });
    let dir = Dir::new();
    for line in ["-mS3 -b8 f", "-mC2 -o4 f"] {
        let output = util::run(&mut dir.sqlio(line));
        output.expect_code(1);
        assert!(
            output.stderr.contains("-m") && output.stdout.is_empty(),
            "{output:#?}"
        );
    }
}

#[test]
fn buffering_is_how_files_are_open() {
    let _turn = util::busy();
    let cases = [
        ("", true, true),
        ("-BN", true, true),
        ("-BH", true, false),
        ("-BS", false, true),
        ("-BY", false, false),
    ];
    each(&cases, |&(option, direct, dsync)| {
        let dir = Dir::new();
        dir.file("f", 1 << 20);
        let line = format!("-kW -s1 -b8 -frandom {option} f");
        let Some(trace) = traced(&dir, &line, &[]) else {
            return;
        };
        let opens = trace.opens();
        assert!(!opens.is_empty(), "{line}");
        for open in opens {
            assert_eq!(open.contains("O_DIRECT"), direct, "{line}: {open}");
            let durable = open.contains("O_DSYNC") || open.contains("O_SYNC");
            assert_eq!(durable, dsync, "{line}: {open}");
        }
    });
}

/// CPUs that this process may use.
fn usable() -> Vec<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let ranges = allowed.unwrap_or_default().trim().split(',');
    ranges
        .filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
        })
        .flatten()
        .collect()
}

/// The CPUs that each worker bound itself to.
fn bound(trace: &Trace) -> Vec<Option<String>> {
    let workers = trace.workers();
    let calls: BTreeMap<u32, &str> = trace
        .calls()
        .iter()
        .filter(|call| call.name == "sched_setaffinity")
        .filter_map(|call| Some((call.thread, call.arguments.rsplit(", ").next()?.trim())))
        .collect();
    let of = |worker: &u32| calls.get(worker).map(|cpus| (*cpus).to_owned());
    workers.iter().map(of).collect()
}

#[test]
fn threads_run_where_they_are_told_to() {
    let _turn = util::busy();
    if !usable().starts_with(&[0, 1]) {
        return util::skip("CPUs 0 and 1 are not both here");
    }
    let on = |cpu: u32| Some(format!("[{cpu}]"));
    let cases = [
        ("-t2 -p1 f", vec![on(1), on(1)]),
        ("-t2 -pI1 f", vec![None, None]),
        ("-t2 -a2 f", vec![on(1), on(1)]),
        ("-t2 -a0x1 f", vec![on(0), on(0)]),
        ("-t5 -aR0x3 f", vec![on(0), on(1), on(0), on(1), on(0)]),
        ("-t2 -aRI0x3 f", vec![None, None]),
        ("-Fp.txt -p1", vec![on(1), on(1), on(0), None]),
    ];
    each(&cases, |(line, wanted)| {
        let dir = Dir::new();
        dir.file("f", 1 << 20);
        std::fs::write(dir.join("p.txt"), "f 2 0x2\nf 1 1\nf 1 0\n").expect("a file");
        let Some(trace) = traced(&dir, &format!("-kR -s1 -BY -frandom {line}"), &[]) else {
            return;
        };
        assert_eq!(&bound(&trace), wanted, "{line}");
    });
}

/// The threads of a line of a parameter file touch its file only.
#[test]
fn lines_of_a_parameter_file_have_their_own_threads() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("a", 1 << 20);
    let lines = "#z 9 0x0 9\r\na 2 0x0\r\nb 1 0 1\r\nc\t2\t0x0\t2\r\n\r\nd 1 0x0 1";
    std::fs::write(dir.join("p.txt"), lines).expect("a file");
    let line = "-kW -s1 -BY -b4 -frandom -t7 -dX -Fp.txt more names";
    let Some(trace) = traced(&dir, line, &[]) else {
        return;
    };
    let seen = moved(&trace);
    for (worker, file) in ["a", "a", "b", "c", "c", "d"].into_iter().enumerate() {
        let own: Vec<_> = seen
            .iter()
            .filter(|m| m.worker == worker)
            .cloned()
            .collect();
        let name = files(&own);
        assert_eq!(
            name.into_iter().collect::<Vec<_>>(),
            [file],
            "thread {worker}"
        );
    }
    assert_eq!(trace.workers().len(), 6);
    assert_eq!(dir.names(), ["a", "b", "c", "d", "p.txt", "trace"]);
    let wanted = "sqlio v1.5.SG
parameter file used: p.txt
\tfile a with 2 threads (0-1) using mask 0x0 (0)
\tfile b with 1 thread (2) using mask 0x0 (0)
\tfile c with 2 threads (3-4) using mask 0x0 (0)
\tfile d with 1 thread (5) using mask 0x0 (0)
6 threads writing for 1 secs to files a, b, c and d
\tusing 4KB random IOs
\tbuffering set to use both file and disk caches
using current size: 1 MB for file: a
size of file b needs to be: 1048576 bytes
current file size:\t0 bytes
need to expand by:\t1048576 bytes
expanding b ... done.
using specified size: 1 MB for file: b
";
    let told = &trace.output;
    assert!(told.stdout.starts_with(wanted), "{told:#?}");
    for word in ["more", "names"] {
        assert!(told.stderr.contains(word), "{told:#?}");
    }
}

/// A storage that answers after 10 ms does 100 I/Os a second for each one in flight.
#[test]
fn outstanding_ios_are_of_each_thread_on_each_file() {
    let _turn = util::busy();
    let cases = [
        ("-t2 -frandom a b", 2.0),
        ("-t2 -o0 -frandom a b", 2.0),
        ("-t2 -o3 -frandom a b", 12.0),
        ("-t2 -o1 -f4 -i4 a", 2.0),
        ("-o5 -fsequential -Fp.txt", 15.0),
    ];
    each(&cases, |(line, in_flight)| {
        let dir = Dir::new();
        dir.file("a", 1 << 20);
        dir.file("b", 1 << 20);
        std::fs::write(dir.join("p.txt"), "a 2\nb 1\n").expect("a file");
        let mut command = dir.sqlio(&format!("-kR -s1 -BH -b4 {line}"));
        let storage = "sim:read=fixed:10ms,servers=64,size=1MiB";
        let output = util::run(command.env("IOGAUGE_ENGINE", storage));
        let text = &output.expect_code(0).stdout;
        let ios = figure(text, "IOs/sec:").expect("a rate");
        // What is in flight at the end is counted with the time that it takes.
        let wanted = in_flight * 100.0;
        assert!(
            (wanted * 0.8..wanted * 1.02).contains(&ios),
            "{line}: {text}"
        );
        let depth = line.split_once("-o").map_or("0", |(_, rest)| &rest[..1]);
        let told = format!("\tenabling multiple I/Os per thread with {depth} outstanding\n");
        assert_eq!(text.contains(&told), depth != "0", "{line}: {text}");
        assert_eq!(text.contains("outstanding"), depth != "0", "{line}: {text}");
    });
}

#[test]
fn initiation_and_cpu_use_have_their_lines() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    let output = util::run(&mut dir.sqlio("-kR -s1 -BH -b4 -frandom -LSi -Up -o2 f"));
    let text = &output.expect_code(0).stdout;
    let at = |name: &str| {
        let found = shape(text).iter().position(|line| line.starts_with(name));
        found.unwrap_or_else(|| panic!("{name} is missing: {text}"))
    };
    let mut order = [
        "MBs/sec",
        "ProcessorNumber:",
        "Interrupts/sec:",
        "latency metrics:",
    ]
    .map(at);
    assert!(order.is_sorted(), "{order:?}: {text}");
    order = ["Min_Init_", "Avg_Init_", "Max_Init_", "Min_Latency"].map(at);
    assert_eq!(order.map(|line| line - order[0]), [0, 1, 2, 3], "{text}");
    let us = ["Min", "Avg", "Max"].map(|name| figure(text, &format!("{name}_Init_Latency(us):")));
    assert!(us.is_sorted() && us[0].is_some(), "{us:?}");
    // One column for all CPUs and one for each.
    let table: Vec<Vec<&str>> = text
        .lines()
        .skip(at("ProcessorNumber:"))
        .take(7)
        .map(|line| line.split_whitespace().collect())
        .collect();
    let cpus = table[0].len() - 2;
    assert_eq!(table[0][..3], ["ProcessorNumber:", "ALL", "0"]);
    let names = [
        "DPCTime(%):",
        "InterruptTime(%):",
        "PrivilegedTime(%):",
        "ProcessorTime(%):",
    ];
    let names = names.into_iter().chain(["UserTime(%):", "Interrupts/sec:"]);
    for (row, name) in table[1..].iter().zip(names) {
        assert_eq!((row[0], row.len()), (name, cpus + 2), "{text}");
        let numbers: Vec<f64> = row[1..]
            .iter()
            .map(|n| n.parse().expect("a number"))
            .collect();
        let sum: f64 = numbers[1..].iter().sum();
        let all = if name.ends_with("(%):") {
            sum / cpus as f64
        } else {
            sum
        };
        // Each is rounded to two decimals.
        let slack = 0.005 * (cpus as f64 + 1.0) + 0.001;
        assert!((numbers[0] - all).abs() <= slack, "{name}: {numbers:?}");
        assert!(numbers.iter().all(|n| *n >= 0.0));
        assert!(
            !name.ends_with("(%):") || numbers.iter().all(|n| *n <= 100.1),
            "{numbers:?}"
        );
    }
    let busy: BTreeSet<&str> = table[4][1..].iter().copied().collect();
    assert!(!busy.contains("0.00"), "no CPU was used: {text}");
    let output = util::run(&mut dir.sqlio("-kR -s1 -BH -b4 -frandom -U f"));
    let text = &output.expect_code(0).stdout;
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("ProcessorNumber:"))
        .collect();
    assert_eq!(heads.len(), 1, "{text}");
    let words: Vec<&str> = heads[0].split_whitespace().collect();
    assert_eq!(words, ["ProcessorNumber:", "ALL"]);
    assert!(
        !text.contains("atency"),
        "nobody asked for latencies: {text}"
    );
}
