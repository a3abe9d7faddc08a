//! The shape of what sysbench prints: every line to the letter, but for what was measured, of
//! which label, width and decimals count.

use crate::reference::shape::mask;

/// Figures behind a label and blanks.
const LEFT: &[&str] = &[
    "    reads/s:",
    "    writes/s:",
    "    fsyncs/s:",
    "    read, MiB/s:",
    "    written, MiB/s:",
    "    total time:",
    "    total number of events:",
    "    total time taken by event execution:",
    "    events (avg/stddev):",
    "    execution time (avg/stddev):",
];

/// Figures at the end of a field of fixed width.
const RIGHT: &[&str] = &["min:", "avg:", "max:", "sum:", "percentile:"];

/// The lines of an output, masked. The text of a usage is our own.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in text.split('\n') {
        if line.starts_with("Usage:") {
            out.push("usage".to_owned());
            break;
        }
        let shape = line_shape(line);
        // Any number of intervals, requests, buckets.
        let many = line.starts_with("[ ")
            || line.starts_with("DEBUG: Executing request")
            || histogram_row(line).is_some();
        if !(many && out.last() == Some(&shape)) {
            out.push(shape);
        }
    }
    out
}

fn line_shape(line: &str) -> String {
    if line.starts_with("sysbench 1.0.20 ") {
        // The library that 1.0 runs its programs with is not here.
        return "sysbench 1.0.20 _".to_owned();
    }
    if let Some(row) = histogram_row(line) {
        return row;
    }
    if line.starts_with("[ ") && !line.contains("Checkpoint")
        || line.starts_with("DEBUG: ") && !line.contains("Opening file")
        || line.starts_with("FATAL: ")
            && ["pos:", "offset", "Calculated"]
                .iter()
                .any(|w| line.contains(w))
    {
        return mask(&hexadecimal(line));
    }
    if let Some((bytes, rest)) = line.split_once(" bytes written in ") {
        return format!(
            "{bytes} bytes written in {}",
            mask(&rest.replace('(', "( "))
        );
    }
    if let Some(label) = LEFT.iter().find(|label| line.starts_with(**label)) {
        let rest = &line[label.len()..];
        let blanks = rest.len() - rest.trim_start().len();
        return format!("{label}{blanks}{}", masked(&rest[blanks..]));
    }
    if line.starts_with("         ")
        && let Some(label) = RIGHT.iter().find(|label| line.contains(**label))
    {
        let (before, after) = line.split_once(label).expect("it is in the line");
        let figure = masked(after.trim_start());
        // A figure too long for its field makes the line longer.
        return format!("{before}{label}{figure} {}", line.len());
    }
    if let Some((rate, rest)) = line.split_once(" Requests/sec") {
        return format!("{} {rest} {}", masked(rate.trim()), rate.len() >= 8);
    }
    let measured = ["Operations performed:", "Read ", "(last message repeated"];
    if measured.iter().any(|label| line.starts_with(label)) && !line.starts_with("Read/Write") {
        return masked(&line.replace('(', "( "));
    }
    line.to_owned()
}

/// A row of the histogram: where its columns stand.
fn histogram_row(line: &str) -> Option<String> {
    let (value, bar) = line.split_once(" |")?;
    value.trim().parse::<f64>().ok()?;
    let count = bar.get(41..)?;
    count.parse::<u64>().ok()?;
    bar[..40]
        .trim_end()
        .bytes()
        .all(|b| b == b'*')
        .then(|| format!("{} wide {} | bar, count", value.len(), mask(value.trim())))
}

/// Numbers masked, and units that follow from their size with them.
fn masked(text: &str) -> String {
    let mut words = Vec::new();
    for word in text.split(' ') {
        let digits = word.trim_end_matches("/sec)");
        let unit = digits.trim_end_matches(['b', 'K', 'M', 'G', 'T']);
        if digits.ends_with('b') && unit.parse::<f64>().is_ok() {
            words.push(format!("Nb{}", &word[digits.len()..]));
        } else {
            words.push(mask(&word.replace('/', "/ ")));
        }
    }
    words.join(" ")
}

fn hexadecimal(line: &str) -> String {
    let mut out = String::new();
    for part in line.split("0x") {
        if !out.is_empty() {
            out.push('H');
        }
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        out.push_str(if out.is_empty() {
            part
        } else {
            &part[digits..]
        });
    }
    out
}

#[test]
fn a_changed_width_label_or_decimal_changes_the_shape() {
    for (line, same, others) in [
        (
            "    reads/s:                      4011.63",
            "    reads/s:                      0.00",
            [
                "    reads/s:                     4011.63",
                "    reads/s:                      4011.6",
                "    reads/s                       4011.63",
            ],
        ),
        (
            "         95th percentile:                        0.01",
            "         95th percentile:                      103.01",
            [
                "         99th percentile:                        0.01",
                "         95th percentile:                       0.01",
                "         95th percentile:                       0.010",
            ],
        ),
        (
            "Read 265.31Mb  Written 176.88Mb  Total transferred 442.19Mb  (220.31Mb/sec)",
            "Read 1Gb  Written 0b  Total transferred 1Gb  (12Kb/sec)",
            [
                "Read 265.31Mb Written 176.88Mb  Total transferred 442.19Mb  (220.31Mb/sec)",
                "Read 265.31M  Written 176.88Mb  Total transferred 442.19Mb  (220.31Mb/sec)",
                "Read 265.31Mb  Written 176.88Mb  Total transferred 442.19Mb  (220.31Mb/s)",
            ],
        ),
        (
            "   64.00 Requests/sec executed",
            " 4574.40 Requests/sec executed",
            [
                "64.00 Requests/sec executed",
                "   64.0 Requests/sec executed",
                "   64.00 requests/sec executed",
            ],
        ),
        (
            "       0.001 |***                                      9",
            "       7.301 |                                         1234",
            [
                "       0.001 |***                                     9",
                "      0.001 |***                                      9",
                "       0.01 |***                                      9",
            ],
        ),
    ] {
        assert_eq!(of(line), of(same), "{line}");
        for other in others {
            assert_ne!(of(line), of(other), "{other}");
        }
    }
}
