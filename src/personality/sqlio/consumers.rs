//! Programs that read SQLIO's reports, as small readers of their kind: what they find must be what
//! the line asked for and what can be computed from the list of I/Os without us.

use std::{io, path::Path, time::Duration};

use super::testing::{load, plan, printed, results, stats};
use crate::{
    personality::{Environment, Files, sqlio::load::Pattern},
    results::Event,
};

/// Latencies of the I/Os in milliseconds: cut they are 0, 2, 2, 9, 30; their mean is 8.6, cut 8.
const LATENCIES_MS: [f64; 5] = [0.4, 2.0, 2.9, 9.99, 30.5];
/// Three seconds: 1.666 I/Os a second.
const SECONDS: u64 = 3;

/// Lines that differ in what the report contains, all with `-LS`.
const LINES: &[&str] = &[
    "-kR -s30 -b64 -LS -f64 -i64 exists.dat",
    "-kW -s30 -b64 -LS -f64 -i64 -o2 -BH exists.dat",
    "-kR -s30 -b64 -LS -f64 -i64 -BN new.dat",
    "-kW -s30 -b8 -LS -frandom -o8 -BH exists.dat",
    "-kR -s30 -b8 -LS -frandom exists.dat",
    "-kR -s30 -b8 -LS -frandom -o8 new.dat",
    "-kR -s30 -b8 -LS -fsequential -BS -t4 exists.dat",
    "-kR -s30 -b8 -LS -fsequential -o4 -BY -t4 exists.dat",
    "-kW -s30 -b8 -LS -frandom -o8 -BH -Fone.txt",
    "-kW -s30 -b8 -LS -fsequential -BN -Fone.txt",
    "-kW -s30 -b64 -LS -frandom -o8 -Ffour.txt",
    "-kR -s30 -b64 -LS -fsequential -o1 -BH -Ffour.txt",
    "-kR -s30 -b64 -LS -f64 -i64 -Ffour.txt",
];

fn around() -> Environment {
    let read = |path: &Path| -> io::Result<Vec<u8>> {
        Ok(match path.to_str() {
            Some("one.txt") => b"exists.dat 2 0x0 100\n".to_vec(),
            _ => b"a.dat 2 0x0 100\nb.dat 2 0x0 100\nc.dat 2 0x0 100\nd.dat 2 0x0 100\n".to_vec(),
        })
    };
    let size = |path: &Path| (path.to_str()? != "new.dat").then_some(1 << 30);
    Environment {
        files: Files::with(|_| false, read).sized(size),
        ..Environment::default()
    }
}

/// What a line prints.
fn report(line: &str) -> String {
    let around = around();
    let load = load(line, &around);
    let names = load.names();
    let made = |label| {
        let (size, took) = (1 << 28, Duration::ZERO);
        let kept = 0;
        [
            Event::Preparing { label, size, kept },
            Event::Prepared { label, size, took },
        ]
    };
    let prepares = line.contains("-F") || matches!(load.pattern, Pattern::Striped(_));
    let events: Vec<Event<'_>> = names
        .iter()
        .flat_map(|label| match label.as_str() {
            "new.dat" => made(label).to_vec(),
            label if prepares => vec![Event::Kept { label }],
            _ => Vec::new(),
        })
        .collect();
    let ios = stats(load.block(), &LATENCIES_MS);
    let measured = Duration::from_secs(SECONDS);
    let results = results(plan(line, &around), load.write, measured, ios);
    printed(line, &around, &events, &results)
}

/// A line's option, as its writer meant it.
fn option<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').find_map(|word| word.strip_prefix(name))
}

/// Hundredths of the true rate, cut.
fn rates(line: &str) -> (String, String) {
    let kib: u64 = option(line, "-b").unwrap().parse().unwrap();
    let ios = LATENCIES_MS.len() as u64 * 100 / SECONDS;
    let mibs = LATENCIES_MS.len() as u64 * kib * 100 / 1024 / SECONDS;
    let text = |hundredths: u64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
    (text(ios), text(mibs))
}

/// The text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    Some(rest.split_once(to)?.0)
}

/// Scripts that split several reports at the version and look for labels anywhere.
#[test]
fn readers_of_labels() {
    let all: String = LINES.iter().map(|line| report(line)).collect();
    let reports: Vec<&str> = all.split("sqlio v1.5.SG").skip(1).collect();
    assert_eq!(reports.len(), LINES.len());
    for (line, report) in LINES.iter().zip(reports) {
        let find = |from: &str, to: &str| between(report, from, to).map(str::trim);
        let write = line.contains("-kW");
        let verb = if write {
            " writing for "
        } else {
            " reading for "
        };
        assert_eq!(find(verb, " secs"), option(line, "-s"), "{line}");
        let threads = find("counts per second", verb).unwrap();
        let threads = threads.rsplit('\n').next().unwrap();
        let expected = match (option(line, "-F"), option(line, "-t")) {
            (Some("four.txt"), _) => "8 threads",
            (Some(_), _) => "2 threads",
            (_, Some("4")) => "4 threads",
            _ => "1 thread",
        };
        assert_eq!(threads, expected, "{line}");
        let kinds = ["random", "sequential"];
        let kind = kinds
            .iter()
            .find(|kind| line.contains(&format!("-f{kind}")));
        if let Some(kind) = kind {
            let size = find("\tusing ", &format!("KB {kind} IOs"));
            assert_eq!(size, option(line, "-b"), "{line}");
            assert!(report.contains(" size: ") && report.contains(" MB for file: "));
        } else {
            assert_eq!(
                find("\tusing ", "KB IOs over"),
                option(line, "-b"),
                "{line}"
            );
            assert_eq!(find("over ", "KB stripes"), Some("4096"), "{line}");
            assert_eq!(find("stripes with ", " IOs per run"), Some("64"));
            assert!(report.contains("needs to be: 268435456 bytes\n"), "{line}");
        }
        let depth = find("multiple I/Os per thread with ", " outstanding");
        assert_eq!(depth, option(line, "-o"), "{line}");
        let buffering = find("\tbuffering set to ", "\n");
        assert_eq!(buffering.is_some(), line.contains("-B"), "{line}");
        let (ios, mibs) = rates(line);
        assert_eq!(find("IOs/sec:", "\n"), Some(ios.as_str()), "{line}");
        assert_eq!(find("MBs/sec:", "\n"), Some(mibs.as_str()), "{line}");
        for (label, value) in [("Min", "0"), ("Avg", "8"), ("Max", "30")] {
            let found = find(&format!("{label}_Latency(ms): "), "\n");
            assert_eq!(found, Some(value), "{line}");
        }
        assert_eq!(
            report.contains("expanding"),
            line.contains("new.dat"),
            "{line}"
        );
    }
}

