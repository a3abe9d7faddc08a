//! A report of SQLIO: its lines with what differs from run to run taken out, and its arithmetic.

/// Digits behind these words differ from run to run.
const COUNTS: &[&str] = &[
    "latency timings, ",
    " for ",
    "needs to be: ",
    "current file size:\t",
    "need to expand by:\t",
    "specified size: ",
    "current size: ",
    "Latency(ms): ",
    "Latency(us): ",
];

/// The lines of a report, each with its figures taken out.
pub(super) fn shape(text: &str) -> Vec<String> {
    text.lines().map(line_shape).collect()
}

fn line_shape(line: &str) -> String {
    if let Some(field) = rate(line) {
        let name = &line[..line.len() - field.len()];
        return format!("{name}{}", if five_wide(field) { "N.dd" } else { field });
    }
    if let Some(shares) = shares(line) {
        return format!("%: {} columns", shares.len());
    }
    let mut line = line.to_owned();
    for words in COUNTS {
        let Some(at) = line.find(words).map(|at| at + words.len()) else {
            continue;
        };
        let digits = line[at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            line.replace_range(at..at + digits, "N");
        }
    }
    line
}

fn rate(line: &str) -> Option<&str> {
    ["IOs/sec: ", "MBs/sec: "]
        .iter()
        .find_map(|name| line.strip_prefix(name))
}

/// `%5d.%02d`: at least five characters before the point, two digits behind it.
fn five_wide(field: &str) -> bool {
    let Some((whole, part)) = field.split_once('.') else {
        return false;
    };
    let digits = whole.trim_start();
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let width = whole.len() == 5 || (whole.len() > 5 && digits == whole);
    width && number(digits) && number(part) && part.len() == 2
}

/// The row below the histogram: each number in its column of two or three.
pub(super) fn shares(line: &str) -> Option<Vec<u64>> {
    let mut rest = line.strip_prefix("%:")?;
    let mut shares = Vec::new();
    while !rest.is_empty() {
        let width = if rest.starts_with(" 100") { 4 } else { 3 };
        let cell = rest.get(..width)?.strip_prefix(' ')?;
        shares.push(cell.trim_start().parse().ok()?);
        rest = &rest[width..];
    }
    Some(shares)
}

/// The number behind some words at the start of a line.
pub(super) fn figure(text: &str, name: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim().parse().ok()
}

/// True if figures are shown at all.
pub(super) fn has_figures(text: &str) -> bool {
    text.contains("CUMULATIVE DATA:") || text.contains("IOs/sec")
}

/// What does not add up in a report with I/Os of `kib` KiB.
pub(super) fn problems(text: &str, kib: f64) -> Vec<String> {
    let mut problems = Vec::new();
    let (Some(ios), Some(mbs)) = (figure(text, "IOs/sec:"), figure(text, "MBs/sec:")) else {
        return vec![format!("there are no rates: {text}")];
    };
    // Each is cut to two decimals: the exact rate is less than 0.01 above the printed one.
    let least = (ios * kib / 1024.0 * 100.0).floor() / 100.0;
    let most = (ios + 0.01) * kib / 1024.0;
    if ios <= 0.0 || mbs < least - 1e-6 || mbs > most + 1e-6 {
        problems.push(format!("{mbs} MBs/sec do not follow from {ios} IOs/sec"));
    }
    let latencies: Vec<f64> = ["Min", "Avg", "Max"]
        .iter()
        .filter_map(|name| figure(text, &format!("{name}_Latency(ms):")))
        .collect();
    if !latencies.is_sorted() {
        problems.push(format!("latencies are out of order: {latencies:?}"));
    }
    if let Some(row) = text.lines().find_map(shares) {
        let sum: u64 = row.iter().sum();
        // 25 numbers, each rounded by half a per cent at most.
        if row.len() != 25 || !(88..=112).contains(&sum) {
            problems.push(format!("the histogram does not add up: {row:?}"));
        }
    }
    problems
}

#[test]
fn fields_are_told_from_fields_that_are_not_as_wide() {
    let same = |line: &str| line_shape(line) == line;
    assert_eq!(line_shape("IOs/sec:   140.35"), "IOs/sec: N.dd");
    assert_eq!(line_shape("IOs/sec: 219753.18"), "IOs/sec: N.dd");
    assert!(same("IOs/sec:  140.35") && same("MBs/sec:     8.7") && same("MBs/sec:  219753.18"));
    let row = format!("%: 100{}", "  0".repeat(24));
    assert_eq!(line_shape(&row), "%: 25 columns");
    assert!(same("%: 7 0"));
    assert_eq!(
        line_shape("2 threads reading for 30 secs from file for 3"),
        "2 threads reading for N secs from file for 3"
    );
}

#[test]
fn arithmetic_that_is_wrong_is_found() {
    // S01 of the published reports, and the same with one figure changed.
    let report = "IOs/sec:   140.35\nMBs/sec:     8.77\nMin_Latency(ms): 0\nAvg_Latency(ms): 6\n\
                  Max_Latency(ms): 1847\n";
    assert_eq!(problems(report, 64.0), [""; 0]);
    assert_eq!(problems(&report.replace("8.77", "8.79"), 64.0).len(), 1);
    assert_eq!(problems(&report.replace("8.77", "8.76"), 64.0).len(), 1);
    assert_eq!(problems(&report.replace("1847", "5"), 64.0).len(), 1);
}
