//! Published reports, rebuilt to the letter from results made by hand.

use std::{cell::RefCell, io, path::Path, time::Duration};

use super::{FileHead, Use, heading};
use crate::{
    host::CpuUse,
    personality::{
        Environment, Files,
        sqlio::testing::{load, mapped, plan, printed, reference, results, stats},
    },
    results::{Event, OperationStats, WholeMilliseconds},
};

thread_local! {
    static PARAMETERS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Drives, the files that reports found, and a parameter file.
fn around(parameters: &str) -> Environment {
    PARAMETERS.set(parameters.as_bytes().to_vec());
    let read = |_: &Path| -> io::Result<Vec<u8>> { Ok(PARAMETERS.with_borrow(Clone::clone)) };
    let size = |path: &Path| match path.to_str()? {
        "/mnt/e/TestFile.dat" => Some(24576 << 20),
        "/mnt/e/Testfile.dat" => Some(20000 << 20),
        _ => None,
    };
    Environment {
        files: Files::with(|_| false, read).sized(size),
        ..mapped()
    }
}

/// A published report, with the line that it is of.
struct Sample {
    line: String,
    text: String,
    around: Environment,
}

impl Sample {
    fn read(number: u32) -> Self {
        let file = reference(&format!("samples/{number:02}.txt"));
        let line = file.lines().next().unwrap();
        let line = line.split_once(": ").unwrap().1;
        let (_, line) = line.split_once(' ').unwrap();
        let line = line.split("   (").next().unwrap().to_owned();
        let mut text: String = file
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|line| [line, "\n"])
            .collect();
        // The page cut the first two lines.
        if !text.starts_with("sqlio") {
            text = format!(
                "sqlio v1.5.SG\nusing system counter for latency timings, 1 counts per second\n{text}"
            );
        }
        let counts = between(&text, "timings, ", "\n");
        let text = text.replacen(counts, "1000000000 counts per second", 1);
        let around = around(&parameters(&text));
        Self { line, text, around }
    }

    fn number(&self, label: &str) -> u64 {
        let line = self.text.lines().find(|line| line.starts_with(label));
        line.unwrap()[label.len()..].trim().parse().unwrap()
    }

    /// A rate, in hundredths.
    fn hundredths(&self, label: &str) -> u64 {
        let text = between(&self.text, label, "\n");
        text.trim().replace('.', "").parse().unwrap()
    }

    /// I/Os over a hundred seconds, so that each is a hundredth a second.
    fn stats(&self) -> OperationStats {
        let percent: Vec<u64> = between(&self.text, "\n%:", "\n")
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        let bins = thousand(&percent);
        let count = self.hundredths("IOs/sec:");
        let block: u64 = between(&self.text, "using ", "KB")
            .rsplit(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        OperationStats {
            count,
            bytes: count * block * 1024,
            whole_ms: Some(Box::new(WholeMilliseconds {
                bins,
                // 999 thousandths more are cut.
                sum: self.number("Avg_Latency(ms):") * 1000 + 999,
                min: self.number("Min_Latency(ms):"),
                max: self.number("Max_Latency(ms):"),
            })),
            ..OperationStats::default()
        }
    }
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    // The parameter file's lines say "using mask" before the block size does.
    let rest = match text.split_once(&format!("\t{from}")) {
        Some((_, rest)) if from == "using " => rest,
        _ => text.split_once(from).unwrap().1,
    };
    rest.split_once(to).unwrap().0
}

/// The parameter file that a report tells of.
fn parameters(text: &str) -> String {
    let Some(line) = text.lines().find(|line| line.starts_with("\tfile ")) else {
        return String::new();
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    format!(
        "{} {} {} {}",
        words[1],
        words[3],
        words[8],
        between(text, "specified size: ", " MB")
    )
}

/// A thousand I/Os whose rounded percentages are these: each share may be up to 5 less and 4 more
/// than its ten times.
fn thousand(percent: &[u64]) -> [u64; 25] {
    let mut bins = [0_u64; 25];
    for (bin, percent) in bins.iter_mut().zip(percent) {
        *bin = percent * 10;
    }
    let mut missing = 1000 - percent_sum(percent);
    for bin in &mut bins {
        let step = missing.clamp(if *bin >= 5 { -5 } else { 0 }, 4);
        *bin = bin.checked_add_signed(step).unwrap();
        missing -= step;
    }
    assert_eq!(missing, 0);
    bins
}

fn percent_sum(percent: &[u64]) -> i64 {
    percent.iter().map(|percent| *percent as i64 * 10).sum()
}

#[test]
fn published_reports() {
    for number in 1..=9 {
        let sample = Sample::read(number);
        let (line, around) = (&sample.line, &sample.around);
        let label = &load(line, around).names()[0];
        let events: Vec<Event<'_>> = if sample.text.contains("expanding") {
            let size = between(&sample.text, "expand by:\t", " bytes")
                .parse()
                .unwrap();
            let took = Duration::ZERO;
            vec![
                Event::Preparing {
                    label,
                    size,
                    kept: 0,
                },
                Event::Prepared { label, size, took },
            ]
        } else if sample.text.contains("using current size") {
            Vec::new()
        } else {
            vec![Event::Kept { label }]
        };
        let write = line.contains("-kW");
        let results = results(
            plan(line, around),
            write,
            Duration::from_secs(100),
            sample.stats(),
        );
        let printed = printed(line, around, &events, &results);
        assert_eq!(printed, sample.text, "{number}: {line}");
    }
}

fn head(line: &str) -> String {
    heading(&load(
        line,
        &around("a.dat 3 0x3 64\nb 1 0x0 32\nd.dat 1 0 1\n"),
    ))
}

#[test]
fn headings() {
    assert_eq!(
        head("-kW -s1"),
        "sqlio v1.5.SG\n1 thread writing for 1 secs to file testfile.dat\n\
         \tusing 2KB IOs over 128KB stripes with 64 IOs per run\n"
    );
    assert_eq!(
        head("-LPi -o2 -BN -t2 -fsequential a b c")
            .lines()
            .skip(1)
            .collect::<Vec<_>>(),
        [
            "using processor counter for latency timings, 1000000000 counts per second",
            "2 threads reading for 30 secs from files a, b and c",
            "\tusing 2KB sequential IOs",
            "\tenabling multiple I/Os per thread with 2 outstanding",
            "\tbuffering set to not use file nor disk caches (as is default)",
        ]
    );
    for (option, words) in [
        ("-BY", "use both file and disk caches"),
        ("-BH", "use hardware disk cache (but not file cache)"),
        ("-BS", "use file cache (but not hardware disk cache)"),
    ] {
        assert!(head(option).ends_with(&format!("\tbuffering set to {words}\n")));
    }
    // Threads are numbered on from line to line.
    let listed = head("-frandom -Fp.txt");
    assert_eq!(
        listed.lines().skip(1).take(5).collect::<Vec<_>>(),
        [
            "parameter file used: p.txt",
            "\tfile a.dat with 3 threads (0-2) using mask 0x3 (3)",
            "\tfile b with 1 thread (3) using mask 0x0 (0)",
            "\tfile d.dat with 1 thread (4) using mask 0x0 (0)",
            "5 threads reading for 30 secs from files a.dat, b and d.dat",
        ]
    );
}

#[test]
fn files_that_grow() {
    let file = |usage| FileHead {
        label: "x".to_owned(),
        usage,
    };
    let striped = file(Use::Striped { needed: 100 });
    assert_eq!(striped.ready(), "size of file x needs to be: 100 bytes\n");
    let grown = format!("{}{}", striped.growing(30, 70), striped.grown());
    assert_eq!(
        grown,
        "size of file x needs to be: 100 bytes\ncurrent file size:\t30 bytes\n\
         need to expand by:\t70 bytes\nexpanding x ... done.\n"
    );
    let current = file(Use::Current {
        size: (3 << 20) - 1,
    });
    assert_eq!(current.ready(), "using current size: 2 MB for file: x\n");
    assert!(
        current
            .grown()
            .ends_with(" done.\nusing current size: 2 MB for file: x\n")
    );
}

#[test]
fn without_latencies_the_report_ends_with_the_rates() {
    let line = "-frandom -b64 x";
    let around = around("");
    // Seven I/Os in three seconds: 2.333 I/Os and 0.14583 MiB a second.
    let results = results(
        plan(line, &around),
        false,
        Duration::from_secs(3),
        stats(65536, &[1.0; 7]),
    );
    let printed = printed(line, &around, &[], &results);
    let tail = "initialization done\nCUMULATIVE DATA:\nthroughput metrics:\n\
                IOs/sec:     2.33\nMBs/sec:     0.14\n";
    assert!(printed.ends_with(tail), "{printed}");
}

#[test]
fn latencies_are_cut_twice() {
    let line = "-frandom -b64 -LSi x";
    let around = around("");
    // Whole milliseconds 0, 1, 1, 30: mean 8.
    let mut stats = stats(65536, &[0.9, 1.2, 1.9, 30.99]);
    for ns in [1_900, 2_100, 5_999] {
        stats.initiation.record(ns);
    }
    let results = results(plan(line, &around), false, Duration::from_secs(1), stats);
    let printed = printed(line, &around, &[], &results);
    let expected = "latency metrics:\nMin_Init_Latency(us): 1\nAvg_Init_Latency(us): 3\n\
                    Max_Init_Latency(us): 5\nMin_Latency(ms): 0\nAvg_Latency(ms): 8\n\
                    Max_Latency(ms): 30\nhistogram:\n\
                    ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n\
                    %: 25 50  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0 25\n";
    assert!(printed.ends_with(expected), "{printed}");
}

#[test]
fn cpu_use_stands_behind_the_rates() {
    let around = around("");
    let cpu = |number, user, deferred, interrupts| CpuUse {
        number,
        user: Duration::from_millis(user),
        kernel: Duration::from_millis(100),
        interrupt: Duration::from_millis(20),
        deferred: Duration::from_millis(deferred),
        interrupts,
        idle: Duration::from_millis(900 - user),
    };
    let report = |line: &str| {
        let stats = stats(2048, &[1.0]);
        let mut results = results(plan(line, &around), false, Duration::from_secs(2), stats);
        results.spans[0].cpus = vec![cpu(0, 300, 50, 3000), cpu(1, 100, 10, 1000)];
        printed(line, &around, &[], &results)
    };
    let together = report("-U x");
    assert!(
        together.ends_with(
            "MBs/sec:     0.00\n\
             ProcessorNumber:             ALL\n\
             DPCTime(%):                 3.00\n\
             InterruptTime(%):           2.00\n\
             PrivilegedTime(%):         10.00\n\
             ProcessorTime(%):          30.00\n\
             UserTime(%):               20.00\n\
             Interrupts/sec:          2000.00\n"
        ),
        "{together}"
    );
    let each = report("-Up x");
    assert!(
        each.contains("\nInterrupts/sec:          2000.00    1500.00     500.00\n"),
        "{each}"
    );
}
