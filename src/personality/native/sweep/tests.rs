//! What the points of a line are, and which lines are none.

use std::{ffi::OsString, io, path::Path, time::Duration};

use super::{estimate, points::Points};
use crate::{
    host::PathKind,
    personality::{
        Environment, Files, UsageError,
        native::{job::Load, loads, planning::Planned},
    },
    plan::{AccessPattern, BlockSizes, Distribution, Generator, Pacing, Plan, Step, TimeSpan},
};

fn kind(path: &Path) -> Option<PathKind> {
    match path.to_str()? {
        "." | "/dir" => Some(PathKind::Folder),
        "/dir/old.dat" => Some(PathKind::Regular),
        _ => None,
    }
}

fn around() -> Environment {
    Environment {
        files: Files::with(
            |path| kind(path).is_some(),
            |_| Err(io::ErrorKind::NotFound.into()),
        )
        .sized(|path| (path == Path::new("/dir/old.dat")).then_some(64 << 20))
        .looked(kind, |_| false),
        clock_seed: 77,
        ..Environment::default()
    }
}

fn points(line: &str) -> Result<(Points, Planned), UsageError> {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let Load::Sweep(args) = loads(&args)? else {
        panic!("{line}: not a sweep");
    };
    let points = Points::new(&args, &around(), line)?;
    let planned = points.plan()?;
    Ok((points, planned))
}

fn plan(line: &str) -> Plan {
    match points(line) {
        Ok((_, planned)) => planned.plan,
        Err(error) => panic!("{line}: {error:?}"),
    }
}

fn refused(line: &str) -> String {
    match points(line) {
        Ok(_) => panic!("{line} is not refused"),
        Err(error) => {
            assert_eq!(error.exit, 2);
            error.messages.join("\n")
        }
    }
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.spans().map(|span| span.name.as_str()).collect()
}

fn depths(span: &TimeSpan) -> (u32, u32) {
    (
        span.groups[0].workers,
        span.groups[0].streams[0].queue_depth,
    )
}

#[test]
fn each_point_is_a_time_span_with_chance_of_its_own() {
    let plan = plan("sweep --vary qd=1,4,8 --seed 100 --threads 2 --rw randwrite /dir/new.dat");
    assert_eq!(names(&plan), ["qd=1", "qd=4", "qd=8"]);
    let spans: Vec<&TimeSpan> = plan.spans().collect();
    assert_eq!(
        spans.iter().map(|span| depths(span)).collect::<Vec<_>>(),
        [(2, 1), (2, 4), (2, 8)]
    );
    for (number, span) in spans.iter().enumerate() {
        let seed = 100 + number as u64;
        assert_eq!(span.generator, Generator::Xoshiro { seed });
        assert_eq!(span.stop.after, Some(Duration::from_secs(5)));
        assert_eq!(span.warmup, Duration::from_secs(1));
    }
    // The file is made once, before all, and goes behind all.
    assert!(matches!(plan.steps.first(), Some(Step::Prepare(_))));
    assert!(matches!(plan.steps.last(), Some(Step::Cleanup(_))));
    assert_eq!(plan.steps.len(), 5);
}

#[test]
fn times_are_those_that_were_typed() {
    let two = plan("sweep --vary qd=1,2 --duration 2s --warmup 0s /dir/new.dat");
    let span = two.spans().next().unwrap();
    assert_eq!(span.stop.after, Some(Duration::from_secs(2)));
    assert_eq!(span.warmup, Duration::ZERO);
    let two = plan("sweep --vary qd=1,2 --duration 2s /dir/new.dat");
    assert_eq!(two.spans().next().unwrap().warmup, Duration::from_secs(1));
    let counted = plan("sweep --vary qd=1,2 --ops 1000 /dir/new.dat");
    let span = counted.spans().next().unwrap();
    assert_eq!((span.stop.after, span.stop.operations), (None, Some(1000)));
}

