//! The shape of a DiskSpd text report: every line, label, column width and number of decimals,
//! measured digits masked. And what must hold in any report, whatever was measured.

use crate::parsed::{Report, Row, Table};

/// Labels whose value is the machine's.
const MACHINE: &[&str] = &[
    "computer name:",
    "start time:",
    "active power scheme:",
    "cpu count:",
    "core count:",
    "group count:",
    "node count:",
    "socket count:",
    "heterogeneous cores:",
];

/// The lines of a report, masked.
pub(crate) fn of(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut cpu_columns, mut cpu_table) = (0, false);
    for line in text.split('\n').filter(|line| !verbose(line)) {
        let line = if let Some((before, after)) = line.split_once("actual test time:") {
            format!("{before}actual test time:{}", mask(after))
        } else if let Some(label) = MACHINE
            .iter()
            .find(|label| line.trim().starts_with(**label))
        {
            let indent = &line[..line.find(label).unwrap_or(0)];
            format!("{indent}{label}{}", blanks_behind(line, label))
        } else if !line.is_empty() && line.bytes().all(|b| b == b'.') {
            "progress dots".to_owned()
        } else if line.contains("CPU |") && line.contains("Usage") {
            // Columns before CPU depend on the machine.
            cpu_table = true;
            cpu_columns = line[..line.find("CPU |").unwrap_or(0)].matches('|').count();
            table(&skip_cells(line, cpu_columns))
        } else if line.trim_start().starts_with("avg.|") && line.contains('%') {
            let cells: Vec<&str> = line.splitn(2, '|').collect();
            format!("avg.|{}", table(cells[1]))
        } else if line.contains("%|") && line.trim_start().starts_with(|c: char| c.is_ascii_digit())
        {
            let row = table(&skip_cells(line, cpu_columns));
            if out.last() == Some(&row) {
                continue; // One row a CPU: any number of them.
            }
            row
        } else if cpu_table && dashes(line) {
            "---".to_owned() // As wide as the machine's columns.
        } else if let Some(label) = row_label(line) {
            let rest = &line[line.find(label).unwrap_or(0) + label.len()..];
            format!("{label}>{}", table(rest))
        } else if line.contains('|') {
            table(line)
        } else {
            line.to_owned()
        };
        cpu_table &= !line.is_empty();
        out.push(line);
    }
    charts_sorted(out)
}

/// The line with the blanks or tabs that stand behind a label, so that they are compared.
fn blanks_behind<'a>(line: &'a str, label: &str) -> &'a str {
    let rest = &line[line.find(label).unwrap_or(0) + label.len()..];
    &rest[..rest.len() - rest.trim_start().len()]
}

/// `2026-11-30T19:50:07: Generating ...`: verbose progress; its wording is ours.
fn verbose(line: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd: ";
    line.len() > form.len()
        && line
            .bytes()
            .zip(form.bytes())
            .all(|(b, f)| b == f || (f == b'd' && b.is_ascii_digit()))
}

fn dashes(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|b| b == b'-')
}

/// The label of a row of an I/O or latency table.
fn row_label(line: &str) -> Option<&str> {
    let label = line.trim_start().split([' ', '|']).next()?;
    let known = matches!(label, "total:" | "min" | "max")
        || label.ends_with("-nines")
        || label.strip_suffix("th").is_some_and(number)
        || number(label);
    (known && line.contains('|')).then_some(label)
}

fn number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn skip_cells(line: &str, cells: usize) -> String {
    let rest: Vec<&str> = line.split('|').skip(cells).collect();
    rest.join("|")
}

/// Cells of a table row: text with masked numbers, and the width of each but the last.
fn table(line: &str) -> String {
    let cells: Vec<&str> = line.split('|').collect();
    let shaped: Vec<String> = cells
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let words: Vec<&str> = cell.split_whitespace().collect();
            let text = mask(&words.join(" "));
            if i + 1 == cells.len() {
                text
            } else {
                format!("{text}:{}", cell.len())
            }
        })
        .collect();
    shaped.join("|")
}

/// Numbers become `N` with their decimals; sizes in parentheses and parts of words stay.
pub(crate) fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while let Some(c) = text[i..].chars().next() {
        let fresh = i == 0 || {
            let before = bytes[i - 1];
            !(before.is_ascii_alphanumeric() || matches!(before, b'_' | b'.' | b'('))
        };
        let sign = usize::from(c == '-');
        let digits = |from: usize| {
            let rest = &bytes[from.min(bytes.len())..];
            rest.iter().take_while(|b| b.is_ascii_digit()).count()
        };
        let whole = digits(i + sign);
        if !fresh || whole == 0 {
            out.push(c);
            i += c.len_utf8();
            continue;
        }
        i += sign + whole;
        out.push('N');
        if bytes.get(i) == Some(&b'.') && digits(i + 1) > 0 {
            let decimals = digits(i + 1);
            out.push('.');
            out.push_str(&"d".repeat(decimals));
            i += 1 + decimals;
        }
    }
    out
}

