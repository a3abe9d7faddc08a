//! The face's report as a script sees it: what is on which stream, that figures agree with each
//! other and with what was asked.

use std::time::{Duration, Instant};

use crate::{
    reference::shape,
    util::{self, Dir},
};

#[test]
fn no_arguments_print_the_usage_and_a_question_mark_too() {
    let dir = Dir::new();
    let none = util::run(&mut dir.iogauge(&["diskspd"]));
    none.expect_code(3);
    let asked = util::run(&mut dir.iogauge(&["diskspd", "-?"]));
    asked.expect_code(0);
    for usage in [&none.stdout, &asked.stdout] {
        for option in ["-b", "-c", "-d", "-o", "-r", "-w", "-Z", "-L"] {
            let listed = usage
                .lines()
                .any(|line| line.trim_start().starts_with(option));
            assert!(listed, "{option} is not in the usage:\n{usage}");
        }
    }
}

#[test]
fn a_run_prints_a_whole_report_whose_figures_agree() {
    let _turn = util::busy();
    let dir = Dir::new();
    let output = util::run(&mut dir.diskspd("-c8M -b8K -d1 -W0 -L -D250 -o4 -r -w40 -t3 ./f"));
    let report = output.expect_code(0).report();
    assert!(
        output
            .stdout
            .starts_with("\nCommand Line: diskspd -c8M -b8K")
    );
    assert!(report.seconds >= 0.99, "{}", report.seconds);
    assert_eq!(report.total.rows.len(), 3);
    let threads: Vec<_> = report.total.rows.iter().map(|row| row.thread).collect();
    assert_eq!(threads, [Some(0), Some(1), Some(2)]);
    assert!(report.total.rows.iter().all(|row| row.file == "./f (8MiB)"));
    let problems = shape::arithmetic(&report, Some(8192));
    assert!(problems.is_empty(), "{problems:#?}\n{}", output.stdout);

    let share = report.write.total.ios as f64 / report.total.total.ios as f64;
    assert!(
        (0.35..0.45).contains(&share),
        "writes are {share}, not 0.40"
    );
    let labels: Vec<&str> = report.latency.iter().map(|l| l.0.as_str()).collect();
    assert_eq!(labels.first(), Some(&"min"));
    assert_eq!(labels.last(), Some(&"max"));
    assert_eq!(labels.len(), 15);
    let mean = report.total.total.latency_ms.expect("-L");
    let [_, _, min] = report.percentile("min");
    let [_, _, max] = report.percentile("max");
    assert!(min <= Some(mean) && Some(mean) <= max);
}

/// Little's law: outstanding I/Os are throughput times latency, or one of the two is wrong.
#[test]
fn depth_is_throughput_times_latency() {
    let _turn = util::quiet();
    let dir = Dir::new();
    dir.file("f", 16 << 20);
    for (line, depth) in [("-o16 -t1", 16.0), ("-o8 -t2", 16.0), ("-o1 -t4", 4.0)] {
        let output = util::run(&mut dir.diskspd(&format!("-b4K -d1 -W0 -r -Su -L {line} f")));
        let total = output.expect_code(0).report().total.total;
        let seen = total.iops * total.latency_ms.expect("-L") / 1000.0;
        // Not all of a worker's time is an I/O's: between two it draws offsets and records.
        assert!(
            (0.5 * depth..=1.05 * depth).contains(&seen),
            "{line}: {seen} outstanding I/Os, not {depth}\n{}",
            output.stdout
        );
    }
}

#[test]
fn phases_take_the_time_that_was_asked() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    let start = Instant::now();
    let output = util::run(&mut dir.diskspd("-b4K -d1 -W1 -C1 -o1 -g100i f"));
    let report = output.expect_code(0).report();
    assert!(start.elapsed() >= Duration::from_millis(2_990));
    assert!(report.seconds >= 0.99);
    // The limit is of each thread, and warm-up I/Os are not counted.
    let most = 110.0 * report.seconds;
    assert!((report.total.total.ios as f64) <= most, "{report:#?}");
    assert!(report.total.total.ios > 0);
}

#[test]
fn notes_never_enter_the_report() {
    let dir = Dir::new();
    let mut command = dir.diskspd("-b4K -d1 -W0 -r -o4 -L -c1G ./none");
    let output = util::run(command.env("IOGAUGE_ENGINE", "null"));
    output.expect_code(0);
    let known = shape::of(include_str!("../reference/diskspd/r-L/stdout"));
    let heads = |lines: &[String]| lines.iter().filter(|line| !line.is_empty()).count();
    assert!(heads(&known) > 40);
    for word in ["null", "simulated", "iogauge", "warning"] {
        assert!(!output.stdout.contains(word), "{}", output.stdout);
    }
    let said = output.stderr.to_lowercase();
    assert!(
        said.contains("null") || said.contains("simulated"),
        "nothing says that no storage was measured: {output:#?}"
    );
    assert!(dir.names().is_empty(), "the null engine touches no file");
}

#[test]
fn a_simulated_device_gives_the_same_report_each_time() {
    let dir = Dir::new();
    let figures = || {
        let mut command = dir.diskspd("-b4K -d60 -W5 -r -w30 -z7 -o8 -t2 -L -D1000 -c1G ./none");
        let start = Instant::now();
        let output = util::run(command.env("IOGAUGE_ENGINE", "sim"));
        output.expect_code(0);
        assert!(
            start.elapsed() < Duration::from_secs(50),
            "the clock is real"
        );
        let at = output.stdout.find("Total IO").expect("results");
        output.stdout[at..].to_owned()
    };
    let first = figures();
    assert_eq!(first, figures());
    assert!(first.contains("Total latency distribution:"));
}

#[test]
fn an_unknown_engine_is_refused_by_name() {
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    let mut command = dir.diskspd("-d1 -W0 f");
    let output = util::run(command.env("IOGAUGE_ENGINE", "fast"));
    assert!(!output.hung && output.code != Some(0), "{output:#?}");
    assert!(output.stderr.contains("fast") && output.stderr.contains("psync"));
    assert!(output.stdout.is_empty());
}

#[test]
fn explain_says_what_each_argument_means_and_does_nothing() {
    let dir = Dir::new();
    let words = [
        "-b8K", "-d10", "-h", "-L", "-o32", "-r", "-w40", "-t8", "-c1G", "./f",
    ];
    let mut command = dir.iogauge(&["explain", "--", "diskspd"]);
    let output = util::run(command.args(words));
    output.expect_code(0);
    for word in words {
        let line = output.stdout.lines().find(|line| line.contains(word));
        let said = line.is_some_and(|line| line.trim().len() > word.len() + 8);
        assert!(said, "{word} is not explained:\n{}", output.stdout);
    }
    assert!(dir.names().is_empty(), "explain made {:?}", dir.names());
}

#[test]
fn an_unknown_option_is_named() {
    let dir = Dir::new();
    let output = util::run(&mut dir.diskspd("-b4K -qq f"));
    output.expect_code(3);
    assert!(output.stdout.is_empty());
    assert!(output.stderr.contains("-qq"), "{output:#?}");
}