#[test]
fn every_axis_changes_what_it_says() {
    let of = |line: &str| plan(line).spans().last().cloned().unwrap();
    let span = of("sweep --vary threads=1..4 --qd 8 /dir/new.dat");
    assert_eq!(depths(&span), (4, 8));
    let span = of("sweep --vary bs=4k,64k /dir/new.dat");
    assert_eq!(span.groups[0].streams[0].sizes, BlockSizes::One(65536));
    let uniform = AccessPattern::Random {
        alignment: 65536,
        distribution: Distribution::Uniform,
    };
    assert_eq!(span.groups[0].streams[0].pattern, uniform);
    assert_eq!(span.name, "bs=64KiB");
    let span = of("sweep --vary rate=1000..2000,poisson --threads 2 /dir/new.dat");
    let half = Pacing::Arrivals {
        per_second: 1000.0,
        poisson: true,
    };
    assert_eq!(span.groups[0].streams[0].pacing, half);
    assert_eq!(span.name, "rate=2000,poisson");
    let span = of("sweep --vary qd=1,2 --vary bs=4k,8k /dir/new.dat");
    assert_eq!(span.name, "qd=2 bs=8KiB");
    assert_eq!(depths(&span), (1, 2));
    assert_eq!(span.groups[0].streams[0].sizes, BlockSizes::One(8192));
    // Nothing said: the depth.
    assert_eq!(names(&plan("sweep /dir/new.dat")).last(), Some(&"qd=64"));
}

#[test]
fn regions_end_with_the_target_or_the_file_is_made_for_them() {
    let ends = |line: &str| -> Vec<u64> {
        let plan = plan(line);
        plan.spans()
            .map(|span| span.targets[0].end.unwrap())
            .collect()
    };
    let mib = |sizes: &[u64]| sizes.iter().map(|size| size << 20).collect::<Vec<_>>();
    assert_eq!(
        ends("sweep --vary region=16M..max /dir/old.dat"),
        mib(&[16, 32, 64])
    );
    // 60 MiB from 4 MiB on.
    assert_eq!(
        ends("sweep --vary region=16M..max --offset 4M /dir/old.dat"),
        mib(&[20, 36, 64])
    );
    let large = plan("sweep --vary region=1G,8G /dir/new.dat");
    let Some(Step::Prepare(prepare)) = large.steps.first() else {
        panic!("a file is made");
    };
    assert_eq!(prepare.files[0].size, 8 << 30);
    let said = refused("sweep --vary region=1M,128M /dir/old.dat");
    assert!(said.contains("128 MiB is more than"), "{said}");
    let said = refused("sweep --vary region=128M..max /dir/old.dat");
    assert!(said.contains("64 MiB to use"), "{said}");
}

#[test]
fn lines_that_are_no_sweep_say_what_to_do() {
    for (line, said) in [
        (
            "sweep --vary qd=1..4 --slo write.p99<1ms /dir/old.dat",
            "of writes, and this load",
        ),
        (
            "sweep --vary qd=1..4 --slo flush.p99<1ms --rw randwrite /dir/new.dat",
            "of flushes",
        ),
        ("sweep --vary bs=3000,4k /dir/old.dat", "512"),
        (
            "sweep --vary depth=1..4 /dir/old.dat",
            "--vary='depth=1..4'",
        ),
        ("sweep --vary qd=1..4", "what is to be loaded"),
        ("sweep nowhere", "neither a profile"),
        (
            "sweep sqlserver/oltp --vary qd=1..4 /dir",
            "--qd changes nothing",
        ),
        (
            "sweep sqlserver/oltp --vary bs=4k,8k /dir",
            "--bs changes nothing",
        ),
    ] {
        let message = refused(line);
        assert!(message.contains(said), "{line}: {message}");
    }
}

#[test]
fn the_time_is_told_before() {
    let told = |line: &str| {
        let (points, planned) = points(line).unwrap();
        estimate::sentence(&planned.plan, points.asked(), points.edge()).unwrap()
    };
    // Seven points and one to look again, of 5 + 1 s.
    let text = told("sweep --vary qd=1..64 /dir/old.dat");
    assert_eq!(
        text,
        "iogauge: 7 points of 6 s: 42 s; then 1 more to look again: 48 s in all (test files not \
         counted)"
    );
    // Between 1 and 2 is nothing; between 2 and 4 is 3; 3 repeats and the next one again: 5.
    let text = told("sweep --vary qd=1..4 --slo p99<2ms /dir/old.dat");
    assert!(
        text.contains("about 5 more for the limit at most: 48 s in all"),
        "{text}"
    );
    let text = told("sweep --vary qd=1,2 --ops 10 /dir/old.dat");
    assert!(text.contains("2 points, each until its limit"), "{text}");
    let text = told("sweep --vary qd=1,2 --vary bs=4k,8k /dir/old.dat");
    assert!(
        text.starts_with("iogauge: 4 points of 6 s: 24 s (test"),
        "{text}"
    );
}
