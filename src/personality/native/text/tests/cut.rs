//! What is there only in part: loads cut short, rows without an I/O, targets used in part.

use super::*;

#[test]
fn the_part_of_a_target_that_is_used_is_told() {
    let line = |base, end| {
        let mut results = reads(steady());
        let Some(crate::plan::Step::Run(span)) = results.plan.steps.first_mut() else {
            panic!("a time span")
        };
        span.targets[0].base = base;
        span.targets[0].end = end;
        let text = rendered(&report(Shape::Rows), &results);
        let line = text.lines().nth(1).unwrap();
        line.split(':').next().unwrap().to_owned()
    };
    // The file has 1 GiB.
    let all = "on ./t/data.dat (1 GiB)";
    assert_eq!(line(0, None), all);
    assert_eq!(line(0, Some(1 << 30)), all);
    // A load that ends behind the target ends with it.
    assert_eq!(line(0, Some(1 << 40)), all);
    assert_eq!(
        line(0, Some(64 << 20)),
        "on ./t/data.dat (the first 64 MiB of 1 GiB)"
    );
    assert_eq!(
        line(512 << 20, None),
        "on ./t/data.dat (512 MiB from 512 MiB on of 1 GiB)"
    );
}

#[test]
fn a_load_without_a_finished_operation_has_no_speed() {
    let none = || measured(vec![read(OperationStats::default())]);
    let text = rendered(&report(Shape::Rows), &reads(none()));
    let row = text.lines().find(|line| line.starts_with("read")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["read", "-", "-", "-", "-", "-", "-", "-"]);
    // A corner neither, and no sentence is made of it.
    let stats = OperationStats::default;
    let corners = results(vec![
        corner(
            "sequential read 1 MiB, 8 in flight",
            true,
            8,
            stats(),
            false,
        ),
        corner("random read 4 KiB, 32 in flight", false, 32, stats(), false),
        corner("durable write 4 KiB, 1 in flight", false, 1, stats(), true),
    ]);
    let text = rendered(&report(Shape::Corners), &corners);
    let rows: Vec<&str> = text.lines().filter(|l| l.contains("in flight")).collect();
    assert_eq!(rows.len(), 3, "{text}");
    for row in rows {
        assert!(
            row.ends_with("-        -        -        -        -"),
            "{text}"
        );
    }
}

#[test]
fn an_interrupted_look_at_the_corners_tells_each_length() {
    let small = || operations(&[1700; 5], &[(1, 58)], 4096);
    let mut spans = vec![
        corner("sequential read", true, 8, small(), false),
        corner("random read", false, 32, small(), false),
        corner("random write", false, 1, small(), true),
    ];
    spans[1].1.outcome = Outcome::EndedEarly(EndReason::Interrupted);
    spans[1].1.measured = Duration::from_millis(1200);
    spans[2].1.outcome = Outcome::NotMeasured(EndReason::Interrupted);
    let text = rendered(&report(Shape::Corners), &results(spans));
    let told = "2 of 3 loads one after the other, 5 s each, 'random read'\n  only 1.2 s\n";
    assert!(text.contains(told), "{text}");
}

/// Repetitions of so many reads a second, of which the last ends as said.
fn repetitions(rates: &[u64], last: Outcome) -> Results {
    let mut spans = Vec::new();
    for (number, rate) in rates.iter().enumerate() {
        let name = format!("repetition {}", number + 1);
        let mut span = measured(vec![read(every_second(&[*rate; 30], 500))]);
        if number + 1 == rates.len() {
            span.outcome = last;
            span.measured = Duration::from_secs(3);
        }
        spans.push((planned(&name, vec![group("", 1, random(0))]), span));
    }
    results(spans)
}

#[test]
fn a_repetition_that_was_cut_short_is_told_and_not_counted() {
    let cut = Outcome::EndedEarly(EndReason::Interrupted);
    let text = rendered(&report(Shape::Rows), &repetitions(&[960, 1040, 7], cut));
    assert!(text.contains("\nOf 2 repetitions,"), "{text}");
    // The mean of 960 and 1,040.
    let row = text.lines().find(|l| l.starts_with("read IOPS")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[2..5], ["1,000", "960", "1,040"]);
    let told = "\nNOT COUNTED: repetition 3, cut short after 3 s.\n";
    assert!(text.contains(told), "{text}");
    // One whole one is a run.
    let text = rendered(&report(Shape::Rows), &repetitions(&[960, 7], cut));
    assert!(text.contains("read      960"), "{text}");
    assert!(text.contains("\nNOT COUNTED: repetition 2, cut"), "{text}");
    // Of none at all the part is told.
    let text = rendered(&report(Shape::Rows), &repetitions(&[7], cut));
    assert!(text.starts_with("INTERRUPTED after 3 s"), "{text}");
    assert!(!text.contains("NOT COUNTED"), "{text}");
    // What never began has no length.
    let never = Outcome::NotMeasured(EndReason::Interrupted);
    let text = rendered(&report(Shape::Rows), &repetitions(&[960, 1040, 7], never));
    let told = "\nNOT COUNTED: repetition 3, not measured.\n";
    assert!(text.contains(told), "{text}");
}