/// Latency charts per path come in hash order in the original, in the command line's here: they
/// go to the end, sorted, so that order does not matter.
fn charts_sorted(lines: Vec<String>) -> Vec<String> {
    let (mut out, mut charts): (Vec<String>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    let mut inside = false;
    for line in lines {
        if line.starts_with("Latency distribution:") {
            inside = true;
            charts.push(Vec::new());
        } else if line.starts_with("Total latency distribution:") {
            inside = false;
        }
        match charts.last_mut() {
            Some(chart) if inside => chart.push(line),
            _ => out.push(line),
        }
    }
    charts.sort();
    out.extend(charts.into_iter().flatten());
    out
}

/// What must hold in a report with results: `block` is its one block size, if it has one.
pub(crate) fn arithmetic(report: &Report, block: Option<u64>) -> Vec<String> {
    let mut problems = Vec::new();
    let tables = [
        ("Total IO", &report.total),
        ("Read IO", &report.read),
        ("Write IO", &report.write),
    ];
    for (name, table) in tables {
        if let Err(problem) = sums(table) {
            problems.push(format!("{name}: {problem}"));
        }
        if let Some(block) = block
            && table.total.bytes != table.total.ios * block
        {
            problems.push(format!("{name}: bytes are not I/Os times block size"));
        }
        for row in table.rows.iter().chain([&table.total]) {
            problems.extend(rates(row, report.seconds).map(|p| format!("{name}: {p}")));
        }
    }
    let (all, parts) = (
        &report.total.total,
        [&report.read.total, &report.write.total],
    );
    if all.ios != parts[0].ios + parts[1].ios || all.bytes != parts[0].bytes + parts[1].bytes {
        problems.push("reads and writes do not add up to the total".to_owned());
    }
    for column in 0..3 {
        let values: Vec<f64> = report.latency.iter().filter_map(|l| l.1[column]).collect();
        if values.windows(2).any(|pair| pair[1] < pair[0]) {
            problems.push(format!("latencies of column {column} fall"));
        }
    }
    problems
}

fn sums(table: &Table) -> Result<(), &'static str> {
    let ios: u64 = table.rows.iter().map(|row| row.ios).sum();
    let bytes: u64 = table.rows.iter().map(|row| row.bytes).sum();
    if (ios, bytes) == (table.total.ios, table.total.bytes) {
        Ok(())
    } else {
        Err("rows do not add up to the total")
    }
}

/// MiB/s and I/O per s follow from bytes, I/Os and a time that is printed with two decimals.
fn rates(row: &Row, seconds: f64) -> Option<String> {
    if seconds < 0.05 {
        return None;
    }
    let slack = 0.006 / seconds;
    let follows = |rate: f64, amount: f64| (rate - amount / seconds).abs() <= 0.01 + rate * slack;
    let mib = row.bytes as f64 / 1_048_576.0;
    (!follows(row.mib_s, mib) || !follows(row.iops, row.ios as f64))
        .then(|| format!("rates do not follow from amounts: {row:?}"))
}

#[test]
fn numbers_are_masked_and_words_are_not() {
    assert_eq!(mask("12.50%"), "N.dd%");
    assert_eq!(mask("0 - 3"), "N - N");
    assert_eq!(mask("d.dat (16MiB)"), "d.dat (16MiB)");
    assert_eq!(mask("x9 _1 a.5"), "x9 _1 a.5");
    assert_eq!(mask("N/A"), "N/A");
}

#[test]
fn a_changed_width_label_or_decimal_changes_the_shape() {
    let line = "     0 |      5621415936 |    2679.83 | d.dat (16MiB)";
    for other in [
        "     0 |     5621415936 |    2679.83 | d.dat (16MiB)",
        "     0 |      5621415936 |    2679.8 | d.dat (16MiB)",
        "     0 |      5621415936 |    2679.83 | d.dat (8MiB)",
        "     1 |      5621415936 |    2679.83 | d.dat (16MiB)",
        "     0 |      5621415936 |        N/A | d.dat (16MiB)",
    ] {
        assert_ne!(of(line), of(other), "{other}");
    }
    assert_eq!(
        of(line),
        of("     0 |               1 |       0.01 | d.dat (16MiB)")
    );
}

#[test]
fn wrong_arithmetic_is_seen() {
    let text = include_str!("../../reference/diskspd/r-LD/stdout").replace("\r\n", "\n");
    assert!(arithmetic(&Report::parse(&text), Some(65_536)).is_empty());
    assert!(!arithmetic(&Report::parse(&text), Some(4096)).is_empty());
    for (right, wrong) in [
        ("|        85776 |", "|        85777 |"),
        ("|    2679.83 |", "|    2779.83 |"),
        ("75th |      0.017", "75th |      0.012"),
    ] {
        let wrong = text.replacen(right, wrong, 1);
        assert!(!arithmetic(&Report::parse(&wrong), Some(65_536)).is_empty());
    }
}
