//! Wider terminals have more columns.

use super::*;

#[test]
fn wider_terminals_have_more_percentiles() {
    // 200,000 reads: 90 % take 100 us, 9 % 200 us, the others 1 ms; of 5 % beyond p95 all are above
    // 100 us, and 20 are beyond p99.99.
    let stats = || operations(&[20_000; 10], &[(90, 100), (9, 200), (1, 1000)], 4096);
    let heads = |width: usize| {
        let mut report = report(Shape::Rows);
        report.form = Form {
            width,
            ..Form::default()
        };
        let text = rendered(&report, &reads(measured(vec![read(stats())])));
        let lines: Vec<&str> = text.lines().skip_while(|l| !l.contains("IOPS")).collect();
        let cells =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        (cells(lines[0]), cells(lines[1]))
    };
    let narrow = ["IOPS", "MiB/s", "mean", "p50", "p99", "p99.9", "max"];
    assert_eq!(heads(99).0, narrow);
    let (wide, _) = heads(100);
    let expected = [
        "IOPS", "MiB/s", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max",
    ];
    assert_eq!(wide, expected);
    let (wider, cells) = heads(120);
    assert_eq!(wider[4..6], ["p90", "p95"]);
    // Mean 90 + 18 + 10 = 118 us.
    assert_eq!(
        cells[3..],
        [
            "0.118", "0.100", "0.100", "0.200", "0.200", "1.00", "1.00", "1.00"
        ]
    );
}

#[test]
fn so_have_the_corners_of_a_disk() {
    let heads = |width: usize| {
        let mut report = report(Shape::Corners);
        report.form = Form {
            width,
            ..Form::default()
        };
        // 17,000 reads: 17 are beyond p99.9.
        let stats = operations(&[3400; 5], &[(9, 50), (1, 100)], 4096);
        let name = "random read 4 KiB, 32 in flight";
        let text = rendered(
            &report,
            &results(vec![corner(name, false, 32, stats, false)]),
        );
        let line = |wanted: &str| text.lines().find(|line| line.contains(wanted)).unwrap();
        let cells = |line: &str| -> Vec<String> {
            let cells = line.replace(name, "");
            cells.split_whitespace().map(str::to_owned).collect()
        };
        (cells(line("IOPS")), cells(line("  3,400 ")))
    };
    assert_eq!(heads(99).0, ["IOPS", "MiB/s", "mean", "p99", "max"]);
    let (wide, cells) = heads(100);
    assert_eq!(
        wide,
        ["IOPS", "MiB/s", "mean", "p50", "p99", "p99.9", "max"]
    );
    // The mean of nine of 50 and one of 100 us.
    assert_eq!(cells[2..], ["55.0", "50.0", "100", "100", "100"]);
}
