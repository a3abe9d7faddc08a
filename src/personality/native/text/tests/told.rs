//! What a pasted report must tell to explain itself.

use super::*;
use crate::plan::Payload;

#[test]
fn a_name_of_several_lines_stays_in_its_row() {
    let two = [
        group("a\nb", 1, random(0)),
        group("c\n\x1b[2J", 1, random(0)),
    ];
    let stats = || read(every_second(&[10; 30], 500));
    let text = rendered(
        &report(Shape::Rows),
        &results(vec![(
            planned("", two.to_vec()),
            measured(vec![stats(), stats()]),
        )]),
    );
    // A group with one kind of operation is called by its name.
    assert!(text.contains("\na\\nb "), "{text}");
    assert!(text.contains("\nc\\n\\u{1b}[2J "), "{text}");
    assert!(!text.contains("\nb"), "{text}");
}

#[test]
fn a_target_of_several_streams_is_told_once() {
    let mut plan = planned("", vec![group("", 2, random(0))]);
    plan.targets.push(plan.targets[0].clone());
    let mut span = steady();
    span.targets.push(span.targets[0].clone());
    let text = rendered(&report(Shape::Rows), &results(vec![(plan, span)]));
    let on = "\non ./t/data.dat (1 GiB): ext4 on sda1 (Disk 7); direct, io_uring\n";
    assert!(text.contains(on), "{text}");
}

#[test]
fn of_an_amount_it_is_told_exactly_what_was_done() {
    let mut plan = planned("", vec![group("", 2, random(0))]);
    plan.stop.after = None;
    plan.stop.operations = Some(30_000);
    let text = rendered(
        &report(Shape::Rows),
        &results(vec![(plan.clone(), steady())]),
    );
    // 1,000 a second for 30 s, 4,096 bytes each: 117.19 MiB.
    let done = "\nDone: 30,000 I/Os, 122,880,000 bytes (117.19 MiB); asked: 30,000 I/Os.\n";
    assert!(text.contains(done), "{text}");
    plan.stop.operations = None;
    plan.stop.passes = Some(2);
    plan.stop.after = Some(Duration::from_mins(1));
    let text = rendered(&report(Shape::Rows), &results(vec![(plan, steady())]));
    let text = text.replace("\n  ", " ");
    assert!(text.contains("; asked: 2 passes or 1 min."), "{text}");
}

#[test]
fn data_that_is_not_random_is_told() {
    let told = |payload| {
        let mut stream = random(100);
        stream.payload = payload;
        let plan = planned("", vec![group("", 1, stream)]);
        let span = measured(vec![write(every_second(&[9; 30], 100))]);
        let text = rendered(&report(Shape::Rows), &results(vec![(plan, span)]));
        text.replace("\n  ", " ")
    };
    assert!(told(Payload::Zeros).contains("; direct, zeros written, io_uring"));
    assert!(told(Payload::Stamped).contains("; direct, io_uring"));
}

#[test]
fn rates_over_time_have_one_form() {
    let counts = [1, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000];
    let text = rendered(
        &report(Shape::Rows),
        &reads(measured(vec![
            read(every_second(&counts, 10)),
            StreamResult::default(),
        ])),
    );
    let text = text.replace("\n  ", " ");
    assert!(text.contains("min 1, median 10,000, max 10,000"), "{text}");
}