/// Scripts that count lines from the top: names on the command line, `-B`, `-o`, and a file that
/// is large enough.
#[test]
fn readers_of_rows_of_a_named_file() {
    let fitting =
        |line: &&&str| line.contains("-o") && line.contains("-B") && line.contains("exists.dat");
    let lines: Vec<_> = LINES.iter().filter(fitting).collect();
    assert_eq!(lines.len(), 3);
    for line in lines {
        let report = report(line);
        let rows: Vec<&str> = report.lines().collect();
        let (ios, mibs) = rates(line);
        assert_eq!(rows[10], format!("IOs/sec: {ios:>8}"), "{line}");
        assert_eq!(rows[11], format!("MBs/sec: {mibs:>8}"), "{line}");
        assert_eq!(rows[14], "Avg_Latency(ms): 8", "{line}");
    }
}

/// A stored procedure that counts from the line of the counter: a parameter file of one line.
#[test]
fn readers_of_rows_behind_the_counter() {
    let line = "-kW -s30 -b8 -LS -frandom -o8 -BH -Fone.txt";
    let report = report(line);
    let rows: Vec<&str> = report.lines().collect();
    let counter = rows
        .iter()
        .position(|row| row.contains("counts per second"))
        .unwrap();
    for (distance, start) in [
        (3, "2 threads writing"),
        (4, "\tusing 8KB random"),
        (5, "\tenabling multiple I/Os per thread with 8 "),
        (6, "\tbuffering set to use hardware disk cache"),
        (7, "using specified size: 100 MB for file: exists.dat"),
        (11, "IOs/sec:     1.66"),
        (12, "MBs/sec:     0.01"),
        (14, "Min_Latency(ms): 0"),
        (15, "Avg_Latency(ms): 8"),
        (16, "Max_Latency(ms): 30"),
    ] {
        assert!(rows[counter + distance].starts_with(start), "{distance}");
    }
    // The next thing is the empty line of a prompt.
    assert_eq!(rows.len(), counter + 20);
}

/// A script that cuts the histogram at fixed columns: three characters from the third on, and the
/// rest from the seventy-fifth.
#[test]
fn readers_of_columns() {
    for line in LINES {
        let report = report(line);
        let row = |label: &str| report.lines().find(|row| row.starts_with(label)).unwrap();
        let cut = |row: &str| -> Vec<String> {
            let columns = (0..24).map(|n| row[2 + 3 * n..5 + 3 * n].trim().to_owned());
            columns.chain([row[74..].trim().to_owned()]).collect()
        };
        let shares = cut(row("%:"));
        let labels = cut(&row("ms:").replacen("ms:", "ms ", 1));
        assert_eq!(labels.last().unwrap(), "24+");
        for (bin, (label, share)) in labels.iter().zip(&shares).enumerate() {
            let expected = match bin {
                0 | 9 | 24 => "20",
                2 => "40",
                _ => "0",
            };
            assert_eq!(share, expected, "{line}: {label} ms");
            assert!(bin == 24 || *label == bin.to_string(), "{label}");
        }
    }
}

/// Scripts that split at blanks and take the n-th word.
#[test]
fn readers_of_words() {
    for line in LINES {
        let report = report(line);
        let words = |start: &str| -> Vec<&str> {
            let row = report.lines().find(|row| row.contains(start));
            row.unwrap().split_whitespace().collect()
        };
        let (ios, mibs) = rates(line);
        assert_eq!(words("IOs/sec:"), ["IOs/sec:", ios.as_str()], "{line}");
        assert_eq!(words("MBs/sec:"), ["MBs/sec:", mibs.as_str()], "{line}");
        assert_eq!(words("Avg_Latency(ms):")[1], "8");
        assert_eq!(words("%:").len(), 26);
        assert_eq!(words("24+").len(), 26);
        let counter = words("counts per second");
        assert_eq!(counter[6], "1000000000");
        let heading = words(" secs ");
        assert_eq!(heading[4], "30", "{line}");
        assert_eq!(heading[6], if line.contains("-kW") { "to" } else { "from" });
        let named = heading[8..].join(" ");
        let expected = match option(line, "-F") {
            Some("four.txt") => "a.dat, b.dat, c.dat and d.dat",
            Some(_) => "exists.dat",
            None => line.rsplit(' ').next().unwrap(),
        };
        assert_eq!(named, expected, "{line}");
    }
}
